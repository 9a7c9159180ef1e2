//! What is learnt from: positions, each once, split into those that weights are fitted to and those that
//! are held out to see how well they do on others.

use std::collections::HashSet;

use outflank_kernels::levels::portable::canonical;
use outflank_random::SplitMix;

use super::parallel;
use super::segment::Segment;
use crate::record::{Record, Source};
use outflank::board::Board;
use outflank::eval::DISC;

/// What labelled positions are taken for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sampling {
    /// What a position counts whose value comes from a search; one with an exact value counts 1.
    pub search: f32,
    /// What a position counts whose value is the result of its game; 0 leaves them out.
    pub games: f32,
    /// The share of the games that is held out, 0 to 1.
    pub held_out: f64,
    /// Which games those are.
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

    /// Whether a game is held out: by its number alone, so that all of its positions are.
    fn holds_out(&self, game: u32) -> bool {
        let hash = SplitMix::new(self.seed ^ u64::from(game) << 32).bits();
        (hash as f64) < self.held_out * 2_f64.powi(64)
    }
}

/// The numbers of positions given, left out and used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Labelled positions that were given.
    pub given: usize,
    /// Those whose source counts nothing.
    pub weightless: usize,
    /// Those where nobody can move, and those with more empty squares than a game begins with.
    pub unplayable: usize,
    /// Those that are on a board to be left out, up to symmetry.
    pub excluded: usize,
    /// Those of held-out games on a board that is trained on, too.
    pub shared: usize,
    /// Different boards, up to symmetry, that are trained on.
    pub training: usize,
    /// Different boards that are held out.
    pub held_out: usize,
}

/// Labelled positions as they come.
pub struct Examples {
    sampling: Sampling,
    examples: Vec<Example>,
    excluded: HashSet<Board>,
    counts: Counts,
}

/// A labelled position.
#[derive(Clone, Copy)]
struct Example {
    /// The one of its symmetries that stands for all.
    board: Board,
    /// In 1/128 disc.
    value: i16,
    exact: bool,
    held_out: bool,
    weight: f32,
}

impl Examples {
    /// None so far.
    pub fn new(sampling: Sampling) -> Examples {
        Examples {
            sampling,
            examples: Vec::new(),
            excluded: HashSet::new(),
            counts: Counts::default(),
        }
    }

    /// Takes a labelled position. Where the mover has to pass, it is the one after the pass.
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
            board: one_of_all(board),
            value: record.value.saturating_mul(sign),
            exact: record.source == Source::Exact,
            held_out: self.sampling.holds_out(record.game),
            weight,
        });
    }

    /// Leaves a board out, in all its symmetries.
    pub fn exclude(&mut self, board: Board) {
        if let Some((board, _)) = mover_to_play(board) {
            self.excluded.insert(one_of_all(board));
        }
    }

    /// Sorts them out. The order in which they were given does not matter.
    ///
    /// Equal boards become one, with the mean of their values and the sum of what they count; where
    /// some of its values are exact, by those alone.
    pub fn targets(self) -> Targets {
        let Examples {
            mut examples,
            excluded,
            mut counts,
            ..
        } = self;
        examples.sort_unstable_by_key(|one| {
            let board = one.board;
            let of_board = (board.empty_count(), board.player, board.opponent);
            (
                of_board,
                one.held_out,
                !one.exact,
                one.value,
                one.weight.to_bits(),
            )
        });
        let mut kinds = [Vec::new(), Vec::new()];
        for same in examples.chunk_by(|a, b| a.board == b.board) {
            if excluded.contains(&same[0].board) {
                counts.excluded += same.len();
                continue;
            }
            // Training comes first: what is trained on tells nothing when it is held out, too.
            let kind = same[0].held_out;
            let of_kind = same.partition_point(|one| one.held_out == kind);
            counts.shared += same.len() - of_kind;
            kinds[usize::from(kind)].push(mean(&same[..of_kind]));
        }
        drop(examples);
        let [training, held_out] = kinds;
        (counts.training, counts.held_out) = (training.len(), held_out.len());
        let mut check = crc32fast::Hasher::new();
        for one in training.iter().chain(&held_out) {
            check.update(&one.board.player.to_le_bytes());
            check.update(&one.board.opponent.to_le_bytes());
            check.update(&one.target.to_le_bytes());
            check.update(&one.weight.to_le_bytes());
        }
        Targets {
            training,
            held_out,
            counts,
            check: check.finalize(),
        }
    }
}

/// The position with a mover who can play, and whether its value is the other side's (-1) or not (1);
/// `None` if nobody can play, or no game comes to it.
fn mover_to_play(board: Board) -> Option<(Board, i16)> {
    if board.empty_count() > Board::START.empty_count() {
        return None;
    }
    let turns = [(board, 1), (board.pass(), -1)];
    turns.into_iter().find(|(board, _)| board.mobility() != 0)
}

/// The one of the board's symmetries that stands for all.
fn one_of_all(board: Board) -> Board {
    let [player, opponent] = canonical::selected(board.player, board.opponent);
    Board { player, opponent }
}

/// Different boards, sorted by empty squares and discs, with what they are worth.
pub struct Targets {
    pub(crate) training: Vec<Target>,
    pub(crate) held_out: Vec<Target>,
    pub(crate) counts: Counts,
    /// A checksum of the positions, values and weights.
    pub(crate) check: u32,
}

impl Targets {
    /// How many there are of what.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

/// A board as it is learnt from.
pub(crate) struct Target {
    pub(crate) board: Board,
    /// Discs.
    pub(crate) target: f32,
    pub(crate) weight: f32,
}

/// The mean of the values of one board, sorted so that exact ones come first.
fn mean(same: &[Example]) -> Target {
    let exact = same.partition_point(|one| one.exact);
    let counted = if exact > 0 { &same[..exact] } else { same };
    let (sum, weight) = counted.iter().fold((0.0, 0.0), |(sum, weight), one| {
        let one_weight = f64::from(one.weight);
        (sum + one_weight * f64::from(one.value), weight + one_weight)
    });
    Target {
        board: same[0].board,
        target: (sum / weight / f64::from(DISC)) as f32,
        weight: weight as f32,
    }
}

/// Positions as linear weights are fitted to them.
pub struct Data {
    pub(super) training: Vec<Segment>,
    pub(super) held_out: Vec<Segment>,
    pub(super) counts: Counts,
    /// A checksum of the positions, values and weights.
    pub(super) check: u32,
}

impl Data {
    /// Prepares the positions for passes over them, on `threads` threads.
    pub fn new(targets: &Targets, threads: usize) -> Data {
        Data {
            training: segments(&targets.training, threads),
            held_out: segments(&targets.held_out, threads),
            counts: targets.counts,
            check: targets.check,
        }
    }

    /// How many there are of what.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

/// Segments that are small enough for many threads and large enough to be worth a table each.
fn segments(targets: &[Target], threads: usize) -> Vec<Segment> {
    const MAX: usize = 64;
    const MIN_POSITIONS: usize = 4096;
    let most_positions = targets.len().div_ceil(MAX).max(MIN_POSITIONS);
    let mut parts: Vec<&[Target]> = targets
        .chunk_by(|a, b| a.board.empty_count() == b.board.empty_count())
        .flat_map(|stage| {
            let parts = stage.len().div_ceil(most_positions);
            stage.chunks(stage.len().div_ceil(parts))
        })
        .collect();
    parallel::each(threads, &mut parts, |targets| Segment::new(targets))
}
