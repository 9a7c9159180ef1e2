//! What a check without a difference counted.

use std::fmt;

use crate::Isa;
use crate::registry::Entry;

/// The comparisons that were made.
pub struct Report {
    /// The seed of the random cases.
    pub seed: u64,
    /// How often each entry was compared with its reference.
    pub counts: Vec<(&'static Entry, u64)>,
    /// The algorithms that were compared at least once, each counted at every level that has it.
    pub pairs: usize,
    /// All comparisons.
    pub comparisons: u64,
    /// The same for each level, lower before higher.
    pub levels: Vec<LevelCount>,
}

/// The comparisons at one level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelCount {
    /// The level.
    pub level: Isa,
    /// The algorithms that were compared at least once.
    pub pairs: usize,
    /// All comparisons.
    pub comparisons: u64,
}

impl Report {
    /// Adds up `counts`.
    pub fn new(seed: u64, counts: Vec<(&'static Entry, u64)>) -> Report {
        let mut levels: Vec<LevelCount> = Vec::new();
        for &level in Isa::ALL {
            let here = counts.iter().filter(|(entry, _)| entry.level == level);
            let here: Vec<u64> = here.map(|&(_, count)| count).collect();
            if !here.is_empty() {
                levels.push(LevelCount {
                    level,
                    pairs: here.iter().filter(|&&count| count > 0).count(),
                    comparisons: here.iter().sum(),
                });
            }
        }
        Report {
            seed,
            pairs: levels.iter().map(|level| level.pairs).sum(),
            comparisons: levels.iter().map(|level| level.comparisons).sum(),
            levels,
            counts,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.levels {
            let count = grouped(row.comparisons);
            writeln!(
                f,
                "{:<8} {:>4} algorithms {count:>15} comparisons",
                row.level, row.pairs
            )?;
        }
        let count = grouped(self.comparisons);
        write!(
            f,
            "{:<8} {:>4} algorithms {count:>15} comparisons",
            "all", self.pairs
        )
    }
}

/// A number with commas between the thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::runnable;

    #[test]
    fn levels_add_up_and_what_was_not_compared_does_not_count() {
        let counts: Vec<_> = runnable().zip([0, 5, 7].into_iter().cycle()).collect();
        let all = counts.len();
        let report = Report::new(1, counts);
        assert_eq!(report.pairs, all - all.div_ceil(3));
        let text = report.to_string();
        assert_eq!(text.lines().count(), report.levels.len() + 1, "{text}");
        for (number, written) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1234567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), written);
        }
    }
}
