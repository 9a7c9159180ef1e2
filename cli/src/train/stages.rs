//! `outflank train stages`: the outputs of single stages of a network.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Args;
use outflank::eval::Parameters;
use outflank::text::counted;
use outflank_train::fit::{Examples, Sampling, Targets};
use outflank_train::input::Input;
use outflank_train::network::{FittedStage, fit_stages};

use super::{TrainError, files_of, tell_unused, weights};
use crate::CommandError;
use crate::numbers::{grouped, real};
use crate::output::line;
use crate::outputs::{Files, ForceArgument, kind};

/// Fit the outputs of single stages of a network, and keep everything else
///
/// A stage is a number of empty squares. Stages of the first plies have too few positions to be trained
/// with the others: one with 60 empty squares, 1,773 with 54. Each stage begins as a copy of the one
/// with an empty square fewer. Its outputs are then fitted to the labelled positions by ridge regression.
/// All other stages keep their values to the bit.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files with labelled positions: records, problems (OBF) with scores; values of equal boards are averaged
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The network to begin with; - stands for the one built in
    #[arg(long, value_name = "WEIGHTS", default_value = "-")]
    start: PathBuf,

    /// The stages to fit, both ends included
    #[arg(long, value_name = "LO..HI", default_value = "54..60", value_parser = stages)]
    empties: RangeInclusive<usize>,

    /// The number of positions that draws an output half way from its beginning to its best value
    #[arg(long, value_name = "POSITIONS", default_value_t = 0.1, value_parser = real(0.001..=1e6_f32))]
    decay: f32,

    /// The file for the weights; an older one is replaced
    #[arg(long, value_name = "OUT")]
    out: PathBuf,

    #[command(flatten)]
    force: ForceArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank train generate 56.records --from self --opening-plies 4 --random-plies 0 --games 60 \\
      --empties 56 --deviations 0 --per-game 1 --depth 16 --selectivity 73
      every position after four plies, searched 16 plies
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

/// Fits, writes the weights and reports; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let mut out = Files::new()
        .reading("FILE", &arguments.files)
        .reading("--start", files_of([&arguments.start]))
        .writing_one("--out", &arguments.out, kind::WEIGHTS, arguments.force)?;
    let mut model = weights(&arguments.start)?;
    let Parameters::Network(network) = &mut model.parameters else {
        return Err(TrainError::NotNetwork(arguments.start.clone()).into());
    };
    let targets = targets(&arguments.files)?;
    let stages = arguments.empties.clone();
    let fitted = fit_stages(network, &targets, stages, arguments.decay.into());
    report(&fitted)?;
    let positions = fitted.iter().map(|stage| stage.positions).sum::<usize>();
    let told = format!(
        "outputs of {} to {} empty squares: {}, decay {}",
        arguments.empties.start(),
        arguments.empties.end(),
        counted(grouped(positions as u64), "position", "positions"),
        arguments.decay
    );
    model.about = format!("{}; outflank train stages: {told}", model.about);
    out.write(&model.write())?;
    line(format_args!("{}: {told}", arguments.out.display()))?;
    Ok(0)
}

/// Reads all positions.
fn targets(files: &[PathBuf]) -> Result<Targets, CommandError> {
    let mut examples = Examples::new(Sampling {
        search: 1.0,
        games: 0.0,
        held_out: 0.0,
        seed: 0,
    });
    for path in files {
        let input = Input::open(path).map_err(TrainError::from)?;
        let unused = input.each(false, |record| examples.add(&record));
        tell_unused(path, &unused.map_err(TrainError::from)?);
    }
    let targets = examples.targets();
    match targets.counts().training {
        0 => Err(TrainError::NothingToLearn.into()),
        _ => Ok(targets),
    }
}

/// Writes a table of the errors before and after.
fn report(fitted: &[FittedStage]) -> Result<(), CommandError> {
    line("empties| positions | bias, MAE before  |  bias, MAE after")?;
    line("-------+-----------+-------------------+-------------------")?;
    for stage in fitted {
        let errors = match stage.positions {
            // A copy of the stage below.
            0 => String::new(),
            _ => [stage.before, stage.after]
                .map(|errors| format!("{:>+11.2}{:>9.2}", errors.bias, errors.mae))
                .concat(),
        };
        line(format_args!(
            "{:>7}{:>12}{errors}",
            stage.empties, stage.positions
        ))?;
    }
    Ok(())
}
