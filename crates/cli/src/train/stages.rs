//! `outflank train stages`: outputs of single stages of a network.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;
use outflank::eval::Parameters;
use outflank_support::text::plural;
use outflank_train::fit::{Examples, Sampling, Targets};
use outflank_train::input::Input;
use outflank_train::network::{FittedStage, fit_stages};

use super::{TrainError, files_of, report_unused, weights};
use crate::CommandError;
use crate::console::print_line;
use crate::error::NotNetwork;
use crate::number_options::{grouped, real};
use crate::output_files::{Files, ForceArgument, kind};

/// Fit the outputs of single stages of a network, and keep everything else
///
/// A stage of a network is used for one number of empty squares. The first plies have too few positions for a joint
/// training: there is one position with 60 empty squares, and 1,773 with 54. Each of these stages starts as a copy of
/// the stage with one empty square fewer. Ridge regression then fits its outputs to the labelled positions. All other
/// stages stay equal, to the bit.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files of labelled positions: records, or problems (OBF) with scores; - is standard input, but not for records
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Initial weights; - stands for the built-in weights
    #[arg(long, value_name = "WEIGHTS", default_value = "-")]
    start: PathBuf,

    /// Stages to fit: numbers of empty squares from 1 to 60, LO and HI included. In a file with two networks,
    /// LO - 1 to HI have to belong to the same one
    #[arg(long, value_name = "LO..HI", default_value = "54..60", value_parser = stages)]
    empties: RangeInclusive<usize>,

    /// Weight decay: number of positions with which an output moves only half way from its initial to its best value
    #[arg(long, value_name = "POSITIONS", default_value_t = 0.1, value_parser = real(0.001..=1e6_f32))]
    decay: f32,

    /// File to write the weights to; existing weights are replaced
    #[arg(long, value_name = "OUT")]
    out: PathBuf,

    #[command(flatten)]
    force: ForceArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank train generate 56.records --from self --opening-plies 4 --random-plies 0 --games 60 \\
      --empties 56 --deviations 0 --per-game 1 --depth 16 --selectivity 73
      every position after four plies, searched 16 plies deep
  outflank train stages 5*.records 60.records --out new.weights";

fn stages(text: &str) -> Result<RangeInclusive<usize>, String> {
    let range = || {
        let (low, high) = text.split_once("..")?;
        let (low, high) = (low.parse().ok()?, high.parse().ok()?);
        (1 <= low && low <= high && high <= 60).then_some(low..=high)
    };
    range()
        .ok_or_else(|| "expected numbers of empty squares from 1 to 60, such as 54..60".to_owned())
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let mut out = Files::new()
        .reading("FILE", &arguments.files)
        .reading("--start", files_of([&arguments.start]))
        .writing_one("--out", &arguments.out, kind::WEIGHTS, arguments.force)?;
    let mut model = weights(&arguments.start)?;
    let Parameters::Networks(networks) = &mut model.parameters else {
        return Err(NotNetwork(arguments.start.clone()).into());
    };
    let stages = arguments.empties.clone();
    let (below, last) = (*stages.start() as u32 - 1, *stages.end() as u32);
    if !std::ptr::eq(networks.at(below), networks.at(last)) {
        return Err(TrainError::DifferentNetworks(stages).into());
    }
    let network = networks.at_mut(last);
    let targets = targets(&arguments.files)?;
    let fitted = fit_stages(network, &targets, stages.clone(), arguments.decay.into());
    let positions = fitted.iter().map(|stage| stage.positions).sum::<usize>();
    if positions == 0 {
        return Err(TrainError::NothingInStages(stages).into());
    }
    report(&fitted)?;
    let summary = format!(
        "outputs of {} to {} empty squares: {}, decay {}",
        arguments.empties.start(),
        arguments.empties.end(),
        plural(grouped(positions as u64), "position", "positions"),
        arguments.decay
    );
    model.about = format!("{}\noutflank train stages: {summary}", model.about);
    out.write(&model.write())?;
    print_line(format_args!("{}: {summary}", arguments.out.display()))?;
    Ok(0)
}

/// Reads all labelled positions.
fn targets(files: &[PathBuf]) -> Result<Targets, CommandError> {
    let mut examples = Examples::new(Sampling {
        search: 1.0,
        games: 0.0,
        held_out: 0.0,
        seed: 0,
    });
    for path in files {
        let unused = Input::open(path)?.each(false, |record| examples.add(&record))?;
        report_unused(path, &unused);
    }
    let targets = examples.targets();
    match targets.counts().training {
        0 => Err(TrainError::NothingToLearn.into()),
        _ => Ok(targets),
    }
}

/// Writes a table of errors before and after the fit.
fn report(fitted: &[FittedStage]) -> Result<(), CommandError> {
    print_line("empties| positions | bias, MAE before  |  bias, MAE after")?;
    print_line("-------+-----------+-------------------+-------------------")?;
    for stage in fitted {
        let errors = match stage.positions {
            // The stage is a copy of the one with an empty square fewer.
            0 => String::new(),
            _ => [stage.before, stage.after]
                .map(|errors| format!("{:>+11.2}{:>9.2}", errors.bias, errors.mae))
                .concat(),
        };
        print_line(format_args!(
            "{:>7}{:>12}{errors}",
            stage.empties, stage.positions
        ))?;
    }
    Ok(())
}
