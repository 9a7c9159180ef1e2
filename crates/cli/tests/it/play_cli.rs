//! `outflank play` in a pipe. See `play_terminal.rs` for terminals.

use crate::common::dialogue::{assert_snapshot, problem};
use crate::common::program::{OutputChecks, cli_in};
use outflank::Game;
use outflank::notation::{GameRecord, ggf, transcript};
use outflank_testing::command::{Folder, Run, run};

/// Plays without a book, with a small table.
pub(crate) fn play(options: &str, typed: impl AsRef<[u8]>) -> Run {
    play_in(&Folder::new(), options, typed)
}

/// Plays in a folder.
pub(crate) fn play_in(folder: &Folder, options: &str, typed: impl AsRef<[u8]>) -> Run {
    let words = format!("play --hash 4 --book none {options}");
    run(&mut cli_in(folder, &words), typed.as_ref())
}

/// Parses a line of moves.
pub(crate) fn game(moves: &str) -> Game {
    let mut games = transcript::read(moves.as_bytes());
    let entry = games.next().expect("there is a game");
    entry.expect("the moves are legal").record.game
}

/// Reads the game of a GGF file.
fn saved(folder: &Folder, name: &str) -> GameRecord {
    let file = std::fs::read(folder.path(name)).expect("it was saved");
    ggf::read(&file).next().unwrap().unwrap().record
}

/// Answers to the command `moves`.
fn listed(run: &Run) -> Vec<&str> {
    let is_moves = |line: &&str| transcript::read(line.as_bytes()).all(|game| game.is_ok());
    let lines = run.stdout.lines().filter(|line| !line.is_empty());
    lines.filter(is_moves).collect()
}

#[test]
fn users_can_play_both_sides() {
    let typed =
        "f5\nD6\n\nf5\nA9\nhint many\nundo\nundo\nundo\nc4\nc3\nmoves\nlevel 3\npass\nquit\nf5\n";
    let run = play("--side both --no-values", typed).expect(0);
    assert_snapshot("play-both", &run.stdout);
    assert_eq!(run.stderr, "");
}

#[test]
fn the_program_can_play_both_sides() {
    for level in ["1", "2"] {
        let run = play(&format!("--side none --level {level}"), "").expect(0);
        let lines: Vec<&str> = run.stdout.lines().collect();
        let [.., end, moves] = lines.as_slice() else {
            panic!("{lines:?}")
        };
        let game = game(moves);
        let expected = match game.score().expect("the game is over") {
            0 => "The game is over: a draw.".to_owned(),
            score if score > 0 => format!("The game is over: black wins by {score}."),
            score => format!("The game is over: white wins by {}.", -score),
        };
        assert_eq!(*end, expected);
        let plays = lines.iter().filter(|line| line.contains(" plays "));
        assert_eq!(plays.count(), game.moves().count());
    }
}

#[test]
fn moves_are_answered_and_both_taken_back() {
    let run = play("--level 2", "f5\nundo\nf5\nmoves\nwhite\nmoves\n").expect(0);
    let moves = listed(&run);
    let [two, three] = moves.as_slice() else {
        panic!("{run:?}")
    };
    assert_eq!((two.len(), three.len()), (4, 6));
    game(three);
    let plays = run.stdout.matches("white plays ").count();
    assert_eq!((plays, run.stdout.matches("black plays ").count()), (2, 1));
}

#[test]
fn passes_are_made_automatically() {
    let folder = Folder::new();
    folder.file("pass.obf", format!("-OX-OXXX{} X;\n", "X".repeat(56)));
    for side in ["black", "white", "both"] {
        let options = format!("--side {side} --level 4 --start pass.obf");
        let run = play_in(&folder, &options, "a1\nd1\n").expect(0);
        run.stdout_has("white has to pass")
            .stdout_has("The game is over: black wins by 64.");
    }
}

#[test]
fn any_input_leaves_the_game_running() {
    let noise = [
        vec![b'x'; 1 << 20],
        b"f5".repeat(512),
        vec![0, 255, 254, b'\r'],
        b"f5".to_vec(),
    ];
    let run = play("--side both", noise.join(&b'\n')).expect(0);
    run.stdout_has("white to move");
    assert!(run.stdout.len() < 4000);
    assert!(!run.stdout.contains('\x1b'), "a pipe has no colours");
}

/// Rows have options, typed lines, answers to `moves`, and other answers with their counts.
#[test]
fn typed_lines_are_answered() {
    const BOTH: &str = "--side both --no-values";
    let several = "f5d6C3 d3, c4\nmoves\nf4f6a1\nf4f6z9\nF4 f6\nmoves\n";
    let illegal =
        "move 8, A1, is not legal: white flips no disc there; none of the 3 moves was made";
    let no_square = "character 5: \"z9\" is not a square (a1 to h8); no move was made";
    let undone = "f5d6c3d3\ngoto 1\nmoves\nredo\nmoves\ngoto 4\nundo\nmoves\nredo\nredo\nmoves\n\
                  jump 2\nc3\ngoto 4\nmoves\ngoto 2\nc6\nmoves\nredo\ngoto 4\ngoto -1\ngoto 0\n";
    let counted =
        "moves\nf5\ngoto 3\nd6\nundo\nsave a.txt\nundo\nredo\nd6 c3\nundo\nundo\nsave b.txt\n";
    for (options, typed, moves, answers) in [
        (BOTH, "f5 pass d6 c3\nmoves\n", &["f5d6c3"][..], &[][..]),
        (BOTH, "1. f5 2. d6 3. c3\nmoves\n", &["f5d6c3"], &[]),
        (BOTH, "1. f5 d6 2. c3\nmoves\n", &["f5d6c3"], &[]),
        (BOTH, "1.f5 1... d6\npass c3\nmoves\n", &["f5d6c3"], &[]),
        // Several moves on a line are all made, or none. Boards are shown at the start and after moves.
        (
            BOTH,
            several,
            &["f5d6c3d3c4", "f5d6c3d3c4f4f6"],
            &[(illegal, 1), (no_square, 1), ("black X", 3)],
        ),
        // Undone moves can be played again.
        (
            BOTH,
            undone,
            &["f5", "f5d6", "f5d6c3", "f5d6c3d3", "f5d6c3d3", "f5d6c6"],
            &[
                ("after 1 of 4 moves; redo and goto lead on\n", 1),
                ("the game has 3 moves: goto 0 to goto 3\n", 1),
                ("goto needs a number from 0 to 60\n", 1),
                ("after 0 of 3 moves", 1),
                ("no move was taken back", 2),
            ],
        ),
        // Counts have singular and plural.
        (
            BOTH,
            counted,
            &[],
            &[
                ("no moves yet\n", 1),
                ("the game has 1 move: goto 0 to goto 1\n", 1),
                ("after 1 of 2 moves; redo and goto lead on\n", 2),
                ("a.txt: 1 move saved, without 1 that was taken back\n", 1),
                ("b.txt: 1 move saved, without 2 that were taken back\n", 1),
            ],
        ),
        (
            "--side white --level 1",
            "undo\n",
            &[],
            &[("black plays ", 1), ("no move of yours", 1)],
        ),
        // The lowest level searches a ply.
        (
            "--level 3",
            "level 0\nf5\nlevel 61\n",
            &[],
            &[
                ("level 0\n", 1),
                ("white plays ", 1),
                (" by 1 ply, ", 1),
                ("level needs a number from 0 to 60", 1),
            ],
        ),
    ] {
        let run = play(options, typed).expect(0);
        assert_eq!(listed(&run), moves, "{typed}: {run:?}");
        for &(answer, count) in answers {
            let found = run.stdout.matches(answer).count();
            assert_eq!(found, count, "{answer}: {run:#?}");
        }
    }
}

#[test]
fn the_program_moves_after_moves_for_both_sides_and_at_go() {
    let run = play("--level 0", "f5d6c3\nmoves\n").expect(0);
    assert!(listed(&run)[0].starts_with("f5d6c3") && listed(&run)[0].len() == 8);
    // After `goto` the program moves only at the command `go`.
    let typed = "f5\ngoto 1\nmoves\ngo\nmoves\nundo\nredo\nmoves\n";
    let run = play("--level 1", typed).expect(0);
    let [first, two, again] = listed(&run)[..] else {
        panic!("{run:?}")
    };
    assert_eq!((first, two.len(), again), ("f5", 4, two));
    run.stdout_has("white is the program's: go lets it move");
    // `go` works on the user's turn, too.
    let run = play("--level 0", "go\nmoves\n").expect(0);
    assert_eq!(run.stdout.matches(" plays ").count(), 2);
}

#[test]
fn games_are_saved_without_losing_files() {
    let folder = Folder::new();
    folder.file("older.ggf", "older");
    let typed = "f5d6c3\nsave a game.ggf\nsave game.TXT\nundo\nsave a game.ggf\nsave older.ggf\n\
                 save game.dat\nsave game.dat as transcript\nsave! game.TXT\n\
                 save absent/game.ggf\nsave\ngoto 0\nsave none.txt";
    let run = play_in(&folder, "--side both", typed).expect(0);
    for expected in [
        "a game.ggf: 3 moves saved\n",
        "a game.ggf is there already: save! replaces it",
        "older.ggf is there already",
        "save game.dat as ggf",
        "game.dat: 2 moves saved, without 1 that was taken back",
        "cannot write absent/game.ggf",
        "save needs the name of a file",
        "without moves; save it as ggf",
    ] {
        run.stdout_has(expected);
    }
    for (name, expected) in [
        ("older.ggf", "older"),
        ("game.TXT", "f5d6\n"),
        ("game.dat", "f5d6\n"),
    ] {
        let text = std::fs::read_to_string(folder.path(name)).unwrap();
        assert_eq!(text, expected, "{name}");
    }
    assert!(!folder.path("none.txt").exists());
    let record = saved(&folder, "a game.ggf");
    assert_eq!(record.game.moves().count(), 3);
    let properties = ["PB", "RE"].map(|name| record.property(name));
    assert_eq!(properties, [Some("Player"), Some("?")]);

    // GGF keeps evaluations and an unusual start.
    folder.file("ffo.obf", problem("ffo-1-19", 0));
    let typed = "g8\nsave ffo.txt\nsave ffo.ggf\n";
    let run = play_in(&folder, "--level 16 --start ffo.obf", typed).expect(0);
    run.stdout_has("usual one; save it as ggf");
    let record = saved(&folder, "ffo.ggf");
    let evals: Vec<_> = record.notes.iter().map(|note| note.eval).collect();
    assert_eq!(evals, [Some(18.0), Some(-18.0)]);
    assert_eq!(record.property("PW"), Some("Outflank"));
}

#[test]
fn long_searches_write_their_progress() {
    let run = play("--side white --time 2.5 --progress", "").expect(0);
    let line = run.stderr.lines().next().expect("there are lines");
    assert!(line.contains(" nodes ") && line.contains(" N/s "), "{line}");
    assert_eq!(play("--level 1", "f5\n").expect(0).stderr, "");
}
