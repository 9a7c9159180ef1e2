//! Features of boards, and the sum of their weights.
//!
//! A feature is a number in base 3: digit 0 where the mover has a disc, 1 where the square is empty, 2 where the
//! opponent has one. With `p` and `o` for whether the mover and the opponent have a disc there, a digit is
//! `1 + o - p`, and a feature the sum of its digits times their powers.
//!
//! Some algorithms compute four features in a word of 64 bits, so that a feature that did not fit into 16 bits would
//! change the next. None does: a feature of ten squares or fewer is less than 3^10 = 59,049. So it is enough that the
//! word is the right sum of the four, each times its power of 2^16.

use std::rc::Rc;

use outflank_kernels::geometry::{Geometry, corner, edax};

use super::{Case, Place, Specification, apart, opponent, player};
use crate::machine::Array;
use crate::term::{Node, Shift, Table, Term, Wide, constant, number, total, variable, zeros};

pub(super) static SPECIFICATIONS: &[Specification] = &[
    Specification {
        kernel: "feature_set",
        cases: 1,
        case: |_| set(&edax::GEOMETRY),
    },
    Specification {
        kernel: "feature_set_corner",
        cases: 1,
        case: |_| set(&corner::GEOMETRY),
    },
    Specification {
        kernel: "feature_pass",
        cases: 1,
        case: |_| pass(&edax::GEOMETRY),
    },
    Specification {
        kernel: "feature_pass_corner",
        cases: 1,
        case: |_| pass(&corner::GEOMETRY),
    },
    Specification {
        kernel: "feature_update",
        cases: 1,
        case: |_| update(&edax::GEOMETRY),
    },
    Specification {
        kernel: "feature_update_corner",
        cases: 1,
        case: |_| update(&corner::GEOMETRY),
    },
    Specification {
        kernel: "eval_sum",
        cases: 1,
        case: |_| eval_sum(),
    },
];

/// Where the features lie that a kernel takes, and where it writes those after; the weights, and the pointer to them.
pub(super) const BEFORE: u64 = 0x5100_0000_0000;
const AFTER: u64 = 0x5200_0000_0000;
const WEIGHTS: u64 = 0x5300_0000_0000;
pub(super) const POINTER: u64 = 0x5400_0000_0000;

/// Numbers of features in memory, and the bits of one.
const FEATURES: u32 = 48;
pub(super) const BITS: u32 = 16;

/// Neighbouring features as one number: one of them, or four in a word.
#[derive(Clone, Copy)]
struct Group {
    first: u32,
    count: u32,
}

impl Group {
    fn width(self) -> u32 {
        self.count * BITS
    }

    /// The numbers that the features have, as one.
    fn joined(self, of: impl Fn(usize) -> u64) -> Wide {
        (0..self.count).fold(Wide::ZERO, |sum, i| {
            let own = Wide::new(of((self.first + i) as usize));
            sum.plus(own.shifted_left(BITS * i))
        })
    }

    /// Those features of all.
    fn of(self, features: Term) -> Term {
        features.extract(self.first * BITS, self.width())
    }
}

/// What a feature's digits are worth: the squares with their powers of 3.
fn powers(geometry: &Geometry, feature: usize) -> impl Iterator<Item = (usize, u64)> + '_ {
    let squares = geometry.features.get(feature).map(|one| &one.squares[..]);
    let squares = squares.unwrap_or_default().iter().rev();
    squares.scan(1, |power, &square| {
        let own = *power;
        *power *= 3;
        Some((square, own))
    })
}

/// What a square is worth in each feature of a group.
fn worth(geometry: &Geometry, group: Group, square: usize) -> Wide {
    group.joined(|feature| {
        let own = powers(geometry, feature).find(|&(other, _)| other == square);
        own.map_or(0, |(_, power)| power)
    })
}

/// The features of a group on a board with a disc of the opponent on every square of theirs.
fn highest(geometry: &Geometry, group: Group) -> Wide {
    group.joined(|feature| powers(geometry, feature).map(|(_, power)| 2 * power).sum())
}

/// A case in which features are written that have to be those that `expected` says, group by group.
fn written(arguments: Vec<Term>, expected: impl Fn(Group, &[Term]) -> Term + 'static) -> Case {
    let mut case = Case::equal("every board".into(), arguments, zeros(8), 8);
    case.answer = Place::Written(AFTER, FEATURES * BITS);
    case.claims = Box::new(move |answer, path| {
        let words = (0..FEATURES / 4).flat_map(|word| {
            let whole = Group {
                first: 4 * word,
                count: 4,
            };
            let is_sum = matches!(*whole.of(answer).node(), Node::Sum(..));
            let groups: Vec<Group> = match is_sum {
                true => vec![whole],
                false => (0..4)
                    .map(|i| Group {
                        first: 4 * word + i,
                        count: 1,
                    })
                    .collect(),
            };
            groups
        });
        words
            .map(|group| group.of(answer).equals(expected(group, path)))
            .collect()
    });
    case
}

/// The features that a kernel is given: those that the geometry does not use are 0.
fn before(geometry: &Geometry) -> Term {
    named("features", geometry)
}

/// The same under another name.
pub(super) fn named(name: &str, geometry: &Geometry) -> Term {
    let used = geometry.features.len() as u32 * BITS;
    variable(name, used).resize(FEATURES * BITS)
}

fn set(geometry: &'static Geometry) -> Case {
    let arguments = vec![player(), opponent(), number(AFTER, 64)];
    let expected = move |group: Group, _: &[Term]| {
        let width = group.width();
        let half = group.joined(|feature| powers(geometry, feature).map(|(_, power)| power).sum());
        let digits = (0..64).flat_map(|square| {
            let worth = worth(geometry, group, square);
            let of = |board: Term, factor| board.bit(square as u32).resize(width).times(factor);
            [of(opponent(), worth), of(player(), worth.negative())]
        });
        total(digits.chain([constant(half, width)]).collect::<Vec<_>>())
    };
    written(arguments, expected).assuming([apart()])
}

fn pass(geometry: &'static Geometry) -> Case {
    let arguments = vec![number(BEFORE, 64), number(AFTER, 64)];
    let mut case = written(arguments, move |group, _| {
        constant(highest(geometry, group), group.width()) - group.of(before(geometry))
    });
    case.memory.push((BEFORE, before(geometry)));
    case
}

/// The discs that are left of `flipped` after the lowest was taken away 0 to 63 times.
fn left() -> Vec<Term> {
    let less = |rest: &Term| Some(*rest & rest.plus(-1));
    std::iter::successors(Some(variable("flipped", 64)), less)
        .take(64)
        .collect()
}

/// The powers of all squares for a group, and nothing for no square.
fn table(geometry: &Geometry, group: Group) -> Rc<Table> {
    let entries = (0..=64).map(|square| worth(geometry, group, square));
    Table::new(entries.collect(), group.width())
}

/// The code adds the powers of the turned discs one by one, the lowest first, in a loop. What it has to add is the
/// sum over all turned discs, which is the sum of what it finds as the lowest, again and again, until none is left:
/// taking away the lowest disc takes away that disc and no other (a lemma that the solver proves). After 64 times none
/// is left.
fn update(geometry: &'static Geometry) -> Case {
    let square = variable("square", 6);
    let arguments = vec![
        number(BEFORE, 64),
        square.resize(64),
        variable("flipped", 64),
        number(AFTER, 64),
    ];
    let rests = left();
    let all_rests = rests.clone();
    let mut case = written(arguments, move |group, path| {
        let is_last = |rest: &&Term| path.contains(&rest.equals(zeros(64)));
        let taken = rests.iter().take_while(|rest| !is_last(rest));
        let table = table(geometry, group);
        let lowest = |rest: &Term| table.clone().lookup(rest.trailing_zeros());
        let turned = taken.flat_map(|rest| [lowest(rest); 2]);
        let played = Table::new(table.entries()[..64].to_vec(), group.width()).lookup(square);
        let turned: Vec<Term> = turned.chain([played]).collect();
        constant(highest(geometry, group), group.width()) - group.of(before(geometry))
            + total(turned)
    });
    case.memory.push((BEFORE, before(geometry)));
    case.never = Box::new(move |path| {
        let last = all_rests[63];
        let none = last & last.plus(-1);
        path.contains(&!none.equals(zeros(64)))
    });
    case.lemmas = vec![lowest_disc(), next_digit()];
    case
}

/// A set that is not empty is its lowest disc, which the number of zeros below it names, and the rest, which
/// does not have it.
fn lowest_disc() -> Term {
    let flipped = variable("flipped", 64);
    let rest = flipped & flipped.plus(-1);
    let lowest = number(1, 64).shift(Shift::Left, flipped.trailing_zeros());
    let is_split = (lowest ^ rest).equals(flipped) & (lowest & rest).equals(zeros(64));
    flipped.equals(zeros(64)) | is_split
}

/// After a move, with the other side to move, a digit is 2 less what it was, and one more for the disc that was
/// played, and two more for one that was turned.
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

/// All features count, whatever they are.
fn eval_sum() -> Case {
    let arguments = vec![number(POINTER, 64), number(BEFORE, 64)];
    let features = before(&edax::GEOMETRY);
    let array = Array {
        name: "weights",
        start: WEIGHTS,
        length: edax::LENGTH as u64 * 4,
        element: 4,
    };
    let weight = |place: Term| array.read(place.times(Wide::new(4)), 4);
    let weights = edax::GEOMETRY
        .features
        .iter()
        .zip(features.lanes(BITS))
        .map(|(feature, value)| {
            let class = edax::CLASSES
                .iter()
                .find(|class| class.name == feature.class);
            let first = class.expect("every class is listed").offset;
            weight(value.resize(64).plus(first as i64))
        });
    let expected = total(weights.collect::<Vec<_>>());
    let mut case = Case::equal("every board".into(), arguments, expected, 32);
    case.memory.push((BEFORE, features));
    case.memory.push((POINTER, number(WEIGHTS, 64)));
    // What no feature has is worth nothing: the first of the weights belongs to no class.
    case.assumptions.push(weight(zeros(64)).equals(zeros(32)));
    case.arrays.push(array);
    case
}
