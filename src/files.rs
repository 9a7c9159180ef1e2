//! Reads whole files up to a size limit. A path may name an endless device by mistake.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The most that a file of games or positions can have, in MiB: a million games with comments.
pub const MAX_GAMES_MIB: u64 = 1024;

/// Noun for such a file in size errors.
pub const GAMES: &str = "file of games or positions";

/// The most that a line of such a file can have, in MiB: hundreds of thousands of moves.
pub const MAX_LINE_MIB: u64 = 16;

/// Reads a file of games or positions to its end. A line of more than [`MAX_LINE_MIB`] is an error as soon as it is
/// read, [`ErrorKind::FileTooLarge`]: a device without an end may have no end of a line either.
pub fn read_games_to_end(mut reader: impl Read) -> io::Result<Vec<u8>> {
    const CHUNK: u64 = 1 << 18;
    let mut bytes = Vec::new();
    // The number of finished lines, and the start of the open one.
    let (mut finished, mut line_start) = (0, 0);
    loop {
        let before = bytes.len();
        if reader.by_ref().take(CHUNK).read_to_end(&mut bytes)? == 0 {
            return Ok(bytes);
        }
        check_size(bytes.len() as u64, MAX_GAMES_MIB, GAMES)?;
        let ends = (before..bytes.len()).filter(|&at| bytes[at] == b'\n');
        for end in ends.chain([bytes.len()]) {
            if (end - line_start) as u64 > MAX_LINE_MIB << 20 {
                let number = finished + 1;
                let message = format!("line {number} is longer than {MAX_LINE_MIB} MiB, the limit");
                return Err(io::Error::new(ErrorKind::FileTooLarge, message));
            }
            if end < bytes.len() {
                (finished, line_start) = (finished + 1, end + 1);
            }
        }
    }
}

/// Reads the file of games or positions at `path`, as [`read_games_to_end`] does. A file that says that it is larger than
/// [`MAX_GAMES_MIB`] is not read.
pub fn read_games(path: &Path) -> io::Result<Vec<u8>> {
    read_games_to_end(open(path, MAX_GAMES_MIB, GAMES)?)
}

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
    read_to_end(open(path, most, kind)?, most, kind)
}

/// Reads the file at `path`, as [`read`] does, if `is_kind` accepts its first bytes; else returns only those bytes.
pub fn read_if(
    path: &Path,
    most: u64,
    kind: &str,
    is_kind: impl FnOnce(&[u8]) -> bool,
) -> io::Result<Vec<u8>> {
    /// Enough to tell the kind of a file.
    const BEGINNING: u64 = 4096;
    let mut file = open(path, most, kind)?;
    let mut bytes = Vec::new();
    file.by_ref().take(BEGINNING).read_to_end(&mut bytes)?;
    match is_kind(&bytes) {
        true => read_to_end(bytes.as_slice().chain(file), most, kind),
        false => Ok(bytes),
    }
}

/// Opens the file at `path`, unless it says that it has more than `most` MiB.
fn open(path: &Path, most: u64, kind: &str) -> io::Result<File> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() {
        check_size(metadata.len(), most, kind)?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_limit_and_a_file_of_lines_has_another() {
        let limit = MAX_LINE_MIB << 20;
        let long = || io::repeat(b'x').take(limit);
        let text = long().chain(&b"\n"[..]).chain(long());
        let read = read_games_to_end(text).expect("both lines are short enough");
        assert_eq!(read.len() as u64, 2 * limit + 1);

        // Devices without an end: no more is taken from them than is needed to know.
        for (begin, line) in [(&b""[..], 1), (b"f5d6\n\nf5", 3)] {
            let mut rest = begin.chain(io::repeat(0)).take(3 * limit);
            let error = read_games_to_end(&mut rest).expect_err("its line has no end");
            assert_eq!(error.kind(), ErrorKind::FileTooLarge);
            let told = format!("line {line} is longer than 16 MiB, the limit");
            assert_eq!(error.to_string(), told);
            assert!(rest.limit() > limit, "it stops soon");
        }
    }

    #[test]
    fn only_the_beginning_of_another_kind_is_read() {
        let folder = outflank_testing::command::Folder::new();
        let path = folder.file("sevens", [7; 9000]);
        let read = |first| read_if(&path, 1, "thing", |bytes| bytes[0] == first).unwrap();
        assert_eq!((read(7).len(), read(8).len()), (9000, 4096));
    }
}
