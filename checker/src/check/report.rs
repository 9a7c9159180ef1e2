//! What a check without a difference counted.

use outflank_kernels::Isa;

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
    pub isa: Isa,
    /// The algorithms that were compared at least once.
    pub pairs: usize,
    /// All comparisons.
    pub comparisons: u64,
}

impl Report {
    /// Adds up `counts`.
    pub fn new(seed: u64, counts: Vec<(&'static Entry, u64)>) -> Report {
        let mut levels: Vec<LevelCount> = Vec::new();
        for &isa in Isa::ALL {
            let here = counts.iter().filter(|(entry, _)| entry.isa == isa);
            let here: Vec<u64> = here.map(|&(_, count)| count).collect();
            if !here.is_empty() {
                levels.push(LevelCount {
                    isa,
                    pairs: here.iter().filter(|&&count| count > 0).count(),
                    comparisons: here.iter().sum(),
                });
            }
        }
        Report {
            seed,
            pairs: levels.iter().map(|row| row.pairs).sum(),
            comparisons: levels.iter().map(|row| row.comparisons).sum(),
            levels,
            counts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::runnable;

    #[test]
    fn levels_add_up_and_what_was_not_compared_does_not_count() {
        let counts: Vec<_> = runnable().zip([0, 5, 7].into_iter().cycle()).collect();
        let all = counts.len();
        let report = Report::new(1, counts);
        assert_eq!(report.pairs, all - all.div_ceil(3));
        let levels = report.levels.iter();
        assert_eq!(
            levels.clone().map(|row| row.pairs).sum::<usize>(),
            report.pairs
        );
        assert_eq!(
            levels.map(|row| row.comparisons).sum::<u64>(),
            report.comparisons
        );
        assert_eq!(report.levels.len(), Isa::available().len());
    }
}
