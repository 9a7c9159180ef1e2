//! A fit under way in a file, so that it can be taken up again.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `ba 6f 75 74 66 69 74 0a` |
//! | 4 | version of the format: 1 |
//! | 4 | CRC-32 of the rest |
//! | the rest | compressed with zstd: length of a text, the text that says what is fitted, CRC-32 of the positions, iterations, best iteration, its loss, two slopes, the vectors |
//!
//! Numbers are little-endian. The file fits the data and the settings of its own fit alone, and is good
//! for nothing else.

use super::{Best, Fit};
use outflank::eval::Looks;

const MAGIC: &[u8; 8] = b"\xbaoutfit\n";
const VERSION: u32 = 1;

/// Why a fit cannot go on from a checkpoint.
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

impl Fit {
    /// A checkpoint, if this is an iteration that has one: every [`Fit::RENEWED`].
    pub fn checkpoint(&self) -> Option<Vec<u8>> {
        if self.iteration == 0 || !self.iteration.is_multiple_of(Fit::RENEWED) {
            return None;
        }
        let text = self.what();
        let mut body = Vec::new();
        body.extend((text.len() as u32).to_le_bytes());
        body.extend(text.bytes());
        body.extend(self.data.check.to_le_bytes());
        body.extend((self.iteration as u64).to_le_bytes());
        body.extend((self.best.iteration as u64).to_le_bytes());
        for number in [self.best.loss, self.slope[0], self.slope[1]] {
            body.extend(number.to_le_bytes());
        }
        for terms in self.all_terms() {
            for vector in [&terms.values, &terms.direction, &terms.gradient] {
                write(vector, &mut body);
            }
        }
        for weights in self.best.weights.iter().chain([&self.best.bias]) {
            write(weights, &mut body);
        }
        let body = zstd::bulk::compress(&body, 1).expect("it fails only where memory does");
        let mut file = MAGIC.to_vec();
        file.extend(VERSION.to_le_bytes());
        file.extend(crc32fast::hash(&body).to_le_bytes());
        file.extend(body);
        Some(file)
    }

    /// Goes on from a checkpoint, as if nothing had come between.
    pub fn resume(&mut self, file: &[u8]) -> Result<(), CheckpointError> {
        let Some(rest) = file.strip_prefix(MAGIC) else {
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
        // Text, numbers and vectors: more than that is not meant.
        let length = 1 << 16;
        let vectors = 4
            * (4 * self
                .all_terms()
                .map(|terms| terms.values.len())
                .sum::<usize>());
        let body = zstd::bulk::decompress(body, length + vectors).map_err(|_| damaged.clone())?;
        let mut body = Body(&body);

        let length = u32::from_le_bytes(body.take()?) as usize;
        let found = String::from_utf8_lossy(body.bytes(length)?).into_owned();
        let expected = self.what();
        if found != expected {
            return Err(CheckpointError::Settings { found, expected });
        }
        if u32::from_le_bytes(body.take()?) != self.data.check {
            return Err(CheckpointError::Positions);
        }
        let iteration = u64::from_le_bytes(body.take()?) as usize;
        let best = u64::from_le_bytes(body.take()?) as usize;
        let [loss, slope, first_slope] =
            [body.take()?, body.take()?, body.take()?].map(f64::from_le_bytes);
        // Nothing is changed before all is there.
        let mut vectors = Vec::new();
        for terms in self.all_terms() {
            for _ in 0..3 {
                vectors.push(body.vector(terms.values.len())?);
            }
        }
        let classes = self.classes.iter();
        let weights = classes.map(|class| body.vector(class.weights.len()));
        let weights = weights.collect::<Result<_, _>>()?;
        let bias = body.vector(self.bias.values.len())?;
        if !body.0.is_empty() {
            return Err(damaged);
        }

        let mut vectors = vectors.into_iter();
        for terms in self.all_terms_mut() {
            for vector in [&mut terms.values, &mut terms.direction, &mut terms.gradient] {
                *vector = vectors.next().expect("there are three for each");
            }
        }
        self.iteration = iteration;
        self.slope = [slope, first_slope];
        self.best = Best {
            iteration: best,
            loss,
            weights,
            bias,
        };
        self.renew();
        self.take_sums();
        Ok(())
    }
}

fn write(vector: &[f32], body: &mut Vec<u8>) {
    body.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
}

/// What is left to read.
struct Body<'a>(&'a [u8]);

impl<'a> Body<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], CheckpointError> {
        let (bytes, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(CheckpointError::Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], CheckpointError> {
        let bytes = self.bytes(COUNT)?;
        Ok(bytes.try_into().expect("there are as many"))
    }

    fn vector(&mut self, length: usize) -> Result<Vec<f32>, CheckpointError> {
        let numbers = self.bytes(4 * length)?.as_chunks().0.iter();
        Ok(numbers.map(|&bytes| f32::from_le_bytes(bytes)).collect())
    }
}
