//! The moves of the kernel `children`, one after another.

use super::{CAPACITY, are_disjoint};
use crate::machine::compressed;
use crate::term::{Shift, Term, and_all, bit, concat, number, variable, zeros};

/// The moves that are left before child `k`.
pub(super) fn left(k: usize) -> Term {
    match k {
        0 => variable("legal", 64),
        _ => variable(&format!("left{k}"), 64),
    }
}

/// The square of child `k`, as a board; empty if there is no such child.
pub(super) fn move_bit(k: usize) -> Term {
    variable(&format!("move{k}"), 64)
}

/// The square of child `k` in a list of squares; 255 if there is none.
pub(super) fn listed(k: usize) -> Term {
    variable(&format!("listed{k}"), 8)
}

/// Number of squares in a list.
const LISTED: usize = 8;

/// The first squares of some moves as code lists them by `vpcompressb`; 255 follows the last.
fn list_of_squares(moves: Term) -> Vec<Term> {
    let all = concat((0..64).map(|square| number(square, 8)));
    let list = compressed(all, moves, 8);
    let entry = |i: usize| {
        let is_listed = number(i as u64, 64).below(moves.count());
        is_listed.choose(list.extract(8 * i as u32, 8), number(255, 8))
    };
    (0..LISTED).map(entry).collect()
}

/// Terms of the moves, each with its variable.
pub(super) fn cuts() -> Vec<(Term, Term)> {
    let mut cuts = Vec::new();
    for k in 0..CAPACITY {
        let left = left(k);
        if k % LISTED == 0 {
            let entries = list_of_squares(left).into_iter().zip(k..);
            cuts.extend(entries.map(|(entry, k)| (entry, listed(k))));
        }
        let shifted = number(1, 64).shift(Shift::Left, listed(k).resize(64));
        cuts.push((shifted, move_bit(k)));
        cuts.push((left & -left, move_bit(k)));
        cuts.push((left & left.plus(-1), self::left(k + 1)));
    }
    cuts
}

/// The moves that are left, if the lowest is a square and `rest` has the higher ones.
pub(super) fn left_from(square: usize, rest: Term) -> Term {
    let below = (square > 0).then(|| zeros(square as u32));
    let above = (square < 63).then(|| rest.extract(square as u32 + 1, 63 - square as u32));
    concat([below, Some(bit(true)), above].into_iter().flatten())
}

/// Lemmas about the moves that are left.
///
/// Without the lowest move, the moves are a subset of all moves, with one less. Their list is the list of all moves
/// without its first entry. So entry `i` of a list is the lowest move after the removal of `i` moves.
pub(super) fn lemmas() -> Vec<Term> {
    let of_square = |square| {
        let all = left_from(square, variable("rest", 64));
        let others = all & all.plus(-1);
        let lowest = all & -all;
        [
            are_disjoint(others, !all),
            lowest.equals(number(1 << square, 64)),
            others.count().plus(1).equals(all.count()),
            and_all(is_listed_first(all, others, square)),
        ]
    };
    let count = variable("count", 64);
    let are_more = (1..LISTED as u64).map(|i| {
        let one_more = number(i, 64).below(count.plus(1));
        number(63, 64).below(count) | one_more.equals(number(i - 1, 64).below(count))
    });
    let none_listed = list_of_squares(zeros(64))
        .into_iter()
        .map(|entry| entry.equals(number(255, 8)));
    (0..64)
        .flat_map(of_square)
        .chain(are_more)
        .chain(none_listed)
        .collect()
}

/// Conditions that the list of some moves begins with the lowest, `square`, and continues like the list of the others.
fn is_listed_first(all: Term, others: Term, square: usize) -> Vec<Term> {
    let [all, others] = [all, others].map(|moves| {
        let squares = concat((0..64).map(|square| number(square, 8)));
        compressed(squares, moves, 8).extract(0, 8 * LISTED as u32)
    });
    let rest = 8 * (LISTED as u32 - 1);
    vec![
        all.extract(0, 8).equals(number(square as u64, 8)),
        all.extract(8, rest).equals(others.extract(0, rest)),
    ]
}
