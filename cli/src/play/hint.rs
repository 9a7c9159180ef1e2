//! Hints: the best moves of a position as a table, with what a search and the book say of each.

use outflank::analysis::equal_by_symmetry;
use outflank::book::BookMove;
use outflank::search::Candidate;
use outflank::{Board, Ply, SearchResult, Selectivity, Side, Square};

use crate::table::{depth, ply};

/// The best moves of a position, the best first.
pub(super) struct Hints(Vec<Hint>);

/// A move and its values.
struct Hint {
    ply: Ply,
    book: Option<Value>,
    search: Option<Value>,
    line: Vec<Ply>,
}

/// Discs for the mover, and how far they were searched.
struct Value {
    score: i32,
    depth: String,
}

/// Columns of a terminal.
const WIDTH: usize = 80;

impl Hints {
    /// Finds the `count` best moves. The value of a move is the book's where it knows the move, else that of the search.
    /// `search` searches for so many of the best moves, but for those of a set of squares.
    pub(super) fn search(
        board: Board,
        known: &[BookMove],
        count: u32,
        mut search: impl FnMut(u64, u32) -> SearchResult,
    ) -> Hints {
        let count = count as usize;
        let known = &known[..known.len().min(count)];
        let legal = board.mobility();
        let of_book = squares(known.iter().map(|one| one.ply));
        let empties = board.empty_count();
        let mut found = Vec::new();
        let mut add = |without: u64, lines: usize| {
            // Of one line there are no candidates.
            let mut result = search(without, lines.max(2) as u32);
            equal_by_symmetry(board, &mut result.candidates);
            let depth = depth_of(result.depth, result.selectivity, empties);
            let candidates = result.candidates.into_iter().take(lines);
            found.extend(candidates.map(|one| (one, depth.clone())));
            squares(found.iter().map(|(one, _)| one.ply))
        };
        let searched = match known.len() < count {
            true => add(0, count),
            false => 0,
        };
        let missing = of_book & !searched;
        if missing != 0 {
            add(legal & !missing, missing.count_ones() as usize);
        }
        Hints::join(known, found, empties, count)
    }

    /// Joins the moves of a book and those of searches, each of these with its depth.
    fn join(
        known: &[BookMove],
        found: Vec<(Candidate, String)>,
        empties: u32,
        count: usize,
    ) -> Hints {
        let mut hints: Vec<Hint> = known
            .iter()
            .map(|one| Hint {
                ply: one.ply,
                book: Some(Value {
                    score: one.value,
                    depth: depth_of(one.depth, one.selectivity, empties),
                }),
                search: None,
                line: vec![one.ply],
            })
            .collect();
        for (candidate, depth) in found {
            let Candidate {
                ply, score, line, ..
            } = candidate;
            let search = Some(Value { score, depth });
            match hints.iter_mut().find(|hint| hint.ply == ply) {
                Some(hint) => (hint.search, hint.line) = (search, line),
                None => hints.push(Hint {
                    ply,
                    book: None,
                    search,
                    line,
                }),
            }
        }
        hints.sort_by_key(|hint| -hint.score());
        hints.truncate(count);
        Hints(hints)
    }

    /// The table, with a column for the book where that knows one of the moves.
    pub(super) fn table(&self, side: Side) -> String {
        let with_book = self.0.iter().any(|hint| hint.book.is_some());
        let book = |cell: String| match with_book {
            true => format!("{cell}|"),
            false => String::new(),
        };
        let mut rows = vec![
            format!(
                "  #| move |   search    |{} best play",
                book("    book     ".to_owned())
            ),
            format!(
                "---+------+-------------+{}",
                book("-------------".to_owned()).replace('|', "+")
            ),
        ];
        rows[1] += &"-".repeat(20);
        for (number, hint) in (1..).zip(&self.0) {
            let head = format!(
                "{number:>3}| {:<4} |{}|{} ",
                ply(hint.ply, side),
                cell(hint.search.as_ref()),
                book(cell(hint.book.as_ref())),
            );
            let room = WIDTH - head.len();
            rows.push(head + &shortened(&hint.line, side, room));
        }
        let rows: Vec<_> = rows.iter().map(|row| row.trim_end()).collect();
        rows.join("\n")
    }
}

impl Hint {
    /// The value that the move is sorted by.
    fn score(&self) -> i32 {
        let value = self.book.as_ref().or(self.search.as_ref());
        value.map_or(i32::MIN + 1, |value| value.score)
    }
}

/// The set of the squares among these plies.
fn squares(plies: impl Iterator<Item = Ply>) -> u64 {
    plies
        .flatten()
        .map(Square::bit)
        .fold(0, |all, bit| all | bit)
}

/// A value in a column of 13 characters.
fn cell(value: Option<&Value>) -> String {
    match value {
        Some(Value { score, depth }) => format!(" {score:>+3} {depth:<7} "),
        None => " ".repeat(13),
    }
}

/// A line of play as far as it fits into so many characters. One that is cut ends with `…`.
fn shortened(line: &[Ply], side: Side, room: usize) -> String {
    let sides = [side, side.other()].into_iter().cycle();
    let names: Vec<String> = line
        .iter()
        .zip(sides)
        .map(|(&one, side)| ply(one, side))
        .collect();
    // A name and a blank take three characters.
    match 3 * names.len() <= room + 1 {
        true => names.join(" "),
        false => names[..(room - 1) / 3].join(" ") + " …",
    }
}

/// Depth of a search of a position with so many empty squares: `exact`, or plies as in `16@73%`.
fn depth_of(plies: u32, selectivity: Selectivity, empties: u32) -> String {
    match selectivity {
        Selectivity::Full if plies >= empties => "exact".to_owned(),
        selectivity => depth(plies, selectivity).trim_end().to_owned(),
    }
}
