//! The maker of certificates.

use std::time::Duration;

use outflank::{Board, Bound, Engine, SearchError};
use outflank_verifier::{Certificate, Claim, MAX_LEAF_EMPTIES, Position, Refusal};

use crate::moves::{Choice, MoveSearch, Moves};
use crate::write::certificate;

/// The size of a certificate. A leaf is a position that the verifier solves by itself. Smaller leaves make a greater file
/// that is verified faster.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// The greatest number of empty squares of a leaf, 0 to 14.
    LeafEmpties(u32),
    /// The greatest number of bytes. The leaves are as small as it allows. Leaves of 14 are taken even if they need more.
    Bytes(u64),
    /// The longest time of the verification on this machine, which is tried. The leaves are as large as it allows. Leaves of 4
    /// are taken even if they need more.
    Time(Duration),
}

impl Default for Budget {
    /// Leaves of 12 empty squares.
    fn default() -> Budget {
        Budget::LeafEmpties(12)
    }
}

/// Leaf sizes to choose from for a budget of bytes or time.
const LEAF_SIZES: [u32; 6] = [MAX_LEAF_EMPTIES, 12, 10, 8, 6, 4];

/// The reason why no certificate was made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The claim is wrong, or its position or score is impossible.
    #[error("the claim is wrong")]
    FalseClaim,
    /// The engine was stopped.
    #[error("stopped")]
    Stopped,
    /// The search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The verifier refuses the certificate. This is a fault of the program.
    #[error("the certificate is refused: {0}")]
    Refused(#[from] Refusal),
}

/// A maker of certificates with the threads and the table of an engine. It is fast right after the engine has solved the
/// position.
pub struct Certifier<'e> {
    engine: &'e mut Engine,
    budget: Budget,
    choice: Choice,
    known: Moves,
    on_move: &'e (dyn Fn(Position, u8) + Sync),
}

impl<'e> Certifier<'e> {
    /// A maker with leaves of 12 empty squares.
    pub fn new(engine: &'e mut Engine) -> Certifier<'e> {
        Certifier {
            engine,
            budget: Budget::default(),
            choice: Choice::default(),
            known: Moves::new(),
            on_move: &|_, _| (),
        }
    }

    /// Sets the size of the certificates.
    pub fn budget(self, budget: Budget) -> Certifier<'e> {
        Certifier { budget, ..self }
    }

    /// Sets the choice among proving moves.
    pub fn choice(self, choice: Choice) -> Certifier<'e> {
        Certifier { choice, ..self }
    }

    /// Sets a function that is called with each new move of a proof, from any thread. It lets a program show the progress, and
    /// store the moves for [`Certifier::known`].
    pub fn on_move(self, on_move: &'e (dyn Fn(Position, u8) + Sync)) -> Certifier<'e> {
        Certifier { on_move, ..self }
    }

    /// Sets moves that an earlier run found for the same claim. They are not searched again.
    pub fn known(self, known: Moves) -> Certifier<'e> {
        Certifier { known, ..self }
    }

    /// Makes the certificate of `claim`.
    pub fn certify(&mut self, claim: Claim) -> Result<Certificate, CertifyError> {
        let Position { mover, other } = claim.position;
        if mover & other != 0 || !(-64..=64).contains(&claim.score) {
            return Err(CertifyError::FalseClaim);
        }
        let known = std::mem::take(&mut self.known);
        let may_be_wrong = !known.is_empty();
        match self.certify_with(claim, known) {
            // Perhaps it is only the known moves that are wrong.
            Err(CertifyError::FalseClaim) if may_be_wrong => self.certify_with(claim, Moves::new()),
            made => made,
        }
    }

    /// Makes the certificate of `claim`. The `moves` that are known are not searched again.
    fn certify_with(
        &mut self,
        claim: Claim,
        mut moves: Moves,
    ) -> Result<Certificate, CertifyError> {
        let mut last = None;
        let sizes = match self.budget {
            Budget::LeafEmpties(empties) => &[empties.min(MAX_LEAF_EMPTIES)],
            _ => LEAF_SIZES.as_slice(),
        };
        for &leaf_empties in sizes {
            let search = MoveSearch::new(claim, leaf_empties, self.choice, &moves, self.on_move);
            let Some(found) = search.run(self.engine)? else {
                return Err(match self.engine.stop_handle().is_stopped() {
                    true => CertifyError::Stopped,
                    false => CertifyError::FalseClaim,
                });
            };
            moves = found;
            let made = certificate(claim, leaf_empties, &moves).ok_or(CertifyError::FalseClaim)?;
            // Without a move, no search has seen the claim.
            if made.header().moves == 0 && made.verify().is_err() {
                return Err(CertifyError::FalseClaim);
            }
            match self.budget {
                // Even the smallest certificate may exceed the limit.
                Budget::Bytes(limit) if made.bytes().len() as u64 > limit => {
                    return Ok(last.unwrap_or(made));
                }
                Budget::Time(limit) if made.verify()?.time <= limit => return Ok(made),
                _ => last = Some(made),
            }
        }
        Ok(last.expect("a size was tried"))
    }
}

/// The claims that a result of a search proves: two for an exact score, one for a bound. A claim that holds for each
/// position, such as "at most 64", is left out.
pub fn claims(board: Board, score: i32, bound: Bound) -> Vec<Claim> {
    let position = Position::new(board.player, board.opponent);
    let at_least = bound != Bound::Upper && score > -64;
    let at_most = bound != Bound::Lower && score < 64;
    let claim = |at_least| Claim {
        position,
        at_least,
        score,
    };
    let all = [at_least.then(|| claim(true)), at_most.then(|| claim(false))];
    all.into_iter().flatten().collect()
}
