//! `outflank play`, through a pipe as at a terminal.

mod common;

use common::command::{Folder, Run, outflank, run};
use common::dialogue::{assert_kept, problem};
use outflank::{Game, Square};

fn play(arguments: &[&str], typed: &str) -> Run {
    let mut command = outflank();
    command.args(["play", "--hash", "4"]).args(arguments);
    run(&mut command, typed.as_bytes())
}

/// The game of a line of moves.
fn game(moves: &str) -> Game {
    let names = moves.as_bytes().chunks(2);
    let squares = names.map(|name| std::str::from_utf8(name).unwrap().parse().unwrap());
    Game::from_moves(&squares.collect::<Vec<Square>>()).unwrap()
}

#[test]
fn two_people_share_a_board() {
    let typed =
        "f5\nD6\n\nf5\nA9\nhint many\nundo\nundo\nundo\nc4\nc3\nmoves\nlevel 3\npass\nquit\nf5\n";
    let run = play(&["--side", "both"], typed).expect(0);
    assert_kept("play-both", &run.stdout);
    assert_eq!(run.stderr, "");
}

#[test]
fn the_program_plays_to_the_end() {
    for level in ["1", "2"] {
        let run = play(&["--side", "none", "--level", level], "").expect(0);
        let lines: Vec<&str> = run.stdout.lines().collect();
        let [.., end, moves] = lines.as_slice() else {
            panic!("{lines:?}")
        };
        let game = game(moves);
        let told = match game.score().expect("the game is over") {
            0 => "The game is over: a draw.".to_owned(),
            score if score > 0 => format!("The game is over: black wins by {score}."),
            score => format!("The game is over: white wins by {}.", -score),
        };
        assert_eq!(*end, told);
        let plays = lines.iter().filter(|line| line.contains(" plays "));
        assert_eq!(plays.count(), game.moves().count());
    }
}

#[test]
fn it_answers_each_move_and_takes_both_back() {
    let run = play(&["--level", "2"], "f5\nundo\nf5\nmoves\nwhite\nmoves\n").expect(0);
    let moves: Vec<&str> = run
        .stdout
        .lines()
        .filter(|line| line.starts_with("f5"))
        .collect();
    let [two, three] = moves.as_slice() else {
        panic!("{}", run.stdout)
    };
    assert_eq!((two.len(), three.len()), (4, 6));
    game(three);
    let plays = run.stdout.matches("white plays ").count();
    assert_eq!((plays, run.stdout.matches("black plays ").count()), (2, 1));

    let run = play(&["--side", "white", "--level", "1"], "undo\n").expect(0);
    assert!(run.stdout.contains("black plays ") && run.stdout.contains("no move of yours"));
}

#[test]
fn hints_have_exact_scores_at_the_end() {
    let folder = Folder::new();
    let line = problem("ffo-1-19", 0);
    let (_, scores) = line.split_once(';').unwrap();
    let best: Vec<(String, i32)> = scores
        .split(';')
        .filter_map(|one| one.trim().split_once(':'))
        .map(|(name, score)| (name.to_lowercase(), score.parse().unwrap()))
        .collect();
    let start = folder.file("ffo.obf", &line);
    let arguments = ["--side", "both", "--start", start.to_str().unwrap()];
    let run = play(&arguments, "hint 2\nhint 60\nnew\n").expect(0);
    let side = if line.contains(" X;") {
        "black"
    } else {
        "white"
    };
    assert!(run.stdout.contains(&format!("{side} to move")));
    let hints: Vec<(String, i32)> = run
        .stdout
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let score = words.next()?.parse().ok()?;
            Some((words.next()?.to_lowercase(), score))
        })
        .filter(|(name, _)| name.parse::<Square>().is_ok())
        .collect();
    assert_eq!(hints.len(), 2 + best.len());
    for (name, score) in &hints[2..] {
        assert!(
            best.contains(&(name.clone(), *score)),
            "{name} {score}: {best:?}"
        );
    }
    assert_eq!((hints[0].1, hints[1].1), (best[0].1, best[1].1));
}

#[test]
fn passes_are_made() {
    let folder = Folder::new();
    let squares = format!("-OX-OXXX{}", "X".repeat(56));
    let start = folder.file("pass.obf", format!("{squares} X;\n"));
    for side in ["black", "white", "both"] {
        let arguments = [
            "--side",
            side,
            "--level",
            "4",
            "--start",
            start.to_str().unwrap(),
        ];
        let run = play(&arguments, "a1\nd1\n").expect(0);
        assert!(run.stdout.contains("white has to pass"), "{}", run.stdout);
        assert!(run.stdout.contains("The game is over: black wins by 64."));
    }
}

#[test]
fn whatever_is_typed_the_game_goes_on() {
    let noise = [
        vec![b'x'; 1 << 20],
        vec![0, 255, 254, b'\r'],
        b"f5".to_vec(),
    ];
    let typed = noise.join(&b'\n');
    let mut command = outflank();
    command.args(["play", "--hash", "4", "--side", "both"]);
    let run = run(&mut command, &typed).expect(0);
    assert!(
        run.stdout.contains("white to move"),
        "the last line has no end"
    );
    assert!(run.stdout.len() < 4000);
}

#[test]
fn what_cannot_be_is_said() {
    let folder = Folder::new();
    let [empty, wrong] =
        [("empty", ""), ("wrong", "f5f5")].map(|(name, text)| folder.file(name, text));
    for (arguments, status, told) in [
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
        (["--threads", "0"], 2, "threads"),
    ] {
        let run = play(&arguments, "").expect(status);
        assert!(run.stderr.contains(told), "{arguments:?}: {}", run.stderr);
        assert_eq!(run.stdout, "");
    }
}
