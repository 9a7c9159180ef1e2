//! WTHOR databases from any bytes: databases that are read, written and read again stay equal. Games that are converted
//! to records and back keep their tournament, players and moves.

#![no_main]

use outflank::notation::wthor::Database;

/// Truncates a file to whole games and sets their number in the header, since a fuzzer hardly finds a matching number.
fn with_count(bytes: &[u8]) -> Option<Vec<u8>> {
    let games = bytes.len().checked_sub(16)? / 68;
    let mut bytes = bytes[..16 + 68 * games].to_vec();
    bytes[4..8].copy_from_slice(&(games as u32).to_le_bytes());
    Some(bytes)
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for bytes in [Some(bytes.to_vec()), with_count(bytes)]
        .into_iter()
        .flatten()
    {
        let Ok(database) = Database::read(&bytes) else {
            continue;
        };
        let written = database.write().expect("it was read");
        assert_eq!(Database::read(&written).as_ref(), Ok(&database));
        let mut again = Database::default();
        let records = database
            .games
            .iter()
            .filter_map(|game| database.record(game).ok());
        for record in records {
            again.add(&record).expect("it is from a database");
        }
        let players = |database: &Database| -> Vec<_> {
            let legal = database.games.iter().filter(|game| game.game().is_ok());
            legal
                .map(|game| (game.tournament, game.black, game.white, game.moves.clone()))
                .collect()
        };
        assert_eq!(players(&again), players(&database));
    }
});
