//! Games: a starting position and the plies from it.

use crate::board::Board;
use crate::side::Side;
use crate::square::{Ply, Square};

/// A game, in progress or finished. All its plies are legal.
///
/// A side without a move must pass if the other side has one. [`Game::pass`] makes the pass explicitly. Without that
/// call, [`Game::play`] inserts it before the next move.
///
/// ```
/// use outflank::{Game, Side};
///
/// let mut game = Game::new();
/// game.play("F5".parse()?)?;
/// game.play("D6".parse()?)?;
/// assert_eq!((game.side(), game.board().empty_count()), (Side::Black, 58));
/// let error = game.play("A1".parse()?).unwrap_err();
/// assert_eq!(error.to_string(), "move 3, A1, is not legal: black flips no disc there");
/// assert_eq!(game.undo(), Some("D6".parse().ok()));
/// assert_eq!(game.plies().len(), 1);
/// assert_eq!(game.score(), None); // it is not over
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    plies: Vec<Ply>,
    /// Starting position, then the position after each ply.
    positions: Vec<(Board, Side)>,
}

/// A ply that its position does not allow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {number}, {}, is not legal: {reason}", .ply.map_or_else(|| "a pass".to_owned(), |square| square.to_string()))]
#[non_exhaustive]
pub struct IllegalMove {
    /// Number of the move in the game, from 1. Passes do not count; an illegal pass has the number of the next move.
    pub number: usize,
    /// The ply; `None` is a pass.
    pub ply: Ply,
    /// Rule that the ply breaks.
    pub reason: IllegalReason,
}

/// Reason why a ply is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalReason {
    /// Neither side can move.
    #[error("the game is over")]
    Over,
    /// The square has a disc.
    #[error("the square is taken")]
    Taken,
    /// The move flips no disc. Holds the side that played.
    #[error("{0} flips no disc there")]
    FlipsNothing(Side),
    /// The side cannot pass, because it has a move.
    #[error("{0} has a move")]
    HasMove(Side),
    /// Side to move, which is not the side that played.
    #[error("it is {0}'s turn")]
    TurnOf(Side),
}

/// Error of a starting board on which both sides hold these squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("both sides hold {}", Square::names(*.0))]
#[non_exhaustive]
pub struct Overlap(pub u64);

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}

impl Game {
    /// Creates a game from the usual start, [`Board::START`] with black to move.
    pub fn new() -> Game {
        Game {
            plies: Vec::new(),
            positions: vec![(Board::START, Side::Black)],
        }
    }

    /// Creates a game from `board`, mover first, with `side` to move. A square held by both sides is an error.
    ///
    /// ```
    /// use outflank::{Board, Game, Side};
    ///
    /// let board: Board = "---------------------------OX------XXX-------------------------- O".parse()?;
    /// let game = Game::from_start(board, Side::White)?;
    /// assert_eq!(game.board().mobility().count_ones(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_start(board: Board, side: Side) -> Result<Game, Overlap> {
        match board.player & board.opponent {
            0 => Ok(Game {
                plies: Vec::new(),
                positions: vec![(board, side)],
            }),
            squares => Err(Overlap(squares)),
        }
    }

    /// Creates a game of `moves` from the usual start. Forced passes are inserted.
    ///
    /// ```
    /// use outflank::{Game, Square};
    ///
    /// let moves = ["F5", "D6", "C3"].map(|name| name.parse::<Square>().unwrap());
    /// assert_eq!(Game::from_moves(&moves)?.moves().collect::<Vec<_>>(), moves);
    /// # Ok::<(), outflank::IllegalMove>(())
    /// ```
    pub fn from_moves(moves: &[Square]) -> Result<Game, IllegalMove> {
        let mut game = Game::new();
        moves.iter().try_for_each(|&square| game.play(square))?;
        Ok(game)
    }

    /// Plays on `square`. If the side to move must pass, its pass is inserted and the other side moves. An illegal move
    /// changes nothing.
    pub fn play(&mut self, square: Square) -> Result<(), IllegalMove> {
        let after_pass = self.after_pass();
        let (board, side) = after_pass.unwrap_or(self.position());
        let Some(next) = board.play(square) else {
            return Err(self.illegal_move(Some(square), self.illegal_reason(square, side)));
        };
        if let Some(position) = after_pass {
            self.push(None, position);
        }
        self.push(Some(square), (next, side.other()));
        Ok(())
    }

    /// Passes. A pass is legal if only the other side has a move.
    ///
    /// ```
    /// use outflank::{Board, Game, Side};
    ///
    /// assert_eq!(
    ///     Game::new().pass().unwrap_err().to_string(),
    ///     "move 1, a pass, is not legal: black has a move"
    /// );
    /// let mut game = Game::from_start(Board { player: 2, opponent: 1 }, Side::White)?;
    /// game.pass().unwrap();
    /// assert_eq!((game.side(), game.plies()), (Side::Black, &[None][..]));
    /// # Ok::<(), outflank::game::Overlap>(())
    /// ```
    pub fn pass(&mut self) -> Result<(), IllegalMove> {
        match self.after_pass() {
            Some(position) => self.push(None, position),
            None if self.is_over() => return Err(self.illegal_move(None, IllegalReason::Over)),
            None => return Err(self.illegal_move(None, IllegalReason::HasMove(self.side()))),
        }
        Ok(())
    }

    /// Plays `ply` for `side`, for notations and protocols that name the mover. If the other side must pass, its pass
    /// is inserted.
    ///
    /// ```
    /// use outflank::{Game, Side};
    ///
    /// let mut game = Game::new();
    /// assert_eq!(
    ///     game.play_as(Side::White, "F5".parse().ok()).unwrap_err().to_string(),
    ///     "move 1, F5, is not legal: it is black's turn"
    /// );
    /// game.play_as(Side::Black, "F5".parse().ok())?;
    /// # Ok::<(), outflank::IllegalMove>(())
    /// ```
    pub fn play_as(&mut self, side: Side, ply: Ply) -> Result<(), IllegalMove> {
        let must_pass = self.board().must_pass();
        let reason = match ply {
            _ if self.is_over() => IllegalReason::Over,
            _ if side != self.side() && !must_pass => IllegalReason::TurnOf(self.side()),
            None if side == self.side() => return self.pass(),
            None => IllegalReason::HasMove(side),
            Some(square) if side == self.side() && must_pass => self.illegal_reason(square, side),
            Some(square) => return self.play(square),
        };
        Err(self.illegal_move(ply, reason))
    }

    /// Plays `ply` for `side`, but ignores a pass at the end of the game, where some programs write both passes.
    /// Returns `true` if the ply was played.
    pub(crate) fn play_unless_over(&mut self, side: Side, ply: Ply) -> Result<bool, IllegalMove> {
        let is_played = ply.is_some() || !self.is_over();
        if is_played {
            self.play_as(side, ply)?;
        }
        Ok(is_played)
    }

    /// Takes back the last ply, a move or a pass, and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<Ply> {
        let ply = self.plies.pop()?;
        self.positions.pop();
        Some(ply)
    }

    /// Current board, mover first.
    pub fn board(&self) -> Board {
        self.position().0
    }

    /// Side to move, even if it can only pass or the game is over.
    pub fn side(&self) -> Side {
        self.position().1
    }

    /// Current board, mover first, and side to move.
    pub fn position(&self) -> (Board, Side) {
        self.positions[self.plies.len()]
    }

    /// Starting board, mover first, and side to move.
    pub fn start(&self) -> (Board, Side) {
        self.positions[0]
    }

    /// Returns `true` if the game began with [`Board::START`] and black to move.
    pub fn has_usual_start(&self) -> bool {
        self.start() == (Board::START, Side::Black)
    }

    /// Plies from the start, passes included.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Moves from the start, without passes.
    pub fn moves(&self) -> impl Iterator<Item = Square> {
        self.plies.iter().copied().flatten()
    }

    /// Starting position and the position after each ply, each with the side to move. There is one more than
    /// [`Game::plies`], which include passes.
    ///
    /// ```
    /// use outflank::Game;
    ///
    /// let game = Game::from_moves(&["F5".parse()?, "D6".parse()?])?;
    /// for (&ply, after) in game.plies().iter().zip(&game.positions()[1..]) {
    ///     println!("{}: {}", outflank::notation::ply_name(ply), after.0);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions(&self) -> &[(Board, Side)] {
        &self.positions
    }

    /// Starting position and the position after each move, each with the side to move. Forced passes are made, so each
    /// position has one empty square less than the previous one.
    ///
    /// ```
    /// use outflank::{Game, Side};
    ///
    /// let game = Game::from_moves(&["F5".parse()?, "D6".parse()?])?;
    /// let sides: Vec<Side> = game.turns().map(|(_, side)| side).collect();
    /// assert_eq!(sides, [Side::Black, Side::White, Side::Black]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn turns(&self) -> impl Iterator<Item = (Board, Side)> {
        let is_before_pass = |index: usize| self.plies.get(index) == Some(&None);
        let positions = self.positions.iter().enumerate();
        positions
            .filter(move |&(index, _)| !is_before_pass(index))
            .map(|(_, &position)| after_pass(position).unwrap_or(position))
    }

    /// Returns `true` if neither side can move.
    pub fn is_over(&self) -> bool {
        self.board().is_game_over()
    }

    /// Final score in discs for black, -64..=64, with empty squares for the winner; `None` if the game is not over.
    ///
    /// ```
    /// use outflank::{Board, Game, Side};
    ///
    /// let full = Board { player: u64::MAX >> 4, opponent: !(u64::MAX >> 4) };
    /// assert_eq!(Game::from_start(full, Side::White)?.score(), Some(-56));
    /// # Ok::<(), outflank::game::Overlap>(())
    /// ```
    pub fn score(&self) -> Option<i32> {
        let (board, side) = self.position();
        board
            .is_game_over()
            .then(|| side.black_score(board.final_score()))
    }

    fn after_pass(&self) -> Option<(Board, Side)> {
        after_pass(self.position())
    }

    /// Reason why `side` cannot move on `square`.
    fn illegal_reason(&self, square: Square, side: Side) -> IllegalReason {
        match self.board().empties() & square.bit() {
            _ if self.is_over() => IllegalReason::Over,
            0 => IllegalReason::Taken,
            _ => IllegalReason::FlipsNothing(side),
        }
    }

    fn push(&mut self, ply: Ply, position: (Board, Side)) {
        self.plies.push(ply);
        self.positions.push(position);
    }

    fn illegal_move(&self, ply: Ply, reason: IllegalReason) -> IllegalMove {
        let number = self.moves().count() + 1;
        IllegalMove {
            number,
            ply,
            reason,
        }
    }
}

/// Returns the position after a pass; `None` unless the side to move must pass.
fn after_pass((board, side): (Board, Side)) -> Option<(Board, Side)> {
    board.must_pass().then(|| (board.pass(), side.other()))
}

/// Returns the position after a move on `square`, with the side to move; `None` if the move is not legal.
///
/// If the other side must pass, the pass is made.
///
/// ```
/// use outflank::{Board, Side, game::step};
///
/// let (board, side) = step((Board::START, Side::Black), "F5".parse()?).unwrap();
/// assert_eq!((board.empty_count(), side), (59, Side::White));
/// # Ok::<(), outflank::square::ParseSquareError>(())
/// ```
pub fn step((board, side): (Board, Side), square: Square) -> Option<(Board, Side)> {
    let next = (board.play(square)?, side.other());
    Some(after_pass(next).unwrap_or(next))
}
