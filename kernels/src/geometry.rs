//! Geometries: the squares of the features of an evaluation, read from `geometries/*.txt`.
//!
//! A feature is a list of squares read as a number in base 3: digit 0 for the mover's disc, 1 for an empty
//! square, 2 for the opponent's disc (NTest's digits). So changing sides is the subtraction `highest -
//! feature`, without a table.
//!
//! The files are read twice. The generator makes constants of them for the kernels, a module per geometry.
//! The references read them at run time into a [`Geometry`].

use alloc::vec::Vec;

pub use crate::generated::geometry::*;

/// Number of features in [`Features`]. A geometry may have fewer.
pub const FEATURES: usize = 48;

/// Features of one board, aligned for vector loads. Features that the geometry lacks are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(32))]
pub struct Features(pub [u16; FEATURES]);

impl Default for Features {
    fn default() -> Self {
        Features([0; FEATURES])
    }
}

/// A set of features.
#[derive(Debug)]
pub struct Geometry {
    /// Name of its file, without the extension.
    pub name: &'static str,
    /// Features, grouped by class.
    pub features: Vec<Feature>,
}

/// One feature of a geometry.
#[derive(Debug)]
pub struct Feature {
    /// Class of the feature: its features share their weights.
    pub class: &'static str,
    /// The squares (0..=63), most significant digit first.
    pub squares: Vec<usize>,
}

/// The features of a geometry that share their weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    /// Name in the geometry's file.
    pub name: &'static str,
    /// Number of squares of each feature. A feature has 3^digits weights.
    pub digits: u32,
    /// Index of the first weight in an array of weights.
    pub offset: usize,
}

impl Class {
    /// Number of weights: one for each value of a feature.
    pub const fn weights(&self) -> usize {
        3_usize.pow(self.digits)
    }
}

#[cfg(feature = "std")]
impl Geometry {
    /// Parses the text of a file in `geometries/`, which is part of the crate.
    pub(crate) fn read(name: &'static str, text: &'static str) -> Geometry {
        let mut features = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut words = line.split_whitespace();
            let class = words.next().expect("a line names its class");
            features.extend(words.map(|squares| {
                Feature {
                    class,
                    squares: squares
                        .as_bytes()
                        .chunks(2)
                        .map(|square| usize::from(square[0] - b'A' + 8 * (square[1] - b'1')))
                        .collect(),
                }
            }));
        }
        assert!(features.len() <= FEATURES, "{name} has too many features");
        Geometry { name, features }
    }
}

/// Place value of each square in each feature: 3^d if the square is the feature's digit d, else 0. The last
/// entry stands for no square and is all 0. `squares` lists each feature's squares, the most significant
/// digit first.
pub(crate) const fn powers(squares: &[&[u8]]) -> [Features; 65] {
    let mut all = [Features([0; FEATURES]); 65];
    let mut feature = 0;
    while feature < squares.len() {
        let mut power = 1;
        let mut left = squares[feature].len();
        while left > 0 {
            left -= 1;
            all[squares[feature][left] as usize].0[feature] = power;
            power *= 3;
        }
        feature += 1;
    }
    all
}

/// Contribution of the discs on half a row to each feature, as `[half][discs]`. Half `i` begins at square
/// `4 * i`, and `discs` are its four squares as bits.
pub(crate) const fn half_rows(powers: &[Features; 65]) -> [[Features; 16]; 16] {
    let mut all = [[Features([0; FEATURES]); 16]; 16];
    let mut square = 0;
    while square < 64 {
        let half = &mut all[square / 4];
        let mut discs = 0;
        while discs < 16 {
            let mut feature = 0;
            while feature < FEATURES {
                let held = (discs >> (square % 4) & 1) as u16;
                half[discs].0[feature] += held * powers[square].0[feature];
                feature += 1;
            }
            discs += 1;
        }
        square += 1;
    }
    all
}

/// Table of sums: entry `bits` is the sum of `values[i]` over the set bits `i` of `bits`.
#[cfg(feature = "all-algorithms")]
pub(crate) const fn digits(values: &[u16]) -> [u16; 1024] {
    let mut all = [0; 1024];
    let mut bits = 1_usize;
    while bits < 1 << values.len() {
        all[bits] = all[bits & (bits - 1)] + values[bits.trailing_zeros() as usize];
        bits += 1;
    }
    all
}
