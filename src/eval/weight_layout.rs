//! The order of weights, or of a network's rows, without mirror images. Many features are symmetric: a mirror image has
//! the same squares in another order. Both orders read the same discs, so their two values share a weight.

use std::sync::LazyLock;

use outflank_kernels::geometry::{Class, Geometry, corner, edax};

use crate::square::{SYMMETRIES, Square};

/// The symmetry that exchanges columns and rows.
const EXCHANGE: usize = 4;

/// The number of weights of a knot: those of the default geometry without mirror images.
pub const KNOT_WEIGHTS: usize = 114_363;

/// The map from a feature's value to the index of its weight, in an array of weights without mirror images.
///
/// Weights are ordered by class, in the order of the geometry. Within a class, a value whose mirror image is a smaller
/// value shares the index of that image. Every other value has the next free index.
#[derive(Debug)]
pub struct WeightLayout {
    /// The indices of each class, by the feature's value.
    indices: Vec<Vec<u32>>,
    /// The first index of each class, then the number of weights.
    starts: Vec<usize>,
}

impl WeightLayout {
    /// The layout of the default geometry.
    pub fn get() -> &'static WeightLayout {
        static LAYOUT: LazyLock<WeightLayout> = LazyLock::new(|| {
            let layout = WeightLayout::new(&edax::GEOMETRY, &edax::CLASSES, 1..SYMMETRIES);
            assert_eq!(layout.len(), KNOT_WEIGHTS, "the geometry and the constant");
            layout
        });
        &LAYOUT
    }

    /// The layout of the network's geometry. Each feature belongs to a corner. Only the exchange of columns and
    /// rows keeps the corner in place.
    pub fn corner() -> &'static WeightLayout {
        static LAYOUT: LazyLock<WeightLayout> =
            LazyLock::new(|| WeightLayout::new(&corner::GEOMETRY, &corner::CLASSES, [EXCHANGE]));
        &LAYOUT
    }

    /// Creates the layout of a geometry in which a feature and its image under one of `symmetries` share weights.
    fn new(
        geometry: &Geometry,
        classes: &[Class],
        symmetries: impl IntoIterator<Item = usize> + Clone,
    ) -> WeightLayout {
        let mut layout = WeightLayout {
            indices: Vec::new(),
            starts: vec![0],
        };
        let mut next = 0;
        for class in classes {
            let mut features = geometry.features.iter();
            let feature = features.find(|feature| feature.class == class.name);
            let squares = &feature.expect("a class has features").squares;
            let images = images(&mirror(squares, symmetries.clone()));
            let mut indices = Vec::with_capacity(images.len());
            for (value, image) in (0..).zip(images) {
                indices.push(if image < value {
                    indices[image as usize]
                } else {
                    next
                });
                next += u32::from(image >= value);
            }
            layout.indices.push(indices);
            layout.starts.push(next as usize);
        }
        layout
    }

    /// The number of weights.
    pub fn len(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// Returns `true` for a geometry without features.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The indices of the weights of a class, by the feature's value. Classes count from 0, in the order
    /// of the geometry.
    pub fn class(&self, class: usize) -> &[u32] {
        &self.indices[class]
    }

    /// The range of all indices of a class.
    pub fn range(&self, class: usize) -> std::ops::Range<usize> {
        self.starts[class]..self.starts[class + 1]
    }
}

/// The permutation of a feature's digits by the first of `symmetries` that maps the feature to itself and permutes
/// digits; the identity if there is none.
fn mirror(squares: &[usize], symmetries: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let symmetries = symmetries.into_iter().map(|symmetry| {
        move |square: usize| {
            let square = Square::new(square as u8).expect("features are made of squares");
            square.image(symmetry).index()
        }
    });
    let identity: Vec<usize> = (0..squares.len()).collect();
    symmetries
        .filter_map(|symmetry| {
            let digit =
                |&square: &usize| squares.iter().position(|&other| other == symmetry(square));
            squares.iter().map(digit).collect::<Option<Vec<usize>>>()
        })
        .find(|digits| *digits != identity)
        .unwrap_or(identity)
}

/// For each value, the value with its digits permuted by `mirror`. The first digit is the most significant.
///
/// The values are built digit by digit without divisions, because every start of the program waits for them.
fn images(mirror: &[usize]) -> Vec<u32> {
    let mut images = vec![0];
    for digit in 0..mirror.len() {
        let target = mirror.iter().position(|&source| source == digit);
        let target = target.expect("the mirror permutes all digits");
        let unit = 3_u32.pow((mirror.len() - 1 - target) as u32);
        let with = |&image: &u32| [image, image + unit, image + 2 * unit];
        images = images.iter().flat_map(with).collect();
    }
    images
}
