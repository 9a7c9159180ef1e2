//! Input files of every format: selection of positions, names of players and tournaments.

use std::fs;
use std::process::Command;

use crate::common::dialogue::problem;
use crate::common::program::{OutputChecks, cli, outflank, run_cli, run_on_file};
use outflank::notation::obf;
use outflank::{Board, Game};
use outflank_testing::command::{Folder, Run, run};
use outflank_testing::data::{database, game, transcript};
use serde_json::{Value, json};

/// Rows of the output of `solve --json`, without the summary.
fn rows(run: &Run) -> Vec<Value> {
    let mut rows = run.json();
    rows.pop();
    rows
}

#[test]
fn solve_reads_games_of_every_format() {
    let folder = Folder::new();
    let games = [game(1), game(2), game(3)];
    let text: Vec<String> = games.iter().map(transcript).collect();
    let text = folder.file("games.txt", text.join("\n"));
    let [ggf, wtb] = ["ggf", "wthor"].map(|format| {
        let out = folder.path(&format!("games.{format}"));
        let words = format!("convert --to {format} --out {}", out.display());
        run_on_file(&words, &text).expect(0);
        out
    });
    for file in [text, ggf, wtb] {
        let run = run_on_file("solve --hash 1 --json --empties 7", &file).expect(0);
        let found = rows(&run);
        assert_eq!(found.len(), 3, "{run:#?}");
        for (row, game) in found.iter().zip(&games) {
            let mut turns = game.turns();
            let (board, side) = turns.find(|(board, _)| board.empty_count() == 7).unwrap();
            assert_eq!(row["board"], side.black_first(board).to_string());
            assert_eq!(row["side"], side.letter().to_string());
            assert_eq!(row["depth"], 7);
        }
        assert_eq!(found[2]["name"], "game 3");
        // The position before move 54 is the one after 53 moves, with 7 empty squares.
        let same = run_on_file("solve --hash 1 --json --move 54", &file).expect(0);
        let boards = |rows: Vec<Value>| rows.into_iter().map(|row| row["board"].clone());
        assert!(boards(rows(&same)).eq(boards(found)));
        // A finished game has no position to solve by default.
        let run = run_on_file("solve --hash 1 --json", &file).expect(1);
        let message = format!(
            "{}: 3 games are over: choose a position with --empties N or --move N\n",
            file.display()
        );
        assert_eq!((run.json().len(), run.stderr), (1, message));
    }
    // By default the last position of an unfinished game is solved.
    let open = folder.file("open.txt", &transcript(&games[0])[..2 * 52]);
    let run = run_on_file("solve --hash 1 --json", &open).expect(0);
    assert_eq!(rows(&run)[0]["board"], {
        let (board, side) = games[0].turns().nth(52).unwrap();
        side.black_first(board).to_string()
    });
    let run = run_on_file("solve --hash 1 --json --empties 9", &open).expect(0);
    assert_eq!(rows(&run).len(), 1);
    let run = run_on_file("solve --hash 1 --json --move 61", &open).expect(0);
    assert_eq!(
        run.stderr,
        format!("{}: 1 without such a position\n", open.display())
    );
    let positions = folder.file(
        "positions.obf",
        [problem("ffo-20-39", 0), problem("ffo-1-19", 0)].join("\n"),
    );
    let run = run_on_file("solve --hash 1 --json --empties 6", &positions).expect(0);
    assert_eq!(rows(&run).len(), 1);
    for words in [
        "solve - --empties 61",
        "solve - --move 0",
        "solve - --move 5 --empties 5",
    ] {
        run_cli(words).expect(2);
    }
}

/// The moves of a game in GGF.
fn ggf_moves(game: &Game) -> String {
    let turns = game.turns().zip(game.moves());
    let moves = turns.map(|((_, side), square)| format!("{}[{square}]", ["B", "W"][side as usize]));
    moves.collect()
}

/// The result is compared with the theoretical score of the game, as with the scores of a problem.
#[test]
fn solve_checks_the_scores_of_games() {
    let folder = Folder::new();
    let game = game(4);
    let mut turns = game.turns();
    let (board, side) = turns.find(|(board, _)| board.empty_count() == 6).unwrap();
    let position = format!("{} {};", side.black_first(board), side.letter());
    let run = run_on_file("solve --hash 1 --json", &folder.file("a.obf", position));
    let score = rows(&run)[0]["score"].as_i64().unwrap();
    let score = side.black_score(score as i32);
    let moves = ggf_moves(&game);
    for (listed, status) in [(score, 0), (score + 2, 1)] {
        let file = folder.file(
            "game.ggf",
            format!("(;GM[Othello]TS[6 {listed:+}]{moves};)"),
        );
        let run = run_on_file("solve --hash 1 --json --empties 6", &file).expect(status);
        assert_eq!(rows(&run)[0]["ok"], json!(status == 0));
    }
}

#[test]
fn tables_show_names_of_positions() {
    let folder = Folder::new();
    let line = problem("ffo-20-39", 0);
    let long = "x".repeat(60);
    let file = format!("% FFO #20, 6 empties\n{line}\n{line} % second\n{line} % {long}\n{line}\n");
    let file = folder.file("named.obf", file);
    let run = run_on_file("solve --hash 1 --lines 2", &file).expect(0);
    let lines = run.stdout.lines();
    let lines: Vec<Vec<char>> = lines.map(|line| line.chars().collect()).collect();
    let text = |line: usize, from: usize, to: usize| -> String {
        let end = to.min(lines[line].len());
        lines[line][from..end].iter().collect()
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
        assert_eq!(
            text(row + 1, 8, 104).trim(),
            format!("2.   {}", score.trim())
        );
        let square = text(row + 1, 104, 106);
        assert!(square.chars().all(|letter| letter.is_ascii_alphanumeric()));
    }
    let json = run_on_file("solve --hash 1 --json", &file).expect(0);
    let names: Vec<_> = rows(&json).iter().map(|row| row["name"].clone()).collect();
    assert_eq!(json!(names), json!(["FFO #20", "second", long, null]));
    // If no position has a name, there is no column of names.
    let unnamed = folder.file("unnamed.obf", &line);
    let run = run_on_file("solve --hash 1", &unnamed).expect(0);
    run.stdout_starts(
        " # | depth|score|       time   |  nodes (N)  |   N/s    | principal variation\n",
    );
}

#[test]
fn analyze_scores_every_move_of_positions() {
    let folder = Folder::new();
    let line = problem("ffo-20-39", 0);
    let listed = obf::read(line.as_bytes()).next().unwrap().unwrap();
    let pass = "-XXXXXXXXOXXXOOOXOXXXXOOXXOXXXOOXOOOXOOOXOOXOOOO-OXXXO--OOOOOOO- O;";
    let over = "X".repeat(64);
    let start = Board::START;
    let file = format!("{line} % FFO #20\n{pass}\n{over} O;\n{start} X;\ng9\n");
    let file = folder.file("a.obf", file);
    let run = run_on_file("analyze --hash 1 --level 9 --json", &file).expect(1);
    let [ffo, pass, over, start, summary] = &run.json()[..] else {
        panic!("{run:#?}")
    };
    assert_eq!(summary["summary"]["positions"], 4);
    assert_eq!([&ffo["name"], &ffo["side"]], ["FFO #20", "X"]);
    assert_eq!(ffo["exact"], true);
    assert_eq!(ffo["place"], format!("{}:1", file.display()));
    let moves = ffo["moves"].as_array().unwrap();
    assert_eq!(moves.len(), listed.moves.len());
    for (ply, score) in &listed.moves {
        let name = outflank::notation::ply_name(*ply);
        let mut moves = moves.iter();
        let judged = moves
            .find(|judged| judged["move"] == name)
            .expect("it is listed");
        assert_eq!(judged["score"], *score, "{name}");
        assert_eq!(
            judged["loss"],
            listed.best_score().unwrap() - score,
            "{name}"
        );
        assert_eq!(judged["pv"][0], name);
    }
    let best = &pass["moves"][0];
    assert_eq!([&best["move"], &best["score"]], [&json!("PS"), &json!(-32)]);
    assert_eq!(over["moves"], json!([]));
    // The four moves are equal up to symmetry.
    let losses = start["moves"].as_array().unwrap().iter();
    let losses: Vec<_> = losses.map(|judged| judged["loss"].clone()).collect();
    assert_eq!(losses, [0; 4]);
    assert_eq!(
        [&start["exact"], &start["depth"]],
        [&json!(false), &json!(9)]
    );

    let run = run_on_file("analyze --hash 1 --level 9 --game 1", &file).expect(1);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let place = file.display();
    assert_eq!(
        lines[0],
        format!("1. {place}:1, FFO #20, black to move, 6 empty squares")
    );
    assert!(
        lines[3].starts_with("  1| h5    |  +6 |    |     6 | h5"),
        "{}",
        lines[3]
    );
    assert!(
        lines[4].starts_with("  2| g6    |  -2 |  8 |     6 | g6 "),
        "{}",
        lines[4]
    );
    let one_empty = folder.file("one.obf", format!("{}- O;\n", "X".repeat(62) + "O"));
    let run = run_on_file("analyze --hash 1", &one_empty).expect(0);
    let line = format!(
        "1. {}:1, white to move, 1 empty square\n",
        one_empty.display()
    );
    run.stdout_starts(&line);
    let run = run_on_file("analyze --hash 1 --level 9 --game 3", &file).expect(1);
    assert_eq!(
        run.stdout,
        format!("3. {place}:3, the game is over, +64\n\n")
    );
}

#[test]
fn positions_and_moves_can_be_arguments() {
    let board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--";
    let depth = ["--hash", "1", "--depth", "1", "--json"];
    for (words, squares, side) in [
        (vec!["solve".to_owned(), format!("{board} X")], board, "X"),
        (
            vec!["solve".to_owned(), board.to_owned(), "X".to_owned()],
            board,
            "X",
        ),
        (vec!["solve".to_owned(), format!("{board}O;")], board, "O"),
    ] {
        let run = run(outflank().args(&words).args(depth), b"").expect(0);
        let row = &rows(&run)[0];
        assert_eq!([&row["board"], &row["side"]], [squares, side], "{words:?}");
    }
    for moves in ["f5d6c3", "1. f5 d6 2. c3", "(;GM[Othello]B[F5]W[D6]B[C3];)"] {
        let converted = run(
            outflank().args(["convert", "--to", "transcript", moves]),
            b"",
        );
        assert_eq!(converted.stdout, "f5d6c3\n", "{moves}");
        let run = run(outflank().args(["analyze", moves]).args(depth), b"").expect(0);
        let count = run.json()[0]["moves"].as_array().unwrap().len();
        assert_eq!(count, 3, "{moves}");
    }
    // An existing file takes precedence over moves. An argument that is neither file, position nor moves is reported as
    // a missing file.
    let folder = Folder::new();
    folder.file("f5d6", "f5f6e6");
    let found = run(
        outflank()
            .current_dir(folder.path(""))
            .args(["convert", "--to", "transcript", "f5d6"]),
        b"",
    );
    assert_eq!(found.stdout, "f5f6e6\n");
    for (word, message) in [
        ("d3.txt", "d3.txt: No such file"),
        ("2011-01-10.wtb", "2011-01-10.wtb: No such file"),
        ("10-11-0010.ggf", "10-11-0010.ggf: No such file"),
        (
            "f5f5",
            "argument:1: move 2, F5, is not legal: the square is taken",
        ),
        (
            board,
            "argument:1:66: expected the side to move (X or O), found the end of the line",
        ),
    ] {
        let run = run(outflank().args(["solve", "--hash", "1", word]), b"").expect(1);
        run.stderr_has(message);
    }
}

/// Builds a list of names in the format of WTHOR, with `bytes` bytes per name.
fn names(names: &[&str], bytes: usize) -> Vec<u8> {
    let mut file = vec![20, 26, 1, 31, 0, 0, 0, 0];
    file.extend((names.len() as u16).to_le_bytes());
    file.extend([0; 6]);
    for name in names {
        // All letters of these tests are in ISO 8859-1.
        let letters: Vec<u8> = name.chars().map(|letter| letter as u8).collect();
        file.extend(&letters);
        file.extend(vec![0; bytes - letters.len()]);
    }
    file
}

/// Builds the database of a year with two games: tournament 1 with players 2 and 1, tournament 9 with players 0 and 9.
fn numbered(year: u16) -> Vec<u8> {
    let moves = [56, 64, 43, 34, 23, 32];
    let mut bytes = database(year, &[&moves, &moves]);
    for (game, numbers) in [[1, 2, 1], [9, 0, 9]].into_iter().enumerate() {
        for (index, number) in numbers.into_iter().enumerate() {
            bytes[16 + 68 * game + 2 * index] = number;
        }
    }
    bytes
}

#[test]
fn numbers_of_databases_get_names() {
    let folder = Folder::new();
    let bytes = numbered(2001);
    let games = folder.file("WTH_2001.wtb", &bytes);
    let convert = |to: &str| run_on_file(&format!("convert --to {to}"), &games);
    // Without lists of names, players and tournaments stay numbers.
    let before = convert("ggf").expect(0);
    before.stdout_starts("(;GM[Othello]PC[#1]DT[2001]PB[#2]PW[#1]RE");
    assert_eq!(before.stderr, "2 written\n");
    let row = rows(&run_on_file("solve --hash 1 --depth 1 --json", &games).expect(0)).remove(0);
    assert_eq!(row["name"], "game 1");

    // `WTH.JOU` is read, but `WTHOR.JOU` takes precedence.
    let short = folder.file("WTH.JOU", names(&["1", "2", "3"], 20));
    assert!(convert("ggf").expect(0).stdout.contains("PB[3]PW[2]"));
    folder.file("WTHOR.JOU", names(&["a", "b", "c"], 20));
    assert!(convert("ggf").expect(0).stdout.contains("PB[c]PW[b]"));
    fs::remove_file(folder.path("WTHOR.JOU")).unwrap();
    fs::remove_file(short).unwrap();

    // The case of the file names does not matter.
    folder.file(
        "wthor.jou",
        names(&["???", "Feinstein Jonathan", "Désiré Dupont"], 20),
    );
    folder.file("WTHOR.TRN", names(&["Paris", "Championnat de Nîmes"], 26));
    let named = convert("ggf").expect(0);
    let lines: Vec<&str> = named.stdout.lines().collect();
    let first = "(;GM[Othello]EV[Championnat de Nîmes]DT[2001]PB[Désiré Dupont]PW[Feinstein Jonathan]RE[+0]";
    assert!(lines[0].starts_with(first), "{}", lines[0]);
    assert!(
        lines[1].starts_with("(;GM[Othello]PC[#9]DT[2001]PB[???]PW[#9]RE"),
        "{}",
        lines[1]
    );
    let run_ = run_on_file("solve --hash 1 --depth 1", &games).expect(0);
    run_.stdout_has(" 1. Désiré Dupont - Feinstein Jonathan ");
    let run_ = run_on_file("analyze --hash 1 --depth 1 --json --game 1", &games).expect(0);
    assert_eq!(
        run_.json()[0]["players"],
        json!({"black": "Désiré Dupont", "white": "Feinstein Jonathan"})
    );
    let run_ = convert("obf").expect(0);
    let first = run_.stdout.lines().next().unwrap();
    assert!(
        first.ends_with("; % 1. Désiré Dupont - Feinstein Jonathan"),
        "{first}"
    );

    // Conversion back looks up names in the lists beside the new file. Conversion between databases keeps the numbers.
    let ggf = folder.file("games.ggf", &named.stdout);
    for (from, out) in [
        (&ggf, folder.path("back.wtb")),
        (&games, folder.path("again.wtb")),
    ] {
        let converted =
            run_on_file(&format!("convert --to wthor --out {}", out.display()), from).expect(0);
        assert_eq!(converted.stderr, format!("{}: 2 written\n", out.display()));
        assert_eq!(fs::read(&out).unwrap()[4..], bytes[4..]);
    }
    // In a folder without lists the names are lost, and a message says so.
    let elsewhere = Folder::new();
    let out = elsewhere.path("back.wtb");
    let converted =
        run_on_file(&format!("convert --to wthor --out {}", out.display()), &ggf).expect(0);
    let lost = format!(
        "{}: 2 written, 2 games lose properties that the format cannot hold\n",
        out.display()
    );
    assert_eq!(converted.stderr, lost);
}

#[test]
fn damaged_lists_of_names_are_a_warning() {
    let folder = Folder::new();
    let [first, second] =
        [2001, 2002].map(|year| folder.file(&format!("WTH_{year}.wtb"), numbered(year)));
    let mut players = names(&["a", "b", "c"], 20);
    players.pop();
    let players = folder.file("WTHOR.JOU", players);
    let tournaments = folder.file("WTHOR.TRN", "short");
    let run = run(cli("convert --to ggf").args([&first, &second]), b"").expect(0);
    // Each list is reported once per folder, not once per database.
    let message = format!(
        "{}: damaged: expected 76 bytes for the 3 names of the header, found 75; players are shown as \
         numbers\n{}: damaged: expected a header of 16 bytes, found 5; tournaments are shown as numbers\n\
         4 written\n",
        players.display(),
        tournaments.display()
    );
    assert_eq!(run.stderr, message);
    run.stdout_has("PC[#1]DT[2002]PB[#2]PW[#1]");
}

/// Other files are not opened, because a pipe without a writer blocks its reader.
#[cfg(unix)]
#[test]
fn only_regular_files_are_lists_of_names() {
    let folder = Folder::new();
    let games = folder.file("WTH_2001.wtb", numbered(2001));
    let pipe = folder.path("WTHOR.JOU");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("there is mkfifo").success());
    let directory = folder.path("WTHOR.TRN");
    fs::create_dir(&directory).unwrap();
    let run = run_on_file("convert --to ggf", &games).expect(0);
    let message = format!(
        "{}: ignored, as it is no regular file; players are shown as numbers\n{}: ignored, as it is no \
         regular file; tournaments are shown as numbers\n2 written\n",
        pipe.display(),
        directory.display()
    );
    assert_eq!(run.stderr, message);
    // A list of the same name in another case is read.
    folder.file("wthor.jou", names(&["a", "b", "c"], 20));
    fs::remove_dir(directory).unwrap();
    let run = run_on_file("convert --to ggf", &games).expect(0);
    assert_eq!(run.stderr, "2 written\n");
    run.stdout_has("PB[c]PW[b]");
}

/// The records are the same for all formats of the games.
#[test]
fn training_reads_games_of_every_format() {
    let folder = Folder::new();
    let games: Vec<String> = (1..=3).map(|seed| transcript(&game(seed))).collect();
    let text = folder.file("games.txt", games.join("\n"));
    let [ggf, wtb] = ["ggf", "wthor"].map(|format| folder.path(&format!("games.{format}")));
    for (from, to, out) in [(&text, "wthor", &wtb), (&wtb, "ggf", &ggf)] {
        run_on_file(&format!("convert --to {to} --out {}", out.display()), from).expect(0);
    }
    let generated = [&text, &ggf, &wtb].map(|from| {
        let out = folder.path("a.records");
        let words = format!(
            "train generate {} --games 3 --block 3 --empties 4..6 --exact 6 --from",
            out.display()
        );
        run_on_file(&words, from).expect(0);
        let bytes = fs::read(&out).unwrap();
        fs::remove_file(out).unwrap();
        bytes
    });
    assert!(generated[0] == generated[1] && generated[0] == generated[2]);

    // Both formats have equal theoretical scores.
    let bytes = numbered(2001);
    let numbered = folder.file("WTH_2001.wtb", &bytes);
    let dated = folder.path("2001.ggf");
    run_on_file(
        &format!("convert --to ggf --out {}", dated.display()),
        &numbered,
    )
    .expect(0);
    let scores = [&wtb, &ggf].map(|from| run_on_file("train score --json", from).expect(0).stdout);
    assert_eq!(scores[0], scores[1]);
    // `--until` leaves out games of later years. Files without years are refused.
    for (from, message) in [
        (&dated, "0 games, and 2 of later years than 2000 left out"),
        (
            &numbered,
            "0 games, and 2 of later years than 2000 left out",
        ),
        (&text, "it does not say when its games were played"),
    ] {
        let run = run_on_file("train generate a.records --until 2000 --from", from);
        assert!(run.status != 0 && run.stderr.contains(message), "{run:#?}");
    }
    // A date can be a number of seconds since 1970.
    let in_2004 = folder.file("2004.ggf", "(;GM[Othello]DT[1100000000]B[F5]W[D6];)\n");
    let run_ = run_on_file("train generate a.records --until 2003 --from", &in_2004);
    run_.stderr_has("1 of later years than 2003 left out");
    for from in [&dated, &numbered, &in_2004] {
        let run = run_on_file(
            "train fit --out a.weights --games-weight 1 --until 2000",
            from,
        )
        .expect(1);
        run.stderr_has("no position to learn from");
    }
}
