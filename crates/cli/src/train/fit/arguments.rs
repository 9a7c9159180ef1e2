//! Options of `outflank train fit`.

use std::path::PathBuf;

use clap::Args;
use outflank_train::fit::Stages;

use super::super::ThreadsArgument;
use crate::number_options::{ANY_U64, real, whole};
use crate::output_files::ForceArgument;
use crate::progress::ProgressArgument;

/// Fit the weights of an evaluation to labelled positions
///
/// Positions come from records, problems with scores (OBF) and games. A game gives its position with a theoretical
/// score, usually the one with 24 empty squares. With --games-weight, its other positions are labelled with the result
/// of the game. Equal boards, up to symmetry, are merged.
///
/// Every twentieth game is held out by default. The fit of linear weights ends when held-out positions gain no more,
/// and writes the weights with the lowest hold-out loss. With --network, a network is trained for a number of epochs
/// and written at the end.
///
/// Equal files and options give equal weights, to the bit, on any machine and with any number of threads. Ctrl-C ends
/// the fit. The best linear weights so far are written, or the network in its current state.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Train a network instead of linear weights
    #[arg(long, conflicts_with_all = LINEAR_ONLY)]
    pub(super) network: bool,

    /// Network: number of epochs, which are passes over all training positions
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole::<usize>(1..=1000))]
    #[arg(requires = "network")]
    pub(super) epochs: usize,

    /// Network: draw the learning curves as an SVG picture
    #[arg(long, value_name = "FILE", requires = "network")]
    pub(super) svg: Option<PathBuf>,

    /// Files of labelled positions: records, problems (OBF) and games; - is standard input, but not for records
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// File to write the weights to; existing weights are replaced
    #[arg(long, value_name = "OUT")]
    pub(super) out: PathBuf,

    #[command(flatten)]
    pub(super) force: ForceArgument,

    /// Leave out files with games after this year. Their positions are left out of all other files, too
    #[arg(long, value_name = "YEAR", value_parser = whole::<u16>(0..=65_535))]
    pub(super) until: Option<u16>,

    /// Leave out the positions that `train score` takes from this file, up to symmetry; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(super) exclude: Vec<PathBuf>,

    /// Weight of a position labelled by a search, 0 or more; an exact label has weight 1
    #[arg(long, value_name = "W", default_value_t = 1.0, value_parser = real(0.0..=1e6_f32))]
    pub(super) search_weight: f32,

    /// Weight of a position labelled by the result of its game, 0 or more; 0 leaves such positions out
    #[arg(long, value_name = "W", default_value_t = 0.0, value_parser = real(0.0..=1e6_f32))]
    pub(super) games_weight: f32,

    /// Share of the games that are held out, 0 to 0.9
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = real(0.0..=0.9))]
    pub(super) hold_out: f64,

    /// Seed of the hold-out; for a network also of its initial weights and of the order of positions
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(ANY_U64))]
    pub(super) seed: u64,

    /// Knots: numbers of empty squares with their own weights, in ascending order. Weights between knots are
    /// interpolated
    #[arg(long, value_name = "LIST", value_parser = stages)]
    #[arg(default_value = "0,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60")]
    pub(super) knots: Stages,

    /// Weight decay: halves a weight that occurs in this number of positions, and reduces rarer ones more
    #[arg(long, value_name = "POSITIONS", default_value_t = 30.0, value_parser = real(0.0..=1e6_f32))]
    pub(super) decay: f32,

    /// Smoothing: moves a weight that occurs in this number of positions half way to the weight of the next knot, if
    /// the knots are one empty square apart
    #[arg(long, value_name = "POSITIONS", default_value_t = 100.0, value_parser = real(0.0..=1e6_f32))]
    pub(super) smooth: f32,

    /// Lengths of windows in squares, LO-HI, or none. A window is a part of a pattern with its own weight; windows give
    /// values to rare patterns
    #[arg(long, value_name = "LO-HI", default_value = "1-8", value_parser = windows)]
    pub(super) windows: Windows,

    /// Huber loss: error in discs above which the loss grows linearly [default: squared loss; for a network 6]
    #[arg(long, value_name = "DISCS", value_parser = real(0.01..=128.0_f32))]
    pub(super) huber: Option<f32>,

    /// Maximum number of iterations
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = whole::<usize>(0..=1_000_000))]
    pub(super) iterations: usize,

    /// Early stopping: number of iterations without a lower hold-out loss after which the fit ends
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = whole::<usize>(0..=1_000_000))]
    pub(super) patience: usize,

    /// Checkpoint file, from which an interrupted fit continues. It is written every ten iterations, or 20 times per
    /// epoch of a network
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,

    /// Initial linear weights, in a file of Outflank or Edax [default: zero]
    #[arg(long, value_name = "WEIGHTS")]
    pub(super) start: Option<PathBuf>,

    #[command(flatten)]
    pub(super) threads: ThreadsArgument,

    #[command(flatten)]
    pub(super) progress: ProgressArgument,
}

/// Options for linear weights only.
const LINEAR_ONLY: [&str; 7] = [
    "knots",
    "decay",
    "smooth",
    "windows",
    "iterations",
    "patience",
    "start",
];

const EXAMPLES: &str = "\
Examples:
  outflank train fit WTH_*.wtb --until 2017 --out games.weights
      theoretical scores of games up to 2017, without positions of later games
  outflank train fit *.records --exclude test.obf --out new.weights --checkpoint fit.state
      a fit that the same command continues after a kill
  outflank train fit --network *.records --out network.weights
      a network instead of linear weights";

/// Lengths of windows.
#[derive(Clone)]
pub(super) struct Windows(pub(super) Vec<u32>);

fn stages(text: &str) -> Result<Stages, String> {
    let numbers: Result<Vec<u8>, _> = text
        .split(',')
        // Without the type: ambiguous on Windows, where a dependency collects its characters into bytes.
        .map(|number| number.trim().parse::<u8>())
        .collect();
    let stages = numbers.ok().and_then(Stages::new);
    stages.ok_or_else(|| {
        "expected numbers from 0 to 60 in ascending order, such as 0,30,60".to_owned()
    })
}

fn windows(text: &str) -> Result<Windows, String> {
    if text == "none" {
        return Ok(Windows(Vec::new()));
    }
    let lengths = || {
        let (low, high) = text.split_once('-').unwrap_or((text, text));
        let (low, high) = (low.parse().ok()?, high.parse().ok()?);
        (1 <= low && low <= high && high <= 9).then(|| Windows((low..=high).collect()))
    };
    lengths().ok_or_else(|| "expected lengths from 1 to 9, such as 1-8, or none".to_owned())
}
