//! Arguments that a search gave to kernels: what they are to be timed on. Random boards mispredict
//! differently from those of a search, where neighbouring calls have much in common (neural-reversi
//! times its kernels on a recorded trace too).
//!
//! `kernels/traces/search.bin` has, for each kernel that the search calls, itself or inside another
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
mod tests {
    use super::*;
    use crate::record::write;
    use crate::registry::kernels;
    use crate::trace::LENGTH;
    use crate::{reference, trace};

    /// Whatever kernel is timed gets a full trace of boards that can be.
    #[test]
    fn every_kernel_has_valid_cases() {
        for kernel in kernels() {
            let cases = recorded(kernel.name);
            assert_eq!(cases.len(), LENGTH, "{}", kernel.name);
            for case in cases {
                let occupied = case.player | case.opponent;
                assert_eq!(case.player & case.opponent, 0, "{case:?}");
                assert!(case.square < 64, "{case:?}");
                assert_eq!(occupied >> case.square & 1, 0, "{case:?}");
                assert!((-64..=63).contains(&case.alpha), "{case:?}");
                let mut squares = case.squares.to_le_bytes();
                squares.sort_unstable();
                assert!(squares.is_sorted_by(|a, b| a < b), "{case:?}");
                assert!(squares[3] < 64, "{case:?}");
            }
        }
    }

    /// The samples are those of a search: moves that turn discs, boards with one empty square, and
    /// much in common between neighbours.
    #[test]
    fn the_cases_are_those_of_a_search() {
        let flips = recorded("flip");
        let legal = |case: &&Case| reference::flip(case.square, case.player, case.opponent) != 0;
        let legal = flips.iter().filter(legal).count();
        assert!(legal > LENGTH / 2, "{legal} of {LENGTH} flips turn discs");
        let alike = |pair: &&[Case]| {
            let [a, b] = [0, 1].map(|i: usize| pair[i].player | pair[i].opponent);
            (a ^ b).count_ones() <= 8
        };
        let alike = flips.windows(2).filter(alike).count();
        assert!(
            alike > LENGTH * 3 / 4,
            "{alike} of {LENGTH} boards are like the one before"
        );
        assert!(flips.iter().any(|case| case.square != flips[0].square));

        let last = recorded("last_move_score");
        for case in &last {
            assert_eq!(case.player | case.opponent, !(1 << case.square), "{case:?}");
        }
        assert!(last.iter().any(|case| case.alpha < 0) && last.iter().any(|case| case.alpha > 0));
        assert_eq!(recorded("no such kernel"), flips);
        assert_ne!(
            recorded("last_flip_count"),
            flips,
            "it is called inside last_move_score"
        );
        assert!(trace::Trace::new(&[], 0).is_none());
    }

    fn sample() -> Vec<Samples> {
        let samples = |kernel: &str, fields, cases| Samples {
            kernel: kernel.into(),
            fields,
            cases,
        };
        let mut sorted = Case::new(1, 0, 0);
        (sorted.square, sorted.squares) = (0, 0x3F00_0807);
        let mut last = Case::new(5, 0xF0F, !0xF2F);
        last.alpha = -7;
        vec![
            samples(
                "flip",
                SQUARE | BOARD,
                vec![Case::new(63, 1, 1 << 62), Case::new(4, !0 << 5, 15)],
            ),
            samples("parity_sort", SQUARES, vec![sorted]),
            samples("last_move_score", SQUARE | PLAYER | ALPHA, vec![last]),
        ]
    }

    #[test]
    fn what_is_written_is_read() {
        assert_eq!(read(&write(&sample())), Ok(sample()));
        assert_eq!(read(&write(&[])), Ok(Vec::new()));
    }

    #[test]
    fn malformed_traces_are_refused() {
        let good = write(&sample());
        for end in 8..good.len() {
            let error = read(&good[..end]).unwrap_err();
            assert!(matches!(error, TraceError::Short { length, .. } if length == end));
        }
        assert_eq!(read(&good[..7]), Err(TraceError::Magic));
        assert_eq!(
            read(&[&good[..], &[0]].concat()),
            Err(TraceError::Long { extra: 1 })
        );

        let header = 10 + (1 + 4 + 3) + (1 + 11 + 3) + (1 + 15 + 3);
        let flip = header + 14;
        let parity = flip + 14;
        let last = parity + 4;
        // Where one byte is another, and what is said of it.
        let table = [
            (0, b'o', "does not begin with OUTFLANK"),
            (8, 9, "version 9; possible: 1"),
            (11, 0xFF, "kernel 0 of the recorded trace has a name"),
            (15, 0, "kernel 0 of the recorded trace has parameters"),
            (15, 32, "kernel 0 of the recorded trace has parameters"),
            (
                header,
                64,
                "sample 0 of flip in the recorded trace has a square over 63",
            ),
            (
                header,
                0,
                "sample 0 of flip in the recorded trace has a disc on",
            ),
            (
                flip + 1,
                243,
                "sample 1 of flip in the recorded trace has a digit",
            ),
            (
                flip + 13,
                81,
                "sample 1 of flip in the recorded trace has a digit",
            ),
            (
                flip + 1,
                242,
                "sample 1 of flip in the recorded trace has no empty square",
            ),
            (
                parity,
                8,
                "sample 0 of parity_sort in the recorded trace has four squares",
            ),
            (
                parity,
                64,
                "sample 0 of parity_sort in the recorded trace has four squares",
            ),
            (
                last,
                1,
                "sample 0 of last_move_score in the recorded trace has a disc on",
            ),
            (
                last + 9,
                64,
                "sample 0 of last_move_score in the recorded trace has an alpha",
            ),
        ];
        for (at, byte, message) in table {
            let mut bad = good.clone();
            bad[at] = byte;
            let error = read(&bad).expect_err(message).to_string();
            assert!(error.contains(message), "{error}, not {message}");
        }
    }
}
