//! The value of a board by a network, as `outflank_kernels::network` defines it.

use std::mem::{offset_of, size_of};

use outflank_kernels::Network;
use outflank_kernels::geometry::corner;
use outflank_kernels::network::{
    CORNERS, HIDDEN, MAX_MOVES, MAX_ROW, MAX_SIDE, STAGES, SideRow, Stage, WIDTH,
};

use super::features::{BEFORE, BITS, POINTER, before};
use super::{Case, Specification, Step};
use crate::machine::Array;
use crate::term::{Shift, Term, Wide, number, total, variable, zeros};

pub(super) static SPECIFICATIONS: &[Specification] = &[Specification {
    kernel: "network_value",
    cases: 1,
    case: network_value,
}];

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

fn network_value(_: usize) -> Case {
    let features = before(&corner::GEOMETRY);
    let (empties, moves) = (variable("empties", 32), variable("moves", 32));

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
    let stage = at_most(empties, STAGES - 1)
        .resize(64)
        .times(Wide::new(size_of::<Stage>() as u64));
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
    let expected = value.shift_by(Shift::SignedRight, 6);

    let pointer = number(POINTER, 64);
    let arguments = vec![pointer, number(BEFORE, 64), empties, moves];
    let mut case = Case::equal("every board".into(), arguments, expected, 32);
    case.memory.push((BEFORE, features));
    for (part, place) in [ROWS, MOVES, STAGE].into_iter().zip(Network::POINTERS) {
        case.memory
            .push((POINTER + place as u64, number(part.start, 64)));
        case.arrays.push(part);
    }
    // As `Network::is_within_limits` says; what it says of biases keeps sums in 32 bits, where both sides lose the
    // same.
    let most = number(MAX_SIDE as u64, 16);
    let is_within = |one: Term| !most.signed_below(one) & !one.signed_below(-most);
    let sides = (0..WIDTH).flat_map(|k| [start(k), move_row(k)]);
    case.assumptions.extend(sides.map(is_within));
    let most = number(MAX_ROW as u64, 8);
    let is_within = |one: Term| !most.signed_below(one) & !one.signed_below(-most);
    let rows = (0..corner::COUNT).flat_map(|i| (0..WIDTH).map(move |k| feature_row(i, k)));
    case.assumptions.extend(rows.map(is_within));
    let step = |bits| move |&term: &Term| Step { term, bits };
    case.steps = vec![
        corners.as_flattened().iter().map(step(7)).collect(),
        inputs.iter().map(step(7)).collect(),
        hidden_sums.iter().map(step(32)).collect(),
        hidden.iter().map(step(7)).collect(),
        squares.iter().map(step(7)).collect(),
    ];
    case
}
