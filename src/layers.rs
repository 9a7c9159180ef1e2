//! Test of the order of this crate's modules: each uses only modules before it. The only cycle is that of the recursive
//! nodes of the search.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, Meta, UseTree};

/// The modules in the order of their dependencies. Modules on one line may use each other. A module that is not listed
/// belongs to its nearest listed ancestor.
const LAYERS: &str = "
    square
    board
    side
    symmetry
    game
    openings
    problems
    diagram
    time

    eval::evaluator
    eval::weight_layout
    eval::knots
    eval::packed
    eval::linear
    eval::networks
    eval::error_model
    eval::model
    eval::evaluation
    eval::file::sniff
    eval::file::format
    eval::file::error
    eval::file::network_sections
    eval::file::outflank_format
    eval::file::edax_format
    eval::file
    eval

    table::optional_square
    table::entry
    table::slot
    table::memory
    table

    search::window
    search::line
    search::isolated
    search::statistics
    search::stability
    search::local_table
    search::eval_state
    search::ranking
    search::history
    search::selectivity
    search::limits
    search::thread_work
    search::result
    search::error
    search::clock
    search::stop
    search::ordering
    search::split
    search::pool
    search::worker
    search::children
    search::node
    search::recursion search::midgame search::last_ply search::probcut search::parallel search::endgame search::shallow search::perft
    search::monitor
    search::report
    search::root
    search::deepen
    search::thread_pool
    search::engine
    search::proving
    search::builder
    search

    book
    analysis
    notation
    test_suite
    skill
    opening_names
    drawn_openings
    batch
    protocol
    serial
";

/// The paths in a file, as lists of segments.
#[derive(Default)]
struct Paths {
    all: Vec<Vec<String>>,
    /// The number of inline modules around the current item.
    inline: usize,
}

impl Paths {
    /// Adds the paths of an import, each with `prefix` in front.
    fn add_import(&mut self, tree: &UseTree, mut prefix: Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.add_import(&path.tree, prefix);
            }
            UseTree::Group(group) => {
                let each = group.items.iter();
                each.for_each(|item| self.add_import(item, prefix.clone()));
            }
            UseTree::Name(name) => self.add([prefix, vec![name.ident.to_string()]].concat()),
            UseTree::Rename(name) => self.add([prefix, vec![name.ident.to_string()]].concat()),
            UseTree::Glob(_) => self.add(prefix),
        }
    }

    /// Adds a path, relative to the file's module.
    fn add(&mut self, mut path: Vec<String>) {
        for level in (0..self.inline).rev() {
            match path[0].as_str() {
                "super" if level == 0 => path[0] = "self".to_owned(),
                "super" => drop(path.remove(0)),
                _ => break,
            }
        }
        self.all.push(path);
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item(&mut self, item: &'ast Item) {
        let is_test = |attribute: &Attribute| match &attribute.meta {
            Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
            _ => false,
        };
        match item {
            Item::Mod(module) if module.attrs.iter().any(is_test) => {}
            Item::Mod(_) => {
                self.inline += 1;
                visit::visit_item(self, item);
                self.inline -= 1;
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_item_use(&mut self, import: &'ast ItemUse) {
        self.add_import(&import.tree, Vec::new());
    }

    // `pub(super)` imports nothing.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter();
        self.add(segments.map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

/// Adds the modules of a folder and the paths in them. `module` is the path of the folder's own module.
fn read_folder(folder: &Path, module: &[String], all: &mut BTreeMap<Vec<String>, Paths>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let child = [module, std::slice::from_ref(&name)].concat();
        if path.is_dir() {
            read_folder(&path, &child, all);
        } else if !["tests", "layers"].contains(&name.as_str()) {
            let mut paths = Paths::default();
            paths.visit_file(&syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap());
            let is_folder = ["mod", "lib"].contains(&name.as_str());
            all.insert(if is_folder { module.to_vec() } else { child }, paths);
        }
    }
}

/// The absolute form of a path in `module`; `None` for a path that leaves the crate.
fn absolute(
    module: &[String],
    path: &[String],
    exists: impl Fn(&[String]) -> bool,
) -> Option<Vec<String>> {
    let mut base = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "self" => module.to_vec(),
        "super" => module[..module.len() - 1].to_vec(),
        child => {
            let child = [module, &[child.to_owned()]].concat();
            return exists(&child).then(|| [module, path].concat());
        }
    };
    for segment in &path[1..] {
        match segment.as_str() {
            "super" => drop(base.pop()),
            _ => base.push(segment.clone()),
        }
    }
    Some(base)
}

#[test]
fn modules_use_only_earlier_modules() {
    let mut modules = BTreeMap::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    read_folder(&source, &[], &mut modules);
    let root = modules.remove(&Vec::new()).expect("lib.rs is in the root");
    let reexported = |name: &String| {
        let path = root.all.iter().find(|path| path.last() == Some(name))?;
        Some(path.clone())
    };
    let mut layers = BTreeMap::new();
    for (layer, line) in LAYERS.lines().enumerate() {
        layers.extend(line.split_whitespace().map(|name| (name, layer)));
    }
    let listed = |path: &[String]| {
        (1..=path.len()).rev().find_map(|length| {
            let (name, layer) = layers.get_key_value(path[..length].join("::").as_str())?;
            Some((*name, *layer))
        })
    };

    let mut violations = Vec::new();
    let mut seen = BTreeSet::new();
    for (module, paths) in &modules {
        let (name, layer) = listed(module).unwrap_or_else(|| panic!("{module:?} is not listed"));
        seen.insert(name);
        for path in &paths.all {
            let exists = |path: &[String]| modules.contains_key(path);
            let Some(mut used) = absolute(module, path, exists) else {
                continue;
            };
            if let [name, ..] = used.as_slice()
                && !exists(std::slice::from_ref(name))
                && let Some(path) = reexported(name)
            {
                used = path;
            }
            if let Some((used_name, used_layer)) = listed(&used)
                && used_layer > layer
            {
                violations.push(format!("{name} uses {used_name}"));
            }
        }
    }
    violations.sort();
    violations.dedup();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
    assert_eq!(seen.len(), layers.len(), "each listed module exists");
}
