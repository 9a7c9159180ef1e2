//! One multiplication: how its numbers follow from the squares and what they are worth, what it costs,
//! and how it is written in Rust.

use super::Base;
use super::proof::{Flaw, Proof};

/// One square's share of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The square.
    pub square: u8,
    /// The lowest bit of the multiplier that brings it into the stage.
    pub bit: u32,
    /// What the square adds to the result, before [`Part::scale`].
    pub value: u64,
}

/// One multiplication: `(((board & mask) >> pre_shift) * multiplier >> shift & keep) * scale`, in 64
/// bits with wrap-around.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The squares gathered.
    pub mask: u64,
    /// The shift right before the multiplication, nearly always 0.
    pub pre_shift: u32,
    /// The multiplier. A power of two is a shift, and written so.
    pub multiplier: u64,
    /// The shift right after the multiplication.
    pub shift: u32,
    /// The bits to keep, where others than the wanted ones arrive.
    pub keep: Option<u64>,
    /// A power of 3 that all values have in common and the multiplier leaves out; mostly 1.
    pub scale: u64,
    /// What the squares are digits of: parts of base 2 are joined by `|`, those of base 3 by `+`.
    pub base: Base,
    /// What each square adds, before `scale`.
    pub terms: Vec<Term>,
}

impl Part {
    /// The cheapest multiplication that adds up the values of the squares on the board.
    pub(super) fn cheapest(values: &[(u8, u64)], base: Base) -> Result<Part, Flaw> {
        let plain = Part::forced(values, 1, false, base);
        let mut variants = match base {
            Base::Two if plain.is_err() => vec![Part::forced(values, 1, true, base)],
            Base::Two => Vec::new(),
            Base::Three => common_powers(values)
                .map(|scale| Part::forced(values, scale, false, base))
                .collect(),
        };
        variants.insert(0, plain);
        let best = variants
            .iter()
            .flatten()
            .min_by_key(|part| part.cost())
            .cloned();
        best.ok_or_else(|| variants.remove(0).expect_err("no variant is good"))
    }

    /// The only multiplication there can be for the values, divided by `scale`. With `gaps`, bits of
    /// the result where no value has any may hold anything, and are cut off.
    fn forced(values: &[(u8, u64)], scale: u64, gaps: bool, base: Base) -> Result<Part, Flaw> {
        let sum = values.iter().map(|(_, value)| value / scale).sum::<u64>();
        // The stage at the top: nothing lies above it, and there is most room below.
        let shift = sum.leading_zeros();
        let reach = |&(square, value): &(u8, u64)| {
            u32::from(square).saturating_sub(shift + (value / scale).trailing_zeros())
        };
        let pre_shift = values.iter().map(reach).max().unwrap_or(0);
        let lowest = values.iter().map(|&(square, _)| square).min().unwrap_or(0);
        if pre_shift > u32::from(lowest) {
            return Err(Flaw::Lost {
                square: lowest,
                pre_shift,
            });
        }
        let mut part = Part {
            mask: 0,
            pre_shift,
            multiplier: 0,
            shift,
            keep: gaps.then_some(sum),
            scale,
            base,
            terms: Vec::with_capacity(values.len()),
        };
        for &(square, value) in values {
            let value = value / scale;
            let bit = shift + value.trailing_zeros() + pre_shift - u32::from(square);
            part.mask |= 1 << square;
            // The copy of the multiplier that the square shifts must hold the value in the stage.
            part.multiplier |= value >> value.trailing_zeros() << bit;
            part.terms.push(Term { square, bit, value });
        }
        part.proof().verify()?;
        Ok(part)
    }

    /// What to prefer: few cycles in a row (a multiplication takes 3), then few bits.
    pub(super) fn cost(&self) -> (u32, u32) {
        let multiply = if self.multiplier.is_power_of_two() {
            0
        } else {
            3
        };
        let before = u32::from(self.pre_shift > 0 && multiply > 0);
        let after = 2 + u32::from(self.keep.is_some()) + if self.scale > 1 { 3 } else { 0 };
        (multiply + before + after, self.multiplier.count_ones())
    }

    /// What the expression makes of a board.
    pub fn apply(&self, board: u64) -> u64 {
        let product = ((board & self.mask) >> self.pre_shift).wrapping_mul(self.multiplier);
        (product >> self.shift & self.keep.unwrap_or(u64::MAX)) * self.scale
    }

    /// Why it is right; [`Proof::verify`] checks it.
    pub fn proof(&self) -> Proof {
        Proof::of(self)
    }

    /// A Rust expression of type `u64`, `variable` being a `u64`. Operators as loose as `&` may be at
    /// its top.
    pub fn code(&self, variable: &str) -> String {
        let mut code = match self.multiplier.is_power_of_two() {
            true => self.shift_code(variable),
            false => self.multiplication_code(variable),
        };
        if let Some(keep) = self.keep {
            code = format!("{code} & {keep:#x}");
        }
        if self.scale > 1 {
            code = format!("({code}) * {}", self.scale);
        }
        code
    }

    fn multiplication_code(&self, variable: &str) -> String {
        let mut masked = format!("({variable} & {:#018x})", self.mask);
        if self.pre_shift > 0 {
            masked = format!("({masked} >> {})", self.pre_shift);
        }
        let product = format!("{masked}.wrapping_mul({:#018x})", self.multiplier);
        match self.shift {
            0 => product,
            shift => format!("{product} >> {shift}"),
        }
    }

    /// All squares move by the same distance; the mask goes where the shift alone does its work.
    fn shift_code(&self, variable: &str) -> String {
        let right = self.pre_shift + self.shift;
        let left = self.multiplier.trailing_zeros();
        let (operator, distance, alone) = match right.checked_sub(left) {
            Some(distance) => (">>", distance, u64::MAX << distance),
            None => ("<<", left - right, u64::MAX >> (left - right)),
        };
        let masked = match self.mask == alone {
            true => variable.to_owned(),
            false => format!("{variable} & {:#018x}", self.mask),
        };
        match (distance, self.mask == alone) {
            (0, _) => masked,
            (_, true) => format!("{masked} {operator} {distance}"),
            (_, false) => format!("({masked}) {operator} {distance}"),
        }
    }
}

/// The powers of 3 above 1 that divide all values, the greatest first.
fn common_powers(values: &[(u8, u64)]) -> impl Iterator<Item = u64> {
    let least = values.iter().map(|&(_, value)| value).min().unwrap_or(1);
    std::iter::successors(Some(least), |power| Some(power / 3)).take_while(|&power| power > 1)
}
