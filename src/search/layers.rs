//! The layers that this module's documentation describes, compared with what its files import by
//! `use super::`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The modules by layer, lowest first. The nodes may use each other. Any other module
/// uses lower layers, and of its own layer only the modules before it.
const LAYERS: [&[&str]; 7] = [
    &[
        "line",
        "squares",
        "statistics",
        "stability",
        "local",
        "evaluated",
        "ranking",
        "history",
        "selective",
        "limits",
        "result",
        "error",
        "stop",
        "watch",
    ],
    &["ordering", "pool"],
    &["thread", "children"],
    &[
        "recursion",
        "node",
        "tree",
        "probcut",
        "parallel",
        "endgame",
        "shallow",
        "perft",
    ],
    &["deepen", "monitor"],
    &["engine"],
    &["midgame"],
];

/// The layer of the nodes.
const NODES: usize = 3;

/// The modules that a source imports from this one.
fn used(source: &str) -> BTreeSet<String> {
    const IMPORT: &str = "\nuse super::";
    let mut all = BTreeSet::new();
    for (at, _) in source.match_indices(IMPORT) {
        let rest = &source[at + IMPORT.len()..];
        let names = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().expect("a first part"),
            None => rest,
        };
        let parts = match rest.starts_with('{') {
            true => names.split(',').collect(),
            false => vec![names],
        };
        for part in parts {
            let is_name = |c: char| c.is_ascii_alphabetic() || c == '_' || c.is_ascii_digit();
            let name: String = part.trim().chars().take_while(|&c| is_name(c)).collect();
            all.insert(name);
        }
    }
    all
}

#[test]
fn every_module_uses_lower_layers_only() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/search");
    let place = |name: &str| {
        LAYERS.iter().enumerate().find_map(|(layer, modules)| {
            let at = modules.iter().position(|module| *module == name)?;
            Some((layer, at))
        })
    };
    let mut modules = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .strip_suffix(".rs")
        else {
            continue;
        };
        if ["mod", "layers"].contains(&name) {
            continue;
        }
        let own = place(name).unwrap_or_else(|| panic!("{name} is in no layer"));
        modules += 1;
        let imports = used(&fs::read_to_string(&path).unwrap());
        assert!(own.0 == 0 || !imports.is_empty(), "{name} imports nothing");
        for other in imports {
            let used = place(&other).unwrap_or_else(|| panic!("{name} uses {other}, no module"));
            let is_recursion = own.0 == NODES && used.0 == NODES;
            assert!(used < own || is_recursion, "{name} uses {other}");
        }
    }
    assert_eq!(modules, LAYERS.concat().len());
}
