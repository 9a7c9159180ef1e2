//! `outflank solve` on malformed lines. They are reported with line and column; the others are solved.

use crate::common::program::{ONE_EMPTY, OutputChecks, cli, solve};
use outflank_testing::command::{Folder, run};

const SQUARE: &str = "expected a square of the board (X, O or -), found ";
const COUNT: &str = "expected 64 squares, found ";
const CENTRE: &str = "expected a disc on ";
const SIDE: &str = "expected the side to move (X or O), found ";
const SEMICOLON: &str = "expected ';', found ";
const MOVE: &str = "expected a move (A1 to H8, PS, or -- for none), found ";
const LEGAL: &str = "expected a legal move, found ";
const COLON: &str = "expected ':' and a score, found ";
const SCORE: &str = "expected a score from -64 to +64, found ";

/// The board of [`ONE_EMPTY`] with `line` after it.
fn after_board(line: &str) -> Vec<u8> {
    format!("{}{line}", &ONE_EMPTY[..64]).into_bytes()
}

/// The board of [`ONE_EMPTY`] with the character at `index` replaced.
fn with_square(index: usize, square: &[u8]) -> Vec<u8> {
    let (before, after) = ONE_EMPTY.as_bytes().split_at(index);
    [before, square, &after[1..]].concat()
}

/// Malformed lines with the column and both halves of the message.
fn malformed() -> Vec<(Vec<u8>, usize, &'static str, &'static str)> {
    let line = |text: &str| text.as_bytes().to_vec();
    let empty = "-".repeat(64);
    let finished = "X".repeat(64);
    vec![
        // The board.
        (line("hello"), 1, SQUARE, r#""h""#),
        (line("\u{1}"), 1, SQUARE, r#""\u{1}""#),
        (line("\0\0\0"), 1, SQUARE, r#""\0""#),
        (line("; X"), 1, COUNT, "0"),
        (line(&ONE_EMPTY[..63]), 64, COUNT, "63"),
        (line(&ONE_EMPTY[1..]), 64, COUNT, "63"),
        (line(&format!("  {}", &ONE_EMPTY[10..])), 57, COUNT, "54"),
        (line(&format!("X{ONE_EMPTY}")), 65, COUNT, "65"),
        (line(&"X".repeat(1_000_000)), 65, COUNT, "1000000"),
        (line(&format!("{};", &ONE_EMPTY[..10])), 11, COUNT, "10"),
        (line(&format!("{}% X", &ONE_EMPTY[..10])), 11, COUNT, "10"),
        (with_square(9, b"?"), 10, SQUARE, r#""?""#),
        (with_square(9, b"\0"), 10, SQUARE, r#""\0""#),
        (with_square(9, b"\r"), 10, SQUARE, r#""\r""#),
        (with_square(9, b"\xff"), 10, SQUARE, "\"\u{fffd}\""),
        (with_square(9, "é".as_bytes()), 10, SQUARE, r#""é""#),
        (with_square(0, b"\xef\xbb\xbf"), 1, SQUARE, r#""\u{feff}""#),
        (
            line(&format!("{empty} X;")),
            1,
            "expected a board with discs, found ",
            "an empty one",
        ),
        (
            with_square(27, b"-"),
            28,
            CENTRE,
            "D4, where every game has one, found an empty square",
        ),
        (
            with_square(36, b"."),
            37,
            CENTRE,
            "E5, where every game has one, found an empty square",
        ),
        // The side.
        (after_board(""), 65, SIDE, "the end of the line"),
        (after_board("  "), 67, SIDE, "the end of the line"),
        (after_board("; X"), 65, SIDE, r#"";""#),
        (after_board(" -;"), 66, SIDE, r#""-""#),
        (after_board(" ?;"), 66, SIDE, r#""?""#),
        (after_board("\u{a0}O;"), 65, SIDE, r#""\u{a0}""#),
        (after_board(" OX;"), 67, SEMICOLON, r#""X""#),
        (after_board(" O E1:-24;"), 68, SEMICOLON, r#""E""#),
        // The moves.
        (after_board(" O; garbage"), 69, MOVE, r#""garbage""#),
        (after_board(" O; I1:+2"), 69, MOVE, r#""I1""#),
        (after_board(" O; É1:+2"), 69, MOVE, r#""É1""#),
        (after_board(" O;; E1:-24"), 68, MOVE, r#"";""#),
        (after_board(" O; E1:-24; :4"), 77, MOVE, r#"":""#),
        (after_board(" O; ---:+4"), 69, MOVE, r#""---""#),
        (
            after_board(" O; --:-24; --:-24"),
            77,
            "expected one score without a move, found ",
            "another",
        ),
        (
            after_board(&format!(" O; {}", "a".repeat(99))),
            69,
            MOVE,
            r#""aaaaaaaaaaaa...""#,
        ),
        (after_board(" O; A1:+2"), 69, LEGAL, "A1"),
        (
            after_board(" O; PS:+2"),
            69,
            LEGAL,
            "a pass where the side to move has a move",
        ),
        (
            line(&format!("{finished} X; PS:+64")),
            69,
            LEGAL,
            "a pass where the game is over",
        ),
        (
            after_board(" O; E1:-24; e1:-24"),
            77,
            "expected each move once, found ",
            "E1 again",
        ),
        // The scores.
        (after_board(" O; E1"), 71, COLON, "the end of the line"),
        (after_board(" O; E1 -24"), 72, COLON, r#""-""#),
        (after_board(" O; E1:"), 72, SCORE, "the end of the line"),
        (after_board(" O; E1:;"), 72, SCORE, r#"";""#),
        (after_board(" O; E1:+"), 72, SCORE, r#""+""#),
        (after_board(" O; E1:1.5"), 72, SCORE, r#""1.5""#),
        (after_board(" O; E1:+65"), 72, SCORE, r#""+65""#),
        (after_board(" O; E1:-65"), 72, SCORE, r#""-65""#),
        (
            after_board(" O; E1:99999999999999999999"),
            72,
            SCORE,
            r#""999999999999...""#,
        ),
        (after_board(" O; E1:\u{2212}24"), 72, SCORE, r#""−24""#),
        (after_board(" O; --:+65"), 72, SCORE, r#""+65""#),
        (
            after_board(" O; --:-24; --"),
            79,
            COLON,
            "the end of the line",
        ),
        (after_board(" O; E1:-24 x"), 76, SEMICOLON, r#""x""#),
        (after_board(" O; E1:-24:2"), 75, SEMICOLON, r#"":""#),
    ]
}

#[test]
fn malformed_lines_are_reported_and_the_others_solved() {
    let folder = Folder::new();
    for (bad, column, expected, found) in malformed() {
        let lines = [
            ONE_EMPTY.as_bytes(),
            &bad,
            b"% a comment",
            ONE_EMPTY.as_bytes(),
        ];
        let file = folder.file("problems.obf", lines.join(&b"\n"[..]));
        let mut command = cli("solve --hash 1 --json");
        command.arg(&file);
        let run = run(&mut command, b"").expect(1);
        let location = format!("{}:2:{column}", file.display());
        assert_eq!(run.stderr, format!("{location}: {expected}{found}\n"));
        let rows = run.json();
        assert_eq!(rows.len(), 3, "{expected}{found}: {rows:?}");
        assert!(rows[..2].iter().all(|row| row["score"] == -24), "{rows:?}");
        assert_eq!(rows[2]["summary"]["positions"], 2);
        assert_eq!(rows[2]["summary"]["malformed"], 1);
    }
}

#[test]
fn ten_malformed_lines_are_reported_and_the_others_counted() {
    let lines: Vec<_> = malformed().into_iter().map(|(line, ..)| line).collect();
    for (count, last) in [
        (10, None),
        (11, Some("… and 1 more malformed line".to_owned())),
        (
            lines.len(),
            Some(format!("… and {} more malformed lines", lines.len() - 10)),
        ),
    ] {
        let run = solve(&[], lines[..count].join(&b"\r\n"[..])).expect(1);
        let reported: Vec<_> = run.stderr.lines().collect();
        for (index, line) in reported[..10].iter().enumerate() {
            let location = format!("problems.obf:{}:", index + 1);
            assert!(line.contains(&location), "{line}");
        }
        let rest = reported
            .get(10)
            .map(|line| line.split_once(": ").unwrap().1);
        assert_eq!(rest, last.as_deref());
        assert!(reported.len() <= 11);
        let summary = format!("0 solved, 0 wrong, {count} malformed;");
        run.stdout_has(&summary);
    }
}
