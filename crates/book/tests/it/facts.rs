//! Statements of the documentation about books, compared with the code and the built-in book.

use outflank::Board;
use outflank_book::Book;
use outflank_testing::data::project_file;
use outflank_testing::pages::{assert_stated, grouped};

#[test]
fn size_and_contents_of_the_built_in_book_are_stated() {
    let file = project_file("crates/book/built-in.book");
    let book = Book::built_in().expect("a book");
    let positions =
        usize::try_from(book.len().expect("it can be read")).expect("the number of positions fits");
    let each = file.len() as f64 / positions as f64;
    let of_line = |moves: &str| {
        let squares = moves.split_whitespace();
        let squares = squares.map(|square| square.parse().expect("a square"));
        let board = squares.fold(Board::START, |board, square| {
            board.play(square).expect("legal")
        });
        let entry = book.entry(board).expect("it can be read");
        entry.expect("a book position").value()
    };
    let start = of_line("");
    // From white's side, who made the last move.
    let replies = ["F5 D6", "F5 F6", "F5 F4"].map(|line| -of_line(line));
    // SQLite's header: user version and application id.
    let number = |at: usize| u32::from_be_bytes(*file[at..].first_chunk().expect("a header"));
    assert_stated([
        (
            "docs/lab/book.md",
            format!(
                "{} positions, {} bytes, {each:.1} a position. The start is worth {start}, and after F5 the replies \
                 D6, F6 and F4 are worth {}, {} and {} for white",
                grouped(positions),
                grouped(file.len()),
                replies[0],
                replies[1],
                replies[2]
            ),
        ),
        (
            "docs/formats/book.md",
            format!(
                "application number `0x{:08X}` (`OfBk`) and user version {}",
                number(68),
                number(60)
            ),
        ),
    ]);
}
