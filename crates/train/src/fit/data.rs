//! Preparation of labelled positions: deduplication, and the split into training and hold-out positions.

use std::collections::HashSet;

use outflank_random::SplitMix64;

use super::segment::{Segment, Target};
use crate::parallel;
use crate::record::{Record, Source};
use outflank::board::Board;
use outflank::eval::DISC;

/// Weights of labelled positions by source, and choice of the held-out games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sampling {
    /// Weight of a position with a search value. An exact value has weight 1.
    pub search: f32,
    /// Weight of a position with the result of its game. 0 leaves such positions out.
    pub games: f32,
    /// Share of the games that is held out, 0 to 1.
    pub held_out: f64,
    /// Seed of the choice of held-out games.
    pub seed: u64,
}

impl Sampling {
    fn weight(&self, source: Source) -> f32 {
        match source {
            Source::Exact => 1.0,
            Source::Search { .. } => self.search,
            Source::Game => self.games,
        }
    }

    /// Returns `true` if a game is held out. The choice depends on the game's number only.
    fn holds_out(&self, game: u32) -> bool {
        let hash = SplitMix64::new(self.seed ^ u64::from(game) << 32).bits();
        (hash as f64) < self.held_out * 2_f64.powi(64)
    }
}

/// Numbers of labelled positions by use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PositionCounts {
    /// Positions given.
    pub given: usize,
    /// Positions with weight 0.
    pub weightless: usize,
    /// Positions without a move for either side, or with more empty squares than the start.
    pub unplayable: usize,
    /// Positions on excluded boards, up to symmetry.
    pub excluded: usize,
    /// Hold-out positions whose board is a training board, too.
    pub shared: usize,
    /// Distinct training boards, up to symmetry.
    pub training: usize,
    /// Distinct hold-out boards, up to symmetry.
    pub held_out: usize,
}

/// Collector of labelled positions.
pub struct Examples {
    sampling: Sampling,
    examples: Vec<Example>,
    excluded: HashSet<Board>,
    counts: PositionCounts,
}

#[derive(Clone, Copy)]
struct Example {
    /// Canonical board of the symmetry class.
    board: Board,
    /// Label in 1/128 disc.
    value: i16,
    exact: bool,
    held_out: bool,
    weight: f32,
}

impl Examples {
    /// Creates an empty collector.
    pub fn new(sampling: Sampling) -> Examples {
        Examples {
            sampling,
            examples: Vec::new(),
            excluded: HashSet::new(),
            counts: PositionCounts::default(),
        }
    }

    /// Adds a labelled position, after the pass if the mover has to pass.
    pub fn add(&mut self, record: &Record) {
        self.counts.given += 1;
        let weight = self.sampling.weight(record.source);
        if weight <= 0.0 {
            self.counts.weightless += 1;
            return;
        }
        let Some((board, sign)) = mover_to_play(record.board) else {
            self.counts.unplayable += 1;
            return;
        };
        self.examples.push(Example {
            board: board.canonical().0,
            value: record.value.saturating_mul(sign),
            exact: record.source == Source::Exact,
            held_out: self.sampling.holds_out(record.game),
            weight,
        });
    }

    /// Excludes a board and its symmetric ones.
    pub fn exclude(&mut self, board: Board) {
        if let Some((board, _)) = mover_to_play(board) {
            self.excluded.insert(board.canonical().0);
        }
    }

    /// Merges equal boards and splits them into training and hold-out. The order of the examples has no influence.
    ///
    /// A merged board has the sum of the weights and their weighted mean label. If exact labels exist, only they count.
    pub fn targets(self) -> Targets {
        let (mut examples, mut counts) = (self.examples, self.counts);
        examples.sort_unstable_by_key(|example| {
            let board = example.board;
            (
                (board.empty_count(), board.player, board.opponent),
                example.held_out,
                !example.exact,
                example.value,
                example.weight.to_bits(),
            )
        });
        let mut split = [Vec::new(), Vec::new()];
        for same in examples.chunk_by(|a, b| a.board == b.board) {
            if self.excluded.contains(&same[0].board) {
                counts.excluded += same.len();
                continue;
            }
            // Training examples come first. If there are any, the hold-out examples of the board are dropped.
            let held_out = same[0].held_out;
            let used = same.partition_point(|example| example.held_out == held_out);
            counts.shared += same.len() - used;
            split[usize::from(held_out)].push(mean(&same[..used]));
        }
        drop(examples);
        let [training, held_out] = split;
        (counts.training, counts.held_out) = (training.len(), held_out.len());
        let mut check = crc32fast::Hasher::new();
        for target in training.iter().chain(&held_out) {
            check.update(&target.board.player.to_le_bytes());
            check.update(&target.board.opponent.to_le_bytes());
            check.update(&target.target.to_le_bytes());
            check.update(&target.weight.to_le_bytes());
        }
        Targets {
            training,
            held_out,
            counts,
            check: check.finalize(),
        }
    }
}

/// Resolves a forced pass. Returns the position and the sign of its value: -1 after a pass.
///
/// Returns `None` if neither side can move, or if there are more empty squares than at the start.
fn mover_to_play(board: Board) -> Option<(Board, i16)> {
    if board.empty_count() > Board::START.empty_count() {
        return None;
    }
    let turns = [(board, 1), (board.pass(), -1)];
    turns.into_iter().find(|(board, _)| board.mobility() != 0)
}

/// Training and hold-out positions.
pub struct SplitPositions<T> {
    pub(crate) training: Vec<T>,
    pub(crate) held_out: Vec<T>,
    counts: PositionCounts,
    /// Checksum of boards, labels and weights.
    pub(crate) check: u32,
}

/// Distinct labelled boards, sorted by empty squares and discs.
pub type Targets = SplitPositions<Target>;

/// Positions prepared for a fit of linear weights.
pub type FitData = SplitPositions<Segment>;

impl<T> SplitPositions<T> {
    /// Numbers of positions by use.
    pub fn counts(&self) -> PositionCounts {
        self.counts
    }

    /// Prepares both parts.
    pub(crate) fn map<U>(&self, prepare: impl Fn(&[T]) -> Vec<U>) -> SplitPositions<U> {
        SplitPositions {
            training: prepare(&self.training),
            held_out: prepare(&self.held_out),
            counts: self.counts,
            check: self.check,
        }
    }
}

/// Merges examples of one board, the exact ones first. If there are any, only they count.
fn mean(same: &[Example]) -> Target {
    let exact = same.partition_point(|example| example.exact);
    let counted = if exact > 0 { &same[..exact] } else { same };
    let weights = counted.iter().map(|example| f64::from(example.weight));
    let weight: f64 = weights.clone().sum();
    let values = counted.iter().map(|example| f64::from(example.value));
    let sum: f64 = weights
        .zip(values)
        .map(|(weight, value)| weight * value)
        .sum();
    Target {
        board: same[0].board,
        target: (sum / weight / f64::from(DISC)) as f32,
        weight: weight as f32,
    }
}

impl FitData {
    /// Prepares the positions on `threads` threads.
    pub fn new(targets: &Targets, threads: usize) -> FitData {
        targets.map(|targets| segments(targets, threads))
    }
}

/// Splits positions into segments: enough for many threads, but each large enough to be worth a table.
fn segments(targets: &[Target], threads: usize) -> Vec<Segment> {
    const MAX_SEGMENTS: usize = 64;
    const MIN_POSITIONS: usize = 4096;
    let most_positions = targets.len().div_ceil(MAX_SEGMENTS).max(MIN_POSITIONS);
    let mut parts: Vec<&[Target]> = targets
        .chunk_by(|a, b| a.board.empty_count() == b.board.empty_count())
        .flat_map(|stage| {
            let parts = stage.len().div_ceil(most_positions);
            stage.chunks(stage.len().div_ceil(parts))
        })
        .collect();
    parallel::each(threads, &mut parts, |targets| Segment::new(targets))
}
