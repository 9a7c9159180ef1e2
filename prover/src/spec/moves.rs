//! Moves: what turns, where one may play, and the last move of a game.

use super::{
    Case, DIRECTIONS, Specification, any, apart, board, counted, name, opponent, player, ray,
    without,
};
use crate::term::{
    Shift, Table, Term, Wide, all, bit, concat, constant, number, total, variable, zeros,
};

pub(super) static SPECIFICATIONS: &[Specification] = &[
    Specification {
        kernel: "flip",
        cases: 64,
        case: flip,
    },
    Specification {
        kernel: "mobility",
        cases: 1,
        case: mobility,
    },
    Specification {
        kernel: "potential_mobility",
        cases: 1,
        case: potential_mobility,
    },
    Specification {
        kernel: "neighbour_sort",
        cases: 1,
        case: neighbour_sort,
    },
    Specification {
        kernel: "last_flip_count",
        cases: 64,
        case: last_flip_count,
    },
    Specification {
        kernel: "last_move_score",
        cases: 64,
        case: last_move_score,
    },
    Specification {
        kernel: "ordered_empties",
        cases: 1,
        case: ordered_empties,
    },
];

/// The discs that turn in one direction, each with whether it does: those of the opponent from the square on, up
/// to one of the mover's.
fn turned(ray: &[usize], player: Term, opponent: Term) -> Vec<(usize, Term)> {
    let has = |board: Term, i: usize| board.bit(ray[i] as u32);
    // The discs up to the i-th all turn where the mover's nearest is behind them.
    let closed = |end: usize| {
        let between = (0..end).map(|i| has(opponent, i));
        all(between.chain([has(player, end)]).collect::<Vec<_>>())
    };
    (0..ray.len())
        .map(|i| (ray[i], any((i + 1..ray.len()).map(closed))))
        .collect()
}

/// All that turn by a move on a square: board by board, each disc with whether it does.
fn all_turned(square: usize, player: Term, opponent: Term) -> Vec<(usize, Term)> {
    let rays = DIRECTIONS.iter().map(|&direction| ray(square, direction));
    rays.flat_map(|ray| turned(&ray, player, opponent))
        .collect()
}

fn flip(square: usize) -> Case {
    let (player, opponent) = (without(player(), square), without(opponent(), square));
    let turned = all_turned(square, player, opponent);
    let expected = board(|square| {
        let own = turned.iter().find(|(other, _)| *other == square);
        own.map_or(bit(false), |&(_, turns)| turns)
    });
    let arguments = vec![number(square as u64, 64), player, opponent];
    Case::equal(name(square), arguments, expected, 1).assuming([apart()])
}

fn mobility(_: usize) -> Case {
    let (player, opponent) = (player(), opponent());
    let expected = board(|square| {
        let is_empty = !(player | opponent).bit(square as u32);
        // A move is legal where the nearest disc of some ray turns.
        let nearest = DIRECTIONS.iter().filter_map(|&direction| {
            let ray = ray(square, direction);
            turned(&ray, player, opponent)
                .first()
                .map(|&(_, turns)| turns)
        });
        is_empty & any(nearest)
    });
    Case::equal("every board".into(), vec![player, opponent], expected, 1).assuming([apart()])
}

fn potential_mobility(_: usize) -> Case {
    let (player, opponent) = (player(), opponent());
    let expected = board(|square| {
        let is_empty = !(player | opponent).bit(square as u32);
        let neighbours = DIRECTIONS
            .iter()
            .filter_map(|&direction| ray(square, direction).first().copied());
        is_empty & any(neighbours.map(|square| opponent.bit(square as u32)))
    });
    Case::equal("every board".into(), vec![player, opponent], expected, 1).assuming([apart()])
}

/// The number of discs that turn by the last move, in 32 bits: all other squares are taken. Line by line, by all ways in
/// which a line can be.
fn last_turned(square: usize, player: Term) -> Term {
    let lines = DIRECTIONS[..4].iter().filter_map(|&(across, down)| {
        let (one, other) = (ray(square, (across, down)), ray(square, (-across, -down)));
        let squares = [&one[..], &other[..]].concat();
        if squares.is_empty() {
            return None;
        }
        let turned = |index: usize| {
            // On each side those before the nearest disc of the mover, if there is one.
            let has = |i: usize| index >> i & 1 == 1;
            let first = |from: usize, to: usize| (from..to).position(has);
            let sides = [first(0, one.len()), first(one.len(), squares.len())];
            sides.into_iter().flatten().sum::<usize>()
        };
        let entries = (0..1 << squares.len()).map(|index| Wide::new(turned(index) as u64));
        let table = Table::new(entries.collect(), 32);
        let bits = squares.iter().map(|&square| player.bit(square as u32));
        Some(table.lookup(concat(bits)))
    });
    total(lines.collect::<Vec<_>>())
}

fn last_flip_count(square: usize) -> Case {
    let expected = last_turned(square, without(player(), square));
    let arguments = vec![number(square as u64, 64), player()];
    Case::equal(name(square), arguments, expected, 32)
}

fn last_move_score(square: usize) -> Case {
    let alpha = variable("alpha", 32);
    let own = without(player(), square);
    let squares: Vec<Term> = own.bits().collect();
    // Of 63 squares: a number of 6 bits.
    let count = concat(squares).count().extract(0, 6);
    let discs = count.resize(32);
    // The mover's discs less the opponent's.
    let difference = (discs + discs).plus(-63);
    let flips = last_turned(square, own);
    let replies = last_turned(square, without(!own, square));
    let zero = number(0, 32);

    // At least one disc turns: the square and the disc are the mover's then.
    let least = difference.plus(3);
    let after_move = alpha
        .signed_below(least)
        .choose(least, (difference + flips + flips).plus(1));
    // The empty square is the winner's.
    let over = zero
        .signed_below(difference)
        .choose(difference.plus(1), difference.plus(-1));
    let is_low = !alpha.signed_below(over);
    let after_reply = (difference - replies - replies).plus(-1);
    let passed = (is_low | replies.equals(zero)).choose(over, after_reply);
    let expected = flips.equals(zero).choose(passed, after_move);

    let arguments = vec![number(square as u64, 64), player(), alpha];
    let lowest = constant(Wide::new(64).negative(), 32);
    let in_range = [
        !alpha.signed_below(lowest),
        alpha.signed_below(number(64, 32)),
    ];
    let case = Case::equal(name(square), arguments, expected, 32).assuming(in_range);
    Case {
        free: vec![count],
        ..case
    }
}

/// Whether two squares have numbers of file, and of row, that differ by no more than one.
fn are_close(one: Term, other: Term) -> Term {
    let digits = |square: Term| {
        [
            square.extract(0, 3).resize(4),
            square.extract(3, 3).resize(4),
        ]
    };
    let close = digits(one)
        .into_iter()
        .zip(digits(other))
        .map(|(a, b)| (a - b).plus(1).below(number(3, 4)));
    all(close.collect::<Vec<_>>())
}

/// Squares, those with fewer of the others beside them first; else in the order that they have.
fn by_neighbours(squares: &[Term]) -> Vec<Term> {
    let neighbours: Vec<Term> = (0..squares.len())
        .map(|i| {
            let others = (0..squares.len()).filter(|&j| j != i);
            let close = others.map(|j| are_close(squares[i], squares[j]));
            counted(&close.collect::<Vec<_>>(), 3)
        })
        .collect();
    // A square's place is the number of those that come before it.
    let places: Vec<Term> = (0..squares.len())
        .map(|i| {
            let before = (0..squares.len()).filter(|&j| j != i).map(|j| match j < i {
                true => !neighbours[i].below(neighbours[j]),
                false => neighbours[j].below(neighbours[i]),
            });
            counted(&before.collect::<Vec<_>>(), 3)
        })
        .collect();
    (0..squares.len() as u64)
        .map(|place| {
            let own = squares.iter().zip(&places);
            own.fold(zeros(8), |chosen, (&square, of)| {
                of.equals(number(place, 3)).choose(square, chosen)
            })
        })
        .collect()
}

fn neighbour_sort(_: usize) -> Case {
    // Each a number below 64 in a byte.
    let squares: Vec<Term> = (0..4)
        .map(|i| variable("squares", 24).extract(6 * i, 6).resize(8))
        .collect();
    let different = (0..4).flat_map(|i| (0..i).map(move |j| (i, j)));
    let different: Vec<Term> = different
        .map(|(i, j)| !squares[i].equals(squares[j]))
        .collect();
    let mut bytes = Vec::new();
    for first in by_neighbours(&squares) {
        // The three others, in the order that they have: those before the first one, and those behind it.
        let is_first: Vec<Term> = squares.iter().map(|square| square.equals(first)).collect();
        let left: Vec<Term> = (0..3)
            .map(|i| any(is_first[..=i].iter().copied()).choose(squares[i + 1], squares[i]))
            .collect();
        bytes.push(first);
        bytes.extend(by_neighbours(&left));
    }
    let arguments = vec![concat(squares)];
    Case::equal("every four squares".into(), arguments, concat(bytes), 8).assuming(different)
}

/// Corners first, then the middle, edges, squares beside edges, beside corners on the edge, and diagonal to corners;
/// among equals the lower square.
fn by_worth() -> Vec<usize> {
    let from_border = |place: usize| place.min(7 - place);
    let worth = |square: usize| match (from_border(square % 8), from_border(square / 8)) {
        (0, 0) => 0,
        (2.., 2..) => 1,
        (0, 2..) | (2.., 0) => 2,
        (1, 2..) | (2.., 1) => 3,
        (0, _) | (_, 0) => 4,
        _ => 5,
    };
    let mut squares = Vec::from_iter(0..64);
    squares.sort_by_key(|&square| worth(square));
    squares
}

fn ordered_empties(_: usize) -> Case {
    let (legal, favoured) = (variable("legal", 64), variable("favoured", 64));
    let empties = !(player() | opponent());
    // From the last square to the first: each that is empty comes before those found so far. Those beyond the
    // eighth place are pushed out: the list has eight.
    let list = by_worth()
        .into_iter()
        .rev()
        .fold(zeros(64), |list, square| {
            let longer = concat([number(square as u64, 8), list.extract(0, 56)]);
            empties.bit(square as u32).choose(longer, list)
        });
    // 0 is a square, too: what a place has counts only where there are enough empty squares.
    let count = empties.count();
    let among = |board: Term| {
        let places = list.lanes(8).zip(0..).map(|(square, place)| {
            let is_taken = number(place, count.width()).below(count);
            is_taken & board.shift(Shift::Right, square.resize(64)).bit(0)
        });
        concat(places.collect::<Vec<_>>())
    };
    let moves = concat([among(legal & favoured), among(legal & !favoured)]).resize(64);
    let arguments = vec![player(), opponent(), legal, favoured];
    Case::equal("every board".into(), arguments, concat([list, moves]), 8).answering_array()
}
