//! Inputs to check and measure kernels on: an endless, seeded stream of cases of several kinds.
//!
//! No one kind finds everything. Positions of random games look like what a search meets; random
//! discs reach what no game does; lines of one colour with few gaps are where flips run longest and
//! carries go furthest.

use crate::input::Case;
use crate::reference;

/// A stream of cases; the same seed gives the same stream on every machine.
pub struct Cases {
    random: SplitMix,
    /// The random game that is being played.
    game: (u64, u64),
}

/// Steele, Lea and Flood's SplitMix64: small, seedable, good enough for test inputs.
#[derive(Clone)]
pub struct SplitMix(u64);

impl SplitMix {
    /// A generator that starts from `seed`.
    pub fn new(seed: u64) -> Self {
        SplitMix(seed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number from 0 to `end - 1`; `end` is at least 1.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(end)) >> 64) as u64
    }

    /// One of the bits of `bits`, alone; 0 if there is none.
    pub fn one_of(&mut self, bits: u64) -> u64 {
        let mut rest = bits;
        for _ in 0..self.below(u64::from(bits.count_ones()).max(1)) {
            rest &= rest - 1;
        }
        rest & rest.wrapping_neg()
    }
}

const START: (u64, u64) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);

impl Cases {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Self {
        Cases {
            random: SplitMix::new(seed),
            game: START,
        }
    }

    /// The next position of a random game, mover first; after its end, of a new one.
    fn game_position(&mut self) -> (u64, u64) {
        let (mut player, mut opponent) = self.game;
        let mut moves = reference::mobility(player, opponent);
        if moves == 0 {
            (player, opponent) = (opponent, player);
            moves = reference::mobility(player, opponent);
        }
        if moves == 0 {
            self.game = START;
            return (player, opponent);
        }
        let played = self.random.one_of(moves);
        let flipped = reference::flip(played.trailing_zeros() as usize, player, opponent);
        self.game = (opponent ^ flipped, player | played | flipped);
        (player, opponent)
    }

    /// Discs anywhere, from a few to a full board.
    fn random_discs(&mut self) -> (u64, u64) {
        let occupied = match self.random.below(4) {
            0 => self.random.bits() & self.random.bits(),
            1 => self.random.bits(),
            2 => self.random.bits() | self.random.bits() | self.random.bits(),
            _ => !0,
        };
        let player = match self.random.below(4) {
            0 => self.random.bits() & self.random.bits() & self.random.bits(),
            1 => self.random.bits() | self.random.bits() | self.random.bits(),
            _ => self.random.bits(),
        };
        (occupied & player, occupied & !player)
    }

    /// A board of one colour, but for a few discs and gaps.
    fn long_lines(&mut self) -> (u64, u64) {
        let few = |random: &mut SplitMix| {
            (0..random.below(5)).fold(0, |bits, _| bits | 1 << random.below(64))
        };
        let empty: u64 = few(&mut self.random);
        let player: u64 = few(&mut self.random) | few(&mut self.random);
        let (player, opponent) = (player & !empty, !(player | empty));
        if self.random.below(4) == 0 {
            (opponent, player)
        } else {
            (player, opponent)
        }
    }
}

impl Iterator for Cases {
    type Item = Case;

    fn next(&mut self) -> Option<Case> {
        let (mut player, mut opponent) = match self.random.below(3) {
            0 => self.game_position(),
            1 => self.random_discs(),
            _ => self.long_lines(),
        };
        let random = &mut self.random;
        let mut square = random.one_of(!(player | opponent));
        if square == 0 {
            square = 1 << random.below(64);
            (player, opponent) = (player & !square, opponent & !square);
        }
        let mut left = !0;
        let squares = [0; 4].map(|_: u8| {
            let one = random.one_of(left);
            left &= !one;
            one.trailing_zeros() as u8
        });
        Some(Case {
            square: square.trailing_zeros() as usize,
            player,
            opponent,
            alpha: random.below(128) as i32 - 64,
            squares: u32::from_le_bytes(squares),
            blocks: random.below(20) as usize,
            pattern: [0; 4].map(|_: u64| random.bits()),
        })
    }
}
