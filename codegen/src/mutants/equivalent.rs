//! Mutations that change no answer, listed by hand with the reason.
//!
//! The file is a list of entries with blank lines between them; `#` begins a comment. An entry is the
//! template's name, the line as it is (`- `), the line as it would be (`+ `), and why no input can tell
//! the two apart (`= `, one line or more):
//!
//! ```text
//! flip
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
    /// The line as it is, and as it would be: trimmed, spaces joined.
    pub lines: [String; 2],
    /// The line of the file that it begins at.
    pub at: usize,
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
        if let Some(&(at, template)) = entry.first() {
            let part = |i: usize, mark: &str, missing: &'static str| {
                let line = entry.get(i).and_then(|(_, line)| line.strip_prefix(mark));
                line.filter(|rest| !rest.trim().is_empty())
                    .map(|rest| rest.split_whitespace().collect::<Vec<_>>().join(" "))
                    .ok_or((entry.get(i).map_or(at, |(number, _)| *number), missing))
            };
            let before = part(
                1,
                "- ",
                "after the template's name comes `- ` and the line as it is",
            )?;
            let after = part(
                2,
                "+ ",
                "after the line as it is comes `+ ` and the line as it would be",
            )?;
            part(
                3,
                "= ",
                "after the two lines comes `= ` and why no input can tell them apart",
            )?;
            entries.push(Equivalent {
                template: template.trim().to_owned(),
                lines: [before, after],
                at,
            });
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
        let whole =
            "# comment\n\nflip\n- a  & 63\n+ a & 127\n= small\n  anyway\n\n\nclear\n- x\n+ y\n= z";
        let entries = parse(whole).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!((entries[0].template.as_str(), entries[0].at), ("flip", 3));
        assert_eq!(entries[0].lines, ["a & 63", "a & 127"]);
        assert_eq!(entries[1].lines, ["x", "y"]);
        for (text, line) in [
            ("flip\n", 1),
            ("\nflip\n+ b\n- a\n= c", 3),
            ("flip\n- a\n= c", 3),
            ("flip\n- a\n+ b\n", 1),
            ("flip\n- a\n+ b\n= \n", 4),
        ] {
            let (at, message) = parse(text).unwrap_err();
            assert_eq!(at, line, "{text}");
            assert!(message.contains('`'), "{message}");
        }
    }
}
