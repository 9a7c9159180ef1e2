//! Weights files in the formats of this project and of Edax. Their first bytes tell the format.

mod edax_format;
mod error;
mod format;
mod network_sections;
mod outflank_format;
mod sniff;
#[cfg(test)]
mod tests;

use std::io::{self, Read};
use std::path::Path;

use outflank_support::files;

use super::model::Model;

pub use error::{LoadError, WeightsError};
pub use format::{ByteOrder, Format};
pub use sniff::FileKind;

/// The size limit of a weights file in MiB. Weights for all 61 numbers of empty squares take 13.4.
const MAX_MIB: u64 = 16;

/// The name of a weights file in the error about its size.
const KIND: &str = "file of weights";

/// Weights as read from a file.
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
    /// The format of the file.
    pub format: Format,
    /// The length of the file in bytes.
    pub bytes: usize,
}

/// The bundled weights.
#[cfg(feature = "embedded-weights")]
const EMBEDDED: Option<&[u8]> = {
    /// Bytes at an address that suits rows.
    #[repr(C, align(64))]
    struct Aligned<T: ?Sized>(T);

    static FILE: &Aligned<[u8]> =
        &Aligned(*include_bytes!("../../../data/weights/outflank.weights"));
    Some(&FILE.0)
};
#[cfg(not(feature = "embedded-weights"))]
const EMBEDDED: Option<&[u8]> = None;

impl WeightsFile {
    /// The bundled weights; `None` if the library was built without the feature `embedded-weights`.
    pub fn embedded() -> Option<WeightsFile> {
        EMBEDDED.map(|bytes| {
            let read = outflank_format::read_bundled(bytes);
            WeightsFile::new(read.expect("a test reads the bundled weights"), bytes)
        })
    }

    /// Reads the contents of a file in either format.
    pub fn read(bytes: &[u8]) -> Result<WeightsFile, WeightsError> {
        let read = match FileKind::detect(bytes) {
            FileKind::Edax => edax_format::read(bytes)?,
            _ => outflank_format::read(bytes)?,
        };
        Ok(WeightsFile::new(read, bytes))
    }

    fn new((model, format): (Model, Format), bytes: &[u8]) -> WeightsFile {
        WeightsFile {
            model,
            format,
            bytes: bytes.len(),
        }
    }

    /// Reads the file at `path`, in either format.
    pub fn load(path: &Path) -> Result<WeightsFile, LoadError> {
        WeightsFile::from_bytes(path, files::read(path, MAX_MIB, KIND))
    }

    /// Reads `reader` to its end, in either format. Errors name it `name`.
    pub fn load_from(reader: impl Read, name: &Path) -> Result<WeightsFile, LoadError> {
        WeightsFile::from_bytes(name, files::read_to_end(reader, MAX_MIB, KIND))
    }

    fn from_bytes(name: &Path, bytes: io::Result<Vec<u8>>) -> Result<WeightsFile, LoadError> {
        let bytes = bytes.map_err(|error| LoadError::Io(name.to_owned(), error))?;
        WeightsFile::read(&bytes).map_err(|error| LoadError::Weights(name.to_owned(), error))
    }
}

impl Model {
    /// The model of [`WeightsFile::embedded`].
    pub fn embedded() -> Option<Model> {
        WeightsFile::embedded().map(|file| file.model)
    }

    /// Reads the contents of a file in this project's format.
    pub fn read(bytes: &[u8]) -> Result<Model, WeightsError> {
        outflank_format::read(bytes).map(|(model, _)| model)
    }

    /// Returns the contents of a file in this project's format. Equal models give equal bytes. [`Model::about`] is cut
    /// to 64 KiB.
    ///
    /// # Panics
    ///
    /// If a coefficient of the error model is not finite, since no file can hold it.
    pub fn write(&self) -> Vec<u8> {
        outflank_format::write(self)
    }

    /// Reads a file in this project's format or an `eval.dat` of Edax's.
    pub fn load(path: &Path) -> Result<Model, LoadError> {
        WeightsFile::load(path).map(|file| file.model)
    }

    /// Returns the contents of an `eval.dat` of Edax's; `None` for a network.
    ///
    /// An `eval.dat` has weights for every number of empty squares in whole 1/128 discs. Each weight interpolated
    /// between two knots is rounded. So a value, the sum of 46 weights, can differ by 23/128 disc from the model's.
    ///
    /// A model that was read from an `eval.dat` gives the same bytes again, except for version and date. These are
    /// written as 3.0.0 and 0.
    pub fn to_edax(&self, order: ByteOrder) -> Option<Vec<u8>> {
        self.as_linear()
            .map(|linear| edax_format::write(linear, order))
    }
}
