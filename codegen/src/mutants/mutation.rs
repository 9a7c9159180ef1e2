//! Mutations of templates.

use std::fmt;
use std::ops::Range;

/// Mutation operator: kind of change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MutationKind {
    /// Exchanges an operator for another.
    Operator,
    /// Drops a negation.
    Negation,
    /// Makes an integer one more or one less, or flips one of its bits.
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

impl MutationKind {
    /// Name in reports.
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

impl fmt::Display for MutationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// One change of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mutation {
    /// Operator that makes the change.
    pub kind: MutationKind,
    /// Function, table or macro that is changed.
    pub item: String,
    /// Byte range of the template that is replaced.
    pub range: Range<usize>,
    /// Replacement.
    pub with: String,
}

impl Mutation {
    /// Text of the template with the mutation.
    pub(super) fn apply(&self, text: &str) -> String {
        let (before, after) = (&text[..self.range.start], &text[self.range.end..]);
        format!("{before}{}{after}", self.with)
    }

    /// Number of the first changed line, from 1.
    pub(super) fn line(&self, text: &str) -> usize {
        text[..self.range.start].matches('\n').count() + 1
    }

    /// Changed lines before and after the mutation, each joined to one line.
    pub(super) fn lines(&self, text: &str) -> [String; 2] {
        let start = text[..self.range.start].rfind('\n').map_or(0, |i| i + 1);
        let end = text[self.range.end..].find('\n');
        let end = end.map_or(text.len(), |i| self.range.end + i);
        let before = &text[start..end];
        let (head, tail) = (&text[start..self.range.start], &text[self.range.end..end]);
        let after = format!("{head}{}{tail}", self.with);
        [before, &after].map(|lines| lines.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
