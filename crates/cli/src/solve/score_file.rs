//! Positions with the scores of all moves, as a file: `--save-scores`.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;

use outflank::Bound;
use outflank::notation::obf::Problem;

use super::Arguments;
use crate::error::{CommandError, FAILURE, exit_status};
use crate::output_files::kind;
use crate::problem_result::ProblemResult;

/// File that gets each solved position.
pub(super) struct ScoreFile {
    path: PathBuf,
    file: File,
    /// Positions that are not solved, or have no legal move.
    pub(super) unsaved: usize,
}

/// The file cannot be written any more.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the scores to {}: {}", .0.display(), .1)]
struct ScoreFileError(PathBuf, #[source] io::Error);
exit_status!(FAILURE; ScoreFileError);

impl ScoreFile {
    /// Opens the file of `--save-scores`, if there is one.
    pub(super) fn open(arguments: &Arguments) -> Result<Option<ScoreFile>, CommandError> {
        let Some(path) = &arguments.save_scores else {
            return Ok(None);
        };
        let output =
            arguments
                .inputs()
                .writing_one("--save-scores", path, kind::GAMES, arguments.force)?;
        Ok(Some(ScoreFile {
            path: path.clone(),
            file: output.begin(b"")?,
            unsaved: 0,
        }))
    }

    /// Adds a position with the scores of its moves, if they are exact.
    pub(super) fn add(&mut self, result: &ProblemResult) -> Result<(), CommandError> {
        let candidates = &result.search.candidates;
        let are_exact = candidates
            .iter()
            .all(|candidate| candidate.bound == Bound::Exact);
        let has_move = result.problem.board.mobility() != 0;
        if !result.is_solved() || !are_exact || !has_move {
            self.unsaved += 1;
            return Ok(());
        }
        let moves = candidates
            .iter()
            .map(|candidate| (candidate.ply, candidate.score));
        let problem = Problem {
            moves: moves.collect(),
            score: None,
            ..result.problem.clone()
        };
        let written = writeln!(self.file, "{problem}");
        Ok(written.map_err(|error| ScoreFileError(self.path.clone(), error))?)
    }
}
