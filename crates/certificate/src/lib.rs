//! Certificates of exact Othello scores: files that prove a score to anyone who does not trust the search.
//!
//! [`Certifier`] makes them with an engine. The crate `outflank-verifier` checks them.
//!
//! ```
//! use outflank::{Board, Engine};
//! use outflank_certificate::{Certifier, claims};
//! use outflank_verifier::{Certificate, DEFAULT_MAX_MOVES, MAGIC, read_magic};
//!
//! // FFO #1, 14 empty squares. X moves and scores +18.
//! let text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
//! let board: Board = text.parse()?;
//! let mut engine = Engine::builder().hash_mib(16).build()?;
//! let result = engine.solve(board)?;
//! let mut file = MAGIC.to_vec();
//! let mut certifier = Certifier::new(&mut engine);
//! for claim in claims(board, result.score, result.bound) {
//!     file.extend(certifier.certify(claim)?.bytes());
//! }
//!
//! let mut input = file.as_slice();
//! read_magic(&mut input)?;
//! while let Some(certificate) = Certificate::read(&mut input, DEFAULT_MAX_MOVES)? {
//!     assert_eq!(certificate.verify()?.claim.score, 18);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod certifier;
mod moves;
mod write;

pub use certifier::{Budget, Certifier, CertifyError, claims};
pub use moves::{Choice, Moves};
