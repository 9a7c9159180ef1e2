//! Search over all orders for one multiplication.
//!
//! In base 2 each bit of the multiplier brings a window of the board, as wide as the stage, into the stage. An order is
//! a choice of windows. Every square lies in exactly one window, and no two squares share a position of the result. The
//! search goes from the lowest square up. The next window starts above the squares that have positions and contains the
//! next square. So there are few choices, and each gives positions to a whole group of squares.
//!
//! In base 3 the copies of two squares overlap if their distance is less than the width of the stage. Then their powers
//! of 3 must have the same bits there. Few pairs of powers do.

use super::{Base, Multiplication, NoMultiplier, Target, single_multiplication};

/// Finds the best order for one multiplication of the squares; the order in `squares` does not matter.
///
/// The search covers all orders. In base 2 it prefers no shift before the multiplication, then few bits in the
/// multiplier, then low squares at low positions. In base 3 it takes the first order found.
pub fn any_order(squares: &Target, base: Base) -> Result<(Target, Multiplication), NoMultiplier> {
    let mut ascending = squares.squares().to_vec();
    ascending.sort_unstable();
    let count = ascending.len();
    let mut search = OrderSearch {
        squares: ascending,
        base,
        best: None,
    };
    let mut positions = Vec::with_capacity(count);
    match base {
        Base::Two => search.try_windows(&mut positions, 0, 0),
        Base::Three => {
            search.try_powers(&mut positions);
        }
    }
    search.best.ok_or(NoMultiplier::InAnyOrder {
        squares: count,
        radix: base.radix(),
    })
}

struct OrderSearch {
    /// Squares, the lowest first.
    squares: Vec<u8>,
    base: Base,
    best: Option<(Target, Multiplication)>,
}

impl OrderSearch {
    /// Tries all windows for the squares that have no position yet.
    ///
    /// `positions` are the positions of the lowest squares, `used` is their mask.
    fn try_windows(&mut self, positions: &mut Vec<u8>, used: u64, window_count: u32) {
        let (done, count) = (positions.len(), self.squares.len());
        let Some(&square) = self.squares.get(done) else {
            self.keep_better(positions);
            return;
        };
        if matches!(&self.best, Some((_, best)) if rank(best) <= (false, window_count + 1)) {
            return;
        }
        for position in 0..count as u8 {
            // The start of the window may lie below A1.
            let start = i32::from(square) - i32::from(position);
            if done > 0 && start <= i32::from(self.squares[done - 1]) {
                break;
            }
            let positions_in_window = self.squares[done..]
                .iter()
                .map(|&square| i32::from(square) - start)
                .take_while(|&position| position < count as i32);
            let mut taken = used;
            let mut free = true;
            for position in positions_in_window {
                free &= taken >> position & 1 == 0;
                taken |= 1 << position;
                positions.push(position as u8);
            }
            if free {
                self.try_windows(positions, taken, window_count + 1);
            }
            positions.truncate(done);
        }
    }

    /// Tries all powers of 3 for the squares that have none yet. Returns `true` if an order is found.
    fn try_powers(&mut self, digits: &mut Vec<u8>) -> bool {
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
            if self.try_powers(digits) {
                return true;
            }
            digits.pop();
        }
        false
    }

    /// Returns `true` if the next square may have `digit` when the lower squares have `digits`.
    ///
    /// Shifted copies of the multiplier overlap. There the powers of both squares must have the same bits.
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

    /// Keeps the order if it has a multiplication that is better than the best so far.
    fn keep_better(&mut self, positions: &[u8]) {
        let mut squares = vec![0; positions.len()];
        for (&position, &square) in positions.iter().zip(&self.squares) {
            squares[usize::from(position)] = square;
        }
        let target = Target { squares };
        let Ok(part) = single_multiplication(&target, self.base) else {
            return;
        };
        let best = self.best.as_ref();
        if best.is_none_or(|(_, best)| rank(&part) < rank(best)) {
            self.best = Some((target, part));
        }
    }
}

/// Sort key of orders, the best first: no shift before the multiplication, then few bits in the multiplier.
fn rank(part: &Multiplication) -> (bool, u32) {
    (part.pre_shift > 0, part.multiplier.count_ones())
}
