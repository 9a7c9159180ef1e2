//! Writing a game to a file.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use jiff::Timestamp;
use outflank::Side;
use outflank::notation::{Format, GameRecord, Unfit, ggf, transcript};

use super::command::Save;
use crate::convert;
use crate::replace;

/// Why a game is not saved.
#[derive(Debug, thiserror::Error)]
pub(super) enum SaveError {
    #[error("{} is there already: save! replaces it", .0.display())]
    Exists(std::path::PathBuf),
    #[error("cannot write {}: {error}", path.display())]
    Output {
        path: std::path::PathBuf,
        error: io::Error,
    },
    #[error("{0}; save it as ggf")]
    Unfit(#[from] Unfit),
}

/// Writes the game; `names` are those of black and white.
pub(super) fn save(
    save: &Save,
    record: GameRecord,
    names: impl Fn(Side) -> &'static str,
) -> Result<(), SaveError> {
    let text = match save.format {
        Format::Transcript => transcript::write(&record.game)?,
        _ => ggf::write(&described(record, names)),
    };
    let text = format!("{text}\n");
    let written = match save.replace {
        true => replace::replace(&save.path, text.as_bytes()).map_err(|error| error.error),
        false => create(&save.path, text.as_bytes()),
    };
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => SaveError::Exists(save.path.clone()),
        _ => SaveError::Output {
            path: save.path.clone(),
            error,
        },
    })
}

/// Writes a file that is not there yet, whole or not at all.
fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    let written = File::create_new(path)?.write_all(contents);
    if written.is_err() {
        // What was written of it is of no use; the error that is told is the first one.
        let _ = fs::remove_file(path);
    }
    written
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
