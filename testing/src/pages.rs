//! Facts in the documentation, compared with what the code says.

use super::data::project_file;

/// The text of the page at `path`, each run of white space as one blank.
pub fn page(path: &str) -> String {
    let text = String::from_utf8(project_file(path)).expect("pages are UTF-8");
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// Compares pages with the facts that they should state: a path, and the words with the computed value in them.
///
/// # Panics
///
/// If a page lacks the words. The message lists all that are missing.
pub fn assert_stated(facts: &[(&str, String)]) {
    let missing: Vec<String> = facts
        .iter()
        .filter(|(path, words)| !page(path).contains(words))
        .map(|(path, words)| format!("{path} should say: {words}"))
        .collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// A number of bytes in millions, with one decimal: `2.1 MB`.
pub fn megabytes(bytes: usize) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// A number of bytes in units of 2^20, with one decimal: `5.5 MiB`.
pub fn mebibytes(bytes: usize) -> String {
    format!("{:.1} MiB", bytes as f64 / 1_048_576.0)
}

/// A number with commas: `114,363`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<&str> = groups
        .map(|group| std::str::from_utf8(group).expect("digits"))
        .collect();
    groups.join(",")
}
