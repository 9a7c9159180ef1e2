//! The values of boards by a network, as `outflank_kernels::network` defines it.

use std::mem::{offset_of, size_of};

use outflank_kernels::Network;
use outflank_kernels::geometry::corner;
use outflank_kernels::network::{
    CORNERS, HIDDEN, MAX_MOVES, MAX_ROW, MAX_SIDE, STAGES, SideRow, Stage, WIDTH,
};

use super::features::{BEFORE, BITS, POINTER, named};
use super::{Case, Specification, Step};
use crate::machine::Array;
use crate::term::{Shift, Term, Wide, concat, number, total, variable, zeros};

pub(super) static SPECIFICATIONS: &[Specification] = &[
    Specification {
        kernel: "network_value",
        cases: 1,
        case: |_| values(&[("features", "moves")]),
    },
    Specification {
        kernel: "network_pair",
        cases: 1,
        case: |_| values(&[("features", "moves"), ("other", "other_moves")]),
    },
];

/// The three parts of a network, byte by byte: machine code reads them in pieces of any size.
const ROWS: Array = array("rows", 0, corner::LENGTH * WIDTH);
const MOVES: Array = array("moves", 1, (MAX_MOVES + 1) * size_of::<SideRow>());
const STAGE: Array = array("stages", 2, STAGES * size_of::<Stage>());

const fn array(name: &'static str, i: u64, bytes: usize) -> Array {
    Array {
        name,
        start: 0x5500_0000_0000 + (i << 40),
        length: bytes as u64,
        element: 1,
    }
}

/// A number, or `most` where it is more.
fn at_most(term: Term, most: usize) -> Term {
    let most = number(most as u64, term.width());
    term.below(most).choose(term, most)
}

/// A number in two's complement brought into 0 to 127, in 32 bits.
fn clamped(term: Term) -> Term {
    let above = term.extract(7, term.width() - 7);
    let is_over = !above.equals(zeros(above.width()));
    let most = is_over.choose(number(127, 7), term.extract(0, 7));
    term.sign().choose(zeros(7), most).resize(32)
}

/// The product of two numbers in two's complement.
fn product(a: Term, b: Term) -> Term {
    a.extend(32) * b.extend(32)
}

/// The value of a board, and what a proof of it needs.
struct Value {
    term: Term,
    /// The numbers on the way to it.
    steps: [Vec<Step>; 5],
    /// That the numbers of the rows are within their limits.
    limits: Vec<Term>,
}

/// The value of a board with these features and moves; `stage` is the place of its stage among the bytes of the stages.
fn value(features: Term, moves: Term, stage: Term) -> Value {
    // The bytes at a place of a part are numbers in two's complement.
    let in_row = |row: Term, k: usize, bytes: usize| {
        row.resize(64)
            .times(Wide::new((WIDTH * bytes) as u64))
            .plus((k * bytes) as i64)
    };
    let feature_row = |i: usize, k: usize| {
        let name = corner::GEOMETRY.features[i].class;
        let class = corner::CLASSES.iter().find(|class| class.name == name);
        let first = class.expect("every class is listed").offset as i64;
        let value = features.extract(i as u32 * BITS, BITS);
        ROWS.read(in_row(value.resize(64).plus(first), k, 1), 1)
    };
    let move_row = |k| MOVES.read(in_row(at_most(moves, MAX_MOVES), k, 2), 2);
    let in_stage = |place: usize, bytes: u32| STAGE.read(stage.plus(place as i64), bytes);
    let start = |k: usize| in_stage(offset_of!(Stage, start) + 2 * k, 2);
    let weight = |j: usize, k: usize| {
        let place = (k / 4 * HIDDEN + j) * 4 + k % 4;
        in_stage(offset_of!(Stage, matrix) + place, 1)
    };
    let hidden_bias = |j: usize| in_stage(offset_of!(Stage, hidden_bias) + 4 * j, 4);
    let hidden_output = |of: usize, j: usize| {
        let place = of * HIDDEN + j;
        in_stage(offset_of!(Stage, hidden_output) + 2 * place, 2)
    };
    let input_output = |k: usize| in_stage(offset_of!(Stage, input_output) + 2 * k, 2);

    // Of each corner the sum of its rows, the start and the row of moves, in so many bits that it fits.
    let of_corner = |corner: usize, k: usize| {
        let own = (0..corner::COUNT).filter(|i| i % CORNERS == corner);
        let rows = own.map(|i| feature_row(i, k).extend(32));
        let sides = [start(k).extend(32), move_row(k).extend(32)];
        clamped(total(rows.chain(sides).collect::<Vec<_>>()))
    };
    let corners: Vec<[Term; CORNERS]> = (0..WIDTH)
        .map(|k| std::array::from_fn(|corner| of_corner(corner, k)))
        .collect();
    let input = |of: &[Term; CORNERS]| {
        let squares = of.map(|one| product(one, one));
        total(squares).shift_by(Shift::Right, 9)
    };
    let inputs: Vec<Term> = corners.iter().map(input).collect();
    let hidden_sum = |j: usize| {
        let parts = inputs.iter().enumerate();
        let parts = parts.map(|(k, &input)| product(weight(j, k), input));
        total(parts.chain([hidden_bias(j)]).collect::<Vec<_>>())
    };
    let hidden_sums: Vec<Term> = (0..HIDDEN).map(hidden_sum).collect();
    let hidden = |&sum: &Term| clamped(sum.shift_by(Shift::SignedRight, 6));
    let hidden: Vec<Term> = hidden_sums.iter().map(hidden).collect();
    let square = |&one: &Term| product(one, one).shift_by(Shift::Right, 7);
    let squares: Vec<Term> = hidden.iter().map(square).collect();
    let parts = [&hidden, &squares].into_iter().enumerate();
    let parts = parts.flat_map(|(of, numbers)| {
        let numbers = numbers.iter().enumerate();
        numbers.map(move |(j, &number)| product(hidden_output(of, j), number))
    });
    let of_inputs = inputs.iter().enumerate();
    let of_inputs = of_inputs.map(|(k, &input)| product(input_output(k), input));
    let bias = in_stage(offset_of!(Stage, bias), 4);
    let value = total(parts.chain(of_inputs).chain([bias]).collect::<Vec<_>>());

    // As `Network::is_within_limits` says; what it says of biases keeps sums in 32 bits, where both sides lose the
    // same.
    let most = number(MAX_SIDE as u64, 16);
    let is_within = |one: Term| !most.signed_below(one) & !one.signed_below(-most);
    let sides = (0..WIDTH).flat_map(|k| [start(k), move_row(k)]);
    let mut limits: Vec<Term> = sides.map(is_within).collect();
    let most = number(MAX_ROW as u64, 8);
    let is_within = |one: Term| !most.signed_below(one) & !one.signed_below(-most);
    let rows = (0..corner::COUNT).flat_map(|i| (0..WIDTH).map(move |k| feature_row(i, k)));
    limits.extend(rows.map(is_within));
    let step = |bits| move |&term: &Term| Step { term, bits };
    Value {
        term: value.shift_by(Shift::SignedRight, 6),
        steps: [
            corners.as_flattened().iter().map(step(7)).collect(),
            inputs.iter().map(step(7)).collect(),
            hidden_sums.iter().map(step(32)).collect(),
            hidden.iter().map(step(7)).collect(),
            squares.iter().map(step(7)).collect(),
        ],
        limits,
    }
}

/// The values of boards with the same number of empty squares, each given by the names of its features and of its
/// number of moves.
fn values(boards: &[(&str, &str)]) -> Case {
    let empties = variable("empties", 32);
    let stage = at_most(empties, STAGES - 1)
        .resize(64)
        .times(Wide::new(size_of::<Stage>() as u64));
    let boards = boards.iter().map(|&(features, moves)| {
        let features = named(features, &corner::GEOMETRY);
        let moves = variable(moves, 32);
        (features, moves, value(features, moves, stage))
    });
    let boards = Vec::from_iter(boards);
    let place = |board: usize| BEFORE + ((board as u64) << 32);

    let features = (0..boards.len()).map(|board| number(place(board), 64));
    let moves = boards.iter().map(|(_, moves, _)| *moves);
    let arguments = [number(POINTER, 64)].into_iter().chain(features);
    let arguments = arguments.chain([empties]).chain(moves).collect();
    let expected = boards.iter().map(|(_, _, value)| value.term);
    let expected = concat(expected.collect::<Vec<_>>());
    let mut case = Case::equal("every board".into(), arguments, expected, 32);
    for (part, place) in [ROWS, MOVES, STAGE].into_iter().zip(Network::POINTERS) {
        case.memory
            .push((POINTER + place as u64, number(part.start, 64)));
        case.arrays.push(part);
    }
    case.steps = vec![Vec::new(); 5];
    for (i, (features, _, value)) in boards.into_iter().enumerate() {
        case.memory.push((place(i), features));
        case.assumptions.extend(value.limits);
        for (all, own) in case.steps.iter_mut().zip(value.steps) {
            all.extend(own);
        }
    }
    case
}
