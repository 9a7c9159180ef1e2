//! Objects as lines of JSON.

use outflank_support::text::is_unsafe_to_show;
use serde::Serialize;

/// Builds an object whose keys keep their order: `object! { depth: 7, #[serde(rename = "move")] ply: "f5" }`.
#[macro_export]
macro_rules! object {
    ($($(#[$attribute:meta])* $key:ident $(: $value:expr)?),+ $(,)?) => {{
        // The type of a value is a parameter with the name of its key.
        #[allow(non_camel_case_types)]
        let object = {
            #[derive(serde::Serialize)]
            struct Object<$($key),+> {
                $($(#[$attribute])* $key: $key,)+
            }
            Object { $($key $(: $value)?),+ }
        };
        object
    }};
}
pub use crate::object;

/// Returns `true` if a value is `null`, `false` or `[]`. Optional keys are left out then.
pub fn is_nothing(value: &impl Serialize) -> bool {
    let text = serde_json::to_string(value);
    text.is_ok_and(|text| ["null", "false", "[]"].contains(&text.as_str()))
}

/// Serializes an object as a line. Format characters are escaped, because JSON reaches terminals, too.
pub fn to_line(object: &impl Serialize) -> String {
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
