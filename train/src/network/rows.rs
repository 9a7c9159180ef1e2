//! The rows of the features, of the numbers of moves and of the stages, as they are trained: AdaGrad for
//! each number (Duchi, Hazan and Singer, "Adaptive subgradient methods", 2011).
//!
//! All rows stand in one list: first those of the features, in the order of the kernels, then those that
//! every corner has, of the numbers of moves and of the stages.

use std::array;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use outflank_kernels::geometry::corner::CLASSES;
use outflank_kernels::network::{MAX_MOVES, MAX_ROW, STAGES, WIDTH};
use outflank_random::SplitMix;

use super::head::unit;

/// 32 numbers.
pub(super) type Line = [f32; WIDTH];

/// The rows of features.
pub(super) const ROWS: usize = {
    let (mut end, mut class) = (0, 0);
    while class < CLASSES.len() {
        let end_of_class = CLASSES[class].offset + CLASSES[class].weights();
        end = if end_of_class > end {
            end_of_class
        } else {
            end
        };
        class += 1;
    }
    end
};

/// The rows that every corner has.
pub(super) const SIDES: usize = MAX_MOVES + 1 + STAGES;

/// The most that a number of a feature's row may be.
const MOST: f32 = MAX_ROW as f32 / 128.0;

/// What every corner has may be larger; with eight rows it still is in 16 bits.
const MOST_OF_SIDE: f32 = 8.0;

/// A row as it is trained.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Row {
    /// Its numbers.
    pub(super) numbers: Line,
    /// The sum of the squares of each number's gradients so far.
    pub(super) squares: Line,
}

impl Row {
    /// Takes the gradient of a position.
    #[inline(always)]
    fn step(&mut self, gradient: &Line, rate: f32, most: f32) {
        let numbers = self.numbers.iter_mut().zip(&mut self.squares);
        for ((number, square), gradient) in numbers.zip(gradient) {
            *square += gradient * gradient;
            let stepped = *number - rate * gradient / square.sqrt();
            *number = stepped.max(-most).min(most);
        }
    }
}

/// All rows before the first step: nothing but a start that is the same for all stages.
pub(super) fn begin(random: &mut SplitMix) -> Vec<Row> {
    let row = Row {
        numbers: [0.0; WIDTH],
        squares: [1e-8; WIDTH],
    };
    let mut rows = vec![row; ROWS + SIDES];
    let start = array::from_fn(|_| 0.2 + 0.3 * unit(random));
    for row in &mut rows[ROWS + MAX_MOVES + 1..] {
        row.numbers = start;
    }
    rows
}

/// The rows as the network has them, rounded to 1/128: every thread reads all of them and writes its own.
///
/// Readers and writers take turns behind a barrier, so the atomics need no order of their own.
pub(super) struct Rounded {
    /// Each number as a byte, 32 more than it is: then sums of four rows are sums of words. A word holds eight
    /// numbers.
    rows: Vec<[AtomicU64; WORDS]>,
    /// Four numbers of 16 bits in a word.
    sides: Vec<[AtomicU64; 2 * WORDS]>,
}

/// Words of a row.
const WORDS: usize = WIDTH / 8;

/// What a number is more as a byte.
const OFFSET: i32 = 32;

const _: () = assert!(4 * (OFFSET + MAX_ROW as i32) <= 255 && OFFSET > MAX_ROW as i32);

impl Rounded {
    pub(super) fn new(rows: &[Row]) -> Rounded {
        let rounded = Rounded {
            rows: (0..ROWS).map(|_| Default::default()).collect(),
            sides: (0..SIDES).map(|_| Default::default()).collect(),
        };
        for (place, row) in rows.iter().enumerate() {
            if place < ROWS {
                rounded.set_row(place, &row.numbers);
            } else {
                rounded.set_side(place - ROWS, &row.numbers);
            }
        }
        rounded
    }

    /// The sum of the rows of eight features.
    #[inline(always)]
    pub(super) fn sum(&self, places: [u32; 8]) -> [i16; WIDTH] {
        let mut sums = [-8 * OFFSET as i16; WIDTH];
        for four in places.as_chunks::<4>().0 {
            let mut words = [0_u64; WORDS];
            for &place in four {
                for (sum, word) in words.iter_mut().zip(&self.rows[place as usize]) {
                    *sum += word.load(Relaxed);
                }
            }
            let bytes = words.map(u64::to_le_bytes);
            for (sum, &byte) in sums.iter_mut().zip(bytes.as_flattened()) {
                *sum += i16::from(byte);
            }
        }
        sums
    }

    /// A feature's row.
    pub(super) fn row(&self, place: usize) -> [i8; WIDTH] {
        let words = &self.rows[place];
        array::from_fn(|k| {
            let byte = words[k / 8].load(Relaxed).to_le_bytes()[k % 8];
            (i32::from(byte) - OFFSET) as i8
        })
    }

    /// A row that every corner has.
    #[inline(always)]
    pub(super) fn side(&self, place: usize) -> [i16; WIDTH] {
        let words = &self.sides[place];
        array::from_fn(|k| (words[k / 4].load(Relaxed) >> (k % 4 * 16)) as i16)
    }

    #[inline(always)]
    fn set_row(&self, place: usize, numbers: &Line) {
        let bytes = numbers.map(|number| (round(number * 128.0) + OFFSET) as u8);
        for (word, &eight) in self.rows[place].iter().zip(bytes.as_chunks().0) {
            word.store(u64::from_le_bytes(eight), Relaxed);
        }
    }

    #[inline(always)]
    fn set_side(&self, place: usize, numbers: &Line) {
        for (word, four) in self.sides[place].iter().zip(numbers.as_chunks::<4>().0) {
            let [a, b, c, d] = four.map(|number| u64::from(round(number * 128.0) as u16));
            word.store(a | b << 16 | c << 32 | d << 48, Relaxed);
        }
    }
}

/// The nearest integer to a number of at most 2^22, ties to even. The sum has no room for what is behind the
/// point, and vectors of it need nothing that a CPU may lack.
#[inline(always)]
pub(super) fn round(number: f32) -> i32 {
    (number + 12_582_912.0).to_bits() as i32 - 0x4B40_0000
}

/// The rows that a thread has to itself.
pub(super) struct Share<'a> {
    /// Where they begin in the list of all.
    pub(super) begin: usize,
    pub(super) rows: &'a mut [Row],
}

impl Share<'_> {
    /// Steps a feature's row, if it is one of these.
    #[inline(always)]
    pub(super) fn step_row(&mut self, place: u32, gradient: &Line, rate: f32, rounded: &Rounded) {
        if let Some(row) = self.rows.get_mut((place as usize).wrapping_sub(self.begin)) {
            row.step(gradient, rate, MOST);
            rounded.set_row(place as usize, &row.numbers);
        }
    }

    /// Steps a row that every corner has, if it is one of these.
    #[inline(always)]
    pub(super) fn step_side(&mut self, place: u32, gradient: &Line, rate: f32, rounded: &Rounded) {
        if let Some(row) = self.rows.get_mut((place as usize).wrapping_sub(self.begin)) {
            row.step(gradient, rate, MOST_OF_SIDE);
            rounded.set_side(place as usize - ROWS, &row.numbers);
        }
    }
}

/// Divides rows among threads, each a run of rows that are used about as often as those of any other.
pub(super) fn divide(uses: &[u32], threads: usize) -> Vec<usize> {
    let all: u64 = uses.iter().map(|&uses| u64::from(uses)).sum();
    let mut lengths = vec![0; threads];
    let mut before = 0;
    for &uses in uses {
        let thread = (before * threads as u64 / all.max(1)) as usize;
        lengths[thread.min(threads - 1)] += 1;
        before += u64::from(uses);
    }
    lengths
}

/// The rows in runs of these lengths.
pub(super) fn shares<'a>(mut rows: &'a mut [Row], lengths: &[usize]) -> Vec<Share<'a>> {
    let mut begin = 0;
    let mut shares = Vec::new();
    for &length in lengths {
        let (own, rest) = rows.split_at_mut(length);
        shares.push(Share { begin, rows: own });
        begin += length;
        rows = rest;
    }
    shares
}
