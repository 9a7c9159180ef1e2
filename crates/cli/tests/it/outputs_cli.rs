//! Output files of commands: no file is lost.

use std::fs;
use std::thread;

use outflank_testing::command::{Folder, run};

use crate::common::inputs::inputs;
use crate::common::program::{OutputChecks, cli_in, refuse_in, rows, run_in};

/// Spellings of the path of a file.
#[cfg(unix)]
const SPELLINGS: [&str; 5] = ["X", "./X", "sub/../X", "link", "hard"];

/// Commands that would overwrite X, and the two arguments that the message names. Y is another spelling of X.
#[cfg(unix)]
const OVER_ITSELF: &str = "
    book export X --out Y => --out over BOOK
    book import X Y => BOOK over FILE
    book merge X in.txt Y => BOOK over OTHER
    book learn X --from Y => BOOK over --from
    book learn X --weights Y => BOOK over --weights
    book correct X --weights Y => BOOK over --weights
    weights import X Y => OUT over EVAL.DAT
    weights export X Y => OUT.DAT over FILE
    weights join X in.weights Y => OUT over LATE
    weights join in.weights X Y => OUT over EARLY
    convert in.txt X --to obf --out Y => --out over IN
    convert X --to obf --force --out Y => --out over IN
    analyze X --depth 1 --svg Y => --svg over FILE
    train generate X --from in.txt Y => OUT over --from
    train generate X --from self --weights Y => OUT over --weights
    train fit X --out Y => --out over FILE
    train fit in.records --exclude X --out Y => --out over --exclude
    train fit in.records --start X --out Y => --out over --start
    train fit in.records --out X --checkpoint Y => --out over --checkpoint
    train fit X --out a --checkpoint Y => --checkpoint over FILE
    train fit --network in.records --out X --svg Y => --svg over --out
    train fit --network X --out a --svg Y => --svg over FILE
    train score X --svg Y => --svg over FILE
    train score in.records --weights - --weights X --svg Y => --svg over --weights
    train probcut X --out Y => --out over RECORDS
    match gtp gtp --log X --ggf Y => --ggf over --log
    match gtp gtp --openings X --ggf Y => --ggf over --openings
    match gtp gtp --openings X --log Y => --log over --openings
    match gtp gtp --book-a X --ggf Y => --ggf over --book
";

#[cfg(unix)]
#[test]
fn no_command_writes_over_its_own_files() {
    use std::os::unix::fs::symlink;
    let folder = inputs();
    fs::create_dir(folder.path("sub")).unwrap();
    for row in rows(OVER_ITSELF) {
        let (words, arguments) = row.split_once(" => ").expect(row);
        let (written, other) = arguments.split_once(" over ").expect(row);
        // A match reads its log before it checks the other files, so the log must not exist.
        let is_log = words.contains("--log X");
        let x = if is_log { "new.log" } else { "X" };
        for spelling in SPELLINGS {
            for name in ["X", "link", "hard"] {
                let _ = fs::remove_file(folder.path(name));
            }
            if !is_log {
                // Each command can read the beginning, or refuses the output file before it reads.
                folder.file("X", "f5d6c3d3c4f4f6\n");
                fs::hard_link(folder.path("X"), folder.path("hard")).unwrap();
            } else if spelling == "hard" {
                continue;
            }
            symlink(x, folder.path("link")).unwrap();
            let y = spelling.replace('X', x);
            let words = words.replace('X', x).replace('Y', &y);
            let message = format!("{written} would be written over {other}; name another file");
            let refused = refuse_in(&folder, &words, 2, &message).stderr;
            let expected = [x, &y].map(|path| format!("outflank: {path}: {message}\n"));
            assert!(expected.contains(&refused), "{words}: {refused}");
        }
    }
}

/// Commands that write OUT, with the kind of the file. Only a file of a named kind is replaced without `--force`.
const OUTPUTS: &str = "
    analyze in.txt --depth 1 --svg OUT => an SVG picture
    convert in.txt --to ggf --out OUT => any
    convert in.txt --to obf --out OUT => any
    weights import in.dat OUT => a file of weights
    weights export in.weights OUT => an eval.dat of Edax's
    book export built-in --out OUT => an opening book of Edax's
    train fit in.records --knots 12,24 --windows 1-2 --iterations 1 --out OUT => a file of weights
    train score in.records --weights in.weights --svg OUT => an SVG picture
    train probcut in.records --weights in.weights --positions 8 --depth 5 --exact 13 --out OUT => a file of weights
    kernels bench --kernel flip --isa portable --repeats 1 --svg OUT => an SVG picture
";

/// Command lines of [`OUTPUTS`] that write the file `name`, each with the kind of the file.
fn outputs(name: &str) -> impl Iterator<Item = (String, &str)> {
    rows(OUTPUTS).map(move |row| {
        let (words, kind) = row.split_once(" => ").expect(row);
        (words.replace("OUT", name), kind)
    })
}

#[test]
fn only_force_replaces_a_file_of_another_kind() {
    let folder = inputs();
    for (words, kind) in outputs("notes.txt") {
        let is_replaced = kind != "any";
        let path = folder.file("notes.txt", "my notes\n");
        let message = match is_replaced {
            true => format!("is not {kind}; it looks like text, \"my notes\". Name"),
            false => "is there already: name".to_owned(),
        };
        let advice = "another file, or replace it with --force";
        let expected = format!("outflank: notes.txt {message} {advice}\n");
        refuse_in(&folder, &words, 2, &expected);

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
    run_in(&folder, "man --folder pages", 0);
    run_in(&folder, "man --folder pages", 0);
    let is_page = |path| fs::read(path).is_ok_and(|text: Vec<u8>| text.starts_with(b".ie"));
    for notes in [".bashrc and others\n", "'tis my note\n", ".T\n"] {
        let page = folder.file("pages/outflank-solve.1", notes);
        fs::remove_file(folder.path("pages/outflank.1")).unwrap();
        run_in(&folder, "man --folder pages", 2);
        assert_eq!(fs::read_to_string(&page).unwrap(), notes);
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
    folder.pipe("pipe");
    let words = "analyze in.txt --depth 1 --svg no/folder --html pipe";
    refuse_in(&folder, words, 1, "cannot write no/folder");
}

/// A match whose engines fail at the start leaves no log.
#[cfg(unix)]
#[test]
fn failed_matches_leave_no_log() {
    let folder = Folder::new();
    folder.file("engine", "touch started\n");
    run_in(&folder, "match 'sh engine' 'sh engine' --log new.log", 2);
    assert!(folder.path("started").exists() && !folder.path("new.log").exists());
}

/// Devices can have endless lines.
#[cfg(unix)]
#[test]
fn endless_lines_are_refused() {
    let folder = inputs();
    for words in [
        "solve /dev/zero",
        "analyze /dev/zero",
        "convert /dev/zero --to obf",
        "play --start /dev/zero",
        "match gtp gtp --openings /dev/zero",
        "book learn new.book --from /dev/zero",
        "train generate new.records --from /dev/zero",
        "train fit /dev/zero --out new.weights",
        "train score /dev/zero",
    ] {
        let message = "/dev/zero: line 1 is longer than 16 MiB, the limit\n";
        run_in(&folder, words, 1).stderr_has(message);
        assert!(!folder.path("new.book").exists());
    }
    let line = "book import new.book /dev/zero";
    refuse_in(&folder, line, 1, "/dev/zero: expected a book of Edax's");
    for device in ["/dev/zero", "/dev/null"] {
        let line = format!("train fit in.records --out new.weights --checkpoint {device}");
        let message = format!("outflank: {device}: expected the checkpoint of a fit");
        run_in(&folder, &line, 1).stderr_has(message);
        assert!(!folder.path("new.weights").exists());
    }
}

#[cfg(unix)]
#[test]
fn pipes_get_the_whole_output() {
    let folder = inputs();
    let pipe = folder.pipe("pipe");
    for ((into_pipe, _), (into_file, _)) in outputs("pipe").zip(outputs("file")) {
        let pipe = pipe.clone();
        let reader = thread::spawn(move || fs::read(pipe).expect("it can be read"));
        run_in(&folder, &into_pipe, 0);
        let got = reader.join().expect("it reads");
        assert!(!got.is_empty(), "{into_pipe}");
        // Dates and measurements differ from run to run.
        let differs = ["ggf", "book", "kernels"].map(|word| into_pipe.contains(word));
        if !differs.contains(&true) {
            let _ = fs::remove_file(folder.path("file"));
            run_in(&folder, &into_file, 0);
            let file = fs::read(folder.path("file")).expect("it was written");
            assert!(file == got, "{into_file}");
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
    for (words, _) in outputs("link") {
        let _ = fs::remove_file(&target);
        run_in(&folder, &words, 0);
        let is_written = fs::metadata(&target).is_ok_and(|file| file.len() > 0);
        assert!(is_written && folder.path("link").is_symlink(), "{words}");
        let left = fs::read_dir(folder.path("there")).unwrap().count();
        assert_eq!(left, 1, "no temporary file stays");
    }
    // Links that form a circle have no target.
    symlink("b", folder.path("a")).unwrap();
    symlink("a", folder.path("b")).unwrap();
    refuse_in(&folder, "weights import in.dat a", 1, "cannot write a: ");
}
