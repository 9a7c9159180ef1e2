//! Hints: a table of the best moves with their values by a search and by the book.

use outflank::analysis::equalize_symmetric_scores;
use outflank::book::BookMove;
use outflank::search::Candidate;
use outflank::{Board, Ply, SearchResult, Selectivity, Side, Square};

use crate::text_format::{depth, ply};

/// Best moves of a position, best first.
pub(super) struct Hints(Vec<Hint>);

struct Hint {
    ply: Ply,
    book: Option<Value>,
    search: Option<Value>,
    line: Vec<Ply>,
}

/// Score in discs for the mover, and depth of the search.
struct Value {
    score: i32,
    depth: String,
}

/// Width of a terminal in characters.
const WIDTH: usize = 80;

impl Hints {
    /// Finds the `count` best moves. A book value takes precedence over the value of a search. `search(without, lines)`
    /// finds the best `lines` moves, without the squares of `without`. It returns `None` once the user has stopped the
    /// hint.
    pub(super) fn search(
        board: Board,
        known: &[BookMove],
        count: u32,
        mut search: impl FnMut(u64, u32) -> Option<SearchResult>,
    ) -> Hints {
        let count = count as usize;
        let known = &known[..known.len().min(count)];
        let legal = board.mobility();
        let book_squares = squares(known.iter().map(|book_move| book_move.ply));
        let empties = board.empty_count();
        let mut candidates = Vec::new();
        let mut search_more = |without: u64, lines: usize| {
            // A search of a single line returns no candidates.
            if let Some(mut result) = search(without, lines.max(2) as u32) {
                equalize_symmetric_scores(board, &mut result.candidates);
                let depth = depth_of(result.depth, result.selectivity, empties);
                let best = result.candidates.into_iter().take(lines);
                candidates.extend(best.map(|candidate| (candidate, depth.clone())));
            }
            squares(candidates.iter().map(|(candidate, _)| candidate.ply))
        };
        let searched = match known.len() < count {
            true => search_more(0, count),
            false => 0,
        };
        let missing = book_squares & !searched;
        if missing != 0 {
            search_more(legal & !missing, missing.count_ones() as usize);
        }
        Hints::join(known, candidates, empties, count)
    }

    /// Joins book moves and candidates, each candidate with its depth.
    fn join(
        known: &[BookMove],
        candidates: Vec<(Candidate, String)>,
        empties: u32,
        count: usize,
    ) -> Hints {
        let mut hints: Vec<Hint> = known
            .iter()
            .map(|book_move| Hint {
                ply: book_move.ply,
                book: Some(Value {
                    score: book_move.score,
                    depth: depth_of(book_move.depth, book_move.selectivity, empties),
                }),
                search: None,
                line: vec![book_move.ply],
            })
            .collect();
        for (candidate, depth) in candidates {
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

    /// Formats the table, with a column for the book if it knows a move.
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
    /// Sort key of the move: its book value, else its search value.
    fn score(&self) -> i32 {
        let value = self.book.as_ref().or(self.search.as_ref());
        value.map_or(i32::MIN + 1, |value| value.score)
    }
}

/// Set of the squares of these plies.
fn squares(plies: impl Iterator<Item = Ply>) -> u64 {
    plies
        .flatten()
        .map(Square::bit)
        .fold(0, |all, bit| all | bit)
}

/// Cell of a value, 13 characters wide.
fn cell(value: Option<&Value>) -> String {
    match value {
        Some(Value { score, depth }) => format!(" {score:>+3} {depth:<7} "),
        None => " ".repeat(13),
    }
}

/// Formats a line of play in at most `room` characters. A line that is cut ends with `…`.
fn shortened(line: &[Ply], side: Side, room: usize) -> String {
    let sides = [side, side.other()].into_iter().cycle();
    let names: Vec<String> = line
        .iter()
        .zip(sides)
        .map(|(&next, side)| ply(next, side))
        .collect();
    // A name and a blank take three characters.
    match 3 * names.len() <= room + 1 {
        true => names.join(" "),
        false => names[..(room - 1) / 3].join(" ") + " …",
    }
}

/// Depth of a search: `exact` if it reached the end of the game, else plies as in `16@73%`.
fn depth_of(plies: u32, selectivity: Selectivity, empties: u32) -> String {
    match selectivity {
        Selectivity::Full if plies >= empties => "exact".to_owned(),
        selectivity => depth(plies, selectivity).trim_end().to_owned(),
    }
}
