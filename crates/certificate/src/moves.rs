//! The moves of a proof, found by all threads of an engine.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use outflank::search::MoveProver;
use outflank::{Board, Engine, SearchError};
use outflank_verifier::{Claim, Position, squares};

/// Proving moves by position. A move is its index among the legal moves in the order A1, B1 … H8.
pub type Moves = HashMap<Position, u8>;

/// The choice among several moves that prove a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// The best move of the search.
    #[default]
    First,
    /// The move that leaves the opponent the fewest replies. Proofs are about a quarter smaller, and take about four
    /// times as long (docs/lab/search.md).
    FewestReplies,
}

/// A search for the moves of one proof.
pub(crate) struct MoveSearch<'a> {
    claim: Claim,
    /// The score that the claimant exceeds.
    bound: i32,
    /// The greatest number of empty squares of leaves.
    leaf_empties: u32,
    choice: Choice,
    /// Moves that need no search.
    known: &'a Moves,
    /// Called with each new move.
    on_move: &'a (dyn Fn(Position, u8) + Sync),
    work: WorkList,
    /// Visited positions, in shards with a lock each. A position without an index is being searched.
    visited: Vec<Mutex<HashMap<Position, Option<u8>>>>,
    is_refuted: AtomicBool,
}

/// Positions for any thread.
#[derive(Default)]
struct WorkList {
    state: Mutex<WorkState>,
    changed: Condvar,
    /// Threads that wait.
    waiting: AtomicUsize,
}

#[derive(Default)]
struct WorkState {
    open: Vec<Position>,
    /// Threads that are not waiting. The work is done when no position is open and none of them is left.
    active: usize,
    is_over: bool,
}

/// The number of shards of the visited positions.
const SHARDS: usize = 64;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkList {
    fn add(&self, position: Position) {
        lock(&self.state).open.push(position);
        self.changed.notify_one();
    }

    fn end(&self) {
        lock(&self.state).is_over = true;
        self.changed.notify_all();
    }

    /// Waits for a position. `None` when the work is done.
    fn next(&self) -> Option<Position> {
        let mut state = lock(&self.state);
        state.active -= 1;
        loop {
            if state.is_over {
                return None;
            }
            if let Some(position) = state.open.pop() {
                state.active += 1;
                return Some(position);
            }
            if state.active == 0 {
                state.is_over = true;
                self.changed.notify_all();
                return None;
            }
            self.waiting.fetch_add(1, Relaxed);
            let waited = self.changed.wait(state);
            self.waiting.fetch_sub(1, Relaxed);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Ends the work of all threads if this one panics.
struct EndOnPanic<'a>(&'a WorkList);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}

impl<'a> MoveSearch<'a> {
    pub(crate) fn new(
        claim: Claim,
        leaf_empties: u32,
        choice: Choice,
        known: &'a Moves,
        on_move: &'a (dyn Fn(Position, u8) + Sync),
    ) -> MoveSearch<'a> {
        MoveSearch {
            claim,
            bound: claim.bound(),
            leaf_empties,
            choice,
            known,
            on_move,
            work: WorkList::default(),
            visited: (0..SHARDS).map(|_| Mutex::default()).collect(),
            is_refuted: false.into(),
        }
    }

    /// Finds a move for each of the claimant's positions in a proof of the claim. `None` if the claim is wrong or the engine was
    /// stopped.
    pub(crate) fn run(self, engine: &mut Engine) -> Result<Option<Moves>, SearchError> {
        let mut open = VecDeque::new();
        self.expand(self.claim.position, self.claim.at_least, &mut open);
        *lock(&self.work.state) = WorkState {
            open: open.into(),
            ..WorkState::default()
        };
        engine.prove_moves(&|prover| self.work(prover))?;
        if self.is_refuted.into_inner() {
            return Ok(None);
        }
        let mut moves = Moves::new();
        for shard in self.visited {
            let shard = shard.into_inner().unwrap_or_else(PoisonError::into_inner);
            let found = shard.into_iter();
            moves.extend(found.filter_map(|(position, index)| Some((position, index?))));
        }
        Ok(Some(moves))
    }

    /// Adds the claimant's positions that follow `position`, itself included, until the opponent moves again. This follows
    /// the rules of [`outflank_verifier::Walk`].
    fn expand(&self, position: Position, claimant_moves: bool, open: &mut VecDeque<Position>) {
        let moves = position.moves();
        if position.empties().count_ones() <= self.leaf_empties {
            return;
        }
        if moves == 0 {
            if position.pass().moves() != 0 {
                self.expand(position.pass(), !claimant_moves, open);
            }
        } else if claimant_moves {
            open.push_back(position);
        } else if position.least_score_of_other() <= self.bound {
            for square in squares(moves) {
                self.expand(position.after(square, position.flipped(square)), true, open);
            }
        }
    }

    /// Works on one thread until no position is left.
    fn work(&self, prover: &mut dyn MoveProver) {
        lock(&self.work.state).active += 1;
        let _end = EndOnPanic(&self.work);
        // Depth first: the last search has left the moves of the next positions in the tables.
        let mut open = VecDeque::new();
        while let Some(position) = open.pop_back().or_else(|| self.work.next()) {
            let shard = position.mover.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
            let shard = &self.visited[shard as usize % SHARDS];
            match lock(shard).entry(position) {
                Entry::Occupied(_) => continue,
                Entry::Vacant(vacant) => vacant.insert(None),
            };
            let square_of = |index: u8| squares(position.moves()).nth(index.into());
            let known = self.known.get(&position).copied();
            let known = known.filter(|&index| square_of(index).is_some());
            let Some(index) = known.or_else(|| self.prove(prover, position)) else {
                self.is_refuted.store(true, Relaxed);
                return self.work.end();
            };
            lock(shard).insert(position, Some(index));
            let square = square_of(index).expect("a legal move");
            let next = position.after(square, position.flipped(square));
            self.expand(next, false, &mut open);
            if self.is_refuted.load(Relaxed) {
                return;
            }
            // The oldest positions have the most empty squares, so they keep a waiting thread busy for long.
            if self.work.waiting.load(Relaxed) > 0
                && open.len() > 1
                && let Some(oldest) = open.pop_front()
            {
                self.work.add(oldest);
            }
        }
    }

    /// Searches a move that proves the claim at `position`, and reports it. `None` if there is none, or after a stop.
    fn prove(&self, prover: &mut dyn MoveProver, position: Position) -> Option<u8> {
        let square = match self.choice {
            Choice::First => prover.proving_move(board(position), self.bound)?.bit(),
            Choice::FewestReplies => self.with_fewest_replies(prover, position)?,
        };
        let index = (position.moves() & (square - 1)).count_ones() as u8;
        (self.on_move)(position, index);
        Some(index)
    }

    /// The square of the proving move that leaves the opponent the fewest replies.
    fn with_fewest_replies(&self, prover: &mut dyn MoveProver, position: Position) -> Option<u64> {
        let next = |square| position.after(square, position.flipped(square));
        let mut by_replies: Vec<u64> = squares(position.moves()).collect();
        by_replies.sort_by_key(|&square| next(square).moves().count_ones());
        for square in by_replies {
            if !prover.exceeds(board(next(square)), -self.bound - 1)? {
                return Some(square);
            }
        }
        None
    }
}

fn board(Position { mover, other }: Position) -> Board {
    Board {
        player: mover,
        opponent: other,
    }
}
