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
use crate::term::{Shift, Term, Wide, concat, constant, number, total, variable, zeros};

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

/// Numbers of a network for one board, read from the bytes of its parts; all are signed.
struct Numbers {
    features: Term,
    moves: Term,
    /// Offset of the stage among the bytes of the stages.
    stage: Term,
}

impl Numbers {
    /// Number `k` of the row of feature `i`.
    fn feature_row(&self, i: usize, k: usize) -> Term {
        let first = corner::OFFSETS[i].into();
        let feature = self.features.extract(i as u32 * BITS, BITS);
        in_row(ROWS, feature.resize(64).plus(first), k, 1)
    }

    /// Number `k` of the row of the number of moves.
    fn move_row(&self, k: usize) -> Term {
        in_row(MOVES, at_most(self.moves, MAX_MOVES).resize(64), k, 2)
    }

    /// Number `i` of a field of the stage, in `bytes` bytes.
    fn of_stage(&self, field: usize, i: usize, bytes: usize) -> Term {
        let offset = field + i * bytes;
        STAGE.read(self.stage.plus(offset as i64), bytes as u32)
    }

    fn start(&self, k: usize) -> Term {
        self.of_stage(offset_of!(Stage, start), k, 2)
    }

    /// Weight of input `k` in hidden number `j`.
    fn weight(&self, j: usize, k: usize) -> Term {
        let index = (k / 4 * HIDDEN + j) * 4 + k % 4;
        self.of_stage(offset_of!(Stage, matrix), index, 1)
    }

    fn hidden_bias(&self, j: usize) -> Term {
        self.of_stage(offset_of!(Stage, hidden_bias), j, 4)
    }

    /// Weight in the value of hidden number `j` (`power` 0) or of its square (`power` 1).
    fn hidden_output(&self, power: usize, j: usize) -> Term {
        self.of_stage(offset_of!(Stage, hidden_output), power * HIDDEN + j, 2)
    }

    fn input_output(&self, k: usize) -> Term {
        self.of_stage(offset_of!(Stage, input_output), k, 2)
    }

    fn bias(&self) -> Term {
        self.of_stage(offset_of!(Stage, bias), 0, 4)
    }

    /// The limits of `Network::is_within_limits`, as far as the value depends on them.
    ///
    /// Limits on biases are not needed: sums of 32 bits overflow in the same way in code and specification.
    fn limits(&self) -> Vec<Term> {
        let within = |most: usize, number: Term| {
            let most = constant(Wide::new(most as u64), number.width());
            !most.signed_below(number) & !number.signed_below(-most)
        };
        let sides = (0..WIDTH).flat_map(|k| [self.start(k), self.move_row(k)]);
        let sides = sides.map(|number| within(MAX_SIDE as usize, number));
        let indices = (0..corner::COUNT).flat_map(|i| (0..WIDTH).map(move |k| (i, k)));
        let rows = indices.map(|(i, k)| within(MAX_ROW as usize, self.feature_row(i, k)));
        sides.chain(rows).collect()
    }
}

/// Number `k` of a row, in `bytes` bytes.
fn in_row(array: Array, row: Term, k: usize, bytes: usize) -> Term {
    let start = row.times(Wide::new((WIDTH * bytes) as u64));
    array.read(start.plus((k * bytes) as i64), bytes as u32)
}

/// Value of a board, with its intermediate values, layer by layer.
fn value(numbers: &Numbers) -> (Term, [Vec<CutPoint>; 5]) {
    // Each corner is the sum of its rows, the start and the row of moves. The sum fits into 32 bits.
    let corner = |corner: usize, k: usize| {
        let features = (0..corner::COUNT).filter(|i| i % CORNERS == corner);
        let rows = features.map(|i| numbers.feature_row(i, k));
        let summands = rows.chain([numbers.start(k), numbers.move_row(k)]);
        clamped(total(summands.map(|number| number.extend(32))))
    };
    let corners: Vec<[Term; CORNERS]> = (0..WIDTH)
        .map(|k| std::array::from_fn(|i| corner(i, k)))
        .collect();
    let squared = |number: Term| product(number, number);
    let input = |corners: &[Term; CORNERS]| total(corners.map(squared)).shift_by(Shift::Right, 9);
    let inputs: Vec<Term> = corners.iter().map(input).collect();
    let hidden_sum = |j: usize| {
        let products = (0..WIDTH).map(|k| product(numbers.weight(j, k), inputs[k]));
        total(products.chain([numbers.hidden_bias(j)]))
    };
    let hidden_sums: Vec<Term> = (0..HIDDEN).map(hidden_sum).collect();
    let hidden = |sum: &Term| clamped(sum.shift_by(Shift::SignedRight, 6));
    let hidden: Vec<Term> = hidden_sums.iter().map(hidden).collect();
    let square = |&number: &Term| squared(number).shift_by(Shift::Right, 7);
    let squares: Vec<Term> = hidden.iter().map(square).collect();

    let of_hidden = (0..HIDDEN).map(|j| product(numbers.hidden_output(0, j), hidden[j]));
    let of_squares = (0..HIDDEN).map(|j| product(numbers.hidden_output(1, j), squares[j]));
    let of_inputs = (0..WIDTH).map(|k| product(numbers.input_output(k), inputs[k]));
    let products = of_hidden.chain(of_squares).chain(of_inputs);
    let value = total(products.chain([numbers.bias()])).shift_by(Shift::SignedRight, 6);

    let cut = |bits| move |&term: &Term| CutPoint { term, bits };
    let layers = [
        corners.as_flattened().iter().map(cut(7)).collect(),
        inputs.iter().map(cut(7)).collect(),
        hidden_sums.iter().map(cut(32)).collect(),
        hidden.iter().map(cut(7)).collect(),
        squares.iter().map(cut(7)).collect(),
    ];
    (value, layers)
}

/// Obligation for the values of boards with the same number of empty squares.
///
/// Each board is given by the names of its features and of its number of moves.
fn values(boards: &[(&str, &str)]) -> Obligation {
    let empties = variable("empties", 32);
    let stage = at_most(empties, STAGES - 1)
        .resize(64)
        .times(Wide::new(size_of::<Stage>() as u64));
    let numbers = boards.iter().map(|&(features, moves)| Numbers {
        features: features_named(features, &corner::GEOMETRY),
        moves: variable(moves, 32),
        stage,
    });
    let numbers: Vec<Numbers> = numbers.collect();
    let (values, layers): (Vec<Term>, Vec<_>) = numbers.iter().map(value).unzip();

    let addresses = (0..boards.len() as u64).map(|board| BEFORE + (board << 32));
    let mut arguments = vec![number(POINTER, 64)];
    arguments.extend(addresses.clone().map(|address| number(address, 64)));
    arguments.push(empties);
    arguments.extend(numbers.iter().map(|board| board.moves));
    let mut obligation = Obligation::every_board(arguments, concat(values), 32);
    for (part, pointer_offset) in [ROWS, MOVES, STAGE].into_iter().zip(Network::POINTERS) {
        let pointer = POINTER + pointer_offset as u64;
        obligation.memory.push((pointer, number(part.start, 64)));
        obligation.arrays.push(part);
    }
    let features = numbers.iter().map(|board| board.features);
    obligation.memory.extend(addresses.zip(features));
    obligation.assumptions = numbers.iter().flat_map(Numbers::limits).collect();
    obligation.cut_points = vec![Vec::new(); 5];
    for layers in layers {
        for (all, layer) in obligation.cut_points.iter_mut().zip(layers) {
            all.extend(layer);
        }
    }
    obligation
}
