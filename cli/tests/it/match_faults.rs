//! `outflank match`: what engines do wrong is told apart, the match goes on, and nothing of them is left.

#![cfg(unix)]

use crate::common::matches::{Seat, engine, logged, play, script, wrong};
use outflank::notation::ggf;
use outflank_testing::command::Folder;

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
            "loses by a flood of output: no answer to \"genmove",
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
            "loses on time: move ",
        ),
        (
            &late,
            ["--game-time", "0.9"],
            "time",
            "loses on time: move ",
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
fn a_match_ends_where_an_engine_does_not_start_any_more() {
    let folder = Folder::new();
    let once = format!(
        "[ -e ready ] && exit 7\ntouch ready\nexec {}\n",
        engine("gtp", 1)
    );
    let once = script(&folder, "once", &once);
    let good = engine("gtp", 1);
    let options = ["--games", "40", "--protocol-b", "gtp", "--log", "games.log"];
    let run = play(&folder, &[&[&*good, &once][..], &options].concat(), 1);
    let told = "the match cannot go on: \"sh once\" begins no game by GTP: ended (exit status: 7)";
    assert!(run.stderr.contains(told), "{run:#?}");
    assert_eq!(logged(&folder.path("games.log")).len(), 2);
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
            &[&gtp, &gtp, "--log", "a.log", "--ggf", "./a.log"],
            2,
            "./a.log: --ggf would be written over --log; name another file",
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
            "absent: No such file",
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
