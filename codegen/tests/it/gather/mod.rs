//! Tests of bit gathering.
//!
//! Gathers are compared with a reference, searches with exhaustive ones, printed code with its numbers. Proofs must reject
//! tampering. The command is tested on bad requests and on the examples of the guide.

mod code;
mod command;
mod gathers;
mod proofs;
mod search;

use outflank_codegen::gather::{Base, Multiplication, Target};
use outflank_random::SplitMix64;

/// `count` distinct squares below `end`, in random order.
fn random_squares(random: &mut SplitMix64, count: usize, end: u8) -> Vec<u8> {
    let mut squares: Vec<u8> = (0..end).collect();
    random.shuffle(&mut squares);
    squares.truncate(count);
    squares
}

/// Reference that gathers square by square.
fn gather_slowly(squares: &[u8], board: u64, base: Base) -> u64 {
    let mut power = 1;
    let mut sum = 0;
    for square in squares {
        if board >> square & 1 == 1 {
            sum += power;
        }
        power *= base.radix();
    }
    sum
}

/// All subsets of the squares, as boards.
fn boards(squares: &[u8]) -> impl Iterator<Item = u64> {
    (0..1u64 << squares.len()).map(|set| {
        let squares = squares.iter().enumerate();
        let on = squares.filter(|(i, _)| set >> i & 1 == 1);
        on.fold(0, |board, (_, square)| board | 1 << square)
    })
}

/// Checks that the parts are proved and share no square, and that they gather all boards of the target.
///
/// The other squares have random discs.
fn check(target: &Target, base: Base, parts: &[Multiplication], random: &mut SplitMix64) {
    let mut covered = 0;
    for part in parts {
        assert_eq!(part.proof().verify(), Ok(()), "{part:?}");
        assert_eq!(covered & part.mask, 0, "{parts:?}");
        covered |= part.mask;
    }
    assert_eq!(covered, target.mask(), "{parts:?}");
    for board in boards(target.squares()) {
        let board = board | random.bits() & !target.mask();
        let results = parts.iter().map(|part| part.apply(board));
        let found = match base {
            Base::Two => results.fold(0, |all, result| all | result),
            Base::Three => results.sum(),
        };
        let wanted = gather_slowly(target.squares(), board, base);
        assert_eq!(found, wanted, "{board:#x} {target:?} {base:?} {parts:?}");
    }
}

const BASES: [Base; 2] = [Base::Two, Base::Three];
