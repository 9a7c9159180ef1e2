//! How much an engine may write.

use std::time::Duration;

/// Lines and bytes that an engine may write, at once and in each second: before an answer, and bytes to
/// standard error. A program that shows what it thinks writes some tens of lines a second.
const LINES: (u64, u64) = (20_000, 1000);
pub(super) const BYTES: (u64, u64) = (16 << 20, 1 << 20);

/// Whether that is more than may be written within this time.
pub(super) fn is_over(count: u64, (at_once, each_second): (u64, u64), time: Duration) -> bool {
    count > at_once.saturating_add(time.as_secs().saturating_mul(each_second))
}

/// What an engine wrote since the last command.
#[derive(Default)]
pub(super) struct Heard {
    pub(super) lines: u64,
    pub(super) bytes: u64,
    /// Lines that were read after the time for the answer.
    late: u64,
}

impl Heard {
    /// Lines that are still read after the time for an answer: it came in time if it is among the few that
    /// were read ahead.
    const LATE: u64 = 64;

    pub(super) fn add(&mut self, line: &str, is_late: bool) {
        self.lines += 1;
        self.bytes += line.len() as u64;
        self.late += u64::from(is_late);
    }

    /// Whether it is more than an engine may write within this time.
    pub(super) fn is_flood(&self, time: Duration) -> bool {
        let over = |count, limit| is_over(count, limit, time);
        over(self.lines, LINES) || over(self.bytes, BYTES) || self.late > Heard::LATE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_flood_goes_by_time() {
        let heard = |lines, bytes, late| Heard { lines, bytes, late };
        let seconds = Duration::from_secs;
        for (heard, time, is_flood) in [
            (heard(20_000, 20_000, 0), 0, false),
            (heard(20_001, 20_001, 0), 0, true),
            (heard(20_001, 20_001, 0), 1, false),
            (heard(1_000_001, 1_000_001, 0), 600, true),
            (heard(1000, (16 << 20) + 1, 0), 0, true),
            (heard(1000, (16 << 20) + 1, 0), 1, false),
            (heard(64, 64, 64), 60, false),
            (heard(65, 65, 65), 60, true),
            (heard(65, 65, 0), u64::MAX, false),
        ] {
            assert_eq!(heard.is_flood(seconds(time)), is_flood);
        }
    }
}
