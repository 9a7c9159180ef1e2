//! The course of a game: what is on the board, and the moves that were taken back.

use outflank::notation::{GameRecord, Note};
use outflank::{Game, IllegalMove, Side, Square};

/// A game that can be taken back and played again.
pub(super) struct Course {
    /// As far as it is on the board.
    game: Game,
    /// The moves of `game`, then those that were taken back, with what is known of each.
    moves: Vec<(Square, Note)>,
}

impl Course {
    pub(super) fn new(game: Game) -> Course {
        let moves = game.moves().map(|square| (square, Note::default()));
        Course {
            moves: moves.collect(),
            game,
        }
    }

    /// The game, as far as it is on the board.
    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// The number of moves on the board.
    pub(super) fn played(&self) -> usize {
        self.game.moves().count()
    }

    /// The number of all moves, with those that were taken back.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// All moves, with those that were taken back.
    pub(super) fn moves(&self) -> impl Iterator<Item = Square> {
        self.moves.iter().map(|&(square, _)| square)
    }

    /// Plays all of these moves, or none where one is not legal. Moves that were taken back are forgotten,
    /// unless the same ones are played again.
    pub(super) fn play(&mut self, squares: &[Square], note: Note) -> Result<(), IllegalMove> {
        let mut game = self.game.clone();
        squares.iter().try_for_each(|&square| game.play(square))?;
        for (place, &square) in (self.played()..).zip(squares) {
            if self
                .moves
                .get(place)
                .is_none_or(|&(next, _)| next != square)
            {
                self.moves.truncate(place);
                self.moves.push((square, note));
            }
            self.moves[place].1 = note;
        }
        self.game = game;
        Ok(())
    }

    /// Makes the pass that is due; whether there was one.
    pub(super) fn pass(&mut self) -> bool {
        self.game.pass().is_ok()
    }

    /// Goes to the position after so many moves, or all there are. A pass that is due there is made.
    pub(super) fn go_to(&mut self, moves: usize) {
        while self.played() > moves {
            self.game.undo();
        }
        for &(square, _) in self.moves.iter().take(moves).skip(self.played()) {
            self.game.play(square).expect("it was legal before");
        }
        self.pass();
    }

    /// The number of moves before the last one of the sides that `is_persons` names.
    pub(super) fn before_last(&self, is_persons: impl Fn(Side) -> bool) -> Option<usize> {
        let turns: Vec<_> = self.game.turns().take(self.played()).collect();
        turns.iter().rposition(|&(_, side)| is_persons(side))
    }

    /// The number of moves until it is the turn of one of the sides that `is_persons` names again, among
    /// the moves that were taken back; all of them where it is not. `None` where none was taken back.
    pub(super) fn before_next(&self, is_persons: impl Fn(Side) -> bool) -> Option<usize> {
        let first = self.played() + 1;
        if first > self.len() {
            return None;
        }
        let mut whole = Course {
            game: self.game.clone(),
            moves: self.moves.clone(),
        };
        whole.go_to(self.len());
        let mut turns = whole.game.turns().skip(first);
        let next = turns.position(|(_, side)| is_persons(side));
        Some(next.map_or(self.len(), |further| first + further))
    }

    /// The game as far as it is on the board, with what is known of its moves.
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
    fn moves_are_taken_back_and_played_again() {
        let mut course = Course::new(Game::from_moves(&squares("f5d6c3")).unwrap());
        let black = |side| side == Side::Black;
        course.play(&squares("d3"), Note::default()).unwrap();
        assert_eq!(
            (course.before_last(black), course.before_next(black)),
            (Some(2), None)
        );
        course.go_to(0);
        assert_eq!((course.played(), course.len()), (0, 4));
        assert_eq!(
            (course.before_last(black), course.before_next(black)),
            (None, Some(2))
        );
        // The same move again leaves the ones behind it, another one does not.
        course.play(&squares("f5"), Note::default()).unwrap();
        assert_eq!(course.len(), 4);
        assert!(course.play(&squares("f6a1"), Note::default()).is_err());
        assert_eq!((course.played(), course.len()), (1, 4));
        course.play(&squares("f6"), Note::default()).unwrap();
        assert_eq!((course.played(), course.len()), (2, 2));
        course.go_to(60);
        assert_eq!(course.game().moves().collect::<Vec<_>>(), squares("f5f6"));
    }

    /// White has to pass after A1.
    #[test]
    fn passes_are_no_moves() {
        let board = format!("-OX-OXXX{} X", "X".repeat(56)).parse().unwrap();
        let mut course = Course::new(Game::from_start(board, Side::Black).unwrap());
        let eval = Some(64.0);
        course
            .play(
                &squares("a1d1"),
                Note {
                    eval,
                    seconds: None,
                },
            )
            .unwrap();
        assert_eq!((course.played(), course.game().plies().len()), (2, 3));
        let evals: Vec<_> = course.record().notes.iter().map(|note| note.eval).collect();
        assert_eq!(evals, [eval, None, eval]);
        let black = |side| side == Side::Black;
        assert_eq!(course.before_last(black), Some(1));
        course.go_to(0);
        assert_eq!(course.before_next(black), Some(1));
        course.go_to(1);
        assert_eq!((course.game().side(), course.played()), (Side::Black, 1));
    }
}
