//! Answers of kernels in a form that all kernels share.

use std::fmt;
use std::ops::Range;

use outflank_kernels::geometry::FEATURES;
use outflank_kernels::{Block, Features, KeyedChildren};

use super::Case;

/// Answer of a kernel: the returned value, the written features, or a digest of longer output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Answer(pub [u64; Answer::WORDS]);

impl Answer {
    /// Words of the longest answer.
    pub const WORDS: usize = 16;

    /// Answer of a kernel that wrote outside its buffer. No reference has this answer.
    pub const CANARY_GONE: Answer = Answer([!0; Answer::WORDS]);
}

impl fmt::Debug for Answer {
    /// Writes the words up to the last that is not zero.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = self.0.iter().rposition(|&word| word != 0).unwrap_or(0) + 1;
        write!(f, "{:#x?}", &self.0[..used])
    }
}

/// Pads words with zeros to an answer.
impl<const N: usize> From<[u64; N]> for Answer {
    fn from(first: [u64; N]) -> Self {
        let mut words = [0; Answer::WORDS];
        words[..N].copy_from_slice(&first);
        Answer(words)
    }
}

impl From<u64> for Answer {
    fn from(value: u64) -> Self {
        [value].into()
    }
}

impl From<i32> for Answer {
    fn from(value: i32) -> Self {
        [value as u64].into()
    }
}

impl From<u128> for Answer {
    fn from(value: u128) -> Self {
        [value as u64, (value >> 64) as u64].into()
    }
}

impl From<[i32; 2]> for Answer {
    fn from(value: [i32; 2]) -> Self {
        [value.fold()].into()
    }
}

impl From<Features> for Answer {
    /// Packs four features into a word, the first into the lowest bits.
    fn from(features: Features) -> Self {
        let mut words = [0; FEATURES / 4];
        for (i, &feature) in features.0.iter().enumerate() {
            words[i / 4] |= u64::from(feature) << (16 * (i % 4));
        }
        words.into()
    }
}

/// Conversion of a returned value into one word that depends on all bits of the value.
pub(crate) trait Fold {
    fn fold(self) -> u64;
}

impl Fold for () {
    #[inline(always)]
    fn fold(self) -> u64 {
        0
    }
}

impl Fold for u64 {
    #[inline(always)]
    fn fold(self) -> u64 {
        self
    }
}

impl Fold for i32 {
    #[inline(always)]
    fn fold(self) -> u64 {
        self as u64
    }
}

impl Fold for u128 {
    #[inline(always)]
    fn fold(self) -> u64 {
        self as u64 ^ (self >> 64) as u64
    }
}

impl<const N: usize> Fold for [u64; N] {
    #[inline(always)]
    fn fold(self) -> u64 {
        self.into_iter().fold(0, |all, word| all ^ word)
    }
}

impl Fold for [i32; 2] {
    #[inline(always)]
    fn fold(self) -> u64 {
        u64::from(self[0].cast_unsigned()) | u64::from(self[1].cast_unsigned()) << 32
    }
}

/// A buffer that kernels write into.
///
/// Every algorithm at every level has its own copy of `capture`, so `capture` only calls the kernel, and one function
/// for all copies makes the answer.
pub(crate) trait Output {
    /// Runs `kernel` on a buffer for `case`. Makes an answer from the buffer and the kernel's result.
    fn capture(case: &Case, kernel: impl FnOnce(&mut Self) -> u64) -> Answer;
}

impl Output for [Block] {
    /// Digest of the memory, or [`Answer::CANARY_GONE`] if a block beside it changed.
    fn capture(case: &Case, kernel: impl FnOnce(&mut [Block]) -> u64) -> Answer {
        let (mut memory, filled) = canaries(case);
        kernel(&mut memory[filled.clone()]);
        answer_of_blocks(&memory, filled)
    }
}

/// Blocks of which none equals another, and the range of those that a kernel fills.
fn canaries(case: &Case) -> (Vec<Block>, Range<usize>) {
    const CANARIES: usize = 4;
    // Even and odd starts occur. One of them is 32 bytes past a multiple of 64, where wide stores need a head.
    let start = CANARIES + case.square % 2;
    let filled = start..start + case.blocks;
    ((0..filled.end + CANARIES).map(canary).collect(), filled)
}

fn canary(index: usize) -> Block {
    Block([0x00C0_FFEE_0000_0000 + index as u64; 4])
}

fn answer_of_blocks(memory: &[Block], filled: Range<usize>) -> Answer {
    let is_intact = |i: usize| filled.contains(&i) || memory[i] == canary(i);
    if !(0..memory.len()).all(is_intact) {
        return Answer::CANARY_GONE;
    }
    let blocks = memory[filled.clone()].iter().map(|block| block.0);
    digest([filled.len() as u64; 4], blocks)
}

impl Output for Features {
    /// The features, or [`Answer::CANARY_GONE`] if features beside them changed.
    fn capture(_: &Case, kernel: impl FnOnce(&mut Features) -> u64) -> Answer {
        let mut guarded = [FEATURE_CANARY; 3];
        kernel(&mut guarded[1]);
        answer_of_features(&guarded)
    }
}

const FEATURE_CANARY: Features = Features([0xC0DE; FEATURES]);

fn answer_of_features(guarded: &[Features; 3]) -> Answer {
    match *guarded {
        [FEATURE_CANARY, written, FEATURE_CANARY] => written.into(),
        _ => Answer::CANARY_GONE,
    }
}

impl Output for KeyedChildren {
    /// Digest of the children, their keys and the greatest key.
    fn capture(_: &Case, kernel: impl FnOnce(&mut KeyedChildren) -> u64) -> Answer {
        let mut children = KeyedChildren::new();
        let best = kernel(&mut children);
        answer_of_children(&children, best)
    }
}

fn answer_of_children(children: &KeyedChildren, best: u64) -> Answer {
    let words = children.keys().iter().enumerate().map(|(index, &key)| {
        // Lanes past the last child are unspecified, except that their keys are at most NONE.
        if index >= children.len() {
            return [u64::from(key <= KeyedChildren::NONE); 4];
        }
        let child = children.get(index);
        [child.player, child.opponent, child.moves, key as u64]
    });
    digest([children.len() as u64, best, 0, 0], words)
}

/// Answer that hashes `words`, beginning from `start`.
fn digest(start: [u64; 4], words: impl Iterator<Item = [u64; 4]>) -> Answer {
    let mut digest = start;
    for words in words {
        for (sum, word) in digest.iter_mut().zip(words) {
            *sum = sum.rotate_left(5).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ word;
        }
    }
    digest.into()
}
