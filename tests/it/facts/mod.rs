//! Sizes, counts, versions and lists in the documentation, compared with the code that they describe.
//!
//! `scripts/python.sh` and `scripts/web.sh` compare the sizes of the wheel and of the page, which need a build.

mod lists;
mod sizes;

use std::collections::BTreeSet;

use outflank::Engine;
use outflank::search::Limits;
use outflank_testing::data::project_file;
use outflank_testing::pages::{assert_stated, page};
use outflank_testing::table::rows;

use crate::common::problems;

/// Lines of a file of the project.
fn lines(path: &str) -> Vec<String> {
    let text = String::from_utf8(project_file(path)).expect("it is UTF-8");
    text.lines().map(str::to_owned).collect()
}

/// Value of the first `key = "value"` in a TOML file.
fn cargo_value(path: &str, key: &str) -> String {
    let all = lines(path);
    let value = all.iter().find_map(|line| {
        let value = line.strip_prefix(key)?.trim_start().strip_prefix('=')?;
        Some(value.trim().trim_matches('"').to_owned())
    });
    value.unwrap_or_else(|| panic!("{path} has no {key}"))
}

/// Checks every mention of a version of Rust or Python.
#[test]
fn versions_are_those_of_the_packages() {
    let rust = cargo_value("Cargo.toml", "rust-version");
    let python = cargo_value("bindings/python/pyproject.toml", "requires-python");
    let python = python.trim_start_matches(">=").to_owned();
    let mut count = 0;
    for path in ["README.md", "CONTRIBUTING.md", "docs/guide/python.md"] {
        let text = page(path);
        for (before, needed) in [("Rust ", &rust), ("rust-", &rust), ("for Python ", &python)] {
            for (start, _) in text.match_indices(before) {
                let rest = &text[start + before.len()..];
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

/// Compares with the program's help, which a snapshot test of the program keeps up to date.
#[test]
fn defaults_of_options_are_those_of_the_help() {
    let help = lines("crates/cli/tests/it/snapshots/help.snap").join("\n");
    let default = |command: &str, option: &str| -> String {
        let begin = format!("======== outflank {command}\n");
        let page = help.split(&begin).nth(1).expect("a command");
        let page = page.split("\n========").next().expect("its help");
        let of_option = page.split(&format!("{option} <")).nth(1);
        let of_option = of_option.unwrap_or_else(|| panic!("{command} has no {option}"));
        let value = of_option.split("[default: ").nth(1).expect("a default");
        let value = value.split([']', ';', ',']).next();
        value.expect("a value").to_owned()
    };
    let table = "\
        gtp | gtp --hash | size limit of the hash table (default {} MiB)
        nboard | nboard --hash | threads and maximum table size; one per core and {} by default
        solve | solve --hash | of the transposition table, {} MiB by default
        solve | bench --rounds | another command in turn, {} times or `--rounds` times
        match | match --margin | `--margin MS` (default {})
        match | match --patience | `--patience S` (default {})
        match | match --plies | (default {}, at most 9)
        match | match --even | `--even` discs (default {})
        match | match --games | `--games N` (default {})
        match | match --alpha | `--alpha` and `--beta` (default {})
        match | match --beta | `--alpha` and `--beta` (default {})
        book | book learn --level | how far positions are searched, as in [`solve`](solve.md); {} |
        book | book learn --empties | nor those with fewer empty squares than `--empties` ({})
        training | train generate --block | numbered blocks (`--block {}`)
        training | train fit --windows | to eight neighbouring squares of the feature (`--windows {}`)
        training | train stages --decay | decay of {} positions
    ";
    let stated = rows(table).into_iter().map(|[page, option, words]| {
        let (command, option) = option.rsplit_once(' ').expect("a command and its option");
        let words = words.replace("{}", &default(command, option));
        (format!("docs/guide/{page}.md"), words)
    });
    assert_stated(stated);
}

/// Checks private constants, which are read from the sources.
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
    let table = "\
        docs/architecture.md | src/search/local_table.rs MIN_LOCAL_EMPTIES | a node of {} to 12 empties
        docs/architecture.md | src/search/local_table.rs MAX_LOCAL_EMPTIES | a node of 6 to {} empties
        docs/architecture.md | src/search/deepen.rs PLIES_SHORT_OF_END | up to {} plies short of the end
        docs/guide/gtp.md | src/protocol/clock.rs SOLVED | moves until {} squares are empty
        docs/guide/play.md | crates/cli/src/play/session.rs LEVEL | The search runs at level {} and ends
        docs/guide/solve.md | crates/cli/src/in_order.rs MAX_WAITING | up to {} answers wait
        docs/guide/match.md | src/drawn_openings.rs DEPTH | from a draw by a search of {} plies
        docs/guide/match.md | crates/tournament/src/tally.rs OPENING_PLIES | **Different games** after {} moves
    ";
    let stated = rows(table).into_iter().map(|[page, source, words]| {
        let (path, name) = source.split_once(' ').expect("a file and a constant");
        (page, words.replace("{}", &constant(path, name)))
    });
    assert_stated(stated);
}

#[test]
fn figures_of_the_comparison_are_in_the_lab() {
    let lab = [page("docs/lab/peers.md"), page("docs/lab/search.md")].concat();
    let numbers = |text: &str| -> Vec<String> {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let words = text.split(|c: char| !is_number(c));
        let words = words.map(|word| word.trim_matches('.'));
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    let known: BTreeSet<String> = numbers(&lab).into_iter().collect();
    let mut count = 0;
    for line in lines("README.md") {
        let is_measured = line.starts_with("| FFO #") || line.starts_with("| points of Outflank");
        let cells = line.split('|').skip(2).filter(|_| is_measured);
        for number in cells.flat_map(numbers) {
            count += 1;
            let is_known = known.contains(&number);
            assert!(is_known, "README.md: {number} is not in the lab: {line}");
        }
    }
    assert!(count > 15, "only {count} figures found");
}

#[test]
fn example_solves_have_the_score_and_nodes_of_the_search() {
    let shown = [
        ("README.md", "FFO #23", "ffo-20-39"),
        ("docs/guide/solve.md", "FFO #1", "ffo-1-19"),
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
        let words = row.split([' ', '|']).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        let mut problems = problems(file).into_iter();
        let problem = problems.find(|problem| problem.name.as_deref() == Some(name));
        let board = problem.expect("a problem").board;
        let mut engine = Engine::builder().hash_mib(256).build().expect("an engine");
        let result = engine.search(board, &Limits::EXACT).expect("it is solved");
        let expected = [format!("{:+}", result.score), result.nodes.to_string()];
        assert_eq!([words[2], words[4]], expected, "{path}: {row}");
    }
}
