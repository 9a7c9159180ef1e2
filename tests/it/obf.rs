//! OBF: spellings, names, and written problems that read back.

use outflank::notation::obf::{self, Problem};
use outflank::{Board, Ply, Side, Square};
use outflank_random::SplitMix64;
use outflank_testing::data::random_game;
use proptest::prelude::*;

fn read_single(file: impl AsRef<[u8]>) -> Problem {
    let mut problems: Vec<_> = obf::read(file.as_ref()).collect();
    assert_eq!(problems.len(), 1);
    problems.remove(0).expect("the line is well formed")
}

#[test]
fn spellings_read_the_same() {
    let board = "---------------------------OX------XXX--------------------------";
    let plain = read_single(format!("{board} O; F4:+4; D6:-2;"));
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
                assert_eq!(read_single(respelled(black, white, empty)), plain);
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
        let respelled = read_single(format!("  {board}\tO{entries}"));
        assert_eq!(respelled, plain, "{entries}");
    }
}

#[test]
fn a_score_may_come_without_a_move() {
    let board = "---------------------------OX------XXX--------------------------";
    let scored = read_single(format!("{board} O; --:+54;"));
    assert_eq!((&scored.moves[..], scored.score), (&[][..], Some(54)));
    for (entries, score, best) in [
        ("", None, None),
        ("--:-127", None, None),
        ("F4:+4; D6:-2", None, Some(4)),
        (" -- : -54 ;", Some(-54), Some(-54)),
        ("--:54; F4:+4; --:-127", Some(54), Some(54)),
        ("F4:+4; --:-64", Some(-64), Some(4)),
    ] {
        let problem = read_single(format!("{board} O; {entries}"));
        assert_eq!(problem.score, score, "{entries}");
        assert_eq!(problem.best_score(), best, "{entries}");
    }
}

#[test]
fn problems_have_the_mover_first_and_their_line() {
    let black = read_single("---------------------------OX------XO--------------------------- X");
    assert_eq!(black.board, Board::START);
    assert_eq!(black.moves, []);
    let white = read_single("---------------------------OX------XO--------------------------- O;");
    assert_eq!(white.side, Side::White);
    assert_eq!(white.board, Board::START.pass());
    assert_eq!(white.squares(), black.squares());
    assert_eq!((black.line, white.line), (1, 1));
    let third = read_single(format!("\r\n% a comment\r\n{black}\r\n\r\n"));
    assert_eq!(third.line, 3);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let start = Board::START;
    assert_eq!(read_single(format!("\u{feff}{start} X;")).board, start);
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
        // Comments that may be about more than the next line.
        (format!("% two of this file\n{board}"), None),
        (format!("% #12\n\n{board}"), None),
        (format!("% #1 to #19\n% of 1998\n{board}"), None),
    ] {
        let problem = read_single(&file);
        assert_eq!(problem.name.as_deref(), name, "{file}");
        assert_eq!(read_single(problem.to_string()).name, problem.name);
    }
    let second = obf::read(format!("% #12\n{board}\n{board}").as_bytes()).nth(1);
    assert_eq!(second.unwrap().unwrap().name, None);
}

#[test]
fn blank_lines_and_comments_are_skipped() {
    for nothing in ["", "\n", "\r\n\r\n", "  \t\n", "% comment", "\n%\n  % X\n"] {
        assert_eq!(obf::read(nothing.as_bytes()).count(), 0, "{nothing:?}");
    }
}

/// A position of a random game with scores for some of its moves.
fn problem(seed: u64) -> Problem {
    let mut rng = SplitMix64::new(seed);
    let game = random_game(&mut rng);
    let board = game[rng.index(game.len())];
    let plies: Vec<Ply> = match board.mobility() {
        0 if board.is_game_over() => vec![],
        0 => vec![None],
        moves => Square::all_in(moves).map(Some).collect(),
    };
    let mut moves = Vec::new();
    for ply in plies {
        if rng.index(4) > 0 {
            let index = rng.index(moves.len() + 1);
            moves.insert(index, (ply, rng.index(129) as i32 - 64));
        }
    }
    let side = [Side::Black, Side::White][rng.index(2)];
    Problem {
        board,
        side,
        moves,
        score: (rng.index(4) == 0).then(|| rng.index(129) as i32 - 64),
        name: (rng.index(4) == 0).then(|| format!("no. {}: 5 % chance", rng.index(100))),
        line: 1,
    }
}

proptest! {
    #[test]
    fn written_problems_read_back(seed: u64) {
        let problem = problem(seed);
        prop_assert_eq!(read_single(problem.to_string()), problem);
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

/// Checks that each result has a line of its own, and that an error lies within its line or just behind it.
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
