//! `outflank play` at a terminal: what a pipe does not have.
#![cfg(unix)]

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use crate::common::terminal::Terminal;
use outflank_testing::command::Folder;

const UP: &str = "\x1b[A";
const LEFT: &str = "\x1b[D";
const BACKSPACE: &str = "\x7f";
const CTRL_A: &str = "\x01";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

fn play(arguments: &[&str], variables: &[(&str, &str)]) -> Terminal {
    let usual = ["play", "--hash", "4", "--no-values", "--book", "none"];
    let arguments = [&usual[..], arguments].concat();
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
            // The first drops the line. Each waits for the prompt: between two lines the terminal is as it
            // was before, and the key would be a signal.
            true => {
                terminal.press(CTRL_C);
                terminal.until(&["\n", "black> "]);
                terminal.press(CTRL_C);
                terminal.until(&["Ctrl-C again", "\n", "black> "]);
                terminal.press(CTRL_C);
            }
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

/// Ctrl-C drops what is on the line; on an empty one it says what would be lost, and ends the program when
/// it comes again.
#[test]
fn ctrl_c_drops_a_line_and_ends_the_program_when_it_comes_twice() {
    const AGAIN: &str = "Ctrl-C again or quit ends the program.";
    let folder = Folder::new();
    let game = folder.path("game.txt");
    let save = format!("save {}\r", game.display());
    let mut terminal = play(&["--side", "both"], &[]);
    terminal.until(&["black> "]);
    // Nothing is lost where nothing was played.
    terminal.press(CTRL_C);
    let told = terminal.until(&[AGAIN, "black> "]);
    assert!(!told.contains("not saved"), "{told}");
    terminal.press("f5\r");
    terminal.until(&["white to move", "white> "]);
    // The line is dropped: it is neither made nor joined to the next one.
    terminal.press("d6");
    terminal.until(&["6"]);
    terminal.press(CTRL_C);
    terminal.until(&["\n", "white> "]);
    terminal.press("f6\r");
    terminal.until(&["black to move", "black> "]);
    terminal.press("moves\r");
    terminal.until(&["f5f6", "black> "]);
    terminal.press(CTRL_C);
    terminal.until(&[
        &format!("The game of 2 moves is not saved. {AGAIN}"),
        "black> ",
    ]);
    // What is typed in between takes it back, also where it is dropped.
    for keys in [&save, "undo\r", "redo\r", "x"] {
        terminal.press(keys);
        if keys == "x" {
            terminal.until(&["x"]);
            terminal.press(CTRL_C);
        }
        terminal.until(&["\n", "> "]);
    }
    terminal.press(CTRL_C);
    let told = terminal.until(&[AGAIN, "> "]);
    assert!(!told.contains("not saved"), "{told}");
    terminal.press(CTRL_C);
    assert_eq!(terminal.end().code(), Some(130));
    assert_eq!(
        std::fs::read_to_string(game).expect("it is saved"),
        "f5f6\n"
    );
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
