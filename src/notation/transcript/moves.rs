//! The parts of a line of moves.

use crate::Square;
use crate::notation::is_pass;

/// A part of a line of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// The number of a move.
    Number {
        /// The number, 0 where it is too large to be one.
        number: u32,
        /// White's move follows: `1...`.
        is_reply: bool,
    },
    /// A move.
    Move(Square),
    /// A pass.
    Pass,
    /// The end of the game, with the discs of black and white where they are written.
    Result(Option<(u8, u8)>),
}

/// Something that is no part: the character of the line where it begins, from 1, and what stands there.
pub(super) type Unknown = (usize, String);

/// The parts of a line: moves of two characters each, passes, numbers with a point behind them, and a result at the end.
/// Blanks and commas stand between them, and `!` and `?` behind moves.
pub(super) struct Parts<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> Parts<'a> {
    pub(super) fn of(line: &'a str) -> Parts<'a> {
        Parts {
            rest: line,
            column: 1,
        }
    }

    /// Passes over so many bytes, which it returns.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        self.column += taken.chars().count();
        taken
    }

    fn skip_between(&mut self) {
        let rest = self.rest.trim_start_matches(is_between);
        self.take(self.rest.len() - rest.len());
    }

    /// Reads the number of a move: digits and points with something behind them.
    fn number(&mut self) -> Option<Part> {
        let behind = self
            .rest
            .trim_start_matches(|one: char| one.is_ascii_digit());
        let digits = self.rest.len() - behind.len();
        let rest = behind.trim_start_matches('.');
        let points = behind.len() - rest.len();
        let is_number = digits > 0 && points > 0;
        if !is_number || rest.trim_start_matches(is_between).is_empty() {
            return None;
        }
        let text = self.take(digits + points);
        Some(Part::Number {
            number: text[..digits].parse().unwrap_or(0),
            is_reply: points > 1,
        })
    }

    /// Reads a result, which has nothing behind it.
    fn result(&mut self) -> Option<Part> {
        /// The length of `1/2-1/2`, the longest result: lines can be long.
        const LONGEST: usize = 7;
        let mut ends = self.rest.char_indices().take(LONGEST + 1);
        let end = ends.find(|&(_, next)| is_between(next)).map(|(end, _)| end);
        let end = match end {
            Some(end) => end,
            None if self.rest.len() <= LONGEST => self.rest.len(),
            None => return None,
        };
        let (text, behind) = self.rest.split_at(end);
        if !behind.trim_start_matches(is_between).is_empty() {
            return None;
        }
        let discs = |text: &str| -> Option<u8> {
            let is_number = text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| text.parse().ok())?
        };
        let score = match text {
            "*" | "1/2-1/2" => None,
            _ => {
                let (black, white) = text.split_once('-')?;
                let (black, white) = (discs(black)?, discs(white)?);
                // `1-0` says who won; boards have four discs and more.
                (4..=64)
                    .contains(&(black + white))
                    .then_some((black, white))
            }
        };
        self.take(self.rest.len());
        Some(Part::Result(score))
    }

    /// Reads a move or a pass.
    fn ply(&mut self) -> Option<Result<Part, Unknown>> {
        const PASS: &str = "pass";
        let mut ends = self
            .rest
            .char_indices()
            .map(|(at, one)| (at + one.len_utf8(), one));
        let (first, _) = ends.next()?;
        let second = ends.next().filter(|&(_, one)| !is_between(one));
        let begin = self.rest.get(..PASS.len()).unwrap_or_default();
        let bytes = match begin.eq_ignore_ascii_case(PASS) {
            true => PASS.len(),
            false => second.map_or(first, |(end, _)| end),
        };
        let column = self.column;
        let name = self.take(bytes);
        Some(match name.parse() {
            Ok(square) => Ok(Part::Move(square)),
            Err(_) if is_pass(name) => Ok(Part::Pass),
            Err(_) => Err((column, name.to_owned())),
        })
    }
}

impl Iterator for Parts<'_> {
    type Item = Result<Part, Unknown>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_between();
        let part = self.number().or_else(|| self.result());
        part.map(Ok).or_else(|| self.ply())
    }
}

/// `true` for a character between moves.
fn is_between(character: char) -> bool {
    character.is_whitespace() || matches!(character, ',' | '!' | '?')
}
