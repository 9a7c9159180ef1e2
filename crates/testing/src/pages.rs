//! Checks of facts in the documentation against the code.

use std::fmt::Display;

use super::data::project_file;

/// Reads the page at `path` and replaces each run of white space by one blank.
pub fn page(path: &str) -> String {
    let text = String::from_utf8(project_file(path)).expect("pages are UTF-8");
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Checks that pages state facts. A fact is the path of a page and words with a computed value.
///
/// # Panics
///
/// Panics if words are missing. The message lists all of them.
pub fn assert_stated<P: AsRef<str> + Display>(facts: impl IntoIterator<Item = (P, String)>) {
    let missing: Vec<String> = facts
        .into_iter()
        .filter(|(path, words)| !page(path.as_ref()).contains(words))
        .map(|(path, words)| format!("{path} should say: {words}"))
        .collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Formats a number of bytes in units of 10^6, with one decimal: `2.1 MB`.
pub fn megabytes(bytes: usize) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// Formats a number of bytes in units of 2^20, with one decimal: `5.5 MiB`.
pub fn mebibytes(bytes: usize) -> String {
    format!("{:.1} MiB", bytes as f64 / 1_048_576.0)
}

/// Formats a number with commas between groups of three digits: `114,363`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<&str> = groups
        .map(|group| std::str::from_utf8(group).expect("digits"))
        .collect();
    groups.join(",")
}
