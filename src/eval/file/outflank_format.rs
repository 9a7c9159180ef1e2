//! This project's weights file; `docs/formats/weights.md` describes it byte by byte.
//!
//! A file has a header, a zstd frame with the sections, and a checksum of both.
//!
//! Each linear weight is stored as its difference from the previous knot. The differences of one weight at all knots
//! stand together. Differences compress well: neighbouring knots are much alike, and weights of patterns that never
//! occurred are zero at all knots. Low and high bytes are stored apart, since the high bytes hardly differ.
//! docs/lab/evaluation.md has the sizes of other layouts.

use outflank_kernels::geometry::{Geometry, corner, edax};

use super::error::WeightsError::{self, Contents};
use super::error::check_length;
use super::format::{Format, VERSION};
use super::sniff::{FileKind, WEIGHTS_MAGIC};
use super::{network_sections, zstd_frame};
use crate::eval::error_model::ErrorModel;
use crate::eval::knots::{Knot, MAX_GAME_EMPTIES};
use crate::eval::linear::Linear;
use crate::eval::model::{Model, Parameters, geometry_checksum};
use crate::eval::weight_layout::KNOT_WEIGHTS;

/// The first version of the format. Its linear evaluations are still read, but not its networks, which have rows of 16
/// numbers.
const FIRST_VERSION: u32 = 1;

/// The bytes of magic, version and length of the file.
const HEADER_BYTES: usize = 16;
const CHECKSUM_BYTES: usize = 4;

/// The size limit of the text about the weights, in bytes.
const ABOUT_BYTES: usize = 64 << 10;
/// An upper bound of the sections' size. A frame that unpacks to more is refused.
const MAX_UNPACKED: usize = 2 * KNOT_WEIGHTS * (MAX_GAME_EMPTIES as usize + 1) + 2 * ABOUT_BYTES;

/// The tags of the sections, in their order.
mod tag {
    pub(super) const GEOMETRY: &[u8; 4] = b"GEOM";
    /// Only in a linear evaluation.
    pub(super) const KNOTS: &[u8; 4] = b"KNOT";
    /// Only in a linear evaluation.
    pub(super) const BIAS: &[u8; 4] = b"BIAS";
    /// Optional.
    pub(super) const ERROR: &[u8; 4] = b"ERRM";
    pub(super) const ABOUT: &[u8; 4] = b"TEXT";
    /// Only in a linear evaluation.
    pub(super) const WEIGHTS: &[u8; 4] = b"WGTS";
    /// Only in a network.
    pub(super) const ROWS: &[u8; 4] = b"ROWS";
    /// Only in a network.
    pub(super) const MOVES: &[u8; 4] = b"MOVE";
    /// Only in a network.
    pub(super) const STAGES: &[u8; 4] = b"STAG";
}

/// The contents of a file with `model`.
pub(super) fn write(model: &Model) -> Vec<u8> {
    file(&sections(model))
}

/// The sections of a file with `model`, one after another.
pub(super) fn sections(model: &Model) -> Vec<u8> {
    let mut sections = Vec::new();
    let mut section = |tag: &[u8; 4], contents: &[u8]| {
        sections.extend(tag);
        sections.extend((contents.len() as u32).to_le_bytes());
        sections.extend(contents);
    };
    let geometry = model.geometry();
    let checksum = geometry_checksum(geometry).to_le_bytes();
    section(
        tag::GEOMETRY,
        &[&checksum, geometry.name.as_bytes()].concat(),
    );
    if let Parameters::Linear(linear) = &model.parameters {
        let knots: Vec<u8> = linear.knots().iter().map(|knot| knot.empties).collect();
        section(tag::KNOTS, &knots);
        section(tag::BIAS, linear.bias.map(i16::to_le_bytes).as_flattened());
    }
    if let Some(error) = &model.error {
        let numbers = [&error.midgame[..], &error.endgame].concat();
        assert!(
            numbers.iter().all(|number| number.is_finite()),
            "no file can hold this error model: {error:?}"
        );
        let bytes: Vec<u8> = numbers.into_iter().flat_map(f32::to_le_bytes).collect();
        section(tag::ERROR, &bytes);
    }
    let about = &model.about[..model.about.floor_char_boundary(ABOUT_BYTES)];
    section(tag::ABOUT, about.as_bytes());
    match &model.parameters {
        Parameters::Linear(linear) => section(tag::WEIGHTS, &differences(linear.knots())),
        Parameters::Network(network) => {
            section(tag::ROWS, &network_sections::rows(network));
            section(tag::MOVES, &network_sections::moves(network));
            section(tag::STAGES, &network_sections::stages(network));
        }
    }
    sections
}

/// The contents of a file with these sections.
pub(super) fn file(sections: &[u8]) -> Vec<u8> {
    let packed = zstd_frame::pack(sections);
    let length = HEADER_BYTES + packed.len() + CHECKSUM_BYTES;
    let mut bytes = Vec::with_capacity(length);
    bytes.extend(WEIGHTS_MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((length as u32).to_le_bytes());
    bytes.extend(packed);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Reads the contents of a file.
pub(super) fn read(bytes: &[u8]) -> Result<(Model, Format), WeightsError> {
    if !bytes.starts_with(WEIGHTS_MAGIC) {
        return Err(WeightsError::Foreign(FileKind::detect(bytes)));
    }
    let found = bytes.len();
    let Some((header, rest)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
        let expected = HEADER_BYTES;
        return Err(WeightsError::Short { found, expected });
    };
    let [version, expected] = [8, 12].map(|at| {
        let word = header[at..].first_chunk().expect("the header goes on");
        u32::from_le_bytes(*word)
    });
    if version > VERSION {
        return Err(WeightsError::Version(version));
    }
    check_length(found, expected as usize)?;
    let Some((packed, checksum)) = rest.split_last_chunk::<CHECKSUM_BYTES>() else {
        return Err(Contents("it is shorter than any"));
    };
    let checksum = u32::from_le_bytes(*checksum);
    let actual = crc32fast::hash(&bytes[..found - CHECKSUM_BYTES]);
    if actual != checksum {
        return Err(WeightsError::Checksum {
            found: actual,
            expected: checksum,
        });
    }
    if version < FIRST_VERSION {
        return Err(Contents("no version has this number"));
    }
    let sections = zstd_frame::unpack(packed, MAX_UNPACKED)
        .ok_or(Contents("what is compressed cannot be unpacked"))?;
    let model = Sections(&sections).model(version)?;
    Ok((model, Format::Outflank { version, checksum }))
}

/// The sections of a file that are not yet read.
struct Sections<'a>(&'a [u8]);

impl<'a> Sections<'a> {
    /// Takes the contents of the next section if that has `tag`.
    fn next(&mut self, tag: &[u8; 4]) -> Result<Option<&'a [u8]>, WeightsError> {
        let Some(rest) = self.0.strip_prefix(tag) else {
            return Ok(None);
        };
        let cut_off = Contents("a section is cut off");
        let Some((length, rest)) = rest.split_first_chunk() else {
            return Err(cut_off);
        };
        let length = u32::from_le_bytes(*length) as usize;
        let Some((contents, rest)) = rest.split_at_checked(length) else {
            return Err(cut_off);
        };
        self.0 = rest;
        Ok(Some(contents))
    }

    /// Takes the contents of the next section. It is an error if that section does not have `tag`.
    fn expect(&mut self, tag: &[u8; 4]) -> Result<&'a [u8], WeightsError> {
        let missing = Contents("a section is missing, or not in its place");
        self.next(tag)?.ok_or(missing)
    }

    fn model(mut self, version: u32) -> Result<Model, WeightsError> {
        let is_linear = self.geometry()?.name == edax::GEOMETRY.name;
        if !is_linear && version == FIRST_VERSION {
            return Err(Contents(
                "its network is of version 1, with rows of 16 numbers, which is no longer read",
            ));
        }
        let knots_and_bias = match is_linear {
            true => Some((self.expect(tag::KNOTS)?, self.expect(tag::BIAS)?)),
            false => None,
        };
        let error = self.next(tag::ERROR)?.map(error_model).transpose()?;
        let about = self.expect(tag::ABOUT)?;
        let about =
            str::from_utf8(about).map_err(|_| Contents("the text about it is not in UTF-8"))?;
        let parameters = match knots_and_bias {
            Some((empties, bias)) => {
                let knots = knots(empties, self.expect(tag::WEIGHTS)?)?;
                Parameters::Linear(Linear::new(knots, biases(bias)?)?)
            }
            None => Parameters::Network(network_sections::read(
                self.expect(tag::ROWS)?,
                self.expect(tag::MOVES)?,
                self.expect(tag::STAGES)?,
            )?),
        };
        if !self.0.is_empty() {
            return Err(Contents("something follows the weights"));
        }
        Ok(Model {
            parameters,
            error,
            about: about.to_owned(),
        })
    }

    /// Takes the geometry section. It is an error if the geometry is unknown.
    fn geometry(&mut self) -> Result<&'static Geometry, WeightsError> {
        let geometry = self.expect(tag::GEOMETRY)?;
        let Some((checksum, name)) = geometry.split_first_chunk() else {
            return Err(Contents("the geometry has no checksum"));
        };
        let found = u32::from_le_bytes(*checksum);
        let mut known = [&*edax::GEOMETRY, &*corner::GEOMETRY].into_iter();
        known
            .find(|known| known.name.as_bytes() == name && geometry_checksum(known) == found)
            .ok_or_else(|| WeightsError::Geometry {
                name: name.escape_ascii().to_string(),
                found,
            })
    }
}

/// The biases of a linear evaluation.
fn biases(contents: &[u8]) -> Result<[i16; MAX_GAME_EMPTIES as usize + 1], WeightsError> {
    let numbers = contents.as_chunks().0;
    let bias: Vec<i16> = numbers.iter().copied().map(i16::from_le_bytes).collect();
    bias.try_into().map_err(|_| Contents("not 61 biases"))
}

fn error_model(contents: &[u8]) -> Result<ErrorModel, WeightsError> {
    let (numbers, rest) = contents.as_chunks();
    let numbers: Vec<f32> = numbers.iter().copied().map(f32::from_le_bytes).collect();
    let finite = numbers.iter().all(|number| number.is_finite());
    let parts = numbers.split_first_chunk();
    match parts.map(|(&midgame, endgame)| (midgame, endgame.try_into())) {
        Some((midgame, Ok(endgame))) if finite && rest.is_empty() => {
            Ok(ErrorModel { midgame, endgame })
        }
        _ => Err(Contents("not 14 numbers in the error model")),
    }
}

/// The differences of weights between knots: the low bytes of all differences, then their high bytes.
fn differences(knots: &[Knot]) -> Vec<u8> {
    let count = knots.len() * KNOT_WEIGHTS;
    let mut bytes = vec![0; 2 * count];
    let (low, high) = bytes.split_at_mut(count);
    let mut halves = low.iter_mut().zip(high);
    for index in 0..KNOT_WEIGHTS {
        let mut previous = 0_i16;
        for knot in knots {
            let weight = knot.weights[index];
            let (low, high) = halves.next().expect("there are two bytes per weight");
            [*low, *high] = zigzag(weight.wrapping_sub(previous)).to_le_bytes();
            previous = weight;
        }
    }
    bytes
}

/// The knots with these numbers of empty squares; the inverse of [`differences`].
fn knots(empties: &[u8], differences: &[u8]) -> Result<Vec<Knot>, WeightsError> {
    let count = empties.len() * KNOT_WEIGHTS;
    if differences.len() != 2 * count {
        return Err(Contents("not as many weights as the knots have"));
    }
    let (low, high) = differences.split_at(count);
    let mut halves = low.iter().zip(high);
    let knot = |&empties| Knot {
        empties,
        weights: vec![0; KNOT_WEIGHTS],
    };
    let mut knots: Vec<Knot> = empties.iter().map(knot).collect();
    for index in 0..KNOT_WEIGHTS {
        let mut weight = 0_i16;
        for knot in &mut knots {
            let (&low, &high) = halves.next().expect("there are two bytes per weight");
            weight = weight.wrapping_add(unzigzag(u16::from_le_bytes([low, high])));
            knot.weights[index] = weight;
        }
    }
    Ok(knots)
}

/// Zigzag encoding: 0, -1, 1, -2, 2, … become 0, 1, 2, 3, 4, …. So the high byte of a number near 0 is 0.
const fn zigzag(number: i16) -> u16 {
    (number << 1 ^ number >> 15) as u16
}

/// The inverse of [`zigzag`].
const fn unzigzag(code: u16) -> i16 {
    (code >> 1) as i16 ^ -((code & 1) as i16)
}
