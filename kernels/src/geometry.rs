//! Which squares the features of an evaluation are made of: data, read from `geometries/*.txt`.
//!
//! A feature is a list of squares read as a number in base 3: digit 0 where the mover has a disc, 1
//! where the square is empty, 2 where the opponent has one (NTest's digits). Changing sides is then
//! the subtraction `highest - feature`, without a table.

use std::sync::LazyLock;

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

impl Geometry {
    /// Reads the text of a file in `geometries/`, which the crate brings along.
    fn read(name: &'static str, text: &'static str) -> Geometry {
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

/// The 46 features of Edax and Logistello: the default.
pub static EDAX: LazyLock<Geometry> =
    LazyLock::new(|| Geometry::read("edax", include_str!("../geometries/edax.txt")));

/// The 42 patterns of NTest.
pub static NTEST: LazyLock<Geometry> =
    LazyLock::new(|| Geometry::read("ntest", include_str!("../geometries/ntest.txt")));
