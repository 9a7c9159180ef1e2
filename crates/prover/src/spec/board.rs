//! Kernels of whole boards: symmetries, lines, stable discs, hashes.

use std::sync::LazyLock;

use outflank_checker::reference::edge_line_stability;

use super::order::Ranking;
use super::{
    DIRECTIONS, Obligation, Specification, board, count_set, is_disjoint, opponent, or_all, player,
    ray, specified,
};
use crate::term::{Table, Term, Wide, and_all, bit, concat, xor_all, zeros};

pub(super) static SPECIFICATIONS: &[Specification] = &[
    specified("transpose", 1, transpose),
    specified("symmetries", 1, symmetries),
    specified("full_lines", 1, full_lines),
    specified("solid_discs", 1, solid_discs),
    specified("corner_stability", 1, corner_stability),
    specified("canonical", 1, canonical),
    specified("edge_stability", 1, edge_stability),
    specified("board_hash", 1, board_hash),
];

/// Image of a board under symmetry `i`.
///
/// Bit 2 exchanges rows and columns, then bit 0 mirrors left to right and bit 1 upside down.
fn image(discs: Term, i: usize) -> Term {
    board(|square| {
        let (mut column, mut row) = (square % 8, square / 8);
        if i & 1 != 0 {
            column = 7 - column;
        }
        if i & 2 != 0 {
            row = 7 - row;
        }
        if i & 4 != 0 {
            (column, row) = (row, column);
        }
        discs.bit((8 * row + column) as u32)
    })
}

fn transpose(_: usize) -> Obligation {
    Obligation::every_board(vec![player()], image(player(), 4), 1)
}

fn symmetries(_: usize) -> Obligation {
    let images = (0..8).map(|i| image(player(), i));
    Obligation::every_board(vec![player()], concat(images), 64).answering_array()
}

/// Condition that the whole line through a square is taken, in a direction and its opposite.
pub(super) fn is_full(square: usize, (across, down): (i32, i32), taken: Term) -> Term {
    let line = [
        ray(square, (across, down)),
        ray(square, (-across, -down)),
        vec![square],
    ]
    .concat();
    and_all(line.into_iter().map(|square| taken.bit(square as u32)))
}

fn full_lines(_: usize) -> Obligation {
    let taken = player() | opponent();
    // Rows, diagonals like A8 to H1, columns, diagonals like A1 to H8.
    let axes = [(1, 0), (1, -1), (0, 1), (1, 1)];
    let full = axes.map(|axis| board(|square| is_full(square, axis, taken)));
    Obligation::every_board(vec![player(), opponent()], concat(full), 1).answering_array()
}

fn solid_discs(_: usize) -> Obligation {
    let taken = player() | opponent();
    let solid =
        board(|square| and_all(DIRECTIONS.map(|direction| is_full(square, direction, taken))));
    Obligation::every_board(vec![player(), opponent()], solid, 1)
}

/// Number of corners of a side and of its discs beside them on the edges, in 32 bits.
pub(super) fn stable_at_corners(discs: Term) -> Term {
    let corners = [(0, [1, 8]), (7, [6, 15]), (56, [57, 48]), (63, [62, 55])];
    let squares = corners.iter().flat_map(|&(corner, beside)| {
        let corner = discs.bit(corner);
        let beside = beside.map(|square| corner & discs.bit(square));
        [corner, beside[0], beside[1]]
    });
    count_set(&squares.collect::<Vec<_>>(), 32)
}

fn corner_stability(_: usize) -> Obligation {
    Obligation::every_board(vec![player()], stable_at_corners(player()), 32)
}

/// Obligation that the answer is one of the eight images, and that no image is less.
fn canonical(_: usize) -> Obligation {
    // The mover's discs are the higher half.
    let pair = |player: Term, opponent: Term| concat([opponent, player]);
    let images: Vec<Term> = (0..8)
        .map(|i| pair(image(player(), i), image(opponent(), i)))
        .collect();
    let words: Vec<Term> = images.iter().flat_map(|image| image.lanes(64)).collect();
    let mut obligation =
        Obligation::every_board(vec![player(), opponent()], images[0], 128).answering_array();
    obligation.sufficient = Box::new(move |claims| Ranking::new(&words).conditions(claims));
    obligation.claims = Box::new(move |answer, _| {
        let answer = pair(answer.extract(0, 64), answer.extract(64, 64));
        let is_one = or_all(images.iter().map(|&image| image.equals(answer)));
        let is_least = images.iter().map(|&image| !image.below(answer));
        is_least.chain([is_one]).collect()
    });
    obligation
}

/// Stable discs of an edge, indexed by the opponent's discs (low 8 bits) and the mover's (high 8 bits).
///
/// 0 for an index at which a square has discs of both sides.
static STABLE: LazyLock<Vec<Wide>> = LazyLock::new(|| {
    let of = |index: u32| match (index >> 8, index & 0xFF) {
        (player, opponent) if player & opponent != 0 => 0,
        (player, opponent) => edge_line_stability(player as u8, opponent as u8),
    };
    (0..1 << 16)
        .map(|index| Wide::new(of(index).into()))
        .collect()
});

/// Squares of the four edges.
pub(super) fn edges() -> [[usize; 8]; 4] {
    [
        std::array::from_fn(|i| i),
        std::array::from_fn(|i| 56 + i),
        std::array::from_fn(|i| 8 * i),
        std::array::from_fn(|i| 8 * i + 7),
    ]
}

/// Stable discs of each edge; they come from the reference's exhaustive search.
pub(super) fn stable_on_edges() -> [Term; 4] {
    let table = Table::new(STABLE.clone(), 8);
    edges().map(|edge| {
        let of = |board: Term| concat(edge.map(|square| board.bit(square as u32)));
        table.clone().lookup(concat([of(opponent()), of(player())]))
    })
}

/// Bits of a square in the stable discs of its edges: two for a corner, none off the edges.
pub(super) fn bits_on_edges(stable: &[Term; 4], square: usize) -> Vec<Term> {
    let bits = edges()
        .into_iter()
        .zip(stable)
        .filter_map(|(edge, stable)| {
            let index = edge.iter().position(|&other| other == square)?;
            Some(stable.bit(index as u32))
        });
    bits.collect()
}

fn edge_stability(_: usize) -> Obligation {
    let stable = stable_on_edges();
    let expected = board(|square| or_all(bits_on_edges(&stable, square)));
    Obligation::every_board(vec![player(), opponent()], expected, 1).assuming([is_disjoint()])
}

/// CRC32C of 8 bytes by its definition: the remainder of a division by the Castagnoli polynomial over GF(2).
///
/// The lowest bit is the coefficient of the highest power.
fn crc32c(state: Term, bytes: Term) -> Term {
    const CASTAGNOLI: u32 = 0x1EDC_6F41;
    // Coefficients, the highest power first.
    let mut rest: Vec<Term> = (bytes ^ state.resize(64))
        .bits()
        .chain([bit(false); 32])
        .collect();
    for i in 0..64 {
        let lead = rest[i];
        rest[i] = bit(false);
        for power in (0..32).filter(|power| CASTAGNOLI >> power & 1 == 1) {
            let index = i + 32 - power;
            rest[index] = xor_all([rest[index], lead]);
        }
    }
    concat(rest[64..].iter().copied())
}

fn board_hash(_: usize) -> Obligation {
    let high = crc32c(zeros(32), player());
    let low = crc32c(high, opponent());
    Obligation::every_board(vec![player(), opponent()], concat([low, high]), 1)
}
