//! `outflank match`: games are played, counted and logged. No game is lost, and no process is left.

use std::collections::HashSet;
use std::fs;

use outflank::{Game, Side};
use outflank_testing::command::{Folder, ends_soon, interrupt, run_until, wait_until};
use outflank_testing::data::transcript;
use outflank_tournament::{EngineId, MatchTally};
use serde_json::json;

use crate::common::matches::{
    OUTFLANK, assert_no_process, command, engine, faulty, has_games, logged, play, play_json,
    record, recorder, spawn, text,
};
use crate::common::program::{OutputChecks, run_in};
use crate::common::text::assert_starts;

#[test]
fn match_is_played_counted_and_logged() {
    let folder = Folder::new();
    let (stronger, weaker) = (engine("gtp", 4), engine("nboard", 1));
    let engines = [&*stronger, &weaker];
    let options = "--games 19 --concurrency 2 --plies 7 --log match.log --ggf games.ggf";
    let (row, _) = play_json(&folder, engines, options);
    let games = logged(&folder, "match.log");
    assert_eq!(games.len(), 20, "an odd number is rounded up");
    let mut tally = MatchTally::default();
    games.iter().for_each(|game| tally.add(game));
    let results = json!([row["wins"], row["draws"], row["losses"]]);
    assert_eq!(results, json!(tally.games));
    assert_eq!(row["pentanomial"], json!(tally.pairs));
    assert_eq!(row["pairs"], 10);
    assert!(tally.share() > Some(0.8), "{row}");
    let protocols = [&row["a"]["protocol"], &row["b"]["protocol"]];
    assert_eq!(protocols, ["gtp", "nboard"]);
    assert_eq!(row["a"]["forfeits"], json!({}), "{row}");

    // Each pair has an opening of its own, once with each colour.
    let openings = games.iter().map(|game| (game.pair, &game.opening));
    assert_eq!(openings.collect::<HashSet<_>>().len(), 10);
    let colours = games.iter().map(|game| (game.pair, game.black));
    assert_eq!(colours.collect::<HashSet<_>>().len(), 20);
    let expected: String = games.iter().map(|game| game.ggf.clone() + "\n").collect();
    assert_eq!(text(&folder, "games.ggf"), expected);
    for game in &games {
        let record = record(game);
        let score = record.game.score().expect("it was played to the end");
        let is_black = game.black == EngineId::A;
        assert_eq!(if is_black { score } else { -score }, game.score);
        let property = |name| record.property(name).expect("the record has the property");
        assert_eq!(property("RE"), format!("{score:+}.000"));
        let (of_a, of_b) = if is_black { ("PB", "PW") } else { ("PW", "PB") };
        assert!(property(of_a).starts_with("Outflank 0"), "{}", game.ggf);
        assert_eq!(property(of_b), "Outflank");
        assert!(record.notes.last().unwrap().seconds.is_some());
        let moves = transcript(&record.game);
        assert!(moves.starts_with(&game.opening) && game.opening.len() == 14);
    }

    // Resumed, a complete match plays nothing and reports the same.
    let (again, run) = play_json(&folder, engines, options);
    assert_eq!(again, row);
    run.stderr_has("goes on behind 20 games");
    assert_eq!(text(&folder, "games.ggf"), expected);
}

#[test]
fn engines_play_the_same_games_by_either_protocol() {
    let folder = Folder::new();
    folder.file("openings", "f5d6c3\nf5f6e6f4 % another\n");
    let games = |protocols: [&str; 2], log: &str| -> Vec<_> {
        let [a, b] = protocols.map(|protocol| engine(protocol, 2));
        let options = format!("--games 6 --openings openings --log {log}");
        let run = play(&folder, [&a, &b], &options, 0);
        run.stdout_has("A forfeited no game\nB forfeited no game\n");
        let games = logged(&folder, log).into_iter();
        let games = games.map(|game| (game.opening, game.black, game.score));
        games.collect()
    };
    let by_gtp = games(["gtp", "gtp"], "gtp.log");
    assert_eq!(games(["nboard", "gtp"], "mixed.log"), by_gtp);
    // The openings repeat. Equal engines play equal games, and the scores of a pair cancel out.
    assert_eq!(by_gtp[..2], by_gtp[4..]);
    assert_eq!(by_gtp[0].2, -by_gtp[1].2);
}

#[cfg(unix)]
#[test]
fn depth_is_set_by_the_protocol_or_the_command() {
    let folder = Folder::new();
    let recorder = recorder(&folder, "nboard");
    let gtp = format!("'{OUTFLANK}' gtp --hash 1 --depth {{depth}}");
    let run = play(&folder, [&recorder, &gtp], "--depth 3 --games 2", 0);
    run.stdout_has("\n1 pair, by A's points: ");
    let input = text(&folder, "input");
    // The depth is set once before the match and in both games.
    assert_eq!(input.matches("set depth 3\n").count(), 3, "{input}");
}

#[cfg(unix)]
#[test]
fn clocks_are_set_by_either_protocol() {
    let game_time = "--game-time 60 --increment 2";
    let of_a_move = ["time_settings 0 5 1", "time_left C 5.000 1"];
    let of_a_game = ["time_settings 60 0 0", "time_left C 6"];
    for (protocol, limits, [settings, clock]) in [
        ("gtp", "--move-time 5", of_a_move),
        ("gtp", game_time, of_a_game),
        ("nboard", game_time, ["TI[01:00/00:02]", "//0.0"]),
    ] {
        let folder = Folder::new();
        let recorder = recorder(&folder, protocol);
        let options = format!("{limits} --games 2");
        play(&folder, [&recorder, &engine("gtp", 1)], &options, 0);
        let input = text(&folder, "input");
        let count = |text: &str| input.matches(text).count();
        // The settings are sent once before the match and in both games. The trial games have a shorter clock.
        assert_eq!(count(settings), 3, "{protocol} {limits}: {input}");
        if protocol == "nboard" {
            // The moves of both sides have their times.
            assert!(count(clock) > count("go\n"), "{input}");
            continue;
        }
        for colour in ["b", "w"] {
            assert!(count(&clock.replace('C', colour)) > 0, "{input}");
            let requests = count(&format!("genmove {colour}\n"));
            assert_eq!(count(&format!("time_left {colour} ")), requests, "{input}");
        }
    }
}

#[test]
fn killed_match_is_resumed() {
    let folder = Folder::new();
    let (a, b) = (engine("gtp", 1), engine("gtp", 2));
    let (log, ggf) = (folder.path("match.log"), folder.path("games.ggf"));
    let options = "--games 60 --concurrency 2 --log match.log --ggf games.ggf";
    let mut child = spawn(&folder, [&a, &b], options);
    wait_until(|| has_games(&folder, "match.log", 5));
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    // Simulates a kill within a write. Games are written to the log first.
    let before = text(&folder, "match.log");
    let torn = before.trim_end().rfind('\n').expect("there are lines") + 40;
    fs::write(&log, &before[..torn]).expect("it can be written");
    let whole = &before[..=before[..torn].rfind('\n').expect("there are lines")];
    let records = text(&folder, "games.ggf");
    let records = records.split_inclusive('\n');
    let records: String = records.take(whole.lines().count() - 1).collect();
    fs::write(&ggf, &records[..records.len() - 5]).expect("it can be written");

    let [was, is] =
        [1, 2].map(|seed| format!("\"drawn after 8 plies, even to 2 discs, seed {seed}\""));
    let message = format!("match.log: another match has this log, openings was {was} and is {is}");
    let refused = play(&folder, [&a, &b], &format!("{options} --seed 2"), 2);
    refused.stderr_has(message);

    let rest = play(&folder, [&a, &b], options, 0);
    rest.stdout_has("\n60 games: A won ");
    assert_starts(&text(&folder, "match.log"), whole);
    let games = logged(&folder, "match.log");
    let colours: HashSet<_> = games.iter().map(|game| (game.pair, game.black)).collect();
    assert_eq!((games.len(), colours.len()), (60, 60));
    for game in &games {
        let mut pair = games.iter().filter(|other| other.pair == game.pair);
        assert!(pair.all(|other| other.opening == game.opening));
    }
    let written = text(&folder, "games.ggf");
    let expected: Vec<_> = games.iter().map(|game| game.ggf.as_str()).collect();
    assert_eq!(written.lines().collect::<Vec<_>>(), expected);

    // A file with a game that the log does not have is not replaced.
    let more = written + "(;GM[Othello]B[F5];)\n";
    fs::write(&ggf, &more).expect("it can be written");
    let refused = play(&folder, [&a, &b], options, 2);
    refused.stderr_has("games.ggf is there already");
    assert_eq!(text(&folder, "games.ggf"), more);
}

#[test]
fn interrupted_match_reports_its_games() {
    let folder = Folder::new();
    let good = engine("gtp", 2);
    let options = "--games 10000 --concurrency 2 --log match.log";
    let mut command = command(&folder, [&good, &good], options);
    let run = run_until(&mut command, || has_games(&folder, "match.log", 4)).expect(130);
    assert_no_process(&folder);
    let games = logged(&folder, "match.log").len();
    run.stdout_has(format!("\n{games} games: A won "));
}

#[cfg(unix)]
#[test]
fn ctrl_c_does_not_wait_for_an_engine() {
    let folder = Folder::new();
    let hangs = faulty(&folder, "hangs", "sleep 1000");
    let good = engine("gtp", 2);
    let child = spawn(&folder, [&hangs, &good], "--games 2");
    std::thread::sleep(std::time::Duration::from_secs(2));
    interrupt(&child);
    ends_soon(child).expect(130);
    assert_no_process(&folder);
}

#[test]
fn sprt_ends_the_match() {
    let folder = Folder::new();
    let (stronger, weaker) = (&*engine("gtp", 3), &*engine("gtp", 1));
    for (engines, accepted) in [([stronger, weaker], 100.0), ([weaker, stronger], 0.0)] {
        let (row, _) = play_json(&folder, engines, "--sprt 0 100 --concurrency 2");
        assert_eq!(row["sprt"]["accepted"], accepted, "{row}");
        assert!(row["games"].as_u64().unwrap() < 300, "{row}");
        if let Some(elo) = row["elo"].as_f64() {
            assert_eq!(elo > 0.0, accepted > 0.0, "{row}");
        }
    }
    let run = play(&folder, [weaker, weaker], "--games 4 --sprt -5 5", 0);
    run.stdout_has("SPRT of -5 against 5 Elo")
        .stdout_has("nothing decided");
}

/// A book moves for both sides or for one, without asking the engines. Its moves repeat, so that a log can be resumed.
#[cfg(unix)]
#[test]
fn books_move_for_the_engines() {
    let folder = Folder::new();
    let learn = "book learn a.book --positions 60 --level 1 --jobs 1 --hash 1";
    run_in(&folder, learn, 0);
    folder.file("openings.txt", "f5\n");
    let recorder = recorder(&folder, "gtp");
    let good = engine("nboard", 1);
    let play_books = |books: &str, log: &str, games: u32| {
        let options = format!("{books} --tolerance 4 --log {log} --games {games}");
        let options = format!("{options} --openings openings.txt");
        play_json(&folder, [&recorder, &good], &options).0
    };
    let played = |log: &str| -> Vec<Game> {
        let games = logged(&folder, log).into_iter();
        games.map(|game| record(&game).game).collect()
    };
    let start = |game: &Game, plies: usize| -> String {
        let moves = game.moves().take(plies);
        moves.map(|square| square.to_string()).collect()
    };
    let is_in_book = |moves: String| {
        let show = format!("book show --json a.book {moves}");
        run_in(&folder, &show, 0).json()[0]["in_book"] == true
    };
    let row = play_books("--book a.book", "both.log", 8);
    assert_eq!([&row["a"]["book"], &row["b"]["book"]], ["a.book"; 2]);
    let games = played("both.log");
    let starts: HashSet<_> = games.iter().map(|game| start(game, 12)).collect();
    let different = row["different"].as_u64().expect("a number") as usize;
    assert!((2..=starts.len()).contains(&different), "{row}");
    // The engine was asked in the positions that the book does not know.
    let input = text(&folder, "input");
    let asked = input.matches("genmove").count();
    let (mut moves, mut book_moves) = (0, 0);
    for (number, game) in games.iter().enumerate() {
        let side = [Side::Black, Side::White][number % 2];
        let turns = game.moves().zip(game.turns()).enumerate().skip(1);
        for (ply, _) in turns.filter(|(_, (_, (_, turn)))| *turn == side) {
            moves += 1;
            book_moves += usize::from(ply < 16 && is_in_book(start(game, ply)));
        }
    }
    assert!(book_moves >= 8, "{book_moves} moves by the book");
    assert_eq!(asked, moves - book_moves);

    play_books("--book a.book", "again.log", 4);
    play_books("--book a.book", "again.log", 8);
    assert_eq!(played("again.log"), games);
    let row = play_books("--book-b a.book", "one.log", 2);
    let books = json!([row["a"]["book"], row["b"]["book"]]);
    assert_eq!(books, json!([null, "a.book"]));
    let options = "--log one.log --openings openings.txt";
    let run = play(&folder, [&recorder, &good], options, 2);
    run.stderr_has("book_b was");
}
