//! NBoard's protocol from any bytes: all answers belong to the protocol.

#![no_main]

/// First words of answers.
const ANSWERS: [&str; 8] = [
    "set myname ",
    "pong ",
    "status ",
    "nodestats ",
    "search ",
    "=== ",
    "learned",
    "analysis ",
];

/// Returns `true` if a line sets a depth over 8. Searches could then take hours, even after the end of the input.
fn is_deep(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_small = |depth: &&str| depth.parse::<u32>().is_ok_and(|depth| depth <= 8);
    words.starts_with(&["set", "depth"]) && !words.get(2).is_some_and(is_small)
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let lines = String::from_utf8_lossy(bytes);
    if lines.split('\n').any(is_deep) {
        return;
    }
    let answers = outflank_reader_fuzz::answers!(nboard, bytes);
    for line in answers.lines() {
        assert!(
            ANSWERS.iter().any(|answer| line.starts_with(answer)),
            "{line:?}"
        );
    }
    // Every well-formed ping has its answer.
    let pings = lines
        .split('\n')
        .take_while(|line| !line.trim().starts_with("quit"));
    let pings = pings.filter(|line| {
        let mut words = line.split_whitespace();
        words.next() == Some("ping") && words.next().is_some_and(|word| word.parse::<i64>().is_ok())
    });
    let pongs = answers.lines().filter(|line| line.starts_with("pong "));
    assert!(pongs.count() >= pings.count());
});
