//! Tags of PGN, and results in discs.

use crate::notation::transcript::moves::{Token, Tokens};
use crate::notation::{GameRecord, one_line};

/// Name and value of a PGN tag, `[Black "Lucky Luke"]`. The value keeps its backslashes.
pub(super) fn tag(line: &str) -> Option<(&str, &str)> {
    let tag = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = tag.trim().split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let mut is_escaped = false;
    let is_quote_inside = value.chars().any(|next| {
        let is_bare_quote = next == '"' && !is_escaped;
        is_escaped = next == '\\' && !is_escaped;
        is_bare_quote
    });
    (is_name && !is_quote_inside && !is_escaped).then_some((name, value))
}

/// Adds a tag to a record. Unknown values (`?`), unknown tags and repeated tags are ignored.
pub(super) fn add_tag(record: &mut GameRecord, name: &str, value: &str) {
    let value = one_line(&value.replace("\\\"", "\"").replace("\\\\", "\\"));
    let property = match &*name.to_ascii_lowercase() {
        "result" => {
            if let Some(Ok(Token::Result(Some((black, white))))) = Tokens::new(&value).next() {
                set_result(record, black, white);
            }
            return;
        }
        "black" => "PB",
        "white" => "PW",
        "event" => "EV",
        "site" => "PC",
        "date" => "DT",
        _ => return,
    };
    // A date may be known in part: `2026.??.??`.
    let known = match property {
        "DT" => value.split(".?").next().unwrap_or_default(),
        _ => &value,
    };
    let is_known = !known.trim_matches(['?', '.', ' ']).is_empty();
    if is_known && record.property(property).is_none() {
        record.set(property, known).expect("the name is valid");
    }
}

/// Sets the result in discs; empty squares go to the winner.
pub(super) fn set_result(record: &mut GameRecord, black: u8, white: u8) {
    let (black, white) = (i32::from(black), i32::from(white));
    let empty = 64 - black - white;
    let score = black - white + empty * (black - white).signum();
    record
        .set("RE", &format!("{score:+}"))
        .expect("the name is valid");
}
