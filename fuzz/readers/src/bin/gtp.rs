//! GTP from any bytes: each command has one answer.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let answers = outflank_reader_fuzz::answers!(gtp, bytes);
    let answers: Vec<&str> = answers.split_terminator("\n\n").collect();
    assert!(
        answers.iter().all(|answer| answer.starts_with(['=', '?'])),
        "{answers:?}"
    );
    let lines = String::from_utf8_lossy(bytes);
    let commands = lines.split('\n').filter_map(|line| {
        let command = line.split('#').next()?.replace('\t', " ");
        let command: String = command.chars().filter(|next| !next.is_control()).collect();
        (!command.trim().is_empty()).then_some(command)
    });
    let commands: Vec<String> = commands.collect();
    // Commands behind a `quit` have no answer.
    let quits = |line: &String| line.split_whitespace().any(|word| word == "quit");
    let all = answers.len() == commands.len();
    let last = answers
        .len()
        .checked_sub(1)
        .and_then(|last| commands.get(last));
    assert!(
        all || last.is_some_and(quits),
        "{} answers to {commands:?}",
        answers.len()
    );
});
