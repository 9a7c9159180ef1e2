//! Certificates are made, and verified by both verifiers. No damaged or false one is accepted.

mod forgeries;
mod making;
mod python;
mod rules;

use outflank::notation::obf;
use outflank::problems::FFO_20_39;
use outflank::{Board, Engine};
use outflank_certificate::{Budget, Certifier, Choice, claims};
use outflank_verifier::{Certificate, MAGIC};

fn engine(threads: usize) -> Engine {
    let builder = Engine::builder().threads(threads).hash_mib(16);
    builder.build().expect("an engine")
}

/// The positions of FFO 20 to 39 with at most `most` empty squares, and their scores.
fn ffo(most: u32) -> Vec<(Board, i32)> {
    let problems = obf::read(FFO_20_39).filter_map(Result::ok);
    let boards = problems.map(|problem| (problem.board, problem.best_score().expect("a score")));
    let boards = boards.filter(|(board, _)| board.empty_count() <= most);
    boards.collect()
}

/// Solves `board` and makes the certificates of its score.
fn certify(engine: &mut Engine, board: Board, budget: Budget, choice: Choice) -> Vec<Certificate> {
    let result = engine.solve(board).expect("a position");
    let mut certifier = Certifier::new(engine).budget(budget).choice(choice);
    let claims = claims(board, result.score, result.bound);
    let certificates = claims.into_iter().map(|claim| certifier.certify(claim));
    certificates.collect::<Result<_, _>>().expect("true claims")
}

/// A file of certificates.
fn file(certificates: &[Certificate]) -> Vec<u8> {
    let bytes = certificates.iter().flat_map(Certificate::bytes);
    MAGIC.iter().chain(bytes).copied().collect()
}
