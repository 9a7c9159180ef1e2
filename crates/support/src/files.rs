//! Readers of whole files up to a size limit. A path may name an endless device by mistake.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Size limit of a file of games or positions in MiB: a million games with comments.
pub const MAX_GAMES_MIB: u64 = 1024;

/// Kind of file that size errors name.
pub const GAMES: &str = "file of games or positions";

/// Size limit of a line of games or positions in MiB: hundreds of thousands of moves.
pub const MAX_LINE_MIB: u64 = 16;

/// Reads a file of games or positions to its end.
///
/// More than [`MAX_GAMES_MIB`], or a line of more than [`MAX_LINE_MIB`], is an error: [`ErrorKind::FileTooLarge`]. The
/// limit of a line ends the reading of an endless device early.
pub fn read_games_to_end(mut reader: impl Read) -> io::Result<Vec<u8>> {
    const CHUNK: u64 = 1 << 18;
    let mut bytes = Vec::new();
    // Number of complete lines, and offset of the first byte behind them.
    let (mut complete, mut line_start) = (0, 0);
    loop {
        let before = bytes.len();
        if reader.by_ref().take(CHUNK).read_to_end(&mut bytes)? == 0 {
            return Ok(bytes);
        }
        check_size(bytes.len() as u64, MAX_GAMES_MIB, GAMES)?;
        let ends = (before..bytes.len()).filter(|&at| bytes[at] == b'\n');
        for end in ends.chain([bytes.len()]) {
            if (end - line_start) as u64 > MAX_LINE_MIB << 20 {
                let number = complete + 1;
                let message = format!("line {number} is longer than {MAX_LINE_MIB} MiB, the limit");
                return Err(io::Error::new(ErrorKind::FileTooLarge, message));
            }
            if end < bytes.len() {
                (complete, line_start) = (complete + 1, end + 1);
            }
        }
    }
}

/// Reads the file of games or positions at `path`, as [`read_games_to_end`] does.
///
/// A regular file larger than [`MAX_GAMES_MIB`] is an error before it is read.
pub fn read_games(path: &Path) -> io::Result<Vec<u8>> {
    read_games_to_end(open(path, MAX_GAMES_MIB, GAMES)?)
}

/// Reads to the end. More than `max_mib` MiB are an error, [`ErrorKind::FileTooLarge`].
///
/// The message calls the file a `kind`, for example "file of weights".
pub fn read_to_end(reader: impl Read, max_mib: u64, kind: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = reader.take((max_mib << 20) + 1).read_to_end(&mut bytes)?;
    check_size(read as u64, max_mib, kind)?;
    Ok(bytes)
}

fn check_size(bytes: u64, max_mib: u64, kind: &str) -> io::Result<()> {
    if bytes > max_mib << 20 {
        let message = format!("larger than {max_mib} MiB, the limit of a {kind}");
        return Err(io::Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(())
}

/// Reads the file at `path`, as [`read_to_end`] does. A regular file over the limit is an error before it is read.
pub fn read(path: &Path, max_mib: u64, kind: &str) -> io::Result<Vec<u8>> {
    read_to_end(open(path, max_mib, kind)?, max_mib, kind)
}

/// Reads the file at `path`, as [`read`] does, if `is_kind` accepts its first bytes. Otherwise returns only those bytes.
pub fn read_if(
    path: &Path,
    max_mib: u64,
    kind: &str,
    is_kind: impl FnOnce(&[u8]) -> bool,
) -> io::Result<Vec<u8>> {
    /// Bytes that `is_kind` receives.
    const BEGINNING: u64 = 4096;
    let mut file = open(path, max_mib, kind)?;
    let mut bytes = Vec::new();
    file.by_ref().take(BEGINNING).read_to_end(&mut bytes)?;
    match is_kind(&bytes) {
        true => read_to_end(bytes.as_slice().chain(file), max_mib, kind),
        false => Ok(bytes),
    }
}

/// Opens the file at `path`, unless it is a regular file of more than `max_mib` MiB.
fn open(path: &Path, max_mib: u64, kind: &str) -> io::Result<File> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() {
        check_size(metadata.len(), max_mib, kind)?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_a_lower_limit_than_files() {
        let limit = MAX_LINE_MIB << 20;
        let long = || io::repeat(b'x').take(limit);
        let text = long().chain(&b"\n"[..]).chain(long());
        let read = read_games_to_end(text).expect("both lines are short enough");
        assert_eq!(read.len() as u64, 2 * limit + 1);

        // An endless device is read only up to the limit.
        for (begin, line) in [(&b""[..], 1), (b"f5d6\n\nf5", 3)] {
            let mut rest = begin.chain(io::repeat(0)).take(3 * limit);
            let error = read_games_to_end(&mut rest).expect_err("its line has no end");
            assert_eq!(error.kind(), ErrorKind::FileTooLarge);
            let message = format!("line {line} is longer than 16 MiB, the limit");
            assert_eq!(error.to_string(), message);
            assert!(rest.limit() > limit, "it stops soon");
        }
    }

    #[test]
    fn read_if_stops_after_the_beginning_of_another_kind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sevens");
        std::fs::write(&path, [7; 9000]).expect("a new file");
        let read = |first| read_if(&path, 1, "thing", |bytes| bytes[0] == first).unwrap();
        assert_eq!((read(7).len(), read(8).len()), (9000, 4096));
    }
}
