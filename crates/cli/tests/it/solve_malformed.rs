//! `outflank solve` on malformed lines. They are reported with line and column; the others are solved.

use crate::common::program::{ONE_EMPTY, OutputChecks, run_in};
use outflank_testing::command::Folder;

/// Malformed lines, each with the column and the message. `BOARD` is the board of [`ONE_EMPTY`], `TEN` are its first
/// ten squares, `FULL` and `EMPTY` are 64 equal squares.
const MALFORMED: &str = r#"
hello | 1: expected a square of the board (X, O or -), found "h"
; X | 1: expected 64 squares, found 0
XBOARD O; | 65: expected 64 squares, found 65
TEN; | 11: expected 64 squares, found 10
TEN% X | 11: expected 64 squares, found 10
EMPTY X; | 1: expected a board with discs, found an empty one
BOARD | 65: expected the side to move (X or O), found the end of the line
BOARD; X | 65: expected the side to move (X or O), found ";"
BOARD -; | 66: expected the side to move (X or O), found "-"
BOARD ?; | 66: expected the side to move (X or O), found "?"
BOARD OX; | 67: expected ';', found "X"
BOARD O E1:-24; | 68: expected ';', found "E"
BOARD O; garbage | 69: expected a move (A1 to H8, PS, or -- for none), found "garbage"
BOARD O; I1:+2 | 69: expected a move (A1 to H8, PS, or -- for none), found "I1"
BOARD O; É1:+2 | 69: expected a move (A1 to H8, PS, or -- for none), found "É1"
BOARD O;; E1:-24 | 68: expected a move (A1 to H8, PS, or -- for none), found ";"
BOARD O; E1:-24; :4 | 77: expected a move (A1 to H8, PS, or -- for none), found ":"
BOARD O; ---:+4 | 69: expected a move (A1 to H8, PS, or -- for none), found "---"
BOARD O; aaaaaaaaaaaaaaaaaaaa | 69: expected a move (A1 to H8, PS, or -- for none), found "aaaaaaaaaaaa..."
BOARD O; --:-24; --:-24 | 77: expected one score without a move, found another
BOARD O; A1:+2 | 69: expected a legal move, found A1
BOARD O; PS:+2 | 69: expected a legal move, found a pass where the side to move has a move
FULL X; PS:+64 | 69: expected a legal move, found a pass where the game is over
BOARD O; E1:-24; e1:-24 | 77: expected each move once, found E1 again
BOARD O; E1 | 71: expected ':' and a score, found the end of the line
BOARD O; E1 -24 | 72: expected ':' and a score, found "-"
BOARD O; --:-24; -- | 79: expected ':' and a score, found the end of the line
BOARD O; E1: | 72: expected a score from -64 to +64, found the end of the line
BOARD O; E1:; | 72: expected a score from -64 to +64, found ";"
BOARD O; E1:+ | 72: expected a score from -64 to +64, found "+"
BOARD O; E1:1.5 | 72: expected a score from -64 to +64, found "1.5"
BOARD O; E1:+65 | 72: expected a score from -64 to +64, found "+65"
BOARD O; E1:-65 | 72: expected a score from -64 to +64, found "-65"
BOARD O; E1:99999999999999999999 | 72: expected a score from -64 to +64, found "999999999999..."
BOARD O; E1:−24 | 72: expected a score from -64 to +64, found "−24"
BOARD O; --:+65 | 72: expected a score from -64 to +64, found "+65"
BOARD O; E1:-24 x | 76: expected ';', found "x"
BOARD O; E1:-24:2 | 75: expected ';', found ":"
"#;

/// The board of [`ONE_EMPTY`] with the character at `index` replaced.
fn with_square(index: usize, square: impl AsRef<[u8]>) -> Vec<u8> {
    let (before, after) = ONE_EMPTY.as_bytes().split_at(index);
    [before, square.as_ref(), &after[1..]].concat()
}

/// Malformed lines, each with the column and the message. Some have characters that the table cannot show.
fn malformed() -> Vec<(Vec<u8>, String)> {
    let square = "expected a square of the board (X, O or -), found ";
    let count = "expected 64 squares, found ";
    let side = "expected the side to move (X or O), found ";
    let board = &ONE_EMPTY[..64];
    let rows = MALFORMED.trim_matches('\n').lines().map(|row| {
        let (line, message) = row.split_once(" | ").expect("a line and a message");
        let line = line.replace("BOARD", board).replace("TEN", &board[..10]);
        let line = line.replace("FULL", &"X".repeat(64));
        let line = line.replace("EMPTY", &"-".repeat(64));
        (line.into_bytes(), message.to_owned())
    });
    let others = [
        (b"\x01".to_vec(), 1, square, r#""\u{1}""#),
        (b"\0\0\0".to_vec(), 1, square, r#""\0""#),
        (board[..63].into(), 64, count, "63"),
        (ONE_EMPTY[1..].into(), 64, count, "63"),
        (format!("  {}", &ONE_EMPTY[10..]).into(), 57, count, "54"),
        ("X".repeat(1_000_000).into(), 65, count, "1000000"),
        (with_square(9, "?"), 10, square, r#""?""#),
        (with_square(9, "\0"), 10, square, r#""\0""#),
        (with_square(9, "\r"), 10, square, r#""\r""#),
        (with_square(9, b"\xff"), 10, square, "\"\u{fffd}\""),
        (with_square(9, "é"), 10, square, r#""é""#),
        (with_square(0, "\u{feff}"), 1, square, r#""\u{feff}""#),
        (format!("{board}  ").into(), 67, side, "the end of the line"),
        (format!("{board}\u{a0}O;").into(), 65, side, r#""\u{a0}""#),
    ];
    let others = others.into_iter().map(|(line, column, expected, found)| {
        let message = format!("{column}: {expected}{found}");
        (line, message)
    });
    rows.chain(others).collect()
}

#[test]
fn malformed_lines_are_reported_and_the_others_solved() {
    let folder = Folder::new();
    let good = ONE_EMPTY.as_bytes();
    for (bad, message) in malformed() {
        let lines = [good, &bad, b"% a comment", good].join(&b'\n');
        folder.file("problems.obf", lines);
        let run = run_in(&folder, "solve --hash 1 --json problems.obf", 1);
        assert_eq!(run.stderr, format!("problems.obf:2:{message}\n"));
        let rows = run.json();
        assert_eq!(rows.len(), 3, "{message}: {rows:?}");
        let scores = [&rows[0]["score"], &rows[1]["score"]];
        assert_eq!(scores, [-24; 2], "{message}");
        let summary = &rows[2]["summary"];
        let counts = [&summary["positions"], &summary["malformed"]];
        assert_eq!(counts, [2, 1], "{message}");
    }
}

#[test]
fn ten_malformed_lines_are_reported_and_the_others_counted() {
    let folder = Folder::new();
    let short = format!("{}\r\n", &ONE_EMPTY[..63]);
    for (count, rest) in [
        (10, None),
        (11, Some("problems.obf: … and 1 more malformed line")),
        (60, Some("problems.obf: … and 50 more malformed lines")),
    ] {
        folder.file("problems.obf", short.repeat(count));
        let run = run_in(&folder, "solve --hash 1 problems.obf", 1);
        let lines: Vec<_> = run.stderr.lines().collect();
        for (number, line) in (1..=10).zip(&lines) {
            let fault = "64: expected 64 squares, found 63";
            assert_eq!(*line, format!("problems.obf:{number}:{fault}"));
        }
        assert_eq!(lines.get(10).copied(), rest);
        assert_eq!(lines.len(), count.min(11), "{run:?}");
        run.stdout_has(format!("0 solved, 0 wrong, {count} malformed;"));
    }
}
