//! The sections of a network in a weights file.

use outflank_kernels::Network;
use outflank_kernels::network::{HIDDEN, MAX_MOVES, Rows, STAGES, SideRow, Stage, WIDTH};

use super::error::WeightsError::{self, Contents};

/// The bytes of a stage: start, matrix, hidden biases, output weights of the hidden layer and of the inputs, bias.
const STAGE_BYTES: usize = 2 * WIDTH + WIDTH * HIDDEN + 4 * HIDDEN + 2 * 2 * HIDDEN + 2 * WIDTH + 4;

pub(super) fn moves(network: &Network) -> Vec<u8> {
    let rows = network.moves().iter();
    rows.flat_map(|row| row.0.map(i16::to_le_bytes))
        .flatten()
        .collect()
}

pub(super) fn stages(network: &Network) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(STAGES * STAGE_BYTES);
    for stage in network.stages() {
        bytes.extend(stage.start.0.map(i16::to_le_bytes).as_flattened());
        let matrix = stage.matrix.as_flattened().as_flattened();
        bytes.extend(matrix.iter().map(|&weight| weight as u8));
        bytes.extend(stage.hidden_bias.map(i32::to_le_bytes).as_flattened());
        for weights in stage.hidden_output {
            bytes.extend(weights.map(i16::to_le_bytes).as_flattened());
        }
        bytes.extend(stage.input_output.map(i16::to_le_bytes).as_flattened());
        bytes.extend(stage.bias.to_le_bytes());
    }
    bytes
}

/// Reads the network of these rows and sections.
pub(super) fn read(rows: Rows, moves: &[u8], stages: &[u8]) -> Result<Network, WeightsError> {
    let mut network = Network::with_rows(rows);
    let (side_rows, rest) = moves.as_chunks::<{ 2 * WIDTH }>();
    if side_rows.len() != MAX_MOVES + 1 || !rest.is_empty() {
        return Err(Contents("not 32 rows for numbers of moves"));
    }
    for (row, bytes) in network.moves_mut().iter_mut().zip(side_rows) {
        *row = SideRow(numbers_of_16_bits(bytes));
    }
    let (chunks, rest) = stages.as_chunks::<STAGE_BYTES>();
    if chunks.len() != STAGES || !rest.is_empty() {
        return Err(Contents("not 61 stages"));
    }
    for (stage, bytes) in network.stages_mut().iter_mut().zip(chunks) {
        *stage = read_stage(bytes);
    }
    Ok(network)
}

fn read_stage(mut bytes: &[u8]) -> Stage {
    let mut take = |count: usize| {
        let (taken, rest) = bytes.split_at(count);
        bytes = rest;
        taken
    };
    let start = SideRow(numbers_of_16_bits(take(2 * WIDTH)));
    let weights: Vec<[i8; 4]> = take(WIDTH * HIDDEN)
        .as_chunks()
        .0
        .iter()
        .map(|group| group.map(|weight: u8| weight as i8))
        .collect();
    let mut groups = weights.as_chunks().0.iter();
    let matrix = std::array::from_fn(|_| *groups.next().expect("a row of the matrix"));
    let words = take(4 * HIDDEN).as_chunks().0;
    let hidden_bias = std::array::from_fn(|j| i32::from_le_bytes(words[j]));
    Stage {
        matrix,
        hidden_bias,
        hidden_output: std::array::from_fn(|_| numbers_of_16_bits(take(2 * HIDDEN))),
        input_output: numbers_of_16_bits(take(2 * WIDTH)),
        start,
        bias: i32::from_le_bytes(*take(4).first_chunk().expect("the bias comes last")),
    }
}

fn numbers_of_16_bits<const N: usize>(bytes: &[u8]) -> [i16; N] {
    let mut numbers = bytes.as_chunks().0.iter();
    std::array::from_fn(|_| i16::from_le_bytes(*numbers.next().expect("a number for each")))
}
