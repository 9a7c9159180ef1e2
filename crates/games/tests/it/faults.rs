//! Foreign and damaged files.

use std::fs;
use std::path::Path;

use outflank::Board;
use outflank_games::{Addition, DatabaseError, Filter, GameDatabase, Writer};
use outflank_random::SplitMix64;
use outflank_testing::command::Folder;
use rusqlite::Connection;

use crate::common::{random_records, write};

#[test]
fn foreign_files_are_refused_in_one_line() {
    let folder = Folder::new();
    let path = folder.path("whole.games");
    drop(write(&path, &random_records(4, 20), 20));
    let whole = fs::read(&path).unwrap();
    let mut newer = whole.clone();
    newer[63] = 9;
    let mut book = whole.clone();
    book[68..72].copy_from_slice(b"OfBk");
    for (contents, expected) in [
        (&b""[..], "expected a database of games, but it is empty"),
        (
            b"f5d6c3",
            "expected a database of games, but it looks like text, \"f5d6c3\"",
        ),
        (
            &book,
            "expected a database of games, but it is an opening book",
        ),
        (
            &newer,
            "a database of games of version 9; this outflank reads version 1: update outflank",
        ),
        (&whole[..whole.len() - 10], "cut off: "),
    ] {
        let path = folder.file("foreign.games", contents);
        for error in [GameDatabase::open(&path).err(), Writer::open(&path).err()] {
            let error = error.expect("no database").to_string();
            let start = format!("{}: {expected}", path.display());
            assert!(
                error.starts_with(&start) && !error.contains('\n'),
                "{error}"
            );
        }
        assert_eq!(fs::read(&path).unwrap(), contents);
    }
    for (statement, expected) in [
        ("create view v as select 1", "unexpected view \"v\""),
        ("drop table position", "missing table \"position\""),
        (
            "delete from player where id = 1",
            "damaged: a name is missing",
        ),
        (
            "update summary set games = x'00'",
            "damaged: a row of summaries has a wrong length",
        ),
        (
            "update summary set id = 7",
            "damaged: a row of summaries is missing",
        ),
        (
            "update summary set games = 7",
            "damaged: a value has the wrong type",
        ),
        (
            "delete from tournament",
            "damaged: a game has a player or tournament without a name",
        ),
        ("delete from game", "game 0 is invalid"),
        ("update game set moves = x'1c'", "game 0 is invalid"),
        ("update game set moves = x'ff'", "game 0 is invalid"),
        ("update game set properties = '[1]'", "game 0 is invalid"),
        ("update game set start = 'X'", "game 0 is invalid"),
    ] {
        let path = folder.file("changed.games", &whole);
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch(statement).unwrap();
        drop(connection);
        let game = GameDatabase::open(&path).and_then(|database| database.game(0));
        let error = game.expect_err(statement).to_string();
        assert!(error.contains(expected), "{statement}: {error}");
    }
}

/// Visits of games that do not exist are ignored, and nothing is lost by them.
#[test]
fn visits_of_unknown_games_are_ignored() {
    let folder = Folder::new();
    let path = folder.path("a.games");
    let records = random_records(7, 20);
    drop(write(&path, &records, 20));
    let change = "update position set games = x'40ffffff'";
    Connection::open(&path)
        .unwrap()
        .execute_batch(change)
        .unwrap();
    let database = GameDatabase::open(&path).unwrap();
    assert_eq!(database.visits(Board::START).unwrap(), []);
    drop(database);
    let mut writer = Writer::open(&path).unwrap();
    assert!(matches!(writer.add(&records[0]), Ok(Addition::New(20))));
}

/// Reading an overwritten file ends without a panic.
#[test]
fn damage_does_no_harm() {
    let folder = Folder::new();
    let path = folder.path("whole.games");
    let records = random_records(5, 60);
    drop(write(&path, &records, 60));
    let whole = fs::read(&path).unwrap();
    let read = |path: &Path| {
        let database = GameDatabase::open(path)?;
        let selection = database.select(&Filter::default()).expect("no names");
        for game in 0..database.games().len() as u32 {
            let record = database.game(game)?;
            database.novelty(&record)?;
        }
        database.moves_at(Board::START, |game| selection.contains(game))?;
        database.position_count()?;
        Writer::open(path)?.add(&records[0])?;
        Ok::<_, DatabaseError>(())
    };
    let mut rng = SplitMix64::new(6);
    let mut detected = 0;
    for _ in 0..200 {
        let mut file = whole.clone();
        for _ in 0..1 + rng.index(3) {
            let at = rng.index(file.len());
            let length = (1 + rng.index(64)).min(file.len() - at);
            file[at..at + length].fill(rng.index(256) as u8);
        }
        detected += usize::from(read(&folder.file("damaged.games", &file)).is_err());
    }
    assert!(detected > 20, "{detected} of 200");
}
