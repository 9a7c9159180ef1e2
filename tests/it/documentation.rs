//! Documentation: links have targets, every page is reachable from the index, and paths in texts exist.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// Root of the repository; `None` in a package from a registry.
fn repository() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = folder.ancestors().find(|it| it.join(".git").exists());
    if root.is_none() {
        eprintln!("skipped: this is no checkout of the repository");
    }
    root.map(Path::to_path_buf)
}

/// Checks that nothing is faulty, and that more than `least` things were found.
fn assert_none(faults: &[String], count: usize, least: usize) {
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > least, "only {count} found");
}

/// Files relative to the root: tracked ones, and new ones that git does not ignore.
fn files(root: &Path) -> Vec<PathBuf> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others"])
        .arg("--exclude-standard")
        .current_dir(root)
        .output()
        .expect("git lists the files of a checkout");
    assert!(output.status.success(), "git ls-files: {}", output.status);
    let names = String::from_utf8(output.stdout).expect("names are UTF-8");
    // During a merge, git lists some files several times.
    let paths: BTreeSet<_> = names.split_terminator('\0').map(PathBuf::from).collect();
    // Deleted files may still be listed.
    let paths = paths.into_iter();
    paths.filter(|path| root.join(path).is_file()).collect()
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|it| it.to_str());
    extension.is_some_and(|it| extensions.contains(&it))
}

/// Markdown files with their text.
fn pages(root: &Path) -> Vec<(PathBuf, String)> {
    let pages = files(root).into_iter();
    let pages = pages.filter(|path| has_extension(path, &["md"]));
    let with_text = |path: PathBuf| {
        let text = std::fs::read_to_string(root.join(&path)).expect("pages are UTF-8");
        (path, text)
    };
    let pages: Vec<_> = pages.map(with_text).collect();
    assert!(pages.len() > 20, "only {} pages found", pages.len());
    pages
}

/// Line number, from 1, of the byte at an offset of a text.
fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Targets of the links and pictures of a page, with their lines. Addresses (`https://…`) are left out.
fn links(text: &str) -> Vec<(usize, String)> {
    let events = Parser::new(text).into_offset_iter();
    let targets = events.filter_map(|(event, range)| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            let is_local = !dest_url.contains("://");
            is_local.then(|| (line_of(text, range.start), dest_url.into_string()))
        }
        _ => None,
    });
    targets.collect()
}

/// Anchors of a page's headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let (mut in_heading, mut anchor) = (false, String::new());
    let mut anchors = BTreeSet::new();
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => in_heading = true,
            Event::End(TagEnd::Heading(_)) => {
                in_heading = false;
                anchors.insert(std::mem::take(&mut anchor));
            }
            Event::Text(title) | Event::Code(title) if in_heading => {
                let title = title.to_lowercase().replace(' ', "-");
                let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_');
                anchor.extend(title.chars().filter(is_kept));
            }
            _ => {}
        }
    }
    anchors
}

/// Removes `.` and `..` from a path relative to the root; `None` if it leads out of the repository.
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

/// Fault of a link to `target` on the page at `page`, whose text is `text`.
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
    assert_none(&faults, count, 50);
}

#[test]
fn broken_links_are_found() {
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
    assert_eq!(links(text), expected.map(|(n, it)| (n, it.to_owned())));
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
            // Only links within docs count.
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

/// Paths that begin with `docs/` in a text, with their lines.
fn mentions(text: &str) -> Vec<(usize, String)> {
    let is_path = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let mut all = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for (start, _) in line.match_indices("docs/") {
            // Skips addresses and longer paths, except `../docs/…`.
            let before = line[..start].trim_end_matches("../");
            if before.ends_with(is_path) && !before.ends_with("..") {
                continue;
            }
            let path: String = line[start..].chars().take_while(|&c| is_path(c)).collect();
            all.push((number, path.trim_end_matches('.').to_owned()));
        }
    }
    all
}

#[test]
fn paths_below_docs_that_files_mention_exist() {
    let Some(root) = repository() else { return };
    let this_file = Path::new(file!()).file_name();
    let extensions = ["rs", "toml", "h", "c", "j2", "sh", "md", "mjs", "txt"];
    let mut faults = Vec::new();
    let mut count = 0;
    for path in files(&root) {
        if !has_extension(&path, &extensions) || path.file_name() == this_file {
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
    assert_none(&faults, count, 10);

    let text = "see docs/a.md, https://b/docs/c or `../docs/d.md`.\nx/docs/e\n(docs/f.md).";
    let expected = [(1, "docs/a.md"), (1, "docs/d.md"), (3, "docs/f.md")];
    assert_eq!(mentions(text), expected.map(|(n, it)| (n, it.to_owned())));
}

/// Paths of the repository in the inline code of a page. They begin with one of `folders`. Patterns such as
/// `codegen/templates/NAME.rs.j2` are left out.
fn named_paths(text: &str, folders: &BTreeSet<String>) -> Vec<String> {
    let is_path = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-./@".contains(c);
    let codes = Parser::new(text).filter_map(|event| match event {
        Event::Code(code) => Some(code.into_string()),
        _ => None,
    });
    let paths = codes.filter(|code| {
        let folder = code.split_once('/').map(|(folder, _)| folder);
        code.chars().all(is_path) && folder.is_some_and(|folder| folders.contains(folder))
    });
    paths.collect()
}

/// Returns `true` if git ignores a path, as it does outputs of a build.
fn is_built(root: &Path, path: &str) -> bool {
    let mut git = Command::new("git");
    let git = git.args(["check-ignore", "-q", path]).current_dir(root);
    git.status().expect("git knows what it ignores").success()
}

#[test]
fn source_files_that_pages_name_exist() {
    let Some(root) = repository() else { return };
    let folders: BTreeSet<String> = files(&root)
        .iter()
        .filter_map(|path| {
            let folder = path.parent()?.components().next()?;
            Some(folder.as_os_str().to_str()?.to_owned())
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
    assert_none(&faults, count, 30);

    let folders = BTreeSet::from(["a".to_owned()]);
    let text = "`a/b.rs` a/c.rs `d/e.rs`\n`a/NAME.rs` `a b/c` `a/`";
    assert_eq!(named_paths(text, &folders), ["a/b.rs", "a/"]);
}

/// Checks the table of functions and files in `docs/architecture.md`.
#[test]
fn functions_on_the_path_of_a_node_exist() {
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
    assert_none(&faults, count, 10);
}

#[test]
fn the_readme_stays_short() {
    let lines = include_str!("../../README.md").lines().count();
    assert!(lines <= 130, "README.md has {lines} lines, 130 are enough");
}

#[test]
fn the_readme_has_the_number_of_proofs() {
    let Some(root) = repository() else { return };
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a page");
    let page = read("docs/proofs.md");
    let mut lines = page.lines();
    let line = lines.find(|line| line.contains(" algorithms at their levels are proved"));
    let line = line.expect("the page states it");
    let words: Vec<&str> = line.split_whitespace().collect();
    let [proved, "of", all, ..] = words[..] else {
        panic!("{words:?}");
    };
    let readme = read("README.md");
    for words in [
        format!("{proved} of {all} kernels proved"),
        format!("proved-{proved}%20of%20{all}-"),
    ] {
        assert!(readme.contains(&words), "{words}");
    }
}
