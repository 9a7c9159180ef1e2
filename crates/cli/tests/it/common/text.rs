//! Checks of texts. A failure shows the whole text.

/// Asserts that `text` contains `part`.
#[track_caller]
pub(crate) fn assert_has(text: &str, part: &str) {
    assert!(text.contains(part), "no {part:?} in {text}");
}

/// Asserts that `text` starts with `start`.
#[track_caller]
pub(crate) fn assert_starts(text: &str, start: &str) {
    assert!(text.starts_with(start), "no {start:?} before {text}");
}

/// Asserts that `text` ends with `end`.
#[track_caller]
pub(crate) fn assert_ends(text: &str, end: &str) {
    assert!(text.ends_with(end), "no {end:?} behind {text}");
}
