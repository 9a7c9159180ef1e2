//! Tests of the machine code. They disassemble every algorithm at every level and report calls that should be
//! inlined, missing instructions that make the algorithm fast, and more instructions than the template
//! allows. They also report encodings from before AVX, which stall beside newer ones.
//!
//! `snapshots` records one compiler's code, a file for each level: the instructions of each algorithm with
//! their counts, its use of the stack, and its calls. So a review sees every change of the machine code.
//! With another compiler, or in an incremental build, only the bounds of the templates hold.
#![cfg(all(feature = "program", target_arch = "x86_64", target_os = "linux"))]

use std::fmt::Write as _;
use std::sync::LazyLock;

use outflank_checker::shapes::{Code, MachineCode};
use outflank_kernels::registry::{KernelEntry, entries};
use outflank_kernels::{Isa, level_tests};

static PROGRAM: LazyLock<MachineCode> =
    LazyLock::new(|| MachineCode::of_this_program().expect("a test can be disassembled"));

/// Summary of an algorithm's machine code for the snapshots.
fn shape(entry: &KernelEntry, code: &Code) -> String {
    let selected = if entry.selected { " *" } else { "" };
    let (kernel, algorithm, count) = (entry.kernel, entry.algorithm, code.instructions().count());
    let stack = code.stack();
    let mut text = format!(
        "\n{kernel}.{algorithm}{selected}\n    {count} instructions, {stack} bytes of stack"
    );
    for (called, count) in code.calls() {
        write!(text, ", {count} calls of {called}").expect("writing to a string cannot fail");
    }
    let mut column = usize::MAX;
    for (mnemonic, count) in code.mnemonics() {
        let word = format!("{mnemonic} {count}");
        if column.saturating_add(word.len()) > 90 {
            text += "\n  ";
            column = 0;
        }
        text = text + "  " + &word;
        column += 2 + word.len();
    }
    text + "\n"
}

/// Compares the shapes of a level with the recorded ones, if compiler and options are the same.
fn compare(isa: Isa, shapes: &str) {
    if !PROGRAM.in_one_unit || cfg!(target_feature = "sse3") {
        println!(
            "not compared: compiled by other options than those of `CARGO_INCREMENTAL=0 cargo test`"
        );
        return;
    }
    let compiler = PROGRAM.compiler.as_ref();
    let compiler = compiler.expect("rustc says in the program who it is");
    let name = format!("shapes_{isa}");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/snapshots");
    let recorded = std::fs::read_to_string(format!("{folder}/{name}.snap")).unwrap_or_default();
    let recorded_by = recorded.lines().find(|line| line.starts_with("rustc "));
    let renews = std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always");
    if let Some(recorded_by) = recorded_by.filter(|recorded_by| recorded_by != compiler && !renews)
    {
        println!("not compared: recorded for {recorded_by}, this is {compiler}; the bounds hold");
        return;
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, format!("{compiler}\n{shapes}")));
}

/// Checks the machine code of every algorithm of a level. To accept an intended change, run
/// `CARGO_INCREMENTAL=0 INSTA_UPDATE=always cargo test -p outflank-checker --test it shapes`.
fn machine_code(isa: Isa) {
    let (mut wrong, mut shapes) = (Vec::new(), String::new());
    for entry in entries().filter(|entry| entry.isa == isa) {
        let name = format!("{}.{} at {isa}", entry.kernel, entry.algorithm);
        match PROGRAM.code_of(entry) {
            None => wrong.push(format!("{name}: not found in the program")),
            Some(code) => {
                let faults = code.faults(entry);
                wrong.extend(faults.into_iter().map(|fault| format!("{name} {fault}")));
                shapes += &shape(entry, &code);
            }
        }
    }
    assert!(
        !shapes.is_empty() && wrong.is_empty(),
        "{}",
        wrong.join("\n")
    );
    compare(isa, &shapes);
}

level_tests!(on_any_cpu machine_code);
