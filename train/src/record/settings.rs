//! What the records of a file were made with.

use std::fmt;

/// How records were made: names and values in a fixed order, kept in the head of their file. Records
/// made with other settings do not belong into it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordSettings(Vec<(String, String)>);

/// A setting that two files do not share; `None` where one has no such setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Its name.
    pub name: String,
    /// Its value in the file that is there.
    pub there: Option<String>,
    /// Its value now.
    pub here: Option<String>,
}

impl RecordSettings {
    /// Adds a setting. Line ends become blanks: a setting is a line.
    pub fn set(&mut self, name: &str, value: impl fmt::Display) {
        let value = value.to_string().replace(['\r', '\n'], " ");
        self.0.push((name.to_owned(), value));
    }

    /// The value of a setting.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&name[..], &value[..]))
    }

    /// Reads what [`RecordSettings`] displays as. A line without `=` is a name without a value.
    pub(super) fn read(text: &str) -> RecordSettings {
        let lines = text.lines().map(|line| match line.split_once(" = ") {
            Some((name, value)) => (name.to_owned(), value.to_owned()),
            None => (line.to_owned(), String::new()),
        });
        RecordSettings(lines.collect())
    }

    /// In what `self`, which is there, differs from `here`.
    pub fn differences(&self, here: &RecordSettings) -> Vec<Difference> {
        let names = self.iter().chain(here.iter()).map(|(name, _)| name);
        let mut differences: Vec<Difference> = Vec::new();
        for name in names {
            let [there, here] = [self, here].map(|one| one.get(name).map(str::to_owned));
            if there != here && !differences.iter().any(|one| one.name == name) {
                let name = name.to_owned();
                differences.push(Difference { name, there, here });
            }
        }
        differences
    }
}

impl fmt::Display for RecordSettings {
    /// A line `name = value` each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter()
            .try_for_each(|(name, value)| writeln!(f, "{name} = {value}"))
    }
}

impl fmt::Display for Difference {
    /// `seed is 7, not 8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: &Option<String>| match value {
            Some(value) => value.clone(),
            None => "none".to_owned(),
        };
        let (there, here) = (shown(&self.there), shown(&self.here));
        write!(f, "{} is {there} there and {here} here", self.name)
    }
}
