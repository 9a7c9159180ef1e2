//! `outflank kernels`: the list and the check, as a user meets them.

use crate::common::program::outflank;
use outflank::Isa;
use outflank_checker::registry::{entries, kernels};
use outflank_testing::command::{Run, run};

fn command(arguments: &[&str], status: i32) -> Run {
    run(outflank().arg("kernels").args(arguments), b"").expect(status)
}

#[test]
fn the_list_has_every_algorithm_of_every_kernel() {
    let listed = command(&["list"], 0).stdout;
    let mut kernel = "";
    let mut found = 0;
    for row in listed.lines().filter(|row| !row.is_empty()) {
        if !row.starts_with(' ') {
            kernel = row.split(':').next().expect("a name");
            continue;
        }
        let mut words = row.split_whitespace();
        let algorithm = words.next().expect("a name");
        for isa in words {
            let name = isa.trim_matches(['[', ']', '*']);
            let entry = entries().find(|entry| {
                entry.kernel == kernel && entry.algorithm == algorithm && entry.isa.name() == name
            });
            let entry = entry.unwrap_or_else(|| panic!("{kernel}: {row}"));
            assert_eq!(entry.selected, isa.contains('*'), "{kernel}: {row}");
            let lacks = entry.isa.token().is_err();
            assert_eq!(lacks, isa.starts_with('['), "{kernel}: {row}");
            found += 1;
        }
    }
    assert_eq!(found, entries().count());
}

#[test]
fn a_kernel_is_listed_whole() {
    let listed = command(&["list", "last_move_score"], 0).stdout;
    assert!(
        listed.starts_with("last_move_score(square, player, alpha)\n"),
        "{listed}"
    );
    let kernel = kernels()
        .iter()
        .find(|kernel| kernel.name == "last_move_score");
    for word in kernel.expect("it is there").doc.split_whitespace() {
        assert!(listed.contains(word), "{word} is not in\n{listed}");
    }
}

#[test]
fn the_list_as_json() {
    let rows = command(&["list", "--json"], 0).json();
    let names: Vec<_> = rows.iter().map(|row| row["kernel"].as_str()).collect();
    let expected: Vec<_> = kernels().iter().map(|kernel| Some(kernel.name)).collect();
    assert_eq!(names, expected);
    let levels = rows
        .iter()
        .flat_map(|row| row["algorithms"].as_array().expect("a list"))
        .flat_map(|row| row["levels"].as_array().expect("a list"));
    assert_eq!(levels.clone().count(), entries().count());
    let selected = levels.filter(|row| row["selected"] == true);
    assert_eq!(
        selected.count(),
        entries().filter(|entry| entry.selected).count()
    );
}

/// The last line of a check: the algorithms that agree, those that were to be checked, the
/// comparisons, the comparisons a second.
fn counts(run: &Run) -> [u64; 4] {
    let last = run.stdout.lines().last().expect("a last line");
    let digits = last.replace(',', "");
    let numbers: Vec<u64> = digits
        .split(|letter: char| !letter.is_ascii_digit() && letter != '.')
        .filter_map(|word| word.parse().ok())
        .collect();
    numbers.try_into().unwrap_or_else(|_| panic!("{last}"))
}

fn runnable(kernel: &str, isa: Option<Isa>) -> u64 {
    let here = entries().filter(|entry| entry.isa.token().is_ok());
    here.filter(|entry| kernel.is_empty() || entry.kernel == kernel)
        .filter(|entry| isa.is_none_or(|isa| entry.isa == isa))
        .count() as u64
}

#[test]
fn a_check_compares_all_algorithms_at_all_levels() {
    let run = command(&["check", "--seconds", "0", "--seed", "3"], 0);
    assert!(run.stdout.starts_with("seed 3\n"), "{}", run.stdout);
    let [agree, all, comparisons, rate] = counts(&run);
    assert_eq!((agree, all), (runnable("", None), runnable("", None)));
    assert!(comparisons > 1_000_000 && rate > 0, "{}", run.stdout);
    for isa in Isa::available() {
        let row = run.stdout.lines().find(|row| row.starts_with(isa.name()));
        let algorithms = format!(" {} algorithms ", runnable("", Some(*isa)));
        assert!(
            row.is_some_and(|row| row.contains(&algorithms)),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn a_check_of_some() {
    let run = command(
        &[
            "check",
            "--seconds",
            "0.1",
            "--kernel",
            "*_hash",
            "--isa",
            "Portable",
        ],
        0,
    );
    assert_eq!(counts(&run)[1], runnable("board_hash", Some(Isa::Portable)));
    let run = command(
        &[
            "check",
            "--seconds",
            "0",
            "--kernel",
            "mobil?ty",
            "--cpu",
            "0",
        ],
        0,
    );
    assert_eq!(counts(&run)[1], runnable("mobility", None));
    let seed = run
        .stdout
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("seed "));
    assert!(
        seed.is_some_and(|seed| seed.parse::<u64>().is_ok()),
        "{}",
        run.stdout
    );
}

#[test]
fn what_does_not_exist_is_one_line_that_says_what_does() {
    for command_name in ["check", "bench"] {
        for (arguments, said) in [
            (
                &["--kernel", "flop"][..],
                "no kernel matches 'flop' (possible: board_hash, ",
            ),
            (
                &["--kernel", "z*"],
                "no kernel matches 'z*' (possible: board_hash, ",
            ),
            (
                &["--kernel", "flip.x?"],
                "flip has no algorithm that matches 'x?' (possible: ",
            ),
            (
                &["--isa", "v9"],
                "unknown instruction-set level 'v9' (possible here: portable",
            ),
            (
                &["--cpu", "99999"],
                "there is no core 99999 to stay on (possible: ",
            ),
        ] {
            let mut all = vec![command_name];
            all.extend(arguments);
            let run = command(&all, 2);
            assert_eq!(run.stdout, "");
            assert!(
                run.stderr.starts_with(&format!("outflank: {said}")),
                "{}",
                run.stderr
            );
            assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        }
    }
    let missing = Isa::ALL.iter().find(|isa| isa.token().is_err());
    let missing = missing.expect("no CPU has all levels of all architectures");
    let run = command(&["check", "--isa", missing.name()], 2);
    let said = format!("outflank: this CPU lacks the instruction-set level {missing} (possible");
    assert!(run.stderr.starts_with(&said), "{}", run.stderr);
    let run = command(&["list", "flop"], 2);
    assert!(
        run.stderr.starts_with("outflank: no kernel matches 'flop'"),
        "{}",
        run.stderr
    );
}

/// An algorithm that only exists above the portable level is not to be had there.
#[cfg(target_arch = "x86_64")]
#[test]
fn an_algorithm_that_a_level_lacks() {
    let Some(entry) = entries().find(|entry| {
        entry.isa == Isa::V2
            && entry.isa.token().is_ok()
            && !entries().any(|other| {
                (other.kernel, other.algorithm, other.isa)
                    == (entry.kernel, entry.algorithm, Isa::Portable)
            })
    }) else {
        return;
    };
    let name = format!("{}.{}", entry.kernel, entry.algorithm);
    let run = command(&["check", "--kernel", &name, "--isa", "portable"], 2);
    let said = format!("outflank: {name} does not exist at portable (possible: v2");
    assert!(run.stderr.starts_with(&said), "{}", run.stderr);
}

#[test]
fn numbers_out_of_range_are_refused() {
    for arguments in [
        &["check", "--seconds=-1"][..],
        &["check", "--seconds", "x"],
        &["check", "--seed", "x"],
        &["check", "--cpu", "-1"],
        &["bench", "--repeats", "0"],
        &[],
    ] {
        assert_eq!(command(arguments, 2).stdout, "", "{arguments:?}");
    }
    for (arguments, said) in [
        (
            ["--seconds", "1e400"],
            "expected a number from 0 to 1000000000",
        ),
        (
            ["--seconds", "1e10"],
            "expected a number from 0 to 1000000000",
        ),
        (
            ["--patience", "0"],
            "expected a number from 0.001 to 1000000000",
        ),
        (
            ["--patience", "nan"],
            "expected a number from 0.001 to 1000000000",
        ),
    ] {
        let run = command(&[&["check"], &arguments[..]].concat(), 2);
        let first = run.stderr.lines().next().expect("a line");
        assert!(
            first.starts_with("error: invalid value") && first.ends_with(said),
            "{first}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_and_a_closed_pipe_are_what_they_are() {
    use std::process::Stdio;
    let (reader, closed) = std::io::pipe().expect("a pipe");
    drop(reader);
    for (stdout, status, said) in [
        (
            Stdio::from(
                std::fs::File::options()
                    .write(true)
                    .open("/dev/full")
                    .unwrap(),
            ),
            1,
            "outflank: cannot write the results: ",
        ),
        (Stdio::from(closed), 141, ""),
    ] {
        let mut command = outflank();
        command.args([
            "kernels",
            "check",
            "--seconds",
            "0",
            "--kernel",
            "transpose",
        ]);
        let output = command
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .stdout(stdout);
        let output = output.output().expect("the program runs");
        assert_eq!(output.status.code(), Some(status));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            stderr.starts_with(said) && stderr.is_empty() == said.is_empty(),
            "{stderr}"
        );
    }
}
