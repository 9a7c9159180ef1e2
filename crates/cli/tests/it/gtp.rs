//! `outflank gtp`: sessions, and the end of the input. See `protocol_clocks.rs` and `protocol_faults.rs`, too.

use std::fs::File;

use crate::common::dialogue::{Dialogue, FORCED_PASS, assert_snapshot, ggf, problem, run_on_input};
use crate::common::program::cli;
use outflank_testing::command::Folder;

/// Commands of the sessions in the snapshots, divided by bars. `FOLDER` is the folder of the files.
const SESSIONS: [(&str, &[&str]); 2] = [
    (
        "gtp-session",
        &[
            "1 protocol_version | 2 name | 3 version",
            "known_command genmove | known_command \u{7}gen\tmove",
            "004\tlist_games # of all there are | set_game othello | set_game Go",
            "boardsize 8 | boardsize 19 | boardsize | komi 6.5 | komi much",
            "showboard | gogui-rules_game_id | gogui-rules_board | gogui-rules_board_size",
            "gogui-rules_legal_moves | gogui-rules_side_to_move",
            "play B F5 | play b d6 | play white d6 | play black d6 | play black pass",
            "play black i9 | play red c3 | play",
            "genmove w | final_score | undo | undo | undo",
            "time_settings 300 10 25 | time_settings 0 5 0 | time_settings 300",
            "time_settings inf 0 0 | time_settings 300 -1 25 | time_settings 300 10 -1",
            "time_left b 100 0 | time_left w 5.5 3 | time_left",
            "time_left b nan 0 | time_left w -5 3 | time_left w 1e999 3",
            "gogui-interrupt | stop | nonsense",
            "loadsgf | loadsgf FOLDER/absent.ggf | loadsgf FOLDER/other.ggf",
            "loadsgf FOLDER/none.ggf | loadsgf /",
            "loadsgf FOLDER/short.ggf | gogui-rules_legal_moves",
            "loadsgf FOLDER/short.ggf 3 | showboard",
            "loadsgf FOLDER/ffo 1.ggf | reg_genmove w | reg_genmove b",
            "time_settings 60 0 0 | genmove b | showboard",
            "clear_board | gogui-rules_side_to_move | quit",
        ],
    ),
    (
        "gtp-passes",
        &[
            "loadsgf FOLDER/pass.ggf | gogui-rules_side_to_move | gogui-rules_legal_moves",
            "play w pass | play b c1 | genmove b | play b pass",
            "gogui-rules_legal_moves | undo | genmove w | gogui-rules_legal_moves",
            "final_score | gogui-rules_final_result | genmove b | play white pass | play white h8",
            "undo | undo | undo | gogui-rules_side_to_move | undo",
        ],
    ),
];

#[test]
fn sessions_match_the_snapshots() {
    let folder = Folder::new();
    folder.file("ffo 1.ggf", ggf(&problem("ffo-1-19", 0)));
    let short = "(;GM[Othello]PB[a]B[F5]W[D6]B[C3/1.5/2]W[D3];)";
    folder.file("short.ggf", short);
    folder.file("other.ggf", "(;GM[Go]B[aa];)");
    folder.file("none.ggf", "no game");
    folder.file("pass.ggf", ggf(FORCED_PASS));
    let path = folder.path("").display().to_string();
    for (snapshot, commands) in SESSIONS {
        let mut engine = Dialogue::start("gtp --hash 1 --level 1");
        for command in commands.iter().flat_map(|line| line.split(" | ")) {
            engine.ask(&command.replace("FOLDER/", &path));
        }
        let transcript = engine.transcript().replace(&path, "FOLDER/");
        let transcript = transcript.replace(env!("CARGO_PKG_VERSION"), "VERSION");
        // Linux, Windows and Wine describe a missing file in different words.
        let reasons = [
            "No such file or directory",
            "The system cannot find the file specified.",
            "File not found.",
        ];
        let transcript = reasons
            .iter()
            .fold(transcript, |text, reason| text.replace(reason, "REASON"));
        assert_snapshot(snapshot, &transcript);
        assert_eq!(engine.close().expect(0).stdout, "");
    }
}

/// Short searches and new games do not write the whole table, which would take seconds of the player's time.
#[test]
fn a_short_search_takes_little_of_a_large_table() {
    let mut engine = Dialogue::start("gtp --hash 1024 --depth 1");
    for _ in 0..3 {
        assert_eq!(engine.ask("clear_board"), "=");
        assert!(engine.ask("genmove b").starts_with("= "));
    }
    match engine.peak_memory_mib() {
        Some(mib) => assert!(mib < 200, "{mib} MiB"),
        None => eprintln!("skipped: the system does not say how much memory a program takes"),
    }
}

/// The input is closed after the commands, with or without `quit`.
#[test]
fn commands_before_the_end_of_input_are_answered() {
    let folder = Folder::new();
    let game = folder.file("game.ggf", ggf(&problem("midgame", 0)));
    let load = format!("loadsgf {}", game.display());
    // `others` counts the answers to `loadsgf`, to `quit`, and to a `name` before `quit`.
    for (searches, end, others) in [
        (1, "", 1),
        (2, "quit\n", 2),
        (3, "name\nquit\n", 3),
        (4, "quit\nname\n", 2),
    ] {
        let commands = "outflank-principal_variation\n".repeat(searches);
        let input = format!("{load}\n{commands}{end}");
        let run = run_on_input("gtp --depth 12 --book none", input).expect(0);
        let count = |text: &str| run.stdout.matches(text).count();
        assert_eq!(count("(12 plies)"), searches, "{end:?}: {run:#?}");
        assert_eq!(count("\n\n"), searches + others, "{end:?}: {run:#?}");
        assert_eq!(run.stderr, "");
    }
}

#[test]
fn commands_from_a_file_are_answered() {
    let folder = Folder::new();
    let game = folder.file("game.ggf", ggf(&problem("ffo-1-19", 0)));
    let commands = format!("loadsgf {}\ngenmove b\nquit\n", game.display());
    let file = File::open(folder.file("commands.gtp", commands)).unwrap();
    let output = cli("gtp --level 10").stdin(file).output();
    let answers = String::from_utf8(output.unwrap().stdout).unwrap();
    assert_eq!(answers, "=\n\n= G8\n\n=\n\n");
}
