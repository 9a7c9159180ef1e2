//! Proof of a gather: claims that can be checked from the numbers of the expression alone.
//!
//! For a single square the product is the multiplier shifted left by the square. Every product is a sum of such shifted
//! copies. The stage is the kept bits of the product. Three facts suffice:
//!
//! 1. Each copy holds exactly the value of its square in the stage.
//! 2. The sum of all values fits into the stage.
//! 3. The sum of all bits below the stage stays below it, so no carry enters.
//!
//! Bits above the stage never move down.
//!
//! The third fact is necessary, too. Put discs on the squares one by one. Each adds less than one unit of carry, so the
//! first carry that is not 0 is 1. The result for that board is wrong by one.

use std::fmt;

use super::square_name;

/// Contribution of one square to a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareTerm {
    /// Index of the square, A1 = 0.
    pub square: u8,
    /// Lowest bit of the multiplier that brings the square into the stage.
    pub bit: u32,
    /// Value that the square adds to the result, before the multiplication's scale.
    pub value: u64,
}

/// Run of adjacent bits of the product that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Lowest bit of the run.
    pub lowest_bit: u32,
    /// Number of bits.
    pub width: u32,
    /// Sum of all bits of the copies below the stage, for a board with all squares of the mask.
    pub junk: u128,
}

/// Proof that `((board & mask) >> pre_shift) * multiplier >> shift & keep` sums the values of its squares, for all
/// boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatherProof {
    /// Gathered squares.
    pub mask: u64,
    /// Shift right before the multiplication.
    pub pre_shift: u32,
    /// The multiplier.
    pub multiplier: u64,
    /// Shift right after the multiplication.
    pub shift: u32,
    /// Mask of the result; `None` keeps all bits.
    pub keep: Option<u64>,
    /// Contributions of the squares.
    pub terms: Vec<SquareTerm>,
    /// Kept bits of the product: one stage, or several if there are gaps between them.
    pub stages: Vec<Stage>,
}

/// Claim of a proof that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatherFlaw {
    /// The necessary shift before the multiplication loses a square.
    #[error(
        "the result would need a shift right by {pre_shift} before the multiplication, \
         and that loses {}", square_name(*.square)
    )]
    Lost {
        /// The square.
        square: u8,
        /// The shift.
        pre_shift: u32,
    },
    /// A square adds a wrong value.
    #[error("{} adds {actual} to the result instead of {wanted}", square_name(*.square))]
    Value {
        /// The square.
        square: u8,
        /// Value that the square adds.
        actual: u64,
        /// Value that the square should add.
        wanted: u64,
    },
    /// The values do not fit into the stage.
    #[error("the values add up to more than {width} bits from bit {lowest_bit} of the product")]
    Overflow {
        /// Lowest bit of the stage.
        lowest_bit: u32,
        /// Number of bits of the stage.
        width: u32,
    },
    /// A carry enters the stage from below.
    #[error("the bits below bit {lowest_bit} of the product add up to {junk:#x} and carry into it")]
    Carry {
        /// Lowest bit of the stage.
        lowest_bit: u32,
        /// Sum of all bits below the stage.
        junk: u128,
    },
    /// A shift by 64 bits or more.
    #[error("a shift by {0} leaves nothing of 64 bits")]
    Shift(u32),
    /// A list in the proof contradicts its mask, multiplier and shifts.
    #[error("the listed {0} are not those of the mask, multiplier and shift")]
    Inconsistent(&'static str),
}

impl GatherProof {
    /// Adds the claims about the stages, not yet checked.
    pub(super) fn with_stages(mut self) -> GatherProof {
        self.stages = self.stages();
        self
    }

    /// Checks all claims against the mask, the shifts and the multiplier.
    pub fn verify(&self) -> Result<(), GatherFlaw> {
        let square_bit = |term: &SquareTerm| 1u64.checked_shl(term.square.into()).unwrap_or(0);
        let terms = self.terms.iter();
        let listed = terms.fold(0, |mask, term| mask | square_bit(term));
        if listed != self.mask || self.terms.len() != self.mask.count_ones() as usize {
            return Err(GatherFlaw::Inconsistent("squares"));
        }
        if self.shift > 63 {
            return Err(GatherFlaw::Shift(self.shift));
        }
        let lowest = self.mask.trailing_zeros();
        if self.pre_shift > lowest {
            return Err(GatherFlaw::Lost {
                square: lowest as u8,
                pre_shift: self.pre_shift,
            });
        }
        for term in &self.terms {
            let actual = self.copy(term.square) >> self.shift & self.kept();
            if actual != term.value {
                return Err(GatherFlaw::Value {
                    square: term.square,
                    actual,
                    wanted: term.value,
                });
            }
            let product_bit = self.shift + term.value.trailing_zeros() + self.pre_shift;
            if term.bit + u32::from(term.square) != product_bit {
                return Err(GatherFlaw::Inconsistent("multiplier bits"));
            }
        }
        let stages = self.stages();
        for stage in &stages {
            let terms = self.terms.iter();
            let sum: u128 = terms.map(|term| self.within(term.value, stage)).sum();
            if sum >> stage.width != 0 {
                return Err(GatherFlaw::Overflow {
                    lowest_bit: stage.lowest_bit,
                    width: stage.width,
                });
            }
            if stage.junk >> stage.lowest_bit != 0 {
                return Err(GatherFlaw::Carry {
                    lowest_bit: stage.lowest_bit,
                    junk: stage.junk,
                });
            }
        }
        if stages != self.stages {
            return Err(GatherFlaw::Inconsistent("stages"));
        }
        Ok(())
    }

    /// Product for a board with `square` alone.
    fn copy(&self, square: u8) -> u64 {
        self.multiplier << (u32::from(square) - self.pre_shift)
    }

    /// Mask of the kept bits of the result.
    fn kept(&self) -> u64 {
        self.keep.unwrap_or(u64::MAX >> self.shift)
    }

    /// Bits of `value` in `stage`, in units of the stage's lowest bit.
    fn within(&self, value: u64, stage: &Stage) -> u128 {
        let bits = u128::from(value) >> (stage.lowest_bit - self.shift);
        bits & ((1 << stage.width) - 1)
    }

    /// Runs of kept bits, each with the sum of all bits below it.
    fn stages(&self) -> Vec<Stage> {
        let squares = (0..64).filter(|square| self.mask >> square & 1 == 1);
        let mut stages = Vec::new();
        let mut kept = u128::from(self.kept()) << self.shift;
        while kept != 0 {
            let lowest_bit = kept.trailing_zeros();
            let width = (kept >> lowest_bit).trailing_ones();
            kept &= !(((1 << width) - 1) << lowest_bit);
            let kept_squares = squares
                .clone()
                .filter(|&square| u32::from(square) >= self.pre_shift);
            let junk = kept_squares
                .map(|square| u128::from(self.copy(square)) & ((1 << lowest_bit) - 1))
                .sum();
            stages.push(Stage {
                lowest_bit,
                width,
                junk,
            });
        }
        stages
    }
}

impl fmt::Display for GatherProof {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for stage in &self.stages {
            let (first, last) = (stage.lowest_bit, stage.lowest_bit + stage.width - 1);
            writeln!(out, "kept of the product: bits {first} to {last}")?;
            let terms = self.terms.iter();
            for term in terms.filter(|term| self.within(term.value, stage) != 0) {
                let (name, bit) = (square_name(term.square), term.bit);
                writeln!(
                    out,
                    "  {name} by the multiplier from bit {bit}: adds {}",
                    term.value
                )?;
            }
            let (lowest_bit, junk) = (stage.lowest_bit, stage.junk);
            writeln!(
                out,
                "  below bit {lowest_bit} all squares add up to {junk:#x} < 2^{lowest_bit}: no carry"
            )?;
        }
        Ok(())
    }
}
