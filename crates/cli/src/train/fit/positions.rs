//! Labelled positions for a fit.

use std::io;

use outflank_support::text::plural;
use outflank_train::fit::{Examples, PositionCounts, Sampling, Targets};
use outflank_train::input::Input;

use super::super::{TrainError, report_unused};
use super::arguments::Arguments;
use crate::CommandError;
use crate::console::print_line;
use crate::number_options::grouped;

/// Reads all positions and reports their numbers.
pub(super) fn read(arguments: &Arguments) -> Result<Targets, CommandError> {
    let mut examples = Examples::new(Sampling {
        search: arguments.search_weight,
        games: arguments.games_weight,
        held_out: arguments.hold_out,
        seed: arguments.seed,
    });
    let with_results = arguments.games_weight > 0.0;
    let progress = arguments
        .progress
        .steps(arguments.files.len() + arguments.exclude.len());
    let files = arguments.files.iter().map(|path| (path, false));
    let excluded = arguments.exclude.iter().map(|path| (path, true));
    for (path, excluded) in files.chain(excluded) {
        let input = Input::open(path)?;
        let too_late = arguments
            .until
            .zip(input.year())
            .is_some_and(|(until, year)| year > until);
        let unused = match excluded || too_late {
            true => input.each(false, |record| examples.exclude(record.board)),
            false => input.each(with_results, |record| examples.add(&record)),
        }?;
        progress.suspend(|| report_unused(path, &unused));
        progress.advance();
    }
    drop(progress);
    let targets = examples.targets();
    if targets.counts().training == 0 {
        return Err(TrainError::NothingToLearn.into());
    }
    report_counts(&targets.counts())?;
    Ok(targets)
}

fn report_counts(counts: &PositionCounts) -> io::Result<()> {
    let number = |count: usize| grouped(count as u64);
    let training = number(counts.training);
    print_line(format_args!(
        "{}: {} to learn from, {} held out",
        plural(number(counts.given), "position", "positions"),
        plural(training, "different board", "different boards"),
        number(counts.held_out)
    ))?;
    let left_out = [
        (counts.excluded, "on boards that were to be left out"),
        (counts.shared, "of held-out games on boards to learn from"),
        (counts.weightless, "of a kind that counts nothing"),
        (counts.unplayable, "where nobody can move"),
    ];
    for (count, which) in left_out.into_iter().filter(|(count, _)| *count > 0) {
        print_line(format_args!("  {} left out, {which}", number(count)))?;
    }
    Ok(())
}
