//! Transcripts from any bytes: what is a game and written reads the same.

#![no_main]

use outflank::notation::transcript;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let games = transcript::read(bytes).flatten();
    for game in games.filter_map(|transcript| transcript.game().ok()) {
        let line = transcript::write(&game).expect("games that are read have moves");
        let again = transcript::read(line.as_bytes()).next().expect("a line");
        assert_eq!(
            again.expect("it was read before").game().as_ref(),
            Ok(&game)
        );
    }
});
