//! Settings of a book: numbers that belong to all of its positions.

use std::ops::RangeInclusive;

use rusqlite::Rows;
use rusqlite::types::ValueRef;

use outflank_database::quoted;

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

/// First `most` faults of a table of settings, whose rows are names and values.
pub(crate) fn faults(mut rows: Rows, most: usize) -> rusqlite::Result<Vec<String>> {
    let mut faults = Vec::new();
    // Occurrences of each known name.
    let mut seen = [0; SETTINGS.len()];
    // Each repeated row is a fault, so a scan of cyclic pages ends as well.
    while faults.len() < most {
        let Some(row) = rows.next()? else {
            // Edax's settings must be complete if any is present.
            let is_of_edax = seen[1..].iter().any(|&count| count > 0);
            let missing = SETTINGS.iter().zip(seen);
            let missing = missing.filter(|&(_, count)| is_of_edax && count == 0);
            faults
                .extend(missing.map(|((name, _), _)| format!("the setting \"{name}\" is missing")));
            break;
        };
        let ValueRef::Text(name) = row.get_ref(0)? else {
            faults.push("a setting without a name".to_owned());
            continue;
        };
        let name = String::from_utf8_lossy(name);
        let Some(index) = SETTINGS.iter().position(|(known, _)| *known == name) else {
            faults.push(format!("the setting {} is unknown", quoted(&name)));
            continue;
        };
        seen[index] += 1;
        if seen[index] > 1 {
            faults.push(format!("the setting \"{name}\" is there twice"));
        }
        faults.extend(match row.get_ref(1)? {
            ValueRef::Integer(value) => range_fault(&name, value),
            _ => Some(format!("the setting \"{name}\" is no whole number")),
        });
    }
    // One row can have several faults.
    faults.truncate(most);
    Ok(faults)
}
