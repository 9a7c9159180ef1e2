//! Tokenizer of lines of moves.

use crate::Square;
use crate::notation::is_pass;

/// Token of a line of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// Number of a move.
    Number {
        /// The number, 0 if it is too large.
        number: u32,
        /// `true` if white's move follows: `1...`.
        is_reply: bool,
    },
    Move(Square),
    Pass,
    /// End of the game, with the discs of black and white if they are written.
    Result(Option<(u8, u8)>),
}

/// Column in the line, from 1, and the text there, which is not a token.
pub(super) type Unknown = (usize, String);

/// Iterator over the tokens of a line: moves, passes, move numbers with a point, and a result at the end.
///
/// Blanks, commas, `!` and `?` may separate tokens.
pub(super) struct Tokens<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(line: &'a str) -> Tokens<'a> {
        Tokens {
            rest: line,
            column: 1,
        }
    }

    /// Consumes and returns the next `bytes` bytes.
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

    /// Consumes a move number: digits and points, with more text behind them.
    fn number(&mut self) -> Option<Token> {
        let is_digit = |next: char| next.is_ascii_digit();
        let behind = self.rest.trim_start_matches(is_digit);
        let digits = self.rest.len() - behind.len();
        let rest = behind.trim_start_matches('.');
        let points = behind.len() - rest.len();
        let is_number = digits > 0 && points > 0;
        if !is_number || rest.trim_start_matches(is_between).is_empty() {
            return None;
        }
        let text = self.take(digits + points);
        Some(Token::Number {
            number: text[..digits].parse().unwrap_or(0),
            is_reply: points > 1,
        })
    }

    /// Consumes a result at the end of the line.
    fn result(&mut self) -> Option<Token> {
        /// Length of `1/2-1/2`, the longest result; lines can be long.
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
                // `1-0` is a winner without discs; boards have at least four.
                let is_board = (4..=64).contains(&(black + white));
                is_board.then_some((black, white))
            }
        };
        self.take(self.rest.len());
        Some(Token::Result(score))
    }

    /// Consumes a move or a pass.
    fn ply(&mut self) -> Option<Result<Token, Unknown>> {
        const PASS: &str = "pass";
        let characters = self.rest.char_indices();
        let mut ends = characters.map(|(at, next)| (at + next.len_utf8(), next));
        let (first, _) = ends.next()?;
        let second = ends.next().filter(|&(_, next)| !is_between(next));
        let begin = self.rest.get(..PASS.len()).unwrap_or_default();
        let bytes = match begin.eq_ignore_ascii_case(PASS) {
            true => PASS.len(),
            false => second.map_or(first, |(end, _)| end),
        };
        let column = self.column;
        let name = self.take(bytes);
        Some(match name.parse() {
            Ok(square) => Ok(Token::Move(square)),
            Err(_) if is_pass(name) => Ok(Token::Pass),
            Err(_) => Err((column, name.to_owned())),
        })
    }
}

impl Iterator for Tokens<'_> {
    type Item = Result<Token, Unknown>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_between();
        let token = self.number().or_else(|| self.result());
        token.map(Ok).or_else(|| self.ply())
    }
}

/// Returns `true` for a character between tokens.
fn is_between(character: char) -> bool {
    character.is_whitespace() || matches!(character, ',' | '!' | '?')
}
