//! Verifier of certificates: files that prove exact scores of Othello positions.
//!
//! The verifier trusts no engine. Its rules are plain shifts of bitboards, and it solves the last empty squares by a small
//! search of its own. All of it can be read in an evening. `docs/formats/certificate.md` describes the files, and the crate
//! `outflank-certificate` makes them.

mod claim;
mod position;
mod solver;
mod verify;
mod walk;

pub use claim::{Claim, HEADER_BYTES, Header, MAGIC, MAX_LEAF_EMPTIES};
pub use position::{Position, squares};
pub use solver::Solver;
pub use verify::{Certificate, DEFAULT_MAX_MOVES, Refusal, Verified, read_magic};
pub use walk::{ProofVisitor, Walk};
