//! Parser of GTP's command lines.

use outflank_support::lines::first_word;

/// A command with its arguments.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Request {
    /// Number before the name, which the answer repeats.
    pub(super) id: Option<u32>,
    pub(super) name: String,
    /// Text behind the name, trimmed.
    pub(super) rest: String,
}

impl Request {
    /// Parses a line without its control characters and comment. Returns `None` if nothing is left.
    pub(super) fn parse(line: &str) -> Option<Request> {
        let line: String = line
            .chars()
            .take_while(|&next| next != '#')
            .map(|next| if next == '\t' { ' ' } else { next })
            .filter(|next| !next.is_control())
            .collect();
        let (mut name, mut rest) = first_word(&line);
        let id = name.parse().ok();
        if id.is_some() {
            (name, rest) = first_word(rest);
        }
        (id.is_some() || !name.is_empty()).then(|| Request {
            id,
            name: name.to_owned(),
            rest: rest.to_owned(),
        })
    }

    /// Argument `index`, from 0.
    pub(super) fn argument(&self, index: usize) -> Option<&str> {
        self.rest.split_whitespace().nth(index)
    }
}

/// Returns `true` if a line is `stop` or the comment of `gogui-interrupt`.
pub(super) fn interrupts(line: &str) -> bool {
    line.trim() == "# interrupt"
        || Request::parse(line).is_some_and(|request| request.name == "stop")
}

/// Returns `true` if a line is `quit`.
pub(super) fn quits(line: &str) -> bool {
    Request::parse(line).is_some_and(|request| request.name == "quit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_parsed() {
        let request = |id, name: &str, rest: &str| {
            Some(Request {
                id,
                name: name.to_owned(),
                rest: rest.to_owned(),
            })
        };
        for (line, expected) in [
            ("name", request(None, "name", "")),
            ("12 play b  F5 ", request(Some(12), "play", "b  F5")),
            ("\t7\tplay\tw\tpass # x", request(Some(7), "play", "w pass")),
            ("\u{7}na\u{0}me\r", request(None, "name", "")),
            ("5", request(Some(5), "", "")),
            ("99999999999 name", request(None, "99999999999", "name")),
            ("", None),
            (" \t ", None),
            ("# name", None),
        ] {
            assert_eq!(Request::parse(line), expected, "{line:?}");
        }
        let play = Request::parse("play b  F5 ").unwrap();
        assert_eq!(
            [0, 1, 2].map(|n| play.argument(n)),
            [Some("b"), Some("F5"), None]
        );
        assert!(interrupts(" # interrupt") && interrupts("3 stop") && !interrupts("# stop"));
        assert!(quits("quit") && quits("3 quit # x") && !quits("# quit"));
    }
}
