//! Openings drawn at random: even positions, and choices among named openings and lists of moves.
//!
//! ```
//! use outflank::drawn_openings::DrawnOpenings;
//!
//! // Tiger openings twice as often as others of six moves that are even.
//! let choices = [ "tiger=2".parse()?, "even:6".parse()? ];
//! let mut openings = DrawnOpenings::new(choices.into(), 1)?;
//! let game = openings.draw()?;
//! assert!(game.moves().count() == 5 || game.moves().count() == 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::{HashMap, HashSet};
use std::iter;
use std::str::FromStr;

use outflank_random::SplitMix64;
use outflank_support::text::plural;

use crate::board::Board;
use crate::game::{Game, IllegalMove};
use crate::notation::transcript::{self, TranscriptFault};
use crate::opening_names::{OpeningNameError, opening_called};
use crate::openings::{MAX_PLIES, openings, replies};
use crate::search::{Engine, EngineError, Limits, SearchError, Selectivity};
use crate::square::Square;
use crate::symmetry::Symmetry;

/// Plies of the search that judges if an opening is even.
const DEPTH: u32 = 8;

/// The most moves of random openings.
pub const MAX_RANDOM_PLIES: u32 = 30;

/// Moves of XOT openings.
const XOT_PLIES: u32 = 8;

/// Greatest absolute score of an even opening in discs.
const EVEN_SCORE: u32 = 2;

/// Openings of a number of random moves that are even: the absolute score is small, by a search of 8 plies.
///
/// No position comes twice, up to symmetry. Openings of up to [`MAX_PLIES`] moves are drawn from all positions with
/// equal probability, longer ones by random moves.
pub struct EvenOpenings {
    plies: u32,
    /// Greatest absolute score in discs.
    max_score: u32,
    positions: Positions,
    drawn: usize,
    random: SplitMix64,
    engine: Engine,
}

/// Positions of the openings.
enum Positions {
    All {
        /// Positions not yet drawn.
        left: Vec<Board>,
        /// A predecessor of each position after 1 to `plies` moves, both canonical.
        parents: HashMap<Board, Board>,
    },
    /// Random moves lead to the positions. Holds those drawn, in canonical form.
    Random(HashSet<Board>),
}

impl EvenOpenings {
    /// Creates a source of openings of `plies` moves whose score is at most `max_score` discs for either side. `engine`
    /// judges them.
    ///
    /// # Panics
    ///
    /// Panics if there are more than [`MAX_RANDOM_PLIES`] plies.
    pub fn new(plies: u32, max_score: u32, seed: u64, engine: Engine) -> EvenOpenings {
        assert!(plies <= MAX_RANDOM_PLIES, "too many moves");
        let positions = match plies <= MAX_PLIES {
            true => Positions::All {
                left: openings(plies),
                parents: parents(plies),
            },
            false => Positions::Random(HashSet::new()),
        };
        EvenOpenings {
            plies,
            max_score,
            positions,
            drawn: 0,
            random: SplitMix64::new(seed),
            engine,
        }
    }

    /// Number of positions drawn so far, even or not.
    pub fn drawn(&self) -> usize {
        self.drawn
    }

    /// Draws the next opening; `None` if all were drawn, or if thousands of random games led to no new one. A stop of
    /// the engine is an error.
    pub fn draw(&mut self) -> Result<Option<Game>, SearchError> {
        /// Random games without a new even position, after which there is hardly another one.
        const MAX_FAILURES: u32 = 5000;
        let mut failures = 0;
        loop {
            let game = match &mut self.positions {
                Positions::All { left, .. } if left.is_empty() => return Ok(None),
                Positions::All { left, parents } => {
                    let board = left.swap_remove(self.random.index(left.len()));
                    game_to(board, parents)
                }
                Positions::Random(_) if failures == MAX_FAILURES => return Ok(None),
                Positions::Random(seen) => {
                    failures += 1;
                    match random_game(self.plies, &mut self.random) {
                        Some(game) if seen.insert(game.board().canonical().0) => game,
                        _ => continue,
                    }
                }
            };
            self.drawn += 1;
            // The canonical form, so that the score does not depend on the way to the position.
            let board = game.board().canonical().0;
            if score(&mut self.engine, board)?.unsigned_abs() <= self.max_score {
                return Ok(Some(game));
            }
        }
    }
}

/// Returns a predecessor of each position after 1 to `plies` moves.
fn parents(plies: u32) -> HashMap<Board, Board> {
    let mut parents = HashMap::new();
    for parent in (0..plies).flat_map(openings) {
        for (_, reply) in replies(parent) {
            parents.entry(reply).or_insert(parent);
        }
    }
    parents
}

/// Returns a game that leads to a position, or to a symmetric image of it.
fn game_to(board: Board, parents: &HashMap<Board, Board>) -> Game {
    let parent = |board: &Board| parents.get(board).copied();
    let line: Vec<Board> = iter::successors(Some(board), parent).collect();
    let mut game = Game::new();
    for next in line.iter().rev().skip(1) {
        let (board, _) = game.turns().last().expect("a game has a start");
        let found = replies(board).find(|(_, reply)| reply == next);
        let (square, _) = found.expect("the predecessor leads to it");
        game.play(square).expect("a reply is legal");
    }
    game
}

/// Plays random moves; `None` if the game ends before or with the last one.
fn random_game(plies: u32, random: &mut SplitMix64) -> Option<Game> {
    let mut game = Game::new();
    for _ in 0..plies {
        if game.board().must_pass() {
            game.pass().expect("the side has no move");
        }
        let moves: Vec<Square> = Square::all_in(game.board().mobility()).collect();
        if moves.is_empty() {
            return None;
        }
        game.play(random.pick(&moves)).expect("it is legal");
    }
    (!game.is_over()).then_some(game)
}

/// Score of a position in discs. It does not depend on earlier searches.
fn score(engine: &mut Engine, board: Board) -> Result<i32, SearchError> {
    engine.clear();
    let board = match board.must_pass() {
        true => board.pass(),
        false => board,
    };
    match engine.search(board, &Limits::depth(DEPTH, Selectivity::Full))? {
        result if result.complete => Ok(result.score),
        _ => Err(SearchError::Stopped),
    }
}

/// Kind of openings with its weight.
///
/// Its text is a name of [`opening_names`](crate::opening_names), moves (`f5d6c3`), `even:N` for random even openings
/// of N moves, or `xot` for those of 8 moves, as in XOT. `=W` at the end is a whole number, the weight; without it the
/// weight is 1.
///
/// ```
/// use outflank::drawn_openings::OpeningChoice;
///
/// let weight = |text: &str| text.parse::<OpeningChoice>().map(|choice| choice.weight);
/// assert_eq!((weight("tiger"), weight("f5d6=3")), (Ok(1), Ok(3)));
/// assert!(weight("f5f6d3").is_ok() && weight("f5d3").is_err() && weight("even:99").is_err());
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct OpeningChoice {
    /// Kind of the openings.
    pub kind: OpeningKind,
    /// Weight among several choices, at least 1.
    pub weight: u32,
}

/// Kind of openings.
#[derive(Clone, PartialEq, Debug)]
pub enum OpeningKind {
    /// These moves from the usual start.
    Moves(Game),
    /// [`EvenOpenings`] of this number of moves.
    Even(u32),
}

/// Error of a text that is no [`OpeningChoice`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpeningChoiceError {
    /// The number of random moves is not usable.
    #[error("{0:?}: expected even:N with N from 0 to {MAX_RANDOM_PLIES}")]
    Plies(String),
    /// The weight is not usable.
    #[error("{0:?}: expected a whole number from 1 to 1000000 as weight, as in tiger=3")]
    Weight(String),
    /// The moves cannot be read.
    #[error("{0:?}: {1}")]
    Moves(String, TranscriptFault),
    /// A move is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The game is over after the moves.
    #[error("{0:?}: the game is over after these moves")]
    Over(String),
    /// No opening has the name, or several have it.
    #[error("{0}")]
    Name(#[from] OpeningNameError),
}

impl FromStr for OpeningChoice {
    type Err = OpeningChoiceError;

    fn from_str(text: &str) -> Result<OpeningChoice, OpeningChoiceError> {
        let text = text.trim();
        let (opening, weight) = match text.rsplit_once('=') {
            None => (text, 1),
            Some((opening, weight)) => {
                let weight = weight.trim().parse().ok();
                let weight = weight.filter(|weight| (1..=1_000_000).contains(weight));
                let error = || OpeningChoiceError::Weight(text.to_owned());
                (opening.trim(), weight.ok_or_else(error)?)
            }
        };
        let kind = opening_kind(opening)?;
        Ok(OpeningChoice { kind, weight })
    }
}

fn opening_kind(text: &str) -> Result<OpeningKind, OpeningChoiceError> {
    if text.eq_ignore_ascii_case("xot") {
        return Ok(OpeningKind::Even(XOT_PLIES));
    }
    if let Some(plies) = text.to_ascii_lowercase().strip_prefix("even:") {
        let plies = plies.parse().ok();
        let plies = plies.filter(|&plies| plies <= MAX_RANDOM_PLIES);
        let error = || OpeningChoiceError::Plies(text.to_owned());
        return plies.map(OpeningKind::Even).ok_or_else(error);
    }
    opening_game(text).map(OpeningKind::Moves)
}

/// Reads an opening: moves (`f5d6c3`), or a name of [`opening_names`](crate::opening_names). The game is not over.
pub fn opening_game(text: &str) -> Result<Game, OpeningChoiceError> {
    let game = match transcript::moves(text) {
        Ok(moves) if !moves.is_empty() => Game::from_moves(&moves)?,
        Err(error) if !matches!(error.fault, TranscriptFault::NotAMove { column: ..=2, .. }) => {
            return Err(OpeningChoiceError::Moves(text.to_owned(), error.fault));
        }
        // A text that does not begin with a move is a name.
        _ => opening_called(text)?.game(),
    };
    match game.is_over() {
        true => Err(OpeningChoiceError::Over(text.to_owned())),
        false => Ok(game),
    }
}

/// Openings drawn among several choices by their weights.
pub struct DrawnOpenings {
    choices: Vec<OpeningChoice>,
    random: SplitMix64,
    /// Sources of the random openings by number of moves.
    even: HashMap<u32, EvenOpenings>,
    /// `true` if an even opening may come again after all others.
    repeats: bool,
}

/// Reason why no opening can be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// There is nothing to choose from.
    #[error("there are no openings to draw from")]
    NoChoice,
    /// No other even opening of this number of moves was found.
    #[error("there is no other even opening of {}", plural(*.0, "move", "moves"))]
    NoneLeft(u32),
    /// The search that judges openings was stopped.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The engine that judges openings cannot be created.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl DrawnOpenings {
    /// Creates a source of openings. The same seed draws the same openings. Random even openings begin again after the
    /// last one.
    pub fn new(choices: Vec<OpeningChoice>, seed: u64) -> Result<DrawnOpenings, DrawError> {
        match choices.is_empty() {
            true => Err(DrawError::NoChoice),
            false => Ok(DrawnOpenings {
                choices,
                random: SplitMix64::new(seed),
                even: HashMap::new(),
                repeats: true,
            }),
        }
    }

    /// Makes [`DrawError::NoneLeft`] follow the last even opening, so that none comes twice.
    pub fn without_repetition(self) -> DrawnOpenings {
        DrawnOpenings {
            repeats: false,
            ..self
        }
    }

    /// Draws an opening: a game that is not over.
    pub fn draw(&mut self) -> Result<Game, DrawError> {
        let weights = self.choices.iter().map(|choice| u64::from(choice.weight));
        let mut rest = self.random.below(weights.sum());
        let chosen = self.choices.iter().find(|choice| {
            let weight = u64::from(choice.weight);
            let is_chosen = rest < weight;
            rest = rest.wrapping_sub(weight);
            is_chosen
        });
        match chosen.expect("the rest is below the sum").kind {
            OpeningKind::Moves(ref game) => Ok(game.clone()),
            OpeningKind::Even(plies) => self.draw_even(plies),
        }
    }

    fn draw_even(&mut self, plies: u32) -> Result<Game, DrawError> {
        if !self.even.contains_key(&plies) {
            self.begin_even(plies)?;
        }
        let mut game = self.next_even(plies)?;
        if game.is_none() && self.repeats {
            self.begin_even(plies)?;
            game = self.next_even(plies)?;
        }
        let game = game.ok_or(DrawError::NoneLeft(plies))?;
        Ok(from_f5(&game))
    }

    fn begin_even(&mut self, plies: u32) -> Result<(), EngineError> {
        let engine = Engine::builder().hash_mib(1).build()?;
        let source = EvenOpenings::new(plies, EVEN_SCORE, self.random.bits(), engine);
        self.even.insert(plies, source);
        Ok(())
    }

    fn next_even(&mut self, plies: u32) -> Result<Option<Game>, SearchError> {
        let source = self.even.get_mut(&plies);
        source.expect("it was begun").draw()
    }
}

/// Turns or reflects a game so that its first move is F5, as players write games.
fn from_f5(game: &Game) -> Game {
    let moves: Vec<Square> = game.moves().collect();
    let images = Symmetry::all().filter_map(|symmetry| {
        let image: Vec<Square> = moves
            .iter()
            .map(|&square| symmetry.square(square))
            .collect();
        Game::from_moves(&image).ok()
    });
    let f5 = "F5".parse().ok();
    let mut from_f5 = images.filter(|image| image.moves().next() == f5);
    from_f5.next().unwrap_or_else(|| game.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(texts: &[&str], seed: u64, count: usize) -> Vec<Game> {
        let choices = texts.iter().map(|text| text.parse().unwrap()).collect();
        let mut openings = DrawnOpenings::new(choices, seed).unwrap();
        (0..count).map(|_| openings.draw().unwrap()).collect()
    }

    #[test]
    fn even_openings_are_even_and_differ() {
        let mut engine = Engine::builder().hash_mib(1).build().unwrap();
        for plies in [8, 12] {
            let games = drawn(&[&format!("even:{plies}")], 1, 40);
            let boards: HashSet<Board> = games
                .iter()
                .map(|game| game.board().canonical().0)
                .collect();
            assert_eq!(boards.len(), games.len());
            for game in &games {
                assert_eq!(game.moves().count(), plies);
                let score = score(&mut engine, game.board()).unwrap();
                assert!(score.abs() <= 2, "{score}");
            }
            assert_eq!(games, drawn(&[&format!("even:{plies}")], 1, 40));
            assert_ne!(games, drawn(&[&format!("even:{plies}")], 2, 40));
        }
        assert_eq!(drawn(&["xot"], 1, 1)[0].moves().count(), 8);
    }

    /// After three moves there are 14 positions, few of them even.
    #[test]
    fn all_even_openings_come_once() {
        let choices = vec!["even:3".parse().unwrap()];
        let openings = DrawnOpenings::new(choices.clone(), 1).unwrap();
        let mut openings = openings.without_repetition();
        let mut seen = HashSet::new();
        let error = loop {
            match openings.draw() {
                Ok(game) => assert!(seen.insert(game.board().canonical().0)),
                Err(error) => break error,
            }
        };
        assert!((1..14).contains(&seen.len()), "{}", seen.len());
        assert!(matches!(error, DrawError::NoneLeft(3)));
        assert_eq!(openings.even[&3].drawn(), 14);
        let mut openings = DrawnOpenings::new(choices, 1).unwrap();
        for _ in 0..20 {
            assert!(seen.contains(&openings.draw().unwrap().board().canonical().0));
        }
    }

    #[test]
    fn weights_are_shares() {
        let games = drawn(&["tiger=3", "f5f4"], 5, 4000);
        let tigers = games
            .iter()
            .filter(|game| game.moves().count() == 5)
            .count();
        assert!((2900..3100).contains(&tigers), "{tigers}");
    }

    #[test]
    fn unusable_choices_are_refused() {
        for (text, reason) in [
            ("", "no opening is called \"\""),
            ("no such name", "no opening is called \"no such name\""),
            ("rose-b", "several names of openings"),
            ("f5d3", "move 2, D3, is not legal"),
            ("f5 and d6", "found \"an\""),
            ("even:31", "0 to 30"),
            ("even:", "0 to 30"),
            ("tiger=0", "weight"),
            ("tiger=", "weight"),
            ("=3", "no opening"),
        ] {
            let error = text.parse::<OpeningChoice>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        assert!(DrawnOpenings::new(Vec::new(), 1).is_err());
    }
}
