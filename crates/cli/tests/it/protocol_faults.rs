//! `outflank gtp` and `outflank nboard`: nonsense, closed pipes and impossible options.

use crate::common::dialogue::{Dialogue, run_with_open_input};
use crate::common::program::OutputChecks;
use outflank_random::SplitMix64;

/// Every line with a command gets one answer.
#[test]
fn gtp_answers_nonsense() {
    let mut engine = Dialogue::start("gtp --hash 1");
    let mut rng = SplitMix64::new(6);
    let mut answered = 0;
    for _ in 0..300 {
        // Half of the bytes are random; the others are letters, digits, blanks and `#`.
        let length = rng.index(40);
        let line: Vec<u8> = (0..length)
            .map(|_| match rng.index(2) {
                0 => rng.index(256) as u8,
                _ => b"abgw12 #"[rng.index(8)],
            })
            .filter(|&byte| byte != b'\n')
            .collect();
        let text = String::from_utf8_lossy(&line);
        let mut visible = text.split('#').next().unwrap().chars();
        answered += usize::from(visible.any(|c| !c.is_control() && !c.is_whitespace()));
        engine.send_bytes(&[&line, &b"\n"[..]].concat());
    }
    for _ in 0..answered {
        let answer = engine.answer();
        assert!(answer.starts_with(['?', '=']), "{answer}");
    }
    engine.send_bytes(&vec![b'x'; 3 << 20]);
    engine.send_bytes(b"\n");
    assert_eq!(engine.answer(), "? line too long");
    engine.send_bytes(b"\r\n\r\n  \r\n8 play b f5\r\n");
    assert_eq!(engine.answer(), "=8");
    engine.send_bytes(b"9 name");
    assert_eq!(engine.close().expect(0).stdout, "=9 Outflank\n\n");
}

#[test]
fn nboard_answers_nonsense() {
    let mut engine = Dialogue::start("nboard --hash 1");
    let mut rng = SplitMix64::new(7);
    for _ in 0..300 {
        let command = ["", "set game ", "set ", "move ", "hint ", "ping x", "(;"][rng.index(7)];
        let bytes: Vec<u8> = (0..rng.index(60)).map(|_| rng.index(256) as u8).collect();
        engine.send_bytes(&[command.as_bytes(), &bytes, b"\n"].concat());
    }
    engine.send_bytes(&vec![0; 3 << 20]);
    engine.send_bytes(b"\r\n\r\nping 17\r\n");
    let lines = engine.until("pong 17");
    for line in &lines {
        let mut kinds = ["status ", "search ", "nodestats ", "pong "].iter();
        assert!(kinds.any(|kind| line.starts_with(kind)), "{line}");
    }
    let too_long = "status Error: a line has less than 65536 bytes";
    assert_eq!(lines[lines.len() - 2], too_long);
    engine.send_bytes(b"ping 18");
    assert_eq!(engine.close().expect(0).stdout, "pong 18\n");
}

/// The output is closed at the start or during a search, which would take hours.
#[test]
fn closed_outputs_end_the_program_silently() {
    for (words, input, milliseconds) in [
        ("gtp --hash 1", &b"name\ngenmove b\n"[..], 0),
        ("nboard --hash 1", b"nboard 2\nhint 1\n", 0),
        ("gtp --depth 60 --hash 1", b"genmove b\n", 200),
        ("nboard --hash 1", b"set depth 60\ngo\n", 200),
    ] {
        let run = run_with_open_input(words, input, Some(milliseconds));
        assert_eq!((run.status, run.stderr.as_str()), (141, ""), "{words}");
    }
}

#[test]
fn impossible_options_are_reported_before_any_answer() {
    let too_large = "a hash table of 16000000 MiB does not fit in memory";
    let range = "expected a whole number from 1 to ";
    for (options, status, message) in [
        ("--hash 0", 2, &*format!("{range}16777216")),
        ("--threads 0", 2, &format!("{range}512")),
        ("--isa none", 2, "none"),
        ("--weights /absent", 1, "/absent"),
        ("--hash 16000000", 2, too_large),
        ("--level 61", 2, "61"),
        ("--live-gfx=1", 2, "live-gfx"),
        ("--level 8 --depth 9", 2, "--depth"),
    ] {
        let run = run_with_open_input(&format!("gtp {options}"), b"name\n", None);
        run.stderr_has(message);
        assert_eq!(run.expect(status).stdout, "");
    }
}
