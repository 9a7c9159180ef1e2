//! `outflank kernels list` and `outflank kernels check`.

use crate::common::program::{OutputChecks, cli, run_cli};
use outflank::Isa;
use outflank_checker::registry::{entries, kernels};
use outflank_testing::command::Run;

#[test]
fn lists_have_every_algorithm_of_every_kernel() {
    let listed = run_cli("kernels list").expect(0).stdout;
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
fn a_named_kernel_is_listed_with_its_specification() {
    let listed = run_cli("kernels list last_move_score").expect(0).stdout;
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
fn json_lists_have_every_algorithm() {
    let rows = run_cli("kernels list --json").expect(0).json();
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

/// Numbers in the last line of a check: algorithms that agree, all algorithms, comparisons, comparisons per second.
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
    let available = entries().filter(|entry| entry.isa.token().is_ok());
    available
        .filter(|entry| kernel.is_empty() || entry.kernel == kernel)
        .filter(|entry| isa.is_none_or(|isa| entry.isa == isa))
        .count() as u64
}

#[test]
fn checks_compare_all_algorithms_at_all_levels() {
    let run = run_cli("kernels check --seconds 0 --seed 3").expect(0);
    run.stdout_starts("seed 3\n");
    let [agree, all, comparisons, rate] = counts(&run);
    assert_eq!((agree, all), (runnable("", None), runnable("", None)));
    assert!(comparisons > 1_000_000 && rate > 0, "{run:?}");
    for isa in Isa::available() {
        let row = run.stdout.lines().find(|row| row.starts_with(isa.name()));
        let algorithms = format!(" {} algorithms ", runnable("", Some(*isa)));
        assert!(row.is_some_and(|row| row.contains(&algorithms)), "{run:?}");
    }
}

#[test]
fn checks_select_kernels_levels_and_cores() {
    let run = run_cli("kernels check --seconds 0.1 --kernel *_hash --isa Portable").expect(0);
    assert_eq!(counts(&run)[1], runnable("board_hash", Some(Isa::Portable)));
    let run = run_cli("kernels check --seconds 0 --kernel mobil?ty --cpu 0").expect(0);
    assert_eq!(counts(&run)[1], runnable("mobility", None));
    let seed = run
        .stdout
        .lines()
        .next()
        .and_then(|line| line.strip_prefix("seed "));
    assert!(
        seed.is_some_and(|seed| seed.parse::<u64>().is_ok()),
        "{run:?}"
    );
}

#[test]
fn unknown_names_are_one_line_with_the_possible_ones() {
    let cases = [
        (
            "--kernel flop",
            "no kernel matches 'flop' (possible: board_hash, ",
        ),
        (
            "--kernel z*",
            "no kernel matches 'z*' (possible: board_hash, ",
        ),
        (
            "--kernel flip.x?",
            "flip has no algorithm that matches 'x?' (possible: ",
        ),
        (
            "--isa v9",
            "unknown instruction-set level 'v9' (possible here: portable",
        ),
        ("--cpu 99999", "there is no core 99999 (possible: "),
    ];
    for command in ["check", "bench"] {
        for (arguments, message) in cases {
            let run = run_cli(&format!("kernels {command} {arguments}")).expect(2);
            run.expect_one_error_line()
                .stderr_starts(format!("outflank: {message}"));
        }
    }
    let missing = Isa::ALL.iter().find(|isa| isa.token().is_err());
    let missing = missing.expect("no CPU has all levels of all architectures");
    let message = format!("outflank: this CPU lacks the instruction-set level {missing} (possible");
    let run = run_cli(&format!("kernels check --isa {missing}")).expect(2);
    run.stderr_starts(message);
    let run = run_cli("kernels list flop").expect(2);
    run.stderr_starts("outflank: no kernel matches 'flop'");
}

/// The algorithm exists only above the portable level.
#[cfg(target_arch = "x86_64")]
#[test]
fn algorithms_missing_at_a_level_are_reported() {
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
    let run = run_cli(&format!("kernels check --kernel {name} --isa portable")).expect(2);
    run.stderr_starts(format!(
        "outflank: {name} does not exist at portable (possible: v2"
    ));
}

#[test]
fn numbers_out_of_range_are_refused() {
    for arguments in [
        "check --seconds=-1",
        "check --seconds x",
        "check --seed x",
        "check --cpu -1",
        "bench --repeats 0",
        "",
    ] {
        let run = run_cli(&format!("kernels {arguments}")).expect(2);
        assert_eq!(run.stdout, "", "{arguments}");
    }
    for (arguments, low) in [
        ("--seconds 1e400", "0"),
        ("--seconds 1e10", "0"),
        ("--patience 0", "0.001"),
        ("--patience nan", "0.001"),
    ] {
        let run = run_cli(&format!("kernels check {arguments}")).expect(2);
        run.stderr_starts("error: invalid value");
        run.stderr_has(format!("expected a number from {low} to 1000000000\n"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_disks_are_reported_and_closed_pipes_are_not() {
    use std::process::Stdio;
    let (reader, closed) = std::io::pipe().expect("a pipe");
    drop(reader);
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    for (stdout, status, message) in [
        (Stdio::from(full), 1, "outflank: cannot write the results: "),
        (Stdio::from(closed), 141, ""),
    ] {
        let mut command = cli("kernels check --seconds 0 --kernel transpose");
        let output = command.stdin(Stdio::null()).stdout(stdout).output();
        let output = output.expect("the program runs");
        assert_eq!(output.status.code(), Some(status));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.starts_with(message), "{stderr}");
        assert_eq!(stderr.is_empty(), message.is_empty(), "{stderr}");
    }
}
