//! `outflank play` at a terminal: line editing, colours, Ctrl-C, live line.
#![cfg(unix)]

use std::os::unix::process::ExitStatusExt;

use crate::common::terminal::Terminal;
use nix::sys::termios::LocalFlags;
use outflank::{Board, Selectivity, Square};
use outflank_book::{BookEntry, SearchEffort, ValuedMove, Writer};
use outflank_testing::command::{Folder, interrupt, signal};

const UP: &str = "\x1b[A";
const LEFT: &str = "\x1b[D";
const BACKSPACE: &str = "\x7f";
const CTRL_A: &str = "\x01";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

/// Starts `outflank play` without a book and waits for the prompt.
fn play(options: &str) -> Terminal {
    let words = format!("play --hash 4 --no-values --book none {options}");
    let mut terminal = Terminal::start(&words, None);
    terminal.until(&["black> "]);
    terminal
}

/// Turn and prompt after a move, in a game in which the user plays both sides.
const BLACK: &[&str] = &["black to move", "black> "];
const WHITE: &[&str] = &["white to move", "white> "];

#[test]
fn lines_can_be_edited_and_recalled() {
    let mut terminal = play("--side both");
    terminal.press(&["f6", BACKSPACE, "5\r"].concat(), WHITE);
    terminal.press(&["6", CTRL_A, "d\r"].concat(), BLACK);
    let moves = ["mves", LEFT, LEFT, LEFT, "o\r"].concat();
    terminal.press(&moves, &["f5d6", "black> "]);
    terminal.press("undo\r", WHITE);
    // Recalls the third-last line, `d6`.
    terminal.press(&[UP, UP, UP, "\r"].concat(), BLACK);
    assert_eq!(terminal.press_last(CTRL_D).code(), Some(0));
}

/// A line that is not UTF-8 is ignored.
#[test]
fn pasted_lines_are_not_lost() {
    let mut terminal = play("--side both");
    terminal.press("f5\rd6c3\rmoves\r", &["f5d6c3", "white> "]);
    terminal.press_bytes(b"\xff\xfe\r");
    terminal.until(&["white> "]);
    terminal.press("\rboard\r", WHITE);
    assert_eq!(terminal.press_last(CTRL_D).code(), Some(0));
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
    for (variable, coloured) in [
        (None, true),
        (Some(("NO_COLOR", "1")), false),
        (Some(("TERM", "dumb")), false),
    ] {
        let mut terminal = Terminal::start("play --hash 4 --book none", variable);
        let shown = terminal.until(&["black to move", "> "]);
        assert_eq!(is_coloured(&shown), coloured, "{variable:?}: {shown:?}");
    }
}

/// At the prompt Ctrl-C and SIGTERM end the program.
#[test]
fn the_terminal_is_restored() {
    for by_key in [true, false] {
        let mut terminal = play("");
        terminal.press("f5", &["5"]);
        let edited = terminal.modes();
        match by_key {
            // The first Ctrl-C drops the line. Each waits for the prompt, because outside line editing Ctrl-C sends a
            // signal.
            true => {
                terminal.press(CTRL_C, &["\n", "black> "]);
                terminal.press(CTRL_C, &["Ctrl-C again", "\n", "black> "]);
                terminal.press(CTRL_C, &[]);
            }
            false => signal(&terminal.child, "TERM"),
        }
        let status = terminal.end();
        // The status is 130 after Ctrl-C. Another signal has its own status.
        assert!(status.code().is_some_and(|code| code > 128), "{status}");
        assert!(!by_key || status.code() == Some(130), "{status}");
        assert_eq!(status.signal(), None);
        let left = terminal.modes();
        assert_ne!(edited.local_flags, left.local_flags);
        let usual = LocalFlags::ICANON | LocalFlags::ECHO;
        assert!(left.local_flags.contains(usual));
    }
}

/// On an empty line the first Ctrl-C warns of an unsaved game.
#[test]
fn ctrl_c_drops_a_line_and_twice_ends_the_program() {
    const AGAIN: &str = "Ctrl-C again or quit ends the program.";
    let folder = Folder::new();
    let game = folder.path("game.txt");
    let save = format!("save {}\r", game.display());
    let mut terminal = play("--side both");
    // Without moves nothing is unsaved.
    let output = terminal.press(CTRL_C, &[AGAIN, "black> "]);
    assert!(!output.contains("not saved"), "{output}");
    terminal.press("f5\r", WHITE);
    // A dropped line is not executed, nor joined to the next one.
    terminal.press("d6", &["6"]);
    terminal.press(CTRL_C, &["\n", "white> "]);
    terminal.press("f6\r", BLACK);
    terminal.press("moves\r", &["f5f6", "black> "]);
    let unsaved = format!("The game of 2 moves is not saved. {AGAIN}");
    terminal.press(CTRL_C, &[&unsaved, "black> "]);
    // Any input after the first Ctrl-C cancels it, even a line that is dropped.
    for keys in [&save, "undo\r", "redo\r"] {
        terminal.press(keys, &["\n", "> "]);
    }
    terminal.press("x", &["x"]);
    terminal.press(CTRL_C, &["\n", "> "]);
    let output = terminal.press(CTRL_C, &[AGAIN, "> "]);
    assert!(!output.contains("not saved"), "{output}");
    assert_eq!(terminal.press_last(CTRL_C).code(), Some(130));
    let saved = std::fs::read_to_string(game).expect("it is saved");
    assert_eq!(saved, "f5f6\n");
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
    // The level would search for ever.
    let options = format!("--side both --level 60 --book {}", path.display());
    let mut terminal = Terminal::start(&format!("play --hash 4 --no-values {options}"), None);
    terminal.until(&["black> "]);
    terminal.press("f5\rhint 2\r", &["white> ", " nodes  "]);
    interrupt(&terminal.child);
    terminal.until(&[" best play", "white> "]);
    // The program still warns of the unsaved game.
    terminal.press(CTRL_C, &["The game of 1 move is not saved.", "white> "]);
    assert_eq!(terminal.press_last("quit\r").code(), Some(0));
}

#[test]
fn searches_are_shown() {
    let mut terminal = Terminal::start("play --hash 4 --side white --time 3 --book none", None);
    terminal.until(&[" nodes  ", " N/s  ", "black plays"]);
    terminal.until(WHITE);
    assert_eq!(terminal.press_last("quit\r").code(), Some(0));
}
