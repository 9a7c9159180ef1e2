//! This project's weights file; `docs/formats/weights.md` describes it byte by byte.
//!
//! A file has a header, sections, and a checksum of both. The rows of a network lie in it as the kernels read them, so
//! that the bundled weights are used in place.

use outflank_kernels::Network;
use outflank_kernels::geometry::{Geometry, corner, edax};
use outflank_kernels::network::Rows;

use super::error::WeightsError::{self, Contents};
use super::error::check_length;
use super::format::{Format, VERSION, VERSIONS};
use super::network_sections;
use super::sniff::{FileKind, WEIGHTS_MAGIC};
use crate::eval::error_model::ErrorModel;
use crate::eval::knots::{Knot, MAX_GAME_EMPTIES};
use crate::eval::linear::Linear;
use crate::eval::model::{Model, Parameters, geometry_checksum};
use crate::eval::networks::Networks;
use crate::eval::weight_layout::KNOT_WEIGHTS;

/// The bytes of magic, version and length of the file.
const HEADER_BYTES: usize = 16;
const CHECKSUM_BYTES: usize = 4;
/// The bytes of tag and length of a section.
const TAG_BYTES: usize = 8;
/// The alignment of the contents of each section in the file: a multiple of that of a row, so rows can be borrowed.
const ALIGNMENT: usize = 64;

/// The size limit of the text about the weights, in bytes.
const ABOUT_BYTES: usize = 64 << 10;

/// The tag and the contents of a section.
pub(super) type Section = ([u8; 4], Vec<u8>);

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
    /// Only in networks.
    pub(super) const ROWS: &[u8; 4] = b"ROWS";
    /// Only in networks.
    pub(super) const MOVES: &[u8; 4] = b"MOVE";
    /// Only in networks.
    pub(super) const STAGES: &[u8; 4] = b"STAG";
    /// Only between two networks.
    pub(super) const ABOVE: &[u8; 4] = b"ABOV";
}

/// The contents of a file with `model`.
pub(super) fn write(model: &Model) -> Vec<u8> {
    file_of(&sections(model))
}

/// The sections of a file with `model`.
pub(super) fn sections(model: &Model) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut section = |tag: &[u8; 4], contents: Vec<u8>| sections.push((*tag, contents));
    let geometry = model.geometry();
    let checksum = geometry_checksum(geometry).to_le_bytes();
    section(
        tag::GEOMETRY,
        [&checksum, geometry.name.as_bytes()].concat(),
    );
    if let Parameters::Linear(linear) = &model.parameters {
        let knots: Vec<u8> = linear.knots().iter().map(|knot| knot.empties).collect();
        section(tag::KNOTS, knots);
        let bias = linear.bias.map(i16::to_le_bytes);
        section(tag::BIAS, bias.as_flattened().to_vec());
    }
    if let Some(error) = &model.error {
        let numbers = [&error.midgame[..], &error.endgame].concat();
        assert!(
            numbers.iter().all(|number| number.is_finite()),
            "no file can hold this error model: {error:?}"
        );
        let bytes: Vec<u8> = numbers.into_iter().flat_map(f32::to_le_bytes).collect();
        section(tag::ERROR, bytes);
    }
    let about = &model.about[..model.about.floor_char_boundary(ABOUT_BYTES)];
    section(tag::ABOUT, about.as_bytes().to_vec());
    match &model.parameters {
        Parameters::Linear(linear) => section(tag::WEIGHTS, weights(linear.knots())),
        Parameters::Networks(networks) => {
            for (empties, network) in networks.phases() {
                if let Some(above) = empties.start().checked_sub(1) {
                    section(tag::ABOVE, vec![above as u8]);
                }
                section(tag::ROWS, network.rows().to_bytes());
                section(tag::MOVES, network_sections::moves(network));
                section(tag::STAGES, network_sections::stages(network));
            }
        }
    }
    sections
}

/// The contents of a file with these sections.
pub(super) fn file_of(sections: &[Section]) -> Vec<u8> {
    let mut bytes = vec![0; HEADER_BYTES];
    for (tag, contents) in sections {
        bytes.resize(next_section(bytes.len()), 0);
        bytes.extend(tag);
        bytes.extend((contents.len() as u32).to_le_bytes());
        bytes.extend(contents);
    }
    bytes.extend([0; CHECKSUM_BYTES]);
    seal(&mut bytes);
    bytes
}

/// Sets header and checksum of a file.
pub(super) fn seal(bytes: &mut [u8]) {
    bytes[..8].copy_from_slice(WEIGHTS_MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    let length = bytes.len() as u32;
    bytes[12..16].copy_from_slice(&length.to_le_bytes());
    let (contents, checksum) = bytes.split_last_chunk_mut().expect("a header goes before");
    *checksum = crc32fast::hash(contents).to_le_bytes();
}

/// The offset of the next section in a file that is filled up to offset `end`.
const fn next_section(end: usize) -> usize {
    (end + TAG_BYTES).next_multiple_of(ALIGNMENT) - TAG_BYTES
}

/// Reads the contents of a file.
pub(super) fn read(bytes: &[u8]) -> Result<(Model, Format), WeightsError> {
    let file = OpenedFile::open(bytes)?;
    let actual = crc32fast::hash(file.sections.bytes);
    if actual != file.checksum {
        return Err(WeightsError::Checksum {
            found: actual,
            expected: file.checksum,
        });
    }
    let (model, format) = file.read(Rows::copied)?;
    match &model.parameters {
        Parameters::Networks(networks) if !networks.are_within_limits() => {
            Err(Contents("a number of a network is too large"))
        }
        _ => Ok((model, format)),
    }
}

/// Reads the bundled weights. Rows are used in place. Neither the checksum nor the limits of numbers are checked,
/// because every start of the program would wait for that.
pub(super) fn read_bundled(bytes: &'static [u8]) -> Result<(Model, Format), WeightsError> {
    OpenedFile::open(bytes)?.read(Rows::borrowed)
}

/// A file whose header has a known version and the right length.
struct OpenedFile<'a> {
    sections: Sections<'a>,
    version: u32,
    checksum: u32,
}

impl<'a> OpenedFile<'a> {
    fn open(bytes: &'a [u8]) -> Result<OpenedFile<'a>, WeightsError> {
        if !bytes.starts_with(WEIGHTS_MAGIC) {
            return Err(WeightsError::Foreign(FileKind::detect(bytes)));
        }
        let found = bytes.len();
        let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
            let expected = HEADER_BYTES;
            return Err(WeightsError::Short { found, expected });
        };
        let [version, expected] = [8, 12].map(|at| {
            let word = header[at..].first_chunk().expect("the header goes on");
            u32::from_le_bytes(*word)
        });
        if !VERSIONS.contains(&version) {
            return Err(WeightsError::Version(version));
        }
        check_length(found, expected as usize)?;
        match bytes.split_last_chunk::<CHECKSUM_BYTES>() {
            Some((rest, checksum)) if rest.len() >= HEADER_BYTES => Ok(OpenedFile {
                sections: Sections {
                    bytes: rest,
                    position: HEADER_BYTES,
                },
                version,
                checksum: u32::from_le_bytes(*checksum),
            }),
            _ => Err(Contents("it has no room for a checksum")),
        }
    }

    /// Reads the sections. `make_rows` makes the rows of a network from their section.
    fn read(
        self,
        make_rows: fn(&'a [u8]) -> Option<Rows>,
    ) -> Result<(Model, Format), WeightsError> {
        let format = Format::Outflank {
            version: self.version,
            checksum: self.checksum,
        };
        Ok((self.sections.model(make_rows)?, format))
    }
}

/// The sections of a file.
struct Sections<'a> {
    /// The file without its checksum.
    bytes: &'a [u8],
    /// The offset up to which the bytes are read.
    position: usize,
}

impl<'a> Sections<'a> {
    /// Takes the contents of the next section if that has `tag`.
    fn next(&mut self, tag: &[u8; 4]) -> Result<Option<&'a [u8]>, WeightsError> {
        let rest = self
            .bytes
            .get(next_section(self.position)..)
            .unwrap_or_default();
        let Some(rest) = rest.strip_prefix(tag) else {
            return Ok(None);
        };
        let length = rest.split_first_chunk();
        let contents = length.and_then(|(length, rest)| {
            let (contents, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            self.position = self.bytes.len() - rest.len();
            Some(contents)
        });
        contents.ok_or(Contents("a section is cut off")).map(Some)
    }

    /// Takes the contents of the next section. It is an error if that section does not have `tag`.
    fn expect(&mut self, tag: &[u8; 4]) -> Result<&'a [u8], WeightsError> {
        let missing = Contents("a section is missing, or not in its place");
        self.next(tag)?.ok_or(missing)
    }

    fn model(mut self, make_rows: fn(&'a [u8]) -> Option<Rows>) -> Result<Model, WeightsError> {
        let is_linear = self.geometry()?.name == edax::GEOMETRY.name;
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
            None => Parameters::Networks(self.networks(make_rows)?),
        };
        if self.position < self.bytes.len() {
            return Err(Contents("something follows the weights"));
        }
        Ok(Model {
            parameters,
            error,
            about: about.to_owned(),
        })
    }

    /// Takes the sections of one network or two.
    fn networks(
        &mut self,
        make_rows: fn(&'a [u8]) -> Option<Rows>,
    ) -> Result<Networks, WeightsError> {
        let late = self.network(make_rows)?;
        match self.next(tag::ABOVE)? {
            None => Ok(late.into()),
            Some(&[above]) if u32::from(above) < MAX_GAME_EMPTIES => {
                let early = self.network(make_rows)?;
                Ok(Networks::of_phases(late, above.into(), early))
            }
            Some(_) => Err(Contents(
                "the number between two networks is not one byte from 0 to 59",
            )),
        }
    }

    fn network(
        &mut self,
        make_rows: fn(&'a [u8]) -> Option<Rows>,
    ) -> Result<Network, WeightsError> {
        let rows = make_rows(self.expect(tag::ROWS)?);
        network_sections::read(
            rows.ok_or(Contents("not as many rows as the geometry has"))?,
            self.expect(tag::MOVES)?,
            self.expect(tag::STAGES)?,
        )
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

/// The weights of these knots.
fn weights(knots: &[Knot]) -> Vec<u8> {
    let weights = knots.iter().flat_map(|knot| &knot.weights);
    weights.copied().flat_map(i16::to_le_bytes).collect()
}

/// The knots with these numbers of empty squares and weights.
fn knots(empties: &[u8], weights: &[u8]) -> Result<Vec<Knot>, WeightsError> {
    let (weights, rest) = weights.as_chunks();
    if weights.len() != empties.len() * KNOT_WEIGHTS || !rest.is_empty() {
        return Err(Contents("not as many weights as the knots have"));
    }
    let knots = empties.iter().zip(weights.chunks_exact(KNOT_WEIGHTS));
    let knot = |(&empties, weights): (_, &[[u8; 2]])| Knot {
        empties,
        weights: weights.iter().copied().map(i16::from_le_bytes).collect(),
    };
    Ok(knots.map(knot).collect())
}
