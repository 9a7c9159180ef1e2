//! The proof of a gather: a list of claims that anyone can check with the numbers of the expression
//! alone.
//!
//! A square alone on the board turns the product into the multiplier, shifted left by the square. So
//! all products are sums of such copies, and three facts are enough. Each copy holds, in the stage (the
//! bits of the product that are kept), exactly what its square is worth. What all squares are worth
//! together fits into the stage. And the parts of the copies below the stage, all added up, stay below
//! it: no carry comes in. What lies above the stage never comes down.
//!
//! The third fact is necessary too. Put the squares on the board one by one: each brings less than
//! one unit of carry, so if the carry ever leaves 0 it is 1 first, and then the result is wrong by one.

use std::fmt;

use super::part::{Part, Term};
use super::square_name;

/// Neighbouring bits of the product that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The lowest of these bits.
    pub place: u32,
    /// How many bits.
    pub width: u32,
    /// The sum of all that lies below the stage, with every square of the mask set.
    pub junk: u128,
}

/// Why `((board & mask) >> pre_shift) * multiplier >> shift & keep` adds up the values of its squares,
/// for each of the boards that there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The squares that count.
    pub mask: u64,
    /// The shift right before the multiplication.
    pub pre_shift: u32,
    /// The multiplier.
    pub multiplier: u64,
    /// The shift right after the multiplication.
    pub shift: u32,
    /// The bits of the result that are kept; all where there is none.
    pub keep: Option<u64>,
    /// What each square adds to the result.
    pub terms: Vec<Term>,
    /// The kept bits of the product. One stage, unless the kept bits have gaps.
    pub stages: Vec<Stage>,
}

/// What is wrong with a proof, and so with its multiplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The shift before the multiplication is needed, but loses a square.
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
    /// A square adds something else than what it is worth.
    #[error("{} adds {found} to the result instead of {wanted}", square_name(*.square))]
    Term {
        /// The square.
        square: u8,
        /// What it adds.
        found: u64,
        /// What it should add.
        wanted: u64,
    },
    /// The values do not fit into the stage.
    #[error("the values add up to more than {width} bits at place {place} of the product")]
    Wide {
        /// The lowest bit of the stage.
        place: u32,
        /// The bits of the stage.
        width: u32,
    },
    /// A carry comes in from below.
    #[error(
        "what lies below place {place} of the product adds up to {junk:#x}, and carries into it"
    )]
    Carry {
        /// The lowest bit of the stage.
        place: u32,
        /// The sum.
        junk: u128,
    },
    /// A shift by more bits than there are.
    #[error("a shift by {0} leaves nothing of 64 bits")]
    Shift(u32),
    /// The lists of the proof are not those of its numbers.
    #[error("the listed {0} are not those of the mask, multiplier and shift")]
    List(&'static str),
}

impl Proof {
    /// The claims for `part`, not yet checked.
    pub(super) fn of(part: &Part) -> Proof {
        let mut proof = Proof {
            mask: part.mask,
            pre_shift: part.pre_shift,
            multiplier: part.multiplier,
            shift: part.shift,
            keep: part.keep,
            terms: part.terms.clone(),
            stages: Vec::new(),
        };
        proof.stages = proof.stages();
        proof
    }

    /// Checks all claims against mask, shifts and multiplier, and nothing else.
    pub fn verify(&self) -> Result<(), Flaw> {
        let square_bit = |term: &Term| 1u64.checked_shl(term.square.into()).unwrap_or(0);
        let listed = self
            .terms
            .iter()
            .fold(0, |mask, term| mask | square_bit(term));
        if listed != self.mask || self.terms.len() != self.mask.count_ones() as usize {
            return Err(Flaw::List("squares"));
        }
        if self.shift > 63 {
            return Err(Flaw::Shift(self.shift));
        }
        let lowest = self.mask.trailing_zeros();
        if self.pre_shift > lowest {
            return Err(Flaw::Lost {
                square: lowest as u8,
                pre_shift: self.pre_shift,
            });
        }
        for term in &self.terms {
            let found = self.copy(term.square) >> self.shift & self.kept();
            if found != term.value {
                return Err(Flaw::Term {
                    square: term.square,
                    found,
                    wanted: term.value,
                });
            }
            let place = self.shift + term.value.trailing_zeros() + self.pre_shift;
            if term.bit + u32::from(term.square) != place {
                return Err(Flaw::List("multiplier bits"));
            }
        }
        let stages = self.stages();
        for stage in &stages {
            let sum: u128 = self
                .terms
                .iter()
                .map(|term| self.within(term.value, stage))
                .sum();
            if sum >> stage.width != 0 {
                return Err(Flaw::Wide {
                    place: stage.place,
                    width: stage.width,
                });
            }
            if stage.junk >> stage.place != 0 {
                return Err(Flaw::Carry {
                    place: stage.place,
                    junk: stage.junk,
                });
            }
        }
        if stages != self.stages {
            return Err(Flaw::List("stages"));
        }
        Ok(())
    }

    /// The product of `square` alone.
    fn copy(&self, square: u8) -> u64 {
        self.multiplier << (u32::from(square) - self.pre_shift)
    }

    /// The bits of the result that are kept.
    fn kept(&self) -> u64 {
        self.keep.unwrap_or(u64::MAX >> self.shift)
    }

    /// The part of `value` that lies in `stage`, in units of its lowest bit.
    fn within(&self, value: u64, stage: &Stage) -> u128 {
        let bits = u128::from(value) >> (stage.place - self.shift);
        bits & ((1 << stage.width) - 1)
    }

    /// The runs of kept bits, with the junk below each.
    fn stages(&self) -> Vec<Stage> {
        let squares = (0..64).filter(|square| self.mask >> square & 1 == 1);
        let mut stages = Vec::new();
        let mut kept = u128::from(self.kept()) << self.shift;
        while kept != 0 {
            let place = kept.trailing_zeros();
            let width = (kept >> place).trailing_ones();
            kept &= !(((1 << width) - 1) << place);
            let below = squares
                .clone()
                .filter(|&square| u32::from(square) >= self.pre_shift);
            let junk = below
                .map(|square| u128::from(self.copy(square)) & ((1 << place) - 1))
                .sum();
            stages.push(Stage { place, width, junk });
        }
        stages
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for stage in &self.stages {
            let (first, last) = (stage.place, stage.place + stage.width - 1);
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
            let (place, junk) = (stage.place, stage.junk);
            writeln!(
                out,
                "  below bit {place} all squares add up to {junk:#x} < 2^{place}: no carry"
            )?;
        }
        Ok(())
    }
}
