//! `outflank match`: games are played, counted and kept, and whatever happens to the match no game is lost
//! and nothing is left running.

#![cfg(unix)]

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::common::matches::{
    OWN, Seat, assert_alone, command, engine, logged, play, teller, wrong,
};
use crate::common::program::outflank;
use outflank::notation::ggf;
use outflank::{Game, Side};
use outflank_testing::command::{Folder, ends_soon, interrupt, run, run_until};
use serde_json::Value;

#[test]
fn a_match_is_played_counted_and_kept() {
    let folder = Folder::new();
    let (stronger, weaker) = (engine("gtp", 4), engine("nboard", 1));
    let arguments = [
        &*stronger,
        &weaker,
        "--games",
        "19",
        "--concurrency",
        "2",
        "--plies",
        "7",
        "--log",
        "match.log",
        "--ggf",
        "games.ggf",
        "--json",
    ];
    let row = &play(&folder, &arguments, 0).json()[0];
    let games = logged(&folder.path("match.log"));
    assert_eq!(games.len(), 20, "an odd number is rounded up");
    // Half points of A: 2 for a win. Pairs are counted by those of both games.
    let half_points = |score: i32| (score.signum() + 1) as usize;
    let (mut counts, mut pairs) = ([0; 3], [0; 10]);
    for game in &games {
        counts[2 - half_points(game.score)] += 1;
        pairs[game.pair] += half_points(game.score);
    }
    let mut pentanomial = [0; 5];
    pairs.iter().for_each(|&points| pentanomial[points] += 1);
    let told = ["wins", "draws", "losses"].map(|key| row[key].as_u64().unwrap());
    assert_eq!(told, counts);
    assert!(pairs.iter().sum::<usize>() > 32, "80 % of 40: {row}");
    assert_eq!(row["pairs"], 10);
    assert_eq!(row["pentanomial"], serde_json::json!(pentanomial));
    assert_eq!(
        [&row["a"]["protocol"], &row["b"]["protocol"]],
        ["gtp", "nboard"]
    );
    assert_eq!(row["a"]["forfeits"], serde_json::json!({}), "{row}");

    // Every opening once with each colour, and another one for each pair.
    let openings: HashSet<_> = games
        .iter()
        .map(|game| (game.pair, &game.opening))
        .collect();
    let seats: HashSet<_> = games.iter().map(|game| (game.pair, game.black)).collect();
    assert_eq!((openings.len(), seats.len()), (10, 20));
    let text = fs::read(folder.path("games.ggf")).expect("it was written");
    let records = ggf::read(&text).map(|game| game.expect("it can be read").record);
    let records: Vec<_> = records.collect();
    assert_eq!(records.len(), 20);
    for (game, record) in games.iter().zip(&records) {
        let score = record.game.score().expect("it was played to the end");
        let of_a = if game.black == Seat::A { score } else { -score };
        assert_eq!(of_a, game.score);
        assert_eq!(
            record.property("RE"),
            Some(format!("{score:+}.000").as_str())
        );
        let names = [record.property("PB"), record.property("PW")];
        let black = usize::from(game.black == Seat::B);
        assert!(names[black].unwrap().starts_with("Outflank 0"), "{names:?}");
        assert_eq!(names[1 - black], Some("Outflank"));
        assert!(record.notes.last().unwrap().seconds.is_some());
        let moves: String = record.game.moves().map(|one| format!("{one:#}")).collect();
        assert!(moves.starts_with(&game.opening) && game.opening.len() == 14);
    }

    // The same command has nothing left to do, and tells the same.
    let again = play(&folder, &arguments, 0);
    assert_eq!(&again.json()[0], row);
    assert!(
        again.stderr.contains("goes on behind 20 games"),
        "{again:#?}"
    );
    assert_eq!(
        fs::read(folder.path("games.ggf")).expect("it is there"),
        text
    );
}

#[test]
fn engines_by_either_protocol_play_the_same_games() {
    let folder = Folder::new();
    folder.file("openings", "f5d6c3\nf5f6e6f4 % another\n");
    let games = |protocols: [&str; 2], log: &str| {
        let [a, b] = protocols.map(|protocol| engine(protocol, 2));
        let options = ["--games", "6", "--openings", "openings", "--log", log];
        let run = play(&folder, &[&[&*a, &b][..], &options].concat(), 0);
        assert!(
            run.stdout
                .contains("A forfeited no game\nB forfeited no game\n"),
            "{run:#?}"
        );
        let games = logged(&folder.path(log)).into_iter();
        games
            .map(|game| (game.opening, game.black, game.score))
            .collect::<Vec<_>>()
    };
    let by_gtp = games(["gtp", "gtp"], "gtp.log");
    assert_eq!(games(["nboard", "gtp"], "mixed.log"), by_gtp);
    // Openings come again; against itself, a pair cancels out, and the games are the same.
    assert_eq!(by_gtp[..2], by_gtp[4..]);
    assert_eq!(by_gtp[0].2, -by_gtp[1].2);
}

#[test]
fn a_depth_is_told_by_the_protocol_or_by_the_command() {
    let folder = Folder::new();
    let teller = teller(&folder, "nboard");
    let gtp = format!("'{OWN}' gtp --hash 1 --depth {{depth}}");
    let options = ["--depth", "3", "--games", "2"];
    let run = play(&folder, &[&[&*teller, &gtp][..], &options].concat(), 0);
    assert!(run.stdout.contains("\n1 pair, by A's points: "), "{run:#?}");
    let told = fs::read_to_string(folder.path("told")).expect("it was written");
    assert_eq!(
        told.matches("set depth 3\n").count(),
        3,
        "tried once, two games: {told}"
    );
}

#[test]
fn clocks_are_told_by_either_protocol() {
    for (protocol, limits, settings, clocks) in [
        (
            "gtp",
            "--move-time 5",
            "time_settings 0 5 1",
            "time_left C 5.000 1",
        ),
        (
            "gtp",
            "--game-time 60 --increment 2",
            "time_settings 60 0 0",
            "time_left C 6",
        ),
        (
            "nboard",
            "--game-time 60 --increment 2",
            "TI[01:00/00:02]",
            "//0.0",
        ),
    ] {
        let folder = Folder::new();
        let teller = teller(&folder, protocol);
        let other = engine("gtp", 1);
        let options: Vec<&str> = limits.split(' ').chain(["--games", "2"]).collect();
        play(&folder, &[&[&*teller, &*other][..], &options].concat(), 0);
        let told = fs::read_to_string(folder.path("told")).expect("it was written");
        // Tried once, two games, and two before them that do not count, by a shorter clock.
        let games = told.matches(settings).count();
        assert_eq!(games, 3, "{protocol} {limits}: {told}");
        let count = |text: &str| told.matches(text).count();
        match protocol {
            // Each move is asked for with its clock.
            "gtp" => {
                for colour in ["b", "w"] {
                    assert!(count(&clocks.replace('C', colour)) > 0, "{told}");
                    let asked = count(&format!("genmove {colour}\n"));
                    assert_eq!(count(&format!("time_left {colour} ")), asked, "{told}");
                }
            }
            // Its own moves and those of the other come with their times.
            _ => assert!(count(clocks) > count("go\n"), "{told}"),
        }
    }
}

#[test]
fn a_killed_match_goes_on() {
    let folder = Folder::new();
    let (a, b) = (engine("gtp", 1), engine("gtp", 2));
    let log = folder.path("match.log");
    let arguments = [
        &*a,
        &b,
        "--games",
        "60",
        "--concurrency",
        "2",
        "--log",
        "match.log",
        "--ggf",
        "games.ggf",
    ];
    let mut child = command(&folder, &arguments)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    wait_for_games(&log, 5, &mut child);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    // What a kill within a write leaves.
    let before = fs::read_to_string(&log).expect("it can be read");
    let torn = before.trim_end().rfind('\n').expect("there are lines") + 40;
    fs::write(&log, &before[..torn]).expect("it can be written");
    let whole = &before[..=before[..torn].rfind('\n').expect("there are lines")];
    // A game is in the log first.
    let written = fs::read_to_string(folder.path("games.ggf")).expect("it was written");
    let written: String = written
        .split_inclusive('\n')
        .take(whole.lines().count() - 1)
        .collect();
    fs::write(folder.path("games.ggf"), &written[..written.len() - 5]).expect("it can be written");

    let other = [&arguments[..], &["--seed", "2"]].concat();
    let refused = run(&mut command(&folder, &other), b"").expect(2);
    let told = "match.log: another match has this log, openings was \"drawn after 8 plies, even to \
                2 discs, seed 1\" and is \"drawn after 8 plies, even to 2 discs, seed 2\"";
    assert!(refused.stderr.contains(told), "{refused:#?}");

    let rest = play(&folder, &arguments, 0);
    assert!(rest.stdout.contains("\n60 games: A won "), "{rest:#?}");
    let text = fs::read_to_string(&log).expect("it can be read");
    assert!(text.starts_with(whole), "what was played is still there");
    let games = logged(&log);
    let seats: HashSet<_> = games.iter().map(|game| (game.pair, game.black)).collect();
    assert_eq!((games.len(), seats.len()), (60, 60));
    for game in &games {
        let pair = games.iter().filter(|other| other.pair == game.pair);
        assert!(pair.clone().all(|other| other.opening == game.opening));
        assert_eq!(pair.count(), 2);
    }
    let written = fs::read_to_string(folder.path("games.ggf")).expect("it was written");
    let kept: Vec<_> = games.iter().map(|game| game.ggf.as_str()).collect();
    assert_eq!(written.lines().collect::<Vec<_>>(), kept);

    // Games that the log does not have are not lost.
    let more = written + "(;GM[Othello]B[F5];)\n";
    fs::write(folder.path("games.ggf"), &more).expect("it can be written");
    let refused = run(&mut command(&folder, &arguments), b"").expect(2);
    assert!(
        refused.stderr.contains("games.ggf is there already"),
        "{refused:#?}"
    );
    assert_eq!(fs::read_to_string(folder.path("games.ggf")).unwrap(), more);
}

/// Waits until a log has so many games.
fn wait_for_games(log: &Path, games: usize, child: &mut Child) {
    let start = Instant::now();
    while fs::read_to_string(log).map_or(0, |text| text.lines().count()) <= games {
        assert!(
            child.try_wait().expect("it can be asked").is_none(),
            "it has ended"
        );
        assert!(start.elapsed() < Duration::from_secs(60), "no games");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn ctrl_c_ends_a_match_and_tells_what_was_played() {
    let folder = Folder::new();
    let hangs = wrong(&folder, "hangs", "sleep 1000");
    let good = engine("gtp", 2);
    let log = folder.path("match.log");
    let arguments = [
        &*good,
        &good,
        "--games",
        "10000",
        "--concurrency",
        "2",
        "--log",
        "match.log",
    ];
    let is_time = || fs::read_to_string(&log).is_ok_and(|text| text.lines().count() > 4);
    let run = run_until(&mut command(&folder, &arguments), is_time).expect(130);
    assert_alone(&folder);
    let games = logged(&log).len();
    assert!(
        run.stdout.contains(&format!("\n{games} games: A won ")),
        "{run:#?}"
    );

    // Also while an engine does not answer.
    let child = command(&folder, &[&hangs, &good, "--games", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(Duration::from_secs(2));
    interrupt(&child);
    ends_soon(child).expect(130);
    assert_alone(&folder);
}

#[test]
fn a_test_ends_the_match() {
    let folder = Folder::new();
    let (stronger, weaker) = (engine("gtp", 3), engine("gtp", 1));
    let options = ["--sprt", "0", "100", "--concurrency", "2"];
    for ([a, b], accepted) in [([&stronger, &weaker], 100.0), ([&weaker, &stronger], 0.0)] {
        let arguments = [&[&**a, b][..], &options, &["--json"]].concat();
        let row: &Value = &play(&folder, &arguments, 0).json()[0];
        assert_eq!(row["sprt"]["accepted"], accepted, "{row}");
        assert!(row["games"].as_u64().unwrap() < 300, "{row}");
        let elo = row["elo"].as_f64();
        assert!(
            elo.is_none_or(|elo| (elo > 0.0) == (accepted > 0.0)),
            "{row}"
        );
    }
    let none = [&*weaker, &weaker, "--games", "4", "--sprt", "-5", "5"];
    let run = play(&folder, &none, 0);
    assert!(run.stdout.contains("SPRT of -5 against 5 Elo"), "{run:#?}");
    assert!(run.stdout.contains("nothing decided"), "{run:#?}");
}

/// The moves of a book are made without asking the engines: by both sides, or by one; the same each time, whatever plays
/// them, so that a log goes on.
#[test]
fn moves_are_made_by_books() {
    let folder = Folder::new();
    let mut learn = outflank();
    learn.args(["book", "learn"]).arg(folder.path("a.book"));
    learn.args(["--positions", "60", "--level", "1", "--jobs", "1"]);
    run(learn.args(["--hash", "1"]), b"").expect(0);
    folder.file("openings.txt", "f5\n");
    let teller = teller(&folder, "gtp");
    let good = engine("nboard", 1);
    let common = ["--openings", "openings.txt", "--tolerance", "4"];
    let games = |books: &[&str], log: &str, games: &str| {
        let log = ["--log", log, "--games", games, "--json"];
        let arguments = [&[&*teller, &good], books, &common[..], &log[..]].concat();
        play(&folder, &arguments, 0).json()[0].clone()
    };
    let played = |log: &str| -> Vec<Game> {
        let games = logged(&folder.path(log)).into_iter();
        let game = |text: String| ggf::read(text.as_bytes()).next().expect("a game");
        games
            .map(|one| game(one.ggf).expect("it can be read").record.game)
            .collect()
    };
    // Whether the book knows a position: it makes the move there.
    let knows = |moves: String| {
        let mut show = outflank();
        show.args(["book", "show", "--json"]);
        let run = run(show.arg(folder.path("a.book")).arg(moves), b"").expect(0);
        run.json()[0]["in_book"] == true
    };
    let row = games(&["--book", "a.book"], "both.log", "8");
    assert_eq!([&row["a"]["book"], &row["b"]["book"]], ["a.book", "a.book"]);
    let first = played("both.log");
    let start = |game: &Game, plies: usize| -> String {
        let moves = game.moves().take(plies);
        moves.map(|square| square.to_string()).collect()
    };
    let starts: HashSet<_> = first.iter().map(|game| start(game, 12)).collect();
    let different = row["different"].as_u64().expect("a number") as usize;
    assert!((2..=starts.len()).contains(&different), "{row}");
    // Of the positions that it knows, the engine was asked for none.
    let told = fs::read_to_string(folder.path("told")).expect("it was told");
    let asked = told.matches("genmove").count();
    let (mut own, mut made) = (0, 0);
    for (number, game) in first.iter().enumerate() {
        let side = [Side::Black, Side::White][number % 2];
        let turns = game.moves().zip(game.turns()).enumerate();
        for (ply, (_, (_, turn))) in turns.skip(1) {
            own += usize::from(turn == side);
            made += usize::from(turn == side && ply < 16 && knows(start(game, ply)));
        }
    }
    assert!(made >= 8, "{made} moves by the book");
    assert_eq!(asked, own - made);

    games(&["--book", "a.book"], "again.log", "4");
    games(&["--book", "a.book"], "again.log", "8");
    assert_eq!(played("again.log"), first);
    let row = games(&["--book-b", "a.book"], "one.log", "2");
    let books = [&row["a"]["book"], &row["b"]["book"]];
    assert_eq!(books, [&Value::Null, &"a.book".into()]);
    let arguments = [
        &*teller,
        &good,
        "--log",
        "one.log",
        "--openings",
        "openings.txt",
    ];
    let other = play(&folder, &arguments, 2).stderr;
    assert!(other.contains("book_b was"), "{other}");
}
