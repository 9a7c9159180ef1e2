//! Mutations that change no answer, listed by hand with the reason.
//!
//! The file is a list of entries with blank lines between them; `#` begins a comment. An entry is the
//! names of the template and of the functions in it, the line as it is (`- `), the line as it would be
//! (`+ `, or several such lines, each a mutation of its own), and why no input can tell the two apart
//! (`= `, one line or more):
//!
//! ```text
//! flip carry
//! - let rays = &RAYS[square & 63];
//! + let rays = &RAYS[square & 127];
//! = a square is at most 63: the mask only spares the check of the index
//! ```

use std::path::Path;

use super::Error;

/// A mutation that changes no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Equivalent {
    /// The template's name.
    pub template: String,
    /// The functions or tables in it where that is so.
    pub items: Vec<String>,
    /// The line as it is, and as it would be: trimmed, spaces joined.
    pub lines: [String; 2],
}

/// Reads the list at `path`; an entry that is not whole is an error that says where.
pub(super) fn read(path: &Path) -> Result<Vec<Equivalent>, Error> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::File {
        path: path.to_owned(),
        source,
    })?;
    parse(&text).map_err(|(line, message)| Error::List {
        path: path.to_owned(),
        line,
        message,
    })
}

fn parse(text: &str) -> Result<Vec<Equivalent>, (usize, &'static str)> {
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
                return Err((
                    *at,
                    "after the template's name come those of functions in it",
                ));
            }
            let mutated = lines.iter().skip(1);
            let mutated = mutated
                .take_while(|(_, line)| line.starts_with('+'))
                .count();
            let part = |i: usize, mark: &str, missing: &'static str| {
                let (at, line) = lines.get(i).copied().unwrap_or((*at, ""));
                line.strip_prefix(mark)
                    .filter(|rest| !rest.trim().is_empty())
                    .map(|rest| rest.split_whitespace().collect::<Vec<_>>().join(" "))
                    .ok_or((at, missing))
            };
            let as_is = "after the names comes `- ` and the line as it is";
            let as_would_be = "after the line as it is comes `+ ` and the line as it would be";
            let reason = "after the two lines comes `= ` and why no input can tell them apart";
            let before = part(0, "- ", as_is)?;
            for i in 1..=mutated.max(1) {
                entries.push(Equivalent {
                    template: template.clone(),
                    items: items.clone(),
                    lines: [before.clone(), part(i, "+ ", as_would_be)?],
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
    fn entries_are_read_and_those_that_are_not_whole_refused() {
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

    /// A template that changes takes its lines from the list.
    #[test]
    fn what_is_listed_is_there() {
        let codegen = Path::new(env!("CARGO_MANIFEST_DIR"));
        let listed = read(&codegen.join("equivalent-mutants.txt")).unwrap();
        assert!(!listed.is_empty());
        for one in listed {
            let files = [".rs.j2", "@geometry.rs.j2", "@corner.rs.j2"].map(|end| {
                codegen
                    .join("templates")
                    .join(format!("{}{end}", one.template))
            });
            let text = files
                .iter()
                .find_map(|path| std::fs::read_to_string(path).ok());
            let text = text.unwrap_or_else(|| panic!("no template is named {}", one.template));
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for part in one.lines[..1].iter().chain(&one.items) {
                assert!(text.contains(part), "{} has no `{part}`", one.template);
            }
        }
    }
}
