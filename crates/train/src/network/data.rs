//! Training samples of the network.

use std::sync::LazyLock;

use outflank::Board;
use outflank::eval::WeightLayout;
use outflank_kernels::Features;
use outflank_kernels::geometry::corner::{CLASSES, COUNT, GEOMETRY, OFFSETS};
use outflank_kernels::levels::portable::feature_set_corner;
use outflank_kernels::network::{MAX_MOVES, STAGES};

use super::rows::{ROWS, SIDES};
use crate::fit::{SplitPositions, Target, Targets};
use crate::parallel;

/// Rows per position: one for each feature, one for the mover's mobility, one for the stage.
pub(super) const ROWS_PER_SAMPLE: usize = COUNT + 2;

/// Labelled position.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Values of the features. Values that share a row are represented by the first of them.
    features: [u16; COUNT],
    /// Mobility of the mover, at most [`MAX_MOVES`].
    moves: u8,
    empties: u8,
    /// Label in discs.
    pub(super) target: f32,
    pub(super) weight: f32,
}

impl Sample {
    pub(super) fn new(target: &Target) -> Sample {
        let board = target.board;
        let features = features(board);
        let shared = |feature: usize| {
            let value = features.0[feature];
            SHARED[FEATURE_CLASSES[feature]][usize::from(value)]
        };
        Sample {
            features: std::array::from_fn(shared),
            moves: board.mobility().count_ones().min(MAX_MOVES as u32) as u8,
            empties: board.empty_count().min(STAGES as u32 - 1) as u8,
            target: target.target,
            weight: target.weight,
        }
    }

    /// Number of empty squares, the index of the stage.
    pub(super) fn stage(&self) -> usize {
        self.empties.into()
    }

    /// Row indices: one for each feature, then the two side rows.
    #[inline(always)]
    pub(super) fn rows(&self) -> [u32; ROWS_PER_SAMPLE] {
        std::array::from_fn(|index| match index {
            0..COUNT => OFFSETS[index] + u32::from(self.features[index]),
            COUNT => ROWS as u32 + u32::from(self.moves),
            _ => (ROWS + MAX_MOVES + 1) as u32 + u32::from(self.empties),
        })
    }
}

pub(super) fn features(board: Board) -> Features {
    let mut features = Features::default();
    feature_set_corner::selected(board.player, board.opponent, &mut features);
    features
}

/// Positions prepared for the training of a network.
pub type NetworkData = SplitPositions<Sample>;

impl NetworkData {
    /// Prepares the positions on `threads` threads.
    pub fn new(targets: &Targets, threads: usize) -> NetworkData {
        targets.map(|targets| samples(targets, threads))
    }

    /// Number of training positions that use each row.
    pub(super) fn row_uses(&self) -> Vec<u32> {
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

static FEATURE_CLASSES: LazyLock<[usize; COUNT]> = LazyLock::new(|| {
    let named = |name: &str| CLASSES.iter().position(|class| class.name == name);
    std::array::from_fn(|feature| named(GEOMETRY.features[feature].class).expect("it is listed"))
});

/// First value with the same row, for each class and each value. Symmetric values share a row.
pub(super) static SHARED: LazyLock<[Vec<u16>; CLASSES.len()]> = LazyLock::new(|| {
    let layout = WeightLayout::corner();
    let mut first = vec![None; layout.len()];
    std::array::from_fn(|class| {
        let indices = layout.class(class).iter().enumerate();
        let shared =
            |(value, &index): (usize, &u32)| *first[index as usize].get_or_insert(value as u16);
        indices.map(shared).collect()
    })
});
