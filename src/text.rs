//! Words of messages, which the library, the trainer and the program share. In English; texts may change with
//! every release.

use std::fmt::Display;

/// A number of things: `1 ply`, `2 plies`.
///
/// ```
/// use outflank::text::counted;
///
/// assert_eq!(counted(1, "ply", "plies"), "1 ply");
/// assert_eq!([0, 2].map(|count| counted(count, "ply", "plies")), ["0 plies", "2 plies"]);
/// assert_eq!(counted("16@73%", "ply", "plies"), "16@73% plies");
/// ```
pub fn counted(number: impl Display, one: &str, several: &str) -> String {
    let number = number.to_string();
    let things = if number == "1" { one } else { several };
    format!("{number} {things}")
}
