//! `outflank play` at a terminal: line editing, colours, Ctrl-C, live line.
#![cfg(unix)]

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use crate::common::terminal::Terminal;
use outflank::{Board, Selectivity, Square};
use outflank_book::{BookEntry, SearchEffort, ValuedMove, Writer};
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

/// Sends a signal to the program, such as `-TERM`.
#[track_caller]
fn send(signal: &str, terminal: &Terminal) {
    let pid = terminal.child.id().to_string();
    let sent = Command::new("kill").args([signal, &pid]).status();
    assert!(sent.expect("kill is installed").success());
}

#[test]
fn lines_can_be_edited_and_recalled() {
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
    // Recalls the third-last line, `d6`.
    terminal.press(&[UP, UP, UP, "\r"].concat());
    terminal.until(&["black to move", "black> "]);
    terminal.press(CTRL_D);
    assert_eq!(terminal.end().code(), Some(0));
}

/// Bytes that are no text are ignored.
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
fn the_board_has_colours_unless_disabled() {
    /// Returns `true` if a text sets colours or font weights. Other escape codes may move the cursor.
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

/// At the prompt Ctrl-C and SIGTERM end the program.
#[test]
fn the_terminal_is_restored() {
    for by_key in [true, false] {
        let mut terminal = play(&[], &[]);
        terminal.until(&["black> "]);
        terminal.press("f5");
        terminal.until(&["5"]);
        let edited = terminal.modes();
        match by_key {
            // The first Ctrl-C drops the line. Each waits for the prompt, because outside line editing Ctrl-C sends a
            // signal.
            true => {
                terminal.press(CTRL_C);
                terminal.until(&["\n", "black> "]);
                terminal.press(CTRL_C);
                terminal.until(&["Ctrl-C again", "\n", "black> "]);
                terminal.press(CTRL_C);
            }
            false => {
                send("-TERM", &terminal);
            }
        }
        let status = terminal.end();
        // The status is 130 after Ctrl-C. Another signal has its own status.
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

/// On an empty line the first Ctrl-C warns of an unsaved game.
#[test]
fn ctrl_c_drops_a_line_and_twice_ends_the_program() {
    const AGAIN: &str = "Ctrl-C again or quit ends the program.";
    let folder = Folder::new();
    let game = folder.path("game.txt");
    let save = format!("save {}\r", game.display());
    let mut terminal = play(&["--side", "both"], &[]);
    terminal.until(&["black> "]);
    // Without moves nothing is unsaved.
    terminal.press(CTRL_C);
    let output = terminal.until(&[AGAIN, "black> "]);
    assert!(!output.contains("not saved"), "{output}");
    terminal.press("f5\r");
    terminal.until(&["white to move", "white> "]);
    // A dropped line is not executed, nor joined to the next one.
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
    // Any input after the first Ctrl-C cancels it, even a line that is dropped.
    for keys in [&save, "undo\r", "redo\r", "x"] {
        terminal.press(keys);
        if keys == "x" {
            terminal.until(&["x"]);
            terminal.press(CTRL_C);
        }
        terminal.until(&["\n", "> "]);
    }
    terminal.press(CTRL_C);
    let output = terminal.until(&[AGAIN, "> "]);
    assert!(!output.contains("not saved"), "{output}");
    terminal.press(CTRL_C);
    assert_eq!(terminal.end().code(), Some(130));
    assert_eq!(
        std::fs::read_to_string(game).expect("it is saved"),
        "f5f6\n"
    );
}

/// The book knows only the worst move, so the hint has a search for the best moves and one for the move of the book.
#[test]
fn one_ctrl_c_ends_both_searches_of_a_hint() {
    let folder = Folder::new();
    let path = folder.path("a.book");
    let square = |name: &str| name.parse::<Square>().expect("a square");
    let board = Board::START.play(square("F5")).expect("a legal move");
    let searched = SearchEffort {
        selectivity: Selectivity::Full,
        depth: 1,
    };
    let leaf = ValuedMove {
        ply: Some(square("F4")),
        value: -5,
    };
    let entry = BookEntry::new(board, searched, Some(leaf), Vec::new()).expect("a valid entry");
    let mut writer = Writer::create(&path).expect("a book");
    writer.put(&entry).expect("it can be written");
    writer.commit().expect("it can be written");
    drop(writer);
    let book = path.to_str().expect("UTF-8");
    let usual = ["play", "--hash", "4", "--no-values", "--side", "both"];
    // The level would search for ever.
    let arguments = [&usual[..], &["--level", "60", "--book", book]].concat();
    let mut terminal = Terminal::start(&arguments, &[]);
    terminal.until(&["black> "]);
    terminal.press("f5\rhint 2\r");
    terminal.until(&["white> ", " nodes  "]);
    send("-INT", &terminal);
    terminal.until(&[" best play", "white> "]);
    // The program still warns of the unsaved game.
    terminal.press(CTRL_C);
    terminal.until(&["The game of 1 move is not saved.", "white> "]);
    terminal.press("quit\r");
    assert_eq!(terminal.end().code(), Some(0));
}

#[test]
fn searches_are_shown() {
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
