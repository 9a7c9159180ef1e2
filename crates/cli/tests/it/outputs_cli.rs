//! Output files of commands: no file is lost.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use outflank_testing::command::{Folder, run};
use outflank_testing::models::random_linear;

use crate::common::program::{OutputChecks, cli_in, run_in};
use crate::train_fit::{record_file, records};

/// A folder with an input file of each kind.
fn inputs() -> Folder {
    let folder = Folder::new();
    folder.file("in.txt", "f5d6c3d3c4f4f6\n");
    let weights = random_linear(1, [0, 60], 100);
    folder.file("in.weights", weights.write());
    let eval = weights.to_edax(outflank::eval::ByteOrder::Little);
    folder.file("in.dat", eval.expect("it is linear"));
    record_file(&folder, "in.records", &records(5, 60));
    folder
}

/// Spellings of the path of a file.
#[cfg(unix)]
const SPELLINGS: [&str; 5] = ["X", "./X", "sub/../X", "link", "hard"];

/// Commands that would overwrite X, and the two arguments that the message names. Y is another spelling of X.
const OVER_ITSELF: &[(&str, &str, &str)] = &[
    ("book export X --out Y", "--out", "BOOK"),
    ("book import X Y", "BOOK", "FILE"),
    ("book merge X in.txt Y", "BOOK", "OTHER"),
    ("book learn X --from Y", "BOOK", "--from"),
    ("book learn X --weights Y", "BOOK", "--weights"),
    ("book correct X --weights Y", "BOOK", "--weights"),
    ("weights import X Y", "OUT", "EVAL.DAT"),
    ("weights export X Y", "OUT.DAT", "FILE"),
    ("convert in.txt X --to obf --out Y", "--out", "IN"),
    ("convert X --to obf --force --out Y", "--out", "IN"),
    ("analyze X --depth 1 --svg Y", "--svg", "FILE"),
    ("train generate X --from in.txt Y", "OUT", "--from"),
    (
        "train generate X --from self --weights Y",
        "OUT",
        "--weights",
    ),
    ("train fit X --out Y", "--out", "FILE"),
    (
        "train fit in.records --exclude X --out Y",
        "--out",
        "--exclude",
    ),
    ("train fit in.records --start X --out Y", "--out", "--start"),
    (
        "train fit in.records --out X --checkpoint Y",
        "--out",
        "--checkpoint",
    ),
    ("train fit X --out a --checkpoint Y", "--checkpoint", "FILE"),
    (
        "train fit --network in.records --out X --svg Y",
        "--svg",
        "--out",
    ),
    ("train fit --network X --out a --svg Y", "--svg", "FILE"),
    ("train score X --svg Y", "--svg", "FILE"),
    (
        "train score in.records --weights - --weights X --svg Y",
        "--svg",
        "--weights",
    ),
    ("train probcut X --out Y", "--out", "RECORDS"),
    ("match gtp gtp --log X --ggf Y", "--ggf", "--log"),
    ("match gtp gtp --openings X --ggf Y", "--ggf", "--openings"),
    ("match gtp gtp --openings X --log Y", "--log", "--openings"),
    ("match gtp gtp --book-a X --ggf Y", "--ggf", "--book"),
];

#[cfg(unix)]
#[test]
fn no_command_writes_over_its_own_files() {
    use std::os::unix::fs::symlink;
    let folder = inputs();
    // A transcript. Each command can read its beginning, or refuses the output file before it reads.
    let contents = b"f5d6c3d3c4f4f6\n";
    fs::create_dir(folder.path("sub")).unwrap();
    for (words, written, other) in OVER_ITSELF {
        // A match reads its log before it checks the other files, so the log must not exist.
        let is_log = words.contains("--log X");
        let x = if is_log { "new.log" } else { "X" };
        for spelling in SPELLINGS {
            for name in ["X", "link", "hard", "a"] {
                let _ = fs::remove_file(folder.path(name));
            }
            if !is_log {
                folder.file("X", contents);
                fs::hard_link(folder.path("X"), folder.path("hard")).unwrap();
            } else if spelling == "hard" {
                continue;
            }
            symlink(x, folder.path("link")).unwrap();
            let y = spelling.replace('X', x);
            let words = words.replace('X', x).replace('Y', &y);
            let run = run_in(&folder, &words, 2);
            let message = format!("{written} would be written over {other}; name another file");
            let expected = [x, &y].map(|path| format!("outflank: {path}: {message}\n"));
            assert!(expected.contains(&run.stderr), "{words}: {run:?}");
            if !is_log {
                assert_eq!(fs::read(folder.path("X")).unwrap(), contents, "{words}");
            }
        }
    }
}

/// Commands that write OUT, with the kind of the file. The flag is `true` if an older file of the kind is replaced
/// without `--force`.
const OUTPUTS: &[(&str, &str, bool)] = &[
    ("analyze in.txt --depth 1 --svg OUT", "an SVG picture", true),
    ("convert in.txt --to ggf --out OUT", "", false),
    ("convert in.txt --to obf --out OUT", "", false),
    ("weights import in.dat OUT", "a file of weights", true),
    (
        "weights export in.weights OUT",
        "an eval.dat of Edax's",
        true,
    ),
    (
        "book export built-in --out OUT",
        "an opening book of Edax's",
        true,
    ),
    (
        "train fit in.records --knots 12,24 --windows 1-2 --iterations 1 --out OUT",
        "a file of weights",
        true,
    ),
    (
        "train score in.records --weights in.weights --svg OUT",
        "an SVG picture",
        true,
    ),
    (
        "train probcut in.records --weights in.weights --positions 8 --depth 5 --exact 13 --out OUT",
        "a file of weights",
        true,
    ),
    (
        "kernels bench --kernel flip --isa portable --repeats 1 --svg OUT",
        "an SVG picture",
        true,
    ),
];

#[test]
fn only_force_replaces_a_file_of_another_kind() {
    let folder = inputs();
    for &(words, kind, is_replaced) in OUTPUTS {
        let words = words.replace("OUT", "notes.txt");
        let path = folder.file("notes.txt", "my notes\n");
        let run = run_in(&folder, &words, 2);
        let message = match is_replaced {
            true => format!("is not {kind}; it looks like text, \"my notes\". Name"),
            false => "is there already: name".to_owned(),
        };
        let advice = "another file, or replace it with --force";
        let expected = format!("outflank: notes.txt {message} {advice}\n");
        assert_eq!(run.stderr, expected, "{words}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "my notes\n");

        run_in(&folder, &format!("{words} --force"), 0);
        let first = fs::read(&path).expect("it was written");
        assert!(first != b"my notes\n", "{words}");
        // An older file of the same kind, and an empty file as `mktemp` makes it.
        let status = if is_replaced { 0 } else { 2 };
        run_in(&folder, &words, status);
        folder.file("notes.txt", "");
        run_in(&folder, &words, 0);
        assert!(fs::metadata(&path).expect("it is there").len() > 0);
    }
}

#[test]
fn manual_pages_replace_only_manual_pages() {
    let folder = Folder::new();
    for status in [0, 0] {
        run_in(&folder, "man --folder pages", status);
    }
    let is_page = |path| fs::read(path).is_ok_and(|text: Vec<u8>| text.starts_with(b".ie"));
    for notes in [".bashrc and others\n", "'tis my note\n", ".T\n"] {
        let page = folder.file("pages/outflank-solve.1", notes);
        fs::remove_file(folder.path("pages/outflank.1")).unwrap();
        run_in(&folder, "man --folder pages", 2);
        assert_eq!(fs::read(&page).unwrap(), notes.as_bytes());
        // If one page cannot be written, none is.
        assert!(!folder.path("pages/outflank.1").exists());
        run_in(&folder, "man --folder pages --force", 0);
        assert!(is_page(page) && is_page(folder.path("pages/outflank.1")));
    }
}

#[test]
fn saved_games_replace_no_file_in_use() {
    let folder = inputs();
    let words = "play --side both --no-values --level 0 --weights in.weights --start in.txt";
    folder.file("empty.ggf", "");
    let read = |name: &str| fs::read(folder.path(name)).unwrap();
    let before = ["in.weights", "in.txt"].map(read);
    let typed = b"undo\nsave! ./in.weights as ggf\nsave! in.txt\nsave in.txt\nsave empty.ggf\n";
    let run = run(&mut cli_in(&folder, words), typed).expect(0);
    for message in [
        "./in.weights: save! would be written over --weights; name another file",
        "in.txt: save! would be written over --start; name another file",
        "in.txt: save would be written over --start; name another file",
        "empty.ggf: 6 moves saved",
    ] {
        run.stdout_has(message);
    }
    assert!(["in.weights", "in.txt"].map(read) == before);
    assert!(read("empty.ggf").starts_with(b"(;"));
}

/// Here `-` stands for built-in weights, so the file on standard input may be the output file.
#[cfg(unix)]
#[test]
fn hyphens_for_built_in_weights_are_no_files() {
    let folder = inputs();
    for words in [
        "train stages absent --start - --out in.weights",
        "train score absent --weights - --svg in.svg",
    ] {
        let out = folder.path(words.rsplit(' ').next().unwrap());
        fs::write(&out, "").unwrap();
        let mut command = cli_in(&folder, words);
        let run = command.stdin(fs::File::open(&out).unwrap()).output();
        let run = run.expect("the program runs");
        let message = String::from_utf8_lossy(&run.stderr);
        assert!(message.contains("absent"), "{words}: {message}");
    }
}

#[cfg(unix)]
#[test]
fn pipes_are_not_opened_after_a_failure() {
    let folder = inputs();
    fifo(&folder.path("pipe"));
    let words = "analyze in.txt --depth 1 --svg no/folder --html pipe";
    let run = run_in(&folder, words, 1);
    run.stderr_has("cannot write no/folder");
}

#[test]
fn matches_refuse_their_files_before_engines_start() {
    let folder = Folder::new();
    folder.file("notes.txt", "my notes\n");
    folder.file("games.ggf", "(;GM[Othello]B[F5];)\n");
    folder.file("engine", "touch started\n");
    fs::create_dir(folder.path("sub")).unwrap();
    let there = "is there already: name another file, or replace it with --force";
    for (option, path, status, message) in [
        ("--log", "no/folder", 1, "cannot use the log no/folder: "),
        ("--log", "sub", 1, "cannot use the log sub: Is a directory"),
        ("--log", "notes.txt", 2, "notes.txt is no log of a match"),
        ("--ggf", "no/folder", 1, "cannot write no/folder: "),
        ("--ggf", "sub", 1, "cannot write sub: Is a directory"),
        ("--ggf", "games.ggf", 2, there),
        ("--ggf", "notes.txt", 2, there),
    ] {
        let mut command = cli_in(&folder, "match");
        command.args(["sh engine", "sh engine", option, path]);
        let run = run(&mut command, b"").expect(status);
        run.stderr_has(message);
        assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
        assert!(!folder.path("started").exists(), "{option} {path}");
        assert!(!folder.path("no").exists());
    }
    assert_eq!(fs::read(folder.path("notes.txt")).unwrap(), b"my notes\n");
    // A match whose engines fail at the start leaves no log.
    let mut command = cli_in(&folder, "match");
    command.args(["sh engine", "sh engine", "--log", "new.log"]);
    run(&mut command, b"").expect(2);
    assert!(folder.path("started").exists() && !folder.path("new.log").exists());
}

#[test]
fn tables_that_do_not_fit_are_refused_at_the_start() {
    let folder = inputs();
    for words in [
        "solve in.txt",
        "analyze in.txt",
        "play",
        "gtp",
        "nboard",
        "bench",
        "book learn new.book --time 1",
        "book correct new.book --time 1",
    ] {
        let run = run_in(&folder, &format!("{words} --hash 16000000"), 2);
        let message = "outflank: a hash table of 16000000 MiB does not fit in memory";
        run.stderr_starts(message);
        assert_eq!((run.stdout.as_str(), run.stderr.lines().count()), ("", 1));
        assert!(!folder.path("new.book").exists());
    }
}

/// Devices can have endless lines.
#[cfg(target_os = "linux")]
#[test]
fn endless_lines_are_refused() {
    let folder = inputs();
    let long = "line 1 is longer than 16 MiB, the limit";
    for (words, message) in [
        ("solve /dev/zero", long),
        ("analyze /dev/zero", long),
        ("convert /dev/zero --to obf", long),
        ("play --start /dev/zero", long),
        ("match gtp gtp --openings /dev/zero", long),
        ("book learn new.book --from /dev/zero", long),
        ("train generate new.records --from /dev/zero", long),
        ("train fit /dev/zero --out new.weights", long),
        ("train score /dev/zero", long),
        ("book import new.book /dev/zero", "expected"),
        (
            "train fit in.records --out new.weights --checkpoint /dev/zero",
            "checkpoint",
        ),
    ] {
        let run = run_in(&folder, words, 1);
        let error = run.stderr.lines().find(|line| line.contains("/dev/zero"));
        assert!(
            error.is_some_and(|line| line.contains(message)),
            "{words}: {run:#?}"
        );
        assert!(!folder.path("new.book").exists());
    }
}

/// Makes a named pipe.
fn fifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("there is mkfifo").success());
}

#[cfg(unix)]
#[test]
fn pipes_get_the_whole_output() {
    let folder = inputs();
    let pipe = folder.path("pipe");
    fifo(&pipe);
    for (words, _, _) in OUTPUTS {
        let into = |out: &str| run_in(&folder, &words.replace("OUT", out), 0);
        let reader = {
            let pipe = pipe.clone();
            thread::spawn(move || fs::read(pipe).expect("it can be read"))
        };
        into("pipe");
        let got = reader.join().expect("it reads");
        assert!(!got.is_empty(), "{words}");
        // Dates and measurements differ from run to run.
        if !words.contains("ggf") && !words.starts_with("book") && !words.starts_with("kernels") {
            let _ = fs::remove_file(folder.path("file"));
            into("file");
            let file = fs::read(folder.path("file")).expect("it was written");
            assert!(file == got, "{words}");
        }
    }
}

#[cfg(unix)]
#[test]
fn targets_of_dangling_links_are_created() {
    use std::os::unix::fs::symlink;
    let folder = inputs();
    fs::create_dir(folder.path("there")).unwrap();
    symlink("there/target", folder.path("link")).unwrap();
    let target = folder.path("there/target");
    for (words, _, _) in OUTPUTS {
        let _ = fs::remove_file(&target);
        run_in(&folder, &words.replace("OUT", "link"), 0);
        assert!(
            fs::metadata(&target).is_ok_and(|file| file.len() > 0),
            "{words}"
        );
        assert!(
            fs::symlink_metadata(folder.path("link"))
                .unwrap()
                .is_symlink()
        );
        let left = fs::read_dir(folder.path("there")).unwrap().count();
        assert_eq!(left, 1, "no temporary file stays");
    }
    // Links that form a circle have no target.
    symlink("b", folder.path("a")).unwrap();
    symlink("a", folder.path("b")).unwrap();
    let run = run_in(&folder, "weights import in.dat a", 1);
    run.stderr_starts("outflank: cannot write a: ");
}
