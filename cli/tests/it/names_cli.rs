//! Names from files and engines, whatever characters they have: none of them reaches a terminal that it could deceive.

use std::process::Command;

use crate::common::program::outflank;
use outflank_testing::command::{Folder, Run, run};

/// A name that turns the direction of writing, hides letters and would change the colours.
const NAME: &str = "Ev\u{202e}il\u{200b} \u{1b}[31mn\u{2066}ame\u{7}\u{2028}\u{ad}x";

/// A position with eight empty squares.
const POSITION: &str = "O-XXXXX-XOXXXX---OOOXXXXXOXOXOXXXOOXOXXXXOXOXOXX-OOXXXOX-OOOOO-O X;";

/// Every character of the outputs is one that may be shown.
#[track_caller]
fn assert_plain(run: &Run, told: &str) {
    for text in [&run.stdout, &run.stderr] {
        let wrong = text.chars().find(|&letter| {
            letter != '\n' && letter != '\t' && outflank::text::is_unsafe_to_show(letter)
        });
        assert_eq!(wrong, None, "{told}: {text}");
    }
}

#[test]
fn names_cannot_deceive_a_terminal() {
    let folder = Folder::new();
    folder.file("named.obf", format!("{POSITION} % {NAME}\n"));
    folder.file("wrong.obf", format!("{NAME}\n{POSITION}\n"));
    folder.file(
        "game.ggf",
        format!("(;GM[Othello]PB[{NAME}]PW[{NAME}]PC[{NAME}]B[F5]W[D6]B[A{NAME}];)"),
    );
    folder.file(
        "good.ggf",
        format!("(;GM[Othello]PB[{NAME}]PW[{NAME}]B[F5]W[D6];)"),
    );
    folder.file(NAME, "neither\n");
    let commands = [
        "solve named.obf",
        "solve --json named.obf",
        "solve wrong.obf",
        "solve good.ggf --move 2 --depth 2",
        "analyze --depth 2 good.ggf",
        "analyze --depth 2 --json good.ggf",
        "analyze --depth 2 game.ggf named.obf",
        "convert game.ggf --to transcript",
        "train score wrong.obf",
    ];
    for words in commands {
        let mut command: Command = outflank();
        command.current_dir(folder.path("")).args(words.split(' '));
        assert_plain(&run(&mut command, b""), words);
    }
    // The name of a file, in every command that reads one.
    for words in [
        "solve",
        "analyze",
        "play --start",
        "train score",
        "weights info",
        "book info",
    ] {
        let mut command: Command = outflank();
        command.current_dir(folder.path("")).args(words.split(' '));
        assert_plain(&run(command.arg(NAME), b""), words);
    }
    // A program gets the name as it is.
    let mut command: Command = outflank();
    command
        .current_dir(folder.path(""))
        .args(["analyze", "--depth", "2", "--json"]);
    let named = run(command.arg(folder.path("good.ggf")), b"").expect(0);
    assert_eq!(named.json()[0]["players"]["black"], "Evil  [31mname  x");
}

/// The name of an engine, and its last words.
#[cfg(unix)]
#[test]
fn engines_cannot_deceive_a_terminal() {
    use crate::common::matches::{command, engine, script};

    let folder = Folder::new();
    folder.file("name", NAME);
    let teller = String::from(
        "cat name >&2; echo >&2\nwhile read -r line; do case $line in name) printf '= %s\\n\\n' \"$(cat name)\";; \
         genmove*) cat name >&2; exit 1;; *) printf '= \\n\\n';; esac; done\n",
    );
    let teller = script(&folder, "teller", &teller);
    let own = engine("gtp", 1);
    let options = [&*teller, &own, "--games", "2", "--protocol-a", "gtp"];
    for options in [&options[..], &[&options[..], &["--json"]].concat()] {
        let played = run(&mut command(&folder, options), b"");
        assert!(played.stdout.contains("name"), "{played:?}");
        assert_plain(&played, "match");
    }
}
