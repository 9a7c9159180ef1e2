//! Which squares the features of an evaluation are made of: data, from `geometries/*.txt`.
//!
//! A feature is a list of squares read as a number in base 3: digit 0 where the mover has a disc, 1
//! where the square is empty, 2 where the opponent has one (NTest's digits). Changing sides is then
//! the subtraction `highest - feature`, without a table.
//!
//! The files are read twice. The generator makes constants of them for the kernels, one module a
//! geometry; for the references they are read at run time, into a [`Geometry`].

pub use crate::generated::geometry::*;

/// The number of features in [`Features`]; a geometry may have fewer.
pub const FEATURES: usize = 48;

/// The features of one board, aligned for vector loads; what a geometry does not use is 0.
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
    /// Its name.
    pub name: &'static str,
    /// The features, those of a class together.
    pub features: Vec<Feature>,
}

/// One feature of a geometry.
#[derive(Debug)]
pub struct Feature {
    /// The class: features of one class share their weights.
    pub class: &'static str,
    /// The squares (0..=63), the first the most significant digit.
    pub squares: Vec<usize>,
}

/// The features of a geometry that share their weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    /// Its name.
    pub name: &'static str,
    /// The number of squares of each of its features: there are 3^digits weights.
    pub digits: u32,
    /// Where its weights begin in an array of weights.
    pub offset: usize,
}

impl Class {
    /// The number of its weights.
    pub const fn weights(&self) -> usize {
        3_usize.pow(self.digits)
    }
}

impl Geometry {
    /// Reads the text of a file in `geometries/`, which the crate brings along.
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

/// What a digit of each square is worth in each feature: 3^d where the square is the feature's digit
/// d, 0 where it is none. The last entry, of no square, is all 0. `squares` lists each feature's, the most
/// significant digit first.
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

/// What the discs on half a row add to each feature, by the half and by its discs as four bits. Half
/// `i` is the squares from `4 * i` on.
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

/// The sum that each set of bits makes where bit `i` is worth `values[i]`.
pub(crate) const fn digits(values: &[u16]) -> [u16; 1024] {
    let mut all = [0; 1024];
    let mut bits = 1_usize;
    while bits < 1 << values.len() {
        all[bits] = all[bits & (bits - 1)] + values[bits.trailing_zeros() as usize];
        bits += 1;
    }
    all
}
