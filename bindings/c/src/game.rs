//! Games and their files.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use super::board::{OUTFLANK_NONE, OutflankBoard, ply_number, read_ply};
use super::failure::{Failure, OutflankStatus, guard, guard_output};
use super::pointer::{copy_text, output, required, shared, text, write_items};
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
    start: Option<&OutflankBoard>,
    side: u8,
    game: Option<&mut MaybeUninit<Box<OutflankGame>>>,
) -> OutflankStatus {
    guard_output(game, "game", || {
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
        Ok(Box::new(OutflankGame(GameRecord::new(game))))
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
    game: Option<&mut MaybeUninit<Box<OutflankGame>>>,
) -> OutflankStatus {
    guard_output(game, "game", || {
        // SAFETY: the caller guarantees it.
        let game_text = unsafe { text(game_text, "game_text")? };
        Ok(Box::new(OutflankGame(record(read_one(game_text)?))))
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
    games: Option<&mut MaybeUninit<Box<OutflankGames>>>,
    count: Option<&mut MaybeUninit<usize>>,
) -> OutflankStatus {
    guard(|| {
        let (games, count) = (required(games, "games")?, required(count, "count")?);
        // SAFETY: the caller guarantees it.
        let first = unsafe { shared(bytes, "bytes")? };
        // SAFETY: the caller guarantees it; the pointer is not null.
        let file = unsafe { std::slice::from_raw_parts(first, size) };
        let entries = outflank::notation::read(file, Format::detect(file)?);
        let read = entries.map(|entry| entry.map(|entry| record(entry.contents)));
        let read: Vec<_> = read.collect();
        count.write(read.len());
        games.write(Box::new(OutflankGames(read)));
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
    games: Option<&OutflankGames>,
    index: usize,
    game: Option<&mut MaybeUninit<Box<OutflankGame>>>,
) -> OutflankStatus {
    guard_output(game, "game", || {
        let OutflankGames(entries) = required(games, "games")?;
        let entry = entries.get(index);
        let entry = entry.ok_or_else(|| Failure::index(index, entries.len()))?;
        Ok(Box::new(OutflankGame(entry.clone()?)))
    })
}

/// Frees the games of a file. Copies made by outflank_games_get() stay valid. Null is ignored.
///
/// # Safety
/// games is null, or comes from outflank_games_read() and was not destroyed. No other thread uses it now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_games_destroy(
    games: Option<Box<OutflankGames>>,
) -> OutflankStatus {
    guard(|| {
        drop(games);
        Ok(())
    })
}

/// Frees a game. Null is ignored.
///
/// # Safety
/// game is null, or was made by this library and was not destroyed. No other thread uses it now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_destroy(game: Option<Box<OutflankGame>>) -> OutflankStatus {
    guard(|| {
        drop(game);
        Ok(())
    })
}

/// Plays a move (0 to 63) or a pass (OUTFLANK_PASS). A pass that is due before a move is inserted. An illegal move changes
/// nothing.
///
/// # Safety
/// game is null, or was made by this library and was not destroyed. No other thread uses it during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_play(
    game: Option<&mut OutflankGame>,
    played: u8,
) -> OutflankStatus {
    guard(|| {
        let game = &mut required(game, "game")?.0.game;
        match read_ply(played)? {
            Some(square) => game.play(square)?,
            None => game.pass()?,
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
    game: Option<&mut OutflankGame>,
    undone: Option<&mut MaybeUninit<u8>>,
) -> OutflankStatus {
    guard_output(undone, "undone", || {
        let OutflankGame(record) = required(game, "game")?;
        let ply = record.game.undo();
        record.notes.truncate(record.game.plies().len());
        Ok(ply.map_or(OUTFLANK_NONE, ply_number))
    })
}

/// Writes the plies of a game: squares 0 to 63, and OUTFLANK_PASS for passes. Their number is written to count.
///
/// # Safety
/// game is null, or was made by this library and was not destroyed; plies is null or points to writable memory for
/// OUTFLANK_MAX_PLIES numbers; count is null or points to writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_plies(
    game: Option<&OutflankGame>,
    plies: *mut u8,
    count: Option<&mut MaybeUninit<usize>>,
) -> OutflankStatus {
    guard(|| {
        let (game, count) = (required(game, "game")?, required(count, "count")?);
        // SAFETY: the caller guarantees it.
        let out = unsafe { output(plies.cast::<[u8; OUTFLANK_MAX_PLIES]>(), "plies")? };
        let played = game.0.game.plies().iter();
        count.write(write_items(out, played.map(|&ply| ply_number(ply))));
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
    game: Option<&OutflankGame>,
    plies: usize,
    board: Option<&mut MaybeUninit<OutflankBoard>>,
    side: Option<&mut MaybeUninit<u8>>,
) -> OutflankStatus {
    guard(|| {
        let positions = required(game, "game")?.0.game.positions();
        let (board, side) = (required(board, "board")?, required(side, "side")?);
        let position = positions.get(plies);
        let position = position.ok_or_else(|| Failure::index(plies, positions.len()))?;
        board.write(position.0.into());
        side.write(side_number(position.1));
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
    game: Option<&OutflankGame>,
    known: Option<&mut MaybeUninit<bool>>,
    score: Option<&mut MaybeUninit<i32>>,
) -> OutflankStatus {
    guard(|| {
        let result = required(game, "game")?.0.score();
        let (known, score) = (required(known, "known")?, required(score, "score")?);
        known.write(result.is_some());
        score.write(result.unwrap_or(0));
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
    game: Option<&OutflankGame>,
    name: *const c_char,
    value: *mut c_char,
    size: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> OutflankStatus {
    guard(|| {
        let game = required(game, "game")?;
        // SAFETY: the caller guarantees it.
        let name = unsafe { text(name, "name")? };
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
    game: Option<&mut OutflankGame>,
    name: *const c_char,
    value: *const c_char,
) -> OutflankStatus {
    guard(|| {
        let game = required(game, "game")?;
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
    game: Option<&OutflankGame>,
    transcript: *mut c_char,
    size: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> OutflankStatus {
    guard(|| {
        let line = transcript::write(&required(game, "game")?.0.game)?;
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
    game: Option<&OutflankGame>,
    ggf: *mut c_char,
    size: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> OutflankStatus {
    guard(|| {
        let line = ggf::write(&required(game, "game")?.0);
        // SAFETY: the caller guarantees it.
        unsafe { copy_text(&line, ggf, "ggf", size, length) }
    })
}
