//! Transcripts from any bytes: games that are read, written and read again stay equal.

#![no_main]

use outflank::notation::transcript;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for transcript in transcript::read(bytes).flatten() {
        let game = transcript.record.game;
        let line = transcript::write(&game).expect("games that are read have moves");
        let again = transcript::read(line.as_bytes()).next().expect("a line");
        assert_eq!(again.expect("it was read before").record.game, game);
    }
});
