//! Counts of the comparisons in a check.

use outflank_kernels::Isa;

use crate::registry::CheckerEntry;

/// Numbers of comparisons in a check.
pub struct Report {
    /// The seed of the random cases.
    pub seed: u64,
    /// Comparisons of each entry with its reference.
    pub counts: Vec<(&'static CheckerEntry, u64)>,
    /// Sum over the levels of the algorithms that were compared at least once.
    pub algorithms: usize,
    /// Number of comparisons at all levels.
    pub comparisons: u64,
    /// Counts of each level, lower levels first.
    pub levels: Vec<LevelCount>,
}

/// Comparisons at one level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelCount {
    /// The level.
    pub isa: Isa,
    /// Number of algorithms that were compared at least once.
    pub algorithms: usize,
    /// Number of comparisons.
    pub comparisons: u64,
}

impl Report {
    /// Makes a report with the sums of `counts`.
    pub fn new(seed: u64, counts: Vec<(&'static CheckerEntry, u64)>) -> Report {
        let mut levels: Vec<LevelCount> = Vec::new();
        for &isa in Isa::ALL {
            let here = counts.iter().filter(|(entry, _)| entry.isa == isa);
            let here: Vec<u64> = here.map(|&(_, count)| count).collect();
            if !here.is_empty() {
                levels.push(LevelCount {
                    isa,
                    algorithms: here.iter().filter(|&&count| count > 0).count(),
                    comparisons: here.iter().sum(),
                });
            }
        }
        Report {
            seed,
            algorithms: levels.iter().map(|row| row.algorithms).sum(),
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
    fn levels_add_up_without_uncompared_entries() {
        let counts: Vec<_> = runnable().zip([0, 5, 7].into_iter().cycle()).collect();
        let all = counts.len();
        let report = Report::new(1, counts);
        assert_eq!(report.algorithms, all - all.div_ceil(3));
        let levels = report.levels.iter();
        assert_eq!(
            levels.clone().map(|row| row.algorithms).sum::<usize>(),
            report.algorithms
        );
        assert_eq!(
            levels.map(|row| row.comparisons).sum::<u64>(),
            report.comparisons
        );
        assert_eq!(report.levels.len(), Isa::available().len());
    }
}
