//! Objects as lines of JSON.

use std::collections::HashMap;

use outflank_support::text::is_unsafe_to_show;
use serde::Serialize;

/// Serializes an object with a single key as a line.
pub(super) fn under_key(key: &str, value: impl Serialize) -> String {
    to_line(&HashMap::from([(key, value)]))
}

/// Serializes an object as a line. Format characters are escaped, because JSON reaches terminals, too.
pub(super) fn to_line(object: &impl Serialize) -> String {
    let text = serde_json::to_string(object).expect("keys are strings and numbers are finite");
    if !text.contains(is_unsafe_to_show) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match is_unsafe_to_show(letter) {
            true => {
                let mut units = [0; 2];
                let units = letter.encode_utf16(&mut units).iter();
                escaped.extend(units.map(|unit| format!("\\u{unit:04x}")));
            }
            false => escaped.push(letter),
        }
    }
    escaped
}
