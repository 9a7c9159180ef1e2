//! The documentation: its links lead somewhere, every page can be found from the index, and what source
//! files say about `docs/` exists.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// The root of the repository; `None` in a package from a registry, which is not the whole repository.
fn repository() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = folder.ancestors().find(|it| it.join(".git").exists());
    if root.is_none() {
        eprintln!("skipped: this is no checkout of the repository");
    }
    root.map(Path::to_path_buf)
}

/// The files of the repository, relative to its root: tracked ones, and new ones that git does not ignore.
fn files(root: &Path) -> Vec<PathBuf> {
    let output = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root)
        .output()
        .expect("git lists the files of a checkout");
    assert!(output.status.success(), "git ls-files: {}", output.status);
    let names = String::from_utf8(output.stdout).expect("names are UTF-8");
    // A set: while a merge is not finished, git lists some files several times.
    let paths: BTreeSet<_> = names.split_terminator('\0').map(PathBuf::from).collect();
    // A file that is about to be deleted or moved is still listed.
    let paths = paths.into_iter();
    paths.filter(|path| root.join(path).is_file()).collect()
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|it| it.to_str());
    extension.is_some_and(|it| extensions.contains(&it))
}

/// The Markdown files and their text.
fn pages(root: &Path) -> Vec<(PathBuf, String)> {
    let pages = files(root)
        .into_iter()
        .filter(|path| has_extension(path, &["md"]));
    let pages: Vec<_> = pages
        .map(|path| {
            let text = std::fs::read_to_string(root.join(&path)).expect("pages are UTF-8");
            (path, text)
        })
        .collect();
    assert!(pages.len() > 20, "only {} pages found", pages.len());
    pages
}

/// The lines of a page outside blocks of code, without the code inside lines, and their numbers.
fn prose(text: &str) -> Vec<(usize, String)> {
    let mut in_code = false;
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            lines.push((number, line.split('`').step_by(2).collect()));
        }
    }
    lines
}

/// The targets of the links and pictures of a page that are no addresses, with the number of the line.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    for (number, line) in prose(text) {
        for rest in line.split("](").skip(1) {
            let target = rest.split(')').next().unwrap_or_default();
            if !target.contains("://") {
                all.push((number, target.to_owned()));
            }
        }
    }
    all
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut in_code = false;
    let mut all = BTreeSet::new();
    for line in text.lines() {
        in_code ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if !in_code && line != title && title.starts_with(' ') {
            let kept = title.trim().chars().filter_map(|c| match c {
                ' ' => Some('-'),
                '-' | '_' => Some(c),
                c => c.is_alphanumeric().then_some(c),
            });
            all.insert(kept.collect::<String>().to_lowercase());
        }
    }
    all
}

/// A path without `.` and `..`, relative to the root; `None` where it leads out of the repository.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name),
            Component::ParentDir if !parts.pop() => return None,
            Component::ParentDir | Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts)
}

/// What is wrong with a link to `target` on the page at `page`, whose text is `text`.
fn fault(root: &Path, page: &Path, text: &str, target: &str) -> Option<String> {
    let (path, anchor) = match target.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (target, None),
    };
    let mut other = text.to_owned();
    if !path.is_empty() {
        let folder = page.parent().expect("a page has a folder");
        let Some(path) = normal(&folder.join(path)) else {
            return Some("leads out of the repository".to_owned());
        };
        if !root.join(&path).exists() {
            return Some(format!("there is no {}", path.display()));
        }
        if anchor.is_some() {
            other = std::fs::read_to_string(root.join(&path)).expect("a page with headings");
        }
    }
    let anchor = anchor?;
    (!anchors(&other).contains(anchor)).then(|| format!("there is no heading {anchor}"))
}

#[test]
fn links_lead_to_files_and_headings_that_exist() {
    let Some(root) = repository() else { return };
    let mut faults = Vec::new();
    let mut count = 0;
    for (page, text) in pages(&root) {
        for (line, target) in links(&text) {
            count += 1;
            if let Some(fault) = fault(&root, &page, &text, &target) {
                faults.push(format!("{}:{line}: {target}: {fault}", page.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 50, "only {count} links found");
}

#[test]
fn faults_of_links_are_found() {
    let Some(root) = repository() else { return };
    let page = Path::new("docs/guide/solve.md");
    let text = "# A page: `code`, and more\n";
    let cases = [
        ("#a-page-code-and-more", None),
        ("#nothing", Some("there is no heading nothing")),
        ("../../README.md#license", None),
        ("../README.md#nothing", Some("there is no heading nothing")),
        ("nothing.md", Some("there is no docs/guide/nothing.md")),
        ("../../../x", Some("leads out of the repository")),
    ];
    for (target, expected) in cases {
        let found = fault(&root, page, text, target);
        assert_eq!(found.as_deref(), expected, "{target}");
    }
    let text =
        "[a](b.md) and `[c](d.md)` ![e](f.svg)\n```text\n[g](h.md)\n```\n[i](https://j)\n[k](#l)\n";
    let expected = [(1, "b.md"), (1, "f.svg"), (6, "#l")];
    assert_eq!(
        links(text),
        expected.map(|(line, target)| (line, target.to_owned()))
    );
}

#[test]
fn every_page_of_docs_is_linked_from_the_index() {
    let Some(root) = repository() else { return };
    let pages = pages(&root);
    let mut reached = BTreeSet::from([PathBuf::from("docs/README.md")]);
    let mut open: Vec<PathBuf> = reached.iter().cloned().collect();
    while let Some(page) = open.pop() {
        let text = pages.iter().find(|(path, _)| *path == page);
        for (_, target) in text.map_or_else(Vec::new, |(_, text)| links(text)) {
            let target = target.split('#').next().unwrap_or_default();
            let folder = page.parent().expect("a page has a folder");
            let target = normal(&folder.join(target));
            // Only pages of docs lead on: whoever reads them stays there.
            if let Some(target) = target.filter(|it| it.starts_with("docs"))
                && reached.insert(target.clone())
            {
                open.push(target);
            }
        }
    }
    let lost = pages.iter().map(|(path, _)| path);
    let lost = lost.filter(|path| path.starts_with("docs") && !reached.contains(*path));
    let lost: Vec<_> = lost.map(|path| path.display().to_string()).collect();
    assert!(lost.is_empty(), "not linked from docs/README.md: {lost:?}");
}

/// The paths that begin with `docs/` in a text, and the numbers of their lines.
fn mentions(text: &str) -> Vec<(usize, String)> {
    let is_path = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let mut all = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for (place, _) in line.match_indices("docs/") {
            // Not part of an address or of a longer path, but `../docs/…` is a path to there.
            let before = line[..place].trim_end_matches("../");
            if before.ends_with(is_path) && !before.ends_with("..") {
                continue;
            }
            let path: String = line[place..].chars().take_while(|&c| is_path(c)).collect();
            all.push((number, path.trim_end_matches('.').to_owned()));
        }
    }
    all
}

#[test]
fn paths_below_docs_that_files_mention_exist() {
    let Some(root) = repository() else { return };
    let own = Path::new(file!()).file_name();
    let extensions = ["rs", "toml", "h", "c", "j2", "sh", "md", "mjs", "txt"];
    let mut faults = Vec::new();
    let mut count = 0;
    for path in files(&root) {
        if !has_extension(&path, &extensions) || path.file_name() == own {
            continue;
        }
        let text = std::fs::read_to_string(root.join(&path)).expect("sources are UTF-8");
        for (line, mention) in mentions(&text) {
            count += 1;
            if !root.join(&mention).exists() {
                faults.push(format!("{}:{line}: there is no {mention}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 10, "only {count} mentions found");

    let text = "see docs/a.md, https://b/docs/c or `../docs/d.md`.\nx/docs/e\n(docs/f.md).";
    let expected = [(1, "docs/a.md"), (1, "docs/d.md"), (3, "docs/f.md")];
    assert_eq!(
        mentions(text),
        expected.map(|(line, path)| (line, path.to_owned()))
    );
}

/// The paths of the repository that a page names in code within a line: those that begin with one of
/// `folders`, but for patterns such as `codegen/templates/NAME.rs.j2`.
fn named_paths(text: &str, folders: &BTreeSet<String>) -> Vec<String> {
    let is_path = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-./@".contains(c);
    let lines = text.lines().filter(|line| !line.starts_with("```"));
    let code = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    let paths = code.filter(|code| {
        let folder = code.split_once('/').map(|(folder, _)| folder);
        code.chars().all(is_path) && folder.is_some_and(|folder| folders.contains(folder))
    });
    paths.map(str::to_owned).collect()
}

/// Whether git ignores a path: it is built, not kept.
fn is_built(root: &Path, path: &str) -> bool {
    let mut git = Command::new("git");
    let status = git
        .args(["check-ignore", "-q", path])
        .current_dir(root)
        .status();
    status.expect("git knows what it ignores").success()
}

#[test]
fn source_files_that_pages_name_exist() {
    let Some(root) = repository() else { return };
    let folders: BTreeSet<String> = files(&root)
        .iter()
        .filter_map(|path| {
            Some(
                path.parent()?
                    .components()
                    .next()?
                    .as_os_str()
                    .to_str()?
                    .to_owned(),
            )
        })
        .collect();
    let mut faults = Vec::new();
    let mut count = 0;
    for (page, text) in pages(&root) {
        for path in named_paths(&text, &folders) {
            count += 1;
            if !root.join(&path).exists() && !is_built(&root, &path) {
                faults.push(format!("{}: there is no {path}", page.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 30, "only {count} paths found");

    let folders = BTreeSet::from(["a".to_owned()]);
    let text = "`a/b.rs` a/c.rs `d/e.rs`\n`a/NAME.rs` `a b/c` `a/`";
    assert_eq!(named_paths(text, &folders), ["a/b.rs", "a/"]);
}

/// Each step on the path of a node in `docs/architecture.md` is a function of the file named beside it.
#[test]
fn the_path_of_a_node_exists() {
    let Some(root) = repository() else { return };
    let page = std::fs::read_to_string(root.join("docs/architecture.md")).expect("the page exists");
    let code = |cell: &str| {
        let cell = cell.trim().strip_prefix('`')?.strip_suffix('`')?;
        Some(cell.to_owned())
    };
    let mut faults = Vec::new();
    let mut count = 0;
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').collect();
        let ["", step, function, file, ""] = cells[..] else {
            continue;
        };
        let (Some(function), Some(file)) = (code(function), code(file)) else {
            continue;
        };
        count += 1;
        let text = std::fs::read_to_string(root.join(&file)).unwrap_or_default();
        let named = |end| text.contains(&format!("fn {function}{end}"));
        if !named('(') && !named('<') && !named('[') {
            faults.push(format!("{}: no function {function} in {file}", step.trim()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 10, "only {count} steps found");
}

/// Whoever comes for the first time reads it to its end.
#[test]
fn the_readme_stays_short() {
    let lines = include_str!("../../README.md").lines().count();
    assert!(lines <= 130, "README.md has {lines} lines, 130 are enough");
}

#[test]
fn the_readme_has_the_number_of_proofs() {
    let Some(root) = repository() else {
        return;
    };
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a page");
    let page = read("docs/proofs.md");
    let line = page
        .lines()
        .find(|line| line.contains(" algorithms at their levels are proved"));
    let words: Vec<&str> = line.expect("it is said").split_whitespace().collect();
    let [proved, "of", all, ..] = words[..] else {
        panic!("{words:?}");
    };
    let readme = read("README.md");
    for said in [
        format!("{proved} of {all} kernels proved"),
        format!("proved-{proved}%20of%20{all}-"),
    ] {
        assert!(readme.contains(&said), "{said}");
    }
}
