//! References of the kernels that order moves.

use outflank_kernels::{Child, KeyedChildren};

use super::{corner_stability, flip, has, mobility, play, potential_mobility};

/// Distance of a row or column (0..=7) from the border.
fn from_border(line: usize) -> usize {
    line.min(7 - line)
}

/// Lists the boards after the first sixteen of the moves `legal`, lowest squares first. Each child has the
/// opponent's moves and a key by which a search orders the children. Returns the greatest key. The kernel
/// `children` documents the parts of a key.
pub fn children(
    player: u64,
    opponent: u64,
    legal: u64,
    favoured: u64,
    children: &mut KeyedChildren,
) -> i32 {
    // Scores of squares by the distances of row and column from the border. Corners have the highest.
    const SQUARE_SCORES: [[i32; 4]; 4] = [
        [18, 4, 16, 12],
        [4, 2, 6, 8],
        [16, 6, 14, 10],
        [12, 8, 10, 0],
    ];
    let child = |square: usize| {
        let flipped = flip(square, player, opponent);
        let (next, passive) = play(square, player, opponent, flipped);
        let moves = mobility(next, passive);
        let corners = [0, 7, 56, 63]
            .into_iter()
            .filter(|&corner| has(moves, corner));
        let cost = moves.count_ones() as i32 + corners.count() as i32;
        let own_score = SQUARE_SCORES[from_border(square / 8)][from_border(square % 8)]
            + if has(favoured, square) { 4096 } else { 0 };
        let potential = potential_mobility(next, passive).count_ones() as i32;
        let score = match next {
            0 => KeyedChildren::WINS,
            _ => {
                16 * (own_score + 4096 * corner_stability(passive) - 32 * potential - 32768 * cost)
            }
        };
        let child = Child {
            player: next,
            opponent: passive,
            moves,
        };
        (child, score)
    };
    let squares: Vec<usize> = (0..64).filter(|&square| has(legal, square)).collect();
    for (index, &square) in (0..).zip(squares.iter().take(KeyedChildren::CAPACITY)) {
        let (child, score) = child(square);
        children.push(child, score + index);
    }
    let keys = children.keys().iter().copied();
    keys.max().expect("there are keys")
}

/// The first eight empty squares, a byte each, and the legal moves among them. For each listed square of `legal`
/// the second word has the bit of the square's index in the list, eight bits higher if the square is not
/// `favoured`. Order: corners, the middle, edges, squares beside edges, edge squares beside corners, squares
/// diagonal to corners.
pub fn ordered_empties(player: u64, opponent: u64, legal: u64, favoured: u64) -> [u64; 2] {
    // Class of a square by its distances from the border, the smaller one first.
    let class = |square: usize| {
        let (x, y) = (from_border(square % 8), from_border(square / 8));
        match (x.min(y), x.max(y)) {
            (0, 0) => 0,
            (2.., _) => 1,
            (0, 2..) => 2,
            (1, 2..) => 3,
            (0, _) => 4,
            _ => 5,
        }
    };
    let mut empties: Vec<usize> = (0..64)
        .filter(|&square| !has(player | opponent, square))
        .collect();
    empties.sort_by_key(|&square| class(square));
    let (mut list, mut moves) = (0, 0);
    for (index, &square) in empties.iter().take(8).enumerate() {
        list |= (square as u64) << (8 * index);
        if has(legal, square) {
            moves |= 1 << (index + if has(favoured, square) { 0 } else { 8 });
        }
    }
    [list, moves]
}

/// The order in which to try the last four empties: those with fewer neighbours among the others first.
///
/// `squares` holds four different squares, the first in the lowest byte, in an order of preference. The
/// result has four groups of four bytes, lowest first. Group `i` is the `i`-th square to try in the lowest
/// byte, then the other three in the order in which the opponent should try them. Both orders follow the same
/// rule. Squares with equally many neighbours keep the order of `squares`.
pub fn neighbour_sort(squares: u32) -> u128 {
    let squares = squares.to_le_bytes();
    let distance = |a: u8, b: u8| (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8));
    let by_neighbours = |group: &[u8]| -> Vec<u8> {
        let mut sorted = group.to_vec();
        sorted.sort_by_key(|&one| {
            group
                .iter()
                .filter(|&&other| distance(one, other) == 1)
                .count()
        });
        sorted
    };
    let mut bytes = [0; 16];
    for (i, &first) in by_neighbours(&squares).iter().enumerate() {
        let left: Vec<u8> = squares
            .iter()
            .copied()
            .filter(|&square| square != first)
            .collect();
        bytes[4 * i] = first;
        bytes[4 * i + 1..4 * i + 4].copy_from_slice(&by_neighbours(&left));
    }
    u128::from_le_bytes(bytes)
}
