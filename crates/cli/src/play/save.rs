//! Saving of a game to a file.

use std::path::PathBuf;

use outflank::Side;
use outflank::notation::{Format, GameRecord, UnsupportedGame, ggf, transcript};

use super::command::Save;
use crate::convert;
use crate::output_files::{Files, ForceArgument, OutputError, kind};
use crate::replace::ReplaceError;
use crate::text_format::{GGF_DATE, utc_now};

/// Error that leaves a game unsaved.
#[derive(Debug, thiserror::Error)]
pub(super) enum SaveError {
    #[error("{} is there already: save! replaces it", .0.display())]
    Exists(PathBuf),
    #[error(transparent)]
    Output(OutputError),
    #[error(transparent)]
    Replace(#[from] ReplaceError),
    #[error("{0}; save it as ggf")]
    UnsupportedGame(#[from] UnsupportedGame),
}

impl From<OutputError> for SaveError {
    fn from(error: OutputError) -> SaveError {
        match error {
            OutputError::Exists(path) => SaveError::Exists(path),
            error => SaveError::Output(error),
        }
    }
}

/// Writes the game to a file. Refuses to overwrite one of `files`. `names` returns the name of the player of a side.
pub(super) fn save(
    save: &Save,
    files: &Files,
    record: GameRecord,
    names: impl Fn(Side) -> &'static str,
) -> Result<(), SaveError> {
    let text = match save.format {
        Format::Transcript => transcript::write(&record.game)?,
        _ => ggf::write(&described(record, names)),
    };
    let text = format!("{text}\n");
    let argument = if save.replace { "save!" } else { "save" };
    let force = ForceArgument {
        force: save.replace,
    };
    let files = files.clone();
    let mut out = files.writing_one(argument, &save.path, kind::GAMES, force)?;
    Ok(out.write(text.as_bytes())?)
}

/// Adds the usual properties of GGF: program, date, players and result.
fn described(mut record: GameRecord, names: impl Fn(Side) -> &'static str) -> GameRecord {
    let date = utc_now(GGF_DATE);
    for (name, value) in [
        ("PC", "outflank play"),
        ("DT", &date),
        ("PB", names(Side::Black)),
        ("PW", names(Side::White)),
    ] {
        record.set(name, value).expect("a name of a property");
    }
    convert::with_result(record)
}
