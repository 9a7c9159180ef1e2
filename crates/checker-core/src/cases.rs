//! Cases to check kernels on: an endless, seeded stream of several kinds.
//!
//! Each kind finds different mistakes. Positions of random games are like those of a search. Random discs reach
//! positions that no game reaches. Lines of one colour with few gaps have the longest flips and carries. Some
//! boards are made to catch one mistake: a shift that wraps around the border, a mask that lacks a column, or a
//! count that overflows.

use outflank_random::SplitMix64;

use crate::input::Case;
use crate::reference;

/// A stream of cases; the same seed gives the same stream on every machine.
pub struct Cases {
    random: SplitMix64,
    /// Position of the current random game.
    game: (u64, u64),
    only_games: bool,
}

const START: (u64, u64) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);

impl Cases {
    /// Makes the stream of `seed`.
    pub fn new(seed: u64) -> Self {
        Cases {
            random: SplitMix64::new(seed),
            game: START,
            only_games: false,
        }
    }

    /// Makes a stream of the positions of random games, one after another, and no other boards. The square is a
    /// legal move if there is one.
    pub fn of_games(seed: u64) -> Self {
        Cases {
            only_games: true,
            ..Cases::new(seed)
        }
    }

    /// Returns the next position of the random game, or of a new one after its end, mover first.
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

    /// Random discs, from a few to a full board.
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

    /// A board of one colour except for a few discs and gaps.
    fn long_lines(&mut self) -> (u64, u64) {
        let few = |random: &mut SplitMix64| {
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

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;
const ROW_1: u64 = 0xFF;
const ROW_8: u64 = ROW_1 << 56;
const CORNERS: u64 = 1 | 1 << 7 | 1 << 56 | 1 << 63;

/// The squares that are `n` squares from the border, 0 to 3.
fn ring(n: usize) -> u64 {
    let distance = |square: usize| {
        let to_side = |i: usize| i.min(7 - i);
        to_side(square % 8).min(to_side(square / 8))
    };
    (0..64)
        .filter(|&square| distance(square) == n)
        .fold(0, |squares, square| squares | 1 << square)
}

/// The mover's discs, the opponent's, and the candidates for the square.
type BoardWithCandidates = (u64, u64, u64);

impl Cases {
    /// Boards made to catch one mistake each, with the squares that catch it. Some have one or two discs
    /// changed.
    fn adversarial(&mut self) -> BoardWithCandidates {
        let wrapped = self.random.below(6) == 0;
        let (mut player, mut opponent, candidates) = match wrapped {
            true => self.wrapped_line(),
            false => self.regular(),
        };
        let random = &mut self.random;
        if random.below(4) == 0 {
            let changed = 1 << random.below(64) | 1 << random.below(64);
            player = (player ^ changed) & !opponent;
        }
        if !wrapped && random.below(2) == 0 {
            (player, opponent) = (opponent, player);
        }
        (player, opponent, candidates)
    }

    /// Empty boards, one disc, one colour, checkerboards, combs and rings.
    fn regular(&mut self) -> BoardWithCandidates {
        let random = &mut self.random;
        let pattern = |random: &mut SplitMix64| {
            random.pick(&[
                0xAA55_AA55_AA55_AA55,
                0x5555_5555_5555_5555,
                0x00FF_00FF_00FF_00FF,
                0x3333_CCCC_3333_CCCC,
                ring(0),
                ring(1),
                ring(2),
                ring(0) | ring(2),
                // The columns where shifts wrap around, and those beside them.
                COLUMN_A | COLUMN_H,
                COLUMN_A << 1 | COLUMN_H >> 1,
                ROW_1 | ROW_8,
            ])
        };
        let (first, second) = (pattern(random), pattern(random));
        let (player, opponent) = match random.below(6) {
            0 => (0, 0),
            1 => (1 << random.below(64), 0),
            2 => (!0, 0),
            3 => (first, 0),
            4 => (first, !first),
            _ => (first & !second, second),
        };
        (player, opponent, !0)
    }

    /// A run of the opponent's discs that leaves the board at one side and continues at the other. One end of the
    /// run has a disc of the mover. A move at the other end flips nothing, unless a shift wraps around.
    fn wrapped_line(&mut self) -> BoardWithCandidates {
        let random = &mut self.random;
        let step = random.pick(&[1, 7, 9]);
        let first = random.below(64 - 2 * step);
        let length = 2 + random.below(6.min((63 - first) / step - 1));
        let run = (1..length).fold(0, |run, i| run | 1 << (first + i * step));
        let ends = (1 << first, 1 << (first + length * step));
        let (player, candidates) = random.pick(&[ends, (ends.1, ends.0)]);
        // Discs at the sides must not help the wrapped line.
        let sides = random.pick(&[0, 0, COLUMN_A, COLUMN_H]);
        (player, run | sides & !(player | candidates), candidates)
    }

    /// Chooses an empty square, from `candidates` if possible. On a full board a disc is removed first.
    fn square(&mut self, candidates: u64, player: &mut u64, opponent: &mut u64) -> usize {
        let empty = !(*player | *opponent);
        let mut square = self.random.one_of(empty & candidates);
        if square == 0 {
            square = self.random.one_of(empty);
        }
        if square == 0 {
            square = 1 << self.random.below(64);
            *player &= !square;
            *opponent &= !square;
        }
        square.trailing_zeros() as usize
    }
}

impl Iterator for Cases {
    type Item = Case;

    fn next(&mut self) -> Option<Case> {
        let kind = if self.only_games {
            0
        } else {
            self.random.below(4)
        };
        // Most mistakes show at corners and borders.
        let candidates = self.random.pick(&[!0, !0, CORNERS, ring(0)]);
        let anywhere = |(player, opponent)| (player, opponent, candidates);
        let (mut player, mut opponent, candidates) = match kind {
            0 if self.only_games => {
                let (player, opponent) = self.game_position();
                (player, opponent, reference::mobility(player, opponent))
            }
            0 => anywhere(self.game_position()),
            1 => anywhere(self.random_discs()),
            2 => anywhere(self.long_lines()),
            _ => self.adversarial(),
        };
        let square = self.square(candidates, &mut player, &mut opponent);
        let random = &mut self.random;
        let mut left = !0;
        let squares = [0; 4].map(|_: u8| {
            let chosen = random.one_of(left);
            left &= !chosen;
            chosen.trailing_zeros() as u8
        });
        Some(Case {
            square,
            player,
            opponent,
            alpha: random.below(128) as i32 - 64,
            squares: u32::from_le_bytes(squares),
            blocks: random.below(20) as usize,
            pattern: [0; 4].map(|_: u64| random.bits()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANY: usize = 20_000;

    #[test]
    fn cases_are_valid_and_reproducible() {
        for stream in [Cases::new, Cases::of_games] {
            let again = stream(1);
            for (case, repeated) in stream(1).zip(again).take(MANY) {
                assert_eq!(case, repeated);
                assert_eq!(case.broken_invariant(), None, "{case:?}");
            }
        }
    }

    #[test]
    fn boards_that_catch_mistakes_occur() {
        type Is = fn(&Case) -> bool;
        let kinds: &[(&str, Is)] = &[
            ("empty", |case| case.player | case.opponent == 0),
            ("one disc", |case| {
                (case.player | case.opponent).count_ones() == 1
            }),
            ("one empty square", |case| {
                (case.player | case.opponent).count_zeros() == 1
            }),
            ("only the mover", |case| {
                case.opponent == 0 && case.player.count_ones() > 50
            }),
            ("only the opponent", |case| {
                case.player == 0 && case.opponent.count_ones() > 50
            }),
            ("the border", |case| case.player | case.opponent == ring(0)),
            ("a checkerboard", |case| {
                case.player == 0xAA55_AA55_AA55_AA55
            }),
            ("square A1", |case| case.square == 0),
            ("square H1", |case| case.square == 7),
            ("square A8", |case| case.square == 56),
            ("square H8", |case| case.square == 63),
            ("no blocks", |case| case.blocks == 0),
            ("the lowest alpha", |case| case.alpha == -64),
            ("the highest alpha", |case| case.alpha == 63),
            ("a legal move", |case| {
                reference::flip(case.square, case.player, case.opponent) != 0
            }),
            ("a line that wraps around", |case| {
                let (player, opponent) = (case.player, case.opponent);
                let would_flip = |line: &mut dyn Iterator<Item = usize>| {
                    let line: Vec<usize> = line.take_while(|&square| square < 64).collect();
                    let is_end = |square: &usize| opponent >> square & 1 == 0;
                    let end = line.iter().position(is_end).unwrap_or(0);
                    end > 0 && player >> line[end] & 1 == 1
                };
                reference::flip(case.square, player, opponent) == 0
                    && [1, 7, 9].iter().any(|step| {
                        would_flip(&mut (1..).map(|i| case.square + i * step))
                            || would_flip(
                                &mut (1..).map_while(|i| case.square.checked_sub(i * step)),
                            )
                    })
            }),
        ];
        let cases: Vec<Case> = Cases::new(1).take(MANY).collect();
        for (name, is) in kinds {
            let found = cases.iter().filter(|case| is(case)).count();
            assert!(found >= 5, "{name}: {found} of {MANY}");
        }
    }

    #[test]
    fn games_begin_with_four_discs_and_grow_by_one() {
        let discs = |case: &Case| (case.player | case.opponent).count_ones();
        let games: Vec<Case> = Cases::of_games(1).take(MANY).collect();
        assert_eq!(discs(&games[0]), 4);
        for pair in games.windows(2) {
            let (before, after) = (discs(&pair[0]), discs(&pair[1]));
            // The last position of a game may be a full board with a disc removed.
            let goes_on = after == before + 1 || after == 63 && before == 63;
            assert!(goes_on || after == 4, "{before}, {after}");
        }
    }

    #[test]
    fn rings_are_the_squares_of_one_distance_from_the_border() {
        assert_eq!(ring(0), ROW_1 | ROW_8 | COLUMN_A | COLUMN_H);
        assert_eq!(ring(0) | ring(1) | ring(2) | ring(3), !0);
        assert_eq!(ring(3), START.0 | START.1);
        assert_eq!([0, 1, 2, 3].map(|n| ring(n).count_ones()), [28, 20, 12, 4]);
    }
}
