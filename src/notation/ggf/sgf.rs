//! Reader of Othello games in SGF (`GM[2]`), which has GGF's syntax.

use super::mover;
use super::tokens::{BEGIN, FaultAt, GgfFault, Tokens};
use crate::notation::{GameRecord, is_pass, one_line, truncated};
use crate::{Board, Game, Ply, Side, Square};

/// Returns `true` if the first game of a file is SGF.
pub(in crate::notation) fn is_sgf(file: &[u8]) -> bool {
    /// Bytes to inspect; comments can come before the first game.
    const BEGIN_BYTES: usize = 1 << 16;
    let text = String::from_utf8_lossy(&file[..file.len().min(BEGIN_BYTES)]);
    text.find(BEGIN).is_some_and(|begin| {
        has_sgf_properties(Tokens {
            text: &text,
            at: begin + BEGIN.len(),
        })
    })
}

/// Returns `true` if `GM` is a number, or `FF` comes before it.
pub(super) fn has_sgf_properties(mut properties: Tokens<'_>) -> bool {
    while let Ok(Some((_, name, value))) = properties.next() {
        match name.as_str() {
            "FF" => return true,
            "GM" => return value.trim().bytes().all(|byte| byte.is_ascii_digit()),
            _ => {}
        }
    }
    false
}

/// Reads the main line of a game, which is its first variation. After a fault it skips to the end of the game.
pub(super) fn game(tokens: &mut Tokens<'_>) -> Result<GameRecord, FaultAt> {
    let mut partial = PartialGame::default();
    let mut fault = None;
    let mut depth = 1_usize;
    let mut is_main_line = true;
    while depth > 0 {
        match tokens.skip_one_of(&['(', ')']) {
            Some('(') => depth += 1,
            Some(_) => (depth, is_main_line) = (depth - 1, false),
            None => {
                let Some((at, name, value)) =
                    tokens.next().map_err(|end| fault.take().unwrap_or(end))?
                else {
                    break;
                };
                let mut values = vec![(at, value)];
                while let Some(value) = tokens
                    .next_value(&name)
                    .map_err(|end| fault.take().unwrap_or(end))?
                {
                    values.push(value);
                }
                for (at, value) in values {
                    if is_main_line && fault.is_none() {
                        let added = partial.add(&name, &value);
                        fault = added.err().map(|fault| (at, fault));
                    }
                }
            }
        }
    }
    match fault {
        Some(fault) => Err(fault),
        None => partial.finish().map_err(|fault| (tokens.at, fault)),
    }
}

/// Partly read game.
#[derive(Default)]
struct PartialGame {
    record: GameRecord,
    /// Set-up stones, black first, and the side to move by `PL`.
    setup: Option<(Board, Option<Side>)>,
}

impl PartialGame {
    fn add(&mut self, name: &str, value: &str) -> Result<(), GgfFault> {
        let value = value.trim();
        match name {
            "GM" if value == "2" => {}
            "GM" => return Err(GgfFault::OtherGame(truncated(value))),
            "SZ" if value == "8" => {}
            "SZ" => return Err(GgfFault::BoardSize(truncated(value))),
            "AB" | "AW" | "AE" | "PL" if !self.record.game.plies().is_empty() => {
                return Err(GgfFault::LateBoard);
            }
            "PL" => self.pending_setup().1 = Some(side(value).ok_or(GgfFault::NoSide)?),
            "AB" | "AW" | "AE" => {
                let stones = stones(value)?;
                let (board, _) = self.pending_setup();
                let (player, opponent) = (board.player & !stones, board.opponent & !stones);
                let added = |by: &str| if name == by { stones } else { 0 };
                *board = Board {
                    player: player | added("AB"),
                    opponent: opponent | added("AW"),
                };
            }
            "B" | "W" => {
                let mover = mover(name);
                self.apply_setup(Some(mover))?;
                self.record.game.play_unless_over(mover, ply(value)?)?;
            }
            _ => self.set_property(name, value),
        }
        Ok(())
    }

    fn pending_setup(&mut self) -> &mut (Board, Option<Side>) {
        self.setup.get_or_insert((Board::EMPTY, None))
    }

    /// Begins the game with the set-up stones. Without `PL`, `mover` is to move.
    fn apply_setup(&mut self, mover: Option<Side>) -> Result<(), GgfFault> {
        let Some((board, side)) = self.setup.take() else {
            return Ok(());
        };
        let board = match board {
            Board::EMPTY => Board::START,
            _ => board,
        };
        let side = side.or(mover).ok_or(GgfFault::NoSide)?;
        let start = Game::from_start(side.black_first(board), side);
        self.record.game = start.expect("stones never overlap");
        Ok(())
    }

    /// Stores a property that GGF also has, under GGF's name. Unknown values (`?`) are dropped.
    fn set_property(&mut self, name: &str, value: &str) {
        let value = one_line(value);
        let (name, value) = match name {
            "PB" | "PW" | "EV" | "PC" | "DT" => (name, value),
            "BR" => ("RB", value),
            "WR" => ("RW", value),
            "RE" => match result(&value) {
                Some(score) => ("RE", format!("{score:+}")),
                None => return,
            },
            _ => return,
        };
        if !value.is_empty() && value != "?" {
            self.record.set(name, &value).expect("the name is valid");
        }
    }

    fn finish(mut self) -> Result<GameRecord, GgfFault> {
        self.apply_setup(None)?;
        Ok(self.record)
    }
}

fn side(value: &str) -> Option<Side> {
    match value.bytes().next()?.to_ascii_uppercase() {
        b'B' => Some(Side::Black),
        b'W' => Some(Side::White),
        _ => None,
    }
}

/// Result in discs for black: `B+12`, `W+4`, `0`, `Draw`. `None` if only the winner is known.
fn result(value: &str) -> Option<i32> {
    if value == "0" || value.eq_ignore_ascii_case("draw") {
        return Some(0);
    }
    let (winner, discs) = value.split_once('+')?;
    let discs: i32 = discs
        .parse()
        .ok()
        .filter(|discs| (1..=64).contains(discs))?;
    Some(side(winner)?.black_score(discs))
}

/// Parses a move or a pass. A pass is an empty value, `tt` of Go, or one of GGF's names.
fn ply(value: &str) -> Result<Ply, GgfFault> {
    match value.is_empty() || value.eq_ignore_ascii_case("tt") || is_pass(value) {
        true => Ok(None),
        false => square(value).map(Some),
    }
}

/// Parses a square as `f5`, or as two letters of Go, column and row: `fe`.
fn square(value: &str) -> Result<Square, GgfFault> {
    let fault = || GgfFault::Point(truncated(value));
    if let Ok(square) = value.parse() {
        return Ok(square);
    }
    let &[column, row] = value.as_bytes() else {
        return Err(fault());
    };
    let number = |letter: u8| match letter.to_ascii_lowercase() {
        letter @ b'a'..=b'h' => Ok(letter - b'a'),
        _ => Err(fault()),
    };
    let square = Square::new(8 * number(row)? + number(column)?);
    Ok(square.expect("rows and columns are 0 to 7"))
}

/// Parses a point or a rectangle between two corners (`a1:b2`) into a bitboard.
fn stones(value: &str) -> Result<u64, GgfFault> {
    let Some((first, last)) = value.split_once(':') else {
        return Ok(square(value)?.bit());
    };
    let (first, last) = (square(first)?.index(), square(last)?.index());
    let within = |square: usize, coordinate: fn(usize) -> usize| {
        let (first, last) = (coordinate(first), coordinate(last));
        (first.min(last)..=first.max(last)).contains(&coordinate(square))
    };
    let inside = (0..64)
        .filter(|&square| within(square, |index| index % 8) && within(square, |index| index / 8));
    Ok(inside.fold(0, |stones, square| stones | 1 << square))
}
