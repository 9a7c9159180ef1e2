//! What commands read.

use std::io;
use std::path::Path;

use outflank::files;

/// Reads the file at `path`, `-` being standard input, within a limit as [`files::read_to_end`] has it.
pub(super) fn read(path: &Path, most_mib: u64, kind: &str) -> io::Result<Vec<u8>> {
    match path == Path::new("-") {
        true => files::read_to_end(io::stdin().lock(), most_mib, kind),
        false => files::read(path, most_mib, kind),
    }
}
