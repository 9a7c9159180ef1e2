//! C interface of game analyses and static values.

use std::collections::HashMap;
use std::ffi::c_void;
use std::mem::MaybeUninit;

use super::board::{OUTFLANK_NONE, OutflankBoard, ply_number};
use super::book::{OUTFLANK_MAX_MOVES, OutflankBook};
use super::engine::OutflankEngine;
use super::failure::{Failure, OutflankStatus, guard, guard_output};
use super::game::{OutflankGame, side_number};
use super::pointer::{output, shared, write_items};
use super::search::read_selectivity;
use outflank::analysis::{Judgement, Mark, judge_from};
use outflank::book::{BookMove, LearnTask, OpeningBook};
use outflank::eval::DISC;
use outflank::search::Strength;
use outflank::{Board, Game};
use outflank_book::BookError;

/// Strength of an analysis. Begin with outflank_strength_level() or outflank_strength_depth().
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutflankStrength {
    /// True if the strength is the level. Otherwise it is depth and selectivity.
    pub by_level: bool,
    /// Level of Edax, 0 to 60; larger values count as 60.
    pub level: u32,
    /// Depth in plies. A depth of at least the number of empty squares reaches the end of the game.
    pub depth: u32,
    /// Confidence of selective cuts in percent: 73, 87, 95, 98, 99, or 100 for none.
    pub selectivity: u32,
}

impl OutflankStrength {
    fn strength(self) -> Result<Strength, Failure> {
        if self.by_level {
            return Ok(Strength::Level(self.level));
        }
        let selectivity = read_selectivity(self.selectivity)?;
        Ok(Strength::Depth(self.depth, selectivity))
    }
}

/// Returns the strength of a level of Edax, 0 to 60; larger values count as 60.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_strength_level(level: u32) -> OutflankStrength {
    OutflankStrength {
        by_level: true,
        level,
        depth: 0,
        selectivity: 100,
    }
}

/// Returns the strength of searches of depth plies with the given selectivity in percent. 64 plies at 100 percent are
/// perfect play.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_strength_depth(depth: u32, selectivity: u32) -> OutflankStrength {
    OutflankStrength {
        by_level: false,
        level: 0,
        depth,
        selectivity,
    }
}

/// Severity of a loss.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutflankMark {
    /// Fewer than 3 discs.
    Good = 0,
    /// 3 to 5 discs.
    Inaccurate = 1,
    /// 6 to 11 discs.
    Mistake = 2,
    /// 12 discs or more.
    Blunder = 3,
}

/// Move of a game, compared with the best one of its position. Scores are discs for the side that moved, -64 to 64.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutflankJudgement {
    /// Number of the move in the game, from 1; passes do not count.
    pub number: u32,
    /// Board before the move, the discs of its side first.
    pub board: OutflankBoard,
    /// Side that moved: OUTFLANK_BLACK or OUTFLANK_WHITE.
    pub side: u8,
    /// Played move, 0 to 63.
    pub played: u8,
    /// Best move, 0 to 63. It is the played move if no other is better.
    pub best: u8,
    /// Score after the played move, with best play by both sides.
    pub score: i32,
    /// Score after the best move. It is never less than score.
    pub best_score: i32,
    /// Discs that the move lost: best_score - score, 0 to 128.
    pub loss: i32,
    /// Severity of the loss.
    pub mark: OutflankMark,
    /// Depth of the search in plies. The number of empty squares means the end of the game.
    pub depth: u32,
    /// Confidence of the selective cuts, in percent.
    pub selectivity: u32,
    /// True if both scores are those of perfect play.
    pub exact: bool,
    /// True if both scores are those of the opening book.
    pub from_book: bool,
}

impl From<&Judgement> for OutflankJudgement {
    fn from(judgement: &Judgement) -> OutflankJudgement {
        let best = judgement.line.first().copied();
        OutflankJudgement {
            number: judgement.number as u32,
            board: judgement.board.into(),
            side: side_number(judgement.side),
            played: ply_number(Some(judgement.played)),
            best: best.map_or(OUTFLANK_NONE, ply_number),
            score: judgement.score,
            best_score: judgement.best_score,
            loss: judgement.loss(),
            mark: match judgement.mark() {
                Mark::Good => OutflankMark::Good,
                Mark::Inaccurate => OutflankMark::Inaccurate,
                Mark::Mistake => OutflankMark::Mistake,
                Mark::Blunder => OutflankMark::Blunder,
            },
            depth: judgement.depth,
            selectivity: judgement.selectivity.percent(),
            exact: judgement.is_exact(),
            from_book: judgement.from_book,
        }
    }
}

/// Function that receives each judgement of an analysis as soon as it is made, and the user pointer of the call. The
/// judgement is valid until the function returns. The function runs on the thread of the analysis. It must neither
/// throw an exception nor leave by longjmp(). It may call outflank_engine_stop(). Functions that use the engine and
/// return a status, such as outflank_engine_destroy(), return OUTFLANK_STATUS_BUSY.
pub type OutflankJudged =
    Option<unsafe extern "C" fn(judgement: *const OutflankJudgement, user: *mut c_void)>;

/// Book moves of the positions of one game. They are read before the analysis, so that a damaged book is found early.
struct KnownMoves(HashMap<Board, Vec<BookMove>>);

impl KnownMoves {
    fn read(book: Option<&OutflankBook>, game: &Game) -> Result<KnownMoves, BookError> {
        let mut known = HashMap::new();
        if let Some(book) = book {
            let player = book.player();
            for ((board, _), _) in game.turns().zip(game.moves()) {
                known.insert(board, player.look_up(board)?);
            }
        }
        Ok(KnownMoves(known))
    }
}

impl OpeningBook for KnownMoves {
    fn moves(&mut self, board: Board) -> Vec<BookMove> {
        self.0.get(&board).cloned().unwrap_or_default()
    }

    fn choose(&mut self, _: Board) -> Option<BookMove> {
        None
    }

    fn learn(&mut self, game: &Game) -> LearnTask {
        ().learn(game)
    }
}

/// Judges every move of a game, from the last to the first. The engine's hash table is cleared; its board is kept.
/// Moves in the book get the scores of the book and are not searched. The book may be null. Each judgement is passed to
/// judged together with user, unless judged is null. At the end all judgements are written to moves in the order of the
/// game, and their number to count.
///
/// The game and its book moves are read before the first judgement. If the book cannot be read, judged is not called.
/// The function judged may change the game.
///
/// A stop is no error. The judgements then cover only the last moves of the game. The calling thread needs a stack of 2
/// MiB.
///
/// # Safety
/// Each of engine, game and book is null, or was made by this library and was not destroyed. No other thread changes the game during
/// the call. The pointer strength is null or points to a strength. The function judged is null or can be called with user, and
/// destroys neither game nor book. The pointer moves is null or points to writable memory for OUTFLANK_MAX_MOVES
/// judgements. The pointer count is null or points to writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_analyze(
    engine: *mut OutflankEngine,
    game: *const OutflankGame,
    strength: *const OutflankStrength,
    book: *mut OutflankBook,
    judged: OutflankJudged,
    user: *mut c_void,
    moves: *mut OutflankJudgement,
    count: *mut usize,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it; engine, game and book are only borrowed.
        let engine = unsafe { shared(engine, "engine")? };
        // SAFETY: the caller guarantees it. No reference to the game is kept, because the callback may change it.
        let game = unsafe { shared(game, "game")? }.0.game.clone();
        // SAFETY: the caller guarantees it.
        let (strength, book) = unsafe { (shared(strength, "strength")?, book.as_ref()) };
        // SAFETY: the caller guarantees it.
        let count = unsafe { output(count, "count")? };
        // SAFETY: the caller guarantees it; the type allows uninitialized memory.
        let moves = unsafe {
            output(
                moves.cast::<[OutflankJudgement; OUTFLANK_MAX_MOVES]>(),
                "moves",
            )?
        };
        let strength = strength.strength()?;
        let mut searcher = engine.searcher()?;
        let mut known = KnownMoves::read(book, &game)?;
        let mut judgements = Vec::with_capacity(OUTFLANK_MAX_MOVES);
        let report = |judgement: &Judgement| {
            let judgement = OutflankJudgement::from(judgement);
            judgements.push(judgement);
            if let Some(judged) = judged {
                // SAFETY: the caller guarantees it; the judgement is valid until the function returns.
                unsafe { judged(&judgement, user) };
            }
        };
        judge_from(&mut known, &mut searcher.engine, &game, 1, strength, report)?;
        judgements.truncate(OUTFLANK_MAX_MOVES);
        count.write(write_items(moves, judgements.into_iter().rev()));
        Ok(())
    })
}

/// Writes the static value of a position in discs for the side to move, by the weights of the engine. Nothing is
/// searched: the call takes less than a microsecond.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new() and was not destroyed; value is null or points to writable memory for a
/// number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_static_value(
    engine: *mut OutflankEngine,
    board: OutflankBoard,
    value: Option<&mut MaybeUninit<f64>>,
) -> OutflankStatus {
    guard_output(value, "value", || {
        // SAFETY: the caller guarantees it; the engine is only borrowed.
        let engine = unsafe { shared(engine, "engine")? };
        let board = board.board()?;
        let searcher = engine.searcher()?;
        let token = searcher.engine.isa().token()?;
        let value = searcher.engine.evaluation().value(token, board);
        Ok(f64::from(value) / f64::from(DISC))
    })
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;

    use super::super::book::outflank_book_open;
    use super::super::engine::outflank_engine_new;
    use super::super::game::outflank_game_read;
    use super::super::pointer::made;
    use super::*;
    use outflank_testing::command::Folder;

    unsafe extern "C" fn count_call(_: *const OutflankJudgement, user: *mut c_void) {
        // SAFETY: the test passes a counter.
        unsafe { *user.cast::<u32>() += 1 };
    }

    /// The damage is in the first position of the game, which an analysis needs last.
    #[test]
    fn damaged_book_fails_before_the_first_judgement() {
        let built_in = outflank_testing::data::root().join("crates/book/built-in.book");
        let mut file = std::fs::read(built_in).unwrap();
        let start = Board::START.canonical().0;
        let key = (u128::from(start.player) << 64 | u128::from(start.opponent)).to_be_bytes();
        let key_at = file.windows(16).position(|bytes| bytes == key);
        // The data of a row follows its key.
        file[key_at.expect("the book has the start") + 17] ^= 1;
        let folder = Folder::new();
        let path = folder.file("damaged.book", &file);
        let path = CString::new(path.to_str().unwrap()).unwrap();
        // SAFETY: the strings are null-terminated.
        let (mut engine, game, mut book) = unsafe {
            (
                made(|engine| outflank_engine_new(None, engine)),
                made(|game| outflank_game_read(c"f5d6c6b6".as_ptr(), game)),
                made(|book| outflank_book_open(path.as_ptr(), None, book)),
            )
        };
        let mut calls = 0_u32;
        let mut moves = Vec::with_capacity(OUTFLANK_MAX_MOVES);
        let mut count = 99;
        // SAFETY: the objects were made by the library, and the array is large enough.
        let analyzed = unsafe {
            outflank_engine_analyze(
                &mut *engine,
                &*game,
                &outflank_strength_depth(1, 100),
                &mut *book,
                Some(count_call),
                (&raw mut calls).cast(),
                moves.as_mut_ptr(),
                &mut count,
            )
        };
        assert_eq!(analyzed, OutflankStatus::Book);
        assert_eq!((calls, count), (0, 99));
    }
}
