//! Comments of transcripts.

use std::borrow::Cow;

/// State of comments between `{` and `}`, which may span lines.
#[derive(Default)]
pub(super) struct Comments {
    /// First line of the open comment.
    pub(super) begun: Option<usize>,
}

impl Comments {
    /// Replaces comments in braces by blanks, so that columns stay the same, and drops a comment at the end of the
    /// line.
    pub(super) fn blanked<'a>(&mut self, line: &'a str, number: usize) -> Cow<'a, str> {
        if self.begun.is_none() && !line.contains('{') {
            return Cow::Borrowed(without_line_comment(line));
        }
        let mut content = String::with_capacity(line.len());
        for character in line.chars() {
            let is_comment = self.begun.is_some() || character == '{';
            match character {
                '{' => self.begun = self.begun.or(Some(number)),
                '}' => self.begun = None,
                '%' | '#' if !is_comment => break,
                _ => {}
            }
            content.push(if is_comment { ' ' } else { character });
        }
        Cow::Owned(content)
    }
}

fn without_line_comment(line: &str) -> &str {
    line.split(['%', '#']).next().unwrap_or_default()
}
