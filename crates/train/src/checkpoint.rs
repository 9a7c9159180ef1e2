//! Container of training checkpoints.
//!
//! | bytes | contents |
//! |---|---|
//! | 8 | kind of training |
//! | 4 | version of the format: 1 |
//! | 4 | CRC-32 of the rest |
//! | rest | zstd: length of the description, description, CRC-32 of the positions, state |
//!
//! Numbers are little-endian. A checkpoint only continues a run with the same positions and settings.

use outflank::eval::FileKind;

const VERSION: u32 = 1;

/// Reason why a run cannot continue from a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file has another format.
    #[error("expected the checkpoint of a fit, but {0}")]
    Foreign(#[source] FileKind),
    /// The format is of a later version.
    #[error(
        "version {0} of the format, which a later outflank wrote: this one reads version {VERSION}"
    )]
    Version(u32),
    /// The file is incomplete or damaged.
    #[error("damaged: delete it, and the fit begins anew")]
    Damaged,
    /// The checkpoint is of a run with other settings.
    #[error(
        "of a fit with other settings, \"{found}\", not \"{expected}\": use those, or another file"
    )]
    Settings {
        /// Settings in the checkpoint.
        found: String,
        /// Settings of this run.
        expected: String,
    },
    /// The checkpoint is of a run on other positions.
    #[error("of a fit to other positions: use the same files and options, or another checkpoint")]
    Positions,
}

/// Encodes a checkpoint of kind `magic`. `check` is the checksum of the positions.
pub(crate) fn encode(magic: &[u8; 8], description: &str, check: u32, state: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    body.extend((description.len() as u32).to_le_bytes());
    body.extend(description.bytes());
    body.extend(check.to_le_bytes());
    body.extend(state);
    let body = zstd::bulk::compress(&body, 1).expect("in-memory compression succeeds");
    let mut file = magic.to_vec();
    file.extend(VERSION.to_le_bytes());
    file.extend(crc32fast::hash(&body).to_le_bytes());
    file.extend(body);
    file
}

/// Decodes the state of a checkpoint. Its kind, description and checksum must match. `max_bytes` limits the size of the
/// state.
pub(crate) fn decode(
    magic: &[u8; 8],
    description: &str,
    check: u32,
    max_bytes: usize,
    file: &[u8],
) -> Result<State, CheckpointError> {
    let Some(rest) = file.strip_prefix(magic) else {
        return Err(CheckpointError::Foreign(FileKind::detect(file)));
    };
    let damaged = CheckpointError::Damaged;
    let (version, rest) = rest.split_first_chunk().ok_or(damaged.clone())?;
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(CheckpointError::Version(version));
    }
    let (sum, body) = rest.split_first_chunk().ok_or(damaged.clone())?;
    if u32::from_le_bytes(*sum) != crc32fast::hash(body) {
        return Err(damaged);
    }
    // 64 KiB are for the description.
    let bytes = zstd::bulk::decompress(body, (1 << 16) + max_bytes).map_err(|_| damaged)?;
    let mut body = Body(&bytes);
    let length = u32::from_le_bytes(body.take()?) as usize;
    let found = String::from_utf8_lossy(body.bytes(length)?).into_owned();
    if found != description {
        let expected = description.to_owned();
        return Err(CheckpointError::Settings { found, expected });
    }
    if u32::from_le_bytes(body.take()?) != check {
        return Err(CheckpointError::Positions);
    }
    let begin = bytes.len() - body.0.len();
    Ok(State { bytes, begin })
}

/// Decoded state of a checkpoint.
pub(crate) struct State {
    bytes: Vec<u8>,
    begin: usize,
}

impl State {
    pub(crate) fn body(&self) -> Body<'_> {
        Body(&self.bytes[self.begin..])
    }
}

/// Appends a vector to a state.
pub(crate) fn write(vector: &[f32], state: &mut Vec<u8>) {
    state.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
}

/// Cursor over the unread bytes of a state.
pub(crate) struct Body<'a>(&'a [u8]);

impl<'a> Body<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], CheckpointError> {
        let (bytes, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(crate) fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], CheckpointError> {
        let bytes = self.bytes(COUNT)?;
        Ok(bytes.try_into().expect("bytes() returns COUNT bytes"))
    }

    /// Reads a vector of `length` numbers.
    pub(crate) fn vector(&mut self, length: usize) -> Result<Vec<f32>, CheckpointError> {
        let numbers = self.bytes(4 * length)?.as_chunks().0.iter();
        Ok(numbers.map(|&bytes| f32::from_le_bytes(bytes)).collect())
    }

    /// Fails if bytes are left.
    pub(crate) fn end(&self) -> Result<(), CheckpointError> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(CheckpointError::Damaged)
        }
    }
}
