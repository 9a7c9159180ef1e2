//! The weights that the library brings along.

use super::file::WeightsFile;
use super::model::Model;

#[cfg(feature = "embedded-weights")]
const FILE: Option<&[u8]> = Some(include_bytes!("../../weights/outflank.weights"));
#[cfg(not(feature = "embedded-weights"))]
const FILE: Option<&[u8]> = None;

impl WeightsFile {
    /// The weights that the library was built with; `None` where it was built without the feature
    /// `embedded-weights`.
    pub fn embedded() -> Option<WeightsFile> {
        FILE.map(|bytes| WeightsFile::read(bytes).expect("a test reads what is built in"))
    }
}

impl Model {
    /// The weights of [`WeightsFile::embedded`].
    pub fn embedded() -> Option<Model> {
        WeightsFile::embedded().map(|file| file.model)
    }
}
