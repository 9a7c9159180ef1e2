//! Logs that are torn, resumed or refused.

use std::fs;
use std::path::Path;

use outflank_tournament::{EngineId, GameResult, Log, LogError, LogFile, MatchSettings};
use proptest::prelude::*;
use serde_json::json;

fn settings(openings: &str) -> MatchSettings {
    let settings = json!({
        "outflank_match": 1, "a": "a", "b": "b", "protocol_a": "gtp", "protocol_b": "nboard",
        "control": "own", "margin": {"secs": 0, "nanos": 0}, "openings": openings,
    });
    serde_json::from_value(settings).unwrap()
}

fn resume(path: &Path, openings: &str) -> Result<(Log, Vec<GameResult>), LogError> {
    LogFile::open(path)?.resume(&settings(openings))
}

/// The log is cut at every byte: all complete games are found, and others can be added.
#[test]
fn torn_log_loses_no_finished_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let games = [(0, EngineId::A), (0, EngineId::B), (1, EngineId::A)];
    let games = games.map(|(pair, black)| GameResult {
        pair,
        black,
        opening: "f5".into(),
        score: 2,
        forfeit: None,
        overstep_ms: [0.25, 0.0],
        ggf: "(;GM[Othello];)".into(),
    });
    let (mut log, before) = resume(&path, "x").unwrap();
    assert!(before.is_empty());
    games.iter().for_each(|game| log.add(game).unwrap());
    assert!(matches!(resume(&path, "x"), Err(LogError::Busy(_))));
    drop(log);
    let whole = fs::read(&path).unwrap();
    for end in 0..=whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        let (mut log, found) = resume(&path, "x").unwrap();
        let lines = whole[..end].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(found, games[..lines.saturating_sub(1)], "cut at {end}");
        for game in &games[found.len()..] {
            log.add(game).unwrap();
        }
        drop(log);
        assert!(fs::read(&path).unwrap() == whole, "cut at {end}");
    }
    assert_refused(
        &path,
        "y",
        ": another match has this log, openings was \"x\" and is \"y\": give the same settings or another log",
    );
    fs::write(&path, [&whole[..], &whole[whole.len() / 2..]].concat()).unwrap();
    assert!(resume(&path, "x").is_err());
    // The first game is repeated in line 5. Pairs are counted from 1.
    let first_game = whole.split_inclusive(|&byte| byte == b'\n').nth(1).unwrap();
    fs::write(&path, [&whole[..], first_game].concat()).unwrap();
    assert_refused(
        &path,
        "x",
        ":5: pair 1 with A black is there already: remove one of them",
    );
}

/// Checks that a log is refused with this message behind its path.
#[track_caller]
fn assert_refused(path: &Path, openings: &str, message: &str) {
    let error = resume(path, openings).map(drop).unwrap_err();
    assert_eq!(error.to_string(), format!("{}{message}", path.display()));
}

proptest! {
    #[test]
    fn any_text_is_resumed_or_kept(
        has_head in any::<bool>(),
        rest in prop::collection::vec("[ -~]{0,40}|\\{\"pair\":1.*|\\PC{0,9}", 0..4),
    ) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let head = serde_json::to_string(&settings("x")).unwrap();
        let lines = has_head.then_some(head).into_iter().chain(rest);
        let text = lines.collect::<Vec<_>>().join("\n");
        fs::write(file.path(), &text).unwrap();
        if resume(file.path(), "x").is_err() {
            prop_assert_eq!(fs::read_to_string(file.path()).unwrap(), text);
        }
    }
}
