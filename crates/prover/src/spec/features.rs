//! Features of boards, and the sum of their weights.
//!
//! A feature is a number in base 3: digit 0 for a disc of the mover, 1 for an empty square, 2 for a disc of the
//! opponent. Let `p` and `o` be the bits of the mover and the opponent on a square. Then the digit is `1 + o - p`, and
//! a feature is the sum of its digits times their powers of 3.
//!
//! Some algorithms compute four features in a word of 64 bits. Every feature fits into its 16 bits, because a feature
//! of up to ten squares is less than 3^10 = 59,049. So the claim is about the whole word: it equals the sum of the four
//! features times their powers of 2^16.

use std::rc::Rc;

use outflank_kernels::geometry::{self, Geometry, corner, edax};

use super::{AnswerLocation, Obligation, Specification, is_disjoint, opponent, player, specified};
use crate::machine::Array;
use crate::term::{Node, Shift, Table, Term, Wide, constant, number, total, variable, zeros};

pub(super) static SPECIFICATIONS: &[Specification] = &[
    specified("feature_set", 1, |_| set(&edax::GEOMETRY)),
    specified("feature_set_corner", 1, |_| set(&corner::GEOMETRY)),
    specified("feature_pass", 1, |_| pass(&edax::GEOMETRY)),
    specified("feature_pass_corner", 1, |_| pass(&corner::GEOMETRY)),
    specified("feature_update", 1, |_| update(&edax::GEOMETRY)),
    specified("feature_update_corner", 1, |_| update(&corner::GEOMETRY)),
    specified("eval_sum", 1, |_| eval_sum()),
];

/// Address of the features that a kernel reads.
pub(super) const BEFORE: u64 = 0x5100_0000_0000;
/// Address of the features that a kernel writes.
const AFTER: u64 = 0x5200_0000_0000;
/// Address of the weights.
const WEIGHTS: u64 = 0x5300_0000_0000;
/// Address of the pointer to the weights.
pub(super) const POINTER: u64 = 0x5400_0000_0000;

/// Number of features in memory.
const FEATURES: u32 = geometry::FEATURES as u32;

/// Width of a feature in bits.
pub(super) const BITS: u32 = 16;

/// Adjacent features as one number: a single feature, or the four of a word.
#[derive(Clone, Copy)]
struct Group {
    first: u32,
    count: u32,
}

impl Group {
    fn width(self) -> u32 {
        self.count * BITS
    }

    /// Joins one number per feature into a single number.
    fn joined(self, of: impl Fn(usize) -> u64) -> Wide {
        (0..self.count).fold(Wide::ZERO, |sum, i| {
            let number = Wide::new(of((self.first + i) as usize));
            sum.plus(number.shifted_left(BITS * i))
        })
    }

    /// The group's part of all features.
    fn part_of(self, features: Term) -> Term {
        features.extract(self.first * BITS, self.width())
    }
}

/// Squares of a feature with their powers of 3.
fn powers(geometry: &Geometry, feature: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
    let squares = geometry.features.get(feature);
    let squares = squares
        .into_iter()
        .flat_map(|feature| feature.squares.iter().rev());
    squares.scan(1, |power, &square| {
        let present = *power;
        *power *= 3;
        Some((square, present))
    })
}

/// Power of 3 of a square in each feature of a group, 0 in features without it.
fn square_powers(geometry: &Geometry, group: Group, square: usize) -> Wide {
    group.joined(|feature| {
        let found = powers(geometry, feature).find(|&(other, _)| other == square);
        found.map_or(0, |(_, power)| power)
    })
}

/// Greatest features of a group: with a disc of the opponent on every square.
fn greatest_features(geometry: &Geometry, group: Group) -> Wide {
    group.joined(|feature| powers(geometry, feature).map(|(_, power)| 2 * power).sum())
}

/// Obligation of a kernel that writes the features `expected`, group by group.
fn written(
    arguments: Vec<Term>,
    expected: impl Fn(Group, &[Term]) -> Term + 'static,
) -> Obligation {
    let mut obligation = Obligation::every_board(arguments, zeros(8), 8);
    obligation.answer = AnswerLocation::Written(AFTER, FEATURES * BITS);
    obligation.claims = Box::new(move |answer, path| {
        let words = (0..FEATURES / 4).flat_map(|word| {
            let group = |first, count| Group { first, count };
            let whole = group(4 * word, 4);
            match *whole.part_of(answer).node() {
                Node::Sum(..) => vec![whole],
                _ => (0..4).map(|i| group(4 * word + i, 1)).collect(),
            }
        });
        words
            .map(|group| group.part_of(answer).equals(expected(group, path)))
            .collect()
    });
    obligation
}

/// Features that a kernel reads; those that the geometry does not use are 0.
fn before(geometry: &Geometry) -> Term {
    features_named("features", geometry)
}

/// Features under a name; those that the geometry does not use are 0.
pub(super) fn features_named(name: &str, geometry: &Geometry) -> Term {
    let used = geometry.features.len() as u32 * BITS;
    variable(name, used).resize(FEATURES * BITS)
}

fn set(geometry: &'static Geometry) -> Obligation {
    let arguments = vec![player(), opponent(), number(AFTER, 64)];
    let expected = move |group: Group, _: &[Term]| {
        let width = group.width();
        let all_empty =
            group.joined(|feature| powers(geometry, feature).map(|(_, power)| power).sum());
        let digits = (0..64).flat_map(|square| {
            let powers = square_powers(geometry, group, square);
            let of = |board: Term, factor| board.bit(square as u32).resize(width).times(factor);
            [of(opponent(), powers), of(player(), powers.negative())]
        });
        total(digits.chain([constant(all_empty, width)]))
    };
    written(arguments, expected).assuming([is_disjoint()])
}

fn pass(geometry: &'static Geometry) -> Obligation {
    let arguments = vec![number(BEFORE, 64), number(AFTER, 64)];
    let mut obligation = written(arguments, move |group, _| {
        constant(greatest_features(geometry, group), group.width())
            - group.part_of(before(geometry))
    });
    obligation.memory.push((BEFORE, before(geometry)));
    obligation
}

/// Remaining discs of `flipped` after the lowest is removed 0 to 63 times.
fn remaining() -> Vec<Term> {
    let less = |rest: &Term| Some(*rest & rest.plus(-1));
    std::iter::successors(Some(variable("flipped", 64)), less)
        .take(64)
        .collect()
}

/// Powers of all 64 squares for a group, and a final 0 for no square.
fn table(geometry: &Geometry, group: Group) -> Rc<Table> {
    let entries = (0..=64).map(|square| square_powers(geometry, group, square));
    Table::new(entries.collect(), group.width())
}

/// Obligation of `feature_update`.
///
/// The code adds the powers of the flipped discs in a loop, which removes the lowest disc in each round. The loop adds
/// every flipped disc exactly once, because removing the lowest disc removes no other ([`lowest_disc`]). After 64
/// rounds no disc remains.
fn update(geometry: &'static Geometry) -> Obligation {
    let square = variable("square", 6);
    let arguments = vec![
        number(BEFORE, 64),
        square.resize(64),
        variable("flipped", 64),
        number(AFTER, 64),
    ];
    let rests = remaining();
    let all_rests = rests.clone();
    let mut obligation = written(arguments, move |group, path| {
        let is_last = |rest: &&Term| path.contains(&rest.equals(zeros(64)));
        let taken = rests.iter().take_while(|rest| !is_last(rest));
        let table = table(geometry, group);
        let lowest = |rest: &Term| table.clone().lookup(rest.trailing_zeros());
        let added = taken.flat_map(|rest| [lowest(rest); 2]);
        let played = Table::new(table.entries()[..64].to_vec(), group.width()).lookup(square);
        let added: Vec<Term> = added.chain([played]).collect();
        constant(greatest_features(geometry, group), group.width())
            - group.part_of(before(geometry))
            + total(added)
    });
    obligation.memory.push((BEFORE, before(geometry)));
    obligation.is_infeasible = Box::new(move |path| {
        let last = all_rests[63];
        let none = last & last.plus(-1);
        path.contains(&!none.equals(zeros(64)))
    });
    obligation.lemmas = vec![lowest_disc(), next_digit()];
    obligation
}

/// Lemma: a set that is not empty is the disjoint union of its lowest disc and the rest.
///
/// The index of the lowest disc is the number of trailing zeros.
fn lowest_disc() -> Term {
    let flipped = variable("flipped", 64);
    let rest = flipped & flipped.plus(-1);
    let lowest = number(1, 64).shift(Shift::Left, flipped.trailing_zeros());
    let is_split = (lowest ^ rest).equals(flipped) & (lowest & rest).equals(zeros(64));
    flipped.equals(zeros(64)) | is_split
}

/// Lemma: a move changes a digit `d` to `2 - d`, plus 1 on the square played and plus 2 on a flipped disc.
///
/// The digit after the move is seen by the other side.
fn next_digit() -> Term {
    let bits = |name: &str| variable(name, 1);
    let (mine, theirs) = (bits("mine"), bits("theirs"));
    let (played, turned) = (bits("played"), bits("turned"));
    let digit = |mine: Term, theirs: Term| theirs.resize(4) - mine.resize(4) + number(1, 4);
    let can_be = !(mine & theirs) & !(played & (mine | theirs)) & (!turned | theirs);
    let after = digit(theirs & !turned, mine | turned | played);
    let formula = number(2, 4) - digit(mine, theirs)
        + played.resize(4)
        + turned.resize(4).times(Wide::new(2));
    !can_be | after.equals(formula)
}

/// Obligation that the answer is the sum of the weights of all features.
fn eval_sum() -> Obligation {
    let arguments = vec![number(POINTER, 64), number(BEFORE, 64)];
    let features = before(&edax::GEOMETRY);
    let array = Array {
        name: "weights",
        start: WEIGHTS,
        length: edax::LENGTH as u64 * 4,
        element: 4,
    };
    let weight = |index: Term| array.read(index.times(Wide::new(4)), 4);
    let weights = edax::OFFSETS.iter().zip(features.lanes(BITS));
    let weights = weights.map(|(&first, value)| weight(value.resize(64).plus(first.into())));
    // Features beyond the geometry's are unused.
    let weights = weights.take(edax::GEOMETRY.features.len());
    let expected = total(weights);
    let mut obligation = Obligation::every_board(arguments, expected, 32);
    obligation.memory.push((BEFORE, features));
    obligation.memory.push((POINTER, number(WEIGHTS, 64)));
    // Unused features are 0 and read the first weight, which belongs to no class and is 0.
    obligation
        .assumptions
        .push(weight(zeros(64)).equals(zeros(32)));
    obligation.arrays.push(array);
    obligation
}
