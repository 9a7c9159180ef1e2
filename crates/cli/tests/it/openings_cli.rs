//! `outflank openings`, and the name of an opening in an analysis.

use outflank_testing::command::{Folder, run};

use crate::common::program::{OutputChecks, cli_in, refuse_all, run_cli, run_in};

#[test]
fn openings_are_listed_and_found() {
    let all = run_cli("openings list").expect(0).stdout;
    assert!(all.lines().count() > 100, "{all}");
    run_cli("openings list TIGER")
        .expect(0)
        .stdout_has(" 5 f5d6c3d3c4 ")
        .stdout_has("Tiger, 虎\n")
        .stdout_has("Leader's Tiger");
    let japanese = run_cli("openings list 虎 --json").expect(0).json();
    assert_eq!(japanese.len(), 2, "{japanese:?}");
    assert_eq!(japanese[0]["english"], "Tiger");
    assert_eq!(japanese[1]["english"], serde_json::Value::Null);

    // Another order of the moves, the same game turned, and one that goes on.
    for moves in ["f5d6c4d3c3", "C4 e3 F6 e6 F5", "f5d6c3d3c4f3"] {
        let found = run_cli(&format!("openings find --json {moves}")).expect(0);
        let found = found.json();
        let last = found.last().expect("there are names");
        assert_eq!(
            (&last["plies"], &last["moves"]),
            (&5.into(), &"f5d6c3d3c4".into()),
            "{moves}"
        );
    }
}

#[test]
fn openings_that_cannot_be_found_are_refused() {
    refuse_all(
        &Folder::new(),
        "
        1 openings list zzz => no name of an opening contains \"zzz\"
        1 openings find f5 => no position of the game has a name
        2 openings find f5f5 => move 2, F5, is not legal: the square is taken
        2 openings find tiger => expected a move (A1 to H8, or PS), found \"ti\"
        2 openings find => required arguments were not provided
        ",
    );
}

#[test]
fn games_and_books_show_the_opening() {
    let folder = Folder::new();
    let session = b"f5d6c3\nquit\n";
    let play = "play --side both --level 1 --hash 1 --book none --no-values";
    run(&mut cli_in(&folder, play), session)
        .expect(0)
        .stdout_has("   white to move\n")
        .stdout_has("   Perpendicular\n");
    let gtp = b"play b f5\noutflank-opening\nplay w d6\noutflank-opening\nquit\n";
    run(&mut cli_in(&folder, "gtp --hash 1"), gtp)
        .expect(0)
        .stdout_has("=\n\n=\n\n=\n\n= Perpendicular\n");
    run_in(&folder, "book show built-in f5d6c3d3c4", 0).stdout_has(" O, Tiger\n");
    let shown = run_in(&folder, "book show built-in f5d6c3d3c4 --json", 0).json();
    assert_eq!(shown[0]["opening"], "Tiger");
}

#[test]
fn analyses_name_the_opening() {
    let folder = Folder::new();
    let words = "analyze f5d6c3d3c4f4f6f3 --hash 1 --depth 1 --html page.html";
    run_in(&folder, words, 0).stdout_has("opening Comp'Oth\n");
    let page = std::fs::read_to_string(folder.path("page.html")).expect("it is written");
    assert!(page.contains(", opening Comp"), "{page}");
    let row = run_in(&folder, "analyze f5d6c3d3c4 --hash 1 --depth 1 --json", 0)
        .json()
        .remove(0);
    assert_eq!(row["opening"], "Tiger");
}

/// Drawn openings are transcripts that `convert` and `match` read.
#[test]
fn openings_are_drawn() {
    let folder = Folder::new();
    let draw = |options: &str| {
        run_cli(&format!("openings draw {options}"))
            .expect(0)
            .stdout
    };
    let drawn = draw("--count 30 --seed 1");
    let lines: Vec<&str> = drawn.lines().collect();
    assert_eq!(lines.len(), 30);
    assert!(
        lines
            .iter()
            .all(|line| line.len() == 16 && line.starts_with("f5")),
        "{drawn}"
    );
    assert_eq!(drawn, draw("xot --count 30 --seed 1"));
    assert_ne!(drawn, draw("--count 30 --seed 2"));
    folder.file("drawn.txt", &drawn);
    let positions = run_in(&folder, "convert drawn.txt --to obf", 0).stdout;
    assert_eq!(positions.lines().count(), 30);
    let play = "match 'outflank gtp --depth 1' 'outflank gtp --depth 1'";
    let play = play.replace(
        "outflank gtp",
        concat!(env!("CARGO_BIN_EXE_outflank"), " gtp --hash 1"),
    );
    run_in(
        &folder,
        &format!("{play} --openings drawn.txt --games 4"),
        0,
    );

    // There are three positions after two moves.
    let all = run_in(&folder, "openings draw even:2 --count 50", 1);
    assert!((1..=3).contains(&all.stdout.lines().count()), "{all:#?}");
    all.stderr_has("there is no other even opening of 2 moves");
    let mixed = draw("tiger=3 even:12 f5f4 --count 50 --seed 1");
    let count = |length: usize| mixed.lines().filter(|line| line.len() == length).count();
    assert_eq!(count(10) + count(24) + count(4), 50);
    assert!(
        count(10) > count(24) && count(24) > 0 && count(4) > 0,
        "{mixed}"
    );
    refuse_all(
        &folder,
        "
        2 openings draw even:31 => expected even:N with N from 0 to 30
        2 openings draw rose-b => several names of openings
        2 openings draw zzz => no opening is called \"zzz\"
        2 openings draw f5d3 => move 2, D3, is not legal
        2 openings draw tiger=x => as weight
        2 play --opening tiger --start a.obf => cannot be used with
        2 play --opening-seed 1 => --opening
        ",
    );
}

#[test]
fn games_begin_with_openings() {
    let folder = Folder::new();
    let play = |options: &str, typed: &str| {
        let words =
            format!("play --side both --hash 1 --level 1 --book none --no-values {options}");
        run(&mut cli_in(&folder, &words), typed.as_bytes())
            .expect(0)
            .stdout
    };
    let tiger = play("--opening tiger", "moves\nnew\nmoves\n");
    assert_eq!(tiger.matches("\nf5d6c3d3c4\n").count(), 2, "{tiger}");
    assert!(tiger.contains("   Tiger\n"));
    let several = play("--opening xot --opening-seed 4", "moves\nnew\nmoves\n");
    let lines: Vec<&str> = several
        .lines()
        .filter(|line| line.len() == 16 && line.starts_with("f5"))
        .collect();
    assert_eq!(lines.len(), 2, "{several}");
    assert_ne!(lines[0], lines[1]);
    assert_eq!(
        several,
        play("--opening xot --opening-seed 4", "moves\nnew\nmoves\n")
    );

    let gtp = |commands: &str| {
        let words = "gtp --hash 1 --opening-seed 2";
        run(&mut cli_in(&folder, words), commands.as_bytes())
            .expect(0)
            .stdout
    };
    let answers = gtp(
        "outflank-draw_opening tiger\nundo\noutflank-opening\noutflank-draw_opening\nshowboard\n",
    );
    assert!(
        answers.starts_with("= F5 D6 C3 D3 C4\n\n=\n\n= Perpendicular\n\n= "),
        "{answers}"
    );
    let answers = gtp(
        "outflank-draw_opening tiger, f5f6=9\noutflank-draw_opening rose-b\noutflank-draw_opening even:3\n",
    );
    assert!(
        answers.contains("? cannot draw an opening: \"rose-b\" is a part of several names"),
        "{answers}"
    );
    let twice = gtp("outflank-draw_opening\noutflank-draw_opening\n");
    let drawn: Vec<&str> = twice.split("\n\n").collect();
    assert_ne!(drawn[0], drawn[1]);
}
