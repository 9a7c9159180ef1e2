//! Positions as the network is trained on them.

use std::sync::LazyLock;

use outflank::eval::Packing;
use outflank_kernels::Features;
use outflank_kernels::geometry::corner::{CLASSES, COUNT, GEOMETRY, OFFSETS};
use outflank_kernels::levels::portable::feature_set_corner;
use outflank_kernels::network::{MAX_MOVES, STAGES};

use super::rows::{ROWS, SIDES};
use crate::fit::{Counts, Target, Targets, parallel};

/// The rows of a position: those of its features, of the mover's number of moves, and of the stage.
pub(super) const ROWS_OF_ONE: usize = COUNT + 2;

/// A position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// The values of its features; where several share a row, the first of them.
    features: [u16; COUNT],
    /// The number of moves that the mover has, [`MAX_MOVES`] at most.
    moves: u8,
    /// Empty squares.
    empties: u8,
    /// What it is worth, in discs.
    pub(super) target: f32,
    /// What it counts.
    pub(super) weight: f32,
}

impl Sample {
    pub(super) fn new(one: &Target) -> Sample {
        let board = one.board;
        let mut features = Features::default();
        feature_set_corner::selected(board.player, board.opponent, &mut features);
        let shared = |feature: usize| {
            let value = features.0[feature];
            SHARED[FEATURE_CLASSES[feature]][usize::from(value)]
        };
        Sample {
            features: std::array::from_fn(shared),
            moves: board.mobility().count_ones().min(MAX_MOVES as u32) as u8,
            empties: board.empty_count().min(STAGES as u32 - 1) as u8,
            target: one.target,
            weight: one.weight,
        }
    }

    /// The number of empty squares, which chooses the outputs.
    pub(super) fn stage(&self) -> usize {
        self.empties.into()
    }

    /// Where its rows stand: by feature, and then the two that all corners have.
    #[inline(always)]
    pub(super) fn rows(&self) -> [u32; ROWS_OF_ONE] {
        std::array::from_fn(|place| match place {
            0..COUNT => OFFSETS[place] + u32::from(self.features[place]),
            COUNT => ROWS as u32 + u32::from(self.moves),
            _ => (ROWS + MAX_MOVES + 1) as u32 + u32::from(self.empties),
        })
    }
}

/// Positions as the network is trained on them.
pub struct Data {
    pub(super) training: Vec<Sample>,
    pub(super) held_out: Vec<Sample>,
    pub(super) counts: Counts,
    /// A checksum of the positions, values and weights.
    pub(super) check: u32,
}

impl Data {
    /// Prepares the positions, on `threads` threads.
    pub fn new(targets: &Targets, threads: usize) -> Data {
        Data {
            training: samples(&targets.training, threads),
            held_out: samples(&targets.held_out, threads),
            counts: targets.counts,
            check: targets.check,
        }
    }

    /// How many there are of what.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// How often each row is used in training, with the rows that all corners have.
    pub(super) fn uses(&self) -> Vec<u32> {
        let mut uses = vec![0; ROWS + SIDES];
        for row in self.training.iter().flat_map(Sample::rows) {
            uses[row as usize] += 1;
        }
        uses
    }
}

fn samples(targets: &[Target], threads: usize) -> Vec<Sample> {
    let mut parts: Vec<&[Target]> = targets.chunks(1 << 16).collect();
    parallel::each(threads, &mut parts, |part| {
        part.iter().map(Sample::new).collect::<Vec<_>>()
    })
    .concat()
}

/// The class of each feature.
static FEATURE_CLASSES: LazyLock<[usize; COUNT]> = LazyLock::new(|| {
    let named = |name: &str| CLASSES.iter().position(|class| class.name == name);
    std::array::from_fn(|feature| named(GEOMETRY.features[feature].class).expect("it is listed"))
});

/// For each class, by the feature's value, the value whose row it has: the first one of those that share a row.
pub(super) static SHARED: LazyLock<[Vec<u16>; CLASSES.len()]> = LazyLock::new(|| {
    let packing = Packing::corner();
    let mut first = vec![None; packing.len()];
    std::array::from_fn(|class| {
        let places = packing.class(class).iter().enumerate();
        let shared =
            |(value, &place): (usize, &u32)| *first[place as usize].get_or_insert(value as u16);
        places.map(shared).collect()
    })
});
