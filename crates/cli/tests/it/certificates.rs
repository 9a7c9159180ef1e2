//! `outflank solve --certificate`, `outflank verify` and `outflank check search`.

use std::fs;

use outflank::problems::FFO_20_39;
use outflank_testing::command::{Folder, run, wait_until};
use serde_json::Value;

use crate::common::program::{OutputChecks, cli_in, kill, refuse_all, rows, run_in, spawn_in};

/// FFO #20 to #25, with 6 to 19 empty squares and all scores.
fn folder() -> Folder {
    let folder = Folder::new();
    let all = String::from_utf8_lossy(FFO_20_39);
    let positions = all
        .lines()
        .filter(|line| line.contains(';') && !line.starts_with('%'));
    let positions: Vec<&str> = positions.take(6).collect();
    folder.file("ffo.obf", positions.join("\n"));
    folder.file("first.obf", positions[..2].join("\n"));
    folder.file("wrong.obf", positions[1].replace(":+0", ":+2"));
    folder
}

#[test]
fn solved_scores_are_proven_and_verified() {
    let folder = folder();
    let solved = run_in(&folder, "solve ffo.obf --certificate ffo.cert", 0);
    solved
        .stdout_has("6 solved, 0 wrong")
        .stderr_has("ffo.cert: 12 certificates added");
    let verified = run_in(&folder, "verify ffo.cert --problems ffo.obf", 0);
    verified.stdout_has("12 certificates verified, 0 refused: 6 positions, 6 with the exact score");
    assert_eq!(
        verified
            .stdout
            .lines()
            .filter(|line| line.ends_with(" X"))
            .count(),
        12
    );
    let verified = run_in(&folder, "verify --json ffo.cert", 0).json();
    let (summary, claims) = verified.split_last().unwrap();
    assert_eq!(
        (&summary["summary"]["exact"], &summary["summary"]["refused"]),
        (&6.into(), &0.into())
    );
    assert_eq!(claims.len(), 12);
    for pair in claims.chunks(2) {
        assert_eq!(
            (&pair[0]["bound"], &pair[1]["bound"]),
            (&"lower".into(), &"upper".into())
        );
        assert_eq!(pair[0]["score"], pair[1]["score"]);
        assert_eq!(pair[0]["position"], pair[1]["position"]);
        assert!(pair[0]["leaf_empties"] == 12 && pair[0]["leaves"].as_u64() >= Some(1));
    }
    // From standard input.
    let file = fs::read(folder.path("ffo.cert")).unwrap();
    run(&mut cli_in(&folder, "verify -"), &file)
        .expect(0)
        .stdout_has("12 certificates verified");
}

#[test]
fn options_set_the_size_and_bounds_have_one_certificate() {
    let folder = folder();
    let claims = |options: &str| -> Vec<Value> {
        let _ = fs::remove_file(folder.path("one.cert"));
        run_in(
            &folder,
            &format!("solve ffo.obf --only 4 --certificate one.cert {options}"),
            0,
        );
        let mut claims = run_in(&folder, "verify --json one.cert", 0).json();
        claims.pop();
        claims
    };
    let bytes = |claims: &[Value]| {
        claims
            .iter()
            .map(|claim| claim["bytes"].as_u64().unwrap())
            .sum::<u64>()
    };
    let small = bytes(&claims("--leaf-empties 14"));
    let large = claims("--leaf-empties 6 --threads 3");
    assert!(large[0]["leaf_empties"] == 6 && bytes(&large) > 4 * small);
    assert!(bytes(&claims("--leaf-empties 6 --small-certificate")) < bytes(&large));
    for claim in claims("--certificate-bytes 1000") {
        assert!(
            claim["bytes"].as_u64() <= Some(1000) && claim["leaf_empties"].as_u64() <= Some(10)
        );
    }
    assert_eq!(claims("--verification-time 60")[0]["leaf_empties"], 14);
    // The score is +4.
    for (options, expected) in [
        ("--wld", vec![("lower", 1)]),
        ("--window 4 8", vec![("upper", 4)]),
        ("--window 2 8", vec![("lower", 4), ("upper", 4)]),
        ("--window -64 0", vec![("lower", 0)]),
        ("--window 10 20", vec![("upper", 10)]),
    ] {
        let claims = claims(options);
        let found = claims.iter().map(|claim| {
            (
                claim["bound"].as_str().unwrap(),
                claim["score"].as_i64().unwrap(),
            )
        });
        assert_eq!(found.collect::<Vec<_>>(), expected, "{options}");
    }
}

#[test]
fn a_file_of_certificates_is_continued() {
    let folder = folder();
    run_in(&folder, "solve first.obf --certificate ffo.cert", 0);
    let first = fs::read(folder.path("ffo.cert")).unwrap();
    // The end of a certificate that a killed program left.
    folder.file("ffo.cert", [first.as_slice(), &first[22..60]].concat());
    let run = run_in(&folder, "solve ffo.obf --certificate ffo.cert", 0);
    run.stderr_has("ffo.cert: 2 positions have certificates already")
        .stderr_has("8 certificates added");
    run.stdout_has("4 solved");
    assert!(
        fs::read(folder.path("ffo.cert"))
            .unwrap()
            .starts_with(&first)
    );
    run_in(&folder, "verify ffo.cert --problems ffo.obf", 0);
    let run = run_in(&folder, "solve ffo.obf --certificate ffo.cert --jobs 2", 0);
    run.stderr_has("6 positions have certificates already")
        .stdout_has("0 solved");
    // With --force it is begun anew. Unsolved positions have no certificates.
    let run = run_in(
        &folder,
        "solve ffo.obf --certificate ffo.cert --force --depth 8",
        1,
    );
    run.stderr_has("ffo.cert: 2 certificates added");
}

/// Moves that killed runs have found are not searched again.
#[test]
fn a_certificate_is_continued_after_a_kill() {
    let folder = folder();
    // FFO #43, 23 empty squares.
    let hard = "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12;";
    folder.file("hard.obf", hard);
    // With small leaves the lower bound takes 45 s where the journal is first written after 2 s, so the kill comes in time.
    let line = "solve hard.obf --certificate hard.cert --leaf-empties";
    let journal = folder.path("hard.cert.at-least.moves");
    let length = || fs::metadata(&journal).map_or(0, |file| file.len());
    for _ in 0..2 {
        let before = length();
        let child = spawn_in(&folder, &format!("{line} 2"));
        wait_until(|| length() > before + 100_000);
        kill(child);
    }
    let run = run_in(&folder, &format!("{line} 12"), 0);
    run.stderr_has("hard.cert: goes on with ")
        .stderr_has("hard.cert: 2 certificates added");
    assert!(!journal.exists());
    run_in(&folder, "verify hard.cert --problems hard.obf", 0);
}

/// Files beside the certificates are not overwritten, and damage is told before anything is cut off.
#[test]
fn other_files_and_damaged_ones_are_left_as_they_are() {
    let folder = folder();
    folder.file("a.at-most.moves", "my games");
    run_in(&folder, "solve first.obf --certificate first.cert", 0);
    let mut damaged = fs::read(folder.path("first.cert")).unwrap();
    damaged[60] ^= 1;
    folder.file("damaged.cert", damaged);
    refuse_all(
        &folder,
        "2 solve first.obf --certificate a => a.at-most.moves is there, and has no moves of an unfinished certificate
         2 solve first.obf --certificate a --force => a.at-most.moves is there
         1 solve ffo.obf --certificate damaged.cert => damaged.cert: damaged certificate: its checksum is wrong",
    );
    // The score of a position that is left out is compared with the file, too. A position is proven once.
    let twice = fs::read_to_string(folder.path("wrong.obf")).unwrap();
    folder.file("twice.obf", [twice.as_str(), &twice].join("\n"));
    let run = run_in(&folder, "solve twice.obf --certificate first.cert", 1);
    run.stdout_has("2 solved, 2 wrong")
        .stderr_has("0 certificates added");
    let run = run_in(
        &folder,
        "solve ffo.obf --only 6 --depth 4 --certificate none.cert",
        1,
    );
    run.stderr_has("1 position has no certificate: not solved");
}

/// Two programs cannot write to one file.
#[test]
fn a_file_of_certificates_has_one_writer() {
    let folder = folder();
    run_in(&folder, "solve first.obf --certificate first.cert", 0);
    let file = fs::File::options()
        .write(true)
        .open(folder.path("first.cert"))
        .unwrap();
    file.lock().unwrap();
    refuse_all(
        &folder,
        "1 solve ffo.obf --certificate first.cert => another program writes to first.cert",
    );
}

#[test]
fn faults_are_told_in_one_line() {
    let folder = folder();
    run_in(
        &folder,
        "solve first.obf --certificate first.cert --leaf-empties 6",
        0,
    );
    let good = fs::read(folder.path("first.cert")).unwrap();
    folder.file("cut.cert", &good[..good.len() - 1]);
    let mut flipped = good.clone();
    flipped[300] ^= 1;
    folder.file("flipped.cert", flipped);
    folder.file("notes.txt", "notes");
    let refused = |line: &str, message: &str| {
        let run = run_in(&folder, line, 1);
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
        run.stderr_has(message);
    };
    for row in rows(
        "cut.cert: certificate 4: damaged certificate: it is cut off
         flipped.cert: certificate 3: damaged certificate: its checksum is wrong
         notes.txt: no certificate: the first line is not \"othello certificate 1\"
         absent.cert: ",
    ) {
        let name = row.split(':').next().unwrap();
        refused(&format!("verify {name}"), row);
    }
    refused(
        "verify first.cert --max-moves 100",
        "moves, above the limit",
    );
    refused(
        "verify first.cert --problems wrong.obf",
        "FFO #21: +2 not proven: the score is +0 to +0",
    );
    let run = run_in(&folder, "verify first.cert --problems ffo.obf", 1);
    assert_eq!(
        run.stderr
            .matches("not proven: no certificate is about it")
            .count(),
        4,
        "{run:?}"
    );
    refuse_all(
        &folder,
        "2 solve first.obf --certificate notes.txt => notes.txt is not a file of certificates; it looks like text
         2 solve first.obf --certificate first.obf => --certificate would be written over FILE
         2 solve first.obf --leaf-empties 4 => --certificate
         2 solve first.obf --certificate a --leaf-empties 15 => 0 to 14
         2 solve first.obf --certificate a --leaf-empties 4 --certificate-bytes 9 => cannot be used with
         1 solve first.cert => it is a file of certificates, which `outflank verify` checks",
    );
}

#[test]
fn random_positions_are_checked_at_every_level() {
    let folder = Folder::new();
    for isa in outflank::Isa::available() {
        let line = format!(
            "check search --seconds 0.4 --max-empties 13 --threads 2 --hash 8 --isa {isa} --seed 3"
        );
        let run = run_in(&folder, &line, 0);
        let solved: u32 = run.stdout.split(' ').next().unwrap().parse().unwrap();
        assert!(
            solved >= 3 && run.stdout.ends_with("made and verified, none wrong\n"),
            "{run:?}"
        );
    }
}
