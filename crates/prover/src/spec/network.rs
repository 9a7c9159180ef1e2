//! Kernels of the network's values, as `outflank_kernels::network` defines them.

use std::mem::{offset_of, size_of};

use outflank_kernels::Network;
use outflank_kernels::geometry::corner;
use outflank_kernels::network::{
    CORNERS, HIDDEN, MAX_MOVES, MAX_ROW, MAX_SIDE, STAGES, SideRow, Stage, WIDTH,
};

use super::features::{BEFORE, BITS, POINTER, features_named};
use super::{CutPoint, Obligation, Specification, specified};
use crate::machine::Array;
use crate::term::{Shift, Term, Wide, concat, number, total, variable, zeros};

pub(super) static SPECIFICATIONS: &[Specification] = &[
    specified("network_value", 1, |_| values(&[("features", "moves")])),
    specified("network_pair", 1, |_| {
        values(&[("features", "moves"), ("other", "other_moves")])
    }),
];

// The three parts of a network, as arrays of bytes: machine code reads pieces of any size.
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

/// The lesser of an unsigned number and `most`.
fn at_most(term: Term, most: usize) -> Term {
    let most = number(most as u64, term.width());
    term.below(most).choose(term, most)
}

/// Clamps a signed number to 0 to 127, in 32 bits.
fn clamped(term: Term) -> Term {
    let above = term.extract(7, term.width() - 7);
    let is_over = !above.equals(zeros(above.width()));
    let most = is_over.choose(number(127, 7), term.extract(0, 7));
    term.sign().choose(zeros(7), most).resize(32)
}

/// Product of two signed numbers, in 32 bits.
fn product(a: Term, b: Term) -> Term {
    a.extend(32) * b.extend(32)
}

/// Value of a board, with the cut points and preconditions of its proof.
struct Value {
    term: Term,
    /// Intermediate values, layer by layer.
    cut_points: [Vec<CutPoint>; 5],
    /// Conditions that the numbers of the rows are within their limits.
    limits: Vec<Term>,
}

/// Value of a board with these features and moves; `stage` is the offset of its stage among the bytes of the stages.
fn value(features: Term, moves: Term, stage: Term) -> Value {
    // The bytes of all parts are signed.
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
    let in_stage = |offset: usize, bytes: u32| STAGE.read(stage.plus(offset as i64), bytes);
    let start = |k: usize| in_stage(offset_of!(Stage, start) + 2 * k, 2);
    let weight = |j: usize, k: usize| {
        let index = (k / 4 * HIDDEN + j) * 4 + k % 4;
        in_stage(offset_of!(Stage, matrix) + index, 1)
    };
    let hidden_bias = |j: usize| in_stage(offset_of!(Stage, hidden_bias) + 4 * j, 4);
    let hidden_output = |of: usize, j: usize| {
        let index = of * HIDDEN + j;
        in_stage(offset_of!(Stage, hidden_output) + 2 * index, 2)
    };
    let input_output = |k: usize| in_stage(offset_of!(Stage, input_output) + 2 * k, 2);

    // Each corner is the sum of its rows, the start and the row of moves, in 32 bits, which hold it.
    let of_corner = |corner: usize, k: usize| {
        let features = (0..corner::COUNT).filter(|i| i % CORNERS == corner);
        let rows = features.map(|i| feature_row(i, k).extend(32));
        let sides = [start(k).extend(32), move_row(k).extend(32)];
        clamped(total(rows.chain(sides)))
    };
    let corners: Vec<[Term; CORNERS]> = (0..WIDTH)
        .map(|k| std::array::from_fn(|corner| of_corner(corner, k)))
        .collect();
    let input = |of: &[Term; CORNERS]| {
        let squares = of.map(|number| product(number, number));
        total(squares).shift_by(Shift::Right, 9)
    };
    let inputs: Vec<Term> = corners.iter().map(input).collect();
    let hidden_sum = |j: usize| {
        let parts = inputs.iter().enumerate();
        let parts = parts.map(|(k, &input)| product(weight(j, k), input));
        total(parts.chain([hidden_bias(j)]))
    };
    let hidden_sums: Vec<Term> = (0..HIDDEN).map(hidden_sum).collect();
    let hidden = |&sum: &Term| clamped(sum.shift_by(Shift::SignedRight, 6));
    let hidden: Vec<Term> = hidden_sums.iter().map(hidden).collect();
    let square = |&number: &Term| product(number, number).shift_by(Shift::Right, 7);
    let squares: Vec<Term> = hidden.iter().map(square).collect();
    let parts = [&hidden, &squares].into_iter().enumerate();
    let parts = parts.flat_map(|(of, numbers)| {
        let numbers = numbers.iter().enumerate();
        numbers.map(move |(j, &number)| product(hidden_output(of, j), number))
    });
    let of_inputs = inputs.iter().enumerate();
    let of_inputs = of_inputs.map(|(k, &input)| product(input_output(k), input));
    let bias = in_stage(offset_of!(Stage, bias), 4);
    let value = total(parts.chain(of_inputs).chain([bias]));

    // The limits of `Network::is_within_limits`. Its limits on biases are not needed: sums of 32 bits overflow in
    // the same way on both sides.
    let most = number(MAX_SIDE as u64, 16);
    let is_within = |one: Term| !most.signed_below(one) & !one.signed_below(-most);
    let sides = (0..WIDTH).flat_map(|k| [start(k), move_row(k)]);
    let mut limits: Vec<Term> = sides.map(is_within).collect();
    let most = number(MAX_ROW as u64, 8);
    let is_within = |one: Term| !most.signed_below(one) & !one.signed_below(-most);
    let rows = (0..corner::COUNT).flat_map(|i| (0..WIDTH).map(move |k| feature_row(i, k)));
    limits.extend(rows.map(is_within));
    let cut = |bits| move |&term: &Term| CutPoint { term, bits };
    Value {
        term: value.shift_by(Shift::SignedRight, 6),
        cut_points: [
            corners.as_flattened().iter().map(cut(7)).collect(),
            inputs.iter().map(cut(7)).collect(),
            hidden_sums.iter().map(cut(32)).collect(),
            hidden.iter().map(cut(7)).collect(),
            squares.iter().map(cut(7)).collect(),
        ],
        limits,
    }
}

/// Obligation for the values of boards with the same number of empty squares.
///
/// Each board is given by the names of its features and of its number of moves.
fn values(boards: &[(&str, &str)]) -> Obligation {
    let empties = variable("empties", 32);
    let stage = at_most(empties, STAGES - 1)
        .resize(64)
        .times(Wide::new(size_of::<Stage>() as u64));
    let boards = boards.iter().map(|&(features, moves)| {
        let features = features_named(features, &corner::GEOMETRY);
        let moves = variable(moves, 32);
        (features, moves, value(features, moves, stage))
    });
    let boards = Vec::from_iter(boards);
    let features_address = |board: usize| BEFORE + ((board as u64) << 32);

    let features = (0..boards.len()).map(|board| number(features_address(board), 64));
    let moves = boards.iter().map(|(_, moves, _)| *moves);
    let arguments = [number(POINTER, 64)].into_iter().chain(features);
    let arguments = arguments.chain([empties]).chain(moves).collect();
    let expected = boards.iter().map(|(_, _, value)| value.term);
    let expected = concat(expected);
    let mut obligation = Obligation::equal("every board".into(), arguments, expected, 32);
    for (part, pointer_offset) in [ROWS, MOVES, STAGE].into_iter().zip(Network::POINTERS) {
        obligation
            .memory
            .push((POINTER + pointer_offset as u64, number(part.start, 64)));
        obligation.arrays.push(part);
    }
    obligation.cut_points = vec![Vec::new(); 5];
    for (i, (features, _, value)) in boards.into_iter().enumerate() {
        obligation.memory.push((features_address(i), features));
        obligation.assumptions.extend(value.limits);
        for (all, group) in obligation.cut_points.iter_mut().zip(value.cut_points) {
            all.extend(group);
        }
    }
    obligation
}
