//! Sizes, counts, versions and lists in the documentation, compared with the code that knows them.
//!
//! `scripts/python.sh` and `scripts/web.sh` compare sizes of the wheel and of the page, which only a build can know.

mod lists;
mod sizes;

use std::collections::BTreeSet;

use outflank::Engine;
use outflank::notation::obf;
use outflank::search::Limits;
use outflank_testing::data::project_file;
use outflank_testing::pages::{assert_stated, page};

/// The lines of a file of the project.
fn lines(path: &str) -> Vec<String> {
    let text = String::from_utf8(project_file(path)).expect("it is UTF-8");
    text.lines().map(str::to_owned).collect()
}

/// The value of the first `key = "value"` in a file of cargo's.
fn cargo_value(path: &str, key: &str) -> String {
    let all = lines(path);
    let value = all.iter().find_map(|line| {
        let value = line.strip_prefix(key)?.trim_start().strip_prefix('=')?;
        Some(value.trim().trim_matches('"').to_owned())
    });
    value.unwrap_or_else(|| panic!("{path} has no {key}"))
}

/// Every page that names a version of Rust or Python names the one that is needed.
#[test]
fn versions_are_those_of_the_packages() {
    let rust = cargo_value("Cargo.toml", "rust-version");
    let python = cargo_value("python/pyproject.toml", "requires-python");
    let python = python.trim_start_matches(">=").to_owned();
    let mut count = 0;
    for path in ["README.md", "CONTRIBUTING.md", "docs/guide/python.md"] {
        let text = page(path);
        for (before, needed) in [("Rust ", &rust), ("rust-", &rust), ("for Python ", &python)] {
            for (place, _) in text.match_indices(before) {
                let rest = &text[place + before.len()..];
                let digits = |c: &char| c.is_ascii_digit() || *c == '.';
                let number: String = rest.chars().take_while(digits).collect();
                let number = number.trim_end_matches('.');
                if !number.is_empty() {
                    count += 1;
                    assert_eq!(number, needed, "{path}: {before}{number}");
                }
            }
        }
    }
    assert!(count >= 5, "only {count} versions found");
}

/// Defaults of options as the program's own help states them; a test of the program keeps that file.
#[test]
fn defaults_of_options_are_those_of_the_help() {
    let help = String::from_utf8(project_file("cli/tests/it/snapshots/help.snap")).expect("UTF-8");
    let default = |command: &str, option: &str| -> String {
        let begin = format!("======== outflank {command}\n");
        let page = help.split(&begin).nth(1).expect("a command");
        let page = page.split("\n========").next().expect("its help");
        let of_option = page.split(&format!("{option} <")).nth(1);
        let of_option = of_option.unwrap_or_else(|| panic!("{command} has no {option}"));
        let value = of_option.split("[default: ").nth(1).expect("a default");
        value
            .split([']', ';', ','])
            .next()
            .expect("a value")
            .to_owned()
    };
    let stated = [
        (
            "gtp",
            "threads of a search (default {})",
            "gtp",
            "--threads",
        ),
        (
            "gtp",
            "size limit of the hash table (default {} MiB)",
            "gtp",
            "--hash",
        ),
        (
            "nboard",
            "threads and maximum table size; {} and 256 by default",
            "nboard",
            "--threads",
        ),
        (
            "nboard",
            "threads and maximum table size; 1 and {} by default",
            "nboard",
            "--hash",
        ),
        (
            "solve",
            "of the transposition table, {} MiB by default",
            "solve",
            "--hash",
        ),
        (
            "solve",
            "another command in turn, {} times or `--rounds` times",
            "bench",
            "--rounds",
        ),
        ("match", "`--margin MS` (default {})", "match", "--margin"),
        (
            "match",
            "`--patience S` (default {})",
            "match",
            "--patience",
        ),
        ("match", "(default {}, at most 9)", "match", "--plies"),
        ("match", "`--even` discs (default {})", "match", "--even"),
        ("match", "`--games N` (default {})", "match", "--games"),
        (
            "match",
            "`--alpha` and `--beta` (default {})",
            "match",
            "--alpha",
        ),
        (
            "match",
            "`--alpha` and `--beta` (default {})",
            "match",
            "--beta",
        ),
        (
            "book",
            "how far positions are searched, as in [`solve`](solve.md); {} |",
            "book learn",
            "--level",
        ),
        (
            "book",
            "nor those with fewer empty squares than `--empties` ({})",
            "book learn",
            "--empties",
        ),
        (
            "training",
            "numbered blocks (`--block {}`)",
            "train generate",
            "--block",
        ),
        (
            "training",
            "to eight neighbouring squares of the feature (`--windows {}`)",
            "train fit",
            "--windows",
        ),
        (
            "training",
            "decay of {} positions",
            "train stages",
            "--decay",
        ),
    ];
    let stated = stated.map(|(page, words, command, option)| {
        let words = words.replace("{}", &default(command, option));
        (format!("docs/guide/{page}.md"), words)
    });
    let stated: Vec<(&str, String)> = stated
        .iter()
        .map(|(page, words)| (page.as_str(), words.clone()))
        .collect();
    assert_stated(&stated);
}

/// Constants that only their module can name, read from its source.
#[test]
fn constants_are_stated() {
    let constant = |path: &str, name: &str| -> String {
        let begin = format!("const {name}: ");
        let value = lines(path).into_iter().find_map(|line| {
            let value = line.split(&begin).nth(1)?.split(" = ").nth(1)?;
            Some(value.trim_end_matches(';').to_owned())
        });
        value.unwrap_or_else(|| panic!("{path} has no {name}"))
    };
    let stated = [
        (
            "docs/architecture.md",
            "a node of {} to 12 empties",
            "src/search/local.rs",
            "MIN_EMPTIES",
        ),
        (
            "docs/architecture.md",
            "a node of 6 to {} empties",
            "src/search/local.rs",
            "MAX_EMPTIES",
        ),
        (
            "docs/architecture.md",
            "up to {} plies short of the end",
            "src/search/deepen.rs",
            "SHORT",
        ),
        (
            "docs/guide/gtp.md",
            "moves until {} squares are empty",
            "src/protocol/clock.rs",
            "SOLVED",
        ),
        (
            "docs/guide/play.md",
            "The search runs at level {} and ends",
            "cli/src/play/table.rs",
            "LEVEL",
        ),
        (
            "docs/guide/solve.md",
            "up to {} answers wait",
            "cli/src/solve/run.rs",
            "MAX_WAITING",
        ),
        (
            "docs/guide/match.md",
            "from a draw by a search of {} plies",
            "cli/src/tournament/openings.rs",
            "DEPTH",
        ),
        (
            "docs/guide/match.md",
            "**Different games** after {} moves",
            "cli/src/tournament/statistics.rs",
            "OPENING_PLIES",
        ),
    ];
    let stated =
        stated.map(|(page, words, path, name)| (page, words.replace("{}", &constant(path, name))));
    assert_stated(&stated);
}

/// Figures of the comparison in the README come from the lab.
#[test]
fn figures_of_the_comparison_are_in_the_lab() {
    let lab = [page("docs/lab/peers.md"), page("docs/lab/search.md")].concat();
    let numbers = |text: &str| -> Vec<String> {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let words = text
            .split(|c: char| !is_number(c))
            .map(|word| word.trim_matches('.'));
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let known: BTreeSet<String> = numbers(&lab).into_iter().collect();
    let mut count = 0;
    for line in lines("README.md") {
        let is_measured = line.starts_with("| FFO #") || line.starts_with("| points of Outflank");
        let cells = line.split('|').skip(2).filter(|_| is_measured);
        for number in cells.flat_map(numbers) {
            count += 1;
            assert!(
                known.contains(&number),
                "README.md: {number} is not in the lab: {line}"
            );
        }
    }
    assert!(count > 15, "only {count} figures found");
}

/// Rows of solves that pages show have the nodes, score and line of today's search.
#[test]
fn rows_of_solves_are_those_of_the_search() {
    let shown = [
        ("README.md", "FFO #23", "problems/ffo-20-39.obf"),
        ("docs/guide/solve.md", "FFO #1", "problems/ffo-1-19.obf"),
    ];
    for (path, name, file) in shown {
        let is_row = |line: &&String| {
            let end = line.split(name).nth(1);
            line.contains("0:00.") && end.is_some_and(|end| end.starts_with(' '))
        };
        let all = lines(path);
        let row = all.iter().find(is_row);
        let row = row.unwrap_or_else(|| panic!("{path} shows no {name}"));
        // Number, plies, score, time, nodes.
        let words: Vec<&str> = row
            .split([' ', '|'])
            .filter(|word| !word.is_empty())
            .collect();
        let file = project_file(file);
        let mut problems = obf::read(&file).map(|problem| problem.expect("a position"));
        let problem = problems.find(|problem| problem.name.as_deref() == Some(name));
        let board = problem.expect("a problem").board;
        let mut engine = Engine::builder().hash_mib(256).build().expect("an engine");
        let found = engine.search(board, &Limits::EXACT).expect("it is solved");
        let expected = [format!("{:+}", found.score), found.nodes.to_string()];
        assert_eq!([words[2], words[4]], expected, "{path}: {row}");
    }
}
