//! Lists in the documentation: levels, features, crates, parameters, commands.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use outflank::Engine;
use outflank::kernels::{Isa, registry};
use outflank::protocol::{SessionSettings, gtp};
use outflank_testing::data::root;
use outflank_testing::pages::page;

use super::{cargo_value, lines};

/// Inline code of a text.
fn code(text: &str) -> BTreeSet<String> {
    let spans = text.split('`').skip(1).step_by(2);
    spans.map(str::to_owned).collect()
}

/// Section of a page below a heading, up to the next one.
fn section(path: &str, heading: &str) -> String {
    let all = lines(path);
    let below = all.iter().skip_while(|line| *line != heading).skip(1);
    let part = below.take_while(|line| !line.starts_with("## "));
    let part: Vec<&str> = part.map(String::as_str).collect();
    assert!(!part.is_empty(), "{path} has no {heading}");
    part.join("\n")
}

#[test]
fn tables_of_levels_name_all_cpu_features() {
    /// Features that another feature of their level implies.
    const IMPLIED: [&str; 4] = ["sse3", "sse4.1", "avx", "f16c"];
    let pages = ["docs/guide/solve.md", "kernels/README.md"];
    let named = code(&section("docs/architecture.md", "## Levels"));
    for path in pages {
        let rows = lines(path);
        for &isa in Isa::ALL {
            let is_named = named.contains(isa.name());
            assert!(is_named, "docs/architecture.md lacks {isa}");
            let head = format!("| `{}` |", isa.name());
            let row = rows.iter().find_map(|line| line.strip_prefix(&head));
            let row = row.unwrap_or_else(|| panic!("{path} has no row for {isa}"));
            let is_between = |c: char| !(c.is_ascii_alphanumeric() || c == '.');
            let words: BTreeSet<&str> = row.split(is_between).collect();
            // A row may name another level instead of its features.
            let others = Isa::ALL.iter().filter(|other| words.contains(other.name()));
            let known: BTreeSet<&str> =
                others.flat_map(|other| other.features()).copied().collect();
            let is_new = |feature: &&&str| !known.contains(*feature) && !IMPLIED.contains(*feature);
            for &feature in isa.features().iter().filter(is_new) {
                let name = match feature {
                    "neon" => "SIMD".to_owned(),
                    "crc" => "CRC32".to_owned(),
                    "avxvnni" => "VNNI".to_owned(),
                    "simd128" => feature.to_owned(),
                    _ => feature.trim_start_matches("avx512").to_uppercase(),
                };
                let is_listed = words.contains(name.as_str());
                assert!(is_listed, "{path}: {isa} lacks {name}: {row}");
            }
        }
    }
}

#[test]
fn features_of_the_library_are_documented() {
    let all = lines("Cargo.toml");
    let features = all.iter().skip_while(|line| *line != "[features]").skip(1);
    let features = features.take_while(|line| !line.starts_with('['));
    let names = features.filter_map(|line| Some(line.split_once(" = ")?.0));
    let names: Vec<&str> = names
        .filter(|name| *name != "default" && !name.starts_with('#'))
        .collect();
    assert!(names.len() >= 4, "{names:?}");
    for path in ["docs/guide/library.md", "src/lib.rs"] {
        for name in &names {
            assert!(page(path).contains(&format!("`{name}`")), "{path}: {name}");
        }
    }
}

/// Folders of the workspace's packages.
fn packages() -> Vec<PathBuf> {
    let members = cargo_value("Cargo.toml", "members");
    let members = members.trim_matches(['[', ']']).split(", ");
    let expand = |member: &str| match member.trim_matches('"').strip_suffix("/*") {
        Some(folder) => fs::read_dir(root().join(folder))
            .expect("a folder of packages")
            .map(|entry| entry.expect("an entry").path())
            .collect(),
        None => vec![root().join(member.trim_matches('"'))],
    };
    members.flat_map(expand).collect()
}

#[test]
fn architecture_lists_every_package() {
    let page = section("docs/architecture.md", "## Crates");
    let packages = packages();
    assert!(packages.len() > 10, "{packages:?}");
    for package in packages {
        let manifest = fs::read_to_string(package.join("Cargo.toml")).expect("a manifest");
        let (_, name) = manifest.split_once("name = \"").expect("a name");
        let (name, _) = name.split_once('"').expect("the name ends with a quote");
        let has_row = page.lines().any(|row| row.contains(&format!(" {name}: ")));
        assert!(has_row, "docs/architecture.md has no row for {name}");
    }
}

#[test]
fn parameters_of_kernels_are_documented() {
    let page = section("docs/guide/adding-a-kernel.md", "## Parameters");
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let spans = rows.flat_map(code);
    let names = spans.filter_map(|span| Some(span.split_once(": ")?.0.to_owned()));
    let documented: BTreeSet<String> = names.collect();
    let used = registry::entries().flat_map(|entry| entry.parameters);
    let used: BTreeSet<String> = used.map(|&name| name.to_owned()).collect();
    assert_eq!(documented, used);
}

#[test]
fn the_guide_of_gtp_lists_the_commands() {
    let build = |stop| Engine::builder().hash_mib(1).stop_handle(stop).build();
    let mut answer = Vec::new();
    let (settings, input) = (SessionSettings::default(), &b"list_commands\nquit\n"[..]);
    let served = gtp::serve(settings, Box::new(()), build, input, &mut answer);
    served.expect("answers");
    let answer = String::from_utf8(answer).expect("UTF-8");
    let names = answer.split(['=', '\n', ' ']);
    let commands: BTreeSet<&str> = names.filter(|name| !name.is_empty()).collect();
    let guide = section("docs/guide/gtp.md", "## Commands")
        + &section("docs/guide/gtp.md", "## On GoGui's board");
    let documented = code(&guide);
    for name in &commands {
        assert!(documented.contains(*name), "docs/guide/gtp.md lacks {name}");
    }
    // The section lists nothing else before its remarks.
    let list = section("docs/guide/gtp.md", "## Commands");
    let list = list.split("\n- ").next().expect("a list");
    for name in code(list) {
        let is_known = name == "Othello" || commands.contains(name.as_str());
        assert!(is_known, "{name} is no command");
    }
    assert!(commands.len() > 25, "{commands:?}");
}

#[test]
fn the_guide_of_nboard_lists_the_commands() {
    let source = lines("src/protocol/nboard/command.rs");
    let arms = source.iter().filter_map(|line| {
        let (name, rest) = line.trim().strip_prefix('"')?.split_once('"')?;
        rest.starts_with(" => ").then(|| name.to_owned())
    });
    let known: BTreeSet<String> = arms.filter(|name| name != "set").collect();
    let table = section("docs/guide/nboard.md", "## Commands");
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
    let words = rows.map(|row| {
        let command = row.split('`').next().expect("a command");
        let word = command.trim_start_matches("set ").split(' ').next();
        word.expect("a word").to_owned()
    });
    // The page names `set contempt`, which is ignored.
    let documented: BTreeSet<String> = words.filter(|word| word != "contempt").collect();
    assert_eq!(documented, known);
}
