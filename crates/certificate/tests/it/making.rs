//! True certificates.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use outflank::notation::obf;
use outflank::{Board, Bound, Limits, Window};
use outflank_certificate::{Budget, Certifier, CertifyError, Choice, Moves, claims};
use outflank_random::SplitMix64;
use outflank_testing::data::{project_file, random_fill};
use outflank_verifier::{Certificate, Claim, Position, read_magic};

use crate::{certify, engine, ffo};

#[test]
fn scores_of_ffo_problems_are_proven_with_leaves_of_every_size() {
    for (board, score) in ffo(18) {
        let mut fewer_moves = 0;
        for leaf_empties in [14, 12, 9, 6, 3, 0] {
            for (threads, choice) in [
                (1, Choice::First),
                (3, Choice::First),
                (2, Choice::FewestReplies),
            ] {
                let budget = Budget::LeafEmpties(leaf_empties);
                let certificates = certify(&mut engine(threads), board, budget, choice);
                let directions = certificates.iter().map(|one| one.header().claim.at_least);
                assert_eq!(directions.collect::<Vec<_>>(), [true, false]);
                let mut moves = 0;
                for certificate in &certificates {
                    let verified = certificate.verify().expect("a proof");
                    let position = Position::new(board.player, board.opponent);
                    assert_eq!(
                        (verified.claim.position, verified.claim.score),
                        (position, score)
                    );
                    assert_eq!(verified.leaf_empties, leaf_empties);
                    moves += verified.moves;
                }
                if (threads, choice) == (1, Choice::First) {
                    assert!(moves >= fewer_moves, "smaller leaves need more moves");
                    fewer_moves = moves;
                }
            }
        }
    }
}

/// The answers of FFO 1 to 39, as the repository has them, are proven by the certificates beside them.
#[test]
fn committed_certificates_prove_the_answers() {
    for (name, count) in [("ffo-1-19", 19), ("ffo-20-39", 20)] {
        let file = |extension| project_file(&format!("data/problems/{name}.{extension}"));
        let certificates = file("cert");
        let mut input = certificates.as_slice();
        read_magic(&mut input).expect("a file of certificates");
        let mut proven = HashMap::new();
        while let Some(certificate) = Certificate::read(&mut input, 1 << 20).expect("no damage") {
            let claim = certificate.verify().expect("a proof").claim;
            let (lower, upper) = proven.entry(claim.position).or_insert((-64, 64));
            match claim.at_least {
                true => *lower = claim.score,
                false => *upper = claim.score,
            }
        }
        assert_eq!(proven.len(), count);
        for problem in obf::read(&file("obf")).flatten() {
            let score = problem.best_score().expect("a score");
            let position = Position::new(problem.board.player, problem.board.opponent);
            assert_eq!(proven.get(&position), Some(&(score, score)), "{problem}");
        }
    }
}

/// Passes, wins of all discs and games that end early are among these positions.
#[test]
fn scores_of_random_positions_are_proven() {
    let mut random = SplitMix64::new(5);
    let mut engine = engine(1);
    for round in 0..500 {
        let board = random_fill(&mut random, round % 13, 10 + 10 * (round % 9));
        let score = engine.solve(board).expect("a position").score;
        let budget = Budget::LeafEmpties(random.below(13) as u32);
        let certificates = certify(&mut engine, board, budget, Choice::First);
        let claims = if score.abs() == 64 { 1 } else { 2 };
        assert_eq!(certificates.len(), claims, "{board}");
        for certificate in certificates {
            let verified = certificate.verify().expect("a proof");
            assert_eq!(verified.claim.score, score, "{board}");
        }
    }
}

#[test]
fn bounds_are_proven_too() {
    let mut engine = engine(1);
    for (board, score) in ffo(17) {
        for (window, bound) in [
            (Window::new(score - 8, score - 2), Bound::Lower),
            (Window::new(score - 1, score + 1), Bound::Exact),
            (Window::new(score + 2, score + 8), Bound::Upper),
        ] {
            let window = window.expect("a window");
            let limits = Limits {
                window,
                ..Limits::EXACT
            };
            let result = engine.search(board, &limits).expect("a position");
            assert_eq!(result.bound, bound);
            let claims = claims(board, window.clamp(result.score), bound);
            let directions: Vec<bool> = claims.iter().map(|claim| claim.at_least).collect();
            assert_eq!(
                directions,
                match bound {
                    Bound::Lower => vec![true],
                    Bound::Exact => vec![true, false],
                    Bound::Upper => vec![false],
                }
            );
            for claim in claims {
                let certificate = Certifier::new(&mut engine)
                    .certify(claim)
                    .expect("a true claim");
                assert_eq!(certificate.verify().expect("a proof").claim, claim);
            }
        }
    }
}

#[test]
fn a_budget_of_bytes_or_time_chooses_the_leaves() {
    let (board, _) = ffo(19)[4];
    let mut engine = engine(1);
    let mut size = |budget| {
        let certificates = certify(&mut engine, board, budget, Choice::First);
        let last = certificates.last().expect("a certificate");
        (last.header().leaf_empties, last.bytes().len())
    };
    let (leaf_empties, bytes) = size(Budget::Bytes(2000));
    assert!(
        (6..=10).contains(&leaf_empties) && bytes <= 2000,
        "{leaf_empties} {bytes}"
    );
    // No certificate has so few bytes, and none takes so little time.
    assert_eq!(size(Budget::Bytes(1)).0, 14);
    assert_eq!(size(Budget::Time(Duration::ZERO)).0, 4);
    assert_eq!(size(Budget::Time(Duration::MAX)).0, 14);
}

/// A run that was killed is continued with the moves that it found.
#[test]
fn known_moves_are_not_searched_again() {
    let (board, score) = ffo(18)[3];
    let mut engine = engine(2);
    let claim = claims(board, score, Bound::Exact)[0];
    let found = Mutex::new(Moves::new());
    let collect = |position, index| {
        found.lock().unwrap().insert(position, index);
    };
    let budget = Budget::LeafEmpties(6);
    let mut certifier = Certifier::new(&mut engine).budget(budget).on_move(&collect);
    let whole = certifier.certify(claim).expect("a true claim");
    let moves = found.lock().unwrap().clone();
    assert_eq!(moves.len() as u64, whole.header().moves);

    let half: Moves = moves
        .iter()
        .take(moves.len() / 2)
        .map(|(&key, &index)| (key, index))
        .collect();
    // An illegal number of a move is as good as none.
    let illegal = moves.keys().last().map(|&position| (position, 99));
    for (known, fewest, most) in [
        (moves.clone(), 0, 0),
        (half.clone(), 1, moves.len() + moves.len() / 4),
        (illegal.into_iter().collect(), 1, 2 * moves.len()),
    ] {
        found.lock().unwrap().clear();
        let mut certifier = Certifier::new(&mut engine)
            .budget(budget)
            .on_move(&collect)
            .known(known);
        let certificate = certifier.certify(claim).expect("a true claim");
        certificate.verify().expect("a proof");
        let searched = found.lock().unwrap().len();
        assert!((fewest..=most).contains(&searched), "{searched}");
    }
}

#[test]
fn a_stopped_engine_and_a_wrong_claim_give_no_certificate() {
    let (board, score) = ffo(19)[4];
    let mut engine = engine(2);
    let position = Position::new(board.player, board.opponent);
    for (at_least, score) in [
        (true, score + 2),
        (false, score - 2),
        (true, 64),
        (false, -64),
    ] {
        let claim = Claim {
            position,
            at_least,
            score,
        };
        let made = Certifier::new(&mut engine).certify(claim);
        assert!(matches!(made, Err(CertifyError::FalseClaim)), "{made:?}");
    }
    let board = Board::START;
    let claim = claims(board, 0, Bound::Lower)[0];
    let stop = engine.stop_handle();
    let stopping = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stop.stop();
    });
    let made = Certifier::new(&mut engine).certify(claim);
    assert!(matches!(made, Err(CertifyError::Stopped)), "{made:?}");
    stopping.join().unwrap();
}
