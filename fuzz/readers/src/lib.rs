//! Parts that the targets of protocols share.

/// Returns the answers of the module `$protocol` of `outflank::protocol` to the commands in `$bytes`, as text.
#[macro_export]
macro_rules! answers {
    ($protocol:ident, $bytes:ident) => {{
        let settings = outflank::protocol::SessionSettings {
            strength: Some(outflank::search::Strength::Level(2)),
            ponder: $bytes.len() % 2 == 0,
            ..Default::default()
        };
        let build = |stop| {
            outflank::Engine::builder()
                .hash_mib(1)
                .stop_handle(stop)
                .build()
        };
        let commands = std::io::Cursor::new($bytes.to_vec());
        let mut answers = Vec::new();
        outflank::protocol::$protocol::serve(settings, Box::new(()), build, commands, &mut answers)
            .expect("it plays");
        String::from_utf8(answers).expect("answers are text")
    }};
}
