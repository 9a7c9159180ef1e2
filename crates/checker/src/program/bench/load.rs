//! Other work of the machine during a measurement.

use outflank_support::text::plural;

use crate::bench::CoreClock;

/// Readings of the number of running threads, of which one is the measurement.
#[derive(Default)]
pub(super) struct Load {
    calls: usize,
    /// Numbers of other running threads.
    others: Vec<usize>,
}

impl Load {
    /// Calls between two readings, which take some microseconds.
    const INTERVAL: usize = 16;

    /// Reads the number of running threads at one of [`INTERVAL`](Self::INTERVAL) calls, if the system reports it.
    pub(super) fn observe(&mut self) {
        if self.calls.is_multiple_of(Load::INTERVAL) {
            let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
            self.others
                .extend(running(&text).map(|running| running.saturating_sub(1)));
        }
        self.calls += 1;
    }

    /// Warning if the machine was busy: other threads ran at more than half of the readings, or the clock varied.
    pub(super) fn warning(&self, clock: &CoreClock) -> Option<String> {
        /// Largest spread of the clock of a quiet core.
        const QUIET: f64 = 0.02;
        let mut others = self.others.clone();
        others.sort_unstable();
        let median = others.get(others.len() / 2).copied().unwrap_or(0);
        let mut reasons = Vec::new();
        if median > 0 {
            let threads = plural(median, "other thread", "other threads");
            reasons.push(format!("{threads} ran"));
        }
        if clock.spread > QUIET {
            let percent = 100.0 * clock.spread;
            reasons.push(format!(
                "the clock varied by {percent:.0} % (interquartile range)"
            ));
        }
        match reasons.is_empty() {
            true => None,
            false => Some(format!("the machine was busy: {}", reasons.join(", "))),
        }
    }
}

/// Number of running threads in the text of `/proc/loadavg`, such as `0.20 0.18 0.12 1/80 11206`.
fn running(loadavg: &str) -> Option<usize> {
    let threads = loadavg.split_whitespace().nth(3)?;
    threads.split('/').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_machines_are_reported() {
        assert_eq!(running("0.20 0.18 0.12 3/80 11206\n"), Some(3));
        assert_eq!(running(""), None);
        let warning = |others: &[usize], spread| {
            let clock = CoreClock {
                ghz: 4.0,
                before_ghz: 4.0,
                after_ghz: 4.0,
                spread,
                is_counted: false,
            };
            let load = Load {
                calls: 0,
                others: others.to_vec(),
            };
            load.warning(&clock).unwrap_or_default()
        };
        for (others, spread, expected) in [
            (&[][..], 0.01, ""),
            (&[0, 0, 7], 0.01, ""),
            (
                &[0, 1, 1, 3],
                0.0,
                "the machine was busy: 1 other thread ran",
            ),
            (
                &[0],
                0.05,
                "the machine was busy: the clock varied by 5 % (interquartile range)",
            ),
        ] {
            assert_eq!(warning(others, spread), expected);
        }
    }
}
