//! Proofs that need no solver, and, where one is installed, mistakes that are found.

use std::sync::Arc;
use std::time::Duration;

use outflank_kernels::Isa;
use outflank_kernels::registry::entries;
use outflank_prover::cache::Cache;
use outflank_prover::prove::{Outcome, Prover};
use outflank_prover::solver::{Choice, Solver};
use outflank_prover::spec::specification;

/// A prover with the solver that is installed; says so where there is none.
fn prover() -> Option<Prover> {
    match Choice::find(None) {
        Ok(choice) => {
            let limit = Duration::from_secs(60);
            let cache = Arc::new(Cache::in_memory());
            Some(Prover::new(Solver::new(&choice), limit, cache))
        }
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}

fn proved(prover: &mut Prover, code: u64, isa: Isa, kernel: &str) -> Outcome {
    let specification = specification(kernel).expect("it has one");
    let outcome = prover.prove(code, isa, specification);
    outcome.expect("the solver answers")
}

#[test]
fn selected_algorithms_are_proved() {
    let Some(mut prover) = prover() else {
        return;
    };
    let kernels = [
        "board_hash",
        "eval_sum",
        "feature_update_corner",
        "full_lines",
        "mobility",
        "transpose",
    ];
    let own = entries().filter(|entry| entry.selected && kernels.contains(&entry.kernel));
    for entry in own {
        let outcome = proved(&mut prover, entry.address() as u64, entry.isa, entry.kernel);
        assert!(matches!(outcome, Outcome::Proved), "{entry:?}: {outcome:?}");
    }
}

/// Flips, but for one pattern of 21 squares: a disc too many turns there. Random boards hit it once in 2^21.
#[inline(never)]
fn wrong_flip(square: usize, player: u64, opponent: u64) -> u64 {
    const PATTERN: u64 = 0x0012_3456_0000_1248;
    const SQUARES: u64 = 0x001F_FF7E_0000_1F7E;
    let right = right_flip(square, player, opponent);
    let rare = square == 19 && (player ^ opponent >> 1) & SQUARES == PATTERN & SQUARES;
    right | u64::from(rare) << 45
}

/// Walks from the square in each direction.
fn right_flip(square: usize, player: u64, opponent: u64) -> u64 {
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let mut flipped = 0;
    for (step, mask) in [(1, NOT_A), (7, NOT_H), (8, !0), (9, NOT_A)] {
        flipped |= walk(1 << square, player, opponent, |bit| bit << step & mask);
    }
    for (step, mask) in [(1, NOT_H), (7, NOT_A), (8, !0), (9, NOT_H)] {
        flipped |= walk(1 << square, player, opponent, |bit| bit >> step & mask);
    }
    flipped
}

fn walk(square: u64, player: u64, opponent: u64, next: impl Fn(u64) -> u64) -> u64 {
    let mut run = 0;
    let mut at = next(square);
    for _ in 0..6 {
        run |= at & opponent;
        at = next(at & opponent);
    }
    // The end of the run, if it is the mover's.
    let beyond = next(run) | next(square);
    match beyond & player & !opponent != 0 {
        true => run,
        false => 0,
    }
}

#[test]
fn a_mistake_on_one_board_in_two_million_is_found() {
    let Some(mut prover) = prover() else {
        return;
    };
    let right = proved(
        &mut prover,
        right_flip as *const () as u64,
        Isa::Portable,
        "flip",
    );
    assert!(matches!(right, Outcome::Proved), "{right:?}");
    let wrong = proved(
        &mut prover,
        wrong_flip as *const () as u64,
        Isa::Portable,
        "flip",
    );
    let Outcome::Refuted(refutation) = wrong else {
        panic!("{wrong:?}");
    };
    let value = |name: &str| refutation.values[name].to_u64().expect("64 bits");
    let (player, opponent) = (value("player"), value("opponent"));
    assert_eq!(player & opponent, 0);
    assert_ne!(
        wrong_flip(19, player, opponent),
        right_flip(19, player, opponent)
    );
}
