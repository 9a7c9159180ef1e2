//! `--help`, completions and manual pages.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::dialogue::assert_snapshot;
use crate::common::program::{OutputChecks, cli, run_cli};
use outflank_testing::command::{Folder, run};

/// Pages of the manual by the name of the command, each with the output of `--help`.
fn pages_and_helps(folder: &Path) -> BTreeMap<String, [String; 2]> {
    run(cli("man --folder").arg(folder), b"").expect(0);
    let pages = fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let name = stem.expect("a name of ASCII").replace('-', " ");
        let words = name.split_once(' ').map_or("", |(_, words)| words);
        let help = run_cli(&format!("{words} --help")).expect(0).stdout;
        (name, [fs::read_to_string(path).unwrap(), help])
    });
    pages.collect()
}

#[test]
fn every_command_has_a_page_with_the_examples_of_its_help() {
    let folder = Folder::new();
    // The folder and its parent are created.
    let man = folder.path("new/man1");
    let pages = pages_and_helps(&man);
    for (name, [page, help]) in &pages {
        if name.ends_with("kernels shapes") && cfg!(not(target_os = "linux")) {
            continue; // It only tells that it needs Linux.
        }
        let lines: Vec<&str> = page.lines().collect();
        let position = |from: usize, text: &str| {
            let found = lines.iter().skip(from).position(|line| *line == text);
            from + found.unwrap_or_else(|| panic!("{name} has no {text}"))
        };
        let examples = position(0, ".SH EXAMPLES");
        assert_eq!(lines[examples + 1], ".nf", "{name}");
        let end = position(examples, ".fi");
        assert!(help.contains("--help"), "{name}");
        // The examples are equal except for the escapes of roff.
        let (_, in_help) = help.split_once("\nExamples:\n").expect("examples");
        let in_help = in_help.split("\n\n").next().expect("an end").lines();
        let in_help = in_help.map(|line| line.strip_prefix("  ").unwrap_or(line).trim_end());
        let in_page = lines[examples + 2..end].iter().map(|line| {
            let line = line.replace("\\-", "-").replace("\\*(Aq", "'");
            line.replace("\\\\", "\\")
        });
        assert!(in_page.eq(in_help), "{name}");
    }
    // The snapshot shows changes of help texts in reviews.
    assert!(pages.len() > 20, "{pages:?}");
    let texts = pages.iter();
    let texts = texts.map(|(name, [_, help])| format!("======== {name}\n{help}\n"));
    // Elsewhere the help of `kernels shapes` only tells that it needs Linux.
    if cfg!(target_os = "linux") {
        assert_snapshot("help", &texts.collect::<String>());
    }
    assert_eq!(run_cli("man").expect(0).stdout, pages["outflank"][0]);

    let file = folder.file("file", "no folder");
    let run = run(cli("man --folder").arg(file.join("man1")), b"").expect(1);
    run.stderr_has("file/man1: Not a directory (os error 20); name another\n");
}

/// Every option that a help text mentions exists. No default is shown twice, and none is empty.
#[test]
fn helps_mention_only_existing_options() {
    let folder = Folder::new();
    let pages = pages_and_helps(&folder.path("man"));
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let options = |text: &str| -> Vec<String> {
        let options = text.split("--").skip(1).map(|rest| {
            let end = rest.find(|letter| !is_letter(letter)).unwrap_or(rest.len());
            rest[..end].to_owned()
        });
        let is_name = |name: &String| name.starts_with(|letter: char| letter.is_ascii_lowercase());
        options.filter(is_name).collect()
    };
    let lines = pages.values().flat_map(|[_, help]| help.lines());
    let definitions = lines.filter(|line| line.trim_start().starts_with('-'));
    let known: Vec<String> = definitions.flat_map(options).collect();
    for (name, [_, help]) in &pages {
        let lines_of_outflank = help.lines().filter(|line| !line.contains("other-engine"));
        for option in lines_of_outflank.flat_map(options) {
            assert!(known.contains(&option), "{name}: --{option}");
        }
        assert!(!help.contains("[default: \"\"]"), "{name}");
        for option in help.split("\n      --").skip(1) {
            let option = option.split("\n\nExamples").next().unwrap();
            let defaults = option.matches("[default: ").count();
            assert!(defaults <= 1, "{name}: --{option}");
        }
    }
}

#[test]
fn shells_have_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = run_cli(&format!("completions {shell}")).expect(0);
        for word in ["analyze", "kernels", "selectivity"] {
            run.stdout_has(word);
        }
    }
    let script = run_cli("completions bash").expect(0).stdout
        + "\nCOMP_WORDS=(outflank so); COMP_CWORD=1; _outflank outflank so outflank; \
           echo \"${COMPREPLY[@]}\"\n";
    let mut bash = Command::new("bash");
    bash.arg("-s").stdin(Stdio::piped());
    if Command::new("bash").arg("--version").output().is_err() {
        println!("skipped: there is no bash");
        return;
    }
    let completed = run(&mut bash, script.as_bytes()).expect(0);
    assert_eq!(completed.stdout, "solve\n");
}
