//! Journal of an unfinished certificate: the moves found so far, in a file beside it. A later run continues from there.
//!
//! The file begins with [`MAGIC`] and the claim. Each chunk has the length of its data, a CRC-32 of them, and the data: moves
//! with their positions.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use outflank_certificate::Moves;
use outflank_verifier::{Claim, Position};

/// First bytes of a journal.
const MAGIC: &[u8] = b"outflank moves of a certificate 1\n";

/// Time between two writes. A certificate that is made sooner never has a file.
const INTERVAL: Duration = Duration::from_secs(1);

/// Bytes of a move: its position and its index.
const MOVE_BYTES: usize = 17;

/// Greatest number of moves of a chunk. A kill may damage the last chunk, whose moves are then lost.
const CHUNK_MOVES: usize = 4096;

/// Bytes before the data of a chunk.
const CHUNK_HEADER: usize = 8;

/// Journal of the certificate of one claim.
pub(super) struct Journal {
    path: PathBuf,
    /// [`MAGIC`] and the claim.
    beginning: Vec<u8>,
    /// Bytes of the file of an earlier run, without damaged chunks at its end.
    length: u64,
    state: Mutex<JournalState>,
}

struct JournalState {
    /// Moves that are not yet written.
    buffer: Vec<u8>,
    last_write: Instant,
    /// `None` before the first write.
    file: Option<File>,
    has_failed: bool,
}

impl Journal {
    /// Opens the journal of `claim` in the file at `path`, which is created when it is needed. Also returns the moves of an
    /// earlier run. The journal of another claim is replaced.
    pub(super) fn open(path: PathBuf, claim: Claim) -> (Journal, Moves) {
        let beginning = beginning(claim);
        let bytes = fs::read(&path).unwrap_or_default();
        let mut moves = Moves::new();
        let mut length = 0;
        if let Some(mut rest) = bytes.strip_prefix(beginning.as_slice()) {
            length = beginning.len();
            while let Some(data) = chunk(rest) {
                moves.extend(data.chunks_exact(MOVE_BYTES).map(|bytes| {
                    let position = Position::new(word(&bytes[..8]), word(&bytes[8..16]));
                    (position, bytes[16])
                }));
                rest = &rest[CHUNK_HEADER + data.len()..];
                length += CHUNK_HEADER + data.len();
            }
        }
        let state = Mutex::new(JournalState {
            buffer: Vec::new(),
            last_write: Instant::now(),
            file: None,
            has_failed: false,
        });
        let length = length as u64;
        (
            Journal {
                path,
                beginning,
                length,
                state,
            },
            moves,
        )
    }

    /// Returns `true` if the file at `path` is absent or a journal, so that one may be written there.
    pub(super) fn can_be_at(path: &Path) -> bool {
        match begins_with(path, MAGIC) {
            Ok(is_journal) => is_journal,
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        }
    }

    /// Adds a move.
    pub(super) fn add(&self, position: Position, index: u8) {
        let mut state = self.lock();
        state.buffer.extend(position_bytes(position));
        state.buffer.push(index);
        if state.last_write.elapsed() >= INTERVAL {
            self.write(&mut state);
        }
    }

    fn lock(&self) -> MutexGuard<'_, JournalState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the moves of the buffer. After a failed write, none are written any more.
    fn write(&self, state: &mut JournalState) {
        state.has_failed = state.has_failed || self.try_write(state).is_err();
        state.buffer.clear();
        state.last_write = Instant::now();
    }

    fn try_write(&self, state: &mut JournalState) -> io::Result<()> {
        let file = match &mut state.file {
            Some(file) => file,
            none => {
                let mut options = OpenOptions::new();
                let options = options.create(true).truncate(false).write(true);
                let mut file = options.open(&self.path)?;
                file.set_len(self.length)?;
                file.seek(SeekFrom::End(0))?;
                if self.length == 0 {
                    file.write_all(&self.beginning)?;
                }
                none.insert(file)
            }
        };
        let mut chunks = Vec::new();
        for data in state.buffer.chunks(CHUNK_MOVES * MOVE_BYTES) {
            chunks.extend((data.len() as u32).to_le_bytes());
            chunks.extend(crc32fast::hash(data).to_le_bytes());
            chunks.extend(data);
        }
        file.write_all(&chunks)
    }

    /// Removes the file at `path` if it is the journal of `claim`, whose certificate is written.
    pub(super) fn remove(path: &Path, claim: Claim) {
        if begins_with(path, &beginning(claim)).unwrap_or(false) {
            // A journal that stays is harmless: it serves only its own claim.
            let _ = fs::remove_file(path);
        }
    }
}

/// [`MAGIC`] and the claim.
fn beginning(claim: Claim) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(position_bytes(claim.position));
    bytes.extend([claim.at_least.into(), claim.score as u8]);
    bytes
}

/// Returns `true` if the file at `path` begins with these bytes.
fn begins_with(path: &Path, beginning: &[u8]) -> io::Result<bool> {
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    file.take(beginning.len() as u64).read_to_end(&mut bytes)?;
    Ok(bytes == beginning)
}

impl Drop for Journal {
    /// Writes the last moves of an unfinished certificate that already has a file.
    fn drop(&mut self) {
        let mut state = self.lock();
        if state.file.is_some() {
            self.write(&mut state);
        }
    }
}

/// The data of the chunk at the beginning of `bytes`; `None` if it is incomplete or damaged.
fn chunk(bytes: &[u8]) -> Option<&[u8]> {
    let (header, rest) = bytes.split_at_checked(CHUNK_HEADER)?;
    let number = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes"));
    let data = rest.get(..number(0) as usize)?;
    (crc32fast::hash(data) == number(4)).then_some(data)
}

fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}

fn position_bytes(position: Position) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&position.mover.to_le_bytes());
    bytes[8..].copy_from_slice(&position.other.to_le_bytes());
    bytes
}
