//! The weights of Edax, `eval.dat`: a header of 28 bytes, then for 60 down to 0 empty squares one
//! 16-bit weight for each value of each class of features, without mirror images, and a constant; all
//! in the byte order of the machine that wrote it. (Edax's `eval.c` by Richard Delorme describes it;
//! `docs/formats/weights.md` has a table.)
//!
//! Edax's digits are 0 for the mover, 1 for the opponent, 2 for empty, so its values come in another
//! order than ours, and so do the first of each pair of mirror images, which decide on their place.

use std::sync::LazyLock;

use outflank_kernels::geometry::edax::CLASSES;

use super::{Format, WeightsError};
use crate::eval::linear::{Knot, Linear, MAX_EMPTIES};
use crate::eval::model::Model;
use crate::eval::packing::{PACKED, Packing};

/// The first two words: `EDAX` and `EVAL` as numbers.
const WORDS: [u32; 2] = [0x4544_4158, 0x4556_414c];
const HEADER_BYTES: usize = 28;
/// The weights for one number of empty squares, and the constant.
const STAGE: usize = PACKED + 1;
const BYTES: usize = HEADER_BYTES + 2 * STAGE * (MAX_EMPTIES as usize + 1);

/// The version that is written. Edax shows it and does not judge by it.
const WRITTEN: [u32; 3] = [3, 0, 0];

/// Which byte of a number is the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteOrder {
    /// The lowest, as on x86-64 and AArch64.
    Little,
    /// The highest.
    Big,
}

impl ByteOrder {
    fn in_order<const N: usize>(self, mut little_endian: [u8; N]) -> [u8; N] {
        if self == ByteOrder::Big {
            little_endian.reverse();
        }
        little_endian
    }
}

/// The byte order of an `eval.dat` with this beginning; `None` where it is none.
fn order(bytes: &[u8]) -> Option<ByteOrder> {
    [ByteOrder::Little, ByteOrder::Big]
        .into_iter()
        .find(|order| {
            let words = WORDS.map(|word| order.in_order(word.to_le_bytes()));
            bytes.starts_with(words.as_flattened())
        })
}

/// Whether `bytes` begin as an `eval.dat`.
pub(super) fn is_meant(bytes: &[u8]) -> bool {
    order(bytes).is_some()
}

/// For each place of a weight in Edax's order, its place in that of [`Packing`].
fn places() -> &'static [u32] {
    static PLACES: LazyLock<Vec<u32>> = LazyLock::new(|| {
        let packing = Packing::get();
        let mut places = Vec::with_capacity(PACKED);
        let mut seen = vec![false; PACKED];
        for (i, class) in CLASSES.iter().enumerate() {
            for value in 0..class.weights() {
                let place = packing.class(i)[of_edax(value)];
                // A value whose mirror image came before it has the weight of that one.
                if !std::mem::replace(&mut seen[place as usize], true) {
                    places.push(place);
                }
            }
        }
        places
    });
    &PLACES
}

/// The value of a feature in our digits whose value in Edax's digits is `value`.
fn of_edax(mut value: usize) -> usize {
    let (mut ours, mut power) = (0, 1);
    while value > 0 {
        ours += power * [0, 2, 1][value % 3];
        power *= 3;
        value /= 3;
    }
    ours
}

/// Reads an `eval.dat`: [`is_meant`].
pub(super) fn read(bytes: &[u8]) -> Result<(Model, Format), WeightsError> {
    let order = order(bytes).ok_or(WeightsError::Contents("no header of Edax's"))?;
    let (found, expected) = (bytes.len(), BYTES);
    if found < expected {
        return Err(WeightsError::Short { found, expected });
    }
    if found > expected {
        return Err(WeightsError::Long { found, expected });
    }
    let (header, weights) = bytes.split_at(HEADER_BYTES);
    let words = header.as_chunks::<4>().0;
    let version = [2, 3, 4].map(|i| u32::from_le_bytes(order.in_order(words[i])));
    let date = *header.last_chunk().expect("the header is longer");
    let date = f64::from_le_bytes(order.in_order(date));

    let number = |&bytes: &[u8; 2]| i16::from_le_bytes(order.in_order(bytes));
    let mut bias = [0; MAX_EMPTIES as usize + 1];
    let mut knots = Vec::with_capacity(bias.len());
    // The file begins with the first move of a game.
    let stages = weights.as_chunks::<2>().0.chunks_exact(STAGE);
    for (empties, stage) in stages.rev().enumerate() {
        let mut weights = vec![0; PACKED];
        for (bytes, &place) in stage.iter().zip(places()) {
            weights[place as usize] = number(bytes);
        }
        bias[empties] = number(&stage[PACKED]);
        knots.push(Knot {
            empties: empties as u8,
            weights,
        });
    }
    let [major, minor, build] = version;
    let about = format!(
        "Imported from an eval.dat of Edax's, version {major}.{minor}.{build}, date {date}."
    );
    let model = Model::linear(knots, bias, about)?;
    Ok((
        model,
        Format::Edax {
            version,
            date,
            order,
        },
    ))
}

/// The contents of an `eval.dat` with the weights of `linear`.
pub(super) fn write(linear: &Linear, order: ByteOrder) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(BYTES);
    for word in WORDS.into_iter().chain(WRITTEN) {
        bytes.extend(order.in_order(word.to_le_bytes()));
    }
    bytes.extend(order.in_order(0_f64.to_le_bytes()));
    for empties in (0..=MAX_EMPTIES).rev() {
        let weights = linear.weights(empties);
        for &place in places() {
            bytes.extend(order.in_order(weights[place as usize].to_le_bytes()));
        }
        bytes.extend(order.in_order(linear.bias[empties as usize].to_le_bytes()));
    }
    bytes
}
