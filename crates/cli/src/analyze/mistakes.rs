//! File of `--save-mistakes`: positions before mistakes, for `outflank puzzle`.

use std::collections::HashSet;
use std::path::PathBuf;

use outflank::analysis::{Judgement, Mark};
use outflank::notation::obf::{self, Problem};
use outflank::{Board, Side};
use outflank_support::files;
use outflank_support::text::plural;

use super::Analysis;
use crate::console::remark;
use crate::error::{FAILURE, exit_status};
use crate::output_files::{Files, ForceArgument, kind};
use crate::replace::{OutputFile, ReplaceError};

/// Choice of the players whose mistakes are saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PlayerFilter {
    Side(Side),
    /// A part of the player's name, in lower case.
    Name(String),
}

impl std::str::FromStr for PlayerFilter {
    type Err = String;

    fn from_str(text: &str) -> Result<PlayerFilter, String> {
        match text.trim().to_lowercase().as_str() {
            "" => Err("expected black, white, or a part of a player's name".to_owned()),
            "black" => Ok(PlayerFilter::Side(Side::Black)),
            "white" => Ok(PlayerFilter::Side(Side::White)),
            name => Ok(PlayerFilter::Name(name.to_owned())),
        }
    }
}

/// Error of a file to which no positions can be added.
#[derive(Debug, thiserror::Error)]
pub(super) enum MistakesError {
    #[error("{}: {}", .0.display(), .1)]
    Io(PathBuf, #[source] std::io::Error),
    #[error("--save-mistakes adds to a file of positions, and {}: {}", .0.display(), .1)]
    Foreign(PathBuf, #[source] obf::ObfError),
}
exit_status!(FAILURE; MistakesError);

/// File of positions to which mistakes are added.
pub(super) struct MistakeFile {
    path: PathBuf,
    out: OutputFile,
    /// Contents of the file.
    text: Vec<u8>,
    /// Positions of the file in canonical form.
    known: HashSet<Board>,
}

impl MistakeFile {
    /// Reads the file at `path`, if it is there, and checks that it can be written. It must not be one of `files`.
    pub(super) fn open(path: &PathBuf, files: Files) -> Result<MistakeFile, crate::CommandError> {
        let mut text = match path.exists() {
            true => {
                files::read_games(path).map_err(|error| MistakesError::Io(path.clone(), error))?
            }
            false => Vec::new(),
        };
        if text.last().is_some_and(|&last| last != b'\n') {
            text.push(b'\n');
        }
        let problems: Result<Vec<Problem>, _> = obf::read(&text).collect();
        let problems = problems.map_err(|error| MistakesError::Foreign(path.clone(), error))?;
        let known = problems
            .iter()
            .map(|problem| problem.board.canonical().0)
            .collect();
        // The new file has the contents of the old one.
        let force = ForceArgument { force: true };
        let out = files.writing_one("--save-mistakes", path, kind::GAMES, force)?;
        Ok(MistakeFile {
            path: path.clone(),
            out,
            text,
            known,
        })
    }

    /// Adds the mistakes of these games. Returns a sentence with their number. A name that no player has is reported.
    pub(super) fn add(
        &mut self,
        analyses: &[Analysis],
        filter: Option<&PlayerFilter>,
    ) -> Result<String, ReplaceError> {
        if let Some(PlayerFilter::Name(name)) = filter {
            let has_player = |analysis: &Analysis| {
                let mut sides = [Side::Black, Side::White].into_iter();
                sides.any(|side| is_by(analysis, side, filter))
            };
            if !analyses.iter().any(has_player) {
                remark(format_args!("no player of these games is called {name:?}"));
            }
        }
        let (mut added, mut known) = (0_usize, 0_usize);
        for analysis in analyses {
            let mistakes = analysis.moves.iter().filter(|judgement| {
                judgement.mark() != Mark::Good && is_by(analysis, judgement.side, filter)
            });
            for judgement in mistakes {
                if !self.known.insert(judgement.board.canonical().0) {
                    known += 1;
                    continue;
                }
                self.text
                    .extend(format!("{}\n", problem(analysis, judgement)).bytes());
                added += 1;
            }
        }
        if added > 0 {
            self.out.write(&self.text)?;
        }
        let mistakes = plural(added, "mistake", "mistakes");
        let path = self.path.display();
        Ok(match known {
            0 => format!("{path}: {mistakes} added"),
            _ => format!("{path}: {mistakes} added, {known} known"),
        })
    }
}

/// Returns `true` if `side` of a game is a player whose mistakes are wanted.
fn is_by(analysis: &Analysis, side: Side, filter: Option<&PlayerFilter>) -> bool {
    match filter {
        None => true,
        Some(&PlayerFilter::Side(wanted)) => side == wanted,
        Some(PlayerFilter::Name(part)) => {
            let name = analysis.game.player(side);
            name.is_some_and(|name| name.to_lowercase().contains(part))
        }
    }
}

/// Position before a mistake. It has the scores of the best and the played move if they are exact.
fn problem(analysis: &Analysis, judgement: &Judgement) -> Problem {
    let best = judgement.line.first().copied().flatten();
    let moves = [
        (best, judgement.best_score),
        (Some(judgement.played), judgement.score),
    ];
    let players = analysis.game.record.players();
    let players = players.map_or(String::new(), |players| format!("{players}, "));
    let Judgement {
        number,
        board,
        side,
        played,
        ..
    } = *judgement;
    let lost = plural(judgement.loss(), "disc", "discs");
    Problem {
        board,
        side,
        moves: if judgement.is_exact() {
            moves.into()
        } else {
            Vec::new()
        },
        score: None,
        name: Some(format!("{players}move {number}: {played} lost {lost}")),
        line: 0,
    }
}
