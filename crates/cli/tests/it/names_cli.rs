//! Names from files and engines. No character that could deceive a user reaches a terminal.

use crate::common::program::{OutputChecks, cli_in, run_in};
use outflank_testing::command::{Folder, Run, run};

/// A name with bidirectional overrides, invisible letters and escape codes.
const NAME: &str = "Ev\u{202e}il\u{200b} \u{1b}[31mn\u{2066}ame\u{7}\u{2028}\u{ad}x";

/// A position with eight empty squares.
const POSITION: &str = "O-XXXXX-XOXXXX---OOOXXXXXOXOXOXXXOOXOXXXXOXOXOXX-OOXXXOX-OOOOO-O X;";

/// Asserts that every character of the outputs is safe to show.
#[track_caller]
fn assert_plain(run: &Run, words: &str) {
    for text in [&run.stdout, &run.stderr] {
        let wrong = text.chars().find(|&letter| {
            letter != '\n' && letter != '\t' && outflank_support::text::is_unsafe_to_show(letter)
        });
        assert_eq!(wrong, None, "{words}: {text}");
    }
}

// Windows has no such names.
#[cfg(unix)]
#[test]
fn names_cannot_deceive_a_terminal() {
    let folder = Folder::new();
    folder.file("named.obf", format!("{POSITION} % {NAME}\n"));
    folder.file("wrong.obf", format!("{NAME}\n{POSITION}\n"));
    let ggf = |rest: &str| format!("(;GM[Othello]PB[{NAME}]PW[{NAME}]{rest};)");
    folder.file("game.ggf", ggf(&format!("PC[{NAME}]B[F5]W[D6]B[A{NAME}]")));
    folder.file("good.ggf", ggf("B[F5]W[D6]"));
    folder.file(NAME, "neither\n");
    for words in [
        "solve named.obf",
        "solve --json named.obf",
        "solve wrong.obf",
        "solve good.ggf --move 2 --depth 2",
        "analyze --depth 2 good.ggf",
        "analyze --depth 2 --json good.ggf",
        "analyze --depth 2 game.ggf named.obf",
        "convert game.ggf --to transcript",
        "train score wrong.obf",
    ] {
        assert_plain(&run(&mut cli_in(&folder, words), b""), words);
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
        assert_plain(&run(cli_in(&folder, words).arg(NAME), b""), words);
    }
    // JSON has the whole name.
    let named = run_in(&folder, "analyze --depth 2 --json good.ggf", 0);
    assert_eq!(named.json()[0]["players"]["black"], "Evil  [31mname  x");
}

/// The name of an engine and its last line on standard error are safe to show.
#[cfg(unix)]
#[test]
fn engines_cannot_deceive_a_terminal() {
    use crate::common::matches::{command, engine, script};

    let folder = Folder::new();
    folder.file("name", NAME);
    let text = "cat name >&2; echo >&2\nwhile read -r line; do case $line in name) printf '= %s\\n\\n' \"$(cat name)\";; \
         genmove*) cat name >&2; exit 1;; *) printf '= \\n\\n';; esac; done\n";
    let engines = [&*script(&folder, "evil", text), &engine("gtp", 1)];
    for options in [
        "--games 2 --protocol-a gtp",
        "--games 2 --protocol-a gtp --json",
    ] {
        let run = run(&mut command(&folder, engines, options), b"");
        run.stdout_has("name");
        assert_plain(&run, "match");
    }
}

/// Names of devices, drives that are not there, and characters that Windows refuses: one line, and nothing is written.
#[cfg(windows)]
#[test]
fn unusable_names_of_windows_are_refused() {
    use crate::common::program::refuse_all;
    let folder = Folder::new();
    folder.file("in.obf", format!("{POSITION}\n"));
    refuse_all(
        &folder,
        "
        1 solve NUL => outflank: NUL:
        1 solve COM1 => outflank: COM1:
        1 solve Q:/absent.obf => outflank: Q:/absent.obf:
        1 convert in.obf --to obf --out NUL => cannot write NUL:
        1 convert in.obf --to obf --out COM1 => cannot write COM1:
        1 convert in.obf --to obf --out aux.obf => cannot write aux.obf:
        1 convert in.obf --to obf --out a<b.obf => cannot write a<b.obf:
        1 convert in.obf --to obf --out Q:/out.obf => cannot write Q:/out.obf:
        1 book learn COM1 --positions 1 --level 1 => outflank: COM1:
        2 convert in.obf --to obf --out IN.OBF => --out would be written over IN
        ",
    );
}

/// An absolute path with a drive, backslashes and letters outside ASCII names the same file as a relative path.
#[cfg(windows)]
#[test]
fn absolute_paths_of_windows_are_read_and_written() {
    let folder = Folder::new();
    let path = folder.file("pröb ключ.obf", format!("{POSITION}\n"));
    let out = folder.path("öut.obf");
    assert!(path.to_string_lossy().contains(":\\"), "{path:?}");
    let mut convert = cli_in(&folder, "convert --to obf");
    run(convert.arg(&path).arg("--out").arg(&out), b"").expect(0);
    assert!(out.exists());
    run(&mut cli_in(&folder, "solve --hash 1 'öut.obf'"), b"").expect(0);
    let mut over_itself = cli_in(&folder, "convert --to obf --force 'pröb ключ.obf' --out");
    run(over_itself.arg(path), b"").expect(2);
}
