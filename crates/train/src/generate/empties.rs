//! Distribution of empty squares over positions.

use std::fmt;
use std::str::FromStr;

use outflank_random::SplitMix64;

const MAX: u32 = 60;

/// Distribution of numbers of empty squares, 1 to 60, as weighted ranges.
///
/// The text form is `10..18`, or `10..14:3,15..18`: each number from 10 to 14 is three times as likely as each from
/// 15 to 18.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmptiesDistribution {
    ranges: Vec<WeightedRange>,
    /// Sum of the shares of all numbers up to each index.
    cumulative: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct WeightedRange {
    first: u32,
    last: u32,
    share: u32,
}

/// Invalid text form of [`EmptiesDistribution`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "expected numbers of empty squares from 1 to {MAX} such as 10..18 or, with shares, 10..14:3,15..18, \
     found '{0}'"
)]
pub struct EmptiesDistributionError(String);

impl EmptiesDistribution {
    /// Minimum number of empty squares with a share.
    pub fn least(&self) -> u32 {
        self.cumulative.partition_point(|&sum| sum == 0) as u32
    }

    /// Maximum number of empty squares with a share.
    pub fn most(&self) -> u32 {
        let all = self.cumulative[MAX as usize];
        self.cumulative.partition_point(|&sum| sum < all) as u32
    }

    pub(super) fn draw(&self, random: &mut SplitMix64) -> u32 {
        let drawn = random.below(self.cumulative[MAX as usize]);
        self.cumulative.partition_point(|&sum| sum <= drawn) as u32
    }
}

impl FromStr for EmptiesDistribution {
    type Err = EmptiesDistributionError;

    fn from_str(text: &str) -> Result<EmptiesDistribution, EmptiesDistributionError> {
        let range = |text: &str| {
            let (range, share) = text.split_once(':').unwrap_or((text, "1"));
            let (first, last) = range.split_once("..").unwrap_or((range, range));
            let range = WeightedRange {
                first: first.parse().ok()?,
                last: last.parse().ok()?,
                share: share.parse().ok()?,
            };
            let is_valid = 1 <= range.first && range.first <= range.last && range.last <= MAX;
            (is_valid && range.share > 0).then_some(range)
        };
        let ranges: Option<Vec<WeightedRange>> = text.split(',').map(range).collect();
        let ranges = ranges.ok_or_else(|| EmptiesDistributionError(text.to_owned()))?;
        let mut cumulative = vec![0; MAX as usize + 1];
        for range in &ranges {
            for (sum, empties) in cumulative.iter_mut().zip(0..) {
                let count =
                    u64::from((empties + 1).clamp(range.first, range.last + 1) - range.first);
                *sum += count * u64::from(range.share);
            }
        }
        Ok(EmptiesDistribution { ranges, cumulative })
    }
}

impl fmt::Display for EmptiesDistribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, range) in self.ranges.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{}..{}", range.first, range.last)?;
            if range.share != 1 {
                write!(f, ":{}", range.share)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_drawn_by_their_shares() {
        let empties: EmptiesDistribution = "10..12:3,20,11".parse().unwrap();
        assert_eq!(empties.to_string(), "10..12:3,20..20,11..11");
        assert_eq!((empties.least(), empties.most()), (10, 20));
        let mut counts = [0; 61];
        let mut random = SplitMix64::new(1);
        for _ in 0..110_000 {
            counts[empties.draw(&mut random) as usize] += 1;
        }
        for (empties, &count) in counts.iter().enumerate() {
            let share = match empties {
                10 | 12 => 3,
                11 => 4,
                20 => 1,
                _ => 0,
            };
            let expected = share * 10_000;
            assert!(
                (expected - 500..=expected + 500).contains(&count),
                "{empties}: {count}"
            );
        }
        for wrong in [
            "", "x", "0..5", "50..61", "9..8", "10..12:0", "10..12:", "1..2,", "-1", "1...2",
        ] {
            assert!(wrong.parse::<EmptiesDistribution>().is_err(), "{wrong}");
        }
    }
}
