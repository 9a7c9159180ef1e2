//! Weights, or rows of a network, without their mirror images: a feature that is read along the other side of
//! the board's symmetry sees the same discs in another order, and shares a weight.

use std::sync::LazyLock;

use outflank_kernels::geometry::Geometry;
use outflank_kernels::geometry::{Class, corner, edax};

use crate::square::{SYMMETRIES, Square};

/// The symmetry that exchanges columns and rows.
const EXCHANGE: usize = 4;

/// The number of weights of the default geometry without mirror images.
pub const PACKED: usize = 114_363;

/// Which weight of a file each value of a feature has.
///
/// The weights stand class after class in the order of the geometry; within a class a value has the
/// place of its mirror image where that is smaller, and the next one otherwise.
#[derive(Debug)]
pub struct Packing {
    /// For each class, by the feature's value.
    places: Vec<Vec<u32>>,
    /// The places of each class begin here; the last entry is where all end.
    begins: Vec<usize>,
}

impl Packing {
    /// That of the default geometry.
    pub fn get() -> &'static Packing {
        static PACKING: LazyLock<Packing> = LazyLock::new(|| {
            let packing = Packing::new(&edax::GEOMETRY, &edax::CLASSES, 1..SYMMETRIES);
            assert_eq!(packing.len(), PACKED, "the geometry and the constant");
            packing
        });
        &PACKING
    }

    /// That of the network's geometry: a feature belongs to a corner, which only the exchange of columns and
    /// rows leaves in its place.
    pub fn corner() -> &'static Packing {
        static PACKING: LazyLock<Packing> =
            LazyLock::new(|| Packing::new(&corner::GEOMETRY, &corner::CLASSES, [EXCHANGE]));
        &PACKING
    }

    /// That of a geometry in which the image of a feature under one of `symmetries` shares its weights.
    fn new(
        geometry: &Geometry,
        classes: &[Class],
        symmetries: impl IntoIterator<Item = usize> + Clone,
    ) -> Packing {
        let mut packing = Packing {
            places: Vec::new(),
            begins: vec![0],
        };
        let mut next = 0;
        for class in classes {
            let mut features = geometry
                .features
                .iter()
                .filter(|one| one.class == class.name);
            let squares = &features.next().expect("a class has features").squares;
            let images = images(&mirror(squares, symmetries.clone()));
            let mut places = Vec::with_capacity(images.len());
            for (value, image) in (0..).zip(images) {
                places.push(if image < value {
                    places[image as usize]
                } else {
                    next
                });
                next += u32::from(image >= value);
            }
            packing.places.push(places);
            packing.begins.push(next as usize);
        }
        packing
    }

    /// The number of weights.
    pub fn len(&self) -> usize {
        self.begins[self.begins.len() - 1]
    }

    /// Whether there are none, as in no geometry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The places of the weights of a class, by the feature's value. Classes count from 0, in the order
    /// of the geometry.
    pub fn class(&self, class: usize) -> &[u32] {
        &self.places[class]
    }

    /// Where the weights of a class are.
    pub fn range(&self, class: usize) -> std::ops::Range<usize> {
        self.begins[class]..self.begins[class + 1]
    }
}

/// The digits of a feature as one of `symmetries` that maps the feature to itself exchanges them; the identity
/// where there is none that does.
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
            let place = |&square: &usize| squares.iter().position(|&one| one == symmetry(square));
            squares.iter().map(place).collect::<Option<Vec<usize>>>()
        })
        .find(|digits| *digits != identity)
        .unwrap_or(identity)
}

/// Each value with its digits, the first the most significant, exchanged by `mirror`.
///
/// Digit by digit, without a division: this is part of what every start of the program waits for.
fn images(mirror: &[usize]) -> Vec<u32> {
    let mut images = vec![0];
    for digit in 0..mirror.len() {
        let place = mirror.iter().position(|&one| one == digit);
        let place = place.expect("the mirror exchanges all digits");
        let unit = 3_u32.pow((mirror.len() - 1 - place) as u32);
        let with = |&image: &u32| [image, image + unit, image + 2 * unit];
        images = images.iter().flat_map(with).collect();
    }
    images
}
