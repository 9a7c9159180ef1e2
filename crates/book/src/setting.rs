//! Settings of a book: numbers that belong to all of its positions.

use std::ops::RangeInclusive;

use rusqlite::types::ValueRef;

use crate::connection::quoted;

/// Names and ranges of all settings. Learning sets `level`. Import from Edax sets all of them.
pub const SETTINGS: [(&str, RangeInclusive<i64>); 4] = [
    ("level", 0..=60),
    ("empties", 0..=60),
    ("midgame error", 0..=64),
    ("endgame error", 0..=64),
];

/// Describes a value that is out of the setting's range; `None` if it is in range, or the name is unknown.
pub(crate) fn range_fault(name: &str, value: i64) -> Option<String> {
    let (name, range) = SETTINGS.iter().find(|(known, _)| *known == name)?;
    (!range.contains(&value)).then(|| {
        let (low, high) = (range.start(), range.end());
        format!("the setting \"{name}\" is {value}, out of {low} to {high}")
    })
}

/// Collector of the faults of a table of settings. It reads row by row.
#[derive(Default)]
pub(crate) struct SettingFaults {
    faults: Vec<String>,
    /// Occurrences of each known name.
    seen: [u32; SETTINGS.len()],
}

impl SettingFaults {
    pub(crate) fn len(&self) -> usize {
        self.faults.len()
    }

    /// Checks a row.
    pub(crate) fn add(&mut self, name: ValueRef, value: ValueRef) {
        let ValueRef::Text(name) = name else {
            self.faults.push("a setting without a name".to_owned());
            return;
        };
        let name = String::from_utf8_lossy(name);
        let known = SETTINGS.iter().position(|(known, _)| *known == name);
        let Some(index) = known else {
            let name = quoted(&name);
            self.faults.push(format!("the setting {name} is unknown"));
            return;
        };
        self.seen[index] += 1;
        if self.seen[index] > 1 {
            let fault = format!("the setting \"{name}\" is there twice");
            self.faults.push(fault);
        }
        self.faults.extend(match value {
            ValueRef::Integer(value) => range_fault(&name, value),
            _ => Some(format!("the setting \"{name}\" is no whole number")),
        });
    }

    /// Adds a fault for each missing setting, after the last row. Edax's settings must be complete if any is present.
    pub(crate) fn add_missing(&mut self) {
        let is_of_edax = self.seen[1..].iter().any(|&count| count > 0);
        let missing = SETTINGS.iter().zip(self.seen);
        let missing = missing.filter(|&(_, count)| is_of_edax && count == 0);
        let missing = missing.map(|((name, _), _)| format!("the setting \"{name}\" is missing"));
        self.faults.extend(missing);
    }

    /// First `most` faults. One row can have several.
    pub(crate) fn first(mut self, most: usize) -> Vec<String> {
        self.faults.truncate(most);
        self.faults
    }
}
