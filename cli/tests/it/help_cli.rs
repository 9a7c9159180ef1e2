//! What helps: `--help`, completions, manual pages.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};

use crate::common::dialogue::assert_kept;
use crate::common::program::outflank;
use outflank_testing::command::{Folder, run};

#[test]
fn every_command_has_a_page_with_examples() {
    let folder = Folder::new();
    // It is made, and what is above it.
    let pages = folder.path("new/man1");
    let mut command = outflank();
    command.args(["man", "--folder"]).arg(&pages);
    run(&mut command, b"").expect(0);
    let mut helps = BTreeMap::new();
    for entry in fs::read_dir(&pages).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let page = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = page.lines().collect();
        let examples = lines.iter().position(|line| *line == ".SH EXAMPLES");
        let examples = examples.unwrap_or_else(|| panic!("{name} has no examples"));
        assert_eq!(lines[examples + 1], ".nf", "{name}");
        let end = lines.iter().skip(examples).position(|line| *line == ".fi");
        let end = examples + end.unwrap_or_else(|| panic!("{name}: its examples do not end"));
        // The same by --help.
        let mut command = outflank();
        command.args(name.split('-').skip(1)).arg("--help");
        let help = run(&mut command, b"").expect(0).stdout;
        assert!(help.contains("--help"), "{name}");
        // Line by line what the page has, without the marks of roff.
        let told = help
            .split("\nExamples:\n")
            .nth(1)
            .expect("there are examples");
        let told = told.split("\n\n").next().expect("there is an end").lines();
        let told = told.map(|line| line.strip_prefix("  ").unwrap_or(line).trim_end());
        let shown = lines[examples + 2..end].iter();
        let shown = shown.map(|line| line.replace("\\-", "-").replace("\\*(Aq", "'"));
        assert_eq!(
            shown
                .map(|line| line.replace("\\\\", "\\"))
                .collect::<Vec<_>>(),
            told.collect::<Vec<_>>(),
            "{name}"
        );
        helps.insert(name.replace('-', " "), help);
    }
    // What users read, for review when it changes.
    assert!(helps.len() > 20, "{helps:?}");
    let texts = helps
        .iter()
        .map(|(name, help)| format!("======== {name}\n{help}\n"));
    assert_kept("help", &texts.collect::<String>());
    let page = run(outflank().arg("man"), b"").expect(0).stdout;
    assert_eq!(page, fs::read_to_string(pages.join("outflank.1")).unwrap());

    let file = folder.file("file", "no folder");
    let mut command = outflank();
    let refused = run(
        command.args(["man", "--folder"]).arg(file.join("man1")),
        b"",
    )
    .expect(1);
    let told = "file/man1: Not a directory (os error 20); name another\n";
    assert!(refused.stderr.ends_with(told), "{refused:?}");
}

/// Whatever option a help text mentions is one of the program's, and no default is told twice or in code.
#[test]
fn helps_mention_only_options_that_there_are() {
    let folder = Folder::new();
    run(
        outflank().args(["man", "--folder"]).arg(folder.path("man")),
        b"",
    )
    .expect(0);
    let mut helps = Vec::new();
    for entry in fs::read_dir(folder.path("man")).unwrap() {
        let name = entry
            .unwrap()
            .path()
            .file_stem()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        let mut command = outflank();
        command.args(name.split('-').skip(1)).arg("--help");
        helps.push((name, run(&mut command, b"").expect(0).stdout));
    }
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let named = |text: &str| -> Vec<String> {
        let options = text.split("--").skip(1).map(|rest| {
            let end = rest.find(|letter| !is_letter(letter)).unwrap_or(rest.len());
            rest[..end].to_owned()
        });
        let is_name = |name: &String| name.starts_with(|letter: char| letter.is_ascii_lowercase());
        options.filter(is_name).collect()
    };
    let heads = helps.iter().flat_map(|(_, help)| help.lines());
    let heads = heads.filter(|line| line.trim_start().starts_with('-'));
    let known: Vec<String> = heads.flat_map(named).collect();
    for (name, help) in &helps {
        for line in help.lines().filter(|line| !line.contains("other-engine")) {
            for option in named(line) {
                assert!(known.contains(&option), "{name}: --{option}");
            }
        }
        assert!(!help.contains("[default: \"\"]"), "{name}");
        let options = help.split("\n      --").skip(1);
        for option in options {
            let option = option.split("\n\nExamples").next().unwrap();
            let defaults = option.matches("[default: ").count();
            assert!(defaults <= 1, "{name}: --{option}");
        }
    }
}

#[test]
fn shells_have_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = run(outflank().args(["completions", shell]), b"").expect(0);
        for word in ["analyze", "kernels", "selectivity"] {
            assert!(run.stdout.contains(word), "{shell}: {word}");
        }
    }
    let script = run(outflank().args(["completions", "bash"]), b"")
        .expect(0)
        .stdout;
    let script = script
        + "\nCOMP_WORDS=(outflank so); COMP_CWORD=1; _outflank outflank so outflank; echo \"${COMPREPLY[@]}\"\n";
    let mut bash = Command::new("bash");
    bash.arg("-s").stdin(Stdio::piped());
    if Command::new("bash").arg("--version").output().is_err() {
        println!("skipped: there is no bash");
        return;
    }
    assert_eq!(
        run(&mut bash, script.as_bytes()).expect(0).stdout,
        "solve\n"
    );
}
