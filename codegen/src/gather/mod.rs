//! Bit gathering by multiplication, for any squares in any order: masks, multipliers and shifts that
//! bring chosen squares of a bitboard together, each with a proof that no carry disturbs them.
//!
//! The idea is Vlad Petric's "Bit Gather Via Multiplication" (2013), known to chess programmers as
//! kindergarten bitboards, and his "Bit Gathering and base-2-to-base-3 conversion for Othello" (2014).
//! The articles leave the general algorithm open; `docs/guide/bit-gathering.md` has it, and says why the
//! search for a given order is one check: squares and order force every bit of the multiplier that
//! matters, and further bits only disturb.
//!
//! - [`one`]: one multiplication for squares in a given order.
//! - [`any_order`]: one multiplication, the order left free.
//! - [`plan`]: as few multiplications as possible, which always exist; [`plan_code`] joins them.

mod order;
mod part;
mod plan;
mod proof;

pub use order::any_order;
pub use part::{Part, Term};
pub use plan::{EXACT_SQUARES, plan, plan_code};
pub use proof::{Flaw, Proof, Stage};

/// What to gather: distinct squares, A1 = 0 to H8 = 63; the first becomes the lowest bit or digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    squares: Vec<u8>,
}

/// Why a list of squares is no [`Target`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTarget {
    /// Nothing to gather.
    #[error("no squares to gather: give between 1 and {} of them", Target::MAX)]
    Empty,
    /// More squares than base 3 has digits in 64 bits.
    #[error(
        "{squares} squares are too many: at most {} can be gathered",
        Target::MAX
    )]
    TooMany {
        /// How many.
        squares: usize,
    },
    /// A square off the board.
    #[error("{0} is no square: squares are 0 (A1) to 63 (H8)")]
    NoSquare(u8),
    /// A square that comes twice.
    #[error("{} comes twice", square_name(*.0))]
    Twice(u8),
}

impl Target {
    /// The most squares that can be gathered: 40 base 3 digits fit into 64 bits.
    pub const MAX: usize = 40;

    /// The given squares, the first of them as the lowest bit or digit.
    pub fn new(squares: Vec<u8>) -> Result<Target, BadTarget> {
        let mut seen = 0u64;
        for &square in &squares {
            if square > 63 {
                return Err(BadTarget::NoSquare(square));
            }
            if seen >> square & 1 == 1 {
                return Err(BadTarget::Twice(square));
            }
            seen |= 1 << square;
        }
        match squares.len() {
            0 => Err(BadTarget::Empty),
            1..=Target::MAX => Ok(Target { squares }),
            squares => Err(BadTarget::TooMany { squares }),
        }
    }

    /// The squares of `mask`, the lowest square as the lowest bit or digit.
    pub fn in_order(mask: u64) -> Result<Target, BadTarget> {
        Target::new((0..64).filter(|square| mask >> square & 1 == 1).collect())
    }

    /// The squares of `mask`, the highest square as the lowest bit or digit.
    pub fn reversed(mask: u64) -> Result<Target, BadTarget> {
        let squares = (0..64).rev().filter(|square| mask >> square & 1 == 1);
        Target::new(squares.collect())
    }

    /// The squares, that of the lowest bit or digit first.
    pub fn squares(&self) -> &[u8] {
        &self.squares
    }

    /// The squares as a bitboard.
    pub fn mask(&self) -> u64 {
        self.squares
            .iter()
            .fold(0, |mask, square| mask | 1 << square)
    }

    /// Each square with what it adds to the result: the powers of `base`, in order.
    fn values(&self, base: Base) -> Vec<(u8, u64)> {
        let powers = (0..).map(|digit| base.radix().pow(digit));
        self.squares.iter().copied().zip(powers).collect()
    }
}

/// What the gathered squares are digits of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// A binary number: an index into a table of 2^k.
    Two,
    /// A number of base 3 whose digits are 0 and 1: one side's half of a pattern index.
    Three,
}

impl Base {
    /// 2 or 3.
    pub fn radix(self) -> u64 {
        match self {
            Base::Two => 2,
            Base::Three => 3,
        }
    }
}

/// No single multiplication does it; the search that says so leaves nothing out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMultiplier {
    /// Not in the order asked for.
    #[error(
        "no single multiplication gathers these {squares} squares in this order in base {radix} \
         (all 64-bit multipliers, final shifts and shifts before were searched): {flaw}"
    )]
    InThisOrder {
        /// How many squares.
        squares: usize,
        /// The base.
        radix: u64,
        /// What is wrong with the multiplier that the order forces.
        flaw: Flaw,
    },
    /// Not in any order.
    #[error(
        "no single multiplication gathers these {squares} squares in base {radix} \
         (all orders, 64-bit multipliers, final shifts and shifts before were searched)"
    )]
    InAnyOrder {
        /// How many squares.
        squares: usize,
        /// The base.
        radix: u64,
    },
}

/// The single multiplication that gathers `target`, or the proof's reason why there is none.
///
/// The search is complete: all 64-bit multipliers, all shifts after and before the multiplication.
pub fn one(target: &Target, base: Base) -> Result<Part, NoMultiplier> {
    Part::cheapest(&target.values(base), base).map_err(|flaw| NoMultiplier::InThisOrder {
        squares: target.squares.len(),
        radix: base.radix(),
        flaw,
    })
}

/// The field's name of a square: `A1` for 0, `H8` for 63.
pub fn square_name(square: u8) -> String {
    let column = char::from(b'A' + square % 8);
    format!("{column}{}", square / 8 + 1)
}
