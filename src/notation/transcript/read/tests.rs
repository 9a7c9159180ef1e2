//! Spellings and faults of transcripts.

use outflank_testing::table::rows;

use super::*;

fn names(game: &Game) -> String {
    game.moves().map(|square| format!("{square:#}")).collect()
}

/// Games of a file as text, with line and result, and its errors.
fn summaries(file: &str) -> Vec<String> {
    let games = read(file.as_bytes()).map(|game| match game {
        Ok(LocatedGame { line, record }) => {
            let result = record.property("RE").map(|result| format!(" {result}"));
            format!(
                "{line}: {}{}",
                names(&record.game),
                result.unwrap_or_default()
            )
        }
        Err(error) => error.to_string(),
    });
    games.collect()
}

#[test]
fn spellings_on_one_line_are_read() {
    for line in [
        "f5d6c3",
        "F5, D6 c3 # a comment",
        "F5 PS D6--C3",
        "1. f5 d6 2. c3",
        "1.f5 1... d6,2.c3",
        "f5PASSd6 pass c3",
        "f5!? d6? c3!",
        "{ best } f5 d6 { and } c3",
        "\u{ff46}\u{ff15}\u{3000}ｄ６ｃ３",
        "1. f5 d6 2. c3 *",
        "f5d6c3 1-0",
    ] {
        assert_eq!(summaries(line), ["1: f5d6c3"], "{line}");
    }
    assert_eq!(summaries("f5d6c3 34-30"), ["1: f5d6c3 +4"]);
    assert_eq!(summaries("f5d6c3 10-20"), ["1: f5d6c3 -44"]);
    assert_eq!(summaries("\r\n\n% nothing\n"), [""; 0]);
}

#[test]
fn tags_become_properties() {
    let game =
        "[Black \"Dr.? \\\"Who\\\"\"]\n[White \"?\"]\n[Date \"????.??.??\"]\n[Event \"a\"]\nf5";
    let record = read(game.as_bytes()).next().unwrap().unwrap().record;
    let properties: Vec<_> = record.properties().collect();
    assert_eq!(properties, [("PB", "Dr.? \"Who\""), ("EV", "a")]);
    let two_on_a_line = read(b"[Black \"a\"] [White \"b\"]\nf5").next().unwrap();
    assert!(two_on_a_line.is_err());
}

#[test]
fn faults_have_their_location() {
    let table = r#"
        F5D | 1:3: expected a move (A1 to H8, or PS), found "D"
        F5 D�6 | 1:4: expected a move (A1 to H8, or PS), found "D�"
        1. f5 2. | 1:7: expected a move (A1 to H8, or PS), found "2."
        f5 2 d6 | 1:4: expected a move (A1 to H8, or PS), found "2"
        12. | 1:1: expected a move (A1 to H8, or PS), found "12"
        f5 34-30 d6 | 1:4: expected a move (A1 to H8, or PS), found "34"
        f5 { | 1: expected '}' at the end of the comment, found the end of the file
    "#;
    for [line, expected] in rows(table) {
        assert_eq!(summaries(&line).pop().unwrap(), expected, "{line}");
    }
}

#[test]
fn games_take_one_line_or_several() {
    // Files with their games. A faulty game has one error; its rest is skipped. Tags belong to one game. A faulty line
    // ends the game above, or makes it faulty if the line continues that game.
    let table = r#"
        1. f5 d6\n2. c3 d3\n\n3. c4 f4\n | 1: f5d6c3d3c4f4
        f5\nd6\nc3\n | 1: f5d6c3
        f5 d6\nf5 f6\n | 1: f5d6; 2: f5f6
        1. f5 d6\n1. f5 f6\n2. e6\n | 1: f5d6; 2: f5f6e6
        1. f5 d6 34-30\n1. f5 f6 | 1: f5d6 +4; 2: f5f6
        1. f5 d6 {a\ncomment} 2. c3\n | 1: f5d6c3
        [White "?"]\n[Result "40-24"]\n\n1. f5 d6 2. c3\nd3 3. c4\n[Black "b"]\nf5 f6 | 1: f5d6c3d3c4 +16; 6: f5f6
        1. f5 f5\n2. c3 d3\n1. f5 d6\n | 1: move 2, F5, is not legal: the square is taken; 3: f5d6
        1. f5 d6\n2. c3 d3\n3. a1\n4. a2\n | 3: move 5, A1, is not legal: black flips no disc there
        f5d6\nf5f5\n | 1: f5d6; 2: move 2, F5, is not legal: the square is taken
        [Black "a"]\n1. f5 f5\nd6 c3\n[White "b"]\n[Result "33-31"]\n\n1. f5 d6 * | 2: move 2, F5, is not legal: the square is taken; 4: f5d6 +2
        [Event "Open #3 {50 %}"]\nf5 d6 | 1: f5d6
        [Event "a"]\n\n[Result "33-31"]\nf5 d6 | 3: f5d6 +2
        [FEN "8/8/8 w"]\n[SetUp "1"]\n\n1. f5 d6\nc3\n\n[Black "b"]\nf5 | 1: the game begins with a position in FEN, which is not read; 7: f5
        1. f5 d6\n2. c3 z9\nf5 f6\n | 2:7: expected a move (A1 to H8, or PS), found "z9"; 3: f5f6
        f5 d6\nf5 z9\n | 1: f5d6; 2:4: expected a move (A1 to H8, or PS), found "z9"
        [FEN "8/8/8/3pP3/3Pp3/8/8/8 w - - 0 1"]\nf5 | 1: the game begins with a position in FEN, which is not read
    "#;
    assert_eq!(summaries("PS\n34-30\n*\n"), [""; 0]);
    for [file, games] in rows(table) {
        assert_eq!(summaries(&file).join("; "), games, "{file}");
    }
}
