//! The OBF reader and writer: every spelling, and what is written reads back.

use outflank::Side;
use outflank::notation::obf::{self, Problem};
use outflank::{Ply, Square};
use outflank_testing::data::random_game;
use outflank_testing::rng::Rng;
use proptest::prelude::*;

fn only(file: impl AsRef<[u8]>) -> Problem {
    let mut problems: Vec<_> = obf::read(file.as_ref()).collect();
    assert_eq!(problems.len(), 1);
    problems.remove(0).expect("the line is well formed")
}

#[test]
fn every_spelling_reads_the_same() {
    let board = "---------------------------OX------XXX--------------------------";
    let plain = only(format!("{board} O; F4:+4; D6:-2;"));
    assert_eq!(plain.side, Side::White);
    let square = |name: &str| Some(name.parse::<Square>().unwrap());
    assert_eq!(plain.moves, [(square("F4"), 4), (square("D6"), -2)]);
    assert_eq!(plain.score, None);
    let respelled = |black: &str, white: &str, empty: &str| {
        let board = board
            .replace('X', black)
            .replace('O', white)
            .replace('-', empty);
        format!("{board} {white}; F4:+4; D6:-2;")
    };
    for black in ["X", "x", "*", "b", "B"] {
        for white in ["O", "o", "w", "W"] {
            for empty in ["-", "."] {
                assert_eq!(only(respelled(black, white, empty)), plain);
            }
        }
    }
    for entries in [
        ";F4:+4;D6:-2",
        "; f4:4; d6:-2;",
        " ;\tF4 : +4 ; D6 :-2 ; ",
        "; --:-127; F4:+4; D6:-2; %",
        "; F4:+4; --:-127; D6:-2;\r",
    ] {
        assert_eq!(only(format!("  {board}\tO{entries}")), plain, "{entries}");
    }
}

#[test]
fn a_score_may_come_without_a_move() {
    let board = "---------------------------OX------XXX--------------------------";
    let scored = only(format!("{board} O; --:+54;"));
    assert_eq!((&scored.moves[..], scored.score), (&[][..], Some(54)));
    for (entries, score, best) in [
        ("", None, None),
        ("--:-127", None, None),
        ("F4:+4; D6:-2", None, Some(4)),
        (" -- : -54 ;", Some(-54), Some(-54)),
        ("--:54; F4:+4; --:-127", Some(54), Some(54)),
        ("F4:+4; --:-64", Some(-64), Some(4)),
    ] {
        let problem = only(format!("{board} O; {entries}"));
        assert_eq!(
            (problem.score, problem.best_score()),
            (score, best),
            "{entries}"
        );
    }
}

#[test]
fn the_mover_comes_first_and_the_line_is_known() {
    let black = only("---------------------------OX------XO--------------------------- X");
    assert_eq!(black.board, outflank::Board::START);
    assert_eq!(black.moves, []);
    let white = only("---------------------------OX------XO--------------------------- O;");
    assert_eq!(white.side, Side::White);
    assert_eq!(white.board, outflank::Board::START.pass());
    assert_eq!(white.squares(), black.squares());
    assert_eq!((black.line, white.line), (1, 1));
    let third = only(format!("\r\n% a comment\r\n{black}\r\n\r\n"));
    assert_eq!(third.line, 3);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_file() {
    let start = outflank::Board::START;
    assert_eq!(only(format!("\u{feff}{start} X;")).board, start);
    assert_eq!(obf::read("\u{feff}".as_bytes()).count(), 0);
}

#[test]
fn comments_name_their_positions() {
    let board = "---------------------------OX------XO--------------------------- X;";
    for (file, name) in [
        (format!("{board} % best first \r\n"), Some("best first")),
        (format!("{board} % FFO #40, 20 empties"), Some("FFO #40")),
        (format!("{board}% the 7th of ffo-7"), Some("FFO #7")),
        (format!("{board} % FFO, see below"), Some("FFO, see below")),
        (format!("{board} % 50 % \u{1b}[2J\u{7}"), Some("50 %  [2J")),
        (format!("{board} % \t"), None),
        (format!("% FFO #40, 20 empties\n{board}"), Some("FFO #40")),
        (format!("%#12: hard\r\n{board}"), Some("#12: hard")),
        (format!("% #12\n{board} % another"), Some("another")),
        // What is not about the next line alone.
        (format!("% two of this file\n{board}"), None),
        (format!("% #12\n\n{board}"), None),
        (format!("% #1 to #19\n% of 1998\n{board}"), None),
    ] {
        let problem = only(&file);
        assert_eq!(problem.name.as_deref(), name, "{file}");
        assert_eq!(only(problem.to_string()).name, problem.name);
    }
    let second = obf::read(format!("% #12\n{board}\n{board}").as_bytes()).nth(1);
    assert_eq!(second.unwrap().unwrap().name, None);
}

#[test]
fn nothing_is_no_problem() {
    for nothing in ["", "\n", "\r\n\r\n", "  \t\n", "% comment", "\n%\n  % X\n"] {
        assert_eq!(obf::read(nothing.as_bytes()).count(), 0, "{nothing:?}");
    }
}

/// A position of a random game with scores for some of its moves.
fn problem(seed: u64) -> Problem {
    let mut rng = Rng::new(seed);
    let game = random_game(&mut rng);
    let board = game[rng.below(game.len())];
    let plies: Vec<Ply> = match board.mobility() {
        0 if board.is_game_over() => vec![],
        0 => vec![None],
        moves => Square::all_in(moves).map(Some).collect(),
    };
    let mut moves = Vec::new();
    for ply in plies {
        if rng.below(4) > 0 {
            moves.insert(
                rng.below(moves.len() + 1),
                (ply, rng.below(129) as i32 - 64),
            );
        }
    }
    let side = [Side::Black, Side::White][rng.below(2)];
    Problem {
        board,
        side,
        moves,
        score: (rng.below(4) == 0).then(|| rng.below(129) as i32 - 64),
        name: (rng.below(4) == 0).then(|| format!("no. {}: 5 % chance", rng.below(100))),
        line: 1,
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(seed: u64) {
        let problem = problem(seed);
        prop_assert_eq!(only(problem.to_string()), problem);
    }

    #[test]
    fn any_bytes_are_problems_or_errors(bytes: Vec<u8>) {
        check_lines(&bytes)?;
    }

    #[test]
    fn any_text_of_the_formats_characters_is_problems_or_errors(
        text in r"[-.Xx*Oo BbWwA1H8PS:;%+\-\r\n\t\x00é]{0,200}"
    ) {
        check_lines(text.as_bytes())?;
    }

    #[test]
    fn a_damaged_line_is_a_problem_or_an_error(seed: u64, at: prop::sample::Index, byte: u8) {
        let mut line = problem(seed).to_string().into_bytes();
        let at = at.index(line.len());
        line[at] = byte;
        check_lines(&line)?;
    }
}

/// Every result is of a line of its own, and an error lies within its line or just behind it.
fn check_lines(file: &[u8]) -> Result<(), TestCaseError> {
    let lines: Vec<_> = file.split(|&byte| byte == b'\n').collect();
    let mut last = 0;
    for result in obf::read(file) {
        let line = match result {
            Ok(problem) => problem.line,
            Err(error) => {
                prop_assert!((1..=lines[error.line - 1].len() + 1).contains(&error.column));
                error.line
            }
        };
        prop_assert!(last < line && line <= lines.len());
        last = line;
    }
    Ok(())
}
