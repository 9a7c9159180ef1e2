//! Arguments that a search passed to kernels, to time kernels on. Branches mispredict differently on random
//! boards than in a search, where consecutive calls have much in common. (neural-reversi times its kernels on
//! a recorded trace too.)
//!
//! `crates/checker-core/traces/search.bin` has [`LENGTH`](super::LENGTH) calls of each kernel that the search
//! calls, directly or inside another kernel. They come from a solve of FFO #20-39 at the portable level: 256
//! runs of 8 consecutive calls, drawn at random from all calls and kept in order. This command records the
//! file again, with the same bytes unless the search changed:
//!
//! ```text
//! cargo run --release --features record --example record_trace
//! ```
//!
//! Layout of the file:
//!
//! 1. Header: The eight bytes `OUTFLANK`, the version (one byte) and the number of kernels (one byte).
//! 2. Kernels: For each the length of its name (one byte), the name, the bits of its recorded parameters
//!    (one byte) and the number of samples (two bytes, low byte first).
//! 3. Samples: All samples of each kernel, in the same order. A sample has the values of the kernel's parameters.
//!
//! A square and alpha are one byte each, four squares are 4 bytes. One side's discs are a bitboard of 8
//! bytes. Both sides' discs are 13 bytes, each with five squares in base 3. A1 is the lowest digit of the
//! first byte. Digit 1 is the mover's disc, digit 2 the opponent's.

use std::sync::OnceLock;

use crate::input::{Case, RECORDED};

// Bits of the byte of recorded parameters, in the order of `RECORDED`.
pub(crate) const SQUARE: u8 = 1;
pub(crate) const PLAYER: u8 = 2;
pub(crate) const OPPONENT: u8 = 4;
pub(crate) const BOARD: u8 = PLAYER | OPPONENT;
pub(crate) const ALPHA: u8 = 8;
pub(crate) const SQUARES: u8 = 16;
const ALL: u8 = (1 << RECORDED.len()) - 1;

pub(crate) const MAGIC: &[u8; 8] = b"OUTFLANK";
pub(crate) const VERSION: u8 = 1;

/// The samples of one kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Samples {
    pub(crate) kernel: String,
    /// Bits of the parameters that the kernel takes.
    pub(crate) fields: u8,
    pub(crate) cases: Vec<Case>,
}

/// Returns the recorded calls of `kernel`, or those of `flip` if the search does not call `kernel`.
///
/// Parameters that the kernel does not take are filled in. If it takes a square and one side's discs, all
/// other squares are the opponent's. If it takes no square, the square is the first empty one. The defaults
/// of the rest are no discs, alpha 0, and the squares A1 to D1.
pub fn recorded(kernel: &str) -> Vec<Case> {
    static TRACE: OnceLock<Vec<Samples>> = OnceLock::new();
    let trace = TRACE.get_or_init(|| {
        read(include_bytes!("../../../traces/search.bin")).unwrap_or_else(|error| panic!("{error}"))
    });
    let samples = |name: &str| trace.iter().find(|samples| samples.kernel == name);
    let samples = samples(kernel).or_else(|| samples("flip"));
    samples.expect("every search flips").cases.clone()
}

/// Reads a trace from its bytes. The error is one line.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Samples>, String> {
    let mut bytes = Bytes {
        length: bytes.len(),
        rest: bytes,
    };
    if bytes.take("the first eight bytes").ok() != Some(*MAGIC) {
        return Err("not a recorded trace: it does not begin with OUTFLANK".into());
    }
    let [version] = bytes.take("the version")?;
    if version != VERSION {
        return Err(format!(
            "a recorded trace of version {version}; possible: {VERSION}"
        ));
    }
    let [kernels] = bytes.take("the number of kernels")?;
    let mut kernels = (0..kernels.into())
        .map(|index| read_kernel(&mut bytes, index))
        .collect::<Result<Vec<_>, _>>()?;
    for (samples, count) in &mut kernels {
        for index in 0..*count {
            let case = read_case(&mut bytes, samples.fields)?.map_err(|mistake| {
                let kernel = &samples.kernel;
                format!("sample {index} of {kernel} in the recorded trace has {mistake}")
            })?;
            samples.cases.push(case);
        }
    }
    match bytes.rest.len() {
        0 => Ok(kernels.into_iter().map(|(samples, _)| samples).collect()),
        extra => Err(format!(
            "the recorded trace has {extra} bytes after its last sample"
        )),
    }
}

/// Reader of the file's bytes.
struct Bytes<'a> {
    length: usize,
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    fn slice(&mut self, count: usize, part: &str) -> Result<&'a [u8], String> {
        let taken = self.rest.split_at_checked(count);
        let (taken, rest) = taken.ok_or_else(|| {
            let length = self.length;
            format!("the recorded trace ends after {length} bytes, within {part}")
        })?;
        self.rest = rest;
        Ok(taken)
    }

    fn take<const N: usize>(&mut self, part: &str) -> Result<[u8; N], String> {
        Ok(self.slice(N, part)?.try_into().expect("N bytes"))
    }
}

/// Reads a kernel's entry in the list of kernels. Returns its samples, still empty, and their number.
fn read_kernel(bytes: &mut Bytes, index: usize) -> Result<(Samples, usize), String> {
    const WITHIN: &str = "the list of kernels";
    let [length] = bytes.take(WITHIN)?;
    let name = bytes.slice(length.into(), WITHIN)?;
    let [fields] = bytes.take(WITHIN)?;
    let count = u16::from_le_bytes(bytes.take(WITHIN)?);
    let wrong = |mistake| format!("kernel {index} of the recorded trace has {mistake}");
    let kernel = std::str::from_utf8(name).map_err(|_| wrong("a name that is not UTF-8"))?;
    if fields == 0 || fields > ALL {
        return Err(wrong("parameters that do not exist"));
    }
    let samples = Samples {
        kernel: kernel.to_owned(),
        fields,
        cases: Vec::new(),
    };
    Ok((samples, count.into()))
}

/// Reads a sample and completes it to a case. The inner error is the mistake in the sample.
fn read_case(bytes: &mut Bytes, fields: u8) -> Result<Result<Case, &'static str>, String> {
    const WITHIN: &str = "the samples";
    let mut case = Case::new(0, 0, 0);
    if fields & SQUARE != 0 {
        case.square = bytes.take::<1>(WITHIN)?[0].into();
    }
    match fields & BOARD {
        BOARD => match from_base_3(bytes.take(WITHIN)?) {
            Some(board) => (case.player, case.opponent) = board,
            None => return Ok(Err("a digit of base 3 that does not exist")),
        },
        PLAYER => case.player = u64::from_le_bytes(bytes.take(WITHIN)?),
        OPPONENT => case.opponent = u64::from_le_bytes(bytes.take(WITHIN)?),
        _ => {}
    }
    if fields & ALPHA != 0 {
        case.alpha = i8::from_le_bytes(bytes.take(WITHIN)?).into();
    }
    if fields & SQUARES != 0 {
        case.squares = u32::from_le_bytes(bytes.take(WITHIN)?);
    }
    Ok(complete(case, fields))
}

/// Fills in the parameters that a sample lacks. The error is the mistake in the sample.
fn complete(mut case: Case, fields: u8) -> Result<Case, &'static str> {
    if fields & SQUARE == 0 {
        case.square = (!(case.player | case.opponent)).trailing_zeros() as usize & 63;
    } else if fields & BOARD == PLAYER && case.square < 64 && case.player >> case.square & 1 == 0 {
        case.opponent = !(case.player | 1 << case.square);
    }
    match case.broken_invariant() {
        Some(mistake) => Err(mistake),
        None => Ok(case),
    }
}

/// Decodes both sides' discs from 13 bytes of five squares; `None` if a byte is too large.
fn from_base_3(bytes: [u8; 13]) -> Option<(u64, u64)> {
    let (mut player, mut opponent) = (0, 0);
    for (i, &byte) in bytes.iter().enumerate() {
        let mut rest = byte;
        for square in (5 * i..5 * i + 5).take_while(|&square| square < 64) {
            match rest % 3 {
                1 => player |= 1 << square,
                2 => opponent |= 1 << square,
                _ => {}
            }
            rest /= 3;
        }
        if rest != 0 {
            return None;
        }
    }
    Some((player, opponent))
}

#[cfg(test)]
mod tests;
