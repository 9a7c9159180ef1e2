//! The second verifier, `crates/verifier/verify.py`.

use std::path::Path;
use std::process::Command;

use outflank_certificate::{Budget, Choice};
use outflank_testing::command::{Folder, Run, run};
use outflank_testing::data::root;

use crate::forgeries::{Parts, deflate};
use crate::{certify, engine, ffo, file};

/// Runs the verifier; `None` without Python 3.10.
fn verify(path: &Path) -> Option<Run> {
    let python = |arguments: &[&str]| {
        let mut command = Command::new("python3");
        command.args(arguments);
        command
    };
    let version = python(&["-c", "int.bit_count"]).output();
    if !version.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: there is no Python 3.10");
        return None;
    }
    let script = root().join("crates/verifier/verify.py");
    Some(run(python(&[script.to_str().unwrap()]).arg(path), b""))
}

#[test]
fn the_second_verifier_accepts_certificates() {
    let mut engine = engine(1);
    let mut all = Vec::new();
    for (index, (board, _)) in ffo(18).into_iter().enumerate() {
        let budget = Budget::LeafEmpties([4, 4, 4, 5][index]);
        all.extend(certify(&mut engine, board, budget, Choice::First));
    }
    assert!(all.iter().all(|certificate| certificate.verify().is_ok()));
    let folder = Folder::new();
    let path = folder.file("ffo.cert", file(&all));
    let Some(run) = verify(&path) else { return };
    let lines: Vec<String> = run.expect(0).stdout.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), all.len());
    for (line, certificate) in lines.iter().zip(&all) {
        let header = certificate.header();
        let words = if header.claim.at_least {
            "at least"
        } else {
            "at most"
        };
        assert!(
            line.starts_with(&format!("{words} {:+} ", header.claim.score)),
            "{line}"
        );
        assert!(
            line.ends_with(&format!(", {} moves", header.moves)),
            "{line}"
        );
    }
}

#[test]
fn the_second_verifier_refuses_forgeries() {
    let (board, _) = ffo(15)[1];
    let certificates = certify(&mut engine(1), board, Budget::LeafEmpties(5), Choice::First);
    let folder = Folder::new();
    let refuse = |name: &str, bytes: &[u8], reason: &str| {
        let path = folder.file(name, bytes);
        let Some(run) = verify(&path) else { return };
        let run = run.expect(1);
        assert!(run.stderr.contains(reason), "{name}: {}", run.stderr);
    };
    let good = file(&certificates);
    refuse("foreign", b"othello certificate 2\n", "no certificate");
    refuse("cut", &good[..good.len() - 1], "cut off");
    let mut flipped = good.clone();
    flipped[100] ^= 4;
    refuse("flipped", &flipped, "wrong checksum");
    let parts = Parts::of(&certificates[0]);
    let forge = |change: &dyn Fn(&mut Parts)| {
        let mut forged = parts.clone();
        change(&mut forged);
        [outflank_verifier::MAGIC, &forged.bytes()].concat()
    };
    refuse("score", &forge(&|parts| parts.header[17] += 2), " for 0x");
    refuse(
        "leaves",
        &forge(&|parts| parts.header[18] = 15),
        "impossible header",
    );
    refuse(
        "illegal",
        &forge(&|parts| parts.moves[0] = 40),
        "no legal move",
    );
    refuse(
        "short",
        &forge(&|parts| parts.moves.truncate(1)),
        "no legal move",
    );
    refuse(
        "long",
        &forge(&|parts| parts.moves.push(0)),
        "another number of moves",
    );
    let behind =
        forge(&|parts| parts.compressed = Some([deflate(&parts.moves), vec![0; 3]].concat()));
    refuse("behind", &behind, "another number of moves");
}
