//! One multiplication with the order left free: the search over all orders.
//!
//! In base 2 a bit of the multiplier brings a window of the board into the stage, as wide as the stage,
//! and all squares in it with it. So an order is a choice of windows that hold every square exactly
//! once, no two squares at the same place. From the lowest square up, each next window starts above
//! the squares already seen and ends at or above the next: few choices, and whole groups of squares
//! settled by each. In base 3 two squares that are closer than the stage is wide must agree on the
//! bits that their powers of 3 share, and few pairs of powers do.

use super::{Base, NoMultiplier, Part, Target, one};

/// The best order for one multiplication of the squares of `squares` (whose own order does not count),
/// and that multiplication.
///
/// All orders are searched. Preferred is, in base 2, first no shift before the multiplication, then
/// few bits in the multiplier, then the low squares at low places; in base 3 the first order found.
pub fn any_order(squares: &Target, base: Base) -> Result<(Target, Part), NoMultiplier> {
    let mut ascending = squares.squares().to_vec();
    ascending.sort_unstable();
    let count = ascending.len();
    let mut search = Search {
        squares: ascending,
        base,
        best: None,
    };
    let mut places = Vec::with_capacity(count);
    match base {
        Base::Two => search.windows(&mut places, 0, 0),
        Base::Three => {
            search.powers(&mut places);
        }
    }
    search.best.ok_or(NoMultiplier::InAnyOrder {
        squares: count,
        radix: base.radix(),
    })
}

struct Search {
    /// The lowest first.
    squares: Vec<u8>,
    base: Base,
    best: Option<(Target, Part)>,
}

impl Search {
    /// Tries all windows for the squares that have no place yet. `places` are those of the lowest
    /// squares, `used` the same as bits.
    fn windows(&mut self, places: &mut Vec<u8>, used: u64, windows: u32) {
        let (done, count) = (places.len(), self.squares.len());
        let Some(&square) = self.squares.get(done) else {
            self.keep_better(places);
            return;
        };
        if matches!(&self.best, Some((_, best)) if rank(best) <= (false, windows + 1)) {
            return;
        }
        for place in 0..count as u8 {
            // May lie below A1: the window's start, and so a distance rather than a square.
            let start = i32::from(square) - i32::from(place);
            if done > 0 && start <= i32::from(self.squares[done - 1]) {
                break;
            }
            let places_in = self.squares[done..]
                .iter()
                .map(|&square| i32::from(square) - start)
                .take_while(|&place| place < count as i32);
            let mut taken = used;
            let mut free = true;
            for place in places_in {
                free &= taken >> place & 1 == 0;
                taken |= 1 << place;
                places.push(place as u8);
            }
            if free {
                self.windows(places, taken, windows + 1);
            }
            places.truncate(done);
        }
    }

    /// Tries all powers of 3 for the squares that have none yet; true when an order is found.
    fn powers(&mut self, digits: &mut Vec<u8>) -> bool {
        let (done, count) = (digits.len(), self.squares.len() as u8);
        if done == self.squares.len() {
            self.keep_better(digits);
            return self.best.is_some();
        }
        for digit in 0..count {
            if digits.contains(&digit) || !self.agrees(digits, digit) {
                continue;
            }
            digits.push(digit);
            if self.powers(digits) {
                return true;
            }
            digits.pop();
        }
        false
    }

    /// Whether the next square may have `digit`, the lower squares having `digits`: where the copies
    /// of the multiplier overlap, both powers need the same bits.
    fn agrees(&self, digits: &[u8], digit: u8) -> bool {
        let power = |digit: u8| 3u64.pow(digit.into());
        let width = (power(self.squares.len() as u8) / 2).ilog2() + 1;
        let square = self.squares[digits.len()];
        digits
            .iter()
            .zip(&self.squares)
            .all(|(&lower_digit, lower)| {
                let distance = u32::from(square - lower);
                let shared = u64::MAX >> (64 - width.saturating_sub(distance).max(1));
                distance >= width || power(digit) >> distance == power(lower_digit) & shared
            })
    }

    /// Takes the order over, if a multiplication exists for it and is better than the best so far.
    fn keep_better(&mut self, places: &[u8]) {
        let mut squares = vec![0; places.len()];
        for (&place, &square) in places.iter().zip(&self.squares) {
            squares[usize::from(place)] = square;
        }
        let target = Target { squares };
        let Ok(part) = one(&target, self.base) else {
            return;
        };
        if self
            .best
            .as_ref()
            .is_none_or(|(_, best)| rank(&part) < rank(best))
        {
            self.best = Some((target, part));
        }
    }
}

/// What makes an order better: no shift before the multiplication, few bits of the multiplier.
fn rank(part: &Part) -> (bool, u32) {
    (part.pre_shift > 0, part.multiplier.count_ones())
}
