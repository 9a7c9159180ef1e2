//! Printed boards: eight rows, with or without the letters of columns and the numbers of rows.
//!
//! ```text
//!   A B C D E F G H
//! 4 - - - O X - - - 4 X to move
//! ```

use super::squares::{Squares, is_blank, leading_side};
use crate::Side;

/// A row of a printed board.
pub(super) struct Row<'a> {
    /// Eight squares, with or without blanks between them.
    squares: &'a str,
    /// Text to the right of the squares.
    note: &'a str,
}

impl<'a> Row<'a> {
    /// Reads row `number` (1 to 8). Returns `None` if the line is no such row.
    ///
    /// A row has eight squares, in one word or in eight. A row that begins with its number may end with the number and
    /// a note.
    pub(super) fn parse(line: &'a str, number: usize) -> Option<Row<'a>> {
        let is_between = |next: char| is_blank(next) || matches!(next, '|' | '\r');
        let line = line.trim_matches(is_between);
        let label = number.to_string();
        let behind = line.strip_prefix(&label).and_then(|behind| {
            let squares = behind.trim_start_matches(is_between);
            (squares.len() < behind.len()).then_some(squares)
        });
        match behind.and_then(|line| Row::leading(line, is_between)) {
            Some(Row { squares, note }) => {
                let note = note.trim_start_matches(is_between);
                let note = note.strip_prefix(&label).unwrap_or(note);
                Some(Row { squares, note })
            }
            None => Row::leading(line, is_between).filter(|row| row.note.is_empty()),
        }
    }

    /// Reads the row at the start of a line.
    fn leading(line: &'a str, is_between: impl Fn(char) -> bool) -> Option<Row<'a>> {
        let width = match Squares::leading(line).count {
            width @ (1 | 8) => width,
            _ => return None,
        };
        let mut rest = line;
        for _ in 0..8 / width {
            rest = rest.trim_start_matches(&is_between);
            if Squares::leading(rest).count != width {
                return None;
            }
            let end = rest.char_indices().nth(width);
            rest = &rest[end.map_or(rest.len(), |(end, _)| end)..];
        }
        let (squares, note) = line.split_at(line.len() - rest.len());
        let ends = note.is_empty() || note.starts_with(is_between);
        ends.then_some(Row { squares, note })
    }

    /// Adds the squares of the row to a board.
    pub(super) fn add_to(&self, squares: &mut Squares) {
        for character in self.squares.chars() {
            squares.add(character);
        }
    }

    /// Side to move, if the note has it: `X to move`.
    pub(super) fn side(&self) -> Option<Side> {
        let note = self.note.trim();
        let (side, end) = leading_side(note)?;
        let is_sentence = note.ends_with("to move") || note.ends_with("to play");
        (is_sentence && end == note.chars().count()).then_some(side)
    }
}

/// Returns `true` for a line of column letters or a border.
pub(super) fn is_frame(line: &str) -> bool {
    let letters = || line.chars().filter(|letter| !letter.is_whitespace());
    let is_border =
        line.contains('+') && letters().all(|letter| matches!(letter, '+' | '-' | '|' | '='));
    is_border
        || letters()
            .map(|letter| letter.to_ascii_lowercase())
            .eq('a'..='h')
}

/// Reads the eight rows at the start of a text. Returns the board and the text behind it. If no text follows, the note
/// with the side to move takes its place.
pub(super) fn read(text: &str) -> Option<(Squares, &str)> {
    let (mut squares, mut rest) = (Squares::default(), text);
    let mut side_note = None;
    for number in 1..=8 {
        let row = loop {
            let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
            match Row::parse(line, number) {
                Some(row) => {
                    rest = behind;
                    break row;
                }
                None if number == 1 && !behind.is_empty() && is_frame(line) => rest = behind,
                None => return None,
            }
        };
        row.add_to(&mut squares);
        side_note = side_note.or(row.side().map(|_| row.note.trim()));
    }
    while let Some((line, behind)) = rest.split_once('\n')
        && (line.trim().is_empty() || is_frame(line))
    {
        rest = behind;
    }
    if is_frame(rest) {
        rest = "";
    }
    match side_note {
        Some(note) if rest.trim().is_empty() => Some((squares, note)),
        _ => Some((squares, rest)),
    }
}
