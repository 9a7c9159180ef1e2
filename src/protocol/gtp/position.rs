//! The game of a GTP session: what was played by which command.

use crate::{Game, IllegalMove, Ply, Side};

/// A game, and how far it was before each command that played.
#[derive(Default)]
pub(super) struct Position {
    game: Game,
    /// The plies before each command.
    before: Vec<usize>,
}

impl Position {
    /// That of a game of which each ply was a command of its own.
    pub(super) fn new(game: Game) -> Position {
        Position {
            before: (0..game.plies().len()).collect(),
            game,
        }
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// Plays `ply` for `side`. A pass at the end of the game is legal and changes nothing.
    pub(super) fn play(&mut self, side: Side, ply: Ply) -> Result<(), IllegalMove> {
        let before = self.game.plies().len();
        if ply.is_some() || !self.game.is_over() {
            self.game.play_as(side, ply)?;
        }
        self.before.push(before);
        Ok(())
    }

    /// Takes back what the last command played; whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        let Some(before) = self.before.pop() else {
            return false;
        };
        while self.game.plies().len() > before {
            self.game.undo();
        }
        true
    }
}
