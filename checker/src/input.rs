//! What kernels are run on, and what they answer, in forms that all kernels share.

use std::fmt;
use std::sync::LazyLock;

use outflank_kernels::geometry::{self, FEATURES, GEOMETRIES, corner, edax};
use outflank_kernels::network::{HIDDEN, MAX_ROW, WIDTH};
use outflank_kernels::weights::{Weights, pack};
use outflank_kernels::{Block, Children, Features, Network};
use outflank_random::SplitMix;

use crate::reference;

/// The input of one check: everything that any kernel takes, or from which it follows. A kernel
/// looks only at its own part.
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
    /// The number of blocks that a kernel which fills memory is given.
    pub blocks: usize,
    /// What such a kernel writes.
    pub pattern: [u64; 4],
}

impl Case {
    /// The case of a board and a square, everything else zero (`squares`: A1, B1, C1, D1).
    pub const fn new(square: usize, player: u64, opponent: u64) -> Case {
        Case {
            square,
            player,
            opponent,
            alpha: 0,
            squares: 0x0302_0100,
            blocks: 0,
            pattern: [0; 4],
        }
    }

    /// The case that some bytes stand for, for fuzzers: any bytes give a valid case, and bytes that
    /// are missing are 0. In this order: mover and opponent (8 bytes each, lowest first), square,
    /// alpha, four squares, blocks, pattern (32 bytes).
    pub fn from_bytes(bytes: &[u8]) -> Case {
        let mut bytes = bytes.iter().copied().chain(std::iter::repeat(0));
        let mut byte = || bytes.next().expect("there is no end");
        let [player, opponent] =
            [0; 2].map(|_: u64| u64::from_le_bytes([0; 8].map(|_: u8| byte())));

        // The wanted square, or the next after it that is free; round the board where all is taken.
        let free = |wanted: u8, taken: u64| {
            let squares = (0..64).map(|i| (wanted as usize + i) % 64);
            let mut free = squares.filter(|square| taken >> square & 1 == 0);
            free.next().unwrap_or(wanted as usize % 64)
        };
        let square = free(byte(), player | opponent);
        let alpha = i32::from(byte() % 128) - 64;
        let mut taken = 0;
        let squares = [0; 4].map(|_: u8| {
            let square = free(byte(), taken);
            taken |= 1 << square;
            square as u8
        });
        Case {
            square,
            player: player & !(1 << square),
            opponent: opponent & !player & !(1 << square),
            alpha,
            squares: u32::from_le_bytes(squares),
            blocks: usize::from(byte() % 20),
            pattern: [0; 4].map(|_: u64| u64::from_le_bytes([0; 8].map(|_: u8| byte()))),
        }
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

/// A case, and what kernels take that follows from it.
#[derive(Clone, Copy)]
pub struct Input {
    /// The case.
    pub case: Case,
    /// The discs that turn when the mover plays on the square.
    pub flipped: u64,
    /// The board's features in each geometry, in the order of [`geometry::ALL`].
    pub features: [Features; GEOMETRIES],
    /// Those of the board with the opponent to move: of another board with as many empty squares.
    pub other: [Features; GEOMETRIES],
    /// Weights for the features of the default geometry, the same for all inputs.
    pub weights: &'static Weights,
    /// A network for the features of the geometry `corner`, the same for all inputs.
    pub network: &'static Network,
    /// The number of empty squares.
    pub empties: u32,
    /// The number of moves that the mover has.
    pub moves: u32,
    /// The number of moves that the opponent would have.
    pub other_moves: u32,
    /// The mover's legal moves.
    pub legal: u64,
    /// Squares that win ties in the order of moves: any.
    pub favoured: u64,
}

impl Input {
    /// Works out what follows from `case`, by the references.
    pub fn new(case: Case) -> Input {
        let (player, opponent) = (case.player, case.opponent);
        let flipped = reference::flip(case.square, player, opponent);
        let legal = reference::mobility(player, opponent);
        let features = |player, opponent| {
            geometry::ALL.map(|geometry| reference::features(geometry, player, opponent))
        };
        Input {
            case,
            flipped,
            features: features(player, opponent),
            other: features(opponent, player),
            weights: &WEIGHTS,
            network: &NETWORK,
            empties: (player | opponent).count_zeros(),
            moves: legal.count_ones(),
            other_moves: reference::mobility(opponent, player).count_ones(),
            legal,
            favoured: case.pattern[0],
        }
    }

    /// Runs a kernel that fills memory, between canaries, and answers with a digest of what it left
    /// there, or, if a canary is gone, with [`Answer::CANARY_GONE`].
    pub(crate) fn in_memory(&self, kernel: impl FnOnce(&mut [Block])) -> Answer {
        const CANARIES: usize = 4;
        let canary = |i: usize| Block([0x00C0_FFEE_0000_0000 + i as u64; 4]);
        // Wherever the allocator begins, one parity or the other begins within 64 bytes, where wide
        // stores need a head.
        let start = CANARIES + self.case.square % 2;
        let own = start..start + self.case.blocks;
        let mut memory: Vec<Block> = (0..own.end + CANARIES).map(canary).collect();
        kernel(&mut memory[own.clone()]);
        let is_intact = |i: usize| own.contains(&i) || memory[i] == canary(i);
        if !(0..memory.len()).all(is_intact) {
            return Answer::CANARY_GONE;
        }
        let mut digest = [self.case.blocks as u64; 4];
        for block in &memory[own] {
            for (sum, word) in digest.iter_mut().zip(block.0) {
                *sum = sum.rotate_left(5).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ word;
            }
        }
        digest.into()
    }

    /// Runs a kernel that writes features, between canaries, and answers with what it wrote, or, if
    /// a canary is gone, with [`Answer::CANARY_GONE`].
    pub(crate) fn in_features(&self, kernel: impl FnOnce(&mut Features)) -> Answer {
        const CANARY: Features = Features([0xC0DE; FEATURES]);
        let mut guarded = [CANARY; 3];
        kernel(&mut guarded[1]);
        match guarded {
            [CANARY, written, CANARY] => written.into(),
            _ => Answer::CANARY_GONE,
        }
    }

    /// Runs a kernel that lists children, and answers with a digest of them and of their keys.
    pub(crate) fn in_children(&self, kernel: impl FnOnce(&mut Children) -> i32) -> Answer {
        let mut children = Children::new();
        let best = kernel(&mut children);
        let mut digest = [children.len() as u64, best as u64, 0, 0];
        for (place, &key) in children.keys().iter().enumerate() {
            // What is in places without a child is not said.
            let words = match place < children.len() {
                true => {
                    let one = children.get(place);
                    [one.player, one.opponent, one.moves, key as u64]
                }
                false => [u64::from(key <= Children::NONE); 4],
            };
            for (sum, word) in digest.iter_mut().zip(words) {
                *sum = sum.rotate_left(5).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ word;
            }
        }
        digest.into()
    }
}

/// Weights to check and time kernels with: random, small enough for the sums to fit.
static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let mut random = SplitMix::new(46);
    let mut weights = Weights::zero();
    for class in edax::CLASSES {
        for weight in weights.class_mut(class.name).expect("it is listed") {
            let mut small = || random.below(1201) as i16 - 600;
            *weight = pack(small(), small());
        }
    }
    weights
});

/// A network to check and time kernels with: random, of the sizes that trained ones have.
static NETWORK: LazyLock<Network> = LazyLock::new(|| {
    let mut random = SplitMix::new(32);
    let mut within = |most: i32| random.below(2 * most as u64 + 1) as i32 - most;
    let mut network = Network::zero();
    for class in corner::CLASSES {
        for row in network.class_mut(class.name).expect("it is listed") {
            row.0 = [(); WIDTH].map(|()| within(MAX_ROW.into()) as i8);
        }
    }
    for row in network.moves_mut() {
        row.0 = [(); WIDTH].map(|()| within(50) as i16);
    }
    for stage in network.stages_mut() {
        stage.start.0 = [(); WIDTH].map(|()| within(100) as i16);
        stage.matrix =
            [(); WIDTH / 4].map(|()| [(); HIDDEN].map(|()| [(); 4].map(|()| within(127) as i8)));
        stage.hidden_bias = [(); HIDDEN].map(|()| within(8000));
        stage.hidden_output = [(); 2].map(|()| [(); HIDDEN].map(|()| within(8000) as i16));
        stage.input_output = [(); WIDTH].map(|()| within(8000) as i16);
        stage.bias = within(100_000);
    }
    network
});

/// What a kernel answered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Answer(pub [u64; Answer::WORDS]);

impl Answer {
    /// The words of the longest answer.
    pub const WORDS: usize = 16;

    /// Of a kernel that wrote beside its own memory: no feature is so large, and no reference answers
    /// so.
    pub const CANARY_GONE: Answer = Answer([!0; Answer::WORDS]);
}

impl fmt::Debug for Answer {
    /// The words up to the last that is not zero.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = self.0.iter().rposition(|&word| word != 0).unwrap_or(0) + 1;
        write!(f, "{:#x?}", self.0[..used].iter().collect::<Vec<_>>())
    }
}

/// The first words of an answer, zeros after them.
fn words<const N: usize>(first: [u64; N]) -> Answer {
    let mut words = [0; Answer::WORDS];
    words[..N].copy_from_slice(&first);
    Answer(words)
}

impl From<u64> for Answer {
    fn from(value: u64) -> Self {
        words([value])
    }
}

impl From<i32> for Answer {
    fn from(value: i32) -> Self {
        words([value as u64])
    }
}

impl From<u128> for Answer {
    fn from(value: u128) -> Self {
        words([value as u64, (value >> 64) as u64])
    }
}

impl<const N: usize> From<[u64; N]> for Answer {
    fn from(value: [u64; N]) -> Self {
        words(value)
    }
}

impl From<[i32; 2]> for Answer {
    fn from(value: [i32; 2]) -> Self {
        words([in_one_word(value)])
    }
}

impl From<Features> for Answer {
    fn from(features: Features) -> Self {
        words(in_words::<12>(features.0.iter().copied()))
    }
}

/// Two numbers in one word, the first the lower.
pub(crate) fn in_one_word([first, second]: [i32; 2]) -> u64 {
    u64::from(first.cast_unsigned()) | u64::from(second.cast_unsigned()) << 32
}

/// Numbers of 16 bits, four in a word, the first the lowest.
fn in_words<const N: usize>(mut numbers: impl Iterator<Item = u16>) -> [u64; N] {
    std::array::from_fn(|_| {
        let four = numbers.by_ref().take(4).enumerate();
        four.fold(0, |word, (i, number)| word | u64::from(number) << (16 * i))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_are_a_valid_case() {
        let mut random = SplitMix::new(1);
        for length in (0..80).cycle().take(20_000) {
            let sparse = random.below(3);
            let bytes: Vec<u8> = (0..length)
                .map(|_| match sparse {
                    0 => random.below(2) as u8 * 0xFF,
                    _ => random.bits() as u8,
                })
                .collect();
            let case = Case::from_bytes(&bytes);
            assert_eq!(case.player & case.opponent, 0, "{case:?}");
            let occupied = case.player | case.opponent;
            assert_eq!(occupied >> case.square & 1, 0, "{case:?}");
            assert!((-64..64).contains(&case.alpha), "{case:?}");
            assert!(case.blocks < 20, "{case:?}");
            let squares = case.squares.to_le_bytes();
            let different = (0..4).all(|i| !squares[..i].contains(&squares[i]));
            assert!(
                different && squares.iter().all(|&square| square < 64),
                "{case:?}"
            );
        }
    }

    #[test]
    fn bytes_say_what_the_case_is() {
        let mut bytes = vec![0; 16];
        (bytes[0], bytes[9]) = (0x05, 0x80);
        bytes.extend([9, 64 + 3, 8, 8, 63, 63, 19]);
        bytes.extend((0..32).map(|i| u8::from(i == 8)));
        let case = Case {
            square: 9,
            player: 5,
            opponent: 1 << 15,
            alpha: 3,
            squares: u32::from_le_bytes([8, 9, 63, 0]),
            blocks: 19,
            pattern: [0, 1, 0, 0],
        };
        assert_eq!(Case::from_bytes(&bytes), case);
        assert_eq!(Case::from_bytes(&[]).alpha, -64);
    }
}
