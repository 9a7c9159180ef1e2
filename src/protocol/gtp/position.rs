//! The game of a GTP session, with the plies of each command for `undo`.

use crate::{Game, IllegalMove, Ply, Side};

#[derive(Default)]
pub(super) struct Position {
    game: Game,
    /// Number of plies before each `play` and `genmove`.
    lengths: Vec<usize>,
}

impl Position {
    /// Creates the position at the end of `game`. `undo` takes back one ply at a time.
    pub(super) fn new(game: Game) -> Position {
        Position {
            lengths: (0..game.plies().len()).collect(),
            game,
        }
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// Plays `ply` for `side`. A pass at the end of the game is legal and changes nothing.
    pub(super) fn play(&mut self, side: Side, ply: Ply) -> Result<(), IllegalMove> {
        let length = self.game.plies().len();
        self.game.play_unless_over(side, ply)?;
        self.lengths.push(length);
        Ok(())
    }

    /// Takes back the plies of the last command. Returns `false` if there was none.
    pub(super) fn undo(&mut self) -> bool {
        let Some(length) = self.lengths.pop() else {
            return false;
        };
        while self.game.plies().len() > length {
            self.game.undo();
        }
        true
    }
}
