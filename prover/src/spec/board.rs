//! Boards as a whole: symmetries, lines, stable discs, hashes.

use std::sync::LazyLock;

use outflank_checker::reference::edge_line_stability;

use super::order::Order;
use super::{Case, DIRECTIONS, Specification, any, apart, board, opponent, player, ray};
use crate::term::{Table, Term, Wide, all, bit, concat, odd, zeros};

pub(super) static SPECIFICATIONS: &[Specification] = &[
    Specification {
        kernel: "transpose",
        cases: 1,
        case: transpose,
    },
    Specification {
        kernel: "symmetries",
        cases: 1,
        case: symmetries,
    },
    Specification {
        kernel: "full_lines",
        cases: 1,
        case: full_lines,
    },
    Specification {
        kernel: "solid_discs",
        cases: 1,
        case: solid_discs,
    },
    Specification {
        kernel: "corner_stability",
        cases: 1,
        case: corner_stability,
    },
    Specification {
        kernel: "canonical",
        cases: 1,
        case: canonical,
    },
    Specification {
        kernel: "edge_stability",
        cases: 1,
        case: edge_stability,
    },
    Specification {
        kernel: "board_hash",
        cases: 1,
        case: board_hash,
    },
];

fn every(arguments: Vec<Term>, expected: Term, part: u32) -> Case {
    Case::equal("every board".into(), arguments, expected, part)
}

/// The image of a board under symmetry `i`: bit 0 mirrors left to right, bit 1 upside down, and bit 2
/// exchanges rows and columns before that.
fn image(of: Term, i: usize) -> Term {
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
        of.bit((8 * row + column) as u32)
    })
}

fn transpose(_: usize) -> Case {
    every(vec![player()], image(player(), 4), 1)
}

fn symmetries(_: usize) -> Case {
    let images = (0..8).map(|i| image(player(), i));
    every(vec![player()], concat(images.collect::<Vec<_>>()), 64).answering_array()
}

/// Whether all squares of the line through a square in two opposite directions are taken.
fn is_full(square: usize, (across, down): (i32, i32), taken: Term) -> Term {
    let line = [
        ray(square, (across, down)),
        ray(square, (-across, -down)),
        vec![square],
    ]
    .concat();
    all(line
        .into_iter()
        .map(|square| taken.bit(square as u32))
        .collect::<Vec<_>>())
}

fn full_lines(_: usize) -> Case {
    let taken = player() | opponent();
    // Rows, falling diagonals (row 8 is at the bottom), columns, rising diagonals.
    let kinds = [(1, 0), (1, -1), (0, 1), (1, 1)];
    let full = kinds.map(|kind| board(|square| is_full(square, kind, taken)));
    every(vec![player(), opponent()], concat(full), 1).answering_array()
}

fn solid_discs(_: usize) -> Case {
    let taken = player() | opponent();
    let solid = board(|square| all(DIRECTIONS.map(|direction| is_full(square, direction, taken))));
    every(vec![player(), opponent()], solid, 1)
}

fn corner_stability(_: usize) -> Case {
    // Each corner, and the two squares beside it on the edges.
    let corners = [(0, [1, 8]), (7, [6, 15]), (56, [57, 48]), (63, [62, 55])];
    let squares = corners.iter().flat_map(|&(corner, beside)| {
        let own = player().bit(corner);
        [
            own,
            own & player().bit(beside[0]),
            own & player().bit(beside[1]),
        ]
    });
    let expected = super::counted(&squares.collect::<Vec<_>>(), 32);
    every(vec![player()], expected, 32)
}

/// The answer is one of the eight images, and none of them comes before it: so it is, whatever the order of the images.
fn canonical(_: usize) -> Case {
    // The mover's discs count more: they are the higher half.
    let pair = |player: Term, opponent: Term| concat([opponent, player]);
    let images: Vec<Term> = (0..8)
        .map(|i| pair(image(player(), i), image(opponent(), i)))
        .collect();
    let words: Vec<Term> = images.iter().flat_map(|image| image.lanes(64)).collect();
    let mut case = every(vec![player(), opponent()], images[0], 128).answering_array();
    case.stronger = Box::new(move |claims| Order::of(&words).conditions(claims));
    case.claims = Box::new(move |answer, _| {
        let answer = pair(answer.extract(0, 64), answer.extract(64, 64));
        let is_one = any(images.iter().map(|&image| image.equals(answer)));
        let is_least = images.iter().map(|&image| !image.below(answer));
        is_least.chain([is_one]).collect()
    });
    case
}

/// The stable discs of an edge, by the opponent's discs and the mover's: 8 bits each, the mover's higher. 0 where a
/// square would have both.
static STABLE: LazyLock<Vec<Wide>> = LazyLock::new(|| {
    let of = |index: u32| match (index >> 8, index & 0xFF) {
        (player, opponent) if player & opponent != 0 => 0,
        (player, opponent) => edge_line_stability(player as u8, opponent as u8),
    };
    (0..1 << 16)
        .map(|index| Wide::new(of(index).into()))
        .collect()
});

/// Each edge on its own; which of its discs are stable is worked out by exhaustion, for all edges that there are.
fn edge_stability(_: usize) -> Case {
    let edges: [[usize; 8]; 4] = [
        std::array::from_fn(|i| i),
        std::array::from_fn(|i| 56 + i),
        std::array::from_fn(|i| 8 * i),
        std::array::from_fn(|i| 8 * i + 7),
    ];
    let table = Table::new(STABLE.clone(), 8);
    let stable = edges.map(|edge| {
        let of = |board: Term| concat(edge.map(|square| board.bit(square as u32)));
        table.clone().lookup(concat([of(opponent()), of(player())]))
    });
    let expected = board(|square| {
        let places = edges.iter().zip(&stable).filter_map(|(edge, stable)| {
            let place = edge.iter().position(|&other| other == square)?;
            Some(stable.bit(place as u32))
        });
        any(places)
    });
    every(vec![player(), opponent()], expected, 1).assuming([apart()])
}

/// CRC32C of 8 bytes by its definition: the remainder of a polynomial over two elements, whose lowest bit is the
/// highest power, divided by the Castagnoli polynomial.
fn crc32c(state: Term, bytes: Term) -> Term {
    const CASTAGNOLI: u32 = 0x1EDC_6F41;
    // The coefficients, the highest power first.
    let mut rest: Vec<Term> = (bytes ^ state.resize(64))
        .bits()
        .chain([bit(false); 32])
        .collect();
    for i in 0..64 {
        let lead = rest[i];
        rest[i] = bit(false);
        for power in (0..32).filter(|power| CASTAGNOLI >> power & 1 == 1) {
            let place = i + 32 - power;
            rest[place] = odd([rest[place], lead]);
        }
    }
    concat(rest[64..].iter().copied())
}

fn board_hash(_: usize) -> Case {
    let high = crc32c(zeros(32), player());
    let low = crc32c(high, opponent());
    every(vec![player(), opponent()], concat([low, high]), 1)
}
