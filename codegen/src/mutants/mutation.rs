//! One way to break a template: what it does, where, and how it is shown.

use std::fmt;
use std::ops::Range;

/// What a mutation does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Exchanges an operator for another.
    Operator,
    /// Drops a negation.
    Negation,
    /// Makes an integer one more or one less, or changes one of its bits.
    Constant,
    /// Makes the bound of a loop one more or one less.
    Bound,
    /// Exchanges a method for another of the same signature.
    Method,
    /// Exchanges two arguments of a call.
    Arguments,
    /// Exchanges two elements of an array or a tuple.
    Elements,
    /// Inverts the condition of a branch.
    Condition,
    /// Leaves out a statement.
    Statement,
}

impl Kind {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Operator => "operator",
            Kind::Negation => "negation",
            Kind::Constant => "constant",
            Kind::Bound => "bound",
            Kind::Method => "method",
            Kind::Arguments => "arguments",
            Kind::Elements => "elements",
            Kind::Condition => "condition",
            Kind::Statement => "statement",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One way to break a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mutation {
    /// What it does.
    pub kind: Kind,
    /// The function, table or macro that it is in.
    pub item: String,
    /// The bytes of the template that it replaces.
    pub range: Range<usize>,
    /// What it puts there.
    pub with: String,
}

impl Mutation {
    /// The template's text with the mutation.
    pub(super) fn apply(&self, text: &str) -> String {
        format!(
            "{}{}{}",
            &text[..self.range.start],
            self.with,
            &text[self.range.end..]
        )
    }

    /// The number of the first line that it changes, from 1.
    pub(super) fn line(&self, text: &str) -> usize {
        text[..self.range.start].matches('\n').count() + 1
    }

    /// The lines that it changes, as they were and as they become, each on one line.
    pub(super) fn lines(&self, text: &str) -> [String; 2] {
        let start = text[..self.range.start].rfind('\n').map_or(0, |i| i + 1);
        let end = text[self.range.end..].find('\n');
        let end = end.map_or(text.len(), |i| self.range.end + i);
        let before = &text[start..end];
        let after = format!(
            "{}{}{}",
            &text[start..self.range.start],
            self.with,
            &text[self.range.end..end]
        );
        [before, &after].map(|lines| lines.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
