//! Reader of OBF.

use std::borrow::Cow;
use std::iter::Peekable;

use super::{FoundText, NO_MOVE, ObfError, ObfFault, Problem, is_numbered, name};
use crate::notation::format::{Contents, FileEntry, Location, ReadError};
use crate::notation::lines::Lines;
use crate::notation::printed::{Row, is_frame};
use crate::notation::squares::{self, Squares, WrongCount, half_width, is_blank};
use crate::notation::{GameRecord, PASS, transcript};
use crate::{Board, Game, Ply};

/// Reads the problems of a file and skips blank lines and comments.
///
/// A malformed line is an error; the other lines are still read.
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
    items(file).map(|item| match item? {
        Item::Position(problem) => Ok(problem),
        Item::Game { line, .. } => Err(ObfError {
            line,
            column: 1,
            fault: ObfFault::Moves,
        }),
    })
}

/// Reads the positions of a file, and the games that begin with them.
pub(in crate::notation) fn entries(
    file: &[u8],
) -> impl Iterator<Item = Result<FileEntry, ReadError>> {
    items(file).map(|item| match item? {
        Item::Position(problem) => Ok(FileEntry {
            location: Location::Line(problem.line),
            contents: Contents::Position(problem),
        }),
        Item::Game { line, record } => Ok(FileEntry {
            location: Location::Line(line),
            contents: Contents::Game(record?),
        }),
    })
}

/// A position or a game of a file.
enum Item {
    Position(Problem),
    Game {
        /// First line of the position, from 1.
        line: usize,
        record: Result<GameRecord, transcript::TranscriptError>,
    },
}

fn items(file: &[u8]) -> impl Iterator<Item = Result<Item, ObfError>> {
    Reader {
        lines: Lines::new(file).peekable(),
        heading: None,
    }
}

struct Reader<'a> {
    lines: Peekable<Lines<'a>>,
    /// Name in the comment above the next line.
    heading: Option<String>,
}

impl Iterator for Reader<'_> {
    type Item = Result<Item, ObfError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (line, text) = self.lines.next()?;
            let (content, comment) = split_comment(&text);
            let heading = self.heading.take();
            if content.trim_matches(is_blank).is_empty() {
                self.heading = comment
                    .filter(|comment| is_numbered(comment))
                    .and_then(name);
                continue;
            }
            if is_frame(&content) {
                self.heading = heading;
                continue;
            }
            let problem = match Row::parse(&content, 1) {
                Some(row) if squares::of_line(content.trim_start()).is_err() => {
                    self.read_printed_board(line, &row)
                }
                _ => Cursor::new(&content, line).problem(),
            };
            let named = |problem: Problem| Problem {
                name: comment.and_then(name).or(heading).or(problem.name),
                ..problem
            };
            return Some(problem.map(|problem| self.position_or_game(named(problem))));
        }
    }
}

impl<'a> Reader<'a> {
    /// Takes the next line if its trimmed contents satisfy `condition`.
    fn next_if(&mut self, condition: impl Fn(&str) -> bool) -> Option<(usize, Cow<'a, str>)> {
        let lines = &mut self.lines;
        lines.next_if(|(_, text)| condition(split_comment(text).0.trim()))
    }

    /// Reads rows 2 to 8 of a printed board and the side to move, which stands below the board or beside a row.
    fn read_printed_board(&mut self, line: usize, first: &Row<'_>) -> Result<Problem, ObfError> {
        let fault = |line, fault| ObfError {
            line,
            column: 1,
            fault,
        };
        let mut squares = Squares::default();
        first.add_to(&mut squares);
        let (mut side, mut last) = (first.side(), line);
        for number in 2..=8 {
            let is_next = |content: &str| {
                let begins_board =
                    Row::parse(content, number).is_none() && Row::parse(content, 1).is_some();
                !content.is_empty() && !begins_board && squares::of_line(content).is_err()
            };
            let Some((line, text)) = self.next_if(is_next) else {
                return Err(fault(last, ObfFault::RowCount(number - 1)));
            };
            let content = split_comment(&text).0;
            let Some(row) = Row::parse(&content, number) else {
                // Skips the rows behind a faulty one.
                let is_row = |content: &str| {
                    (number..=8).any(|number| Row::parse(content, number).is_some())
                };
                while self.next_if(is_row).is_some() {}
                return Err(fault(line, ObfFault::RowCount(number - 1)));
            };
            row.add_to(&mut squares);
            (side, last) = (side.or(row.side()), line);
        }
        let board = squares.board().map_err(|board| fault(line, board.into()))?;
        let is_skipped = |content: &str| content.is_empty() || is_frame(content);
        while self.next_if(is_skipped).is_some() {}
        if let Some(side) = side {
            return Ok(Problem::new(board, side, line));
        }
        let Some((side_line, text)) = self.next_if(squares::is_side_alone) else {
            return Err(fault(last, ObfFault::NotASide(FoundText::EndOfLine)));
        };
        let (content, comment) = split_comment(&text);
        let problem = Cursor::new(&content, side_line).side_and_scores(board)?;
        Ok(Problem {
            line,
            name: comment.and_then(name),
            ..problem
        })
    }

    /// Returns the position, or the game if lines of moves follow.
    fn position_or_game(&mut self, problem: Problem) -> Item {
        let is_scored = !problem.moves.is_empty() || problem.score.is_some();
        let is_moves = |(_, text): &(usize, Cow<'_, str>)| transcript::begins_with_move(text);
        if is_scored || !self.lines.peek().is_some_and(is_moves) {
            return Item::Position(problem);
        }
        let start = Game::from_start(problem.board, problem.side).expect("a square has one disc");
        let mut record = transcript::read_moves_from(start, &mut self.lines);
        if let (Ok(record), Some(name)) = (&mut record, problem.name) {
            record.set("EV", &name).expect("the name is valid");
        }
        Item::Game {
            line: problem.line,
            record,
        }
    }
}

/// Splits a line into its contents, in half-width characters, and its comment. A line that begins with `#` is a
/// comment.
fn split_comment(line: &str) -> (Cow<'_, str>, Option<&str>) {
    if let Some(comment) = line.trim_start_matches(is_blank).strip_prefix('#') {
        return (Cow::Borrowed(""), Some(comment));
    }
    match line.split_once('%') {
        Some((content, comment)) => (half_width(content), Some(comment)),
        None => (half_width(line), None),
    }
}

/// Score that some files write behind [`NO_MOVE`] if the score is unknown.
const UNKNOWN: i32 = -127;

/// Unread part of a line, with its location.
struct Cursor<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    fn new(content: &'a str, line: usize) -> Cursor<'a> {
        Cursor {
            rest: content,
            line,
            column: 1,
        }
    }

    /// Reads a position on one line.
    fn problem(&mut self) -> Result<Problem, ObfError> {
        self.skip_blanks();
        let board = self.squares()?;
        self.side_and_scores(board)
    }

    /// Reads the side to move and the scores behind the squares. `squares` has black first.
    fn side_and_scores(&mut self, squares: Board) -> Result<Problem, ObfError> {
        self.skip_blanks();
        let Some((side, end)) = squares::leading_side(self.rest) else {
            return Err(self.error(ObfFault::NotASide(self.character())));
        };
        self.take(end);
        let mut problem = Problem::new(squares, side, self.line);
        while self.another_entry()? {
            self.entry(&mut problem)?;
        }
        Ok(problem)
    }

    /// Reads the 64 squares, black first.
    fn squares(&mut self) -> Result<Board, ObfError> {
        let first_column = self.column;
        let (squares, end) = match squares::of_line(self.rest) {
            Ok(found) => found,
            Err(WrongCount {
                squares: count,
                characters,
            }) => {
                self.take(characters);
                let ends = |next: char| is_blank(next) || next == ';';
                let is_no_square = !self.rest.is_empty() && !self.rest.starts_with(ends);
                return Err(self.error(match count < 64 && is_no_square {
                    true => ObfFault::NotASquare(self.character()),
                    false => ObfFault::SquareCount(count),
                }));
            }
        };
        self.take(end);
        squares
            .board()
            .map_err(|fault| self.error_at(first_column, fault.into()))
    }

    /// Consumes the separator before an entry. Returns `false` if no entry follows.
    fn another_entry(&mut self) -> Result<bool, ObfError> {
        self.skip_blanks();
        if self.rest.is_empty() {
            return Ok(false);
        }
        if !self.rest.starts_with(';') {
            return Err(self.error(ObfFault::NoSemicolon(self.character())));
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
            let fault = |_| self.error_at(move_column, ObfFault::NotAMove(self.found_text(name)));
            Some(Some(name.parse().map_err(fault)?))
        };

        self.skip_blanks();
        if !self.rest.starts_with(':') {
            return Err(self.error(ObfFault::NoScore(self.character())));
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
            return Err(self.error_at(score_column, ObfFault::NotAScore(self.found_text(number))));
        };
        let Some(ply) = ply else {
            return match problem.score.replace(score) {
                None => Ok(()),
                Some(_) => Err(self.error_at(move_column, ObfFault::RepeatedScore)),
            };
        };
        check_ply(ply, problem).map_err(|fault| self.error_at(move_column, fault))?;
        problem.moves.push((ply, score));
        Ok(())
    }

    /// Consumes the characters up to the next blank, `:` or `;`.
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

    /// Text for an error: the next character.
    fn character(&self) -> FoundText {
        FoundText::new(&self.rest[..self.rest.chars().next().map_or(0, char::len_utf8)])
    }

    /// Text for an error: a word, or the next character if the word is empty.
    fn found_text(&self, word: &str) -> FoundText {
        if word.is_empty() {
            self.character()
        } else {
            FoundText::new(word)
        }
    }

    fn error(&self, fault: ObfFault) -> ObfError {
        self.error_at(self.column, fault)
    }

    fn error_at(&self, column: usize, fault: ObfFault) -> ObfError {
        ObfError {
            line: self.line,
            column,
            fault,
        }
    }
}

/// Checks that `ply` is legal in `problem` and not listed yet.
fn check_ply(ply: Ply, problem: &Problem) -> Result<(), ObfFault> {
    let mobility = problem.board.mobility();
    match ply {
        Some(square) if square.bit() & mobility == 0 => Err(ObfFault::IllegalMove(square)),
        None if mobility != 0 => Err(ObfFault::IllegalPass("the side to move has a move")),
        None if problem.board.is_game_over() => Err(ObfFault::IllegalPass("the game is over")),
        _ if problem.moves.iter().any(|&(listed, _)| listed == ply) => Err(ObfFault::Repeated(ply)),
        _ => Ok(()),
    }
}
