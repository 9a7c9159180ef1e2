//! `outflank show`, and positions in several spellings on the command line and in files.

use std::fs;

use outflank::notation::Spelling;
use outflank::{Board, Side};
use outflank_testing::command::{Folder, run};

use crate::common::program::{OutputChecks, cli_in, refuse_all, run_in};

/// Numbers of leaves that `outflank perft DEPTH POSITION` counts.
fn leaves(folder: &Folder, arguments: &str) -> Vec<u64> {
    let run = run_in(folder, &format!("perft {arguments}"), 0);
    let rows = run.stdout.lines().skip(2);
    let leaves = rows.map(|row| row.split_whitespace().nth(1).unwrap().parse());
    leaves.map(|leaves| leaves.unwrap()).collect()
}

#[test]
fn positions_are_shown_in_all_spellings() {
    let folder = Folder::new();
    let run = run_in(&folder, "show f5d6", 0);
    run.stdout_has("    A B C D E F G H")
        .stdout_has("black to move");
    assert!(!run.stdout.contains('\x1b'), "no colours in a pipe");
    let written: Vec<String> = Spelling::ALL
        .iter()
        .map(|spelling| run_in(&folder, &format!("show f5d6 --as {}", spelling.name()), 0).stdout)
        .collect();
    // F5 and D6 flip one disc each.
    let expected = "---------------------------OX------OXX-----O-------------------- X\n";
    assert_eq!(written[0], expected);
    for text in &written {
        for spelling in Spelling::ALL {
            let line = format!("show '{}' --as {}", text.trim(), spelling.name());
            let index = Spelling::ALL
                .iter()
                .position(|&other| other == spelling)
                .unwrap();
            assert_eq!(run_in(&folder, &line, 0).stdout, written[index], "{line}");
        }
        run.stdout_has(text);
    }
}

#[test]
fn all_commands_read_all_spellings() {
    let folder = Folder::new();
    // The position with 14 empty squares of the README.
    let obf = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let run = run(&mut cli_in(&folder, &format!("show '{obf}'")), b"").expect(0);
    let spelling = |name: &str| -> String {
        let mut lines = run.stdout.lines();
        let line = lines.find_map(|line| line.strip_prefix(name)).expect(name);
        line.trim().to_owned()
    };
    let (fen, hex) = (spelling("fen "), spelling("hex "));
    folder.file(
        "all.obf",
        format!("{obf}\n{fen}; G8:+18;\n{hex}; % in hexadecimal\n"),
    );
    let rows = run_in(&folder, "solve all.obf --json --hash 1", 0).json();
    let scores: Vec<_> = rows[..3].iter().map(|row| row["score"].as_i64()).collect();
    assert_eq!(scores, [Some(18); 3]);
    let rows = run_in(&folder, &format!("solve '{hex}' --json --hash 1"), 0).json();
    assert_eq!(rows[0]["score"], 18);
    let [of_fen, of_obf] = [&*fen, obf].map(|text| leaves(&folder, &format!("3 '{text}'")));
    assert_eq!(of_fen, of_obf);
}

#[test]
fn perft_counts_from_any_position() {
    let folder = Folder::new();
    let leaves = |position: &str| leaves(&folder, &format!("4 {position}"));
    assert_eq!(leaves(""), [4, 12, 56, 244]);
    assert_eq!(leaves("'8/8/8/3OX3/3XO3/8/8/8 X'"), [4, 12, 56, 244]);
    // After the first move, all of which are symmetric.
    assert_eq!(leaves("'8/8/8/3OX3/3XXX2/8/8/8 O'"), [3, 14, 61, 349]);
    // A pass counts as a ply. After it white takes the last square.
    assert_eq!(
        leaves("'XXXXXXX1/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/OOOOOOOO X'"),
        [1, 1, 1, 1]
    );
}

#[test]
fn pictures_have_numbers_values_and_arrows() {
    let folder = Folder::new();
    let options =
        "--numbers --arrows --values --depth 2 --hash 1 --svg a.svg --png a.png --width 300";
    let run = run_in(&folder, &format!("show f5d6c3 {options}"), 0);
    run.stdout_has("scores (2)").stdout_has("  3    .   .   3");
    let svg = fs::read_to_string(folder.path("a.svg")).unwrap();
    for text in [">3</text>", "class=\"arrow\"", "fill=\"#7dff9a\">"] {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    // C3 flips the disc on D4, up to the one on E5.
    assert_eq!(svg.matches("class=\"arrow\"").count(), 1, "{svg}");
    let png = fs::read(folder.path("a.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(png[16..24], [0, 0, 1, 44, 0, 0, 1, 44], "width and height");
}

#[test]
fn boards_are_set_up_in_play() {
    let folder = Folder::new();
    let position = Spelling::Fen.write(Board::START.pass(), Side::White);
    let typed =
        format!("setboard {position}\nsetboard\nsetboard x\nmoves\nnew\nd6\nsave a.ggf\nquit\n");
    let words = "play --side both --hash 1 --book none";
    let run = run(&mut cli_in(&folder, words), typed.as_bytes()).expect(0);
    run.stdout_has("setboard needs a position")
        .stdout_has("expected 64 squares");
    let saved = fs::read_to_string(folder.path("a.ggf")).unwrap();
    let start = "BO[8 ---------------------------O*------*O--------------------------- O]W[D6";
    assert!(saved.contains(start), "{saved}");
}

#[test]
fn impossible_pictures_are_refused() {
    let folder = Folder::new();
    folder.file("two", "f5d6\nf5f6\n");
    refuse_all(
        &folder,
        "2 show two --svg a.svg => a picture shows one position, and there are 2
         2 show two --game 3 => there is no game or position 3: the files have 2
         2 show f5 --width 100 => --png
         2 show f5 --arrows => --arrows needs --svg or --png
         2 show f5 --level 5 => a depth or level needs --values
         2 perft 2 '0x0 0x0 X' => expected a board with discs
         2 show f5 --as pgn => pgn
         2 perft 3 f5 => expected 64 squares
         1 show absent => absent: No such file",
    );
    // Faulty positions are not taken for names of files.
    for (position, expected) in [
        (
            "8/8/8/3OX2/3XO3/8/8/8 X",
            "argument:1:11: expected a square of the board",
        ),
        (
            "0x1 0x1 X",
            "expected each square to have one disc, found two on A1",
        ),
    ] {
        run_in(&folder, &format!("show '{position}'"), 1).stderr_has(expected);
    }
    let run = run(&mut cli_in(&folder, "show two --move 9"), b"").expect(0);
    run.stderr_has("two: 2 without such a position");
    run_in(&folder, "show two --game 2 --svg a.svg", 0);
    run_in(&folder, "show f5 --png a.svg", 2).stderr_has("a.svg");
}
