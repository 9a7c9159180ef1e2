//! Games, as C has them.

use std::ffi::c_char;

use super::board::{OutflankBoard, number, ply};
use super::failure::{Failure, OutflankStatus, change, destroy, guard, place, read, text};
use super::text::copy_text;
use outflank::notation::{Contents, Format, GameRecord, ReadError, ggf, read_one, transcript};
use outflank::{Game, Side};

/// Black, who begins a game from the usual start.
pub const OUTFLANK_BLACK: u8 = 0;

/// White.
pub const OUTFLANK_WHITE: u8 = 1;

/// The most plies that a game has: moves, and a pass before each.
pub const OUTFLANK_MAX_PLIES: usize = 128;

/// A game with what a file says about it: players, date and other properties of GGF. Opaque.
pub struct OutflankGame(pub(super) GameRecord);

/// The games of a file. Opaque.
pub struct OutflankGames(Vec<Result<GameRecord, ReadError>>);

/// The number that C has for a side.
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
            GameRecord::of_problem(&problem).expect("a square has one disc")
        }
    }
}

/// Makes a game of which nothing is played yet. It begins with the board start, the discs of the side to move first, and with
/// side to move: OUTFLANK_BLACK or OUTFLANK_WHITE. If start is null, it begins as usual, and side is ignored. Free
/// the game with outflank_game_destroy().
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
        // SAFETY: the caller's, as it is written above.
        let (place, start) = unsafe { (place(game, "game")?, start.as_ref()) };
        let made = match (start, side) {
            (None, _) => Game::new(),
            (Some(start), OUTFLANK_BLACK) => Game::from_start(start.board()?, Side::Black)?,
            (Some(start), OUTFLANK_WHITE) => Game::from_start(start.board()?, Side::White)?,
            (Some(_), side) => return Err(Failure::Side(side)),
        };
        place.write(OutflankGame::boxed(GameRecord::new(made)));
        Ok(())
    })
}

/// Reads the only game of a text in any format that the library reads: moves ("f5d6c3"), PGN, GGF, SGF, or a position, which is a
/// game without moves. A text with several games is an error: outflank_games_read() reads those. Free the game with
/// outflank_game_destroy().
///
/// # Safety
/// game_text is null or a null-terminated string; game is null or points to writable memory for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_read(
    game_text: *const c_char,
    game: *mut *mut OutflankGame,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above.
        let (game_text, place) = unsafe { (text(game_text, "game_text")?, place(game, "game")?) };
        let record = record(read_one(game_text)?);
        place.write(OutflankGame::boxed(record));
        Ok(())
    })
}

/// Reads the contents of a file with games in any format that the library reads: GGF, SGF, WTHOR, lists of moves, or positions,
/// which are games without moves. The number of games goes to count. A game that cannot be read counts, too:
/// outflank_games_get() tells the reason. Free the games with outflank_games_destroy().
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
        // SAFETY: the caller's, as it is written above.
        let (place, count) = unsafe { (place(games, "games")?, self::place(count, "count")?) };
        // SAFETY: the same.
        let first = unsafe { read(bytes, "bytes")? };
        // SAFETY: the same; the pointer is not null.
        let file = unsafe { std::slice::from_raw_parts(first, size) };
        let entries = outflank::notation::read(file, Format::of(file)?);
        let read = entries.map(|entry| entry.map(|entry| record(entry.contents)));
        let read: Vec<_> = read.collect();
        count.write(read.len());
        place.write(Box::into_raw(Box::new(OutflankGames(read))));
        Ok(())
    })
}

/// Copies a game out of several, by its index from 0 on. Free the copy with outflank_game_destroy().
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
        // SAFETY: the caller's, as it is written above.
        let (games, place) = unsafe { (read(games, "games")?, place(game, "game")?) };
        let count = games.0.len();
        let found = games.0.get(index).ok_or(Failure::Index(index, count))?;
        let record = found.as_ref().map_err(Clone::clone)?;
        place.write(OutflankGame::boxed(record.clone()));
        Ok(())
    })
}

/// Frees games; those that outflank_games_get() copied stay. Null is ignored.
///
/// # Safety
/// games is null, or comes from outflank_games_read(), was not destroyed, and no other thread uses it now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_games_destroy(games: *mut OutflankGames) -> OutflankStatus {
    // SAFETY: the caller's; it comes from `Box::into_raw`.
    unsafe { destroy(games) }
}

/// Frees a game. Null is ignored.
///
/// # Safety
/// game is null, or was made by this library, was not destroyed, and no other thread uses it now or later.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_destroy(game: *mut OutflankGame) -> OutflankStatus {
    // SAFETY: the caller's; it comes from `Box::into_raw`.
    unsafe { destroy(game) }
}

/// Plays a move (0 to 63) or a pass (OUTFLANK_PASS). A pass that is due before a move is inserted. An illegal move changes
/// nothing.
///
/// # Safety
/// game is null, or was made by this library, was not destroyed, and no other thread uses it during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_play(game: *mut OutflankGame, played: u8) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above.
        let game = unsafe { change(game, "game")? };
        match ply(played).ok_or(Failure::NotAPly(played))? {
            Some(square) => game.0.game.play(square)?,
            None => game.0.game.pass()?,
        }
        Ok(())
    })
}

/// Takes back the last ply, be it a move or a pass, and writes it to undone: OUTFLANK_NONE if the game is at its start.
///
/// # Safety
/// game is null, or was made by this library, was not destroyed, and no other thread uses it during the call; undone is null or
/// points to writable memory for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_undo(
    game: *mut OutflankGame,
    undone: *mut u8,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above.
        let game = unsafe { change(game, "game")? };
        // SAFETY: the same.
        let place = unsafe { place(undone, "undone")? };
        let ply = game.0.game.undo();
        game.0.notes.truncate(game.0.game.plies().len());
        place.write(ply.map_or(super::OUTFLANK_NONE, number));
        Ok(())
    })
}

/// Writes what was played: squares 0 to 63, and OUTFLANK_PASS for passes. Their number goes to count.
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
        // SAFETY: the caller's, as it is written above.
        let (game, count) = unsafe { (read(game, "game")?, place(count, "count")?) };
        // SAFETY: the same.
        let place = unsafe { place(plies.cast::<[u8; OUTFLANK_MAX_PLIES]>(), "plies")? };
        let played = game.0.game.plies();
        let played = &played[..played.len().min(OUTFLANK_MAX_PLIES)];
        let mut all = [super::OUTFLANK_NONE; OUTFLANK_MAX_PLIES];
        for (to, &ply) in all.iter_mut().zip(played) {
            *to = number(ply);
        }
        count.write(played.len());
        place.write(all);
        Ok(())
    })
}

/// Writes the position after so many plies, the start for 0, and the side that is to move: OUTFLANK_BLACK or OUTFLANK_WHITE.
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
        // SAFETY: the caller's, as it is written above.
        let (game, to) = unsafe { (read(game, "game")?, place(board, "board")?) };
        // SAFETY: the same.
        let to_side = unsafe { place(side, "side")? };
        let positions = game.0.game.positions();
        let found = positions.get(plies);
        let &(board, side) = found.ok_or(Failure::Index(plies, positions.len()))?;
        to.write(board.into());
        to_side.write(side_number(side));
        Ok(())
    })
}

/// Writes the result of a game in discs from black's side, -64 to 64, empty squares to the winner. It is known if the game is
/// over, or if its file says it; else known becomes false, and score 0.
///
/// # Safety
/// game is null, or was made by this library and was not destroyed; known and score are each null or point to writable memory
/// for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_score(
    game: *const OutflankGame,
    known: *mut bool,
    score: *mut i32,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above.
        let (game, known) = unsafe { (read(game, "game")?, place(known, "known")?) };
        // SAFETY: the same.
        let place = unsafe { place(score, "score")? };
        let score = game.0.score();
        known.write(score.is_some());
        place.write(score.unwrap_or(0));
        Ok(())
    })
}

/// Copies a property of a game, as GGF names it: "PB" and "PW" are the players, "DT" is the date, "RE" the result. The text is
/// empty if there is no such property. Size and length are as in outflank_game_write_ggf().
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
        // SAFETY: the caller's, as it is written above.
        let (game, name) = unsafe { (read(game, "game")?, text(name, "name")?) };
        let found = game.0.property(name).unwrap_or_default();
        // SAFETY: the same.
        unsafe { copy_text(found, value, "value", size, length) }
    })
}

/// Sets a property of a game. A name has capital letters A to Z only, and is none of GM, BO, B and W.
///
/// # Safety
/// game is null, or was made by this library, was not destroyed, and no other thread uses it during the call; name and value
/// are each null or a null-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_game_set_property(
    game: *mut OutflankGame,
    name: *const c_char,
    value: *const c_char,
) -> OutflankStatus {
    guard(|| {
        // SAFETY: the caller's, as it is written above.
        let game = unsafe { change(game, "game")? };
        // SAFETY: the same.
        let (name, value) = unsafe { (text(name, "name")?, text(value, "value")?) };
        Ok(game.0.set(name, value)?)
    })
}

/// Writes a game as a transcript, such as "f5d6c3", with a null at its end. The number of bytes without the null goes to length.
/// Like snprintf(), writes at most size bytes. The text is complete if length < size. A game without moves or from another
/// start than the usual one has no transcript.
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
        // SAFETY: the caller's, as it is written above.
        let game = unsafe { read(game, "game")? };
        let line = transcript::write(&game.0.game)?;
        // SAFETY: the same.
        unsafe { copy_text(&line, transcript, "transcript", size, length) }
    })
}

/// Writes a game in GGF, with its properties and a null at its end. The number of bytes without the null goes to length.
/// Like snprintf(), writes at most size bytes. The text is complete if length < size.
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
        // SAFETY: the caller's, as it is written above.
        let game = unsafe { read(game, "game")? };
        let line = ggf::write(&game.0);
        // SAFETY: the same.
        unsafe { copy_text(&line, ggf, "ggf", size, length) }
    })
}
