//! Weaker play on purpose: moves that lose a chosen number of discs over a whole game.
//!
//! A search scores all moves, and a [`SkillPlayer`] draws one of them. A move is the less likely the more it loses. The
//! draw's mean loss is the number of discs that the [`Skill`] allots to the move. If earlier moves of the phase lost more or
//! fewer discs than they were allotted, the next moves make up for it.
//!
//! ```
//! use outflank::skill::{Skill, SkillPlayer};
//! use outflank::{Engine, Game};
//!
//! let mut engine = Engine::builder().hash_mib(4).build()?;
//! let mut player = SkillPlayer::new("beginner".parse::<Skill>()?, 7);
//! let mut game = Game::new();
//! while game.moves().count() < 10 {
//!     let result = engine.search(game.board(), &player.limits(game.board()))?;
//!     let chosen = player.choose(game.board(), game.side(), &result).ok_or("no move")?;
//!     game.play(chosen.ply.ok_or("a pass")?)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::str::FromStr;

use outflank_random::SplitMix64;

use crate::board::Board;
use crate::search::{Candidate, Limits, SearchResult, Strength};
use crate::side::Side;
use crate::square::Ply;

/// Number of moves of one side in each phase of a game: opening, middle game, endgame.
const MOVES_PER_PHASE: f64 = 10.0;

/// Shares of the phases in the losses of a game, as in games of tournaments (docs/lab/skill.md).
const SHARES: [f64; 3] = [0.2, 0.45, 0.35];

/// Share of the difference between allotted and lost discs of earlier moves that the next move makes up for. A larger
/// share would make a blunder follow each good move.
const CARRIED: f64 = 0.25;

/// The most discs that a text can give a phase: a player of random moves loses fewer.
const MAX_LOSS: f64 = 1000.0;

/// Playing strength over a whole game.
///
/// Written as text it is a name of [`NAMED_SKILLS`], discs per game (`40`), discs per move (`1.5/move`), or discs per
/// game in the three phases (`5,20,10`).
///
/// ```
/// use outflank::skill::Skill;
///
/// assert_eq!("5,20,10".parse::<Skill>()?.losses, [5.0, 20.0, 10.0]);
/// assert_eq!("1.5/move".parse::<Skill>()?.losses, [15.0; 3]);
/// assert_eq!("45".parse::<Skill>()?.losses.iter().sum::<f64>(), 45.0);
/// assert_eq!("Unlimited".parse::<Skill>()?.losses, [0.0; 3]);
/// assert!("-1".parse::<Skill>().is_err());
/// # Ok::<(), outflank::skill::SkillError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Skill {
    /// Strength of the searches that score the moves.
    pub strength: Strength,
    /// Mean number of discs that one side's moves lose against the best ones in a whole opening (41 or more empty
    /// squares), middle game (21 to 40) and endgame (20 or fewer).
    pub losses: [f64; 3],
}

/// A skill with a name and a rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NamedSkill {
    /// Name in lower case.
    pub name: &'static str,
    /// The skill.
    pub skill: Skill,
    /// Elo rating among the named skills. A player of random moves has 0.
    pub rating: i32,
}

/// Named skills, the weakest first.
pub const NAMED_SKILLS: [NamedSkill; 9] = [
    named("beginner", 6, 180.0, 430),
    named("novice", 6, 130.0, 760),
    named("casual", 6, 95.0, 1070),
    named("improver", 8, 70.0, 1410),
    named("club", 8, 50.0, 1710),
    named("strong", 8, 34.0, 1930),
    named("expert", 8, 22.0, 2110),
    named("master", 8, 12.0, 2290),
    named("unlimited", 16, 0.0, 2990),
];

const fn named(name: &'static str, level: u32, discs: f64, rating: i32) -> NamedSkill {
    NamedSkill {
        name,
        skill: Skill {
            strength: Strength::Level(level),
            losses: spread(discs),
        },
        rating,
    }
}

/// Spreads the losses of a game over its phases.
const fn spread(discs: f64) -> [f64; 3] {
    [discs * SHARES[0], discs * SHARES[1], discs * SHARES[2]]
}

/// Error of a text that is no skill.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no skill: expected {names}, or lost discs: per game (40), per move (1.5/move), or in the opening, \
     middle game and endgame (5,20,10)",
    names = NAMED_SKILLS.map(|named| named.name).join(", ")
)]
pub struct SkillError(String);

impl Skill {
    /// Level of the searches of a skill without a name.
    const LEVEL: u32 = 8;

    /// A skill of these losses per game in the opening, the middle game and the endgame.
    pub const fn by_phase(losses: [f64; 3]) -> Skill {
        Skill {
            strength: Strength::Level(Skill::LEVEL),
            losses,
        }
    }

    /// A skill that loses `discs` per game: a fifth of them in the opening, most in the middle game.
    pub const fn per_game(discs: f64) -> Skill {
        Skill::by_phase(spread(discs))
    }

    /// A skill that loses `discs` with each move.
    pub const fn per_move(discs: f64) -> Skill {
        Skill::by_phase([discs * MOVES_PER_PHASE; 3])
    }

    /// Returns `true` if all moves are the best ones that the search finds.
    pub fn is_unlimited(&self) -> bool {
        self.losses.iter().all(|&discs| discs <= 0.0)
    }

    /// Mean loss of a move with this number of empty squares, in discs.
    fn loss_of_move(&self, empties: u32) -> f64 {
        self.losses[phase(empties)] / MOVES_PER_PHASE
    }
}

/// Phase of a position with this number of empty squares: opening 0, middle game 1, endgame 2.
fn phase(empties: u32) -> usize {
    (60_u32.saturating_sub(empties) / 20).min(2) as usize
}

impl FromStr for Skill {
    type Err = SkillError;

    fn from_str(text: &str) -> Result<Skill, SkillError> {
        let text = text.trim();
        let named = NAMED_SKILLS
            .iter()
            .find(|named| named.name.eq_ignore_ascii_case(text));
        if let Some(named) = named {
            return Ok(named.skill);
        }
        let error = || SkillError(crate::notation::truncated(text));
        let discs = |text: &str| {
            let discs = text.trim().parse().ok();
            discs.filter(|discs: &f64| discs.is_sign_positive() && *discs <= MAX_LOSS)
        };
        if let Some(text) = text.strip_suffix("/move") {
            let discs = discs(text).filter(|discs| discs * MOVES_PER_PHASE <= MAX_LOSS);
            return discs.map(Skill::per_move).ok_or_else(error);
        }
        let losses: Option<Vec<f64>> = text.split(',').map(discs).collect();
        match losses.ok_or_else(error)?[..] {
            [discs] => Ok(Skill::per_game(discs)),
            [opening, middle, end] => Ok(Skill::by_phase([opening, middle, end])),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Skill {
    /// Writes the name of a named skill, else the losses of the game or of its phases, to a tenth of a disc.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(named) = NAMED_SKILLS.iter().find(|named| named.skill == *self) {
            return f.write_str(named.name);
        }
        let rounded = |discs: f64| (discs * 10.0).round() / 10.0;
        let sum: f64 = self.losses.iter().sum();
        match spread(sum).map(rounded) == self.losses.map(rounded) {
            true => write!(f, "{}", rounded(sum)),
            false => {
                let [opening, middle, end] = self.losses.map(rounded);
                write!(f, "{opening},{middle},{end}")
            }
        }
    }
}

/// Player that draws the moves of games.
///
/// One player can play both sides, and any number of games one after another. Moves may be taken back.
#[derive(Clone, Debug)]
pub struct SkillPlayer {
    skill: Skill,
    random: SplitMix64,
    /// The chosen moves of the game, the first one first.
    chosen: Vec<ChosenMove>,
}

/// A move of the game that the player has chosen.
#[derive(Clone, Copy, Debug)]
struct ChosenMove {
    side: Side,
    /// Discs of both sides before the move.
    discs: u64,
    /// Lost discs.
    loss: f64,
    /// Discs that the skill allotted to the move.
    allotted: f64,
}

impl ChosenMove {
    /// Number of empty squares before the move.
    fn empties(&self) -> u32 {
        self.discs.count_zeros()
    }

    /// Returns `true` if a position with these discs can follow in the same game.
    fn precedes(&self, discs: u64) -> bool {
        self.discs & !discs == 0 && self.discs != discs
    }
}

impl SkillPlayer {
    /// Creates a player. The same seed and the same searches give the same moves.
    pub fn new(skill: Skill, seed: u64) -> SkillPlayer {
        SkillPlayer {
            skill,
            random: SplitMix64::new(seed),
            chosen: Vec::new(),
        }
    }

    /// Skill of the player.
    pub fn skill(&self) -> Skill {
        self.skill
    }

    /// Changes the skill from the next move on.
    pub fn set_skill(&mut self, skill: Skill) {
        self.skill = skill;
    }

    /// Begins another game: earlier losses count no more.
    ///
    /// Without this call, [`SkillPlayer::choose`] recognises another game by a disc that would have left the board.
    pub fn begin_game(&mut self) {
        self.chosen.clear();
    }

    /// Limits of the search that scores the moves of `board`: all of its moves, unless the skill is unlimited.
    pub fn limits(&self, board: Board) -> Limits {
        let limits = self.skill.strength.limits(board.empty_count());
        Limits {
            // A search of depth 0 scores no move.
            depth: limits.depth.max(1),
            lines: match self.skill.is_unlimited() {
                true => 1,
                // A search of a single line returns no candidates.
                false => board.mobility().count_ones().max(2),
            },
            ..limits
        }
    }

    /// Draws a move of `side` among those that a search of `board` has scored; `None` if it has scored none.
    ///
    /// Moves that lead to symmetric positions have the best of their scores. Moves that were taken back do not count.
    pub fn choose(&mut self, board: Board, side: Side, result: &SearchResult) -> Option<Candidate> {
        let moves = result.candidates.iter();
        let moves: Vec<_> = moves
            .map(|candidate| (candidate.ply, candidate.score))
            .collect();
        match self.choose_move(board, side, &moves) {
            Some(index) => Some(result.candidates[index].clone()),
            // A search of a single line has no candidates.
            None => result.line.first().map(|&ply| Candidate {
                ply,
                score: result.score,
                bound: result.bound,
                line: result.line.clone(),
            }),
        }
    }

    /// Draws one of the legal moves of `board` with their scores in discs for `side`. Returns its index; `None` if there
    /// are none. [`SkillPlayer::choose`] does so with the result of a search.
    pub fn choose_move(&mut self, board: Board, side: Side, moves: &[(Ply, i32)]) -> Option<usize> {
        let discs = board.player | board.opponent;
        self.chosen.retain(|chosen| chosen.precedes(discs));
        let scores = equal_scores(board, moves);
        let best = scores.iter().max()?;
        let losses: Vec<f64> = scores.iter().map(|score| f64::from(best - score)).collect();
        let empties = board.empty_count();
        let allotted = self.skill.loss_of_move(empties);
        let same =
            |chosen: &&ChosenMove| chosen.side == side && phase(chosen.empties()) == phase(empties);
        let owed = self.chosen.iter().filter(same);
        let owed: f64 = owed.map(|chosen| chosen.allotted - chosen.loss).sum();
        let mean = match allotted > 0.0 {
            true => allotted + CARRIED * owed,
            false => 0.0,
        };
        let index = draw(&losses, mean, &mut self.random);
        self.chosen.push(ChosenMove {
            side,
            discs,
            loss: losses[index],
            allotted,
        });
        Some(index)
    }

    /// Discs that the moves of `side` have lost so far in the game.
    pub fn lost(&self, side: Side) -> f64 {
        let own = self.chosen.iter().filter(|chosen| chosen.side == side);
        own.map(|chosen| chosen.loss).sum()
    }
}

/// Returns the score of each move: the best one among the moves that lead to the same position up to symmetry.
fn equal_scores(board: Board, moves: &[(Ply, i32)]) -> Vec<i32> {
    let next = |ply: Ply| ply.map_or(Some(board.pass()), |square| board.play(square));
    let classes = moves
        .iter()
        .map(|&(ply, _)| next(ply).map(|next| next.canonical().0));
    let classes: Vec<_> = classes.collect();
    let score = |class| {
        let same = moves
            .iter()
            .zip(&classes)
            .filter(|&(_, other)| other == class);
        same.map(|(&(_, score), _)| score).max()
    };
    classes.iter().filter_map(score).collect()
}

/// Draws an index. The mean of the drawn losses is `mean`, or as near to it as the losses allow: between the least loss
/// and the mean of all.
///
/// The probability of a loss is proportional to `exp(-sharpness * loss)`, as in Luce's model of choices.
fn draw(losses: &[f64], mean: f64, random: &mut SplitMix64) -> usize {
    /// Sharpness at which a loss of one disc is never drawn.
    const MAX_SHARPNESS: f64 = 64.0;
    let weights = |sharpness: f64| losses.iter().map(move |loss| (-sharpness * loss).exp());
    let mean_at = |sharpness: f64| {
        let weighted = weights(sharpness)
            .zip(losses)
            .map(|(weight, loss)| weight * loss);
        weighted.sum::<f64>() / weights(sharpness).sum::<f64>()
    };
    // The mean falls as the sharpness rises.
    let (mut low, mut high) = (0.0, MAX_SHARPNESS);
    if mean_at(low) <= mean {
        high = low;
    }
    while high - low > 1e-6 {
        let middle = (low + high) / 2.0;
        match mean_at(middle) > mean {
            true => low = middle,
            false => high = middle,
        }
    }
    let weights: Vec<f64> = weights(high).collect();
    let mut rest = fraction(random) * weights.iter().sum::<f64>();
    let found = weights.iter().position(|weight| {
        rest -= weight;
        rest < 0.0
    });
    // Rounding may leave a rest behind the last weight.
    found.unwrap_or(0)
}

/// Returns a random number from 0 to 1, without 1.
fn fraction(random: &mut SplitMix64) -> f64 {
    (random.bits() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Engine;
    use crate::{Game, Square};

    #[test]
    fn draws_have_the_wanted_mean_loss() {
        let losses = [0.0, 1.0, 2.0, 2.0, 7.0, 12.0, 30.0];
        let mut random = SplitMix64::new(1);
        let mut mean_of = |mean: f64| {
            let drawn = (0..20_000).map(|_| losses[draw(&losses, mean, &mut random)]);
            drawn.sum::<f64>() / 20_000.0
        };
        for wanted in [0.5, 1.0, 2.0, 5.0] {
            let mean = mean_of(wanted);
            assert!(
                (mean - wanted).abs() < 0.1 + 0.05 * wanted,
                "{wanted}: {mean}"
            );
        }
        // Never worse than random moves, never better than the best one.
        assert!((mean_of(1e9) - 54.0 / 7.0).abs() < 0.3);
        assert_eq!(mean_of(0.0), 0.0);
        assert_eq!(mean_of(-5.0), 0.0);
        assert_eq!(draw(&[0.0], 3.0, &mut random), 0);
        assert_eq!(draw(&[0.0, 0.0], -3.0, &mut random) / 2, 0);
    }

    /// Plays a game against itself and returns the losses of both sides by phase, as the player's searches see them.
    fn losses(player: &mut SkillPlayer, engine: &mut Engine) -> ([f64; 3], Vec<Square>) {
        let (mut game, mut losses) = (Game::new(), [0.0; 3]);
        while !game.is_over() {
            if game.board().must_pass() {
                game.pass().unwrap();
            }
            let (board, side) = game.position();
            let result = engine.search(board, &player.limits(board)).unwrap();
            let before = player.lost(side);
            let chosen = player.choose(board, side, &result).unwrap();
            // The first move has no loss, and drops those of the game before.
            let before = if board.empty_count() == 60 {
                0.0
            } else {
                before
            };
            let phase = (60 - board.empty_count()) / 20;
            losses[phase as usize] += player.lost(side) - before;
            game.play(chosen.ply.unwrap()).unwrap();
        }
        (losses, game.moves().collect())
    }

    #[test]
    fn games_lose_the_discs_of_the_skill_in_each_phase() {
        const GAMES: usize = 30;
        let mut engine = Engine::builder().hash_mib(1).build().unwrap();
        let skill = Skill {
            strength: Strength::Level(2),
            losses: [10.0, 40.0, 0.0],
        };
        let mut player = SkillPlayer::new(skill, 3);
        let mut sums = [0.0; 3];
        for _ in 0..GAMES {
            let (losses, _) = losses(&mut player, &mut engine);
            for (sum, loss) in sums.iter_mut().zip(losses) {
                *sum += loss / (2 * GAMES) as f64;
            }
        }
        let [opening, middle, end] = sums;
        assert!((opening / 10.0 - 1.0).abs() < 0.2, "{sums:?}");
        assert!((middle / 40.0 - 1.0).abs() < 0.2, "{sums:?}");
        assert_eq!(end, 0.0);
    }

    #[test]
    fn seeds_repeat_games_and_moves_can_be_taken_back() {
        let mut engine = Engine::builder().hash_mib(1).build().unwrap();
        let skill = Skill {
            strength: Strength::Level(1),
            ..Skill::per_game(60.0)
        };
        let mut play = |seed: u64| {
            engine.clear();
            losses(&mut SkillPlayer::new(skill, seed), &mut engine).1
        };
        assert_eq!(play(1), play(1));
        assert_ne!(play(1), play(2));

        let mut player = SkillPlayer::new(skill, 1);
        let mut game = Game::new();
        for square in ["F5", "D6", "C3", "D3"] {
            let (board, side) = game.position();
            let result = engine.search(board, &player.limits(board)).unwrap();
            player.choose(board, side, &result).unwrap();
            game.play(square.parse().unwrap()).unwrap();
        }
        assert_eq!(player.chosen.len(), 4);
        game.undo();
        game.undo();
        let (board, side) = game.position();
        let result = engine.search(board, &player.limits(board)).unwrap();
        player.choose(board, side, &result).unwrap();
        assert_eq!(
            player.chosen.len(),
            3,
            "those that were taken back count no more"
        );
    }

    #[test]
    fn unlimited_skill_plays_the_best_move() {
        let mut engine = Engine::builder().hash_mib(1).build().unwrap();
        let skill = Skill {
            strength: Strength::Level(6),
            ..Skill::per_game(0.0)
        };
        let mut player = SkillPlayer::new(skill, 1);
        let board = Board::START.play("F5".parse().unwrap()).unwrap();
        let result = engine.search(board, &player.limits(board)).unwrap();
        assert!(result.candidates.is_empty(), "a single line is faster");
        let chosen = player.choose(board, Side::White, &result).unwrap();
        assert_eq!((chosen.ply, chosen.score), (result.best(), result.score));
    }

    #[test]
    fn texts_are_skills() {
        for named in NAMED_SKILLS {
            assert_eq!(named.name.parse(), Ok(named.skill));
            assert_eq!(named.skill.to_string(), named.name);
        }
        let sorted = NAMED_SKILLS
            .is_sorted_by(|a, b| a.rating < b.rating && a.skill.losses[1] > b.skill.losses[1]);
        assert!(sorted, "the weakest comes first");
        for text in [
            "",
            "grandmaster",
            "-3",
            "nan",
            "inf",
            "1001",
            "1,2",
            "1,2,3,4",
            "/move",
            "1,,2",
        ] {
            let error = text.parse::<Skill>().unwrap_err().to_string();
            assert!(
                error.contains("beginner") && error.contains("1.5/move"),
                "{error}"
            );
        }
        assert_eq!(Skill::by_phase([1.0, 2.5, 3.0]).to_string(), "1,2.5,3");
        for text in ["7", "33.3", "15,15,15", "1,0,2.5"] {
            assert_eq!(text.parse::<Skill>().unwrap().to_string(), text);
        }
    }
}
