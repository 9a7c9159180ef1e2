//! Hints: a table of the best moves with their values by a search and by the book.

use outflank::analysis::equalize_symmetric_scores;
use outflank::book::BookMove;
use outflank::{Board, Ply, SearchResult, Side, Square};

use crate::text_format::{depth_or_exact, names, ply};

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

/// Assumed width of the terminal in characters.
const WIDTH: usize = 80;

/// Returns a table of the `count` best moves, best first. A book value takes precedence over the value of a search.
///
/// `search(without, lines)` finds the best `lines` moves, without the squares of `without`. It returns `None` once the
/// user has stopped the hint.
pub(super) fn table(
    (board, side): (Board, Side),
    known: &[BookMove],
    count: u32,
    mut search: impl FnMut(u64, u32) -> Option<SearchResult>,
) -> String {
    let count = count as usize;
    let known = &known[..known.len().min(count)];
    let empties = board.empty_count();
    let of_book = known.iter().map(|book_move| Hint {
        ply: book_move.ply,
        book: Some(Value {
            score: book_move.score,
            depth: depth_or_exact(book_move.depth, book_move.selectivity, empties),
        }),
        search: None,
        line: vec![book_move.ply],
    });
    let mut hints: Vec<Hint> = of_book.collect();
    let mut search_more = |hints: &mut Vec<Hint>, without: u64, lines: usize| {
        // A search of a single line returns no candidates.
        let Some(mut result) = search(without, lines.max(2) as u32) else {
            return;
        };
        equalize_symmetric_scores(board, &mut result.candidates);
        for candidate in result.candidates.into_iter().take(lines) {
            let search = Some(Value {
                score: candidate.score,
                depth: depth_or_exact(result.depth, result.selectivity, empties),
            });
            let line = candidate.line;
            match hints.iter_mut().find(|hint| hint.ply == candidate.ply) {
                Some(hint) => (hint.search, hint.line) = (search, line),
                None => hints.push(Hint {
                    ply: candidate.ply,
                    book: None,
                    search,
                    line,
                }),
            }
        }
    };
    if known.len() < count {
        search_more(&mut hints, 0, count);
    }
    // The search may have preferred moves that the book does not know.
    let unsearched = hints.iter().filter(|hint| hint.search.is_none());
    let missing = squares(unsearched.map(|hint| hint.ply));
    if missing != 0 {
        let legal = board.mobility();
        search_more(&mut hints, legal & !missing, missing.count_ones() as usize);
    }
    hints.sort_by_key(|hint| -hint.score());
    hints.truncate(count);
    format(&hints, side)
}

/// Formats the table, with a column for the book if it knows a move.
fn format(hints: &[Hint], side: Side) -> String {
    let with_book = hints.iter().any(|hint| hint.book.is_some());
    let book = |cell: &str, end: &str| match with_book {
        true => format!("{cell}{end}"),
        false => String::new(),
    };
    let mut rows = vec![
        format!(
            "  #| move |   search    |{} best play",
            book("    book     ", "|")
        ),
        format!(
            "---+------+-------------+{}{}",
            book(&"-".repeat(13), "+"),
            "-".repeat(20)
        ),
    ];
    for (number, hint) in (1..).zip(hints) {
        let head = format!(
            "{number:>3}| {:<4} |{}|{} ",
            ply(hint.ply, side),
            cell(hint.search.as_ref()),
            book(&cell(hint.book.as_ref()), "|"),
        );
        let room = WIDTH - head.len();
        rows.push(head + &shortened(&hint.line, side, room));
    }
    let rows: Vec<_> = rows.iter().map(|row| row.trim_end()).collect();
    rows.join("\n")
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
    let names = names(line, side);
    // A name and a blank take three characters.
    match 3 * names.len() <= room + 1 {
        true => names.join(" "),
        false => names[..(room - 1) / 3].join(" ") + " …",
    }
}
