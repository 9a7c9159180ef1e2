//! Spellings of positions and games in circulation, and errors of ambiguous texts.

use outflank::notation::{
    self, Contents, Format, FormatError, GameRecord, Problem, ReadOneError, read_one, read_position,
};
use outflank::{Board, Side};
use outflank_testing::data::transcript;
use outflank_testing::table::rows;

const SQUARES: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--";

/// Reads a text with one position.
fn problem(text: &str) -> Problem {
    match read_one(text) {
        Ok(Contents::Position(problem)) => problem,
        other => panic!("{text}: {other:?}"),
    }
}

/// Reads a text with one game.
fn game(text: &str) -> GameRecord {
    match read_one(text) {
        Ok(Contents::Game(record)) => record,
        other => panic!("{text}: {other:?}"),
    }
}

/// `SQUARES` with other characters for black, white and empty squares.
fn respelled(signs: [char; 3]) -> String {
    let sign = |square| match square {
        'X' => signs[0],
        'O' => signs[1],
        _ => signs[2],
    };
    SQUARES.chars().map(sign).collect()
}

/// `SQUARES` in words of `width` squares.
fn divided(width: usize, between: &str) -> String {
    let squares: Vec<char> = SQUARES.chars().collect();
    let words = squares.chunks(width).map(String::from_iter);
    words.collect::<Vec<_>>().join(between)
}

#[test]
fn exercises_need_no_discs_in_the_centre() {
    let squares = "XX-XO----O".to_owned() + &"-".repeat(54);
    let exercise = problem(&format!("{squares} X;"));
    assert_eq!(exercise.to_string(), format!("{squares} X;"));
    let board = squares.replace('X', "*");
    for text in [
        format!("(;GM[Othello]BO[8 {board} *]B[C3];)"),
        "(;GM[2]AB[aa][ba][da]AW[ea][bb]PL[B];B[cc])".to_owned(),
    ] {
        let record = game(&text);
        assert_eq!(
            record.game.start(),
            (exercise.board, exercise.side),
            "{text}"
        );
        assert_eq!(
            game(&notation::ggf::write(&record)).game,
            record.game,
            "{text}"
        );
    }
}

#[test]
fn spellings_of_a_position_read_the_same() {
    let plain = problem(&format!("{SQUARES} X; G8:+18"));
    assert_eq!((plain.side, plain.best_score()), (Side::Black, Some(18)));
    let position = (plain.board, plain.side);
    let signs = [
        ["X", "O", "-"],
        ["x", "o", "."],
        ["*", "O", "-"],
        ["B", "W", "_"],
        ["b", "w", "."],
        ["1", "0", "-"],
        ["X", "0", "-"],
        ["●", "○", "・"],
        ["⚫", "⚪", "-"],
        ["Ｘ", "Ｏ", "－"],
    ];
    for [black, white, empty] in signs {
        let first = |text: &str| text.chars().next().unwrap();
        let squares = respelled([first(black), first(white), first(empty)]);
        for side in [black, "black", "BLACK to move", "X to play", "Black's turn"] {
            for scores in ["; G8:+18", ";g8:18;", "; G8 : +18 ; % a comment"] {
                let text = format!("{squares} {side}{scores}");
                let found = problem(&text);
                assert_eq!((found.board, found.side), position, "{text}");
                assert_eq!(found.moves, plain.moves, "{text}");
                let read = read_position(&format!("{squares} {side}"));
                assert_eq!(read, Ok(position), "{text}");
            }
        }
        // Exchanged colours have the same board, mover first.
        let squares = respelled([first(white), first(black), first(empty)]);
        let found = problem(&format!("{squares} {white}"));
        assert_eq!(found.board, plain.board, "{white}");
    }
    let tall = divided(8, "\n");
    let numbered = |letters: &str, behind: &str| {
        let rows = SQUARES.chars().collect::<Vec<_>>();
        let rows = rows.chunks(8).zip(1..).map(|(row, number)| {
            let row: Vec<String> = row.iter().map(char::to_string).collect();
            let behind = behind.replace('#', &number.to_string());
            format!("{number} {}{behind}\n", row.join(" "))
        });
        format!("{letters}\n{}", rows.collect::<String>())
    };
    let letters = "  A B C D E F G H";
    let border = "+-----------------+";
    let boxed = (1..=8).fold(numbered("", " |"), |rows, number| {
        rows.replace(&format!("{number} "), "| ")
    });
    let edax = numbered(letters, " #").replacen(" 4\n", " 4 X to move\n", 1);
    for text in [
        format!("{SQUARES}X"),
        format!("{SQUARES}X;"),
        format!("{SQUARES}black;"),
        format!("{SQUARES}X to move"),
        format!("{SQUARES}*;"),
        format!("{}X;", divided(8, " ")),
        format!("{} X;", divided(1, " ")),
        format!("{} X;", divided(8, "/")),
        format!("{}/ X;", divided(8, "/")),
        format!("{} X", divided(8, " ")),
        format!("{tall}\n\nX\n"),
        format!("{tall}\nblack to move"),
        format!("{}X", tall.replace('\n', "\r\n") + "\r\n"),
        format!("{}\nBLACK to move\n", numbered("  a b c d e f g h", "")),
        format!("{}{letters}\nX", numbered(letters, " #")),
        format!("{border}\n{}{border}\nX", boxed.trim_start()),
        edax,
    ] {
        let found = problem(&text);
        assert_eq!((found.board, found.side), position, "{text}");
        assert_eq!(read_position(&text), Ok(position), "{text}");
    }
    let named = problem(&format!("# a comment\n{tall}\nX % FFO #40"));
    assert_eq!(named.board, plain.board);
    assert_eq!(named.name.as_deref(), Some("FFO #40"));
    // White to move.
    let white = "  a b c d e f g h\n1 . . X O . O . .\n2 . . X O O O . .\n3 O O X X O O X .\n4 . O O O X O O .\n\
        5 . . O X O X X X\n6 . X X X X X . .\n7 . . O X X . . .\n8 . . X . . . . .\nWHITE to move\n";
    let white = problem(white);
    assert_eq!((white.side, white.board.empty_count()), (Side::White, 29));
}

#[test]
fn spellings_of_a_game_read_the_same() {
    let sgf_start = "AB[e4][d5]AW[d4][e5]PL[B]";
    let quest = r#"{"name":"player","args":[{"gtype":"reversi1","players":[{"id":"b","oldR":1500.0},{"id":"w"}],
        "position":{"moves":[{"t":1,"m":"f5"},{"t":218,"m":"d6"},{"t":639,"m":"c3"}]},"created":"2024-01-01T00:00:00.000Z"}]}"#;
    for text in [
        "f5d6c3".to_owned(),
        "1. F5 d6\n2. C3".to_owned(),
        "1. f5 d6 2. c3 30-34".to_owned(),
        "f5\nd6\nc3\n".to_owned(),
        "ｆ５ｄ６ｃ３".to_owned(),
        "[Event \"?\"]\n[Date \"2026.??.??\"]\n[Result \"*\"]\n\n 1. f5 d6\n2. c3\n{? wins -31-95} *\n".to_owned(),
        format!("{} X\nf5d6c3", Board::START),
        format!("{}\nX\n1. f5 d6\n2. c3\n", "--------\n--------\n--------\n---OX---\n---XO---\n--------\n--------\n--------"),
        "(;GM[Othello]B[F5]W[D6]B[C3];)".to_owned(),
        format!("(;FF[4]GM[2]AP[edax:4.5.6]\nPB[?]PW[?]\nSZ[8]{sgf_start}\nRE[Void]\nB[f5];W[d6];\nB[c3];)"),
        "(;GM[2]FF[4];B[fe];W[df];B[cc](;C[the main line])(;W[aa]))".to_owned(),
        quest.to_owned(),
    ] {
        let record = game(&text);
        assert_eq!(transcript(&record.game), "f5d6c3", "{text}");
        assert!(record.game.has_usual_start(), "{text}");
        assert_eq!(record.players().is_some(), text == quest, "{text}");
    }
    let record = game(quest);
    assert_eq!(record.year(), Some(2024));
    assert_eq!(record.notes[1].seconds, Some(0.218));
    assert_eq!(record.property("PB"), Some("b"));
    assert_eq!(record.property("RB"), Some("1500"));
    // The main line of variations, and setup stones.
    let record =
        game("(;GM[2]PL[W]AB[d3:d5][e4]AW[e5]RE[B+4]PB[a]BR[1500];W[c3](;B[c4];W[e3])(;B[c5]))");
    assert_eq!(transcript(&record.game), "c3c4e3");
    assert_eq!(record.score(), Some(4));
    assert_eq!(record.property("RB"), Some("1500"));
    assert_eq!(record.game.start().1, Side::White);
}

#[test]
fn ambiguous_and_faulty_texts_are_errors() {
    let tall = divided(8, "\n");
    let table = r#"
        TALL | text:8:1: expected the side to move (X or O), found the end of the line
        ROWS | expected 8 rows of 8 squares, found
        SQUARES | text:1:65: expected the side to move
        MARKED X | found both X and *, which may mark legal moves
        WIDE X | expected 64 squares, found 16
        SQUARES X\nSQUARES X | expected one position or game, found several
        START X\nf5f5 | text:2: move 2, F5, is not legal: the square is taken
        [FEN "8/8 w"]\n1. f5 | text:1: the game begins with a position in FEN, which is not read
        (;FF[4]GM[1]B[dd]) | expected a game of Othello, found "1"
        (;GM[2]SZ[10]B[f5]) | expected a board of 8x8 squares
        (;GM[2]AB[e4][d5]AW[d4][e5]) | expected the side to move (PL[B] or PL[W]) with the board
        (;GM[2]B[z9]) | expected a square (A1 to H8, or aa to hh), found "z9"
        {"args": [1]} | text:1: expected a game of Othello Quest (position.moves)
        {"args": [ | expected JSON
        {"position": {"moves": [{"m": "a1"}]}} | text:1: move 1, A1, is not legal
        {"gtype": "shogi", "position": {"moves": []}} | expected a game of Othello (reversi), found "shogi"
    "#;
    for [text, expected] in rows(table) {
        let text = text
            .replace("TALL", &tall)
            .replace("ROWS", &tall[..8 * 7])
            .replace("SQUARES", SQUARES)
            .replace("MARKED", &SQUARES.replacen('-', "*", 2))
            .replace("WIDE", &divided(16, " "))
            .replace("START", &Board::START.to_string());
        let error = read_one(&text).unwrap_err().to_string();
        assert!(error.contains(&expected), "{text}\n{error}");
    }
    let nothing = ReadOneError::Format(FormatError::Empty);
    assert_eq!(read_one(""), Err(nothing));
    // Deep nesting is an error, not a stack overflow.
    let deep = "[".repeat(1_000_000) + "{";
    let read = notation::read(deep.as_bytes(), Format::OthelloQuest).next();
    assert!(read.unwrap().is_err());
}

#[test]
fn a_faulty_board_leaves_the_others_readable() {
    let tall = divided(8, "\n");
    let numbered: String = (1..)
        .zip(tall.lines())
        .map(|(number, row)| format!("{number} {row}\n"))
        .collect();
    let bad_row = numbered.replacen("3 -OO", "3 ?OO", 1);
    for faulty in [
        numbered.clone(),
        bad_row + "X\n",
        tall.lines().take(5).collect::<Vec<_>>().join("\n"),
    ] {
        let file = format!("{faulty}\n{numbered}black to move % second\n");
        let entries: Vec<_> = notation::read(file.as_bytes(), Format::Obf).collect();
        let good: Vec<_> = entries.iter().flatten().collect();
        let [entry] = good[..] else {
            panic!("{file}\n{entries:?}")
        };
        let Contents::Position(problem) = &entry.contents else {
            panic!()
        };
        assert_eq!(problem.name.as_deref(), Some("second"), "{file}");
        assert!(entries.len() <= 3, "{file}\n{entries:?}");
    }
}

#[test]
fn moves_below_a_position_are_a_game_with_its_name() {
    let moves = "f5 {good\nbad} d6 # a comment\n2. c3\n34-30\n";
    let record = game(&format!("{} X % cup\n{moves}", Board::START));
    assert_eq!(transcript(&record.game), "f5d6c3");
    assert_eq!(record.property("EV"), Some("cup"));
    assert_eq!(record.score(), Some(4));
}

#[test]
fn passes_of_othello_quest_do_not_change_the_time_of_moves() {
    let quest =
        r#"{"position":{"moves":[{"t":1000,"m":"f5"},{"t":2000,"m":"d6"},{"t":9000,"m":"-"}]}}"#;
    assert_eq!(game(quest).notes[1].seconds, Some(2.0));
}
