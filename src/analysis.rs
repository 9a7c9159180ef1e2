//! What the moves of a game cost: each against the best one of its position.

use std::collections::HashMap;
use std::iter;

use crate::board::Board;
use crate::book::OpeningBook;
use crate::game::{Game, step};
use crate::search::{Candidate, Engine, Limits, SearchError, Selectivity, Strength};
use crate::side::Side;
use crate::square::{Ply, Square};
use crate::symmetry::Symmetry;

/// A move of a game, and the best one that was there.
///
/// Scores are discs for who moved, -64..=64.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Judgement {
    /// Which move of the game it is, from 1; passes are not counted.
    pub number: usize,
    /// The board before it, mover first.
    pub board: Board,
    /// Who moved.
    pub side: Side,
    /// Where.
    pub played: Square,
    /// What the move led to, with best play by both from then on.
    pub score: i32,
    /// What the best move would have led to: never less.
    pub best_score: i32,
    /// Best play from before the move on; its first ply is the best move, which is the played one where
    /// none is better. How far it goes, [`SearchResult::line`](crate::SearchResult::line) says.
    pub line: Vec<Ply>,
    /// Plies of the search, as many as empty squares where it was to the end.
    pub depth: u32,
    /// How certain it is.
    pub selectivity: Selectivity,
    /// Whether the scores are those of an opening book, by a search of this depth or by what its moves lead to.
    pub from_book: bool,
}

impl Judgement {
    /// What the move cost, in discs, 0..=128.
    pub fn loss(&self) -> i32 {
        self.best_score - self.score
    }

    /// Whether its scores are those of perfect play.
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

    /// How bad it was.
    pub fn mark(&self) -> Mark {
        Mark::of_loss(self.loss())
    }
}

/// How bad a move was, by the discs that it cost. Where a search is not to the end of the game a disc or
/// two is less than what it can tell.
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
    /// The mark of a move that cost so many discs.
    ///
    /// ```
    /// use outflank::analysis::Mark;
    ///
    /// assert_eq!([0, 4, 6, 12].map(|loss| Mark::of_loss(loss).sign()), ["", "?!", "?", "??"]);
    /// ```
    pub const fn of_loss(discs: i32) -> Mark {
        match discs {
            ..3 => Mark::Good,
            3..6 => Mark::Inaccurate,
            6..12 => Mark::Mistake,
            12.. => Mark::Blunder,
        }
    }

    /// As those who comment on games write it: nothing, `?!`, `?`, `??`.
    pub const fn sign(self) -> &'static str {
        match self {
            Mark::Good => "",
            Mark::Inaccurate => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// Judges every move of `game` by searches of `strength`, of one ply at least, and calls `judged` with
/// each: from the last to the first, because what is found later in the game is known then. The result
/// is in the order of the game, the same whatever the engine searched before as long as it has one
/// thread; `None` where the engine was stopped. A move that leads to the same position as the best one, but
/// for a symmetry of the board, is as good, whatever a search of its own would say.
///
/// ```
/// use outflank::{Engine, Game, Selectivity, analysis::judge, search::Strength};
///
/// let game = Game::from_moves(&["F5", "D6", "C6", "B6"].map(|name| name.parse().unwrap()))?;
/// let mut engine = Engine::builder().hash_mib(4).build()?;
/// let moves = judge(&mut engine, &game, Strength::Depth(6, Selectivity::Full), |_| ())?.unwrap();
/// assert_eq!(moves.iter().map(|one| one.number).collect::<Vec<_>>(), [1, 2, 3, 4]);
/// assert!(moves[3].loss() > 0, "B6 gives discs away");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge(
    engine: &mut Engine,
    game: &Game,
    strength: Strength,
    judged: impl FnMut(&Judgement),
) -> Result<Option<Vec<Judgement>>, SearchError> {
    judge_by_book(&mut (), engine, game, strength, judged)
}

/// Gives moves to positions that are equal up to symmetry the best score among them. Searches that are not exact may
/// give them different scores. The candidates of a search come and stay sorted, the best first.
///
/// ```
/// use outflank::{Board, Engine, Limits, Selectivity, analysis::equal_by_symmetry};
///
/// let mut engine = Engine::builder().hash_mib(4).build()?;
/// let limits = Limits { lines: 4, ..Limits::depth(7, Selectivity::P73) };
/// let mut found = engine.search(Board::START, &limits)?;
/// equal_by_symmetry(Board::START, &mut found.candidates);
/// assert!(found.candidates.iter().all(|one| one.score == found.score));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn equal_by_symmetry(board: Board, candidates: &mut [Candidate]) {
    let mut best = HashMap::new();
    for one in candidates.iter_mut() {
        let next = one
            .ply
            .map_or(Some(board.pass()), |square| board.play(square));
        let (next, _) = next.expect("a search finds legal moves").canonical();
        let known = *best.entry(next).or_insert((one.score, one.bound));
        (one.score, one.bound) = known;
    }
    candidates.sort_by_key(|one| -one.score);
}

/// Judges every move of `game` as [`judge`] does. Moves that `book` knows have its values and are not searched.
pub fn judge_by_book(
    book: &mut dyn OpeningBook,
    engine: &mut Engine,
    game: &Game,
    strength: Strength,
    judged: impl FnMut(&Judgement),
) -> Result<Option<Vec<Judgement>>, SearchError> {
    judge_from(book, engine, game, 1, strength, judged)
}

/// Judges the moves of `game` from move `first` on, 1 for all of them, as [`judge_by_book`] does. Judgements do not
/// depend on `first`.
///
/// ```
/// use outflank::{Engine, Game, Selectivity, analysis::judge_from, search::Strength};
///
/// let game = Game::from_moves(&["F5", "D6", "C6", "B6"].map(|name| name.parse().unwrap()))?;
/// let mut engine = Engine::builder().hash_mib(4).build()?;
/// let strength = Strength::Depth(4, Selectivity::Full);
/// let moves = judge_from(&mut (), &mut engine, &game, 3, strength, |_| ())?.unwrap();
/// assert_eq!(moves.iter().map(|one| one.number).collect::<Vec<_>>(), [3, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge_from(
    book: &mut dyn OpeningBook,
    engine: &mut Engine,
    game: &Game,
    first: usize,
    strength: Strength,
    mut judged: impl FnMut(&Judgement),
) -> Result<Option<Vec<Judgement>>, SearchError> {
    engine.clear();
    let moves = (1..).zip(game.moves().zip(game.turns()));
    let moves: Vec<_> = moves.skip_while(|&(number, _)| number < first).collect();
    let mut judgements = Vec::with_capacity(moves.len());
    for &(number, (played, position)) in moves.iter().rev() {
        let judgement = match known(book, number, position, played) {
            Some(judgement) => judgement,
            None => match judge_move(engine, number, position, played, strength)? {
                Some(judgement) => judgement,
                None => return Ok(None),
            },
        };
        judged(&judgement);
        judgements.push(judgement);
    }
    judgements.reverse();
    Ok(Some(judgements))
}

/// Judges a move by a book; `None` where it does not know the move.
fn known(
    book: &mut dyn OpeningBook,
    number: usize,
    (board, side): (Board, Side),
    played: Square,
) -> Option<Judgement> {
    let moves = book.moves(board);
    let own = moves.iter().find(|one| one.ply == Some(played))?;
    let best = moves.first().filter(|best| best.value > own.value);
    let best = best.unwrap_or(own);
    Some(Judgement {
        number,
        board,
        side,
        played,
        score: own.value,
        best_score: best.value,
        line: vec![best.ply],
        depth: own.depth,
        selectivity: own.selectivity,
        from_book: true,
    })
}

/// Judges a move; `None` where the engine was stopped.
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
    let found = engine.search(board, &limits)?;
    let mut judgement = Judgement {
        number,
        board,
        side,
        played,
        score: found.score,
        best_score: found.score,
        depth: found.depth,
        selectivity: found.selectivity,
        from_book: false,
        line: found.line,
    };
    if judgement.line.first() == Some(&Some(played)) {
        // It is the best one.
    } else if let Some(line) = mirrored(board, &judgement.line, played) {
        // Two searches of one position, seen from two sides, need not agree.
        judgement.line = line;
    } else {
        let (next, mover) = step((board, side), played).expect("games have legal moves");
        let limits = Limits {
            depth: limits.depth - 1,
            ..limits
        };
        let found = engine.search(next, &limits)?;
        judgement.score = match mover == side {
            true => found.score,
            false => -found.score,
        };
        // Searches that are not exact may disagree: what was played is then the best that is known.
        if judgement.score >= judgement.best_score {
            judgement.best_score = judgement.score;
            let pass: &[Ply] = if mover == side { &[None] } else { &[] };
            judgement.line = [&[Some(played)], pass, &found.line].concat();
        }
    }
    // Little is searched before a search looks whether it is to end.
    Ok((!engine.stop_handle().is_stopped()).then_some(judgement))
}

/// `line` of `board`, which begins with a move, as it is seen where `played` leads to the same position but
/// for a symmetry of the board; `None` where it does not.
fn mirrored(board: Board, line: &[Ply], played: Square) -> Option<Vec<Ply>> {
    let (&Some(best), rest) = line.split_first()? else {
        return None;
    };
    let [from, to] = [best, played].map(|square| board.play(square));
    let (from, to) = (from?, to?);
    let symmetry = Symmetry::all()
        .skip(1)
        .find(|symmetry| symmetry.board(from) == to)?;
    let seen = rest.iter().map(|&ply| symmetry.ply(ply));
    Some(iter::once(Some(played)).chain(seen).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_checker::reference;

    /// The best move and all that lead to the same position but for a symmetry cost nothing, in every
    /// position of the first plies, and their lines are legal.
    #[test]
    fn moves_that_are_the_best_one_mirrored_cost_nothing() {
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
                    let judged = judge(&mut engine, &game, strength, |_| ())
                        .unwrap()
                        .unwrap();
                    let last = judged.last().unwrap();
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
                for (i, one) in losses.iter().enumerate() {
                    for other in losses[..i].iter().filter(|other| other.0 == one.0) {
                        assert_eq!(one.1, other.1, "{board}");
                        mirrored += 1;
                    }
                }
            }
            games = longer;
        }
        assert_eq!(mirrored, 7, "six pairs of first moves, and another one");
    }
}
