//! One multiplication: search for its numbers, cost, and code in Rust.

use super::Base;
use super::proof::{GatherFlaw, GatherProof, SquareTerm};

/// One multiplication: `(((board & mask) >> pre_shift) * multiplier >> shift & keep) * scale`, modulo 2^64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multiplication {
    /// Gathered squares.
    pub mask: u64,
    /// Shift right before the multiplication, nearly always 0.
    pub pre_shift: u32,
    /// The multiplier; a power of two is written as a shift.
    pub multiplier: u64,
    /// Shift right after the multiplication.
    pub shift: u32,
    /// Mask of the result, if unwanted bits get between the wanted ones.
    pub keep: Option<u64>,
    /// Final factor: a power of 3 that all values share and the multiplier leaves out; mostly 1.
    pub scale: u64,
    /// Base of the result. `|` joins multiplications of base 2, `+` multiplications of base 3.
    pub base: Base,
    /// Contribution of each square, before `scale`.
    pub terms: Vec<SquareTerm>,
}

impl Multiplication {
    /// Finds the cheapest multiplication that sums the values of the squares on the board.
    pub(super) fn cheapest(values: &[(u8, u64)], base: Base) -> Result<Multiplication, GatherFlaw> {
        let plain = Multiplication::forced(values, 1, false, base);
        let mut variants = match base {
            Base::Two if plain.is_err() => vec![Multiplication::forced(values, 1, true, base)],
            Base::Two => Vec::new(),
            Base::Three => common_powers(values)
                .map(|scale| Multiplication::forced(values, scale, false, base))
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

    /// Finds the only possible multiplication for the values divided by `scale`.
    ///
    /// With `gaps`, bits of the result that no value uses are masked out and may be anything before.
    fn forced(
        values: &[(u8, u64)],
        scale: u64,
        gaps: bool,
        base: Base,
    ) -> Result<Multiplication, GatherFlaw> {
        let sum = values.iter().map(|(_, value)| value / scale).sum::<u64>();
        // The stage lies at the top of the product, where it has most room below.
        let shift = sum.leading_zeros();
        let needed_shift = |&(square, value): &(u8, u64)| {
            u32::from(square).saturating_sub(shift + (value / scale).trailing_zeros())
        };
        let pre_shift = values.iter().map(needed_shift).max().unwrap_or(0);
        let lowest = values.iter().map(|&(square, _)| square).min().unwrap_or(0);
        if pre_shift > u32::from(lowest) {
            return Err(GatherFlaw::Lost {
                square: lowest,
                pre_shift,
            });
        }
        let mut part = Multiplication {
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
            // Shifted left by the square, the multiplier must hold the value in the stage.
            part.multiplier |= value >> value.trailing_zeros() << bit;
            part.terms.push(SquareTerm { square, bit, value });
        }
        part.proof().verify()?;
        Ok(part)
    }

    /// Cost in cycles of latency (a multiplication takes 3), then in bits of the multiplier.
    pub(super) fn cost(&self) -> (u32, u32) {
        let multiply = 3 * u32::from(!self.multiplier.is_power_of_two());
        let before = u32::from(self.pre_shift > 0 && multiply > 0);
        let after = 2 + u32::from(self.keep.is_some()) + if self.scale > 1 { 3 } else { 0 };
        (multiply + before + after, self.multiplier.count_ones())
    }

    /// Evaluates the expression for a board.
    pub fn apply(&self, board: u64) -> u64 {
        let product = ((board & self.mask) >> self.pre_shift).wrapping_mul(self.multiplier);
        (product >> self.shift & self.keep.unwrap_or(u64::MAX)) * self.scale
    }

    /// Proof that the expression is right; [`GatherProof::verify`] checks it.
    pub fn proof(&self) -> GatherProof {
        GatherProof {
            mask: self.mask,
            pre_shift: self.pre_shift,
            multiplier: self.multiplier,
            shift: self.shift,
            keep: self.keep,
            terms: self.terms.clone(),
            stages: Vec::new(),
        }
        .with_stages()
    }

    /// Rust expression of type `u64` for a variable of type `u64`; its outermost operator may bind as loosely as `&`.
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

    /// Code for a multiplier that is a power of two.
    ///
    /// The mask is left out if the shift drops the same bits.
    fn shift_code(&self, variable: &str) -> String {
        let right = self.pre_shift + self.shift;
        let left = self.multiplier.trailing_zeros();
        let (operator, distance, kept_by_shift) = match right.checked_sub(left) {
            Some(distance) => (">>", distance, u64::MAX << distance),
            None => ("<<", left - right, u64::MAX >> (left - right)),
        };
        let masked = match self.mask == kept_by_shift {
            true => variable.to_owned(),
            false => format!("{variable} & {:#018x}", self.mask),
        };
        match (distance, self.mask == kept_by_shift) {
            (0, _) => masked,
            (_, true) => format!("{masked} {operator} {distance}"),
            (_, false) => format!("({masked}) {operator} {distance}"),
        }
    }
}

/// Powers of 3 above 1 that divide all values, the greatest first.
fn common_powers(values: &[(u8, u64)]) -> impl Iterator<Item = u64> {
    let least = values.iter().map(|&(_, value)| value).min().unwrap_or(1);
    std::iter::successors(Some(least), |power| Some(power / 3)).take_while(|&power| power > 1)
}
