//! Boards in short spellings: rows with numbers of empty squares, as FEN has them in chess, and hexadecimal bitboards.
//!
//! ```text
//! 8/8/8/3OX3/3XO3/8/8/8 X
//! 0x0000000810000000 0x0000001008000000 X
//! ```

use super::squares::{Squares, WrongCount, disc, is_blank, side};
use crate::{Board, Side};

/// Spelling of a position with its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// 64 squares from A1 to H8.
    Obf,
    /// Rows from 1 to 8, divided by `/`. A digit stands for as many empty squares.
    Fen,
    /// Bitboards of black and white as hexadecimal numbers. A1 is bit 0.
    Hexadecimal,
}

impl Spelling {
    /// All spellings.
    pub const ALL: [Spelling; 3] = [Spelling::Obf, Spelling::Fen, Spelling::Hexadecimal];

    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Spelling::Obf => "obf",
            Spelling::Fen => "fen",
            Spelling::Hexadecimal => "hex",
        }
    }

    /// Formats a position, mover first. [`read_position`](super::read_position) reads all spellings.
    ///
    /// ```
    /// use outflank::notation::{Spelling, read_position};
    /// use outflank::{Board, Side};
    ///
    /// let position = (Board::START, Side::Black);
    /// for (spelling, text) in [
    ///     (Spelling::Fen, "8/8/8/3OX3/3XO3/8/8/8 X"),
    ///     (Spelling::Hexadecimal, "0x0000000810000000 0x0000001008000000 X"),
    /// ] {
    ///     assert_eq!(spelling.write(position.0, position.1), text);
    ///     assert_eq!(read_position(text), Ok(position));
    /// }
    /// ```
    pub fn write(self, board: Board, side: Side) -> String {
        let black_first = side.black_first(board);
        let squares = match self {
            Spelling::Obf => black_first.to_string(),
            Spelling::Fen => fen_rows(black_first),
            Spelling::Hexadecimal => {
                let Board { player, opponent } = black_first;
                format!("{player:#018x} {opponent:#018x}")
            }
        };
        format!("{squares} {}", side.letter())
    }
}

/// Formats the rows of a board, black first.
fn fen_rows(board: Board) -> String {
    let squares = board.to_string();
    let rows = (0..8).map(|row| {
        let (mut text, mut empty) = (String::new(), 0);
        for square in squares[8 * row..8 * row + 8].chars() {
            if square == '-' {
                empty += 1;
                continue;
            }
            push_number(&mut text, empty);
            text.push(square);
            empty = 0;
        }
        push_number(&mut text, empty);
        text
    });
    rows.collect::<Vec<_>>().join("/")
}

fn push_number(text: &mut String, number: u32) {
    if number > 0 {
        *text += &number.to_string();
    }
}

/// Reads the squares at the start of a line, and the number of characters read. `None` if the line has no such spelling.
pub(super) fn leading(line: &str) -> Option<Result<(Squares, usize), WrongCount>> {
    hexadecimal(line).map(Ok).or_else(|| fen(line))
}

/// Reads two hexadecimal numbers.
fn hexadecimal(line: &str) -> Option<(Squares, usize)> {
    let number = |text: &str| {
        let digits = text
            .strip_prefix("0x")
            .or_else(|| text.strip_prefix("0X"))?;
        let end = digits.find(|next: char| !next.is_ascii_hexdigit());
        let digits = &digits[..end.unwrap_or(digits.len())];
        let value = u64::from_str_radix(digits, 16).ok()?;
        Some((value, 2 + digits.len()))
    };
    let (black, first) = number(line)?;
    let between = line[first..].find(|next: char| !is_blank(next) && next != ',')?;
    let (white, second) = number(&line[first + between..])?;
    let end = first + between + second;
    ends_at(line, end).then(|| (Squares::of(black, white), end))
}

/// Returns `true` if no word goes on at this byte.
fn ends_at(line: &str, end: usize) -> bool {
    let rest = &line[end..];
    rest.is_empty()
        || rest.starts_with(|next: char| is_blank(next) || matches!(next, ';' | ',' | '\r' | '\n'))
}

/// Reads eight rows with numbers of empty squares.
fn fen(line: &str) -> Option<Result<(Squares, usize), WrongCount>> {
    let end = line.find(|next: char| is_blank(next) || matches!(next, ';' | '\r' | '\n'));
    let word = &line[..end.unwrap_or(line.len())];
    // Letters of other programs, and 9, are reported as faults of the board.
    let is_part = |next: char| matches!(next, '1'..='9' | '/' | 'p' | 'P') || disc(next).is_some();
    let has = |condition: fn(char) -> bool| word.chars().any(condition);
    // In a board of digits alone, 1 is a black disc.
    let is_disc = |next: char| side(next).is_some() && !next.is_ascii_digit();
    let has_numbers =
        has(|next| matches!(next, '2'..='8')) || has(|next| next == '1') && has(is_disc);
    let is_fen = word.matches('/').count() == 7 && has_numbers && word.chars().all(is_part);
    is_fen.then(|| fen_squares(word))
}

fn fen_squares(word: &str) -> Result<(Squares, usize), WrongCount> {
    let mut squares = Squares::default();
    let (mut row, mut characters) = (1, 0);
    for next in word.chars() {
        let wrong = WrongCount {
            squares: squares.count,
            characters,
        };
        match next {
            '/' if squares.count == 8 * row => row += 1,
            '/' => return Err(wrong),
            '1'..='8' => (0..next as u8 - b'0').for_each(|_| {
                squares.add('-');
            }),
            // The side to move follows without a blank.
            _ if squares.count == 64 => break,
            disc => {
                if !squares.add(disc) {
                    return Err(wrong);
                }
            }
        }
        if squares.count > 8 * row {
            return Err(wrong);
        }
        characters += 1;
    }
    match squares.count {
        64 => Ok((squares, characters)),
        count => Err(WrongCount {
            squares: count,
            characters,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{Format, obf, read_position};

    #[test]
    fn short_spellings_are_read_everywhere() {
        let white = (Board::START.pass(), Side::White);
        let black = (Board::START, Side::Black);
        for (text, expected) in [
            ("8/8/8/3OX3/3XO3/8/8/8 O", white),
            ("8/8/8/3wb3/3bw3/8/8/8 w", white),
            ("8/8/8/3OX3/3XO3/8/8/8X", black),
            (
                "--------/--------/--------/---○●111/---●○111/--------/--------/-------- ○",
                white,
            ),
            ("8/8/8/--1OX3/3XO1-1/8/44/8 X", black),
            ("0x810000000 0x1008000000 O", white),
            (
                "0X0000000810000000, 0X0000001008000000 white to move",
                white,
            ),
        ] {
            assert_eq!(read_position(text), Ok(expected), "{text}");
            let line = format!("{text}; % a name");
            assert_eq!(Format::detect(line.as_bytes()), Ok(Format::Obf), "{text}");
            let problem = obf::read(line.as_bytes()).next().unwrap().unwrap();
            assert_eq!((problem.board, problem.side), expected, "{text}");
            assert_eq!(problem.name.as_deref(), Some("a name"));
        }
        // Boards of digits keep their meaning.
        let digits = "11111111/11111111/11111111/11111111/11111111/11111111/11111111/00000000 X";
        let (board, _) = read_position(digits).unwrap();
        assert_eq!((board.player, board.opponent), (!0 >> 8, 0xff << 56));
    }

    #[test]
    fn faulty_spellings_are_refused() {
        for (text, expected) in [
            (
                "8/8/8/3OX2/3XO3/8/8/8 X",
                "1:11: expected a square of the board (X, O or -), found \"/\"",
            ),
            (
                "8/8/8/3OX4/3XO3/8/8/8 X",
                "1:10: expected a square of the board (X, O or -), found \"4\"",
            ),
            (
                "8/8/8/3OX3/3XO3/8/8/9 X",
                "1:21: expected a square of the board (X, O or -), found \"9\"",
            ),
            (
                "8/8/8/3pP3/3Pp3/8/8/8 b",
                "1:8: expected a square of the board (X, O or -), found \"p\"",
            ),
            (
                "8/8/8/3OX3/3XO3/8/8/7 X",
                "1:22: expected 64 squares, found 63",
            ),
            (
                "8/8/8/3OX3/3XO3/8/8/8",
                "1:22: expected the side to move (X or O), found the end of the line",
            ),
            (
                "0x3 0x2 X",
                "1:1: expected each square to have one disc, found two on B1",
            ),
        ] {
            let error = obf::read(text.as_bytes()).next().unwrap().unwrap_err();
            assert_eq!(error.to_string(), expected, "{text}");
        }
    }
}
