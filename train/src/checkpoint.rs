//! What the checkpoints of trainings have in common.
//!
//! | bytes | |
//! |---|---|
//! | 8 | what kind it is |
//! | 4 | version of the format: 1 |
//! | 4 | CRC-32 of the rest |
//! | the rest | compressed with zstd: length of a text, the text that says what is fitted, CRC-32 of the positions, the state |
//!
//! Numbers are little-endian. The file fits the data and the settings of its own fit alone, and is good
//! for nothing else.

use outflank::eval::Looks;

const VERSION: u32 = 1;

/// Why a fit, or the training of a network, cannot go on from a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It is a file of another kind.
    #[error("expected the checkpoint of a fit, but {0}")]
    Foreign(Looks),
    /// A later version of the program wrote it.
    #[error(
        "version {0} of the format, which a later outflank wrote: this one reads version {VERSION}"
    )]
    Version(u32),
    /// It is not whole.
    #[error("damaged: delete it, and the fit begins anew")]
    Damaged,
    /// It is of a fit with other settings.
    #[error(
        "of a fit with other settings, \"{found}\", not \"{expected}\": use those, or another file"
    )]
    Settings {
        /// Those of the checkpoint.
        found: String,
        /// Those that were asked for.
        expected: String,
    },
    /// It is of a fit to other positions.
    #[error("of a fit to other positions: use the same files and options, or another checkpoint")]
    Positions,
}

/// A file of the kind `magic` with this state of what the text says, fitted to positions with the checksum
/// `check`.
pub(crate) fn seal(magic: &[u8; 8], what: &str, check: u32, state: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    body.extend((what.len() as u32).to_le_bytes());
    body.extend(what.bytes());
    body.extend(check.to_le_bytes());
    body.extend(state);
    let body = zstd::bulk::compress(&body, 1).expect("it fails only where memory does");
    let mut file = magic.to_vec();
    file.extend(VERSION.to_le_bytes());
    file.extend(crc32fast::hash(&body).to_le_bytes());
    file.extend(body);
    file
}

/// The state in a file that [`seal`] made of the same text and checksum; it has at most `longest` bytes.
pub(crate) fn open(
    magic: &[u8; 8],
    what: &str,
    check: u32,
    longest: usize,
    file: &[u8],
) -> Result<State, CheckpointError> {
    let Some(rest) = file.strip_prefix(magic) else {
        return Err(CheckpointError::Foreign(Looks::of(file)));
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
    // The text and the state: more than that is not meant.
    let bytes = zstd::bulk::decompress(body, (1 << 16) + longest).map_err(|_| damaged)?;
    let mut body = Body(&bytes);
    let length = u32::from_le_bytes(body.take()?) as usize;
    let found = String::from_utf8_lossy(body.bytes(length)?).into_owned();
    if found != what {
        let expected = what.to_owned();
        return Err(CheckpointError::Settings { found, expected });
    }
    if u32::from_le_bytes(body.take()?) != check {
        return Err(CheckpointError::Positions);
    }
    let begin = bytes.len() - body.0.len();
    Ok(State { bytes, begin })
}

/// The state that a checkpoint holds.
pub(crate) struct State {
    bytes: Vec<u8>,
    begin: usize,
}

impl State {
    /// To be read.
    pub(crate) fn body(&self) -> Body<'_> {
        Body(&self.bytes[self.begin..])
    }
}

/// Appends numbers.
pub(crate) fn write(vector: &[f32], state: &mut Vec<u8>) {
    state.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
}

/// What is left to read.
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

    /// The next bytes.
    pub(crate) fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], CheckpointError> {
        let bytes = self.bytes(COUNT)?;
        Ok(bytes.try_into().expect("there are as many"))
    }

    /// The next numbers.
    pub(crate) fn vector(&mut self, length: usize) -> Result<Vec<f32>, CheckpointError> {
        let numbers = self.bytes(4 * length)?.as_chunks().0.iter();
        Ok(numbers.map(|&bytes| f32::from_le_bytes(bytes)).collect())
    }

    /// That there is no more.
    pub(crate) fn end(&self) -> Result<(), CheckpointError> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(CheckpointError::Damaged)
        }
    }
}
