//! `--skill`: weaker play at the terminal and in both protocols.

use crate::common::dialogue::run_on_input;
use crate::common::program::{OutputChecks, cli_in};
use outflank::analysis::judge;
use outflank::notation::ggf;
use outflank::search::Strength;
use outflank::{Engine, Selectivity, Side};
use outflank_testing::command::{Folder, Run, run};

fn play(folder: &Folder, options: &str, typed: &str) -> Run {
    run(
        &mut cli_in(folder, &format!("play --hash 4 {options}")),
        typed.as_bytes(),
    )
}

/// Discs that the moves of each side lose by searches of four plies.
fn lost(moves: &str) -> [i32; 2] {
    let game = crate::play_cli::game(moves);
    let mut engine = Engine::builder().hash_mib(4).build().unwrap();
    let strength = Strength::Depth(4, Selectivity::Full);
    let judged = judge(&mut engine, &game, strength, |_| ())
        .unwrap()
        .unwrap();
    [Side::Black, Side::White].map(|side| {
        let own = judged.iter().filter(|judgement| judgement.side == side);
        own.map(|judgement| judgement.loss()).sum()
    })
}

#[test]
fn weaker_programs_lose_more_discs_and_seeds_repeat_them() {
    let folder = Folder::new();
    let game = |skill: &str, seed: u32| {
        let options = format!("--side none --skill {skill} --skill-seed {seed} --level 2");
        let run = play(&folder, &options, "").expect(0);
        run.stdout.lines().last().expect("the moves").to_owned()
    };
    let moves = game("100", 1);
    assert_eq!(moves, game("100", 1));
    assert_ne!(moves, game("100", 2));
    let weak: i32 = lost(&moves).iter().sum();
    let strong: i32 = lost(&game("10", 1)).iter().sum();
    assert!(weak > 120 && strong < weak / 2, "{weak} and {strong}");
}

/// The built-in book would play perfect openings. A level or another skill replaces the skill.
#[test]
fn skills_leave_the_book_unless_it_is_named() {
    let folder = Folder::new();
    for (options, typed, from_book) in [
        ("--skill 1", "f5\n", false),
        ("--skill 1 --book built-in", "f5\n", true),
        ("--skill unlimited --level 1", "f5\n", true),
        ("", "skill casual\nf5\n", false),
        ("--skill 1", "skill off\nf5\n", true),
        ("--skill unlimited", "f5\n", true),
    ] {
        let run = play(&folder, options, typed).expect(0);
        assert_eq!(
            run.stdout.contains("book)"),
            from_book,
            "{options}: {}",
            run.stdout
        );
    }
    let run = play(
        &folder,
        "--book none --skill 50",
        "level 1\nskill\nskill tall\nskill 5,6,7\nskill Club\nskill off\nskill\nf5\n",
    );
    let run = run.expect(0);
    for answer in [
        "level 1, skill 50: 50 discs a game, level 1\nskill 50: 50 discs",
        "skill unlimited\nskill unlimited\n",
        "\"tall\" is no skill",
        "skill 5,6,7: 18 discs a game, level 1\n",
        "discs a game, level 1\n",
        "white plays ",
    ] {
        assert!(run.stdout.contains(answer), "{answer}: {}", run.stdout);
    }
}

#[test]
fn unusable_skills_are_refused() {
    for command in ["play", "gtp", "nboard"] {
        for (options, reason) in [
            (
                "--skill grandmaster",
                "\"grandmaster\" is no skill: expected beginner",
            ),
            ("--skill=-5", "\"-5\" is no skill"),
            ("--skill 1,2", "\"1,2\" is no skill"),
            ("--skill-seed 1", "--skill"),
            ("--skill club --book none --tolerance 1", "--tolerance"),
        ] {
            let run = run_on_input(&format!("{command} {options}"), "").expect(2);
            run.stderr_has(reason);
        }
    }
    for command in ["gtp", "nboard"] {
        let run = run_on_input(&format!("{command} --skill club --tolerance 1"), "").expect(2);
        run.stderr_has("--tolerance");
    }
}

#[test]
fn gtp_players_draw_legal_moves_of_either_side() {
    // Passes take turns, too, and a game that is over has only passes.
    let commands = "genmove b\ngenmove w\n".repeat(40) + "showboard\nfinal_score\n";
    let answers = |seed: u32| {
        let options = format!("gtp --hash 1 --skill beginner --skill-seed {seed}");
        run_on_input(&options, &commands).expect(0).stdout
    };
    let first = answers(1);
    assert!(!first.contains('?'), "{first}");
    assert_eq!(first, answers(1));
    assert_ne!(first, answers(2));
    let fields: Vec<&str> = first
        .split("\n\n")
        .map(|answer| answer.trim_start_matches("= "))
        .collect();
    let moves: String = fields[..80]
        .iter()
        .filter(|ply| **ply != "pass")
        .copied()
        .collect();
    let [black, white] = lost(&moves);
    assert!(black > 60 && white > 60, "{black} {white}");
}

/// The best line would give the best move away, which the program then does not play.
#[test]
fn nboard_players_answer_without_best_lines() {
    let commands = "nboard 2\nset depth 3\ngo\n";
    let weaker = run_on_input("nboard --hash 1 --skill 30 --skill-seed 1", commands).expect(0);
    assert!(
        weaker.stdout.contains("\n=== ") && !weaker.stdout.contains("\nsearch "),
        "{}",
        weaker.stdout
    );
    let hints = run_on_input(
        "nboard --hash 1 --skill 30",
        "nboard 2\nset depth 3\nhint 2\n",
    )
    .expect(0);
    assert!(hints.stdout.contains("\nsearch "), "{}", hints.stdout);
}

#[test]
fn saved_games_have_the_scores_of_the_drawn_moves() {
    let folder = Folder::new();
    play(
        &folder,
        "--skill 60 --skill-seed 3 --no-values",
        "f5\nsave game.ggf\n",
    )
    .expect(0);
    let file = std::fs::read(folder.path("game.ggf")).expect("it was saved");
    let record = ggf::read(&file).next().unwrap().unwrap().record;
    assert_eq!(record.game.moves().count(), 2);
    assert!(record.notes[1].eval.is_some());
}
