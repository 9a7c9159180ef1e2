//! Weights in files: those of this project, and those of Edax. Which one a file is, its first bytes
//! say.

mod edax;
mod error;
mod frame;
mod looks;
mod network;
mod own;

use std::io::{self, Read};
use std::path::Path;

use outflank_kernels::geometry::Geometry;

use super::model::{Model, Parameters};
use crate::files;

pub use edax::ByteOrder;
pub use error::{LoadError, WeightsError};
pub use looks::Looks;

/// The most that a file of weights can have, in MiB: every weight that there can be, not compressed,
/// takes 13.4.
const MAX_MIB: u64 = 16;

/// What such a file is called in the error of one that is larger.
const KIND: &str = "file of weights";

/// Weights as they were found in a file.
///
/// ```
/// use outflank::eval::WeightsFile;
///
/// let error = WeightsFile::read(b"What is this?").err().unwrap();
/// assert!(error.to_string().contains("it looks like text, \"What is this?\""), "{error}");
/// if let Some(file) = WeightsFile::embedded() {
///     println!("{} bytes: {}", file.bytes, file.model.about);
/// }
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct WeightsFile {
    /// The weights.
    pub model: Model,
    /// What the file is.
    pub format: Format,
    /// Its length in bytes.
    pub bytes: usize,
}

/// What kind of file weights are in.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Format {
    /// Ours, as `docs/formats/weights.md` has it.
    Outflank {
        /// The version of the format.
        version: u32,
        /// The CRC-32 of all that comes before it.
        checksum: u32,
    },
    /// Edax's `eval.dat`.
    Edax {
        /// Version, release and build as the file says.
        version: [u32; 3],
        /// A date as the file says, by Edax's habit as a number YYYYMMDD.
        date: f64,
        /// The byte order of the machine that wrote it.
        order: ByteOrder,
    },
}

impl WeightsFile {
    /// Reads the contents of a file of either kind.
    pub fn read(bytes: &[u8]) -> Result<WeightsFile, WeightsError> {
        let (model, format) = if edax::is_meant(bytes) {
            edax::read(bytes)?
        } else {
            own::read(bytes)?
        };
        Ok(WeightsFile {
            model,
            format,
            bytes: bytes.len(),
        })
    }

    /// Reads the file at `path`, of either kind.
    pub fn load(path: &Path) -> Result<WeightsFile, LoadError> {
        WeightsFile::loaded(path, files::read(path, MAX_MIB, KIND))
    }

    /// Reads what `reader` has to its end, of either kind; errors call it `name`.
    pub fn load_from(reader: impl Read, name: &Path) -> Result<WeightsFile, LoadError> {
        WeightsFile::loaded(name, files::read_to_end(reader, MAX_MIB, KIND))
    }

    fn loaded(name: &Path, bytes: io::Result<Vec<u8>>) -> Result<WeightsFile, LoadError> {
        let bytes = bytes.map_err(|error| LoadError::Io(name.to_owned(), error))?;
        WeightsFile::read(&bytes).map_err(|error| LoadError::Weights(name.to_owned(), error))
    }
}

impl Model {
    /// The geometry of its features.
    pub fn geometry(&self) -> &'static Geometry {
        match self.parameters {
            Parameters::Linear(_) => &outflank_kernels::geometry::edax::GEOMETRY,
            Parameters::Network(_) => &outflank_kernels::geometry::corner::GEOMETRY,
        }
    }

    /// The CRC-32 of its geometry, by which a file says what it is for.
    pub fn geometry_checksum(&self) -> u32 {
        own::geometry_checksum(self.geometry())
    }

    /// Reads the contents of a file of this project's.
    pub fn read(bytes: &[u8]) -> Result<Model, WeightsError> {
        own::read(bytes).map(|(model, _)| model)
    }

    /// The contents of a file of this project's, the same for the same model. Of [`Model::about`] the
    /// first 64 KiB are kept.
    ///
    /// # Panics
    ///
    /// If a coefficient of the error model is no finite number: no file has such.
    pub fn write(&self) -> Vec<u8> {
        own::write(self)
    }

    /// Reads a file of this project's or an `eval.dat` of Edax's.
    pub fn load(path: &Path) -> Result<Model, LoadError> {
        WeightsFile::load(path).map(|file| file.model)
    }

    /// The contents of an `eval.dat` of Edax's.
    ///
    /// It has the weights of every number of empty squares in whole 1/128 discs. So those between two
    /// knots are rounded each, and a value that is the sum of 46 can differ by 23/128 disc from that of
    /// the model. A model that was read from an `eval.dat` gives the same bytes again, but for the
    /// version, 3.0.0, and the date, 0.
    ///
    /// `None` for a network.
    pub fn to_edax(&self, order: ByteOrder) -> Option<Vec<u8>> {
        self.as_linear().map(|linear| edax::write(linear, order))
    }
}

#[cfg(test)]
mod tests;
