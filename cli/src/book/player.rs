//! The book that a player plays by: options of every command that plays.

use std::path::{Path, PathBuf};

use clap::Args;
use outflank::book::{Lesson, OpeningBook};
use outflank::search::Strength;
use outflank::{Board, Game, StopHandle};
use outflank_book::learn::{Plan, Work, learn};
use outflank_book::{BookError, BookPlayer, Tolerance, Varied, Writer};

use super::{BookCommandError, is_built_in, open_unless_none};
use crate::CommandError;
use crate::engine::EngineArguments;
use crate::numbers::{ANY, whole};
use crate::output::complain;

/// What a player knows of openings, and how much it varies them.
#[derive(Args, Clone)]
pub(crate) struct BookArguments {
    /// Play by an opening book as long as it knows the position: a file, `built-in`, or `none` [default: built-in]
    #[arg(long, value_name = "BOOK")]
    book: Option<PathBuf>,

    #[command(flatten)]
    choice: ChoiceArguments,

    /// Without a book, or where it ends: vary the first 12 plies, and lose at most so many discs by that, as judged by
    /// searches of 8 plies
    #[arg(long, value_name = "DISCS", value_parser = whole::<i32>(0..=64))]
    vary: Option<i32>,
}

/// How a move is chosen among those of a book.
#[derive(Args, Clone)]
pub(crate) struct ChoiceArguments {
    /// Play any move of the book that loses at most so many discs against the best one [default: 1 with the built-in
    /// book, else 0]
    #[arg(long, value_name = "DISCS", value_parser = whole::<i32>(0..=64))]
    tolerance: Option<i32>,

    /// Most discs that --tolerance may lose in a game [default: twice --tolerance]
    #[arg(long, value_name = "DISCS", value_parser = whole::<i32>(0..=128))]
    game_tolerance: Option<i32>,

    /// Seed of the choice among moves of the book [default: a new one each time; in a match 1]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(ANY))]
    book_seed: Option<u64>,
}

/// The tolerance with the built-in book, so that games differ.
const BUILT_IN_TOLERANCE: i32 = 1;

/// The level that positions of games are searched at which a GUI asks to learn, and the fewest empty squares that
/// they have.
const LEARNT_LEVEL: u32 = 16;
const LEARNT_EMPTIES: u32 = 30;

/// The memory of the searches that vary openings, in MiB.
const VARIED_HASH_MIB: usize = 4;

impl ChoiceArguments {
    /// What the book at `path` may give away.
    pub(crate) fn tolerance(&self, path: &Path) -> Tolerance {
        let usual = if is_built_in(path) {
            BUILT_IN_TOLERANCE
        } else {
            0
        };
        let of_move = self.tolerance.unwrap_or(usual);
        Tolerance {
            of_move,
            of_game: self.game_tolerance.unwrap_or(2 * of_move),
        }
    }

    /// The seed that is asked for.
    pub(crate) fn seed(&self) -> Option<u64> {
        self.book_seed
    }

    /// Refuses a tolerance where no book is played by.
    pub(crate) fn refuse_tolerance(&self) -> Result<(), BookCommandError> {
        let given = [
            ("--tolerance", self.tolerance),
            ("--game-tolerance", self.game_tolerance),
        ];
        match given.into_iter().find(|(_, value)| value.is_some()) {
            Some((option, _)) => Err(BookCommandError::NoBook(option)),
            None => Ok(()),
        }
    }
}

impl BookArguments {
    /// The book that they name.
    pub(crate) fn path(&self) -> &Option<PathBuf> {
        &self.book
    }

    /// The book that they ask for, with engines as `engine` asks for.
    pub(crate) fn open(
        &self,
        engine: &EngineArguments,
    ) -> Result<Box<dyn OpeningBook>, CommandError> {
        let path = self.book.as_deref().unwrap_or(Path::new(super::BUILT_IN));
        let seed = self.choice.book_seed.unwrap_or_else(|| {
            let now = jiff::Timestamp::now().as_nanosecond();
            now as u64 ^ u64::from(std::process::id()) << 32
        });
        let book: Box<dyn OpeningBook> = match open_unless_none(path)? {
            None => {
                self.choice.refuse_tolerance()?;
                Box::new(())
            }
            Some(book) => {
                let player = BookPlayer::new(book, self.choice.tolerance(path), seed);
                let player = player.telling(complain);
                Box::new(player.taught_by(teacher(path, engine)))
            }
        };
        Ok(match self.vary {
            None => book,
            Some(discs) => {
                let engine = engine.small(VARIED_HASH_MIB)?;
                Box::new(Varied::new(book, engine, discs, seed.wrapping_add(1)))
            }
        })
    }
}

/// What puts the positions of a game into the book at `path`.
fn teacher(
    path: &Path,
    engine: &EngineArguments,
) -> impl FnMut(&Game) -> Lesson + Send + 'static + use<> {
    let (path, engine) = (path.to_owned(), engine.clone());
    move |game| {
        let (path, engine, game) = (path.clone(), engine.clone(), game.clone());
        Box::new(move || learn_game(&path, &engine, &game))
    }
}

fn learn_game(path: &Path, engine: &EngineArguments, game: &Game) -> Result<(), String> {
    let path = super::to_be_written(path).map_err(|error| error.to_string())?;
    let engine = engine.stopped_by(StopHandle::default());
    let engine = engine.map_err(|error| error.to_string())?;
    let told = |error: BookError| error.to_string();
    let mut writer = Writer::open(path).map_err(told)?;
    let plan = Plan {
        strength: Strength::Level(LEARNT_LEVEL),
        min_empties: LEARNT_EMPTIES,
        deadline: None,
        positions: None,
    };
    let boards: Vec<Board> = game.positions().iter().map(|&(board, _)| board).collect();
    let stop = engine.stop_handle();
    let work = Work::Games(vec![boards]);
    learn(&mut writer, vec![engine], &stop, &plan, work, |_| ()).map_err(told)?;
    Ok(())
}
