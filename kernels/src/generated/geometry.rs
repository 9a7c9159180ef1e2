//! The geometries as constants, for the kernels.
//!
//! Written by `cargo run -p outflank-codegen` from kernels/geometries; do not edit.

/// The number of geometries.
pub const GEOMETRIES: usize = 2;
/// All geometries, the default one first.
pub static ALL: [&std::sync::LazyLock<crate::geometry::Geometry>; GEOMETRIES] = [
    &edax::GEOMETRY,
    &ntest::GEOMETRY,
];

/// Calls `$callback!` with the extra tokens in braces and then the name of the module of each
/// geometry, the default one first.
#[macro_export]
macro_rules! for_each_geometry {
    ($($callback:tt)::+ $(, $($extra:tt)*)?) => {
        $($callback)::+ ! { { $($($extra)*)? } edax ntest }
    };
}

/// The 46 features of Edax, which follow Logistello's: a class a line, its name, then its features.
/// A feature is its squares, the first the most significant base-3 digit. All features of a class
/// share their weights.
pub mod edax {
    use std::sync::LazyLock;
    use crate::geometry::{Class, FEATURES, Features, Geometry, powers};
    /// Its place in [`ALL`](super::ALL).
    pub const INDEX: usize = 0;
    /// As read from the file at run time: what the references use.
    pub static GEOMETRY: LazyLock<Geometry> = LazyLock::new(|| Geometry::read(
        "edax",
        include_str!("../../geometries/edax.txt"),
    ));
    /// The number of features.
    pub const COUNT: usize = 46;
    /// The squares of each feature, the first the most significant digit.
    pub const SQUARES: [&[u8]; COUNT] = [
        &[0, 1, 8, 9, 2, 16, 10, 17, 18],
        &[7, 6, 15, 14, 5, 23, 13, 22, 21],
        &[56, 48, 57, 49, 40, 58, 41, 50, 42],
        &[63, 55, 62, 54, 47, 61, 46, 53, 45],
        &[32, 24, 16, 8, 0, 9, 1, 2, 3, 4],
        &[39, 31, 23, 15, 7, 14, 6, 5, 4, 3],
        &[24, 32, 40, 48, 56, 49, 57, 58, 59, 60],
        &[31, 39, 47, 55, 63, 54, 62, 61, 60, 59],
        &[9, 0, 1, 2, 3, 4, 5, 6, 7, 14],
        &[49, 56, 57, 58, 59, 60, 61, 62, 63, 54],
        &[9, 0, 8, 16, 24, 32, 40, 48, 56, 49],
        &[14, 7, 15, 23, 31, 39, 47, 55, 63, 54],
        &[0, 2, 3, 10, 11, 12, 13, 4, 5, 7],
        &[56, 58, 59, 50, 51, 52, 53, 60, 61, 63],
        &[0, 16, 24, 17, 25, 33, 41, 32, 40, 56],
        &[7, 23, 31, 22, 30, 38, 46, 39, 47, 63],
        &[8, 9, 10, 11, 12, 13, 14, 15],
        &[48, 49, 50, 51, 52, 53, 54, 55],
        &[1, 9, 17, 25, 33, 41, 49, 57],
        &[6, 14, 22, 30, 38, 46, 54, 62],
        &[16, 17, 18, 19, 20, 21, 22, 23],
        &[40, 41, 42, 43, 44, 45, 46, 47],
        &[2, 10, 18, 26, 34, 42, 50, 58],
        &[5, 13, 21, 29, 37, 45, 53, 61],
        &[24, 25, 26, 27, 28, 29, 30, 31],
        &[32, 33, 34, 35, 36, 37, 38, 39],
        &[3, 11, 19, 27, 35, 43, 51, 59],
        &[4, 12, 20, 28, 36, 44, 52, 60],
        &[0, 9, 18, 27, 36, 45, 54, 63],
        &[56, 49, 42, 35, 28, 21, 14, 7],
        &[1, 10, 19, 28, 37, 46, 55],
        &[15, 22, 29, 36, 43, 50, 57],
        &[8, 17, 26, 35, 44, 53, 62],
        &[6, 13, 20, 27, 34, 41, 48],
        &[2, 11, 20, 29, 38, 47],
        &[16, 25, 34, 43, 52, 61],
        &[5, 12, 19, 26, 33, 40],
        &[23, 30, 37, 44, 51, 58],
        &[3, 12, 21, 30, 39],
        &[24, 33, 42, 51, 60],
        &[4, 11, 18, 25, 32],
        &[31, 38, 45, 52, 59],
        &[3, 10, 17, 24],
        &[32, 41, 50, 59],
        &[4, 13, 22, 31],
        &[39, 46, 53, 60],
    ];

    /// The highest value of each feature: the opponent has all its squares.
    pub const HIGHEST: Features = Features([
        19682, 19682, 19682, 19682, 59048, 59048, 59048, 59048, 59048, 59048, 59048,
        59048, 59048, 59048, 59048, 59048, 6560, 6560, 6560, 6560, 6560, 6560, 6560,
        6560, 6560, 6560, 6560, 6560, 6560, 6560, 2186, 2186, 2186, 2186, 728, 728, 728,
        728, 242, 242, 242, 242, 80, 80, 80, 80, 0, 0,
    ]);
    /// The value of each feature on an empty board, all digits 1.
    pub const ALL_EMPTY: Features = Features([
        9841, 9841, 9841, 9841, 29524, 29524, 29524, 29524, 29524, 29524, 29524, 29524,
        29524, 29524, 29524, 29524, 3280, 3280, 3280, 3280, 3280, 3280, 3280, 3280, 3280,
        3280, 3280, 3280, 3280, 3280, 1093, 1093, 1093, 1093, 364, 364, 364, 364, 121,
        121, 121, 121, 40, 40, 40, 40, 0, 0,
    ]);
    /// What a digit of each square is worth in each feature.
    pub static POWERS: [Features; 64] = powers(&SQUARES);
    /// The classes.
    pub const CLASSES: [Class; 12] = [
        Class {
            name: "C9",
            digits: 9,
            offset: 29485,
        },
        Class {
            name: "C10",
            digits: 10,
            offset: 49168,
        },
        Class {
            name: "S10a",
            digits: 10,
            offset: 108217,
        },
        Class {
            name: "S10b",
            digits: 10,
            offset: 167266,
        },
        Class {
            name: "S8a",
            digits: 8,
            offset: 3241,
        },
        Class {
            name: "S8b",
            digits: 8,
            offset: 9802,
        },
        Class {
            name: "S8c",
            digits: 8,
            offset: 16363,
        },
        Class {
            name: "S8d",
            digits: 8,
            offset: 22924,
        },
        Class {
            name: "S7",
            digits: 7,
            offset: 1054,
        },
        Class {
            name: "S6",
            digits: 6,
            offset: 325,
        },
        Class {
            name: "S5",
            digits: 5,
            offset: 82,
        },
        Class {
            name: "S4",
            digits: 4,
            offset: 1,
        },
    ];

    /// Where each feature's weights begin in an array of weights.
    pub const OFFSETS: [u32; FEATURES] = [
        29485, 29485, 29485, 29485, 49168, 49168, 49168, 49168, 108217, 108217, 108217,
        108217, 167266, 167266, 167266, 167266, 3241, 3241, 3241, 3241, 9802, 9802, 9802,
        9802, 16363, 16363, 16363, 16363, 22924, 22924, 1054, 1054, 1054, 1054, 325, 325,
        325, 325, 82, 82, 82, 82, 1, 1, 1, 1, 0, 0,
    ];

    /// The length of an array of weights: any `u16` behind any of the offsets is inside.
    pub const LENGTH: usize = 232802;
}

/// The 42 patterns of NTest: rows and columns, diagonals of 5 to 8 squares, and three regions at each
/// corner (two of 2x5 squares, a triangle). The format is that of edax.txt.
pub mod ntest {
    use std::sync::LazyLock;
    use crate::geometry::{Class, FEATURES, Features, Geometry, powers};
    /// Its place in [`ALL`](super::ALL).
    pub const INDEX: usize = 1;
    /// As read from the file at run time: what the references use.
    pub static GEOMETRY: LazyLock<Geometry> = LazyLock::new(|| Geometry::read(
        "ntest",
        include_str!("../../geometries/ntest.txt"),
    ));
    /// The number of features.
    pub const COUNT: usize = 42;
    /// The squares of each feature, the first the most significant digit.
    pub const SQUARES: [&[u8]; COUNT] = [
        &[0, 1, 2, 3, 4, 5, 6, 7],
        &[56, 57, 58, 59, 60, 61, 62, 63],
        &[0, 8, 16, 24, 32, 40, 48, 56],
        &[7, 15, 23, 31, 39, 47, 55, 63],
        &[8, 9, 10, 11, 12, 13, 14, 15],
        &[48, 49, 50, 51, 52, 53, 54, 55],
        &[1, 9, 17, 25, 33, 41, 49, 57],
        &[6, 14, 22, 30, 38, 46, 54, 62],
        &[16, 17, 18, 19, 20, 21, 22, 23],
        &[40, 41, 42, 43, 44, 45, 46, 47],
        &[2, 10, 18, 26, 34, 42, 50, 58],
        &[5, 13, 21, 29, 37, 45, 53, 61],
        &[24, 25, 26, 27, 28, 29, 30, 31],
        &[32, 33, 34, 35, 36, 37, 38, 39],
        &[3, 11, 19, 27, 35, 43, 51, 59],
        &[4, 12, 20, 28, 36, 44, 52, 60],
        &[0, 9, 18, 27, 36, 45, 54, 63],
        &[56, 49, 42, 35, 28, 21, 14, 7],
        &[1, 10, 19, 28, 37, 46, 55],
        &[15, 22, 29, 36, 43, 50, 57],
        &[8, 17, 26, 35, 44, 53, 62],
        &[6, 13, 20, 27, 34, 41, 48],
        &[2, 11, 20, 29, 38, 47],
        &[16, 25, 34, 43, 52, 61],
        &[5, 12, 19, 26, 33, 40],
        &[23, 30, 37, 44, 51, 58],
        &[3, 12, 21, 30, 39],
        &[24, 33, 42, 51, 60],
        &[4, 11, 18, 25, 32],
        &[31, 38, 45, 52, 59],
        &[0, 1, 2, 3, 4, 8, 9, 10, 11, 12],
        &[7, 6, 5, 4, 3, 15, 14, 13, 12, 11],
        &[56, 57, 58, 59, 60, 48, 49, 50, 51, 52],
        &[63, 62, 61, 60, 59, 55, 54, 53, 52, 51],
        &[0, 8, 16, 24, 32, 1, 9, 17, 25, 33],
        &[7, 15, 23, 31, 39, 6, 14, 22, 30, 38],
        &[56, 48, 40, 32, 24, 57, 49, 41, 33, 25],
        &[63, 55, 47, 39, 31, 62, 54, 46, 38, 30],
        &[0, 1, 2, 3, 8, 9, 10, 16, 17, 24],
        &[7, 6, 5, 4, 15, 14, 13, 23, 22, 31],
        &[56, 57, 58, 59, 48, 49, 50, 40, 41, 32],
        &[63, 62, 61, 60, 55, 54, 53, 47, 46, 39],
    ];

    /// The highest value of each feature: the opponent has all its squares.
    pub const HIGHEST: Features = Features([
        6560, 6560, 6560, 6560, 6560, 6560, 6560, 6560, 6560, 6560, 6560, 6560, 6560,
        6560, 6560, 6560, 6560, 6560, 2186, 2186, 2186, 2186, 728, 728, 728, 728, 242,
        242, 242, 242, 59048, 59048, 59048, 59048, 59048, 59048, 59048, 59048, 59048,
        59048, 59048, 59048, 0, 0, 0, 0, 0, 0,
    ]);
    /// The value of each feature on an empty board, all digits 1.
    pub const ALL_EMPTY: Features = Features([
        3280, 3280, 3280, 3280, 3280, 3280, 3280, 3280, 3280, 3280, 3280, 3280, 3280,
        3280, 3280, 3280, 3280, 3280, 1093, 1093, 1093, 1093, 364, 364, 364, 364, 121,
        121, 121, 121, 29524, 29524, 29524, 29524, 29524, 29524, 29524, 29524, 29524,
        29524, 29524, 29524, 0, 0, 0, 0, 0, 0,
    ]);
    /// What a digit of each square is worth in each feature.
    pub static POWERS: [Features; 64] = powers(&SQUARES);
    /// The classes.
    pub const CLASSES: [Class; 10] = [
        Class {
            name: "L1",
            digits: 8,
            offset: 3160,
        },
        Class {
            name: "L2",
            digits: 8,
            offset: 9721,
        },
        Class {
            name: "L3",
            digits: 8,
            offset: 16282,
        },
        Class {
            name: "L4",
            digits: 8,
            offset: 22843,
        },
        Class {
            name: "D8",
            digits: 8,
            offset: 29404,
        },
        Class {
            name: "D7",
            digits: 7,
            offset: 973,
        },
        Class {
            name: "D6",
            digits: 6,
            offset: 244,
        },
        Class {
            name: "D5",
            digits: 5,
            offset: 1,
        },
        Class {
            name: "C25",
            digits: 10,
            offset: 35965,
        },
        Class {
            name: "T10",
            digits: 10,
            offset: 95014,
        },
    ];

    /// Where each feature's weights begin in an array of weights.
    pub const OFFSETS: [u32; FEATURES] = [
        3160, 3160, 3160, 3160, 9721, 9721, 9721, 9721, 16282, 16282, 16282, 16282,
        22843, 22843, 22843, 22843, 29404, 29404, 973, 973, 973, 973, 244, 244, 244, 244,
        1, 1, 1, 1, 35965, 35965, 35965, 35965, 35965, 35965, 35965, 35965, 95014, 95014,
        95014, 95014, 0, 0, 0, 0, 0, 0,
    ];

    /// The length of an array of weights: any `u16` behind any of the offsets is inside.
    pub const LENGTH: usize = 160550;
}
