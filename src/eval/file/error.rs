//! What can be wrong with a file of weights.

use std::io;
use std::path::PathBuf;

use outflank_kernels::geometry::{corner, edax};

use super::looks::Looks;
use super::own::{VERSION, geometry_checksum};
use crate::eval::linear::LinearError;

/// A file of weights that could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// It could not be opened, or reading failed.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
    /// It was read, but has no weights.
    #[error("{}: {}", .0.display(), .1)]
    Weights(PathBuf, #[source] WeightsError),
}

/// Why the contents of a file are no weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// It is something else.
    #[error("expected weights, but {0}")]
    Foreign(Looks),
    /// It is of a version that is not known.
    #[error(
        "a weights file of version {0}, which a newer outflank wrote; this one reads version \
         {VERSION}: update outflank"
    )]
    Version(u32),
    /// It is for other features.
    #[error(
        "weights for the geometry {name} ({found:08x}), which this outflank lacks: it has edax ({:08x}) and \
         corner ({:08x}); train weights for one of those",
        geometry_checksum(&edax::GEOMETRY),
        geometry_checksum(&corner::GEOMETRY)
    )]
    Geometry {
        /// The name that the file gives.
        name: String,
        /// The checksum of the geometry that it is for.
        found: u32,
    },
    /// It ends too early.
    #[error("cut off after {found} of {expected} bytes: copy it again, or make it again")]
    Short {
        /// Its length.
        found: usize,
        /// What its length should be.
        expected: usize,
    },
    /// It goes on after its end.
    #[error("{found} bytes where there should be {expected}: copy it again, or make it again")]
    Long {
        /// Its length.
        found: usize,
        /// What its length should be.
        expected: usize,
    },
    /// It was changed after it was written.
    #[error(
        "damaged: its checksum is {found:08x} but should be {expected:08x}; copy it again, or make \
         it again"
    )]
    Checksum {
        /// The checksum that its bytes have.
        found: u32,
        /// The checksum that it says.
        expected: u32,
    },
    /// It was written like this, by no version of outflank.
    #[error("impossible contents: {0}; make it again")]
    Contents(&'static str),
    /// Its knots are impossible.
    #[error("impossible contents: {0}; make it again")]
    Linear(#[from] LinearError),
}
