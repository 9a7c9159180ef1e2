//! State of a game: the moves on the board and the moves taken back.

use outflank::notation::{GameRecord, Note};
use outflank::{Game, IllegalMove, Side, Square};

/// A game with undo and redo.
#[derive(Clone)]
pub(super) struct GameState {
    /// The game up to the position on the board.
    game: Game,
    /// The moves of `game`, then the moves taken back, each with a note.
    moves: Vec<(Square, Note)>,
}

impl GameState {
    pub(super) fn new(game: Game) -> GameState {
        let moves = game.moves().map(|square| (square, Note::default()));
        GameState {
            moves: moves.collect(),
            game,
        }
    }

    /// The game up to the position on the board.
    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// Number of moves on the board.
    pub(super) fn played(&self) -> usize {
        self.game.moves().count()
    }

    /// Number of all moves, including those taken back.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// All moves, including those taken back.
    pub(super) fn moves(&self) -> impl Iterator<Item = Square> {
        self.moves.iter().map(|&(square, _)| square)
    }

    /// Plays all of these moves, or none if one is illegal. Moves taken back are dropped unless they are played again.
    pub(super) fn play(&mut self, squares: &[Square], note: Note) -> Result<(), IllegalMove> {
        let mut game = self.game.clone();
        squares.iter().try_for_each(|&square| game.play(square))?;
        for (index, &square) in (self.played()..).zip(squares) {
            let next = self.moves.get(index);
            if next.is_none_or(|&(next, _)| next != square) {
                self.moves.truncate(index);
                self.moves.push((square, note));
            }
            self.moves[index].1 = note;
        }
        self.game = game;
        Ok(())
    }

    /// Makes a forced pass; returns `true` if there was one.
    pub(super) fn pass(&mut self) -> bool {
        self.game.pass().is_ok()
    }

    /// Goes to the position after this number of moves, or to the last one, and makes a forced pass there.
    pub(super) fn go_to(&mut self, moves: usize) {
        while self.played() > moves {
            self.game.undo();
        }
        for &(square, _) in self.moves.iter().take(moves).skip(self.played()) {
            self.game.play(square).expect("it was legal before");
        }
        self.pass();
    }

    /// Number of moves before the last move of a side that `is_target` accepts; `None` without such a move.
    pub(super) fn moves_before_last(&self, is_target: impl Fn(Side) -> bool) -> Option<usize> {
        let turns: Vec<_> = self.game.turns().take(self.played()).collect();
        turns.iter().rposition(|&(_, side)| is_target(side))
    }

    /// Number of moves after which `is_target` accepts the side to move, with at least one move played again. Without
    /// such a turn it is the number of all moves. Returns `None` if no move was taken back.
    pub(super) fn moves_before_next(&self, is_target: impl Fn(Side) -> bool) -> Option<usize> {
        let first = self.played() + 1;
        if first > self.len() {
            return None;
        }
        let mut full = self.clone();
        full.go_to(self.len());
        let mut turns = full.game.turns().skip(first);
        let next = turns.position(|(_, side)| is_target(side));
        Some(next.map_or(self.len(), |offset| first + offset))
    }

    /// The game up to the position on the board, with notes.
    pub(super) fn record(&self) -> GameRecord {
        let mut record = GameRecord::new(self.game.clone());
        let mut notes = self.moves.iter().map(|&(_, note)| note);
        let plies = self.game.plies().iter();
        record.notes = plies
            .map(|ply| ply.and_then(|_| notes.next()).unwrap_or_default())
            .collect();
        record
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(moves: &str) -> Vec<Square> {
        let names = moves.as_bytes().chunks(2);
        names
            .map(|name| str::from_utf8(name).unwrap().parse().unwrap())
            .collect()
    }

    #[test]
    fn undone_moves_can_be_played_again() {
        let mut state = GameState::new(Game::from_moves(&squares("f5d6c3")).unwrap());
        let black = |side| side == Side::Black;
        state.play(&squares("d3"), Note::default()).unwrap();
        let turns = |state: &GameState| {
            (
                state.moves_before_last(black),
                state.moves_before_next(black),
            )
        };
        assert_eq!(turns(&state), (Some(2), None));
        state.go_to(0);
        assert_eq!((state.played(), state.len()), (0, 4));
        assert_eq!(turns(&state), (None, Some(2)));
        // Playing the same move again keeps the later ones; another move drops them.
        state.play(&squares("f5"), Note::default()).unwrap();
        assert_eq!(state.len(), 4);
        assert!(state.play(&squares("f6a1"), Note::default()).is_err());
        assert_eq!((state.played(), state.len()), (1, 4));
        state.play(&squares("f6"), Note::default()).unwrap();
        assert_eq!((state.played(), state.len()), (2, 2));
        state.go_to(60);
        assert_eq!(state.game().moves().collect::<Vec<_>>(), squares("f5f6"));
    }

    /// White has to pass after A1.
    #[test]
    fn passes_are_not_counted_as_moves() {
        let board = format!("-OX-OXXX{} X", "X".repeat(56)).parse().unwrap();
        let mut state = GameState::new(Game::from_start(board, Side::Black).unwrap());
        let eval = Some(64.0);
        let note = Note {
            eval,
            seconds: None,
        };
        state.play(&squares("a1d1"), note).unwrap();
        assert_eq!((state.played(), state.game().plies().len()), (2, 3));
        let evals: Vec<_> = state.record().notes.iter().map(|note| note.eval).collect();
        assert_eq!(evals, [eval, None, eval]);
        let black = |side| side == Side::Black;
        assert_eq!(state.moves_before_last(black), Some(1));
        state.go_to(0);
        assert_eq!(state.moves_before_next(black), Some(1));
        state.go_to(1);
        assert_eq!((state.game().side(), state.played()), (Side::Black, 1));
    }
}
