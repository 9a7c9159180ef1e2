//! Errors of reading weights.

use std::cmp::Ordering;
use std::io;
use std::path::PathBuf;

use outflank_kernels::geometry::{corner, edax};

use super::format::{VERSION, VERSIONS};
use super::sniff::FileKind;
use crate::eval::linear::LinearError;
use crate::eval::model::geometry_checksum;

/// A weights file that could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Opening or reading failed.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] io::Error),
    /// The file was read, but its contents are not valid weights.
    #[error("{}: {}", .0.display(), .1)]
    Weights(PathBuf, #[source] WeightsError),
}

/// The reason why the contents of a file are not valid weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The file is of another kind.
    #[error("expected weights, but {0}")]
    Foreign(#[source] FileKind),
    /// The format has another version.
    #[error(
        "a weights file of version {0}, but this outflank reads versions {first} to {VERSION}: {advice}",
        first = VERSIONS.start(),
        advice = if *.0 > VERSION { "update outflank" } else { "train or import it again" }
    )]
    Version(u32),
    /// The weights are for features of an unknown geometry.
    #[error(
        "weights for the geometry {name} ({found:08x}), which this outflank lacks: it has edax ({:08x}) and \
         corner ({:08x}); train weights for one of those",
        geometry_checksum(&edax::GEOMETRY),
        geometry_checksum(&corner::GEOMETRY)
    )]
    Geometry {
        /// The geometry's name in the file.
        name: String,
        /// The geometry's checksum in the file.
        found: u32,
    },
    /// The file is shorter than its format says.
    #[error("cut off after {found} of {expected} bytes: copy it again, or make it again")]
    Short {
        /// Bytes found.
        found: usize,
        /// Bytes expected.
        expected: usize,
    },
    /// The file is longer than its format says.
    #[error("{found} bytes where there should be {expected}: copy it again, or make it again")]
    Long {
        /// Bytes found.
        found: usize,
        /// Bytes expected.
        expected: usize,
    },
    /// The contents were changed after they were written.
    #[error(
        "damaged: its checksum is {found:08x} but should be {expected:08x}; copy it again, or make \
         it again"
    )]
    Checksum {
        /// The checksum of the file's bytes.
        found: u32,
        /// The checksum in the file.
        expected: u32,
    },
    /// The checksum is valid, but no version of outflank writes these contents.
    #[error("impossible contents: {0}; make it again")]
    Contents(&'static str),
    /// The knots do not form a linear evaluation.
    #[error("impossible contents: {0}; make it again")]
    Linear(#[from] LinearError),
}

/// Checks the length of a file in bytes.
pub(super) fn check_length(found: usize, expected: usize) -> Result<(), WeightsError> {
    match found.cmp(&expected) {
        Ordering::Less => Err(WeightsError::Short { found, expected }),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(WeightsError::Long { found, expected }),
    }
}
