//! Equivalent mutants: mutations that change no answer, listed by hand with the reason.
//!
//! The file is a list of entries with blank lines between them. `#` begins a comment. The first line of an entry names
//! the template and the functions in it. `- ` begins the original line. `+ ` begins a mutated line. Each of several
//! mutated lines is a separate mutation. `= ` begins the reason why no input can tell original and mutant apart.
//!
//! A line that a template has several times needs a number: `-2 ` begins the second of them, counted from the top of the
//! template. A line without a number may occur once for each of the entry's functions.
//!
//! ```text
//! flip carry
//! - let rays = &RAYS[square & 63];
//! + let rays = &RAYS[square & 127];
//! = a square is at most 63: the mask only spares the check of the index
//! ```

use std::path::Path;

use crate::{Error, file_error};

/// Mutation that changes no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct EquivalentMutant {
    /// Name of the template.
    pub template: String,
    /// Functions or tables in which the mutation is equivalent.
    pub items: Vec<String>,
    /// Original and mutated line, with single spaces.
    pub lines: [String; 2],
    /// Number of the original line among equal lines of the template, from 1; `None` for all of them.
    pub occurrence: Option<usize>,
    /// Number of the line of the list that names the template.
    at: usize,
}

impl EquivalentMutant {
    /// Returns `true` if the mutation of line `number` of the template's text is this one.
    pub(super) fn is_at(&self, text: &str, number: usize) -> bool {
        let lines = line_numbers(text, &self.lines[0]);
        match self.occurrence {
            None => lines.contains(&number),
            Some(occurrence) => lines.get(occurrence - 1) == Some(&number),
        }
    }

    /// Refuses an entry if it does not say which line of the template's text it means.
    pub(super) fn check(&self, text: &str) -> Result<(), (usize, String)> {
        let (line, count) = (&self.lines[0], line_numbers(text, &self.lines[0]).len());
        let problem = match self.occurrence {
            None if count > self.items.len() => {
                format!("`{line}` occurs {count} times: `-1 ` begins the first")
            }
            Some(occurrence) if occurrence > count => {
                format!("`{line}` occurs {count} times, not {occurrence}")
            }
            _ => return Ok(()),
        };
        Err((self.at, problem))
    }
}

/// Numbers of the lines at which an original line begins, from 1.
fn line_numbers(text: &str, original: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |&index: &usize| {
        let words = lines[index..]
            .iter()
            .flat_map(|line| line.split_whitespace());
        let mut words = words.take(original.split(' ').count());
        original.split(' ').all(|word| words.next() == Some(word))
    };
    let is_blank = |index: usize| lines[index].trim().is_empty();
    let found = (0..lines.len()).filter(|index| !is_blank(*index) && begins(index));
    found.map(|index| index + 1).collect()
}

/// Reads the list at `path`; an incomplete entry is an error with its line.
pub(super) fn read(path: &Path) -> Result<Vec<EquivalentMutant>, Error> {
    let text = std::fs::read_to_string(path).map_err(file_error(path))?;
    parse(&text).map_err(|(line, message)| line_error(path, line, message.to_owned()))
}

/// Error in a line of the list.
pub(super) fn line_error(path: &Path, line: usize, message: String) -> Error {
    Error::Line {
        path: path.to_owned(),
        line,
        message,
    }
}

fn parse(text: &str) -> Result<Vec<EquivalentMutant>, (usize, &'static str)> {
    let mut entries = Vec::new();
    let mut entry: Vec<(usize, &str)> = Vec::new();
    for (number, line) in text.lines().chain([""]).enumerate() {
        if line.starts_with('#') {
            continue;
        }
        if !line.trim().is_empty() {
            entry.push((number + 1, line));
            continue;
        }
        if let Some(((at, names), lines)) = entry.split_first() {
            let mut names = names.split_whitespace().map(str::to_owned);
            let template = names.next().unwrap_or_default();
            let items: Vec<String> = names.collect();
            if items.is_empty() {
                return Err((*at, "the names of functions follow the template's name"));
            }
            let mutated = lines.iter().skip(1).map(|(_, line)| line);
            let mutated = mutated.take_while(|line| line.starts_with('+')).count();
            let part = |i: usize, mark: &str, missing: &'static str| {
                let (at, line) = lines.get(i).copied().unwrap_or((*at, ""));
                line.strip_prefix(mark)
                    .filter(|rest| !rest.trim().is_empty())
                    .map(|rest| rest.split_whitespace().collect::<Vec<_>>().join(" "))
                    .ok_or((at, missing))
            };
            let original = "`- ` and the original line follow the names";
            let changed = "`+ ` and the mutated line follow the original line";
            let reason = "`= ` and why no input can tell them apart follow the two lines";
            let marked = lines.first().map_or("", |(_, line)| line);
            let digits = marked.trim_start_matches('-').split(' ').next();
            let digits = digits.filter(|digits| digits.parse::<usize>().is_ok_and(|n| n > 0));
            let before = part(0, &format!("-{} ", digits.unwrap_or_default()), original)?;
            for i in 1..=mutated.max(1) {
                entries.push(EquivalentMutant {
                    template: template.clone(),
                    items: items.clone(),
                    lines: [before.clone(), part(i, "+ ", changed)?],
                    occurrence: digits.and_then(|digits| digits.parse().ok()),
                    at: *at,
                });
            }
            part(mutated + 1, "= ", reason)?;
        }
        entry.clear();
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_entries_are_read_and_others_refused() {
        let whole = "# comment\n\nflip carry\n- a  & 63\n+ a & 127\n= small\n  anyway\n\n\n\
                     clear a b\n- x\n+ y\n+ z\n= w";
        let entries = parse(whole).unwrap();
        let expected = [
            ("flip carry", ["a & 63", "a & 127"]),
            ("clear a b", ["x", "y"]),
            ("clear a b", ["x", "z"]),
        ];
        assert_eq!(entries.len(), expected.len());
        for (entry, (names, lines)) in entries.iter().zip(expected) {
            assert_eq!(
                format!("{} {}", entry.template, entry.items.join(" ")),
                names
            );
            assert_eq!(entry.lines, lines);
        }
        for (text, line, missing) in [
            ("flip a\n", 1, "`- `"),
            ("flip\n- a\n+ b\n= c", 1, "functions"),
            ("\nflip a\n+ b\n- a\n= c", 3, "`- `"),
            ("flip a\n- a\n= c\n= d", 3, "`+ `"),
            ("flip a\n- a\n= c", 3, "`+ `"),
            ("flip a\n- a\n+ b\n", 1, "`= `"),
            ("flip a\n- a\n+ b\n+ \n= c", 4, "`+ `"),
            ("flip a\n- a\n+ b\n= \n", 4, "`= `"),
        ] {
            let (at, message) = parse(text).unwrap_err();
            assert_eq!(at, line, "{text}");
            assert!(message.contains(missing), "{text}: {message}");
        }
    }

    #[test]
    fn entry_for_one_of_several_equal_lines_needs_its_number() {
        let text = "fn a() {\n    x += 1;\n    y += 1;\n    x  += 1;\n}\n";
        let cases = [
            ("- y += 1;", Ok(vec![3])),
            ("-1 x += 1;", Ok(vec![2])),
            ("-2 x += 1;", Ok(vec![4])),
            (
                "- x += 1;",
                Err("`x += 1;` occurs 2 times: `-1 ` begins the first"),
            ),
            ("-3 x += 1;", Err("`x += 1;` occurs 2 times, not 3")),
        ];
        for (line, expected) in cases {
            let entries = parse(&format!("\nt a\n{line}\n+ z\n= w")).unwrap();
            let checked = entries[0].check(text).map(|()| {
                let numbers = 1..=text.lines().count();
                numbers.filter(|&n| entries[0].is_at(text, n)).collect()
            });
            let expected = expected.map_err(|problem| (2, problem.to_owned()));
            assert_eq!(checked, expected, "{line}");
        }
    }

    /// An entry must be removed when its line in the template changes.
    #[test]
    fn listed_lines_exist_in_their_templates() {
        let codegen = Path::new(env!("CARGO_MANIFEST_DIR"));
        let listed = read(&codegen.join("equivalent-mutants.txt")).unwrap();
        assert!(!listed.is_empty());
        for entry in listed {
            let files = [".rs.j2", "@geometry.rs.j2", "@corner.rs.j2"].map(|end| {
                codegen
                    .join("templates")
                    .join(format!("{}{end}", entry.template))
            });
            let text = files
                .iter()
                .find_map(|path| std::fs::read_to_string(path).ok());
            let text = text.unwrap_or_else(|| panic!("no template is named {}", entry.template));
            assert_eq!(entry.check(&text), Ok(()), "{}", entry.template);
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for part in entry.lines[..1].iter().chain(&entry.items) {
                assert!(text.contains(part), "{} has no `{part}`", entry.template);
            }
        }
    }
}
