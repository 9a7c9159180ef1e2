//! Finished games that are added to a book in the background.

use std::thread::{self, JoinHandle};

use outflank::Game;
use outflank::book::OpeningBook;

use crate::console::{print_error, remark};

/// Adds each game to the book once when it is over, one after another.
pub(super) struct GameLearner {
    /// Thread of the last game, which waits for those before.
    last: Option<JoinHandle<()>>,
    /// `true` if the game on the board was passed on already.
    is_end_known: bool,
}

impl GameLearner {
    /// Creates a learner. A game that is over at the start is not added.
    pub(super) fn new(start: &Game) -> GameLearner {
        GameLearner {
            last: None,
            is_end_known: start.is_over(),
        }
    }

    /// Prepares for another game, which begins with `start`.
    pub(super) fn begin_game(&mut self, start: &Game) {
        self.is_end_known = start.is_over();
    }

    /// Adds the game on the board if it is over since the last call.
    pub(super) fn watch(&mut self, game: &Game, book: &mut dyn OpeningBook) {
        let was_end_known = std::mem::replace(&mut self.is_end_known, game.is_over());
        if was_end_known || !game.is_over() {
            return;
        }
        let (task, before) = (book.learn(game), self.last.take());
        let learn = move || {
            // One program writes a book at a time.
            before.into_iter().for_each(wait);
            if let Err(error) = task() {
                print_error(format_args!("the game is not learnt: {error}"));
            }
        };
        match thread::Builder::new().spawn(learn) {
            Ok(thread) => self.last = Some(thread),
            Err(error) => print_error(format_args!("the game is not learnt: {error}")),
        }
    }

    /// Waits until all games are in the book.
    pub(super) fn finish(&mut self) {
        let Some(last) = self.last.take() else {
            return;
        };
        if !last.is_finished() {
            remark("The last game is being added to the book. Ctrl-C gives it up.");
        }
        wait(last);
    }
}

fn wait(thread: JoinHandle<()>) {
    if thread.join().is_err() {
        print_error("the game is not learnt: a fault in outflank");
    }
}
