//! Values that people set by hand.

use std::fmt;

use crate::EntryError;

/// Value that a person gives to a position in place of the value of its moves, with the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ManualValue {
    value: i32,
    reason: String,
}

/// Maximum length of a reason in bytes.
pub const MAX_REASON: usize = 1000;

impl ManualValue {
    /// Creates a value from -64 to 64 discs for the side to move. The reason is one line of 1 to [`MAX_REASON`] bytes.
    pub fn new(value: i32, reason: &str) -> Result<ManualValue, EntryError> {
        if !(-64..=64).contains(&value) {
            return Err(EntryError::Value(value));
        }
        let is_reason = (1..=MAX_REASON).contains(&reason.len());
        if !is_reason || reason.contains(char::is_control) {
            return Err(EntryError::Reason);
        }
        let reason = reason.to_owned();
        Ok(ManualValue { value, reason })
    }

    /// Value in discs for the side to move.
    pub fn value(&self) -> i32 {
        self.value
    }

    /// Reason in the words of the person.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for ManualValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:+} by hand: {}", self.value, self.reason)
    }
}
