//! Every kernel, algorithm and level as data: what tests, benches and fuzzers walk over.

use std::fmt;

use crate::{Block, Level, LevelError};

/// One algorithm of one kernel, compiled for one level.
pub struct Entry {
    /// The kernel's name.
    pub kernel: &'static str,
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// The level that it is compiled for.
    pub level: Level,
    /// Whether this is the algorithm that the level uses.
    pub selected: bool,
    /// Runs it on a case.
    ///
    /// # Safety
    /// The CPU has `level`. [`Entry::answer`] checks that.
    pub(crate) run: unsafe fn(&Case) -> Answer,
}

/// A kernel: its specification and its reference.
pub struct Kernel {
    /// The kernel's name.
    pub name: &'static str,
    /// What it computes.
    pub doc: &'static str,
    /// The obvious, slow function that says what is right.
    pub reference: fn(&Case) -> Answer,
}

/// The input of one check: everything that any kernel takes. A kernel looks only at its own part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Case {
    /// A square, 0..=63; empty on the board below.
    pub square: usize,
    /// The mover's discs.
    pub player: u64,
    /// The opponent's discs; none is the mover's too.
    pub opponent: u64,
    /// The lower end of a null window, -64..=63.
    pub alpha: i32,
    /// Four different squares, one a byte.
    pub squares: u32,
    /// The number of blocks that a kernel which writes to memory is given.
    pub blocks: usize,
    /// What such a kernel writes.
    pub pattern: [u64; 4],
}

impl Case {
    /// Runs a kernel that writes on fresh memory and answers with a digest of what it left there: of
    /// its own blocks, and of the canaries before and after them.
    pub(crate) fn in_memory(&self, kernel: impl FnOnce(&mut [Block])) -> Memory {
        const CANARIES: usize = 4;
        let canary = |i: usize| Block([0x00C0_FFEE_0000_0000 + i as u64; 4]);
        let mut memory: Vec<Block> = (0..self.blocks + 2 * CANARIES).map(canary).collect();
        kernel(&mut memory[CANARIES..CANARIES + self.blocks]);
        Memory(memory)
    }
}

impl fmt::Debug for Case {
    /// As a board to paste (`X` the mover's), the square marked, and the numbers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |square: usize| match (self.player >> square & 1, self.opponent >> square & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '-',
        };
        let board: String = (0..64).map(cell).collect();
        write!(
            f,
            "{board} X; square {} alpha {} squares {:02x?} blocks {} pattern {:x?}",
            self.square,
            self.alpha,
            self.squares.to_le_bytes(),
            self.blocks,
            self.pattern
        )
    }
}

/// What a kernel that writes left in memory.
pub struct Memory(Vec<Block>);

/// What a kernel answered, in a form that all answers share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer(pub [u64; 4]);

impl From<u64> for Answer {
    fn from(value: u64) -> Self {
        Answer([value, 0, 0, 0])
    }
}

impl From<i32> for Answer {
    fn from(value: i32) -> Self {
        Answer([value as u64, 0, 0, 0])
    }
}

impl From<u128> for Answer {
    fn from(value: u128) -> Self {
        Answer([value as u64, (value >> 64) as u64, 0, 0])
    }
}

impl From<[u64; 4]> for Answer {
    fn from(value: [u64; 4]) -> Self {
        Answer(value)
    }
}

impl From<Memory> for Answer {
    /// A digest in which every word and its place count.
    fn from(memory: Memory) -> Self {
        let mut digest = [memory.0.len() as u64; 4];
        for line in memory.0 {
            for (sum, word) in digest.iter_mut().zip(line.0) {
                *sum = sum.rotate_left(5).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ word;
            }
        }
        Answer(digest)
    }
}

impl Entry {
    /// What the algorithm answers to `case`; an error where the CPU lacks the level.
    pub fn answer(&self, case: &Case) -> Result<Answer, LevelError> {
        self.level.token()?;
        // SAFETY: the CPU has the level, or there would be no token.
        Ok(unsafe { (self.run)(case) })
    }

    /// The kernel of which this is an algorithm.
    pub fn kernel(&self) -> &'static Kernel {
        let named = kernels().iter().find(|kernel| kernel.name == self.kernel);
        named.expect("the generator lists the kernel of every entry")
    }
}

/// Every algorithm of every kernel at every level of this architecture, also those that the CPU
/// lacks.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    macro_rules! chain {
        ({} $({ $module:ident $Name:ident [$($cfg:tt)*] [$($features:literal)?] $doc:literal })*) => {
            [$(#[cfg($($cfg)*)] crate::generated::$module::ENTRIES),*]
        };
    }
    for_each_level!(chain).into_iter().flatten()
}

/// Every kernel.
pub fn kernels() -> &'static [Kernel] {
    crate::generated::KERNELS
}
