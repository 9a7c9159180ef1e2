//! `outflank match`: kinds of faults are distinguished, the match goes on, and no process is left.

#![cfg(unix)]

use outflank_testing::command::Folder;
use outflank_tournament::EngineId;
use serde_json::json;

use crate::common::matches::{engine, faulty, logged, play, play_json, record, script};
use crate::common::program::OutputChecks;
use crate::common::text::{assert_ends, assert_has};

#[test]
fn faults_are_distinguished() {
    let folder = Folder::new();
    let good = engine("gtp", 1);
    folder.file("openings", "f5d6c3d3\nf5f6e6f4\n");
    let crash = "while read -r command rest; do case $command in\n\
                 genmove) echo 'out of memory' >&2; exit 3;;\n*) printf '= \\n\\n';; esac; done";
    let crash = script(&folder, "crash", crash);
    let faulty = |name: &str, action: &str| faulty(&folder, name, action);
    let answer = |name: &str, answer: &str| {
        let action = format!("printf '= {answer}\\n\\n' >&3; continue");
        faulty(name, &action)
    };
    let crash_message = "by a crash: ended (exit status: 3): out of memory";
    let killed = faulty("closed", "kill -9 $$; kill -9 0");
    let hang = faulty("hang", "sleep 1000");
    // Long lines flood a busy machine, too.
    let flood = faulty("flood", "yes \"$(printf '%30000s')\" >&3");
    let no_answer = "by a flood of output: no answer to \"genmove";
    let line = faulty("line", "tr '\\0' x </dev/zero >&3");
    let line_message = "by a flood of output: wrote a line of 65536 bytes or more";
    let illegal = answer("illegal", "A1");
    let garbage = answer("garbage", "banana\\033[2J");
    let garbage_message = "by an unparsable answer: answered \"banana [2J\" instead of a move";
    let resigns = answer("resigns", "resign");
    for (bad, kind, message) in [
        (crash, "crash", crash_message),
        (killed, "crash", "by a crash: ended (signal: 9"),
        (hang, "hang", "by a hang: no answer to \"genmove"),
        (flood, "flood", no_answer),
        (line, "flood", line_message),
        (illegal, "illegal", "by an illegal move: move "),
        (garbage, "garbage", garbage_message),
        (resigns, "resignation", "by resignation: resigned"),
    ] {
        let log = format!("{bad}.log").replace(' ', "-");
        let options = "--games 4 --openings openings --patience 3 --concurrency 4 --protocol-a gtp";
        let options = format!("{options} --log {log}");
        let (row, run) = play_json(&folder, [&bad, &good], &options);
        assert_eq!(row["losses"], 4, "{bad}: {run:#?}");
        assert_eq!(row["a"]["forfeits"], json!({ kind: 4 }), "{bad}: {run:#?}");
        assert_eq!(row["b"]["forfeits"], json!({}), "{bad}: {run:#?}");
        let message = format!("loses {message}");
        assert_eq!(run.stderr.matches(&message).count(), 4, "{bad}: {run:#?}");
        let games = logged(&folder, &log);
        assert_eq!(games.len(), 4);
        for game in &games {
            let record = record(game);
            let sign = if game.black == EngineId::A { '-' } else { '+' };
            let result = format!("{sign}64.000:r");
            assert_eq!(record.property("RE"), Some(result.as_str()));
            assert!(record.property("CO").unwrap().starts_with("A loses by "));
        }
    }
}

#[test]
fn late_and_missing_answers_are_distinguished() {
    let folder = Folder::new();
    let good = engine("gtp", 1);
    let late = faulty(&folder, "late", "sleep 1.3");
    let hangs = faulty(&folder, "hangs", "sleep 1000");
    for (bad, limit, kind, message) in [
        (&late, "--move-time 0.9", "time", "on time: move "),
        (&late, "--game-time 0.9", "time", "on time: move "),
        (&hangs, "--move-time 0.9", "hang", "by a hang: no answer"),
    ] {
        // The margin leaves a good engine time enough on a slow machine.
        let options = format!("{limit} --games 2 --patience 2 --concurrency 2 --margin 100");
        let (row, run) = play_json(&folder, [bad, &good], &options);
        assert_eq!(row["a"]["forfeits"], json!({ kind: 2 }), "{run:#?}");
        for line in run.stderr.lines() {
            assert_has(line, &format!("loses {message}"));
        }
        let overstep = row["a"]["overstep_ms"].as_f64().unwrap();
        assert_eq!(overstep > 100.0, kind == "time", "{run:#?}");
    }
}

#[test]
fn engines_that_do_not_restart_forfeit_or_end_the_match() {
    let folder = Folder::new();
    let (gtp, nboard) = (engine("gtp", 1), engine("nboard", 1));
    let text = format!("[ -e ready ] && exit 7\ntouch ready\nexec {gtp}\n");
    let once = script(&folder, "once", &text);
    let options = "--games 40 --protocol-b gtp --log games.log";
    let run = play(&folder, [&gtp, &once], options, 1);
    let message = "\"sh once\" begins no game by GTP: ended (exit status: 7)";
    run.stderr_has(format!("the match cannot go on: {message}"));
    assert_eq!(logged(&folder, "games.log").len(), 2);

    let text = format!("echo x >> starts\n[ $(wc -l < starts) -gt 1 ] && exit 7\nexec {nboard}\n");
    let once = script(&folder, "once", &text);
    let options = "--games 2 --protocol-b nboard";
    let run = play(&folder, [&nboard, &once], options, 0);
    assert_ends(&run.stdout, "B forfeited 2 games: 2 by not starting\n");
    run.stderr_has("pair 1: B, white, loses by not starting: ended (exit status: 7)");
}

/// Engines, further options, exit status and message.
const IMPOSSIBLE: &str = r#"
absent-engine gtp | GTP | | 2 | "absent-engine gtp" cannot be started: No such file
GTP | 'gtp | | 2 | "'gtp" is no command: missing closing quote
 | GTP | | 2 | an engine needs a command
sh dies | GTP | | 2 | "sh dies" speaks neither GTP nor NBoard's protocol: ended (exit status: 1): no weights
sh silent | GTP | --patience 0.5 | 2 | "sh silent" speaks neither GTP nor NBoard's protocol: no answer to "ping 1" in 0.5 s
GTP | NBOARD | --protocol-b gtp --patience 3 | 2 | begins no game by GTP: no answer to "name" in 3.0 s
GTP | GTP | --depth 4 | 2 | GTP, which has no way to set a depth: write {depth} where
NBOARD | GTP | --nodes 4 | 2 | has no way to set a number of nodes: write {nodes}
NBOARD | GTP | --move-time 1 | 2 | has no way to set a time for each move: write {time}
NBOARD | GTP | --game-time 1.5 | 2 | has clocks of whole seconds
GTP | GTP | --log a.log --ggf ./a.log | 2 | ./a.log: --ggf would be written over --log; name another file
x --depth {depth} | GTP | | 2 | has a place for {depth}, and no such limit is given
GTP | GTP | --sprt 5 0 | 2 | two differences in Elo, the smaller first
GTP | GTP | --move-time 1 --nodes 4 | 2 | cannot be used with
GTP | GTP | --plies 10 | 2 | there are 9 --plies at most
GTP | GTP | --openings absent | 1 | absent: No such file
GTP | GTP | --openings bad.txt | 1 | bad.txt:2: move 2, F5, is not legal
GTP | GTP | --log other.log | 2 | other.log is no log of a match
GTP | GTP | --log no/folder | 1 | cannot use the log no/folder: No such file
GTP | GTP | --ggf no/folder | 1 | cannot write no/folder
GTP | GTP | --plies 2 --even 0 --games 8 | 1 | the match cannot go on: 4 pairs need as many openings, and of 3 after 2 plies
"#;

#[test]
fn impossible_matches_are_refused() {
    let folder = Folder::new();
    let (gtp, nboard) = (engine("gtp", 1), engine("nboard", 1));
    script(&folder, "dies", "echo 'no weights' >&2; exit 1");
    let silent = "while read -r line; do :; done; sleep 1000";
    script(&folder, "silent", silent);
    folder.file("bad.txt", "f5d6\nf5f5\n");
    folder.file("other.log", "f5d6\n");
    for case in IMPOSSIBLE.trim_matches('\n').lines() {
        let fields: Vec<&str> = case.split('|').map(str::trim).collect();
        let &[a, b, options, status, message] = &fields[..] else {
            panic!("five fields: {case}");
        };
        let engines = [a, b].map(|command| match command {
            "GTP" => &gtp,
            "NBOARD" => &nboard,
            other => other,
        });
        let status = status.parse().expect("a number");
        let run = play(&folder, engines, options, status);
        assert!(run.stderr.contains(message), "{message}: {run:#?}");
        let lines = run.stderr.lines().count();
        assert!(lines == 1 || run.stderr.contains("Usage:"), "{run:#?}");
    }
}
