//! `outflank play` in a pipe. See `play_terminal.rs` for terminals.

use crate::common::dialogue::{assert_snapshot, problem};
use crate::common::program::{OutputChecks, cli};
use outflank::notation::{ggf, transcript};
use outflank::{Game, Square};
use outflank_testing::command::{Folder, Run, run};

/// Plays without a book, with a small table.
pub(crate) fn play(arguments: &[&str], typed: &str) -> Run {
    let mut command = cli("play --hash 4 --book none");
    command.args(arguments);
    run(&mut command, typed.as_bytes())
}

/// Parses a line of moves without blanks.
fn game(moves: &str) -> Game {
    let names = moves.as_bytes().chunks(2);
    let squares = names.map(|name| std::str::from_utf8(name).unwrap().parse().unwrap());
    Game::from_moves(&squares.collect::<Vec<Square>>()).unwrap()
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
    let run = play(&["--side", "both", "--no-values"], typed).expect(0);
    assert_snapshot("play-both", &run.stdout);
    assert_eq!(run.stderr, "");
}

#[test]
fn the_program_can_play_both_sides() {
    for level in ["1", "2"] {
        let run = play(&["--side", "none", "--level", level], "").expect(0);
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
    let run = play(&["--level", "2"], "f5\nundo\nf5\nmoves\nwhite\nmoves\n").expect(0);
    let moves = listed(&run);
    let [two, three] = moves.as_slice() else {
        panic!("{run:?}")
    };
    assert_eq!((two.len(), three.len()), (4, 6));
    game(three);
    let plays = run.stdout.matches("white plays ").count();
    assert_eq!((plays, run.stdout.matches("black plays ").count()), (2, 1));

    let run = play(&["--side", "white", "--level", "1"], "undo\n").expect(0);
    run.stdout_has("black plays ")
        .stdout_has("no move of yours");
}

#[test]
fn passes_are_made_automatically() {
    let folder = Folder::new();
    let squares = format!("-OX-OXXX{}", "X".repeat(56));
    let start = folder.file("pass.obf", format!("{squares} X;\n"));
    for side in ["black", "white", "both"] {
        let start = start.to_str().unwrap();
        let arguments = ["--side", side, "--level", "4", "--start", start];
        let run = play(&arguments, "a1\nd1\n").expect(0);
        run.stdout_has("white has to pass");
        run.stdout_has("The game is over: black wins by 64.");
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
    let typed = noise.join(&b'\n');
    let run = run(&mut cli("play --hash 4 --side both --book none"), &typed).expect(0);
    run.stdout_has("white to move");
    assert!(run.stdout.len() < 4000);
    assert!(!run.stdout.contains('\x1b'), "a pipe has no colours");
}

/// Several moves on a line are all made, or none.
#[test]
fn several_moves_are_made_at_once() {
    let typed = "f5d6C3 d3, c4\nmoves\nf4f6a1\nf4f6z9\nF4 f6\nmoves\n";
    let run = play(&["--side", "both"], typed).expect(0);
    assert_eq!(listed(&run), ["f5d6c3d3c4", "f5d6c3d3c4f4f6"]);
    for expected in [
        "move 8, A1, is not legal: white flips no disc there; none of the 3 moves was made",
        "character 5: \"z9\" is not a square (a1 to h8); no move was made",
    ] {
        run.stdout_has(expected);
    }
    assert_eq!(run.stdout.matches("black X").count(), 3, "three boards");

    // After moves for both sides the program makes the next one.
    let run = play(&["--level", "0"], "f5d6c3\nmoves\n").expect(0);
    assert!(listed(&run)[0].starts_with("f5d6c3") && listed(&run)[0].len() == 8);
}

#[test]
fn undone_moves_can_be_played_again() {
    let both = ["--side", "both", "--no-values"];
    let typed = "f5d6c3d3\ngoto 1\nmoves\nredo\nmoves\ngoto 4\nundo\nmoves\nredo\nredo\nmoves\n\
                 jump 2\nc3\ngoto 4\nmoves\ngoto 2\nc6\nmoves\nredo\ngoto 4\ngoto -1\ngoto 0\n";
    let run = play(&both, typed).expect(0);
    assert_eq!(
        listed(&run),
        ["f5", "f5d6", "f5d6c3", "f5d6c3d3", "f5d6c3d3", "f5d6c6"]
    );
    for expected in [
        "after 1 of 4 moves; redo and goto lead on",
        "the game has 3 moves: goto 0 to goto 3",
        "goto needs a number from 0 to 60",
        "after 0 of 3 moves",
    ] {
        run.stdout_has(expected);
    }
    assert_eq!(run.stdout.matches("no move was taken back").count(), 2);

    // After `goto` the program moves only at the command `go`.
    let typed = "f5\ngoto 1\nmoves\ngo\nmoves\nundo\nredo\nmoves\n";
    let run = play(&["--level", "1"], typed).expect(0);
    let [first, two, again] = listed(&run)[..] else {
        panic!("{run:?}")
    };
    assert_eq!((first, two.len(), again), ("f5", 4, two));
    run.stdout_has("white is the program's: go lets it move");
    // `go` works on the user's turn, too.
    let run = play(&["--level", "0"], "go\nmoves\n").expect(0);
    assert_eq!(run.stdout.matches(" plays ").count(), 2);
}

#[test]
fn games_are_saved_without_losing_files() {
    let folder = Folder::new();
    let file = |name: &str| folder.path(name).display().to_string();
    let older = folder.file("older.ggf", "older");
    let (game, text, other) = (file("a game.ggf"), file("game.TXT"), file("game.dat"));
    let typed = [
        "f5d6c3".to_owned(),
        format!("save {game}"),
        format!("save {text}"),
        "undo".to_owned(),
        format!("save {game}"),
        format!("save {}", older.display()),
        format!("save {other}"),
        format!("save {other} as transcript"),
        format!("save! {text}"),
        format!("save {}", file("absent/game.ggf")),
        "save".to_owned(),
        "goto 0".to_owned(),
        format!("save {}", file("none.txt")),
    ]
    .join("\n");
    let run = play(&["--side", "both"], &typed).expect(0);
    for expected in [
        format!("{game}: 3 moves saved\n"),
        format!("{game} is there already: save! replaces it"),
        "older.ggf is there already".to_owned(),
        format!("save {other} as ggf"),
        format!("{other}: 2 moves saved, without 1 that was taken back"),
        format!("cannot write {}", file("absent/game.ggf")),
        "save needs the name of a file".to_owned(),
        "without moves; save it as ggf".to_owned(),
    ] {
        run.stdout_has(&expected);
    }
    let contents = |path: &str| std::fs::read_to_string(path).unwrap();
    assert_eq!(contents(&older.display().to_string()), "older");
    assert_eq!(
        (contents(&text), contents(&other)),
        ("f5d6\n".into(), "f5d6\n".into())
    );
    assert!(!folder.path("none.txt").exists());
    let saved = ggf::read(contents(&game).as_bytes()).next().unwrap();
    let record = saved.unwrap().record;
    assert_eq!(record.game.moves().count(), 3);
    assert_eq!(
        (record.property("PB"), record.property("RE")),
        (Some("Player"), Some("?"))
    );

    // GGF keeps evaluations and an unusual start.
    let start = folder.file("ffo.obf", problem("ffo-1-19", 0));
    let ffo = file("ffo.ggf");
    let typed = format!("g8\nsave {}\nsave {ffo}\n", file("ffo.txt"));
    let arguments = ["--level", "16", "--start", start.to_str().unwrap()];
    let run = play(&arguments, &typed).expect(0);
    run.stdout_has("usual one; save it as ggf");
    let saved = ggf::read(contents(&ffo).as_bytes()).next().unwrap();
    let record = saved.unwrap().record;
    let evals: Vec<_> = record.notes.iter().map(|note| note.eval).collect();
    assert_eq!(evals, [Some(18.0), Some(-18.0)]);
    assert_eq!(record.property("PW"), Some("Outflank"));
}

#[test]
fn the_lowest_level_searches_a_ply() {
    let run = play(&["--level", "3"], "level 0\nf5\nlevel 61\n").expect(0);
    for expected in [
        "level 0\n",
        "white plays ",
        " by 1 ply, ",
        "level needs a number from 0 to 60",
    ] {
        run.stdout_has(expected);
    }
}

#[test]
fn long_searches_write_their_progress() {
    let arguments = ["--side", "white", "--time", "2.5", "--progress"];
    let run = play(&arguments, "").expect(0);
    let line = run.stderr.lines().next().expect("there are lines");
    assert!(line.contains(" nodes ") && line.contains(" N/s "), "{line}");
    assert_eq!(play(&["--level", "1"], "f5\n").expect(0).stderr, "");
}

#[test]
fn impossible_options_are_reported() {
    let folder = Folder::new();
    let [empty, wrong] =
        [("empty", ""), ("wrong", "f5f5")].map(|(name, text)| folder.file(name, text));
    for (arguments, status, expected) in [
        (["--start", "no-such-file"], 1, "no-such-file: "),
        (
            ["--start", empty.to_str().unwrap()],
            1,
            "neither games nor positions in it",
        ),
        (
            ["--start", wrong.to_str().unwrap()],
            1,
            "move 2, F5, is not legal",
        ),
        (["--side", "green"], 2, "green"),
        (["--time", "soon"], 2, "--time"),
        (["--time", "inf"], 2, "--time"),
        (["--time", "nan"], 2, "--time"),
        (["--time", "-1"], 2, "expected a number from 0 to"),
        (["--threads", "0"], 2, "threads"),
    ] {
        let run = play(&arguments, "").expect(status);
        run.stderr_has(expected);
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn lists_of_moves_have_passes_and_numbers() {
    for typed in [
        "f5 pass d6 c3",
        "1. f5 2. d6 3. c3",
        "1. f5 d6 2. c3",
        "1.f5 1... d6\npass c3",
    ] {
        let run = play(
            &["--side", "both", "--no-values"],
            &format!("{typed}\nmoves\n"),
        )
        .expect(0);
        assert_eq!(listed(&run), ["f5d6c3"], "{typed}: {run:?}");
    }
}

#[test]
fn counts_have_singular_and_plural() {
    let folder = Folder::new();
    let [first, second] = ["a.txt", "b.txt"].map(|name| folder.path(name).display().to_string());
    let typed = format!(
        "moves\nf5\ngoto 3\nd6\nundo\nsave {first}\nundo\nredo\nd6 c3\nundo\n\
                         undo\nsave {second}\n"
    );
    let run = play(&["--side", "both", "--no-values"], &typed).expect(0);
    for expected in [
        "no moves yet",
        "the game has 1 move: goto 0 to goto 1",
        "after 1 of 2 moves; redo and goto lead on",
        &format!("{first}: 1 move saved, without 1 that was taken back"),
        &format!("{second}: 1 move saved, without 2 that were taken back"),
    ] {
        run.stdout_has(format!("{expected}\n"));
    }
}
