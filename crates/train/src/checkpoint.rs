//! Container of training checkpoints.
//!
//! | bytes | contents |
//! |---|---|
//! | 8 | kind of training |
//! | 4 | version of the format: 1 |
//! | 4 | CRC-32 of the rest |
//! | rest | zstd: length of the description, description, CRC-32 of the positions, state |
//!
//! Numbers are little-endian. A run continues from a checkpoint only with the same positions and settings.

use outflank::eval::FileKind;

const VERSION: u32 = 1;

/// Reason why a run cannot continue from a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
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

/// Decodes a checkpoint and passes its state to `read`. Kind, description and checksum must match. `max_bytes` limits
/// the size of the state.
pub(crate) fn decode(
    magic: &[u8; 8],
    description: &str,
    check: u32,
    max_bytes: usize,
    file: &[u8],
    read: impl FnOnce(&mut State) -> Result<(), CheckpointError>,
) -> Result<(), CheckpointError> {
    let Some(rest) = file.strip_prefix(magic) else {
        return Err(CheckpointError::Foreign(FileKind::detect(file)));
    };
    let mut head = State(rest);
    let version = u32::from_le_bytes(head.take()?);
    if version != VERSION {
        return Err(CheckpointError::Version(version));
    }
    let checksum = u32::from_le_bytes(head.take()?);
    let State(body) = head;
    if checksum != crc32fast::hash(body) {
        return Err(CheckpointError::Damaged);
    }
    // The description has up to 64 KiB.
    let bytes = zstd::bulk::decompress(body, (1 << 16) + max_bytes);
    let bytes = bytes.map_err(|_| CheckpointError::Damaged)?;
    let mut state = State(&bytes);
    let length = u32::from_le_bytes(state.take()?) as usize;
    let found = String::from_utf8_lossy(state.bytes(length)?).into_owned();
    if found != description {
        let expected = description.to_owned();
        return Err(CheckpointError::Settings { found, expected });
    }
    if u32::from_le_bytes(state.take()?) != check {
        return Err(CheckpointError::Positions);
    }
    read(&mut state)
}

pub(crate) fn write(vector: &[f32], state: &mut Vec<u8>) {
    state.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
}

/// Unread bytes of a state.
pub(crate) struct State<'a>(&'a [u8]);

impl<'a> State<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], CheckpointError> {
        let split = self.0.split_at_checked(count);
        let (bytes, rest) = split.ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(crate) fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], CheckpointError> {
        let bytes = self.bytes(COUNT)?;
        Ok(bytes.try_into().expect("bytes() returns COUNT bytes"))
    }

    /// Reads all numbers of a vector.
    pub(crate) fn fill(&mut self, vector: &mut [f32]) -> Result<(), CheckpointError> {
        let numbers = self.bytes(size_of_val(vector))?.as_chunks().0;
        for (number, &bytes) in vector.iter_mut().zip(numbers) {
            *number = f32::from_le_bytes(bytes);
        }
        Ok(())
    }

    pub(crate) fn expect_bytes(&self, count: usize) -> Result<(), CheckpointError> {
        match self.0.len() == count {
            true => Ok(()),
            false => Err(CheckpointError::Damaged),
        }
    }
}
