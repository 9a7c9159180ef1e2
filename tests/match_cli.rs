//! `outflank match`: games are played and counted, what engines do wrong is told apart, and whatever happens
//! no game is lost and nothing is left running. Engines that do wrong are scripts of a shell.

#![cfg(unix)]

mod common;

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::command::{Folder, Run, interrupt, outflank, run, run_until};
use outflank::notation::ggf;
use outflank::tournament::statistics::Tally;
use outflank::tournament::{Finished, Seat};
use serde_json::Value;

const OWN: &str = env!("CARGO_BIN_EXE_outflank");

/// Our engine, by `protocol`, searching so many plies with a small table.
fn engine(protocol: &str, depth: u32) -> String {
    format!("'{OWN}' {protocol} --depth {depth} --hash 1")
}

/// A command that plays a match in `folder`, where its engines and theirs are, too.
fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = outflank();
    command.arg("match").args(arguments);
    command.current_dir(folder.path(""));
    command
}

#[track_caller]
fn play(folder: &Folder, arguments: &[&str], status: i32) -> Run {
    let run = run(&mut command(folder, arguments), b"").expect(status);
    assert_alone(folder);
    run
}

/// Nothing runs in the folder any more.
#[track_caller]
fn assert_alone(folder: &Folder) {
    let own = fs::canonicalize(folder.path("")).expect("it is there");
    let Ok(processes) = fs::read_dir("/proc") else {
        return;
    };
    let is_here = |path: &Path| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd == own);
    let left: Vec<_> = processes
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| is_here(path))
        .map(|path| fs::read_to_string(path.join("cmdline")).unwrap_or_default())
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Writes a script of a shell, and returns the command that runs it.
fn script(folder: &Folder, name: &str, text: &str) -> String {
    folder.file(name, text);
    format!("sh {name}")
}

/// Our engine behind a script that does `wrong` when it is asked for a move for the third time, with its
/// output as 3.
fn wrong(folder: &Folder, name: &str, wrong: &str) -> String {
    let ours = engine("gtp", 1);
    let text = format!(
        "exec 3>&1\nn=0\nwhile read -r line; do\n  case $line in genmove*) n=$((n+1))\n    \
         if [ $n -eq 3 ]; then {wrong}; fi;;\n  esac\n  printf '%s\\n' \"$line\"\ndone | {ours}\n"
    );
    script(folder, name, &text)
}

/// The games of a log.
fn logged(path: &Path) -> Vec<Finished> {
    let text = fs::read_to_string(path).expect("it can be read");
    let games = text.lines().skip(1);
    games
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

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
    let mut tally = Tally::default();
    games.iter().for_each(|game| tally.add(game));
    let counts = ["wins", "draws", "losses"].map(|key| row[key].as_u64().unwrap());
    assert_eq!(counts, tally.games);
    assert!(tally.share() > Some(0.8), "{row}");
    assert_eq!(row["pairs"], 10);
    assert_eq!(row["pentanomial"], serde_json::json!(tally.pairs));
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
fn what_engines_do_wrong_is_told_apart() {
    let folder = Folder::new();
    let good = engine("gtp", 1);
    folder.file("openings", "f5d6c3d3\nf5f6e6f4\n");
    let direct = "while read -r command rest; do case $command in\n\
                  genmove) echo 'out of memory' >&2; exit 3;;\n*) printf '= \\n\\n';; esac; done";
    for (name, fake, kind, told) in [
        (
            "crash",
            script(&folder, "crash", direct),
            "crash",
            "loses by a crash: ended (exit status: 3): out of memory",
        ),
        (
            "closed",
            wrong(&folder, "closed", "kill -9 $$; kill -9 0"),
            "crash",
            "loses by a crash: ended (signal: 9",
        ),
        (
            "hang",
            wrong(&folder, "hang", "sleep 1000"),
            "hang",
            "loses by a hang: no answer to \"genmove",
        ),
        (
            "flood",
            wrong(&folder, "flood", "yes >&3"),
            "flood",
            "loses by a flood of output: wrote 200000 lines",
        ),
        (
            "line",
            wrong(&folder, "line", "tr '\\0' x </dev/zero >&3"),
            "flood",
            "loses by a flood of output: wrote a line of 65536 bytes or more",
        ),
        (
            "illegal",
            wrong(&folder, "illegal", "printf '= A1\\n\\n' >&3; continue"),
            "illegal",
            "loses by an illegal move: move ",
        ),
        (
            "garbage",
            wrong(
                &folder,
                "garbage",
                "printf '= banana\\033[2J\\n\\n' >&3; continue",
            ),
            "garbage",
            "loses by an answer that is none: answered \"banana [2J\" instead of a move",
        ),
        (
            "resigns",
            wrong(&folder, "resigns", "printf '= resign\\n\\n' >&3; continue"),
            "resignation",
            "loses by resignation: resigned",
        ),
    ] {
        let log = format!("{name}.log");
        let arguments = [
            &*fake,
            &good,
            "--games",
            "4",
            "--openings",
            "openings",
            "--patience",
            "3",
            "--concurrency",
            "4",
            "--protocol-a",
            "gtp",
            "--json",
            "--log",
            &log,
        ];
        let run = play(&folder, &arguments, 0);
        let row = &run.json()[0];
        assert_eq!(row["losses"], 4, "{name}: {run:#?}");
        assert_eq!(
            row["a"]["forfeits"],
            serde_json::json!({ kind: 4 }),
            "{name}: {run:#?}"
        );
        assert_eq!(
            row["b"]["forfeits"],
            serde_json::json!({}),
            "{name}: {run:#?}"
        );
        let lines = run.stderr.lines().filter(|line| line.contains(told));
        assert_eq!(lines.count(), 4, "{name}: {run:#?}");
        let games = logged(&folder.path(&log));
        assert_eq!(games.len(), 4);
        for game in games {
            let record = ggf::read(game.ggf.as_bytes())
                .next()
                .unwrap()
                .unwrap()
                .record;
            let result = record.property("RE").unwrap();
            let lost = if game.black == Seat::A {
                "-64.000:r"
            } else {
                "+64.000:r"
            };
            assert_eq!(result, lost);
            assert!(record.property("CO").unwrap().starts_with("A loses by "));
        }
    }
}

#[test]
fn limits_of_time_are_kept_or_lost_by() {
    let folder = Folder::new();
    let good = engine("gtp", 1);
    let late = wrong(&folder, "late", "sleep 1.3");
    let slow = wrong(&folder, "slow", "sleep 1000");
    for (fake, limit, kind, told) in [
        (
            &late,
            ["--move-time", "0.9"],
            "time",
            "loses on time: moved ",
        ),
        (
            &late,
            ["--game-time", "0.9"],
            "time",
            "loses on time: moved ",
        ),
        (
            &slow,
            ["--move-time", "0.9"],
            "hang",
            "loses by a hang: no answer",
        ),
    ] {
        let arguments = [
            &[fake, &*good][..],
            &["--games", "2", "--patience", "2", "--concurrency", "2"],
            &["--margin", "100", "--json"],
            &limit,
        ];
        // The clock of a slow machine is not what is tested here: who is good has time enough.
        let run = play(&folder, &arguments.concat(), 0);
        let row = &run.json()[0];
        assert_eq!(
            row["a"]["forfeits"],
            serde_json::json!({ kind: 2 }),
            "{run:#?}"
        );
        assert!(
            run.stderr.lines().all(|line| line.contains(told)),
            "{run:#?}"
        );
        let over = row["a"]["overstep_ms"].as_f64().unwrap();
        assert_eq!(over > 100.0, kind == "time", "{run:#?}");
    }
}

#[test]
fn an_engine_that_does_not_start_again_forfeits() {
    let folder = Folder::new();
    let ours = engine("nboard", 1);
    let once = format!("echo x >> starts\n[ $(wc -l < starts) -gt 1 ] && exit 7\nexec {ours}\n");
    let once = script(&folder, "once", &once);
    let good = engine("nboard", 1);
    let options = ["--games", "2", "--protocol-b", "nboard"];
    let run = play(&folder, &[&[&*good, &once][..], &options].concat(), 0);
    let told = "B forfeited 2 games: 2 by not starting\n";
    assert!(
        format!("{}\n", run.stdout.trim_end()).contains(told),
        "{run:#?}"
    );
    assert!(
        run.stderr
            .contains("pair 1: B, white, loses by not starting: ended (exit status: 7)")
    );
}

#[test]
fn a_match_that_cannot_be_is_said() {
    let folder = Folder::new();
    let gtp = engine("gtp", 1);
    let nboard = engine("nboard", 1);
    let dies = script(&folder, "dies", "echo 'no weights' >&2; exit 1");
    let silent = script(
        &folder,
        "silent",
        "while read -r line; do :; done; sleep 1000",
    );
    folder.file("bad.txt", "f5d6\nf5f5\n");
    folder.file("other.log", "f5d6\n");
    let cases: &[(&[&str], i32, &str)] = &[
        (
            &["absent-engine gtp", &gtp],
            2,
            "cannot start \"absent-engine gtp\": No such file",
        ),
        (
            &[&gtp, "'gtp"],
            2,
            "\"'gtp\" is no command: missing closing quote",
        ),
        (&["", &gtp], 2, "an engine needs a command"),
        (
            &[&dies, &gtp],
            2,
            "\"sh dies\" speaks neither GTP nor NBoard's protocol: ended (exit status: 1): no weights",
        ),
        (
            &[&silent, &gtp, "--patience", "0.5"],
            2,
            "\"sh silent\" speaks neither GTP nor NBoard's protocol: no answer to \"ping 1\" in 0.5 s",
        ),
        (
            &[&gtp, &nboard, "--protocol-b", "gtp", "--patience", "3"],
            2,
            "begins no game by GTP: no answer to \"name\" in 3.0 s",
        ),
        (
            &[&gtp, &gtp, "--depth", "4"],
            2,
            "GTP has no way to set a depth: write {depth} where",
        ),
        (
            &[&nboard, &gtp, "--nodes", "4"],
            2,
            "has no way to set a number of nodes: write {nodes}",
        ),
        (
            &[&nboard, &gtp, "--move-time", "1"],
            2,
            "has no way to set a time for each move: write {time}",
        ),
        (
            &[&nboard, &gtp, "--game-time", "1.5"],
            2,
            "has clocks of whole seconds",
        ),
        (
            &["x --depth {depth}", &gtp],
            2,
            "has a place for {depth}, and the match has no such limit",
        ),
        (
            &[&gtp, &gtp, "--sprt", "5", "0"],
            2,
            "two differences in Elo, the smaller first",
        ),
        (
            &[&gtp, &gtp, "--move-time", "1", "--nodes", "4"],
            2,
            "cannot be used with",
        ),
        (
            &[&gtp, &gtp, "--plies", "10"],
            2,
            "there are 9 --plies at most",
        ),
        (
            &[&gtp, &gtp, "--openings", "absent"],
            1,
            "cannot read the openings absent: No such file",
        ),
        (
            &[&gtp, &gtp, "--openings", "bad.txt"],
            1,
            "bad.txt:2: move 2, F5, is not legal",
        ),
        (
            &[&gtp, &gtp, "--log", "other.log"],
            2,
            "other.log is no log of a match",
        ),
        (
            &[&gtp, &gtp, "--log", "no/folder"],
            1,
            "cannot use the log no/folder: No such file",
        ),
        (
            &[&gtp, &gtp, "--ggf", "no/folder"],
            1,
            "cannot write no/folder",
        ),
        (
            &[&gtp, &gtp, "--plies", "2", "--even", "0", "--games", "8"],
            1,
            "the match cannot go on: 4 pairs need as many openings, and of 3 after 2 plies",
        ),
    ];
    for (arguments, status, told) in cases {
        let run = play(&folder, arguments, *status);
        assert!(run.stderr.contains(told), "{told}: {run:#?}");
        let lines = run.stderr.lines().count();
        assert!(lines == 1 || run.stderr.contains("Usage:"), "{run:#?}");
    }
}

#[test]
fn a_depth_is_told_by_the_protocol_or_by_the_command() {
    let folder = Folder::new();
    let log = "while read -r line; do echo \"$line\" >> told; printf '%s\\n' \"$line\"; done";
    let teller = script(
        &folder,
        "teller",
        &format!("{log} | {}\n", engine("nboard", 1)),
    );
    let gtp = format!("'{OWN}' gtp --hash 1 --depth {{depth}}");
    let options = ["--depth", "3", "--games", "2"];
    play(&folder, &[&[&*teller, &gtp][..], &options].concat(), 0);
    let told = fs::read_to_string(folder.path("told")).expect("it was written");
    assert_eq!(
        told.matches("set depth 3\n").count(),
        3,
        "tried once, two games: {told}"
    );
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
    let mut child = command(&folder, &[&hangs, &good, "--games", "2"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    std::thread::sleep(Duration::from_secs(2));
    interrupt(&child);
    let start = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        assert!(start.elapsed() < Duration::from_secs(30), "it goes on");
        std::thread::sleep(Duration::from_millis(5));
    }
    Run::of(child).expect(130);
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
