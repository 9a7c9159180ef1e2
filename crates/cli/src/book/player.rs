//! Book options of every command that plays.

use std::path::{Path, PathBuf};

use clap::Args;
use outflank::book::{LearnTask, OpeningBook};
use outflank::search::Strength;
use outflank::{Game, StopHandle};
use outflank_book::learn::{Plan, Work, learn};
use outflank_book::{BookError, BookPlayer, Tolerance, VariedOpenings, Writer};

use super::learn::boards;
use super::{BookCommandError, is_built_in, open_unless_none};
use crate::CommandError;
use crate::console::print_error;
use crate::engine::EngineArguments;
use crate::number_options::{ANY_U64, whole};
use crate::skill::new_seed;

/// Opening book of a player and its variation.
#[derive(Args, Clone)]
pub(crate) struct BookArguments {
    /// Opening book, whose moves are played without a search: a file, `built-in`, or `none` [default: built-in]
    #[arg(long, value_name = "BOOK")]
    pub(crate) book: Option<PathBuf>,

    #[command(flatten)]
    choice: ChoiceArguments,

    /// Vary the first 12 plies where the book knows no move. Searches of 8 plies judge the moves; those chosen in a
    /// game lose at most this number of discs together
    #[arg(long, value_name = "DISCS", value_parser = whole::<i32>(0..=64))]
    vary: Option<i32>,
}

/// Learning of played games.
#[derive(Args, Clone, Copy)]
pub(crate) struct LearnArgument {
    /// Add each game to the book of --book when it is over: its positions with 30 empty squares and more
    #[arg(long, requires = "book")]
    learn: bool,
}

impl LearnArgument {
    /// Returns `true` if games are learnt. Refuses a book that cannot be changed.
    pub(crate) fn checked(self, book: &BookArguments) -> Result<bool, BookCommandError> {
        if self.learn {
            let path = book.book.as_deref().unwrap_or(Path::new(super::NONE));
            super::writable_path(path)?;
            if path == Path::new(super::NONE) {
                return Err(BookCommandError::NothingToLearn);
            }
        }
        Ok(self.learn)
    }
}

/// Choice among the moves of a book.
#[derive(Args, Clone)]
pub(crate) struct ChoiceArguments {
    /// Maximum loss of a book move against the best one, in discs [default: 1 with the built-in book, else 0]
    #[arg(long, value_name = "DISCS", value_parser = whole::<i32>(0..=64))]
    tolerance: Option<i32>,

    /// Maximum loss of all book moves of a game together, in discs [default: twice --tolerance]
    #[arg(long, value_name = "DISCS", value_parser = whole::<i32>(0..=128))]
    game_tolerance: Option<i32>,

    /// Seed of the choice among book moves [default: a new one in each run; 1 in a match]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(ANY_U64))]
    pub(crate) book_seed: Option<u64>,
}

/// Default tolerance of the built-in book, so that games differ.
const BUILT_IN_TOLERANCE: i32 = 1;

/// Level of the searches of learnt games.
const LEARNT_LEVEL: u32 = 16;

/// Minimum number of empty squares of learnt positions.
const LEARNT_EMPTIES: u32 = 30;

/// Hash size of the engine that varies openings, in MiB.
const VARIED_HASH_MIB: usize = 4;

impl ChoiceArguments {
    /// Tolerance for the book at `path`.
    pub(crate) fn tolerance(&self, path: &Path) -> Tolerance {
        let default = if is_built_in(path) {
            BUILT_IN_TOLERANCE
        } else {
            0
        };
        let of_move = self.tolerance.unwrap_or(default);
        Tolerance {
            of_move,
            of_game: self.game_tolerance.unwrap_or(2 * of_move),
        }
    }

    /// Refuses a tolerance without a book.
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
    /// These options without the built-in book, unless they name it.
    pub(crate) fn without_default(&self) -> BookArguments {
        let mut arguments = self.clone();
        arguments.book.get_or_insert_with(|| super::NONE.into());
        arguments
    }

    /// Opens the book. `engine` describes the engines that vary openings and learn games.
    pub(crate) fn open(
        &self,
        engine: &EngineArguments,
    ) -> Result<Box<dyn OpeningBook>, CommandError> {
        let path = self.book.as_deref().unwrap_or(Path::new(super::BUILT_IN));
        let seed = self.choice.book_seed.unwrap_or_else(new_seed);
        let book: Box<dyn OpeningBook> = match open_unless_none(path)? {
            None => {
                self.choice.refuse_tolerance()?;
                Box::new(())
            }
            Some(book) => {
                let player = BookPlayer::new(book, self.choice.tolerance(path), seed);
                let player = player.on_error(print_error);
                let (path, engine) = (path.to_owned(), engine.clone());
                Box::new(player.with_teacher(move |game: &Game| -> LearnTask {
                    let (path, engine, game) = (path.clone(), engine.clone(), game.clone());
                    Box::new(move || learn_game(&path, &engine, &game))
                }))
            }
        };
        Ok(match self.vary {
            None => book,
            Some(discs) => {
                let (engine, seed) = (
                    engine.secondary_engine(VARIED_HASH_MIB)?,
                    seed.wrapping_add(1),
                );
                Box::new(VariedOpenings::new(book, engine, discs, seed))
            }
        })
    }
}

/// Adds the positions of a game to the book at `path`.
fn learn_game(path: &Path, engine: &EngineArguments, game: &Game) -> Result<(), String> {
    let path = super::writable_path(path).map_err(|error| error.to_string())?;
    // The game goes on meanwhile.
    let engine = engine.with_one_thread_by_default();
    let engine = engine.engine_with_stop(StopHandle::default());
    let engine = engine.map_err(|error| error.to_string())?;
    let text = |error: BookError| error.to_string();
    let mut writer = Writer::open(path).map_err(text)?;
    let plan = Plan {
        strength: Strength::Level(LEARNT_LEVEL),
        min_empties: LEARNT_EMPTIES,
        deadline: None,
        positions: None,
    };
    let stop = engine.stop_handle();
    let work = Work::Games(vec![boards(game)]);
    learn(&mut writer, vec![engine], &stop, &plan, work, |_| ()).map_err(text)?;
    Ok(())
}
