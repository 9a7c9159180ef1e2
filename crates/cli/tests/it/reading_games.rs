//! Input files of every format: selection of positions, names of players and tournaments.

use std::fs;

use crate::common::dialogue::{parsed, problem, random_ggf};
use crate::common::program::{NO_SUCH_FILE, OutputChecks, cli, outflank, run_in};
use crate::common::text::assert_starts;
use crate::reading_names::{convert, numbered};
use crate::solve_cli::{PASS, values};
use outflank::notation::{ply_name, write_position};
use outflank::{Board, Game};
use outflank_testing::command::{Folder, Run, run};
use outflank_testing::data::{game, transcript};
use serde_json::json;

/// Runs `outflank solve` on a file of the folder, with output in JSON.
#[track_caller]
fn solve(folder: &Folder, words: &str, status: i32) -> Run {
    run_in(folder, &format!("solve --hash 1 --json {words}"), status)
}

/// Writes files with these games in three formats. Returns their names.
fn in_every_format(folder: &Folder, games: &[Game]) -> [&'static str; 3] {
    let games: Vec<String> = games.iter().map(transcript).collect();
    folder.file("games.txt", games.join("\n"));
    convert(folder, "ggf", "games.txt", "games.ggf");
    convert(folder, "wthor", "games.txt", "games.wtb");
    ["games.txt", "games.ggf", "games.wtb"]
}

#[test]
fn solve_reads_games_of_every_format() {
    let folder = Folder::new();
    let games = [1, 2, 3].map(game);
    let positions = games.each_ref().map(|game| {
        let mut turns = game.turns();
        turns.find(|(board, _)| board.empty_count() == 7).unwrap()
    });
    let boards = positions.map(|(board, side)| side.black_first(board).to_string());
    let sides = positions.map(|(_, side)| side.letter().to_string());
    for file in in_every_format(&folder, &games) {
        let run = solve(&folder, &format!("--empties 7 {file}"), 0);
        assert_eq!(values(&run, "board"), boards);
        assert_eq!(values(&run, "side"), sides);
        assert_eq!(values(&run, "depth"), [7; 3]);
        assert_eq!(values(&run, "name")[2], "game 3");
        // The position before move 54 is the one after 53 moves, with 7 empty squares.
        let run = solve(&folder, &format!("--move 54 {file}"), 0);
        assert_eq!(values(&run, "board"), boards);
        // A finished game has no position to solve by default.
        let run = solve(&folder, file, 1);
        let hint = "choose a position with --empties N or --move N";
        let message = format!("{file}: 3 games are over: {hint}\n");
        assert_eq!((run.json().len(), run.stderr), (1, message));
    }
    // By default the last position of an unfinished game is solved.
    folder.file("open.txt", &transcript(&games[0])[..2 * 52]);
    let (board, side) = games[0].turns().nth(52).unwrap();
    let last = side.black_first(board).to_string();
    assert_eq!(values(&solve(&folder, "open.txt", 0), "board"), [last]);
    let run = solve(&folder, "--move 61 open.txt", 0);
    assert_eq!(run.stderr, "open.txt: 1 without such a position\n");
    let positions = [problem("ffo-20-39", 0), problem("ffo-1-19", 0)].join("\n");
    folder.file("positions.obf", positions);
    for words in ["--empties 9 open.txt", "--empties 6 positions.obf"] {
        let run = solve(&folder, words, 0);
        assert_eq!(values(&run, "index").len(), 1, "{words}");
    }
}

/// The result is compared with the theoretical score of the game, as with the scores of a problem.
#[test]
fn solve_checks_the_scores_of_games() {
    let folder = Folder::new();
    let mut turns = game(4).turns().collect::<Vec<_>>().into_iter();
    let (board, side) = turns.find(|(board, _)| board.empty_count() == 6).unwrap();
    folder.file("a.obf", format!("{};", write_position(board, side)));
    let run = solve(&folder, "a.obf", 0);
    let score = values(&run, "score")[0].as_i64().unwrap();
    let score = side.black_score(score as i32);
    for (listed, status) in [(score, 0), (score + 2, 1)] {
        let text = random_ggf(4, 60, &[("TS", &format!("6 {listed:+}"))]);
        folder.file("game.ggf", text);
        let run = solve(&folder, "--empties 6 game.ggf", status);
        assert_eq!(values(&run, "ok"), [status == 0]);
    }
}

#[test]
fn tables_show_names_of_positions() {
    let folder = Folder::new();
    let line = problem("ffo-20-39", 0);
    let long = "x".repeat(60);
    let file = format!("% FFO #20, 6 empties\n{line}\n{line} % second\n{line} % {long}\n{line}\n");
    folder.file("named.obf", file);
    let run = run_in(&folder, "solve --hash 1 --lines 2 named.obf", 0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let text = |line: usize, from: usize, to: usize| -> String {
        let letters = lines[line].chars().skip(from);
        letters.take(to - from).collect()
    };
    // The column of names has 46 characters, between speed and principal variation.
    assert_eq!(text(0, 47, 64), "  N/s    | name  ");
    assert_eq!(text(0, 103, 124), "| principal variation");
    assert_eq!(text(1, 46, 58), "----------+-");
    assert_eq!(text(1, 103, 105), "+-");
    let cut = format!("{}…", "x".repeat(45));
    for (row, name) in [(2, "FFO #20"), (4, "second"), (6, &cut), (8, "")] {
        assert_eq!(text(row, 57, 103).trim_end(), name);
        assert_eq!(text(row, 103, 106), " h5");
        // The second best move of the position is in the row below.
        let score = text(row + 1, 13, 16);
        let second = text(row + 1, 8, 104);
        assert_eq!(second.trim(), format!("2.   {}", score.trim()));
        let square = text(row + 1, 104, 106);
        assert!(square.chars().all(|letter| letter.is_ascii_alphanumeric()));
    }
    let names = values(&solve(&folder, "named.obf", 0), "name");
    assert_eq!(json!(names), json!(["FFO #20", "second", long, null]));
    // If no position has a name, there is no column of names.
    folder.file("unnamed.obf", &line);
    let run = run_in(&folder, "solve --hash 1 unnamed.obf", 0);
    let head = " # | depth|score|       time   |  nodes (N)  |   N/s    | principal variation\n";
    run.stdout_starts(head);
}

#[test]
fn analyze_scores_every_move_of_positions() {
    let folder = Folder::new();
    let line = problem("ffo-20-39", 0);
    let listed = parsed(&line);
    let over = "X".repeat(64);
    let start = Board::START;
    let file = format!("{line} % FFO #20\n{PASS}\n{over} O;\n{start} X;\ng9\n");
    folder.file("a.obf", file);
    let analyze = "analyze --hash 1 --level 9 a.obf";
    let run = run_in(&folder, &format!("{analyze} --json"), 1);
    let [ffo, pass, over, start, summary] = &run.json()[..] else {
        panic!("{run:#?}")
    };
    assert_eq!(summary["summary"]["positions"], 4);
    assert_eq!([&ffo["name"], &ffo["side"]], ["FFO #20", "X"]);
    assert_eq!(ffo["exact"], true);
    assert_eq!(ffo["place"], "a.obf:1");
    let moves = ffo["moves"].as_array().unwrap();
    assert_eq!(moves.len(), listed.moves.len());
    let best = listed.best_score().unwrap();
    for (ply, score) in listed.moves {
        let name = ply_name(ply);
        let mut moves = moves.iter();
        let judged = moves.find(|judged| judged["move"] == name);
        let judged = judged.expect("it is listed");
        let scores = [&judged["score"], &judged["loss"]];
        assert_eq!(scores, [score, best - score], "{name}");
        assert_eq!(judged["pv"][0], name);
    }
    let best = &pass["moves"][0];
    assert_eq!([&best["move"], &best["score"]], [&json!("PS"), &json!(-32)]);
    assert_eq!(over["moves"], json!([]));
    // The four moves are equal up to symmetry.
    let losses = [0, 1, 2, 3].map(|index| &start["moves"][index]["loss"]);
    assert_eq!(losses, [0; 4]);
    assert_eq!(json!([start["exact"], start["depth"]]), json!([false, 9]));

    let run = run_in(&folder, &format!("{analyze} --game 1"), 1);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "1. a.obf:1, FFO #20, black to move, 6 empty squares"
    );
    assert_starts(lines[3], "  1| h5    |  +6 |    |     6 | h5");
    assert_starts(lines[4], "  2| g6    |  -2 |  8 |     6 | g6 ");
    let run = run_in(&folder, &format!("{analyze} --game 3"), 1);
    assert_eq!(run.stdout, "3. a.obf:3, the game is over, +64\n\n");
    folder.file("one.obf", format!("{}O- O;\n", "X".repeat(62)));
    let run = run_in(&folder, "analyze --hash 1 one.obf", 0);
    run.stdout_starts("1. one.obf:1, white to move, 1 empty square\n");
}

#[test]
fn positions_and_moves_can_be_arguments() {
    let board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--";
    let options = "--hash 1 --depth 1 --json";
    for (words, squares, side) in [
        (&[&*format!("{board} X")][..], board, "X"),
        (&[board, "X"], board, "X"),
        (&[&*format!("{board}O;")], board, "O"),
    ] {
        let run = run(cli(&format!("solve {options}")).args(words), b"").expect(0);
        let row = &run.json()[0];
        assert_eq!([&row["board"], &row["side"]], [squares, side], "{words:?}");
    }
    for moves in ["f5d6c3", "1. f5 d6 2. c3", "(;GM[Othello]B[F5]W[D6]B[C3];)"] {
        let converted = run(cli("convert --to transcript").arg(moves), b"");
        assert_eq!(converted.stdout, "f5d6c3\n", "{moves}");
        let run = run(cli(&format!("analyze {options}")).arg(moves), b"").expect(0);
        let count = run.json()[0]["moves"].as_array().unwrap().len();
        assert_eq!(count, 3, "{moves}");
    }
    // An existing file takes precedence over moves. An argument that is neither file, position nor moves is reported as
    // a missing file.
    let folder = Folder::new();
    folder.file("f5d6", "f5f6e6");
    let found = run_in(&folder, "convert --to transcript f5d6", 0);
    assert_eq!(found.stdout, "f5f6e6\n");
    let no_side = "argument:1:66: expected the side to move (X or O), found the end of the line";
    let illegal = "argument:1: move 2, F5, is not legal: the square is taken";
    for (word, message) in [
        ("d3.txt", NO_SUCH_FILE),
        ("2011-01-10.wtb", NO_SUCH_FILE),
        ("10-11-0010.ggf", NO_SUCH_FILE),
        ("f5f5", illegal),
        (board, no_side),
    ] {
        let run = run(outflank().args(["solve", "--hash", "1", word]), b"").expect(1);
        run.stderr_has(message);
        if message == NO_SUCH_FILE {
            run.stderr_starts(format!("outflank: {word}: "));
        }
    }
}

/// The records are the same for all formats of the games.
#[test]
fn training_reads_games_of_every_format() {
    let folder = Folder::new();
    let files = in_every_format(&folder, &[1, 2, 3].map(game));
    let generated = files.map(|from| {
        let options = "--games 3 --block 3 --empties 4..6 --exact 6";
        let words = format!("train generate a.records {options} --from {from}");
        run_in(&folder, &words, 0);
        let out = folder.path("a.records");
        let bytes = fs::read(&out).unwrap();
        fs::remove_file(out).unwrap();
        bytes
    });
    assert!(generated[0] == generated[1] && generated[0] == generated[2]);

    // Both formats have equal theoretical scores.
    let score = |file| run_in(&folder, &format!("train score --json {file}"), 0).stdout;
    assert_eq!(score("games.wtb"), score("games.ggf"));
    // `--until` leaves out games of later years. Files without years are refused.
    folder.file("WTH_2001.wtb", numbered(2001));
    convert(&folder, "ggf", "WTH_2001.wtb", "2001.ggf");
    // A date can be a number of seconds since 1970.
    let game = "(;GM[Othello]DT[1100000000]B[F5]W[D6];)\n";
    folder.file("2004.ggf", game);
    let later = "0 games, and 2 of later years than 2000 left out";
    let no_date = "it does not say when its games were played";
    for (from, until, status, message) in [
        ("2001.ggf", 2000, 2, later),
        ("WTH_2001.wtb", 2000, 2, later),
        ("games.txt", 2000, 1, no_date),
        ("2004.ggf", 2003, 2, "1 of later years than 2003 left out"),
    ] {
        let words = format!("train generate a.records --until {until} --from {from}");
        run_in(&folder, &words, status).stderr_has(message);
    }
    for file in ["2001.ggf", "WTH_2001.wtb", "2004.ggf"] {
        let words = format!("train fit --out a.weights --games-weight 1 --until 2000 {file}");
        run_in(&folder, &words, 1).stderr_has("no position to learn from");
    }
}
