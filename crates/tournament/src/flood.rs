//! Bounds of an engine's output.

use std::time::Duration;

/// Bound of an amount: the initial bound, and its growth in each full second.
type Bound = (u64, u64);

/// Bound of the lines before an answer. A program that shows its thinking writes some tens of lines a second.
const LINES: Bound = (20_000, 1000);

/// Bound of the bytes before an answer, and of the bytes to standard error.
pub(crate) const BYTES: Bound = (16 << 20, 1 << 20);

/// Maximum number of lines read after the time for an answer. They may have waited in the queue, so an answer among
/// them may still be in time.
const LATE_LINES: u64 = 64;

/// Returns `true` if `count` exceeds the bound after `time`.
pub(crate) fn exceeds(count: u64, (at_once, each_second): Bound, time: Duration) -> bool {
    count > at_once.saturating_add(time.as_secs().saturating_mul(each_second))
}

/// Output of an engine since the last command.
#[derive(Default)]
pub(crate) struct OutputCount {
    pub(crate) lines: u64,
    pub(crate) bytes: u64,
    /// Lines read after the time for the answer.
    late_lines: u64,
}

impl OutputCount {
    pub(crate) fn add(&mut self, line: &str, is_late: bool) {
        self.lines += 1;
        self.bytes += line.len() as u64;
        self.late_lines += u64::from(is_late);
    }

    /// Returns `true` if this is more than an engine may write within `time`.
    pub(crate) fn is_flood(&self, time: Duration) -> bool {
        exceeds(self.lines, LINES, time)
            || exceeds(self.bytes, BYTES, time)
            || self.late_lines > LATE_LINES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_output_grow_with_time() {
        for (lines, bytes, late_lines, seconds, is_flood) in [
            (20_000, 20_000, 0, 0, false),
            (20_001, 20_001, 0, 0, true),
            (20_001, 20_001, 0, 1, false),
            (1_000_001, 1_000_001, 0, 600, true),
            (1000, (16 << 20) + 1, 0, 0, true),
            (1000, (16 << 20) + 1, 0, 1, false),
            (64, 64, 64, 60, false),
            (65, 65, 65, 60, true),
            (65, 65, 0, u64::MAX, false),
        ] {
            let count = OutputCount {
                lines,
                bytes,
                late_lines,
            };
            assert_eq!(count.is_flood(Duration::from_secs(seconds)), is_flood);
        }
    }
}
