//! English words for messages, and filters for foreign text.

use std::fmt::Display;

/// Formats a number of things: `1 ply`, `2 plies`.
///
/// ```
/// use outflank_support::text::plural;
///
/// assert_eq!(plural(1, "ply", "plies"), "1 ply");
/// assert_eq!([0, 2].map(|count| plural(count, "ply", "plies")), ["0 plies", "2 plies"]);
/// assert_eq!(plural("16@73%", "ply", "plies"), "16@73% plies");
/// ```
pub fn plural(number: impl Display, one: &str, several: &str) -> String {
    let number = number.to_string();
    let things = if number == "1" { one } else { several };
    format!("{number} {things}")
}

/// Converts a text from a file or another program into one line that is safe to show.
///
/// Control characters and line ends become blanks. Format characters are dropped, because some of them reverse the
/// direction of writing, which can disguise names.
///
/// ```
/// use outflank_support::text::one_line;
///
/// assert_eq!(one_line(" Ann\u{202e}\r\n\u{1b}[31mB\u{ad}ob\t"), "Ann   [31mBob");
/// assert_eq!(one_line("Désirée 太郎"), "Désirée 太郎");
/// ```
pub fn one_line(text: &str) -> String {
    let shown = text.chars().filter(|&letter| !is_format(letter));
    let shown = shown.map(|letter| if is_control(letter) { ' ' } else { letter });
    shown.collect::<String>().trim().to_owned()
}

/// Returns `true` for characters that [`one_line`] drops or replaces.
pub fn is_unsafe_to_show(letter: char) -> bool {
    is_control(letter) || is_format(letter)
}

/// Returns `true` for control characters, line ends, and noncharacters.
fn is_control(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns `true` for format characters (general category Cf of Unicode 16). They have no width, and some of them
/// change the order of the letters beside them.
fn is_format(letter: char) -> bool {
    matches!(letter,
        '\u{ad}'
        | '\u{600}'..='\u{605}'
        | '\u{61c}'
        | '\u{6dd}'
        | '\u{70f}'
        | '\u{890}'..='\u{891}'
        | '\u{8e2}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{110bd}'
        | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0001}'
        | '\u{e0020}'..='\u{e007f}')
}
