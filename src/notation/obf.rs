//! OBF, the format of Othello problem sets: one position a line with the scores of its moves.
//!
//! ```text
//! --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; % a comment
//! ```
//!
//! The 64 squares A1 to H8, the side to move, then any number of moves with their scores. `--:+4;` is
//! a score of the position without a move that reaches it. A comment is taken for the name of its position.
//! Files in circulation spell it all in several ways, all of which are read; one is written.

use std::fmt;

use super::{PASS, one_line, ply_name, shown, squares, without_mark};
use crate::{Board, Ply, Side, Square};

/// A position and what is known of its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The position, mover first.
    pub board: Board,
    /// The side to move.
    pub side: Side,
    /// Moves with their exact scores in discs for the mover, -64..=64, in the order of the file.
    pub moves: Vec<(Ply, i32)>,
    /// The position's exact score in discs for the mover, -64..=64, where the file gives it without a
    /// move.
    pub score: Option<i32>,
    /// What the file calls it: `FFO #40` where a comment says so, else the comment at the end of its line, or
    /// one with a number (`#7`) on a line of its own directly above.
    pub name: Option<String>,
    /// The line of the file, from 1.
    pub line: usize,
}

impl Problem {
    /// The 64 squares A1 to H8: `X` black, `O` white, `-` empty.
    pub fn squares(&self) -> String {
        self.side.black_first(self.board).to_string()
    }

    /// The best score that the line has, in discs for the mover; `None` if it has none.
    pub fn best_score(&self) -> Option<i32> {
        let scores = self.moves.iter().map(|&(_, score)| score);
        scores.chain(self.score).max()
    }
}

impl fmt::Display for Problem {
    /// The problem as a line of OBF, without the line's end; its name is the comment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", squares::position(self.board, self.side))?;
        for &(ply, score) in &self.moves {
            write!(f, " {}:{score:+};", ply_name(ply))?;
        }
        if let Some(score) = self.score {
            write!(f, " {NO_MOVE}:{score:+};")?;
        }
        if let Some(name) = self.name.as_deref().and_then(name) {
            write!(f, " % {name}")?;
        }
        Ok(())
    }
}

/// A line that is no problem: where, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {fault}")]
pub struct ObfError {
    /// The line of the file, from 1.
    pub line: usize,
    /// The character of the line, from 1. Bytes that are not UTF-8 count as one character for
    /// each sequence that a decoder would replace.
    pub column: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong with a line of OBF.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A character of the board is no square.
    #[error("expected a square of the board (X, O or -), found {0}")]
    NotASquare(Found),
    /// The board has fewer or more than 64 squares.
    #[error("expected 64 squares, found {0}")]
    SquareCount(usize),
    /// The board is empty.
    #[error("expected a board with discs, found an empty one")]
    NoDiscs,
    /// One of D4, E4, D5, E5 is empty, which no game can reach.
    #[error("expected a disc on {0}, where every game has one, found an empty square")]
    EmptyCentre(Square),
    /// The side to move is missing or unknown.
    #[error("expected the side to move (X or O), found {0}")]
    NotASide(Found),
    /// Something stands where an entry of the line must end.
    #[error("expected ';', found {0}")]
    NoSemicolon(Found),
    /// An entry does not begin with a move.
    #[error("expected a move (A1 to H8, PS, or -- for none), found {0}")]
    NotAMove(Found),
    /// A move has no score.
    #[error("expected ':' and a score, found {0}")]
    NoScore(Found),
    /// A score is no whole number in range.
    #[error("expected a score from -64 to +64, found {0}")]
    NotAScore(Found),
    /// The side to move cannot play there.
    #[error("expected a legal move, found {0}")]
    IllegalMove(Square),
    /// The side to move has a move, or the game is over.
    #[error("expected a legal move, found a pass where {0}")]
    IllegalPass(&'static str),
    /// The move was listed before.
    #[error("expected each move once, found {} again", ply_name(*.0))]
    Repeated(Ply),
    /// There are two scores without a move.
    #[error("expected one score without a move, found another")]
    RepeatedScore,
}

/// What was found in place of what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Found {
    /// These characters, the first few of a long run.
    Text(String),
    /// Nothing more.
    EndOfLine,
}

impl Found {
    fn new(text: &str) -> Found {
        match text.is_empty() {
            true => Found::EndOfLine,
            false => Found::Text(shown(text)),
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // As in a string literal: control characters must not reach a terminal.
            Found::Text(text) => write!(f, "{text:?}"),
            Found::EndOfLine => f.write_str("the end of the line"),
        }
    }
}

/// Reads the problems of a file, skipping blank lines and comments. A malformed line is an error of
/// its own and leaves the others readable.
///
/// ```
/// use outflank::{Side, notation::obf};
///
/// let line = "---------------------------OX------XXX-------------------------- O; F4:+4; D6:-2;";
/// let problem = obf::read(line.as_bytes()).next().unwrap()?;
/// assert_eq!((problem.side, problem.best_score()), (Side::White, Some(4)));
/// assert_eq!(problem.to_string(), line);
/// # Ok::<(), obf::ObfError>(())
/// ```
pub fn read(file: &[u8]) -> impl Iterator<Item = Result<Problem, ObfError>> {
    // The name that a comment gives to the problem on the next line.
    let mut heading = None;
    without_mark(file)
        .split(|&byte| byte == b'\n')
        .enumerate()
        .filter_map(move |(index, line)| {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let text = String::from_utf8_lossy(line);
            let (content, comment) = match text.split_once('%') {
                Some((content, comment)) => (content, Some(comment)),
                None => (&*text, None),
            };
            let mut cursor = Cursor {
                rest: content,
                line: index + 1,
                column: 1,
            };
            cursor.skip_blanks();
            let above = heading.take();
            if cursor.rest.is_empty() {
                heading = comment
                    .filter(|comment| is_numbered(comment))
                    .and_then(name);
                return None;
            }
            Some(cursor.problem().map(|problem| Problem {
                name: comment.and_then(name).or(above),
                ..problem
            }))
        })
}

/// The name that a comment gives to a problem: the number of the FFO's sets, else all of it, as one line
/// without control characters; `None` where nothing is left.
fn name(comment: &str) -> Option<String> {
    if let Some(number) = ffo_number(comment) {
        return Some(format!("FFO #{number}"));
    }
    let shown = one_line(comment);
    (!shown.is_empty()).then_some(shown)
}

/// The number behind `FFO`, as in `FFO #40`, `FFO 40`, `ffo-40`.
fn ffo_number(comment: &str) -> Option<&str> {
    const SET: &str = "FFO";
    let places = comment.char_indices().map(|(place, _)| place);
    let is_set = |text: &&str| {
        let begin = text.get(..SET.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(SET))
    };
    let found = places.map(|place| &comment[place..]).find(is_set)?;
    let rest = found[SET.len()..].trim_start_matches([' ', '#', '-', '_']);
    leading_number(rest)
}

/// Whether a comment has a number such as `#7`: other comments may be about many problems.
fn is_numbered(comment: &str) -> bool {
    let mut parts = comment.split('#').skip(1);
    parts.any(|part| leading_number(part).is_some())
}

fn leading_number(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then(|| &text[..digits])
}

/// What stands where a score is not that of a move.
const NO_MOVE: &str = "--";

/// The score of [`NO_MOVE`] in files that carry it where nothing is known.
const UNKNOWN: i32 = -127;

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

/// The unread part of a line.
struct Cursor<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    fn problem(&mut self) -> Result<Problem, ObfError> {
        let squares = self.squares()?;
        if !self.rest.starts_with(is_blank) {
            return Err(self.error(Fault::NotASide(self.character())));
        }
        self.skip_blanks();
        let Some(side) = self.rest.chars().next().and_then(squares::side) else {
            return Err(self.error(Fault::NotASide(self.character())));
        };
        self.take(1);
        let mut problem = Problem {
            board: side.black_first(squares),
            side,
            moves: Vec::new(),
            score: None,
            name: None,
            line: self.line,
        };
        while self.another_entry()? {
            self.entry(&mut problem)?;
        }
        Ok(problem)
    }

    /// Reads the 64 squares, black first.
    fn squares(&mut self) -> Result<Board, ObfError> {
        let first_column = self.column;
        let (board, count) = squares::leading(self.rest.chars());
        self.take(count.min(64));
        let ends = |next: char| is_blank(next) || next == ';';
        if count < 64 && !self.rest.is_empty() && !self.rest.starts_with(ends) {
            return Err(self.error(Fault::NotASquare(self.character())));
        }
        if count != 64 {
            return Err(self.error(Fault::SquareCount(count)));
        }
        if board.empties() == u64::MAX {
            return Err(self.error_at(first_column, Fault::NoDiscs));
        }
        match squares::empty_centre(board) {
            None => Ok(board),
            Some(square) => {
                Err(self.error_at(first_column + square.index(), Fault::EmptyCentre(square)))
            }
        }
    }

    /// Passes the separator between entries; false at the end of the line.
    fn another_entry(&mut self) -> Result<bool, ObfError> {
        self.skip_blanks();
        if self.rest.is_empty() {
            return Ok(false);
        }
        if !self.rest.starts_with(';') {
            return Err(self.error(Fault::NoSemicolon(self.character())));
        }
        self.take(1);
        self.skip_blanks();
        Ok(!self.rest.is_empty())
    }

    /// Reads `MOVE:SCORE` and adds it to `problem`.
    fn entry(&mut self, problem: &mut Problem) -> Result<(), ObfError> {
        let move_column = self.column;
        let name = self.word();
        let ply = if name.eq_ignore_ascii_case(PASS) {
            Some(None)
        } else if name == NO_MOVE {
            None
        } else {
            let fault = |_| self.error_at(move_column, Fault::NotAMove(self.found(name)));
            Some(Some(name.parse().map_err(fault)?))
        };

        self.skip_blanks();
        if !self.rest.starts_with(':') {
            return Err(self.error(Fault::NoScore(self.character())));
        }
        self.take(1);
        self.skip_blanks();
        let score_column = self.column;
        let number = self.word();
        let score: Option<i32> = number.parse().ok();

        if ply.is_none() && score == Some(UNKNOWN) {
            return Ok(());
        }
        let Some(score) = score.filter(|score| (-64..=64).contains(score)) else {
            return Err(self.error_at(score_column, Fault::NotAScore(self.found(number))));
        };
        let Some(ply) = ply else {
            return match problem.score.replace(score) {
                None => Ok(()),
                Some(_) => Err(self.error_at(move_column, Fault::RepeatedScore)),
            };
        };
        check(ply, problem).map_err(|fault| self.error_at(move_column, fault))?;
        problem.moves.push((ply, score));
        Ok(())
    }

    /// The characters up to the next blank, `:` or `;`.
    fn word(&mut self) -> &'a str {
        let ends = |next: char| is_blank(next) || matches!(next, ':' | ';');
        let word = &self.rest[..self.rest.find(ends).unwrap_or(self.rest.len())];
        self.take(word.chars().count());
        word
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest.chars().take_while(|&next| is_blank(next)).count();
        self.take(blanks);
    }

    fn take(&mut self, characters: usize) {
        let mut rest = self.rest.chars();
        rest.by_ref().take(characters).for_each(drop);
        self.rest = rest.as_str();
        self.column += characters;
    }

    /// The next character, for an error.
    fn character(&self) -> Found {
        Found::new(&self.rest[..self.rest.chars().next().map_or(0, char::len_utf8)])
    }

    /// A word, for an error: where it is empty, the character that stands in its place.
    fn found(&self, word: &str) -> Found {
        if word.is_empty() {
            self.character()
        } else {
            Found::new(word)
        }
    }

    fn error(&self, fault: Fault) -> ObfError {
        self.error_at(self.column, fault)
    }

    fn error_at(&self, column: usize, fault: Fault) -> ObfError {
        ObfError {
            line: self.line,
            column,
            fault,
        }
    }
}

/// Whether `ply` can be listed next in `problem`.
fn check(ply: Ply, problem: &Problem) -> Result<(), Fault> {
    let mobility = problem.board.mobility();
    match ply {
        Some(square) if square.bit() & mobility == 0 => Err(Fault::IllegalMove(square)),
        None if mobility != 0 => Err(Fault::IllegalPass("the side to move has a move")),
        None if problem.board.is_game_over() => Err(Fault::IllegalPass("the game is over")),
        _ if problem.moves.iter().any(|&(listed, _)| listed == ply) => Err(Fault::Repeated(ply)),
        _ => Ok(()),
    }
}
