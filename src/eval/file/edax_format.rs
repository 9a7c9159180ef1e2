//! Edax's weights file, `eval.dat`, after Edax's `eval.c` by Richard Delorme. `docs/formats/weights.md` has a table of
//! it.
//!
//! A header of 28 bytes is followed by the stages for 60 down to 0 empty squares. A stage has one 16-bit weight for
//! each value of each class of features, without mirror images, and a constant. All numbers are in the byte order of
//! the machine that wrote the file.
//!
//! Edax's digits are 0 for the mover, 1 for the opponent and 2 for empty, so features have other values than in this
//! project. Of two mirror images, the one that comes first in the order of Edax's values has the weight.

use std::sync::LazyLock;

use outflank_kernels::geometry::edax::CLASSES;

use super::error::{WeightsError, check_length};
use super::format::{ByteOrder, Format};
use super::sniff::EDAX_MAGIC;
use crate::eval::knots::{Knot, MAX_GAME_EMPTIES};
use crate::eval::linear::Linear;
use crate::eval::model::Model;
use crate::eval::weight_layout::{KNOT_WEIGHTS, WeightLayout};

const HEADER_BYTES: usize = 28;
/// The weights for one number of empty squares, and the constant.
const STAGE_NUMBERS: usize = KNOT_WEIGHTS + 1;
const FILE_BYTES: usize = HEADER_BYTES + 2 * STAGE_NUMBERS * (MAX_GAME_EMPTIES as usize + 1);

/// The version in written files. Edax shows it and accepts any version.
const WRITTEN_VERSION: [u32; 3] = [3, 0, 0];

/// The index in [`WeightLayout`] of each weight, in Edax's order.
fn indices() -> &'static [u32] {
    static INDICES: LazyLock<Vec<u32>> = LazyLock::new(|| {
        let layout = WeightLayout::get();
        let mut indices = Vec::with_capacity(KNOT_WEIGHTS);
        let mut seen = vec![false; KNOT_WEIGHTS];
        for (i, class) in CLASSES.iter().enumerate() {
            for value in 0..class.weights() {
                let index = layout.class(i)[of_edax(value)];
                // A value whose mirror image came earlier shares its weight.
                if !std::mem::replace(&mut seen[index as usize], true) {
                    indices.push(index);
                }
            }
        }
        indices
    });
    &INDICES
}

/// Converts a feature's value from Edax's digits to those of this project.
fn of_edax(mut value: usize) -> usize {
    let (mut ours, mut power) = (0, 1);
    while value > 0 {
        ours += power * [0, 2, 1][value % 3];
        power *= 3;
        value /= 3;
    }
    ours
}

/// Reads an `eval.dat`, recognised by its magic.
pub(super) fn read(bytes: &[u8]) -> Result<(Model, Format), WeightsError> {
    let orders = [ByteOrder::Little, ByteOrder::Big].into_iter();
    let order = orders
        .zip(EDAX_MAGIC)
        .find(|(_, magic)| bytes.starts_with(*magic));
    let (order, _) = order.ok_or(WeightsError::Contents("no header of Edax's"))?;
    check_length(bytes.len(), FILE_BYTES)?;
    let (header, weights) = bytes.split_at(HEADER_BYTES);
    let words = header.as_chunks::<4>().0;
    let version = [2, 3, 4].map(|i| u32::from_le_bytes(order.convert(words[i])));
    let date = *header.last_chunk().expect("the header is longer");
    let date = f64::from_le_bytes(order.convert(date));

    let number = |&bytes: &[u8; 2]| i16::from_le_bytes(order.convert(bytes));
    let mut bias = [0; MAX_GAME_EMPTIES as usize + 1];
    let mut knots = Vec::with_capacity(bias.len());
    // The stages of the file begin with 60 empty squares.
    let stages = weights.as_chunks::<2>().0.chunks_exact(STAGE_NUMBERS);
    for (empties, stage) in stages.rev().enumerate() {
        let mut weights = vec![0; KNOT_WEIGHTS];
        for (bytes, &index) in stage.iter().zip(indices()) {
            weights[index as usize] = number(bytes);
        }
        bias[empties] = number(&stage[KNOT_WEIGHTS]);
        knots.push(Knot {
            empties: empties as u8,
            weights,
        });
    }
    let [major, minor, build] = version;
    let about = format!(
        "Imported from an eval.dat of Edax's, version {major}.{minor}.{build}, date {date}."
    );
    let format = Format::Edax {
        version,
        date,
        order,
    };
    Ok((Model::linear(knots, bias, about)?, format))
}

/// The contents of an `eval.dat` with the weights of `linear`.
pub(super) fn write(linear: &Linear, order: ByteOrder) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(FILE_BYTES);
    bytes.extend(EDAX_MAGIC[order as usize]);
    for number in WRITTEN_VERSION {
        bytes.extend(order.convert(number.to_le_bytes()));
    }
    bytes.extend(order.convert(0_f64.to_le_bytes()));
    for empties in (0..=MAX_GAME_EMPTIES).rev() {
        let weights = linear.weights(empties);
        for &index in indices() {
            bytes.extend(order.convert(weights[index as usize].to_le_bytes()));
        }
        bytes.extend(order.convert(linear.bias[empties as usize].to_le_bytes()));
    }
    bytes
}
