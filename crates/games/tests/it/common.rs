//! Games and databases for the tests.

use std::path::Path;

use outflank::notation::GameRecord;
use outflank::{Game, Square};
use outflank_games::{Addition, GameDatabase, Writer};
use outflank_random::SplitMix64;
use outflank_testing::data::random_play;

/// Creates a game with properties.
pub(crate) fn record(game: Game, properties: &[(&str, &str)]) -> GameRecord {
    let mut record = GameRecord::new(game);
    for (name, value) in properties {
        record.set(name, value).expect("a property");
    }
    record
}

/// Creates a game from the usual start.
pub(crate) fn played(moves: &str, properties: &[(&str, &str)]) -> GameRecord {
    record(
        Game::from_moves(&squares(moves)).expect("legal moves"),
        properties,
    )
}

pub(crate) fn squares(moves: &str) -> Vec<Square> {
    outflank::notation::transcript::moves(moves).expect("moves")
}

/// Plays random games, some from unusual starts, with players, tournaments, years and results. Many begin alike.
pub(crate) fn random_records(seed: u64, count: usize) -> Vec<GameRecord> {
    let mut rng = SplitMix64::new(seed);
    let mut records = Vec::new();
    while records.len() < count {
        let game = random_play(&mut rng);
        if game.moves().next().is_none() {
            continue;
        }
        let name = |rng: &mut SplitMix64| format!("Player {}", rng.below(20));
        let mut record = record(game, &[("PB", &name(&mut rng)), ("PW", &name(&mut rng))]);
        let year = (1980 + rng.below(5)).to_string();
        let score = format!("{:+}", 2 * rng.below(65) as i64 - 64);
        for (property, value) in [("DT", year.as_str()), ("RE", &score), ("EV", "Open")] {
            if rng.below(4) > 0 {
                record.set(property, value).expect("a property");
            }
        }
        records.push(record);
    }
    records
}

/// Writes a database of games that are all new. Commits after every `commit` games.
pub(crate) fn write(path: &Path, records: &[GameRecord], commit: usize) -> GameDatabase {
    let mut writer = Writer::create(path).expect("a database");
    for (number, record) in (0..).zip(records) {
        assert_eq!(writer.add(record).expect("room"), Addition::New(number));
        if (number as usize + 1).is_multiple_of(commit) {
            writer.commit().expect("room");
        }
    }
    writer.commit().expect("room");
    drop(writer);
    GameDatabase::open(path).expect("a database")
}
