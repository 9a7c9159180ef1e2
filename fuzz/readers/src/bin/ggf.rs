//! GGF from any bytes: games that are read, written and read again stay equal.

#![no_main]

use outflank::notation::ggf::{self, GgfMove};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for game in ggf::read(bytes).flatten() {
        let text = ggf::write(&game.record);
        let mut again = ggf::read(text.as_bytes());
        let same = again.next().expect("a game").expect("it was read before");
        assert_eq!(same.record, game.record);
        assert!(again.next().is_none());
    }
    // A move of the NBoard protocol.
    if let Some(played) = str::from_utf8(bytes)
        .ok()
        .and_then(|text| text.parse::<GgfMove>().ok())
    {
        assert_eq!(played.to_string().parse(), Ok(played));
    }
});
