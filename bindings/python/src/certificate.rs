//! Certificates of exact scores.

use outflank::Board;
use outflank_certificate::CertifyError;
use outflank_verifier::{Certificate, DEFAULT_MAX_MOVES, Refusal, Verified, read_magic};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::arguments;
use super::board::PyBoard;
use super::errors::{CertificateError, EngineError, OrRaise, ToException};
use super::result::record_class;

impl ToException for Refusal {
    fn exception(self) -> PyErr {
        CertificateError::new_err(self.to_string())
    }
}

impl ToException for CertifyError {
    fn exception(self) -> PyErr {
        match self {
            CertifyError::Search(error) => error.exception(),
            CertifyError::Stopped => outflank::SearchError::Stopped.exception(),
            error => EngineError::new_err(error.to_string()),
        }
    }
}

record_class! {
    /// Claim about a score that a certificate proves.
    PyClaim = "Claim", of verified: &Verified {
        /// Position.
        board: PyBoard = PyBoard(Board {
            player: verified.claim.position.mover,
            opponent: verified.claim.position.other,
        });
        /// `True` if the score is at least `score`, `False` if it is at most `score`.
        at_least: bool = verified.claim.at_least;
        /// Discs for the side to move.
        score: i32 = verified.claim.score;
        /// Greatest number of empty squares of positions that the verifier solved by itself.
        leaf_empties: u32 = verified.leaf_empties;
        /// Moves that the certificate gives.
        moves: u64 = verified.moves;
        /// Positions that the verifier solved by itself.
        leaves: u64 = verified.leaves;
        /// Positions that the verifier searched to solve these.
        nodes: u64 = verified.nodes;
        /// Time of the verification, in seconds.
        time: f64 = verified.time.as_secs_f64();
    }

    fn __repr__(&self) -> String {
        let sign = if self.at_least { ">=" } else { "<=" };
        format!("<outflank.Claim {sign}{:+} {}>", self.score, self.board.0)
    }
}

impl std::hash::Hash for PyClaim {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        (self.board.0, self.at_least, self.score, self.moves).hash(hasher);
    }
}

/// Verifies a file of certificates, given as bytes, and returns its claims. Raises `CertificateError` if one is refused.
///
/// The verifier has rules and a search of its own, and uses nothing of the engine. It refuses certificates of more than
/// 20 million moves.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    #[pyo3(from_py_with = certificates_of)] certificates: Vec<u8>,
) -> PyResult<Vec<PyClaim>> {
    let all = py.detach(|| -> Result<Vec<Verified>, Refusal> {
        let mut input = certificates.as_slice();
        read_magic(&mut input)?;
        let mut all = Vec::new();
        while let Some(certificate) = Certificate::read(&mut input, DEFAULT_MAX_MOVES)? {
            all.push(certificate.verify()?);
        }
        Ok(all)
    });
    Ok(all.or_raise()?.iter().map(PyClaim::new).collect())
}

/// Reads the argument `certificates`.
fn certificates_of(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let bytes = value.cast::<PyBytes>();
    let bytes = bytes.map_err(|_| arguments::type_error("certificates", "bytes", value));
    Ok(bytes?.as_bytes().to_vec())
}
