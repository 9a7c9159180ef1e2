//! `outflank play` at a terminal: what a pipe does not have.
#![cfg(unix)]

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use crate::common::terminal::Terminal;

const UP: &str = "\x1b[A";
const LEFT: &str = "\x1b[D";
const BACKSPACE: &str = "\x7f";
const CTRL_A: &str = "\x01";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

fn play(arguments: &[&str], variables: &[(&str, &str)]) -> Terminal {
    let arguments = [&["play", "--hash", "4", "--no-values"], arguments].concat();
    Terminal::start(&arguments, variables)
}

#[test]
fn lines_are_edited_and_come_back() {
    let mut terminal = play(&["--side", "both"], &[]);
    terminal.until(&["black to move", "black> "]);
    terminal.press(&["f6", BACKSPACE, "5\r"].concat());
    terminal.until(&["white to move", "white> "]);
    terminal.press(&["6", CTRL_A, "d\r"].concat());
    terminal.until(&["black to move", "black> "]);
    terminal.press(&["mves", LEFT, LEFT, LEFT, "o\r"].concat());
    terminal.until(&["f5d6", "black> "]);
    terminal.press("undo\r");
    terminal.until(&["white to move", "white> "]);
    // The line before the last two.
    terminal.press(&[UP, UP, UP, "\r"].concat());
    terminal.until(&["black to move", "black> "]);
    terminal.press(CTRL_D);
    assert_eq!(terminal.end().code(), Some(0));
}

/// Lines that come in one piece are dealt with one by one; bytes that are no text are survived.
#[test]
fn pasted_lines_are_not_lost() {
    let mut terminal = play(&["--side", "both"], &[]);
    terminal.until(&["black> "]);
    terminal.press("f5\rd6c3\rmoves\r");
    terminal.until(&["f5d6c3", "white> "]);
    terminal.press_bytes(b"\xff\xfe\r");
    terminal.until(&["white> "]);
    terminal.press("\rboard\r");
    terminal.until(&["white to move", "white> "]);
    terminal.press(CTRL_D);
    assert_eq!(terminal.end().code(), Some(0));
}

#[test]
fn the_board_has_colours_unless_nobody_wants_them() {
    /// Whether a text sets colours or weights: other codes move the cursor.
    fn is_coloured(shown: &str) -> bool {
        let codes = shown.split("\x1b[").skip(1);
        codes.into_iter().any(|code| {
            let end = code.find(|next: char| next != ';' && !next.is_ascii_digit());
            end.is_some_and(|end| code[end..].starts_with('m'))
        })
    }
    for (variables, coloured) in [
        (&[][..], true),
        (&[("NO_COLOR", "1")], false),
        (&[("TERM", "dumb")], false),
    ] {
        let mut terminal = play(&[], variables);
        let shown = terminal.until(&["black to move", "> "]);
        assert_eq!(is_coloured(&shown), coloured, "{variables:?}: {shown:?}");
    }
}

/// Ctrl-C and a signal end the program at the prompt, and leave the terminal as it was.
#[test]
fn the_terminal_is_left_as_it_was() {
    for by_key in [true, false] {
        let mut terminal = play(&[], &[]);
        terminal.until(&["black> "]);
        terminal.press("f5");
        terminal.until(&["5"]);
        let edited = terminal.modes();
        match by_key {
            true => terminal.press(CTRL_C),
            false => {
                let pid = terminal.child.id().to_string();
                let sent = Command::new("kill").args(["-TERM", &pid]).status();
                assert!(sent.expect("there is kill").success());
            }
        }
        let status = terminal.end();
        // 130 after Ctrl-C; a signal has another number of its own.
        assert!(status.code().is_some_and(|code| code > 128), "{status}");
        assert!(!by_key || status.code() == Some(130), "{status}");
        assert_eq!(status.signal(), None);
        let left = terminal.modes();
        assert_ne!(edited.local_flags, left.local_flags);
        use nix::sys::termios::LocalFlags;
        assert!(
            left.local_flags
                .contains(LocalFlags::ICANON | LocalFlags::ECHO)
        );
    }
}

/// While the program thinks, a line tells what it knows.
#[test]
fn a_thought_is_shown() {
    let mut terminal = play(&["--side", "white", "--time", "3"], &[]);
    terminal.until(&[
        " nodes  ",
        " N/s  ",
        "black plays",
        "white to move",
        "white> ",
    ]);
    terminal.press("quit\r");
    assert_eq!(terminal.end().code(), Some(0));
}
