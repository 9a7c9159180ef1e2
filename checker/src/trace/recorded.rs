//! Arguments that a search gave to kernels: what they are to be timed on. Random boards mispredict
//! differently from those of a search, where neighbouring calls have much in common (neural-reversi
//! times its kernels on a recorded trace too).
//!
//! `checker/traces/search.bin` has, for each kernel that the search calls, itself or inside another
//! kernel, [`LENGTH`](super::LENGTH) calls of a solve of FFO #20-39 at the portable level: 256 runs of 8
//! consecutive calls, in their order, drawn at random from all calls. To make it again (it comes out
//! the same, byte for byte, until the search changes):
//!
//! ```text
//! cargo run --release --features record --example record_trace
//! ```
//!
//! The file: the eight bytes `OUTFLANK`, the version (one byte), the number of kernels (one byte); for
//! each kernel the length of its name (one byte), the name, what it takes (one byte, see `FIELDS`) and
//! the number of samples (two bytes, the lower first); then the samples of all kernels in the same
//! order. A sample is what the kernel takes: a square is one byte, both sides' discs are 13 bytes of
//! five squares each in base 3 (A1 the units of the first; 1 the mover's, 2 the opponent's), one side's
//! are a bitboard of 8 bytes, alpha is one byte, four squares are 4.

use std::sync::OnceLock;

use crate::input::Case;

/// The parameters that a sample keeps; the bits of the byte that says what a kernel takes, lowest first.
pub(crate) const FIELDS: [&str; 5] = ["square", "player", "opponent", "alpha", "squares"];

pub(crate) const SQUARE: u8 = 1;
pub(crate) const PLAYER: u8 = 2;
pub(crate) const OPPONENT: u8 = 4;
pub(crate) const BOARD: u8 = PLAYER | OPPONENT;
pub(crate) const ALPHA: u8 = 8;
pub(crate) const SQUARES: u8 = 16;
const ALL: u8 = (1 << FIELDS.len()) - 1;

pub(crate) const MAGIC: &[u8; 8] = b"OUTFLANK";
pub(crate) const VERSION: u8 = 1;

/// What is wrong with a recorded trace.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TraceError {
    /// It does not begin as one.
    #[error("not a recorded trace: it does not begin with OUTFLANK")]
    Magic,
    /// It is of a version that is not known.
    #[error("a recorded trace of version {found}; possible: {VERSION}")]
    Version {
        /// The version that it says.
        found: u8,
    },
    /// It ends too early.
    #[error("the recorded trace ends after {length} bytes, within {what}")]
    Short {
        /// Its length.
        length: usize,
        /// What is cut off.
        what: &'static str,
    },
    /// It goes on after its end.
    #[error("the recorded trace has {extra} bytes after its last sample")]
    Long {
        /// How many are too many.
        extra: usize,
    },
    /// The name or the parameters of a kernel cannot be.
    #[error("kernel {index} of the recorded trace has {what}")]
    Kernel {
        /// Which, from 0.
        index: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// A sample is no case.
    #[error("sample {index} of {kernel} in the recorded trace has {what}")]
    Sample {
        /// The kernel.
        kernel: String,
        /// Which of its samples, from 0.
        index: usize,
        /// What is wrong.
        what: &'static str,
    },
}

/// The samples of one kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Samples {
    pub(crate) kernel: String,
    /// What the kernel takes.
    pub(crate) fields: u8,
    pub(crate) cases: Vec<Case>,
}

/// What the search gave to `kernel`, call by call, or, where the search does not call it, to `flip`.
///
/// What the kernel does not take is filled in: with one empty square where it takes a square and one
/// side's discs; the first empty square where it takes none; no discs, alpha 0, the squares A1 to D1.
pub fn recorded(kernel: &str) -> Vec<Case> {
    static TRACE: OnceLock<Vec<Samples>> = OnceLock::new();
    let trace = TRACE.get_or_init(|| {
        read(include_bytes!("../../traces/search.bin")).unwrap_or_else(|error| panic!("{error}"))
    });
    let samples = |name: &str| trace.iter().find(|samples| samples.kernel == name);
    let samples = samples(kernel).or_else(|| samples("flip"));
    samples.expect("every search flips").cases.clone()
}

/// Reads a trace from its bytes.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Samples>, TraceError> {
    let mut bytes = Bytes {
        length: bytes.len(),
        rest: bytes,
    };
    if bytes.take("the first eight bytes").ok() != Some(*MAGIC) {
        return Err(TraceError::Magic);
    }
    let [version] = bytes.take("the version")?;
    if version != VERSION {
        return Err(TraceError::Version { found: version });
    }
    let [kernels] = bytes.take("the number of kernels")?;
    let kernels = (0..kernels.into())
        .map(|index| read_kernel(&mut bytes, index))
        .collect::<Result<Vec<_>, _>>()?;
    let mut all = Vec::new();
    for (mut samples, count) in kernels {
        for index in 0..count {
            let wrong = |what| TraceError::Sample {
                kernel: samples.kernel.clone(),
                index,
                what,
            };
            let case = read_case(&mut bytes, samples.fields, wrong)?;
            samples.cases.push(case);
        }
        all.push(samples);
    }
    match bytes.rest.len() {
        0 => Ok(all),
        extra => Err(TraceError::Long { extra }),
    }
}

/// What is left to read.
struct Bytes<'a> {
    length: usize,
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    fn slice(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], TraceError> {
        let length = self.length;
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or(TraceError::Short { length, what })?;
        self.rest = rest;
        Ok(taken)
    }

    fn take<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], TraceError> {
        let taken = self.slice(N, what)?;
        Ok(taken.try_into().expect("as many as asked for"))
    }
}

/// A kernel's row of the header: its samples, still none, and how many there will be.
fn read_kernel(bytes: &mut Bytes, index: usize) -> Result<(Samples, usize), TraceError> {
    let [length] = bytes.take("the list of kernels")?;
    let name = bytes.slice(length.into(), "the list of kernels")?;
    let [fields] = bytes.take("the list of kernels")?;
    let count = u16::from_le_bytes(bytes.take("the list of kernels")?);
    let wrong = |what| TraceError::Kernel { index, what };
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

/// A sample, filled up to a case; `wrong` says where it is, if it is none.
fn read_case(
    bytes: &mut Bytes,
    fields: u8,
    wrong: impl Fn(&'static str) -> TraceError,
) -> Result<Case, TraceError> {
    const WITHIN: &str = "the samples";
    let mut case = Case::new(0, 0, 0);
    if fields & SQUARE != 0 {
        case.square = bytes.take::<1>(WITHIN)?[0].into();
    }
    match fields & BOARD {
        BOARD => {
            let board = from_base_3(bytes.take(WITHIN)?);
            (case.player, case.opponent) =
                board.ok_or_else(|| wrong("a digit of base 3 that does not exist"))?;
        }
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
    fill(case, fields).map_err(wrong)
}

/// The case with what its fields leave open; why it is none where its fields cannot be.
fn fill(mut case: Case, fields: u8) -> Result<Case, &'static str> {
    if case.square > 63 {
        return Err("a square over 63");
    }
    let occupied = case.player | case.opponent;
    if occupied == !0 {
        return Err("no empty square");
    }
    if fields & SQUARE == 0 {
        case.square = (!occupied).trailing_zeros() as usize;
    } else if occupied >> case.square & 1 == 1 {
        return Err("a disc on its square");
    } else if fields & BOARD == PLAYER {
        case.opponent = !(case.player | 1 << case.square);
    }
    if !(-64..=63).contains(&case.alpha) {
        return Err("an alpha beyond -64 to 63");
    }
    let squares = case.squares.to_le_bytes();
    let different = (0..4).all(|i| !squares[..i].contains(&squares[i]));
    if !different || squares.iter().any(|&square| square > 63) {
        return Err("four squares that are not four different ones");
    }
    Ok(case)
}

/// Both sides' discs from 13 bytes of five squares; `None` where a byte is no such number.
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
