//! Rows of features, of mobilities and of stages, trained with AdaGrad for each number (Duchi, Hazan and Singer,
//! "Adaptive subgradient methods", 2011).
//!
//! One list has all rows: first those of features, in the order of the kernels, then the side rows. Side rows are
//! added to every corner: one for the mover's mobility and one for the stage.

use std::array;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use outflank_kernels::geometry::corner::CLASSES;
use outflank_kernels::network::{MAX_MOVES, MAX_ROW, STAGES, WIDTH};
use outflank_random::SplitMix64;

/// Numbers of a row, or of a line of the head.
pub(super) type Line = [f32; WIDTH];

/// Number of rows of features.
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

/// Number of side rows.
pub(super) const SIDES: usize = MAX_MOVES + 1 + STAGES;

/// Bound of the numbers in a feature's row.
const MAX_FEATURE: f32 = MAX_ROW as f32 / 128.0;

/// Bound of the numbers in a side row. The sum with eight rows of features fits into 16 bits.
const MAX_SIDE: f32 = 8.0;

/// Row with its optimiser state.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Row {
    pub(super) numbers: Line,
    /// Sum of squared gradients of each number.
    pub(super) squares: Line,
}

impl Row {
    /// Performs an AdaGrad step with the gradient of a position.
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

/// Creates the initial rows: zero, except for a random stage row that all stages share.
pub(super) fn initial(random: &mut SplitMix64) -> Vec<Row> {
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

/// Rows quantised to 1/128. Every thread reads all of them and writes its own share.
///
/// A barrier separates reads and writes, so relaxed atomics suffice.
pub(super) struct Rounded {
    /// Eight numbers in a word, one byte each, with [`OFFSET`] added. The sum of four words has no carry between bytes.
    rows: Vec<[AtomicU64; WORDS]>,
    /// Four numbers of 16 bits in a word.
    sides: Vec<[AtomicU64; 2 * WORDS]>,
}

/// Words of a feature's row.
const WORDS: usize = WIDTH / 8;

/// Offset that makes the numbers of a feature's row positive.
const OFFSET: i32 = 32;

const _: () = assert!(4 * (OFFSET + MAX_ROW as i32) <= 255 && OFFSET > MAX_ROW as i32);

impl Rounded {
    pub(super) fn new(rows: &[Row]) -> Rounded {
        let rounded = Rounded {
            rows: (0..ROWS).map(|_| Default::default()).collect(),
            sides: (0..SIDES).map(|_| Default::default()).collect(),
        };
        for (index, row) in rows.iter().enumerate() {
            rounded.set(index, &row.numbers);
        }
        rounded
    }

    /// Sets a row by its index in the list of all rows.
    #[inline(always)]
    fn set(&self, index: usize, numbers: &Line) {
        match index.checked_sub(ROWS) {
            None => self.set_row(index, numbers),
            Some(side) => self.set_side(side, numbers),
        }
    }

    /// Sum of the rows of eight features.
    #[inline(always)]
    pub(super) fn sum(&self, rows: [u32; 8]) -> [i16; WIDTH] {
        let mut sums = [-8 * OFFSET as i16; WIDTH];
        for four in rows.as_chunks::<4>().0 {
            let mut words = [0_u64; WORDS];
            for &row in four {
                for (sum, word) in words.iter_mut().zip(&self.rows[row as usize]) {
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

    pub(super) fn row(&self, index: usize) -> [i8; WIDTH] {
        let words = &self.rows[index];
        array::from_fn(|k| {
            let byte = words[k / 8].load(Relaxed).to_le_bytes()[k % 8];
            (i32::from(byte) - OFFSET) as i8
        })
    }

    #[inline(always)]
    pub(super) fn side(&self, index: usize) -> [i16; WIDTH] {
        let words = &self.sides[index];
        array::from_fn(|k| (words[k / 4].load(Relaxed) >> (k % 4 * 16)) as i16)
    }

    #[inline(always)]
    fn set_row(&self, index: usize, numbers: &Line) {
        let bytes = numbers.map(|number| (round(number * 128.0) + OFFSET) as u8);
        for (word, &eight) in self.rows[index].iter().zip(bytes.as_chunks().0) {
            word.store(u64::from_le_bytes(eight), Relaxed);
        }
    }

    #[inline(always)]
    fn set_side(&self, index: usize, numbers: &Line) {
        for (word, four) in self.sides[index].iter().zip(numbers.as_chunks::<4>().0) {
            let [a, b, c, d] = four.map(|number| u64::from(round(number * 128.0) as u16));
            word.store(a | b << 16 | c << 32 | d << 48, Relaxed);
        }
    }
}

/// Rounds a number of at most 2^22 in absolute value to the nearest integer, ties to even.
///
/// The added 1.5 · 2^23 leaves no bits for a fraction. Loops vectorise without instructions that a CPU may lack.
#[inline(always)]
pub(super) fn round(number: f32) -> i32 {
    (number + 12_582_912.0).to_bits() as i32 - 0x4B40_0000
}

/// Run of rows that one thread updates.
pub(super) struct RowShare<'a> {
    /// Index of the first row.
    begin: usize,
    rows: &'a mut [Row],
}

impl RowShare<'_> {
    /// Updates a row, if it belongs to this share.
    #[inline(always)]
    pub(super) fn step(&mut self, index: u32, gradient: &Line, rate: f32, rounded: &Rounded) {
        let index = index as usize;
        if let Some(row) = self.rows.get_mut(index.wrapping_sub(self.begin)) {
            let most = if index < ROWS { MAX_FEATURE } else { MAX_SIDE };
            row.step(gradient, rate, most);
            rounded.set(index, &row.numbers);
        }
    }
}

/// Lengths of the runs of rows for each thread, with about equal numbers of uses.
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

/// Splits the rows into shares of these lengths.
pub(super) fn shares<'a>(mut rows: &'a mut [Row], lengths: &[usize]) -> Vec<RowShare<'a>> {
    let mut begin = 0;
    let mut shares = Vec::new();
    for &length in lengths {
        let (first, rest) = rows.split_at_mut(length);
        shares.push(RowShare { begin, rows: first });
        begin += length;
        rows = rest;
    }
    shares
}

/// Uniform random number from 0 to 1.
pub(super) fn unit(random: &mut SplitMix64) -> f32 {
    (random.bits() >> 40) as f32 / (1_u32 << 24) as f32
}
