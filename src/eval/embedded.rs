//! The bundled weights.

use super::file::WeightsFile;
use super::model::Model;

#[cfg(feature = "embedded-weights")]
const FILE: Option<&[u8]> = Some(include_bytes!("../../data/weights/outflank.weights"));
#[cfg(not(feature = "embedded-weights"))]
const FILE: Option<&[u8]> = None;

impl WeightsFile {
    /// The bundled weights; `None` if the library was built without the feature `embedded-weights`.
    pub fn embedded() -> Option<WeightsFile> {
        FILE.map(|bytes| WeightsFile::read(bytes).expect("a test reads the bundled weights"))
    }
}

impl Model {
    /// The model of [`WeightsFile::embedded`].
    pub fn embedded() -> Option<Model> {
        WeightsFile::embedded().map(|file| file.model)
    }
}
