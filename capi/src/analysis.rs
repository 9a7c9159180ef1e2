//! Analyses of games, and static values, as C has them.

use std::collections::HashMap;
use std::ffi::c_void;

use super::board::{OutflankBoard, number};
use super::book::OutflankBook;
use super::engine::OutflankEngine;
use super::failure::{Failure, OutflankStatus, guard, place, read};
use super::game::{OutflankGame, side_number};
use super::{OUTFLANK_MAX_MOVES, OUTFLANK_NONE};
use outflank::analysis::{Judgement, Mark, judge_by_book};
use outflank::book::{BookMove, Lesson, OpeningBook};
use outflank::eval::DISC;
use outflank::search::Strength;
use outflank::{Board, Game, Selectivity};
use outflank_book::BookError;

/// The strength of an analysis. Begin with outflank_strength_level() or outflank_strength_depth().
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutflankStrength {
    /// True if level counts; else depth and selectivity do.
    pub by_level: bool,
    /// Level of Edax, 0 to 60; larger values count as 60.
    pub level: u32,
    /// Plies; a search of at least as many plies as empty squares reaches the end of the game.
    pub depth: u32,
    /// Certainty of selective cuts in percent: 73, 87, 95, 98, 99, or 100 for none.
    pub selectivity: u32,
}

impl OutflankStrength {
    fn strength(self) -> Result<Strength, Failure> {
        if self.by_level {
            return Ok(Strength::Level(self.level));
        }
        let selectivity = Selectivity::of_percent(self.selectivity);
        let selectivity = selectivity.ok_or(Failure::Selectivity(self.selectivity))?;
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

/// Returns the strength of so many plies with cuts of this selectivity, in percent. 64 plies at 100 percent are perfect play.
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

/// A move of a game, and the best one of its position. Scores are discs for the side that moved, -64 to 64.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutflankJudgement {
    /// Number of the move in the game, from 1; passes do not count.
    pub number: u32,
    /// Board before the move, the discs of its side first.
    pub board: OutflankBoard,
    /// The side that moved: OUTFLANK_BLACK or OUTFLANK_WHITE.
    pub side: u8,
    /// The move that was played, 0 to 63.
    pub played: u8,
    /// The best move, 0 to 63: the one that was played, if none is better.
    pub best: u8,
    /// Score after the move, with best play by both from then on.
    pub score: i32,
    /// Score after the best move, never less.
    pub best_score: i32,
    /// Discs that the move lost: best_score - score, 0 to 128.
    pub loss: i32,
    /// Severity of the loss.
    pub mark: OutflankMark,
    /// Plies of the search: as many as empty squares, if it was to the end of the game.
    pub depth: u32,
    /// Certainty of the search, in percent.
    pub selectivity: u32,
    /// True if both scores are those of perfect play.
    pub exact: bool,
    /// True if both scores are those of the opening book.
    pub from_book: bool,
}

impl From<&Judgement> for OutflankJudgement {
    fn from(one: &Judgement) -> OutflankJudgement {
        let best = one.line.first().copied();
        OutflankJudgement {
            number: one.number as u32,
            board: one.board.into(),
            side: side_number(one.side),
            played: number(Some(one.played)),
            best: best.map_or(OUTFLANK_NONE, number),
            score: one.score,
            best_score: one.best_score,
            loss: one.loss(),
            mark: match one.mark() {
                Mark::Good => OutflankMark::Good,
                Mark::Inaccurate => OutflankMark::Inaccurate,
                Mark::Mistake => OutflankMark::Mistake,
                Mark::Blunder => OutflankMark::Blunder,
            },
            depth: one.depth,
            selectivity: one.selectivity.percent(),
            exact: one.is_exact(),
            from_book: one.from_book,
        }
    }
}

/// Receives each judgement of an analysis as soon as it is made, and the user pointer of the call. The judgement is valid until the
/// function returns. It is called on the thread that analyses, must not throw nor jump out, and may call
/// outflank_engine_stop(). Other calls on the engine, outflank_engine_destroy() included, answer OUTFLANK_STATUS_BUSY.
pub type OutflankJudged =
    Option<unsafe extern "C" fn(judgement: *const OutflankJudgement, user: *mut c_void)>;

/// Book moves of the positions of one game, read before the analysis: an error then costs no search.
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

    fn learn(&mut self, game: &Game) -> Lesson {
        ().learn(game)
    }
}

/// Judges every move of a game, from the last to the first. The engine's table is cleared, its board is kept. Moves that the book
/// knows have its scores and are not searched; book may be null. Each judgement is passed to judged, if not null, together with
/// user. In the end all of them go to moves in the order of the game, and their number to count.
///
/// Game and book are read before the first judgement. If the book cannot be read, judged is not called. The function judged may
/// change the game.
///
/// A stop is no error: moves then has those that were judged, which are the last ones of the game. The calling thread needs a
/// stack of 2 MiB.
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
        // SAFETY: the caller's, as it is written above; only shared use is made of the engine, the game and the book.
        let engine = unsafe { read(engine, "engine")? };
        // SAFETY: the same. The callback may change the game, so that no reference to it is kept.
        let game = unsafe { read(game, "game")? }.0.game.clone();
        // SAFETY: the same.
        let (strength, book) = unsafe { (read(strength, "strength")?, book.as_ref()) };
        // SAFETY: the same.
        let count = unsafe { place(count, "count")? };
        // SAFETY: the same; an array of memory that may be uninitialized is all that the type asks for.
        let moves = unsafe {
            place(
                moves.cast::<[OutflankJudgement; OUTFLANK_MAX_MOVES]>(),
                "moves",
            )?
        };
        let strength = strength.strength()?;
        let mut searcher = engine.searcher()?;
        let mut known = KnownMoves::read(book, &game)?;
        let mut judgements = Vec::with_capacity(OUTFLANK_MAX_MOVES);
        let report = |one: &Judgement| {
            let judgement = OutflankJudgement::from(one);
            judgements.push(judgement);
            if let Some(judged) = judged {
                // SAFETY: the caller's; what it is given is there until it returns.
                unsafe { judged(&judgement, user) };
            }
        };
        judge_by_book(&mut known, &mut searcher.engine, &game, strength, report)?;
        judgements.truncate(OUTFLANK_MAX_MOVES);
        count.write(judgements.len());
        let first = moves.as_mut_ptr().cast::<OutflankJudgement>();
        for (index, &one) in judgements.iter().rev().enumerate() {
            // SAFETY: there is room for as many, by the caller, and the index is less.
            unsafe { first.add(index).write(one) };
        }
        Ok(())
    })
}

/// Writes the static value of a position in discs for the side to move, by the weights of an engine. Nothing is searched, so that
/// this takes less than a microsecond.
///
/// # Safety
/// engine is null, or comes from outflank_engine_new() and was not destroyed; value is null or points to writable memory for a
/// number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_engine_static_value(
    engine: *mut OutflankEngine,
    board: OutflankBoard,
    value: *mut f64,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above; only shared use is made of the engine.
        let (engine, place) = unsafe { (read(engine, "engine")?, place(value, "value")?) };
        let board = board.board()?;
        let searcher = engine.searcher()?;
        let token = searcher.engine.isa().token()?;
        let value = searcher.engine.evaluation().value(token, board);
        place.write(f64::from(value) / f64::from(DISC));
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;
    use std::ptr::{null, null_mut};

    use super::super::book::{outflank_book_destroy, outflank_book_open};
    use super::super::engine::{outflank_engine_destroy, outflank_engine_new};
    use super::super::game::{outflank_game_destroy, outflank_game_read};
    use super::*;
    use outflank_testing::command::Folder;

    unsafe extern "C" fn count_call(_: *const OutflankJudgement, user: *mut c_void) {
        // SAFETY: the test passes a counter.
        unsafe { *user.cast::<u32>() += 1 };
    }

    /// The first position of the game is damaged in the book, and would be read last.
    #[test]
    fn a_damaged_book_fails_before_anything_is_judged() {
        let whole = outflank_testing::data::root().join("book/built-in.book");
        let mut file = std::fs::read(whole).unwrap();
        let start = Board::START.canonical().0;
        let key = (u128::from(start.player) << 64 | u128::from(start.opponent)).to_be_bytes();
        let at = file.windows(16).position(|bytes| bytes == key);
        // The data of a row follows its key.
        file[at.expect("the book has the start") + 17] ^= 1;
        let folder = Folder::new();
        let path = folder.file("damaged.book", &file);
        let path = CString::new(path.to_str().unwrap()).unwrap();
        let (mut engine, mut game, mut book) = (null_mut(), null_mut(), null_mut());
        let strength = outflank_strength_depth(1, 100);
        let mut calls = 0_u32;
        let mut moves = Vec::with_capacity(OUTFLANK_MAX_MOVES);
        let mut count = 99;
        // SAFETY: the pointers are to what was made, and to memory that suffices.
        let analyzed = unsafe {
            let opened = outflank_book_open(path.as_ptr(), null(), &mut book);
            assert_eq!(opened, OutflankStatus::Ok);
            let read = outflank_game_read(c"f5d6c6b6".as_ptr(), &mut game);
            assert_eq!(read, OutflankStatus::Ok);
            let made = outflank_engine_new(null(), &mut engine);
            assert_eq!(made, OutflankStatus::Ok);
            outflank_engine_analyze(
                engine,
                game,
                &strength,
                book,
                Some(count_call),
                (&raw mut calls).cast(),
                moves.as_mut_ptr(),
                &mut count,
            )
        };
        assert_eq!(analyzed, OutflankStatus::Book);
        assert_eq!((calls, count), (0, 99));
        // SAFETY: nobody uses them any more.
        unsafe {
            outflank_engine_destroy(engine);
            outflank_game_destroy(game);
            outflank_book_destroy(book);
        }
    }
}
