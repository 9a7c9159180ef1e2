//! Keys of the kernel `children`.

use outflank_kernels::KeyedChildren;
use outflank_random::SplitMix64;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::board::stable_at_corners;
use super::implies;
use crate::term::{
    Assignment, Evaluator, Node, Table, Term, Wide, and_all, bit, concat, number, subterms, total,
    variable, zeros,
};

/// Upper bound of the keys of lanes without a child.
pub(super) fn none() -> Term {
    number(KeyedChildren::NONE as u32 as u64, 32)
}

/// Lemma: a key is above [`none`] if its score is.
pub(super) fn key_is_above() -> Term {
    let (index, score) = (variable("index", 4), variable("score", 28));
    implies(
        none().extract(4, 28).signed_below(score),
        none().signed_below(concat([index, score])),
    )
}

/// Score of each square by its distances from the borders.
fn square_scores() -> Vec<Wide> {
    let from_border = |coordinate: usize| coordinate.min(7 - coordinate);
    let score = |square: usize| {
        let (x, y) = (from_border(square % 8), from_border(square / 8));
        match (x.min(y), x.max(y)) {
            (0, 0) => 18,
            (0, 1) => 4,
            (0, 2) => 16,
            (0, _) => 12,
            (1, 1) => 2,
            (1, 2) => 6,
            (1, _) => 8,
            (2, 2) => 14,
            (2, _) => 10,
            _ => 0,
        }
    };
    (0..64).map(|square| Wide::new(score(square))).collect()
}

/// Number of replies, with those on corners counted twice.
///
/// The term has the form that `key` has: it adds the corners to the count of all replies, or twice to that of the
/// others.
pub(super) fn cost(replies: Term, key: Term) -> Term {
    const CORNERS: [u32; 4] = [0, 7, 56, 63];
    let on_corners: Vec<Term> = CORNERS.map(|corner| replies.bit(corner).resize(28)).into();
    let on_corners = total(on_corners);
    let all = replies.count().extract(0, 7);
    if subterms([key].iter()).contains(&all) {
        return all.resize(28) + on_corners;
    }
    let others = (0..64).filter(|square| !CORNERS.contains(square));
    let others = concat(others.map(|square| replies.bit(square))).count();
    others.extract(0, 6).resize(28) + on_corners + on_corners
}

/// Key without its lowest four bits, from the boards after a move.
///
/// `beside` has the empty squares beside discs of the side that moved.
pub(super) fn score(
    [next, passive, beside]: [Term; 3],
    cost: Term,
    square: Term,
    is_favoured: Term,
) -> Term {
    let times = |term: Term, factor: i64| {
        let factor = Wide::new(factor as u64).low(28);
        term.resize(28).times(factor)
    };
    let own = Table::new(square_scores(), 8).lookup(square.extract(0, 6));
    let sum = times(own, 1)
        + times(is_favoured, 4096)
        + times(stable_at_corners(passive), 4096)
        + times(beside.count(), -32)
        + times(cost, -32768);
    let wins = number(KeyedChildren::WINS as u64 >> 4, 28);
    next.equals(zeros(64)).choose(wins, sum)
}

/// Random board after a move, by the names of the variables in general claims.
struct Sample(u64);

impl Assignment for Sample {
    fn variable(&self, name: &str, width: u32) -> Wide {
        let random = |stream: u64| SplitMix64::new(self.0 << 8 | stream).bits();
        let (dense, sparse) = (random(0), random(1) & random(2) & random(3));
        let bit = 1 << (random(4) & 63);
        let occupied = !sparse & !bit;
        let (player, opponent) = (dense & occupied, !dense & occupied);
        let flips = opponent & random(5) & random(6);
        let value = match name {
            "player" => player,
            "opponent" => opponent,
            "flips" => flips,
            "next" => opponent & !flips,
            "passive" => player | flips | bit,
            "bit" => bit,
            "square" => random(4) & 63,
            _ => random(7),
        };
        Wide::new(value).low(width)
    }

    fn apply(&self, _: &str, _: &[Wide], _: u32) -> Wide {
        Wide::ZERO
    }
}

/// Number of samples that tell the squares of a board apart.
const SAMPLES: u64 = 128;

/// Minimum number of bits of a count that is taken for a count of squares.
const MANY: usize = 16;

/// Matches the bits that a key counts with the squares of a board.
///
/// Returns the condition that all matched bits are equal, and the counts of these bits, each with the same variable.
/// Random boards tell the squares apart.
pub(super) fn matched_counts(key: Term, board: Term) -> (Term, Vec<(Term, Term)>) {
    let samples: Vec<Sample> = (0..SAMPLES).map(Sample).collect();
    let mut evaluators: Vec<_> = samples.iter().map(Evaluator::new).collect();
    let mut values = |bit: Term| -> Vec<bool> {
        let evaluators = evaluators.iter_mut();
        evaluators
            .map(|evaluator| !evaluator.value(bit).is_zero())
            .collect()
    };
    let squares: FxHashMap<Vec<bool>, Term> = board.bits().map(|bit| (values(bit), bit)).collect();
    let count_of = |board: Term| board.count().extract(0, 7);
    let mut counts = vec![(count_of(board), variable("beside", 7))];
    let mut pairs = Vec::new();
    for term in subterms([key].iter()) {
        if let Node::Count(bits) = &*term.node()
            && bits.len() >= MANY
        {
            let found = bits
                .iter()
                .map(|&bit| Some((bit, *squares.get(&values(bit))?)));
            let found: Option<Vec<(Term, Term)>> = found.collect();
            let distinct: FxHashSet<Term> =
                found.iter().flatten().map(|&(_, square)| square).collect();
            if distinct.len() == 64 && bits.len() == 64 {
                pairs.extend(
                    found
                        .iter()
                        .flatten()
                        .map(|&(bit, square)| bit.equals(square)),
                );
                counts.push((term, variable("beside", 7)));
            }
        }
    }
    (and_all(pairs.into_iter().chain([bit(true)])), counts)
}
