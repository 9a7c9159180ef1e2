//! Kernels of moves: flips, mobility, move ordering, and the last move of a game.

use super::{
    DIRECTIONS, Obligation, Specification, board, count_set, is_disjoint, name, opponent, or_all,
    player, ray, specified, without,
};
use crate::term::{
    Shift, Table, Term, Wide, and_all, bit, concat, constant, number, total, variable, zeros,
};

pub(super) static SPECIFICATIONS: &[Specification] = &[
    specified("flip", 64, flip),
    specified("mobility", 1, |_| of_board(legal_moves)),
    specified("potential_mobility", 1, |_| of_board(potential_moves)),
    specified("neighbour_sort", 1, neighbour_sort),
    specified("last_flip_count", 64, last_flip_count),
    specified("last_move_score", 64, last_move_score),
    specified("ordered_empties", 1, ordered_empties),
];

/// Squares of a ray, each with the condition that its disc is flipped.
///
/// A move flips the opponent's discs next to the square, up to the nearest disc of the mover.
fn flips_on_ray(ray: &[usize], player: Term, opponent: Term) -> Vec<(usize, Term)> {
    let has = |board: Term, i: usize| board.bit(ray[i] as u32);
    // The opponent has all squares before the `end`-th, and the mover has that one.
    let bracketed = |end: usize| {
        let between = (0..end).map(|i| has(opponent, i));
        and_all(between.chain([has(player, end)]))
    };
    (0..ray.len())
        .map(|i| (ray[i], or_all((i + 1..ray.len()).map(bracketed))))
        .collect()
}

/// Squares on all rays from a square, each with the condition that its disc is flipped.
fn all_flips(square: usize, player: Term, opponent: Term) -> Vec<(usize, Term)> {
    let rays = DIRECTIONS.iter().map(|&direction| ray(square, direction));
    rays.flat_map(|ray| flips_on_ray(&ray, player, opponent))
        .collect()
}

/// The discs that a move on an empty square flips.
pub(super) fn flipped(square: usize, player: Term, opponent: Term) -> Term {
    let flips = all_flips(square, player, opponent);
    board(|square| {
        let found = flips.iter().find(|(other, _)| *other == square);
        found.map_or(bit(false), |&(_, flips)| flips)
    })
}

fn flip(square: usize) -> Obligation {
    let (player, opponent) = (without(player(), square), without(opponent(), square));
    let expected = flipped(square, player, opponent);
    let arguments = vec![number(square as u64, 64), player, opponent];
    Obligation::equal(name(square), arguments, expected, 1).assuming([is_disjoint()])
}

/// Legal moves: the empty squares that flip the nearest disc on some ray.
pub(super) fn legal_moves(player: Term, opponent: Term) -> Term {
    board(|square| {
        let is_empty = !(player | opponent).bit(square as u32);
        let rays = DIRECTIONS.map(|direction| ray(square, direction));
        let flips = |ray: &Vec<usize>| Some(flips_on_ray(ray, player, opponent).first()?.1);
        is_empty & or_all(rays.iter().filter_map(flips))
    })
}

/// Squares beside a disc.
pub(super) fn beside(discs: Term) -> Term {
    board(|square| {
        let rays = DIRECTIONS.map(|direction| ray(square, direction));
        or_all(
            rays.iter()
                .filter_map(|ray| Some(discs.bit(*ray.first()? as u32))),
        )
    })
}

fn potential_moves(player: Term, opponent: Term) -> Term {
    beside(opponent) & !(player | opponent)
}

/// Obligation that the answer is this function of the discs of both sides.
fn of_board(expected: fn(Term, Term) -> Term) -> Obligation {
    let arguments = vec![player(), opponent()];
    Obligation::every_board(arguments, expected(player(), opponent()), 1).assuming([is_disjoint()])
}

/// Number of discs that the last move flips, in 32 bits; the opponent has all squares that the mover has not.
///
/// Each line is looked up in a table of all its states.
fn last_flips(square: usize, player: Term) -> Term {
    let lines = DIRECTIONS[..4].iter().filter_map(|&(across, down)| {
        let (forward, backward) = (ray(square, (across, down)), ray(square, (-across, -down)));
        let squares = [&forward[..], &backward[..]].concat();
        if squares.is_empty() {
            return None;
        }
        let flips = |index: usize| {
            // On each side the discs before the nearest disc of the mover, if any.
            let has = |i: usize| index >> i & 1 == 1;
            let first = |from: usize, to: usize| (from..to).position(has);
            let sides = [first(0, forward.len()), first(forward.len(), squares.len())];
            sides.into_iter().flatten().sum::<usize>()
        };
        let entries = (0..1 << squares.len()).map(|index| Wide::new(flips(index) as u64));
        let table = Table::new(entries.collect(), 32);
        let bits = squares.iter().map(|&square| player.bit(square as u32));
        Some(table.lookup(concat(bits)))
    });
    total(lines)
}

fn last_flip_count(square: usize) -> Obligation {
    let expected = last_flips(square, without(player(), square));
    let arguments = vec![number(square as u64, 64), player()];
    Obligation::equal(name(square), arguments, expected, 32)
}

fn last_move_score(square: usize) -> Obligation {
    let alpha = variable("alpha", 32);
    let board = without(player(), square);
    let squares: Vec<Term> = board.bits().collect();
    // At most 63 discs, so the count has 6 bits.
    let count = concat(squares).count().extract(0, 6);
    let discs = count.resize(32);
    // Disc difference before the last move.
    let difference = (discs + discs).plus(-63);
    let flips = last_flips(square, board);
    let replies = last_flips(square, without(!board, square));
    let zero = number(0, 32);

    // A legal move gains at least 3: the square, and one flip, which counts twice.
    let least = difference.plus(3);
    let after_move = alpha
        .signed_below(least)
        .choose(least, (difference + flips + flips).plus(1));
    // At the end of a game the empty square counts for the winner.
    let final_score = zero
        .signed_below(difference)
        .choose(difference.plus(1), difference.plus(-1));
    let is_low = !alpha.signed_below(final_score);
    let after_reply = (difference - replies - replies).plus(-1);
    let passed = (is_low | replies.equals(zero)).choose(final_score, after_reply);
    let expected = flips.equals(zero).choose(passed, after_move);

    let arguments = vec![number(square as u64, 64), player(), alpha];
    let lowest = constant(Wide::new(64).negative(), 32);
    let in_range = [
        !alpha.signed_below(lowest),
        alpha.signed_below(number(64, 32)),
    ];
    let mut obligation = Obligation::equal(name(square), arguments, expected, 32);
    obligation.free = vec![count];
    obligation.assuming(in_range)
}

/// Condition that the columns and the rows of two squares differ by at most one.
fn are_close(one: Term, other: Term) -> Term {
    let digits = |square: Term| [0, 3].map(|lo| square.extract(lo, 3).resize(4));
    let pairs = digits(one).into_iter().zip(digits(other));
    let close = pairs.map(|(a, b)| (a - b).plus(1).below(number(3, 4)));
    and_all(close)
}

/// Sorts squares stably by the number of the other squares beside them, the fewest first.
fn by_neighbours(squares: &[Term]) -> Vec<Term> {
    let count_others = |i: usize, is_counted: &dyn Fn(usize) -> Term| {
        let others = (0..squares.len()).filter(|&j| j != i);
        count_set(&others.map(is_counted).collect::<Vec<_>>(), 3)
    };
    let neighbours = |i: usize| count_others(i, &|j| are_close(squares[i], squares[j]));
    let neighbours: Vec<Term> = (0..squares.len()).map(neighbours).collect();
    // Rank: the number of squares that come before.
    let comes_before = |j: usize, i: usize| match j < i {
        true => !neighbours[i].below(neighbours[j]),
        false => neighbours[j].below(neighbours[i]),
    };
    let rank = |i: usize| count_others(i, &|j| comes_before(j, i));
    let ranks: Vec<Term> = (0..squares.len()).map(rank).collect();
    (0..squares.len() as u64)
        .map(|position| {
            let ranked = squares.iter().zip(&ranks);
            ranked.fold(zeros(8), |chosen, (&square, rank)| {
                rank.equals(number(position, 3)).choose(square, chosen)
            })
        })
        .collect()
}

fn neighbour_sort(_: usize) -> Obligation {
    // Each square is a number below 64 in a byte.
    let squares: Vec<Term> = (0..4)
        .map(|i| variable("squares", 24).extract(6 * i, 6).resize(8))
        .collect();
    let different = (0..4).flat_map(|i| (0..i).map(move |j| (i, j)));
    let different: Vec<Term> = different
        .map(|(i, j)| !squares[i].equals(squares[j]))
        .collect();
    let mut bytes = Vec::new();
    for first in by_neighbours(&squares) {
        // The three other squares, in their order: squares behind the first one move up by one place.
        let is_first: Vec<Term> = squares.iter().map(|square| square.equals(first)).collect();
        let left: Vec<Term> = (0..3)
            .map(|i| or_all(is_first[..=i].iter().copied()).choose(squares[i + 1], squares[i]))
            .collect();
        bytes.push(first);
        bytes.extend(by_neighbours(&left));
    }
    let arguments = vec![concat(squares)];
    Obligation::equal("every four squares".into(), arguments, concat(bytes), 8).assuming(different)
}

/// Squares in the order of their kinds; squares of one kind in the order of their indices.
///
/// Corners, the middle, edges, squares beside edges, edge squares beside corners (C), squares diagonal to corners (X).
fn in_static_order() -> Vec<usize> {
    let from_border = |coordinate: usize| coordinate.min(7 - coordinate);
    let kind = |square: usize| match (from_border(square % 8), from_border(square / 8)) {
        (0, 0) => 0,
        (2.., 2..) => 1,
        (0, 2..) | (2.., 0) => 2,
        (1, 2..) | (2.., 1) => 3,
        (0, _) | (_, 0) => 4,
        _ => 5,
    };
    let mut squares = Vec::from_iter(0..64);
    squares.sort_by_key(|&square| kind(square));
    squares
}

fn ordered_empties(_: usize) -> Obligation {
    let (legal, favoured) = (variable("legal", 64), variable("favoured", 64));
    let empties = !(player() | opponent());
    // From the last square to the first: each empty square goes to the front of the list, which keeps eight.
    let list = in_static_order()
        .into_iter()
        .rev()
        .fold(zeros(64), |list, square| {
            let longer = concat([number(square as u64, 8), list.extract(0, 56)]);
            empties.bit(square as u32).choose(longer, list)
        });
    // 0 is a square, too: an entry of the list counts only if there are enough empty squares.
    let count = empties.count();
    let among = |board: Term| {
        let bits_of_moves = list.lanes(8).zip(0..).map(|(square, index)| {
            let is_taken = number(index, count.width()).below(count);
            is_taken & board.shift(Shift::Right, square.resize(64)).bit(0)
        });
        concat(bits_of_moves)
    };
    let moves = concat([among(legal & favoured), among(legal & !favoured)]).resize(64);
    let arguments = vec![player(), opponent(), legal, favoured];
    Obligation::every_board(arguments, concat([list, moves]), 8).answering_array()
}
