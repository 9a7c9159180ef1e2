//! The formats of weights files.

use std::ops::RangeInclusive;

/// The byte order of numbers in an `eval.dat`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteOrder {
    /// The lowest byte first, as on x86-64 and AArch64.
    Little,
    /// The highest byte first.
    Big,
}

impl ByteOrder {
    /// Converts a number between little endian and this order.
    pub(super) fn convert<const N: usize>(self, mut bytes: [u8; N]) -> [u8; N] {
        if self == ByteOrder::Big {
            bytes.reverse();
        }
        bytes
    }
}

/// The format of a weights file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Format {
    /// This project's format; `docs/formats/weights.md` describes it.
    Outflank {
        /// The version of the format.
        version: u32,
        /// The CRC-32 of all bytes before the checksum.
        checksum: u32,
    },
    /// Edax's `eval.dat`.
    Edax {
        /// Version, release and build.
        version: [u32; 3],
        /// The date, which Edax writes as the number YYYYMMDD.
        date: f64,
        /// The byte order of the machine that wrote the file.
        order: ByteOrder,
    },
}

/// The version of this project's format that is written.
pub(super) const VERSION: u32 = 4;

/// The versions that are read. Version 3 had no second network; earlier versions were compressed.
pub(super) const VERSIONS: RangeInclusive<u32> = 3..=VERSION;
