//! Bit gathering by multiplication, for any squares in any order.
//!
//! A mask, a multiplication and a shift bring the chosen squares of a bitboard together, with a proof that no carry
//! disturbs them. A *stage* is a run of bits of the product that the result keeps.
//!
//! The idea is Vlad Petric's "Bit Gather Via Multiplication" (2013), known to chess programmers as
//! kindergarten bitboards, and his "Bit Gathering and base-2-to-base-3 conversion for Othello" (2014).
//! The articles leave the general algorithm open; `docs/guide/bit-gathering.md` describes it.
//!
//! The search for a given order is a single check. Squares and order determine every necessary bit of the multiplier.
//! Further bits can only disturb.
//!
//! - [`single_multiplication`]: one multiplication for squares in a given order.
//! - [`any_order`]: one multiplication for squares in any order.
//! - [`plan`]: the fewest multiplications, which always exist; [`plan_code`] joins them.

mod multiplication;
mod order;
mod plan;
mod proof;

pub use multiplication::Multiplication;
pub use order::any_order;
pub use plan::{EXACT_SQUARES, plan, plan_code};
pub use proof::{GatherFlaw, GatherProof, SquareTerm, Stage};

/// Distinct squares to gather, A1 = 0 to H8 = 63. The first square becomes the lowest bit or digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    squares: Vec<u8>,
}

/// Reason why a list of squares is no [`Target`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTarget {
    /// The list is empty.
    #[error("no squares to gather: give between 1 and {} of them", Target::MAX)]
    Empty,
    /// The list has more squares than 64 bits have digits of base 3.
    #[error(
        "{squares} squares are too many: at most {} can be gathered",
        Target::MAX
    )]
    TooMany {
        /// Number of squares.
        squares: usize,
    },
    /// A number is no square.
    #[error("{0} is no square: squares are 0 (A1) to 63 (H8)")]
    NoSquare(u8),
    /// A square occurs twice.
    #[error("{} comes twice", square_name(*.0))]
    Twice(u8),
}

impl Target {
    /// Maximum number of squares: 64 bits hold 40 digits of base 3.
    pub const MAX: usize = 40;

    /// Target of these squares, the first as the lowest bit or digit.
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

    /// Target of the squares of `mask`, the lowest square as the lowest bit or digit.
    pub fn in_order(mask: u64) -> Result<Target, BadTarget> {
        Target::new((0..64).filter(|square| mask >> square & 1 == 1).collect())
    }

    /// Target of the squares of `mask`, the highest square as the lowest bit or digit.
    pub fn reversed(mask: u64) -> Result<Target, BadTarget> {
        let squares = (0..64).rev().filter(|square| mask >> square & 1 == 1);
        Target::new(squares.collect())
    }

    /// Squares in the order of their bits or digits, the lowest first.
    pub fn squares(&self) -> &[u8] {
        &self.squares
    }

    /// The squares as a bitboard.
    pub fn mask(&self) -> u64 {
        let squares = self.squares.iter();
        squares.fold(0, |mask, square| mask | 1 << square)
    }

    /// Squares with their values: the powers of `base`, in order.
    fn values(&self, base: Base) -> Vec<(u8, u64)> {
        let powers = (0..).map(|digit| base.radix().pow(digit));
        self.squares.iter().copied().zip(powers).collect()
    }
}

/// Base of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Binary number: an index into a table of 2^k entries.
    Two,
    /// Number of base 3 with digits 0 and 1: one side's share of a pattern index.
    Three,
}

impl Base {
    /// The radix: 2 or 3.
    pub fn radix(self) -> u64 {
        match self {
            Base::Two => 2,
            Base::Three => 3,
        }
    }
}

/// Result of a complete search that found no single multiplication.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMultiplier {
    /// No multiplication for the requested order.
    #[error(
        "no single multiplication gathers these {squares} squares in this order in base {radix} \
         (all 64-bit multipliers, final shifts and shifts before were searched): {flaw}"
    )]
    InThisOrder {
        /// Number of squares.
        squares: usize,
        /// Radix of the base.
        radix: u64,
        /// Reason why the multiplier that the order forces is wrong.
        flaw: GatherFlaw,
    },
    /// No multiplication for any order.
    #[error(
        "no single multiplication gathers these {squares} squares in base {radix} \
         (all orders, 64-bit multipliers, final shifts and shifts before were searched)"
    )]
    InAnyOrder {
        /// Number of squares.
        squares: usize,
        /// Radix of the base.
        radix: u64,
    },
}

/// Finds one multiplication that gathers `target` in its order.
///
/// The search is complete over all 64-bit multipliers and all shifts before and after the multiplication.
pub fn single_multiplication(target: &Target, base: Base) -> Result<Multiplication, NoMultiplier> {
    Multiplication::cheapest(&target.values(base), base).map_err(|flaw| NoMultiplier::InThisOrder {
        squares: target.squares.len(),
        radix: base.radix(),
        flaw,
    })
}

/// Name of a square: `A1` for 0, `H8` for 63.
pub fn square_name(square: u8) -> String {
    let column = char::from(b'A' + square % 8);
    format!("{column}{}", square / 8 + 1)
}
