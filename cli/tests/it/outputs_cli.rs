//! Files that commands write: none is lost by it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use outflank_testing::command::{Folder, Run, run};
use outflank_testing::models::random_linear;

use crate::common::program::outflank;
use crate::train_fit::{record_file, records};

/// Runs `outflank` with words in the folder of their files.
fn outflank_in(folder: &Folder, words: &str) -> Run {
    let mut command = outflank();
    command.current_dir(folder.path("")).args(words.split(' '));
    run(&mut command, b"")
}

/// A folder with a file of each kind that commands read.
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

/// The spellings of a file that is there, each with what has to be done for it.
#[cfg(unix)]
const SPELLINGS: [&str; 5] = ["X", "./X", "sub/../X", "link", "hard"];

/// Commands that would write X over itself, and the arguments that are told. Y is X in another spelling.
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
    // A transcript, which every command can begin to read or does not get to.
    let contents = b"f5d6c3d3c4f4f6\n";
    fs::create_dir(folder.path("sub")).unwrap();
    for (words, written, other) in OVER_ITSELF {
        // A match looks into its log before it knows its other files.
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
            let run = outflank_in(&folder, &words).expect(2);
            let told = format!("{written} would be written over {other}; name another file");
            let expected = [x, &y].map(|path| format!("outflank: {path}: {told}\n"));
            assert!(expected.contains(&run.stderr), "{words}: {}", run.stderr);
            if !is_log {
                assert_eq!(fs::read(folder.path("X")).unwrap(), contents, "{words}");
            }
        }
    }
}

/// Commands with outputs, the kind that each of them is, and whether an older one is replaced. OUT is the output.
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
fn an_older_file_of_another_kind_is_replaced_only_by_force() {
    let folder = inputs();
    for &(words, kind, is_replaced) in OUTPUTS {
        let words = words.replace("OUT", "notes.txt");
        let path = folder.file("notes.txt", "my notes\n");
        let run = outflank_in(&folder, &words).expect(2);
        let told = match is_replaced {
            true => format!("is not {kind}; it looks like text, \"my notes\". Name"),
            false => "is there already: name".to_owned(),
        };
        let advice = "another file, or replace it with --force";
        let expected = format!("outflank: notes.txt {told} {advice}\n");
        assert_eq!(run.stderr, expected, "{words}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "my notes\n");

        outflank_in(&folder, &format!("{words} --force")).expect(0);
        let first = fs::read(&path).expect("it was written");
        assert!(first != b"my notes\n", "{words}");
        // Its own kind, and an empty file as `mktemp` makes it.
        let status = if is_replaced { 0 } else { 2 };
        outflank_in(&folder, &words).expect(status);
        folder.file("notes.txt", "");
        outflank_in(&folder, &words).expect(0);
        assert!(fs::metadata(&path).expect("it is there").len() > 0);
    }
}

#[test]
fn pages_of_the_manual_replace_only_pages() {
    let folder = Folder::new();
    for status in [0, 0] {
        outflank_in(&folder, "man --folder pages").expect(status);
    }
    let is_page = |path| fs::read(path).is_ok_and(|text: Vec<u8>| text.starts_with(b".ie"));
    for notes in [".bashrc and others\n", "'tis my note\n", ".T\n"] {
        let page = folder.file("pages/outflank-solve.1", notes);
        fs::remove_file(folder.path("pages/outflank.1")).unwrap();
        outflank_in(&folder, "man --folder pages").expect(2);
        assert_eq!(fs::read(&page).unwrap(), notes.as_bytes());
        // Nothing is written where one page cannot be.
        assert!(!folder.path("pages/outflank.1").exists());
        outflank_in(&folder, "man --folder pages --force").expect(0);
        assert!(is_page(page) && is_page(folder.path("pages/outflank.1")));
    }
}

#[test]
fn a_game_is_saved_over_no_file_that_is_in_use() {
    let folder = inputs();
    let mut command = outflank();
    command.current_dir(folder.path("")).args(
        "play --side both --no-values --level 0 --weights in.weights --start in.txt".split(' '),
    );
    folder.file("empty.ggf", "");
    let read = |name: &str| fs::read(folder.path(name)).unwrap();
    let before = ["in.weights", "in.txt"].map(read);
    let typed = b"undo\nsave! ./in.weights as ggf\nsave! in.txt\nsave in.txt\nsave empty.ggf\n";
    let run = run(&mut command, typed).expect(0);
    for told in [
        "./in.weights: save! would be written over --weights; name another file",
        "in.txt: save! would be written over --start; name another file",
        "in.txt: save would be written over --start; name another file",
        "empty.ggf: 6 moves saved",
    ] {
        assert!(run.stdout.contains(told), "{told}: {}", run.stdout);
    }
    assert!(["in.weights", "in.txt"].map(read) == before);
    assert!(read("empty.ggf").starts_with(b"(;"));
}

/// Weights that are built in are no file: standard input stays free for the output.
#[cfg(unix)]
#[test]
fn a_hyphen_that_stands_for_weights_is_no_file() {
    let folder = inputs();
    for words in [
        "train stages absent --start - --out in.weights",
        "train score absent --weights - --svg in.svg",
    ] {
        let out = folder.path(words.rsplit(' ').next().unwrap());
        fs::write(&out, "").unwrap();
        let mut command = outflank();
        command
            .current_dir(folder.path(""))
            .args(words.split(' '))
            .stdin(fs::File::open(&out).unwrap());
        let run = command.output().expect("it runs");
        let told = String::from_utf8_lossy(&run.stderr);
        assert!(told.contains("absent"), "{words}: {told}");
    }
}

/// A pipe that nobody reads is not opened behind a failure.
#[cfg(unix)]
#[test]
fn no_pipe_is_waited_for_behind_a_failure() {
    let folder = inputs();
    fifo(&folder.path("pipe"));
    let words = "analyze in.txt --depth 1 --svg no/folder --html pipe";
    let run = outflank_in(&folder, words).expect(1);
    assert!(run.stderr.contains("cannot write no/folder"), "{run:#?}");
}

#[test]
fn a_match_refuses_its_files_before_engines_start() {
    let folder = Folder::new();
    folder.file("notes.txt", "my notes\n");
    folder.file("games.ggf", "(;GM[Othello]B[F5];)\n");
    folder.file("engine", "touch started\n");
    fs::create_dir(folder.path("sub")).unwrap();
    let there = "is there already: name another file, or replace it with --force";
    for (option, path, status, told) in [
        ("--log", "no/folder", 1, "cannot use the log no/folder: "),
        ("--log", "sub", 1, "cannot use the log sub: Is a directory"),
        ("--log", "notes.txt", 2, "notes.txt is no log of a match"),
        ("--ggf", "no/folder", 1, "cannot write no/folder: "),
        ("--ggf", "sub", 1, "cannot write sub: Is a directory"),
        ("--ggf", "games.ggf", 2, there),
        ("--ggf", "notes.txt", 2, there),
    ] {
        let mut command = outflank();
        command.current_dir(folder.path(""));
        command.args(["match", "sh engine", "sh engine", option, path]);
        let run = run(&mut command, b"").expect(status);
        assert!(run.stderr.contains(told), "{run:#?}");
        assert_eq!(run.stderr.lines().count(), 1, "{run:#?}");
        assert!(!folder.path("started").exists(), "{option} {path}");
        assert!(!folder.path("no").exists());
    }
    assert_eq!(fs::read(folder.path("notes.txt")).unwrap(), b"my notes\n");
    // An engine that is none leaves no log of a match that was not played.
    let mut command = outflank();
    command.current_dir(folder.path(""));
    command.args(["match", "sh engine", "sh engine", "--log", "new.log"]);
    run(&mut command, b"").expect(2);
    assert!(folder.path("started").exists() && !folder.path("new.log").exists());
}

/// Memory that the machine does not have is refused before anything is done or answered.
#[test]
fn a_table_that_does_not_fit_is_refused_at_the_start() {
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
        let run = outflank_in(&folder, &format!("{words} --hash 16000000")).expect(2);
        let told = "outflank: a hash table of 16000000 MiB does not fit in memory";
        assert!(run.stderr.starts_with(told), "{words}: {run:#?}");
        assert_eq!((run.stdout.as_str(), run.stderr.lines().count()), ("", 1));
        assert!(!folder.path("new.book").exists());
    }
}

/// A line without an end, as a device has it, is an error before it has filled the memory.
#[cfg(target_os = "linux")]
#[test]
fn a_line_has_an_end() {
    let folder = inputs();
    let long = "line 1 is longer than 16 MiB, the limit";
    for (words, told) in [
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
        let run = outflank_in(&folder, words).expect(1);
        let error = run.stderr.lines().find(|line| line.contains("/dev/zero"));
        assert!(
            error.is_some_and(|line| line.contains(told)),
            "{words}: {run:#?}"
        );
        assert!(!folder.path("new.book").exists());
    }
}

/// A pipe with a name.
fn fifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("there is mkfifo").success());
}

#[cfg(unix)]
#[test]
fn the_reader_of_a_pipe_gets_all() {
    let folder = inputs();
    let pipe = folder.path("pipe");
    fifo(&pipe);
    for (words, _, _) in OUTPUTS {
        let into = |out: &str| outflank_in(&folder, &words.replace("OUT", out)).expect(0);
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
fn the_target_of_a_dangling_link_is_made() {
    use std::os::unix::fs::symlink;
    let folder = inputs();
    fs::create_dir(folder.path("there")).unwrap();
    symlink("there/target", folder.path("link")).unwrap();
    let target = folder.path("there/target");
    for (words, _, _) in OUTPUTS {
        let _ = fs::remove_file(&target);
        outflank_in(&folder, &words.replace("OUT", "link")).expect(0);
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
    // Links in a circle lead nowhere.
    symlink("b", folder.path("a")).unwrap();
    symlink("a", folder.path("b")).unwrap();
    let run = outflank_in(&folder, "weights import in.dat a").expect(1);
    assert!(
        run.stderr.starts_with("outflank: cannot write a: "),
        "{run:#?}"
    );
}
