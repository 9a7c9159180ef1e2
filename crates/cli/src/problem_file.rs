//! Positions of a file that a command searches.

use std::path::Path;

use outflank::notation::Contents;
use outflank::notation::obf::Problem;
use outflank_support::text::plural;

use super::console;
use super::input::{InputError, Inputs, PositionArguments, game_name, problems};

/// The selected positions of a file.
pub(super) struct ProblemFile {
    pub(super) name: String,
    /// Problems with their numbers, counted from 1 through all files.
    pub(super) problems: Vec<(usize, Problem)>,
    pub(super) malformed: usize,
    /// Finished games without a selected position.
    pub(super) finished: usize,
}

impl ProblemFile {
    /// Reads the file at `path` and reports entries that cannot be solved. Numbers continue after the `numbered`
    /// problems of earlier files.
    pub(super) fn read(
        path: &Path,
        inputs: &mut Inputs,
        position: PositionArguments,
        numbered: usize,
    ) -> Result<ProblemFile, InputError> {
        let input = inputs.open(path)?;
        let (mut chosen, mut finished, mut unmatched) = (Vec::new(), 0, 0);
        let mut entries = input.entries();
        for entry in entries.by_ref() {
            let problem = match entry.contents {
                Contents::Position(problem) => position.choose(std::iter::once(problem)),
                Contents::Game(record) if record.game.is_over() && !position.selects_position() => {
                    finished += 1;
                    continue;
                }
                Contents::Game(record) => {
                    let number = entry.number;
                    let name = game_name(&record, number).or(Some(format!("game {number}")));
                    position.choose(problems(&record, name))
                }
            };
            unmatched += usize::from(problem.is_none());
            chosen.extend(problem);
        }
        let malformed = entries.finish()?;
        let name = input.name;
        if finished > 0 {
            let over = plural(finished, "game is over", "games are over");
            console::remark(format_args!(
                "{name}: {over}: choose a position with --empties N or --move N"
            ));
        }
        if unmatched > 0 {
            console::remark(format_args!("{name}: {unmatched} without such a position"));
        }
        Ok(ProblemFile {
            name,
            problems: (numbered + 1..).zip(chosen).collect(),
            malformed,
            finished,
        })
    }
}
