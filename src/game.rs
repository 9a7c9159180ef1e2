//! Games: a starting position, and what was played from it.

use crate::board::Board;
use crate::side::Side;
use crate::square::{Ply, Square};

/// A game as far as it was played: every ply of it, passes too, is legal.
///
/// A side that cannot move has to pass as long as the other can. [`Game::pass`] says that it did; where
/// nobody says so, the pass is inserted before the next move.
///
/// ```
/// use outflank::{Game, Side};
///
/// let mut game = Game::new();
/// game.play("F5".parse()?)?;
/// game.play("D6".parse()?)?;
/// assert_eq!((game.side(), game.board().empty_count()), (Side::Black, 58));
/// let error = game.play("A1".parse()?).unwrap_err();
/// assert_eq!(error.to_string(), "move 3, A1, is not legal: black turns no disc there");
/// game.undo();
/// assert_eq!(game.plies().len(), 1);
/// assert_eq!(game.score(), None); // it is not over
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// One for each ply.
    plies: Vec<Ply>,
    /// The start, and the position after each ply.
    positions: Vec<(Board, Side)>,
}

/// A ply that its position does not allow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {number}, {}, is not legal: {why}", .ply.map_or_else(|| "a pass".to_owned(), |square| square.to_string()))]
pub struct IllegalMove {
    /// Which move of the game it would have been, from 1. Passes are not counted, but a pass itself has
    /// the number of the move that could stand in its place.
    pub number: usize,
    /// What was played.
    pub ply: Ply,
    /// Why that cannot be.
    pub why: Why,
}

/// Why a ply is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// Neither side can move.
    #[error("the game is over")]
    Over,
    /// There is a disc on the square.
    #[error("the square is taken")]
    Taken,
    /// The move turns no disc.
    #[error("{0} turns no disc there")]
    TurnsNothing(Side),
    /// The side that is to pass can move.
    #[error("{0} has a move")]
    HasMove(Side),
    /// It is the turn of this side, not of the one that is to play.
    #[error("it is {0}'s turn")]
    TurnOf(Side),
}

/// Squares that both sides hold, on a board that is to be the start of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("both sides hold {}", Square::names(*.0))]
pub struct Overlap(pub u64);

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}

impl Game {
    /// A game from the usual start, black to move, of which nothing is played yet.
    ///
    /// ```
    /// use outflank::{Board, Game, Side};
    ///
    /// let game = Game::new();
    /// assert_eq!((game.board(), game.side()), (Board::START, Side::Black));
    /// ```
    pub fn new() -> Game {
        Game {
            plies: Vec::new(),
            positions: vec![(Board::START, Side::Black)],
        }
    }

    /// A game from another start: `board` with the mover first, who is `side`.
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

    /// The game of these moves from the usual start. Passes follow from the rules.
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

    /// Plays on `square`. Where the side to move has to pass, the pass is inserted, and it is the other
    /// side's move. Nothing is changed by a move that is not legal.
    ///
    /// ```
    /// use outflank::Game;
    ///
    /// let mut game = Game::new();
    /// assert!(game.play("F5".parse()?).is_ok());
    /// assert!(game.play("F5".parse()?).is_err());
    /// # Ok::<(), outflank::square::ParseSquareError>(())
    /// ```
    pub fn play(&mut self, square: Square) -> Result<(), IllegalMove> {
        let after_pass = self.after_pass();
        let (board, side) = after_pass.unwrap_or(self.position());
        let Some(next) = board.play(square) else {
            return Err(self.illegal(Some(square), self.why_not(square, side)));
        };
        if let Some(position) = after_pass {
            self.push(None, position);
        }
        self.push(Some(square), (next, side.other()));
        Ok(())
    }

    /// Passes, which is legal where the side to move has no move and the other has one.
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
            None if self.is_over() => return Err(self.illegal(None, Why::Over)),
            None => return Err(self.illegal(None, Why::HasMove(self.side()))),
        }
        Ok(())
    }

    /// Plays `ply` for `side`: for notations and protocols that say who moves. Where the other side is
    /// to move but has to pass, its pass is inserted.
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
        let why = match ply {
            _ if self.is_over() => Why::Over,
            _ if side != self.side() && !must_pass => Why::TurnOf(self.side()),
            None if side == self.side() => return self.pass(),
            None => Why::HasMove(side),
            Some(square) if side == self.side() && must_pass => self.why_not(square, side),
            Some(square) => return self.play(square),
        };
        Err(self.illegal(ply, why))
    }

    /// Takes back the last ply, be it a move or a pass, and returns it; `None` at the start.
    ///
    /// ```
    /// use outflank::Game;
    ///
    /// let mut game = Game::from_moves(&["F5".parse()?])?;
    /// assert_eq!(game.undo(), Some(Some("F5".parse()?)));
    /// assert_eq!(game.undo(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undo(&mut self) -> Option<Ply> {
        let ply = self.plies.pop()?;
        self.positions.pop();
        Some(ply)
    }

    /// The board now, mover first.
    pub fn board(&self) -> Board {
        self.position().0
    }

    /// The side that is to move now, even where it can only pass, or where the game is over.
    pub fn side(&self) -> Side {
        self.position().1
    }

    /// The board now, mover first, and the side that is to move.
    ///
    /// ```
    /// use outflank::{Board, Game, Side};
    ///
    /// let game = Game::new();
    /// assert_eq!(game.position(), (Board::START, Side::Black));
    /// assert_eq!(game.position(), game.start());
    /// ```
    pub fn position(&self) -> (Board, Side) {
        self.positions[self.plies.len()]
    }

    /// The board that the game began with, mover first, and the side that was to move.
    pub fn start(&self) -> (Board, Side) {
        self.positions[0]
    }

    /// Whether the game began as usual: with [`Board::START`] and black to move.
    ///
    /// ```
    /// use outflank::{Board, Game, Side};
    ///
    /// assert!(Game::new().has_usual_start());
    /// assert!(!Game::from_start(Board::START, Side::White)?.has_usual_start());
    /// # Ok::<(), outflank::game::Overlap>(())
    /// ```
    pub fn has_usual_start(&self) -> bool {
        self.start() == (Board::START, Side::Black)
    }

    /// What was played, passes too.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The moves, without passes.
    pub fn moves(&self) -> impl Iterator<Item = Square> {
        self.plies.iter().copied().flatten()
    }

    /// The start and the position after each ply, with the side that is to move: one more than
    /// [`Game::plies`]. Of the two positions around a pass both are there.
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

    /// The start and the position after each move, with the side that is to move: where that side has
    /// to pass, the pass is made. Each has one empty square less than the one before.
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
        let is_passed = |index: usize| self.plies.get(index) == Some(&None);
        let positions = self.positions.iter().enumerate();
        positions
            .filter(move |&(index, _)| !is_passed(index))
            .map(|(_, &position)| after_pass(position).unwrap_or(position))
    }

    /// Whether neither side can move.
    pub fn is_over(&self) -> bool {
        self.board().is_game_over()
    }

    /// What the game came to, in discs from black's side, -64..=64, empties to the winner; `None` where
    /// it is not over.
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

    /// The position after a pass, where one is due.
    fn after_pass(&self) -> Option<(Board, Side)> {
        after_pass(self.position())
    }

    /// Why `side` cannot move on `square` now.
    fn why_not(&self, square: Square, side: Side) -> Why {
        match self.board().empties() & square.bit() {
            _ if self.is_over() => Why::Over,
            0 => Why::Taken,
            _ => Why::TurnsNothing(side),
        }
    }

    fn push(&mut self, ply: Ply, position: (Board, Side)) {
        self.plies.push(ply);
        self.positions.push(position);
    }

    fn illegal(&self, ply: Ply, why: Why) -> IllegalMove {
        let number = self.moves().count() + 1;
        IllegalMove { number, ply, why }
    }
}

/// The position after a pass, where the side to move has to pass.
fn after_pass((board, side): (Board, Side)) -> Option<(Board, Side)> {
    board.must_pass().then(|| (board.pass(), side.other()))
}

/// The position after a move on `square`, with the side that is to move: where the other side has to
/// pass, the pass is made. `None` if the move is not legal.
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
