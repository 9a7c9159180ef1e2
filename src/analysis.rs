//! Game analysis: the discs that each move loses against the best move of its position.

use std::collections::HashMap;
use std::iter;

use crate::board::Board;
use crate::book::OpeningBook;
use crate::game::{Game, step};
use crate::search::{Candidate, Engine, Limits, SearchError, Selectivity, Strength};
use crate::side::Side;
use crate::square::{Ply, Square};
use crate::symmetry::Symmetry;

/// Judgement of one move of a game against the best move.
///
/// Scores are discs for the mover, -64..=64.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Judgement {
    /// Number of the move in the game, from 1. Passes do not count.
    pub number: usize,
    /// Board before the move, mover first.
    pub board: Board,
    /// Side that moved.
    pub side: Side,
    /// Square of the move.
    pub played: Square,
    /// Score of the played move.
    pub score: i32,
    /// Score of the best move, at least [`score`](Judgement::score).
    pub best_score: i32,
    /// Principal variation from the board before the move. It begins with the best move, or with the played move if no
    /// move is better. A book judgement has only that first ply. [`SearchResult::line`](crate::SearchResult::line) says
    /// how long the line of a search is.
    pub line: Vec<Ply>,
    /// Depth of the search in plies. It is the number of empty squares, or more, if the search reached the end of the
    /// game.
    pub depth: u32,
    /// Selectivity of the search.
    pub selectivity: Selectivity,
    /// `true` if the scores come from an opening book.
    pub from_book: bool,
}

impl Judgement {
    /// Discs that the move loses, 0..=128.
    pub fn loss(&self) -> i32 {
        self.best_score - self.score
    }

    /// Returns `true` if the scores are those of perfect play.
    pub fn is_exact(&self) -> bool {
        let to_end = self.depth >= self.board.empty_count();
        self.selectivity == Selectivity::Full && to_end && !self.from_book
    }

    /// Score after the move, in discs for black.
    pub fn black_score(&self) -> i32 {
        self.side.black_score(self.score)
    }

    /// Empty squares before the move.
    pub fn empties(&self) -> u32 {
        self.board.empty_count()
    }

    /// Mark of the loss.
    pub fn mark(&self) -> Mark {
        Mark::from_loss(self.loss())
    }
}

/// Quality of a move by the discs that it loses.
///
/// One or two discs are within the error of a search that does not reach the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// Fewer than 3 discs.
    Good,
    /// 3 to 5 discs.
    Inaccurate,
    /// 6 to 11 discs.
    Mistake,
    /// 12 discs or more.
    Blunder,
}

impl Mark {
    /// Mark of a move that loses `discs`.
    ///
    /// ```
    /// use outflank::analysis::Mark;
    ///
    /// assert_eq!([0, 4, 6, 12].map(|loss| Mark::from_loss(loss).sign()), ["", "?!", "?", "??"]);
    /// ```
    pub const fn from_loss(discs: i32) -> Mark {
        match discs {
            ..3 => Mark::Good,
            3..6 => Mark::Inaccurate,
            6..12 => Mark::Mistake,
            12.. => Mark::Blunder,
        }
    }

    /// Sign of game comments: nothing, `?!`, `?`, `??`.
    pub const fn sign(self) -> &'static str {
        match self {
            Mark::Good => "",
            Mark::Inaccurate => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// Judges every move of `game` by searches of `strength`. A search has at least one ply.
///
/// Moves are judged from the last to the first, so that the transposition table knows the positions that follow.
/// `on_judged` receives each judgement. The result has the order of the game; it is `None` if the engine was stopped.
///
/// The engine is cleared first, so with one thread judgements do not depend on earlier searches. A move that leads to
/// the same position as the best one, up to symmetry, loses nothing.
///
/// ```
/// use outflank::{Engine, Game, Selectivity, analysis::judge, search::Strength};
///
/// let game = Game::from_moves(&["F5", "D6", "C6", "B6"].map(|name| name.parse().unwrap()))?;
/// let mut engine = Engine::builder().hash_mib(4).build()?;
/// let moves = judge(&mut engine, &game, Strength::Depth(6, Selectivity::Full), |_| ())?.unwrap();
/// assert_eq!(moves.iter().map(|judgement| judgement.number).collect::<Vec<_>>(), [1, 2, 3, 4]);
/// assert!(moves[3].loss() > 0, "B6 gives discs away");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge(
    engine: &mut Engine,
    game: &Game,
    strength: Strength,
    on_judged: impl FnMut(&Judgement),
) -> Result<Option<Vec<Judgement>>, SearchError> {
    judge_from(&mut (), engine, game, 1, strength, on_judged)
}

/// Gives equal scores to moves that lead to the same position up to symmetry: the best score among them.
///
/// Searches that are not exact may give such moves different scores. The candidates must be sorted, the best first, and
/// stay sorted.
///
/// ```
/// use outflank::{Board, Engine, Limits, Selectivity, analysis::equalize_symmetric_scores};
///
/// let mut engine = Engine::builder().hash_mib(4).build()?;
/// let limits = Limits { lines: 4, ..Limits::depth(7, Selectivity::P73) };
/// let mut result = engine.search(Board::START, &limits)?;
/// equalize_symmetric_scores(Board::START, &mut result.candidates);
/// assert!(result.candidates.iter().all(|candidate| candidate.score == result.score));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn equalize_symmetric_scores(board: Board, candidates: &mut [Candidate]) {
    let mut best = HashMap::new();
    for candidate in candidates.iter_mut() {
        let next = candidate
            .ply
            .map_or(Some(board.pass()), |square| board.play(square));
        let (next, _) = next.expect("a search finds legal moves").canonical();
        let first = (candidate.score, candidate.bound);
        (candidate.score, candidate.bound) = *best.entry(next).or_insert(first);
    }
    candidates.sort_by_key(|candidate| -candidate.score);
}

/// Judges the moves of `game` from move number `first` on (1 for all), as [`judge`] does.
///
/// Moves in `book` take their scores from it and are not searched. Judgements do not depend on `first`.
///
/// ```
/// use outflank::{Engine, Game, Selectivity, analysis::judge_from, search::Strength};
///
/// let game = Game::from_moves(&["F5", "D6", "C6", "B6"].map(|name| name.parse().unwrap()))?;
/// let mut engine = Engine::builder().hash_mib(4).build()?;
/// let strength = Strength::Depth(4, Selectivity::Full);
/// let moves = judge_from(&mut (), &mut engine, &game, 3, strength, |_| ())?.unwrap();
/// assert_eq!(moves.iter().map(|judgement| judgement.number).collect::<Vec<_>>(), [3, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge_from(
    book: &mut dyn OpeningBook,
    engine: &mut Engine,
    game: &Game,
    first: usize,
    strength: Strength,
    mut on_judged: impl FnMut(&Judgement),
) -> Result<Option<Vec<Judgement>>, SearchError> {
    engine.clear();
    let moves = (1..).zip(game.moves().zip(game.turns()));
    let moves: Vec<_> = moves.skip_while(|&(number, _)| number < first).collect();
    let mut judgements = Vec::with_capacity(moves.len());
    for &(number, (played, position)) in moves.iter().rev() {
        let judgement = match judge_book_move(book, number, position, played) {
            Some(judgement) => judgement,
            None => match judge_move(engine, number, position, played, strength)? {
                Some(judgement) => judgement,
                None => return Ok(None),
            },
        };
        on_judged(&judgement);
        judgements.push(judgement);
    }
    judgements.reverse();
    Ok(Some(judgements))
}

/// Judges a move by a book; `None` if the book does not know it.
fn judge_book_move(
    book: &mut dyn OpeningBook,
    number: usize,
    (board, side): (Board, Side),
    played: Square,
) -> Option<Judgement> {
    let moves = book.moves(board);
    let known = moves.iter().find(|known| known.ply == Some(played))?;
    let best = moves.first().filter(|best| best.score > known.score);
    let best = best.unwrap_or(known);
    Some(Judgement {
        number,
        board,
        side,
        played,
        score: known.score,
        best_score: best.score,
        line: vec![best.ply],
        depth: known.depth,
        selectivity: known.selectivity,
        from_book: true,
    })
}

/// Judges a move by a search; `None` if the engine was stopped.
fn judge_move(
    engine: &mut Engine,
    number: usize,
    (board, side): (Board, Side),
    played: Square,
    strength: Strength,
) -> Result<Option<Judgement>, SearchError> {
    let limits = strength.limits(board.empty_count());
    let limits = Limits {
        depth: limits.depth.max(1),
        ..limits
    };
    let result = engine.search(board, &limits)?;
    let mut judgement = Judgement {
        number,
        board,
        side,
        played,
        score: result.score,
        best_score: result.score,
        depth: result.depth,
        selectivity: result.selectivity,
        from_book: false,
        line: result.line,
    };
    if judgement.line.first() == Some(&Some(played)) {
        // The played move is the best one.
    } else if let Some(line) = mirrored(board, &judgement.line, played) {
        // The played move leads to an image of the best move's position, so their scores are equal. A search of the
        // image might give another score.
        judgement.line = line;
    } else {
        let (next, mover) = step((board, side), played).expect("games have legal moves");
        let limits = Limits {
            depth: limits.depth - 1,
            ..limits
        };
        let reply = engine.search(next, &limits)?;
        judgement.score = match mover == side {
            true => reply.score,
            false => -reply.score,
        };
        // Searches that are not exact may disagree. If the played move scores higher, it becomes the best one.
        if judgement.score >= judgement.best_score {
            judgement.best_score = judgement.score;
            let pass: &[Ply] = if mover == side { &[None] } else { &[] };
            judgement.line = [&[Some(played)], pass, &reply.line].concat();
        }
    }
    // A stopped search returns early with a poor result.
    Ok((!engine.stop_handle().is_stopped()).then_some(judgement))
}

/// Maps `line` by a symmetry so that it begins with `played`. `None` unless `played` and the first move of `line` lead
/// to the same position, up to symmetry.
fn mirrored(board: Board, line: &[Ply], played: Square) -> Option<Vec<Ply>> {
    let (&Some(best), rest) = line.split_first()? else {
        return None;
    };
    let [from, to] = [best, played].map(|square| board.play(square));
    let (from, to) = (from?, to?);
    let symmetry = Symmetry::all()
        .skip(1)
        .find(|symmetry| symmetry.board(from) == to)?;
    let images = rest.iter().map(|&ply| symmetry.ply(ply));
    Some(iter::once(Some(played)).chain(images).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_checker::reference;

    /// Judges every move of the positions after 0 to 3 plies, up to symmetry. All lines must be legal.
    #[test]
    fn images_of_the_best_move_lose_nothing() {
        let mut engine = Engine::builder().hash_mib(1).build().unwrap();
        let mut games = vec![Vec::new()];
        let mut mirrored = 0;
        for _ in 0..4 {
            let mut longer = Vec::new();
            for moves in &games {
                let before = Game::from_moves(moves).unwrap();
                let board = before.board();
                let class = |square: Square| {
                    let next = board.play(square).unwrap();
                    reference::canonical(next.player, next.opponent)
                };
                let mut classes = Vec::new();
                let mut losses: Vec<([u64; 2], i32)> = Vec::new();
                for square in Square::all_in(board.mobility()) {
                    let game = Game::from_moves(&[&moves[..], &[square]].concat()).unwrap();
                    let strength = Strength::Depth(2, Selectivity::Full);
                    let judgements = judge(&mut engine, &game, strength, |_| ()).unwrap();
                    let last = judgements.unwrap().pop().unwrap();
                    losses.push((class(square), last.loss()));
                    if last.loss() == 0 {
                        assert_eq!(last.line.first(), Some(&Some(square)));
                    }
                    let mut line = before.clone();
                    for &ply in &last.line {
                        match ply {
                            Some(square) => line.play(square).unwrap(),
                            None => line.pass().unwrap(),
                        };
                    }
                    if !classes.contains(&class(square)) {
                        classes.push(class(square));
                        longer.push([&moves[..], &[square]].concat());
                    }
                }
                for (i, (class, loss)) in losses.iter().enumerate() {
                    for (_, other) in losses[..i].iter().filter(|(other, _)| other == class) {
                        assert_eq!(loss, other, "{board}");
                        mirrored += 1;
                    }
                }
            }
            games = longer;
        }
        // Six pairs of symmetric first moves, and one pair later.
        assert_eq!(mirrored, 7);
    }
}
