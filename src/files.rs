//! Reading files whole up to a limit of size, as all readers of files here do: what is named by mistake may be
//! a device without an end.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The most that a file of games or positions can have, in MiB: a million games with comments.
pub const MAX_GAMES_MIB: u64 = 1024;

/// What such a file is called in the error of one that is larger.
pub const GAMES: &str = "file of games or positions";

/// Reads to the end, but no more than `most` MiB. `kind` says what was expected ("file of weights") in the
/// error of one that is larger, [`ErrorKind::FileTooLarge`].
pub fn read_to_end(reader: impl Read, most: u64, kind: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = reader.take((most << 20) + 1).read_to_end(&mut bytes)?;
    check_size(read as u64, most, kind)?;
    Ok(bytes)
}

fn check_size(bytes: u64, most: u64, kind: &str) -> io::Result<()> {
    if bytes > most << 20 {
        let message = format!("larger than {most} MiB, the limit of a {kind}");
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(())
}

/// Reads the file at `path`, as [`read_to_end`] does. A file that says that it is larger is not read.
pub fn read(path: &Path, most: u64, kind: &str) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() {
        check_size(metadata.len(), most, kind)?;
    }
    read_to_end(file, most, kind)
}
