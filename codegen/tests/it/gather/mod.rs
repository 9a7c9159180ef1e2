//! Gathers against a slow gather, bit by bit; searches against searches of another kind; proofs against
//! tampering; the code against its numbers; and the command that prints it all.

mod code;
mod command;
mod gathers;
mod proofs;
mod search;

use outflank_codegen::gather::{Base, Part, Target};
use outflank_random::SplitMix;

/// `count` distinct squares below `end`, in random order.
fn random_squares(random: &mut SplitMix, count: usize, end: u8) -> Vec<u8> {
    let mut squares: Vec<u8> = (0..end).collect();
    random.shuffle(&mut squares);
    squares.truncate(count);
    squares
}

/// What a gather is: the reference.
fn slow(squares: &[u8], board: u64, base: Base) -> u64 {
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

/// All boards of the squares.
fn boards(squares: &[u8]) -> impl Iterator<Item = u64> {
    (0..1u64 << squares.len()).map(|set| {
        let on = squares
            .iter()
            .enumerate()
            .filter(|(at, _)| set >> at & 1 == 1);
        on.fold(0, |board, (_, square)| board | 1 << square)
    })
}

/// The parts are proved, share no square, and gather all boards of the target, whatever the other
/// squares hold.
fn check(target: &Target, base: Base, parts: &[Part], random: &mut SplitMix) {
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
        let wanted = slow(target.squares(), board, base);
        assert_eq!(found, wanted, "{board:#x} {target:?} {base:?} {parts:?}");
    }
}

const BASES: [Base; 2] = [Base::Two, Base::Three];
