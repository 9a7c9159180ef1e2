//! What helps: `--help`, completions, manual pages.

mod common;

use std::fs;
use std::process::{Command, Stdio};

use common::command::{Folder, outflank, run};

#[test]
fn every_command_has_a_page_with_examples() {
    let folder = Folder::new();
    let pages = folder.path("");
    let mut command = outflank();
    command.args(["man", "--folder"]).arg(&pages);
    run(&mut command, b"").expect(0);
    let mut commands = 0;
    for entry in fs::read_dir(&pages).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let page = fs::read_to_string(&path).unwrap();
        assert!(page.contains("Examples:"), "{name} has no examples");
        // The same by --help.
        let mut command = outflank();
        command.args(name.split('-').skip(1)).arg("--help");
        let help = run(&mut command, b"").expect(0).stdout;
        assert!(
            help.contains("Examples:") && help.contains("--help"),
            "{name}"
        );
        commands += 1;
    }
    assert!(commands > 20, "{commands}");
    let page = run(outflank().arg("man"), b"").expect(0).stdout;
    assert_eq!(page, fs::read_to_string(pages.join("outflank.1")).unwrap());

    let mut command = outflank();
    command.args(["man", "--folder", "/no/such/folder"]);
    assert!(
        run(&mut command, b"")
            .expect(1)
            .stderr
            .contains("/no/such/folder")
    );
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
