//! Reading files whole, up to a limit of size.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Reads to the end, but no more than `most` MiB: a device may have no end. `kind` says what has been
/// expected, in the error of a file that is larger.
pub fn read_to_end(reader: impl Read, most: u64, kind: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = reader.take((most << 20) + 1).read_to_end(&mut bytes)?;
    if read as u64 > most << 20 {
        let message = format!("larger than {most} MiB, which is no {kind}");
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Reads the file at `path`, as [`read_to_end`] does.
pub fn read(path: &Path, most: u64, kind: &str) -> io::Result<Vec<u8>> {
    read_to_end(File::open(path)?, most, kind)
}
