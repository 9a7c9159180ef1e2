//! How many empty squares positions are to have.

use std::fmt;
use std::str::FromStr;

use outflank_random::SplitMix;

/// The most empty squares of a position.
const MAX: u32 = 60;

/// Shares of the numbers of empty squares, 1 to 60: written `10..18`, or `10..14:3,15..18`, where each
/// number from 10 to 14 is three times as likely as each from 15 to 18.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shares {
    parts: Vec<Part>,
    /// For each number from 0 on, the shares up to it.
    sums: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    first: u32,
    last: u32,
    share: u32,
}

/// A text that gives no shares.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "expected numbers of empty squares from 1 to {MAX} such as 10..18 or, with shares, 10..14:3,15..18, \
     found '{0}'"
)]
pub struct SharesError(String);

impl Shares {
    /// The fewest empty squares that have a share.
    pub fn least(&self) -> u32 {
        self.sums.partition_point(|&sum| sum == 0) as u32
    }

    /// The most empty squares that have a share.
    pub fn most(&self) -> u32 {
        let all = self.sums[MAX as usize];
        self.sums.partition_point(|&sum| sum < all) as u32
    }

    /// A number of empty squares, each as likely as its share says.
    pub(super) fn draw(&self, random: &mut SplitMix) -> u32 {
        let drawn = random.below(self.sums[MAX as usize]);
        self.sums.partition_point(|&sum| sum <= drawn) as u32
    }
}

impl FromStr for Shares {
    type Err = SharesError;

    fn from_str(text: &str) -> Result<Shares, SharesError> {
        let part = |text: &str| {
            let (range, share) = text.split_once(':').unwrap_or((text, "1"));
            let (first, last) = range.split_once("..").unwrap_or((range, range));
            let part = Part {
                first: first.parse().ok()?,
                last: last.parse().ok()?,
                share: share.parse().ok()?,
            };
            let is_range = 1 <= part.first && part.first <= part.last && part.last <= MAX;
            (is_range && part.share > 0).then_some(part)
        };
        let parts: Option<Vec<Part>> = text.split(',').map(part).collect();
        let parts = parts.ok_or_else(|| SharesError(text.to_owned()))?;
        let share = |empties: u32| {
            let those = parts
                .iter()
                .filter(|part| (part.first..=part.last).contains(&empties));
            those.map(|part| u64::from(part.share)).sum::<u64>()
        };
        let add = |sum: &mut u64, empties| {
            *sum += share(empties);
            Some(*sum)
        };
        let sums = (0..=MAX).scan(0, add).collect();
        Ok(Shares { parts, sums })
    }
}

impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, part) in self.parts.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{}..{}", part.first, part.last)?;
            if part.share != 1 {
                write!(f, ":{}", part.share)?;
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
        let shares: Shares = "10..12:3,20,11".parse().unwrap();
        assert_eq!(shares.to_string(), "10..12:3,20..20,11..11");
        assert_eq!((shares.least(), shares.most()), (10, 20));
        let mut counts = [0; 61];
        let mut random = SplitMix::new(1);
        for _ in 0..110_000 {
            counts[shares.draw(&mut random) as usize] += 1;
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
            assert!(wrong.parse::<Shares>().is_err(), "{wrong}");
        }
    }
}
