//! Writing a game to a file.

use std::path::PathBuf;

use jiff::Timestamp;
use outflank::Side;
use outflank::notation::{Format, GameRecord, Unfit, ggf, transcript};

use super::command::Save;
use crate::outputs::{Files, ForceArgument, OutputError, kind};
use crate::{CommandError, convert};

/// Why a game is not saved.
#[derive(Debug, thiserror::Error)]
pub(super) enum SaveError {
    #[error("{} is there already: save! replaces it", .0.display())]
    Exists(PathBuf),
    #[error(transparent)]
    Output(CommandError),
    #[error("{0}; save it as ggf")]
    Unfit(#[from] Unfit),
}

impl From<CommandError> for SaveError {
    fn from(error: CommandError) -> SaveError {
        match error {
            CommandError::Outputs(OutputError::Exists(path)) => SaveError::Exists(path),
            error => SaveError::Output(error),
        }
    }
}

/// Writes the game, but never over one of `files`; `names` are those of black and white.
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
    let (argument, force) = match save.replace {
        true => ("save!", ForceArgument::FORCED),
        false => ("save", ForceArgument::UNFORCED),
    };
    let files = files.clone();
    let mut out = files.writing_one(argument, &save.path, kind::GAMES, force)?;
    Ok(out.write(text.as_bytes()).map_err(CommandError::from)?)
}

/// The record with the properties that a GGF file usually has.
fn described(mut record: GameRecord, names: impl Fn(Side) -> &'static str) -> GameRecord {
    let date = Timestamp::now()
        .strftime("%Y.%m.%d_%H:%M:%S.UTC")
        .to_string();
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
