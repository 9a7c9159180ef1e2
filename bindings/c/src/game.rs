//! Games and their files.

use std::ffi::c_char;

use super::board::{OUTFLANK_NONE, OutflankBoard, ply_number, read_ply};
use super::failure::{Failure, OutflankStatus, guard};
use super::pointer::{copy_text, destroy, exclusive, output, shared, text};
use outflank::notation::{Contents, Format, GameRecord, ReadError, ggf, read_one, transcript};
use outflank::{Game, Side};

/// Black, the first side to move from the usual start.
pub const OUTFLANK_BLACK: u8 = 0;

/// White.
pub const OUTFLANK_WHITE: u8 = 1;

/// Maximum number of plies of a game: OUTFLANK_MAX_MOVES moves, and a pass before each.
pub const OUTFLANK_MAX_PLIES: usize = 128;

/// Game with its properties, as in GGF: players, date and others. Opaque.
pub struct OutflankGame(pub(super) GameRecord);

/// Games of a file. Opaque.
pub struct OutflankGames(Vec<Result<GameRecord, ReadError>>);

/// Converts a side to its number: OUTFLANK_BLACK or OUTFLANK_WHITE.
pub(super) fn side_number(side: Side) -> u8 {
    match side {
        Side::Black => OUTFLANK_BLACK,
        Side::White => OUTFLANK_WHITE,
    }
}

impl OutflankGame {
    fn boxed(record: GameRecord) -> *mut OutflankGame {
        Box::into_raw(Box::new(OutflankGame(record)))
    }
}

/// Converts an entry of a file to a game. A position becomes a game without moves.
fn record(contents: Contents) -> GameRecord {
    match contents {
        Contents::Game(record) => record,
        Contents::Position(problem) => {
            GameRecord::from_problem(&problem).expect("a square has one disc")
        }
    }
}

/// Makes a game without plies. Its first position is start, with side (OUTFLANK_BLACK or OUTFLANK_WHITE) to move. A
/// null start means the usual starting position; side is then ignored. Free the game with outflank_game_destroy().
///
/// # Safety
/// start is null or points to a board; game is null or points to writable memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_new(
    start: *const OutflankBoard,
    side: u8,
    game: *mut *mut OutflankGame,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let (out, start) = unsafe { (output(game, "game")?, start.as_ref()) };
        let game = match (start, side) {
            (None, _) => Game::new(),
            (Some(start), OUTFLANK_BLACK) => Game::from_start(start.board()?, Side::Black)?,
            (Some(start), OUTFLANK_WHITE) => Game::from_start(start.board()?, Side::White)?,
            (Some(_), side) => {
                return Err(Failure::argument(format!(
                    "a side is OUTFLANK_BLACK (0) or OUTFLANK_WHITE (1), unlike {side}"
                )));
            }
        };
        out.write(OutflankGame::boxed(GameRecord::new(game)));
        Ok(())
    })
}

/// Reads a text with one game, in any format that the library reads: moves ("f5d6c3"), PGN, GGF, SGF or a position. A
/// position becomes a game without moves. Several games are an error; outflank_games_read() reads them. Free the game
/// with outflank_game_destroy().
///
/// # Safety
/// game_text is null or a null-terminated string; game is null or points to writable memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_read(
    game_text: *const c_char,
    game: *mut *mut OutflankGame,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let (game_text, out) = unsafe { (text(game_text, "game_text")?, output(game, "game")?) };
        let record = record(read_one(game_text)?);
        out.write(OutflankGame::boxed(record));
        Ok(())
    })
}

/// Reads the contents of a file of games in any format that the library reads, such as GGF, SGF, WTHOR, lists of moves
/// or positions. A position becomes a game without moves. The number of games is written to count. It includes
/// unreadable games, for which outflank_games_get() fails with the reason. Free the games with
/// outflank_games_destroy().
///
/// # Safety
/// bytes is null or points to size bytes; games is null or points to writable memory for a pointer; count is null or points to
/// writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_games_read(
    bytes: *const u8,
    size: usize,
    games: *mut *mut OutflankGames,
    count: *mut usize,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let (out, count) = unsafe { (output(games, "games")?, output(count, "count")?) };
        // SAFETY: the caller guarantees it.
        let first = unsafe { shared(bytes, "bytes")? };
        // SAFETY: the caller guarantees it; the pointer is not null.
        let file = unsafe { std::slice::from_raw_parts(first, size) };
        let entries = outflank::notation::read(file, Format::detect(file)?);
        let read = entries.map(|entry| entry.map(|entry| record(entry.contents)));
        let read: Vec<_> = read.collect();
        count.write(read.len());
        out.write(Box::into_raw(Box::new(OutflankGames(read))));
        Ok(())
    })
}

/// Copies the game at an index, from 0. Free the copy with outflank_game_destroy().
///
/// # Safety
/// games is null, or comes from outflank_games_read() and was not destroyed; game is null or points to writable memory for a
/// pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_games_get(
    games: *const OutflankGames,
    index: usize,
    game: *mut *mut OutflankGame,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let (games, out) = unsafe { (shared(games, "games")?, output(game, "game")?) };
        let count = games.0.len();
        let entry = games
            .0
            .get(index)
            .ok_or_else(|| Failure::index(index, count))?;
        let record = entry.as_ref().map_err(Clone::clone)?;
        out.write(OutflankGame::boxed(record.clone()));
        Ok(())
    })
}

/// Frees the games of a file. Copies made by outflank_games_get() stay valid. Null is ignored.
///
/// # Safety
/// games is null, or comes from outflank_games_read() and was not destroyed. No other thread uses it now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_games_destroy(games: *mut OutflankGames) -> OutflankStatus {
    // SAFETY: the caller guarantees it; the pointer comes from `Box::into_raw`.
    unsafe { destroy(games) }
}

/// Frees a game. Null is ignored.
///
/// # Safety
/// game is null, or was made by this library and was not destroyed. No other thread uses it now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_destroy(game: *mut OutflankGame) -> OutflankStatus {
    // SAFETY: the caller guarantees it; the pointer comes from `Box::into_raw`.
    unsafe { destroy(game) }
}

/// Plays a move (0 to 63) or a pass (OUTFLANK_PASS). A pass that is due before a move is inserted. An illegal move changes
/// nothing.
///
/// # Safety
/// game is null, or was made by this library and was not destroyed. No other thread uses it during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_play(game: *mut OutflankGame, played: u8) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let game = unsafe { exclusive(game, "game")? };
        match read_ply(played)? {
            Some(square) => game.0.game.play(square)?,
            None => game.0.game.pass()?,
        }
        Ok(())
    })
}

/// Takes back the last ply, a move or a pass, and writes it to undone. At the start of the game it writes
/// OUTFLANK_NONE.
///
/// # Safety
/// game is null, or was made by this library and was not destroyed. No other thread uses it during the call. The
/// pointer undone is null or points to writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_undo(
    game: *mut OutflankGame,
    undone: *mut u8,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let (game, out) = unsafe { (exclusive(game, "game")?, output(undone, "undone")?) };
        let ply = game.0.game.undo();
        game.0.notes.truncate(game.0.game.plies().len());
        out.write(ply.map_or(OUTFLANK_NONE, ply_number));
        Ok(())
    })
}

/// Writes the plies of a game: squares 0 to 63, and OUTFLANK_PASS for passes. Their number is written to count.
///
/// # Safety
/// game is null, or was made by this library and was not destroyed; plies is null or points to writable memory for
/// OUTFLANK_MAX_PLIES numbers; count is null or points to writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_plies(
    game: *const OutflankGame,
    plies: *mut u8,
    count: *mut usize,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let (game, count) = unsafe { (shared(game, "game")?, output(count, "count")?) };
        // SAFETY: the caller guarantees it.
        let out = unsafe { output(plies.cast::<[u8; OUTFLANK_MAX_PLIES]>(), "plies")? };
        let played = game.0.game.plies();
        let played = &played[..played.len().min(OUTFLANK_MAX_PLIES)];
        let mut all = [OUTFLANK_NONE; OUTFLANK_MAX_PLIES];
        for (slot, &ply) in all.iter_mut().zip(played) {
            *slot = ply_number(ply);
        }
        count.write(played.len());
        out.write(all);
        Ok(())
    })
}

/// Writes the position after a number of plies, 0 for the start, and its side to move: OUTFLANK_BLACK or
/// OUTFLANK_WHITE.
///
/// # Safety
/// game is null, or was made by this library and was not destroyed; board is null or points to writable memory for a board; side
/// is null or points to writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_position(
    game: *const OutflankGame,
    plies: usize,
    board: *mut OutflankBoard,
    side: *mut u8,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let (game, out) = unsafe { (shared(game, "game")?, output(board, "board")?) };
        // SAFETY: the caller guarantees it.
        let out_side = unsafe { output(side, "side")? };
        let positions = game.0.game.positions();
        let position = positions.get(plies);
        let &(board, side) = position.ok_or_else(|| Failure::index(plies, positions.len()))?;
        out.write(board.into());
        out_side.write(side_number(side));
        Ok(())
    })
}

/// Writes the result of a game in discs for black, -64 to 64. Empty squares go to the winner. The result is known if
/// the game is over or its file gives one. Otherwise known becomes false and score 0.
///
/// # Safety
/// game is null, or was made by this library and was not destroyed; known is null or points to writable memory for a
/// bool; score is null or points to writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_score(
    game: *const OutflankGame,
    known: *mut bool,
    score: *mut i32,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let (game, known) = unsafe { (shared(game, "game")?, output(known, "known")?) };
        // SAFETY: the caller guarantees it.
        let out = unsafe { output(score, "score")? };
        let score = game.0.score();
        known.write(score.is_some());
        out.write(score.unwrap_or(0));
        Ok(())
    })
}

/// Copies a property of a game by its name in GGF: "PB" and "PW" are the players, "DT" is the date, "RE" the result.
/// The text is empty if the game lacks the property. The parameters size and length are as in
/// outflank_game_write_ggf().
///
/// # Safety
/// game is null, or was made by this library and was not destroyed. The pointer name is null or a null-terminated string. The pointer
/// value is null, if size is 0, or points to size writable bytes. The pointer length is null or points to writable memory for a
/// number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_property(
    game: *const OutflankGame,
    name: *const c_char,
    value: *mut c_char,
    size: usize,
    length: *mut usize,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let (game, name) = unsafe { (shared(game, "game")?, text(name, "name")?) };
        let property = game.0.property(name).unwrap_or_default();
        // SAFETY: the caller guarantees it.
        unsafe { copy_text(property, value, "value", size, length) }
    })
}

/// Sets a property of a game. A name consists of capital letters A to Z. GM, BO, B and W are not allowed.
///
/// # Safety
/// game is null, or was made by this library and was not destroyed. No other thread uses it during the call. The
/// pointers name and value are each null or a null-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_set_property(
    game: *mut OutflankGame,
    name: *const c_char,
    value: *const c_char,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let game = unsafe { exclusive(game, "game")? };
        // SAFETY: the caller guarantees it.
        let (name, value) = unsafe { (text(name, "name")?, text(value, "value")?) };
        Ok(game.0.set(name, value)?)
    })
}

/// Writes a game as a transcript, such as "f5d6c3", with a null at its end. The number of bytes without the null is
/// written to length. Like snprintf(), writes at most size bytes. The text is complete if length < size. A game without
/// moves or from an unusual start has no transcript.
///
/// # Safety
/// game is null, or was made by this library and was not destroyed. The pointer transcript is null, if size is 0, or points to size writable
/// bytes. The pointer length is null or points to writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_write_transcript(
    game: *const OutflankGame,
    transcript: *mut c_char,
    size: usize,
    length: *mut usize,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let game = unsafe { shared(game, "game")? };
        let line = transcript::write(&game.0.game)?;
        // SAFETY: the caller guarantees it.
        unsafe { copy_text(&line, transcript, "transcript", size, length) }
    })
}

/// Writes a game in GGF, with its properties and a null at its end. The number of bytes without the null is written to
/// length. Like snprintf(), writes at most size bytes. The text is complete if length < size.
///
/// # Safety
/// game is null, or was made by this library and was not destroyed. The pointer ggf is null, if size is 0, or points to size writable bytes.
/// The pointer length is null or points to writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_write_ggf(
    game: *const OutflankGame,
    ggf: *mut c_char,
    size: usize,
    length: *mut usize,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller guarantees it.
        let game = unsafe { shared(game, "game")? };
        let line = ggf::write(&game.0);
        // SAFETY: the caller guarantees it.
        unsafe { copy_text(&line, ggf, "ggf", size, length) }
    })
}
