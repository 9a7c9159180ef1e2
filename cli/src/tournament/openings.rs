//! The openings of a match: those of a file, or near-even ones, drawn by chance.

use std::collections::{HashMap, HashSet};

use outflank::kernels::Isa;
use outflank::kernels::levels::portable::canonical;
use outflank_random::SplitMix;

use outflank::notation::{self, Contents, Format, FormatError, Place, ReadError};
use outflank::openings::{MAX_PLIES, openings, replies};
use outflank::search::{Engine, EngineError, Limits, Selectivity, StopHandle};
use outflank::text::counted;
use outflank::{Board, Game};

/// Plies that an opening is searched to see whether it is even.
const DEPTH: u32 = 8;

/// Why there are no openings, or not enough.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpeningsError {
    /// Something in the file cannot be read.
    #[error("{}", .1.of_file(.0))]
    Read(String, ReadError),
    /// The file has nothing, or is of another kind.
    #[error("{0}: {1}")]
    Format(String, FormatError),
    /// A position, of which nobody knows how it came about.
    #[error("{0}: a position without moves is no opening: give games")]
    Position(String),
    /// A game from another start.
    #[error("{0}: openings begin with the usual position, for engines are told moves")]
    Start(String),
    /// A game in which nothing is left to play.
    #[error("{0}: the game is over: take its first moves as opening, --plies N")]
    Over(String),
    /// All have been played.
    #[error(
        "{} as many openings, and of {all} after {} {} worth {} or less: play fewer games, \
         or let openings have more --plies or be less --even",
        counted(pairs, "pair needs", "pairs need"),
        counted(plies, "ply", "plies"),
        counted(even, "is", "are"),
        counted(most, "disc", "discs")
    )]
    TooFew {
        /// Pairs of games that were to be played.
        pairs: usize,
        /// Openings that there are.
        all: usize,
        /// Plies of each.
        plies: u32,
        /// Those that are near even.
        even: usize,
        /// How near that is.
        most: u32,
    },
    /// What searches the openings cannot be made.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The match was stopped.
    #[error("stopped")]
    Stopped,
}

/// Which openings are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Draw {
    /// Moves of an opening, 0 to [`MAX_PLIES`].
    pub(crate) plies: u32,
    /// The most that one is worth to either side, in discs, as a search of 8 plies sees it.
    pub(crate) even: u32,
    /// What chance begins with.
    pub(crate) seed: u64,
}

/// The openings of a match, one for each pair of games.
pub(crate) struct Openings(Source);

enum Source {
    File { games: Vec<Game>, crc: u32 },
    Drawn(Box<Drawn>),
}

impl Openings {
    /// Those of a file of this name with these contents: transcripts, GGF or WTHOR; of each game the
    /// first `plies` moves, where that is given. Of those that lead to equal positions, up to symmetry, the
    /// first is taken. They come in their order, and again from the first when all have been played.
    pub(crate) fn read(
        name: &str,
        file: &[u8],
        plies: Option<u32>,
    ) -> Result<Openings, OpeningsError> {
        let (mut games, mut seen) = (Vec::new(), HashSet::new());
        let unusable = |error| OpeningsError::Format(name.to_owned(), error);
        for entry in notation::read(file, Format::of(file).map_err(unusable)?) {
            let entry = entry.map_err(|error| OpeningsError::Read(name.to_owned(), error))?;
            let Contents::Game(record) = entry.contents else {
                return Err(OpeningsError::Position(entry.place.of_file(name)));
            };
            let game = opening(record.game, plies, entry.place, name)?;
            // The same pair of games twice would count twice.
            if seen.insert(class(game.board())) {
                games.push(game);
            }
        }
        if games.is_empty() {
            return Err(unusable(FormatError::Empty));
        }
        let lines: Vec<String> = games.iter().map(moves).collect();
        let crc = crc32fast::hash(lines.join("\n").as_bytes());
        Ok(Openings(Source::File { games, crc }))
    }

    /// All positions after some plies, one of each that are equal up to symmetry, in an order of chance,
    /// as far as they are near even, which an engine at this level of instructions finds.
    ///
    /// # Panics
    ///
    /// Panics if there are more than [`MAX_PLIES`] plies.
    pub(crate) fn drawn(
        draw: Draw,
        isa: Isa,
        stop: &StopHandle,
    ) -> Result<Openings, OpeningsError> {
        assert!(draw.plies <= MAX_PLIES, "too many openings");
        let engine = Engine::builder().isa(isa).hash_mib(1);
        let engine = engine.stop_handle(stop.clone()).build()?;
        Ok(Openings(Source::Drawn(Box::new(Drawn {
            draw,
            left: openings(draw.plies),
            all: 0,
            parents: parents(draw.plies),
            chance: SplitMix::new(draw.seed),
            engine,
            even: Vec::new(),
        }))))
    }

    /// The opening of the pair of this number, from 0, of so many.
    pub(crate) fn of_pair(&mut self, pair: usize, pairs: usize) -> Result<Game, OpeningsError> {
        match &mut self.0 {
            Source::File { games, .. } => Ok(games[pair % games.len()].clone()),
            Source::Drawn(drawn) => drawn.of_pair(pair, pairs),
        }
    }

    /// How many there are, where more pairs than that play some of them again.
    pub(crate) fn count(&self) -> Option<usize> {
        match &self.0 {
            Source::File { games, .. } => Some(games.len()),
            Source::Drawn(_) => None,
        }
    }

    /// What makes them what they are.
    pub(crate) fn origin(&self) -> String {
        match &self.0 {
            Source::File { games, crc } => format!("{} of a file, CRC-32 {crc:08x}", games.len()),
            Source::Drawn(drawn) => {
                let Draw { plies, even, seed } = drawn.draw;
                format!("drawn after {plies} plies, even to {even} discs, seed {seed}")
            }
        }
    }
}

/// The opening that a game of a file is.
fn opening(
    mut game: Game,
    plies: Option<u32>,
    place: Place,
    name: &str,
) -> Result<Game, OpeningsError> {
    if !game.has_usual_start() {
        return Err(OpeningsError::Start(place.of_file(name)));
    }
    if let Some(plies) = plies {
        while game.moves().count() > plies as usize {
            game.undo();
        }
    }
    match game.is_over() {
        true => Err(OpeningsError::Over(place.of_file(name))),
        false => Ok(game),
    }
}

/// What is the same for all positions that are equal up to symmetry.
fn class(Board { player, opponent }: Board) -> [u64; 2] {
    canonical::selected(player, opponent)
}

/// The moves of an opening as a line.
pub(super) fn moves(game: &Game) -> String {
    game.moves().map(|square| format!("{square:#}")).collect()
}

/// Draws openings, each when it is asked for.
struct Drawn {
    draw: Draw,
    /// Those that were not drawn yet.
    left: Vec<Board>,
    /// How many were.
    all: usize,
    /// For each position after a move or more, one that leads to it.
    parents: HashMap<Board, Board>,
    chance: SplitMix,
    engine: Engine,
    /// Those that were drawn and are near even.
    even: Vec<Board>,
}

impl Drawn {
    fn of_pair(&mut self, pair: usize, pairs: usize) -> Result<Game, OpeningsError> {
        while self.even.len() <= pair {
            if self.left.is_empty() {
                return Err(OpeningsError::TooFew {
                    pairs,
                    all: self.all,
                    plies: self.draw.plies,
                    even: self.even.len(),
                    most: self.draw.even,
                });
            }
            let index = self.chance.below(self.left.len() as u64) as usize;
            let board = self.left.swap_remove(index);
            self.all += 1;
            if self.score(board)?.unsigned_abs() <= self.draw.even {
                self.even.push(board);
            }
        }
        Ok(self.game(self.even[pair]))
    }

    fn score(&mut self, board: Board) -> Result<i32, OpeningsError> {
        // The same whatever was searched before.
        self.engine.clear();
        let limits = Limits::depth(DEPTH, Selectivity::Full);
        let found = self.engine.search(board, &limits);
        match found {
            Ok(found) if found.complete => Ok(found.score),
            _ => Err(OpeningsError::Stopped),
        }
    }

    /// Moves that lead to the position, or to one that is equal up to symmetry.
    fn game(&self, board: Board) -> Game {
        let mut line = vec![board];
        while let Some(&parent) = self.parents.get(line.last().expect("there is one")) {
            line.push(parent);
        }
        let mut game = Game::new();
        for next in line.iter().rev().skip(1) {
            let (board, _) = game.turns().last().expect("there is a start");
            let found = replies(board).find(|(_, reply)| reply == next);
            let (square, _) = found.expect("the position before leads to it");
            game.play(square).expect("a reply is legal");
        }
        game
    }
}

/// For each position after 1 to `plies` moves one that leads to it, both standing for all that are equal
/// up to symmetry.
fn parents(plies: u32) -> HashMap<Board, Board> {
    let mut parents = HashMap::new();
    for before in 0..plies {
        for parent in openings(before) {
            for (_, reply) in replies(parent) {
                parents.entry(reply).or_insert(parent);
            }
        }
    }
    parents
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(plies: u32, even: u32, seed: u64) -> Openings {
        let draw = Draw { plies, even, seed };
        Openings::drawn(draw, Isa::detect(), &StopHandle::default()).unwrap()
    }

    #[test]
    fn drawn_openings_are_different_even_and_the_same_for_a_seed() {
        let take = |openings: &mut Openings| -> Vec<Game> {
            let game = |pair| openings.of_pair(pair, 20).unwrap();
            (0..20).map(game).collect()
        };
        let first = take(&mut draw(6, 3, 1));
        assert_eq!(take(&mut draw(6, 3, 1)), first);
        assert_ne!(take(&mut draw(6, 3, 2)), first);
        let all = openings(6);
        let mut engine = Engine::builder().hash_mib(1).build().unwrap();
        let mut classes = Vec::new();
        for game in &first {
            assert_eq!(game.moves().count(), 6);
            let limits = Limits::depth(DEPTH, Selectivity::Full);
            let score = engine.search(game.board(), &limits).unwrap().score;
            assert!(score.abs() <= 3, "{score}");
            let mut before = game.clone();
            let last = before.undo().unwrap().unwrap();
            let found = replies(before.board()).find(|(square, _)| *square == last);
            classes.push(found.unwrap().1);
        }
        assert!(classes.iter().all(|class| all.contains(class)));
        classes.sort_unstable_by_key(|board| (board.player, board.opponent));
        classes.dedup();
        assert_eq!(classes.len(), 20);
    }

    #[test]
    fn what_is_no_opening_is_said() {
        let told = |file: &[u8], plies| match Openings::read("f", file, plies) {
            Ok(openings) => openings.origin(),
            Err(error) => error.to_string(),
        };
        let over = b"e6f4e3f6g5d6e7f5c5\n";
        for (file, plies, expected) in [
            (&b"f5d6c3\nf5f6\n"[..], None, "2 of a file, CRC-32 ade1c37f"),
            (b"f5d6c3\nf5f6e6", Some(2), "2 of a file, CRC-32 23c7f362"),
            // One is the other's mirror image.
            (b"f5d6\nc4e3\nf5f6", None, "2 of a file, CRC-32 23c7f362"),
            (b"", None, "f: neither games nor positions in it"),
            (
                b"\x1f\x8b\x08",
                None,
                "f: expected positions (OBF) or games (GGF, SGF, WTHOR, transcripts), but it is compressed by \
                 gzip: unpack it first",
            ),
            (b"f5f5", None, "f:1: move 2, F5, is not legal: the square is taken"),
            (
                b"---------------------------OX------XO--------------------------- X;",
                None,
                "f:1: a position without moves is no opening: give games",
            ),
            (
                b"(;GM[Othello]BO[8 ---------------------------OX------XXX-------------------------- O];)",
                None,
                "f:1: openings begin with the usual position, for engines are told moves",
            ),
            (
                over,
                None,
                "f:1: the game is over: take its first moves as opening, --plies N",
            ),
        ] {
            assert_eq!(told(file, plies), expected);
        }
        let mut few = draw(3, 0, 1);
        let error = (0..20)
            .find_map(|pair| few.of_pair(pair, 20).err())
            .unwrap();
        assert!(
            error
                .to_string()
                .starts_with("20 pairs need as many openings, and of 14 after 3 plies")
        );
    }
}
