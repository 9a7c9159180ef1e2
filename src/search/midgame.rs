//! The value of a position by a search of some plies with an evaluation at its leaves.
//!
//! A plain principal variation search, nothing selective: what it finds is the minimax value of its
//! depth and depends on nothing else, in particular not on what was searched before. A pass is not a
//! ply.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use arrayvec::ArrayVec;
use outflank_kernels::{Isa, Token, with_isa};

use super::ordering::MAX_MOVES;
use super::recursion::{self, Recursion};
use super::{Engine, EngineError, SearchError, StopHandle};
use crate::board::Board;
use crate::eval::{DISC, Evaluation, Evaluator};
use crate::square::{Ply, Square};
use crate::table::NO_MOVE;

/// Over every value.
const INFINITE: i32 = 65 * DISC;

/// Half of the first window around the value of the iteration before. Chosen by the
/// node counts at depth 10.
const ASPIRATION: i32 = 3 * DISC;

/// What a reply of the opponent counts against a move, in the order of moves.
const REPLY: i32 = DISC / 2;

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The value in 1/128 disc from the mover's side; a multiple of 128 where it is the exact score.
    pub value: i32,
    /// The best move; `None` where the mover has to pass or the game is over.
    pub best: Ply,
    /// Boards reached by a move.
    pub nodes: u64,
}

/// Searches positions to a depth, one at a time, at one instruction-set level.
pub struct Midgame {
    token: Token,
    evaluation: Arc<Evaluation>,
    memory: Memory,
    solver: Engine,
    stop: StopHandle,
}

impl Midgame {
    /// A searcher at `level` with tables of `hash_mib` MiB (1 or more) for the middle of the game, and
    /// as many for its end.
    pub fn new(
        level: Isa,
        hash_mib: usize,
        evaluation: Arc<Evaluation>,
    ) -> Result<Midgame, EngineError> {
        Midgame::with_stop(level, hash_mib, evaluation, StopHandle::default())
    }

    /// The same, stopped by a handle that may stop others, too.
    pub fn with_stop(
        level: Isa,
        hash_mib: usize,
        evaluation: Arc<Evaluation>,
        stop: StopHandle,
    ) -> Result<Midgame, EngineError> {
        let solver = Engine::builder()
            .isa(level)
            .hash_mib(hash_mib)
            .evaluation(evaluation.clone())
            .stop_handle(stop.clone());
        Ok(Midgame {
            token: level.token()?,
            evaluation,
            memory: Memory::new(hash_mib),
            solver: solver.build()?,
            stop,
        })
    }

    /// A handle that stops this searcher.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Forgets all earlier results: node counts, and the choice between equal moves, are then those of
    /// a new searcher. Values are the same without.
    pub fn clear(&mut self) {
        self.memory.clear();
        self.solver.clear();
    }

    /// The value of `board` by a search of `depth` plies; the exact score where no more squares than
    /// that are empty, the static value without a best move where `depth` is 0.
    pub fn search(&mut self, board: Board, depth: u32) -> Result<Found, SearchError> {
        if board.empty_count() <= depth {
            let solution = self.solver.solve(board)?;
            return Ok(Found {
                value: solution.score * DISC,
                best: solution.best(),
                nodes: solution.nodes,
            });
        }
        let squares = board.player & board.opponent;
        if squares != 0 {
            return Err(SearchError::Overlap { squares });
        }
        let mut search = Search {
            evaluator: &self.evaluation.patterns,
            memory: &mut self.memory,
            stop: self.stop.flag(),
            stopped: self.stop.is_stopped(),
            nodes: 0,
            best: NO_MOVE,
        };
        let value = with_isa!(self.token, isa => deepen(isa, &mut search, board, depth));
        if search.stopped {
            return Err(SearchError::Stopped);
        }
        Ok(Found {
            value,
            best: Square::new(search.best),
            nodes: search.nodes,
        })
    }
}

/// The state of one search.
pub(crate) struct Search<'a, E> {
    evaluator: &'a E,
    memory: &'a mut Memory,
    stop: &'a AtomicBool,
    stopped: bool,
    nodes: u64,
    /// The best move of the node that ended last: in the end, that of the root.
    best: u8,
}

/// Deepens by two plies at a time: one side is to move at all leaves, so that the values of the
/// iterations resemble each other.
fn deepen<I: Recursion, E: Evaluator<I>>(
    isa: I,
    search: &mut Search<'_, E>,
    board: Board,
    depth: u32,
) -> i32 {
    let state = search.evaluator.set(isa, board);
    if depth == 0 {
        return search.evaluator.value(isa, &state, board.empty_count());
    }
    let first = 2 - depth % 2;
    let mut value = recursion::midgame(isa, search, board, &state, first, -INFINITE, INFINITE);
    for depth in (first + 2..=depth).step_by(2) {
        let (mut alpha, mut beta) = (value - ASPIRATION, value + ASPIRATION);
        loop {
            value = recursion::midgame(isa, search, board, &state, depth, alpha, beta);
            if search.stopped {
                return value;
            }
            if value <= alpha && alpha > -INFINITE {
                alpha = -INFINITE;
            } else if value >= beta && beta < INFINITE {
                beta = INFINITE;
            } else {
                break;
            }
        }
    }
    value
}

/// A move, the board after it and the evaluation's state there.
struct Child<S> {
    square: u8,
    promise: i32,
    board: Board,
    state: S,
}

/// The value of `board`, fail-soft, by a search of `depth` plies (1 or more).
#[inline(always)]
pub(super) fn node<I: Recursion, E: Evaluator<I>>(
    isa: I,
    search: &mut Search<'_, E>,
    board: Board,
    state: &E::State,
    depth: u32,
    mut alpha: i32,
    beta: i32,
) -> i32 {
    let mobility = isa.mobility(board.player, board.opponent);
    if mobility == 0 {
        let mut value = board.final_score() * DISC;
        if isa.mobility(board.opponent, board.player) != 0 {
            let state = search.evaluator.pass(isa, state);
            value = -recursion::midgame(isa, search, board.pass(), &state, depth, -beta, -alpha);
        }
        search.best = NO_MOVE;
        return value;
    }
    let empties = board.empty_count() - 1;
    if depth == 1 {
        return last_ply(isa, search, board, state, mobility, beta);
    }
    if depth >= STOP_DEPTH && search.stop.load(Relaxed) {
        search.stopped = true;
    }
    if search.stopped {
        return alpha;
    }

    let hash = isa.board_hash(board.player, board.opponent);
    let mut known = NO_MOVE;
    if let Some(entry) = search.memory.probe(hash, board) {
        known = entry.best;
        if u32::from(entry.depth) == depth {
            let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
            if lower >= beta || upper <= alpha || lower == upper {
                search.best = known;
                return if lower >= beta { lower } else { upper };
            }
        }
    }

    let mut children = ArrayVec::<Child<E::State>, MAX_MOVES>::new();
    let mut rest = mobility;
    while rest != 0 {
        let square = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let flipped = isa.flip(square, board.player, board.opponent);
        let next = board.after(square, flipped);
        let state = search.evaluator.update(isa, state, square, flipped);
        let promise = if square == usize::from(known) {
            INFINITE
        } else {
            let replies = isa.mobility(next.player, next.opponent).count_ones() as i32;
            -search.evaluator.value(isa, &state, empties) - REPLY * replies
        };
        children.push(Child {
            square: square as u8,
            promise,
            board: next,
            state,
        });
    }
    search.nodes += children.len() as u64;

    let (floor, mut best, mut best_move) = (alpha, -INFINITE, NO_MOVE);
    for i in 0..children.len() {
        let mut first = i;
        for other in i + 1..children.len() {
            if children[other].promise > children[first].promise {
                first = other;
            }
        }
        children.swap(i, first);
        let child = &children[i];
        let mut reply = |alpha: i32, beta: i32| {
            -recursion::midgame(
                isa,
                search,
                child.board,
                &child.state,
                depth - 1,
                -beta,
                -alpha,
            )
        };
        let mut value = if i == 0 {
            reply(alpha, beta)
        } else {
            reply(alpha, alpha + 1)
        };
        if i > 0 && alpha < value && value < beta {
            value = reply(value - 1, beta);
        }
        if search.stopped {
            return alpha;
        }
        if value > best {
            (best, best_move) = (value, child.square);
            if value >= beta {
                break;
            }
            alpha = alpha.max(value);
        }
    }
    search.best = best_move;
    let lower = if best > floor { best } else { -INFINITE };
    let upper = if best < beta { best } else { INFINITE };
    search
        .memory
        .store(hash, board, depth, lower, upper, best_move);
    best
}

/// The value of `board`, which has the moves `mobility`, by a search of one ply.
#[inline(always)]
fn last_ply<I: Recursion, E: Evaluator<I>>(
    isa: I,
    search: &mut Search<'_, E>,
    board: Board,
    state: &E::State,
    mobility: u64,
    beta: i32,
) -> i32 {
    let empties = board.empty_count() - 1;
    let mut best = -INFINITE;
    let mut rest = mobility;
    while rest != 0 {
        let square = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let flipped = isa.flip(square, board.player, board.opponent);
        search.nodes += 1;
        // A side without discs has lost; no pattern knows what that is worth.
        let value = if flipped == board.opponent {
            64 * DISC
        } else {
            let state = search.evaluator.update(isa, state, square, flipped);
            -search.evaluator.value(isa, &state, empties)
        };
        if value > best {
            (best, search.best) = (value, square as u8);
            if value >= beta {
                break;
            }
        }
    }
    best
}

/// The depth from which a node looks whether to stop.
const STOP_DEPTH: u32 = 4;

/// What is known of a board at a depth.
#[derive(Clone, Copy)]
struct Entry {
    board: Board,
    /// Entries of other times are forgotten.
    time: u32,
    lower: i16,
    upper: i16,
    depth: u8,
    best: u8,
}

/// A table of one thread: the last search of a board is kept, in place of any other.
struct Memory {
    entries: Vec<Entry>,
    time: u32,
}

impl Memory {
    fn new(mib: usize) -> Memory {
        let none = Entry {
            board: Board {
                player: 0,
                opponent: 0,
            },
            time: 0,
            lower: 0,
            upper: 0,
            depth: 0,
            best: NO_MOVE,
        };
        let count = (mib << 20) / size_of::<Entry>();
        Memory {
            entries: vec![none; count],
            time: 1,
        }
    }

    fn clear(&mut self) {
        self.time += 1;
    }

    #[inline(always)]
    fn place(&self, hash: u64) -> usize {
        let place = u128::from(hash.rotate_left(32)) * self.entries.len() as u128;
        (place >> 64) as usize
    }

    #[inline(always)]
    fn probe(&self, hash: u64, board: Board) -> Option<&Entry> {
        let entry = &self.entries[self.place(hash)];
        (entry.board == board && entry.time == self.time).then_some(entry)
    }

    #[inline(always)]
    fn store(&mut self, hash: u64, board: Board, depth: u32, lower: i32, upper: i32, best: u8) {
        let place = self.place(hash);
        self.entries[place] = Entry {
            board,
            time: self.time,
            lower: lower as i16,
            upper: upper as i16,
            depth: depth as u8,
            best,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Knot, Model, PACKED};
    use outflank_random::SplitMix;

    fn model() -> Model {
        let mut random = SplitMix::new(3);
        let weights = (0..PACKED).map(|_| random.below(129) as i16 - 64).collect();
        let knots = vec![Knot {
            empties: 30,
            weights,
        }];
        Model::new(knots, [0; 61], String::new()).unwrap()
    }

    /// The value by the definition of a search, without any cut.
    fn minimax(model: &Model, board: Board, depth: u32) -> i32 {
        // A leaf is not looked at but for a side that has lost all its discs.
        if board.player == 0 || depth > 0 && board.is_game_over() {
            return board.final_score() * DISC;
        }
        if depth == 0 {
            return model.value(board);
        }
        if board.mobility() == 0 {
            return -minimax(model, board.pass(), depth);
        }
        Square::all_in(board.mobility())
            .map(|square| -minimax(model, board.play(square).unwrap(), depth - 1))
            .max()
            .unwrap()
    }

    /// From positions of random games: the value is the minimax value, whatever was searched before,
    /// the best move has it, and every level needs the same nodes.
    #[test]
    fn values_are_minimax_values_at_every_level() {
        let model = model();
        let evaluation = Arc::new(Evaluation::new(&model));
        let mut searchers: Vec<Midgame> = Isa::available()
            .iter()
            .map(|&level| Midgame::new(level, 1, evaluation.clone()).unwrap())
            .collect();
        let mut random = SplitMix::new(5);
        for game in 0..40 {
            let mut board = Board::START;
            for _ in 0..random.below(40) {
                let moves: Vec<Square> = Square::all_in(board.mobility()).collect();
                match moves.len() as u64 {
                    0 => board = board.pass(),
                    count => board = board.play(moves[random.below(count) as usize]).unwrap(),
                }
            }
            if board.is_game_over() {
                continue;
            }
            let depth = 1 + game % 4;
            let expected = minimax(&model, board, depth);
            let found = searchers.iter_mut().map(|searcher| {
                if game % 3 == 0 {
                    searcher.clear();
                }
                searcher.search(board, depth).unwrap()
            });
            let found: Vec<Found> = found.collect();
            for one in &found {
                assert_eq!(*one, found[0], "{board} at depth {depth}");
                assert_eq!(one.value, expected, "{board} at depth {depth}");
                assert_eq!(one.best.is_none(), board.mobility() == 0);
                if let Some(best) = one.best {
                    let next = board.play(best).expect("a legal move");
                    assert_eq!(-minimax(&model, next, depth - 1), expected, "{board}");
                }
            }
        }
    }

    #[test]
    fn the_last_squares_are_searched_to_the_end() {
        let evaluation = Arc::new(Evaluation::new(&model()));
        let mut searcher = Midgame::new(Isa::detect(), 1, evaluation).unwrap();
        let squares = "XXXXXXXX-XXXXXXX-X-OXXXX--XOXOXX--OXXXXX-OOOXXXX--OOXX-X-OXXXX--";
        let line = format!("{squares} X;");
        let problem = crate::notation::obf::read(line.as_bytes())
            .next()
            .unwrap()
            .unwrap();
        let empties = problem.board.empty_count();
        let found = searcher.search(problem.board, empties).unwrap();
        assert_eq!(found.value, 54 * DISC);
        assert_ne!(searcher.search(problem.board, empties - 1).unwrap(), found);
    }
}
