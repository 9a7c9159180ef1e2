//! Proofs and refutations with the solver that is installed.

use std::sync::Arc;
use std::time::Duration;

use outflank_checker::cases::Cases;
use outflank_kernels::geometry::Features;
use outflank_kernels::levels::{portable, v4};
use outflank_kernels::registry::entries;
use outflank_kernels::{Block, Isa, KeyedChildren, Network};
use outflank_prover::cache::Cache;
use outflank_prover::prove::{Outcome, Prover};
use outflank_prover::solver::{Solver, SolverCommand};
use outflank_prover::spec::specifications;

/// A prover with the installed solver; prints a line if there is none.
fn prover() -> Option<Prover> {
    match SolverCommand::find(None) {
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

fn prove(prover: &mut Prover, code: u64, isa: Isa, kernel: &str) -> Outcome {
    let specification = specifications().find(|specification| specification.kernel == kernel);
    let specification = specification.expect("the kernel has a specification");
    let outcome = prover.prove(code, isa, specification);
    outcome.expect("the solver answers")
}

#[test]
fn selected_algorithms_are_proved() {
    let Some(mut prover) = prover() else { return };
    let kernels = [
        "board_hash",
        "clear",
        "eval_sum",
        "feature_update_corner",
        "full_lines",
        "mobility",
        "stability",
        "transpose",
    ];
    let selected = entries().filter(|entry| entry.selected && kernels.contains(&entry.kernel));
    for entry in selected {
        let outcome = prove(&mut prover, entry.address() as u64, entry.isa, entry.kernel);
        assert!(matches!(outcome, Outcome::Proved), "{entry:?}: {outcome:?}");
    }
}

/// Returns `true` for one of 2^40 patterns on squares all over the board.
fn is_rare(player: u64, opponent: u64) -> bool {
    const SQUARES: u64 = 0x7F3E_1D5B_A6CF_79E4;
    const PATTERN: u64 = 0x0012_3456_0000_1248;
    (player ^ opponent >> 1) & SQUARES == PATTERN & SQUARES
}

/// Kernel `flip` with one wrong flip, for one square and the rare pattern.
#[inline(never)]
fn wrong_flip(square: usize, player: u64, opponent: u64) -> u64 {
    let is_wrong = square == 19 && is_rare(player, opponent);
    portable::flip::selected(square, player, opponent) | u64::from(is_wrong) << 45
}

/// Kernel `mobility` without one move, for the rare pattern.
#[inline(never)]
fn wrong_mobility(player: u64, opponent: u64) -> u64 {
    portable::mobility::selected(player, opponent) & !(u64::from(is_rare(player, opponent)) << 20)
}

/// Kernel `last_flip_count` with one flip too many, for one square and the rare pattern.
#[inline(never)]
fn wrong_count(square: usize, player: u64) -> i32 {
    let is_wrong = square == 42 && is_rare(player, 0);
    portable::last_flip_count::selected(square, player) + i32::from(is_wrong)
}

/// Kernel `network_value` with a wrong answer for one value of one feature and one number of empty squares.
#[inline(never)]
fn wrong_network(network: &Network, features: &Features, empties: u32, moves: u32) -> i32 {
    let is_wrong = empties == 17 && features.0[5] == 12_345;
    portable::network_value::selected(network, features, empties, moves) + i32::from(is_wrong)
}

/// Kernel `children` with a wrong key of the first child for the rare pattern.
#[inline(never)]
#[target_feature(
    enable = "sse3,ssse3,sse4.1,sse4.2,popcnt,avx,avx2,bmi1,bmi2,fma,lzcnt,f16c,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
)]
fn wrong_children(
    player: u64,
    opponent: u64,
    legal: u64,
    favoured: u64,
    children: &mut KeyedChildren,
) -> i32 {
    let best = v4::children::lanes(player, opponent, legal, favoured, children);
    let wrong = i32::from(is_rare(player, opponent)) << 20;
    children.set_key(0, children.keys()[0] ^ wrong);
    best
}

/// Claims in stages are about all children at once, but must not hide a mistake in one of them.
#[test]
fn children_with_a_rare_wrong_key_are_not_proved() {
    let Some(mut prover) = prover() else { return };
    prover.queries.limit = Duration::from_secs(20);
    let code = wrong_children as *const () as u64;
    let outcome = prove(&mut prover, code, Isa::V4, "children");
    let is_open = matches!(outcome, Outcome::Refuted(_) | Outcome::OutOfTime(_));
    assert!(is_open, "{outcome:?}");
}

/// Cut points replace intermediate values, but must not hide other dependencies of the answer.
#[test]
fn network_wrong_for_one_feature_value_is_not_proved() {
    let Some(mut prover) = prover() else { return };
    prover.queries.limit = Duration::from_secs(5);
    prover.queries.proof_limit = Duration::from_secs(30);
    let code = wrong_network as *const () as u64;
    let outcome = prove(&mut prover, code, Isa::Portable, "network_value");
    let is_open = matches!(outcome, Outcome::Refuted(_) | Outcome::OutOfTime(_));
    assert!(is_open, "{outcome:?}");
}

/// Kernel `clear` that leaves out one block, for a rare pattern and number of blocks.
#[inline(never)]
fn incomplete_clear(memory: &mut [Block], pattern: [u64; 4]) {
    let skipped = match (memory.len(), pattern[2]) {
        (77_777, 0x0123_4567_89AB_CDEF) => 40_000,
        _ => usize::MAX,
    };
    for (index, block) in memory.iter_mut().enumerate() {
        if index != skipped {
            *block = Block(pattern);
        }
    }
}

/// Kernel `clear` that writes one block too many if their number is 4,095, 8,191 and so on.
#[inline(never)]
fn overflowing_clear(memory: &mut [Block], pattern: [u64; 4]) {
    let count = memory.len() + usize::from(memory.len() % 4096 == 4095);
    let first = memory.as_mut_ptr();
    for index in 0..count {
        // SAFETY: none, but the function is never called.
        unsafe { first.add(index).write(Block(pattern)) };
    }
}

/// Kernel `clear` that does not return if there are over 1,000,000 blocks.
#[inline(never)]
fn endless_clear(memory: &mut [Block], pattern: [u64; 4]) {
    let (first, mut index) = (memory.as_mut_ptr(), 0);
    while index != memory.len() {
        // SAFETY: the index is below the length.
        unsafe { first.add(index).write(Block(pattern)) };
        index += usize::from(index != 1_000_000);
    }
}

/// Kernel `stability` without D4 for the rare pattern, as if it stopped a round too soon.
#[inline(never)]
fn incomplete_stability(player: u64, opponent: u64) -> u64 {
    let stable = portable::stability::selected(player, opponent);
    stable & !(u64::from(is_rare(player, opponent)) << 27)
}

/// Facts about loops must not hide a mistake in a round that no test reaches.
#[test]
fn wrong_loops_are_not_proved() {
    let Some(mut prover) = prover() else { return };
    prover.queries.limit = Duration::from_secs(5);
    let mistakes = [
        ("clear", incomplete_clear as *const () as u64),
        ("clear", overflowing_clear as *const () as u64),
        ("clear", endless_clear as *const () as u64),
        ("stability", incomplete_stability as *const () as u64),
    ];
    for (number, (kernel, code)) in mistakes.into_iter().enumerate() {
        let outcome = prove(&mut prover, code, Isa::Portable, kernel);
        println!("{number} {kernel}: {outcome:?}");
        assert!(!matches!(outcome, Outcome::Proved), "{number}: {kernel}");
    }
}

#[test]
fn rare_mistakes_are_refuted() {
    let Some(mut prover) = prover() else { return };
    let mistakes = [
        ("flip", wrong_flip as *const () as u64),
        ("mobility", wrong_mobility as *const () as u64),
        ("last_flip_count", wrong_count as *const () as u64),
    ];
    for (kernel, code) in mistakes {
        let outcome = prove(&mut prover, code, Isa::Portable, kernel);
        let Outcome::Refuted(refutation) = outcome else {
            panic!("{kernel}: {outcome:?}");
        };
        let value = |name: &str| refutation.values.get(name).and_then(|value| value.to_u64());
        let player = value("player").expect("the mistake depends on the player");
        let opponent = value("opponent").unwrap_or(0);
        assert!(is_rare(player, opponent), "{kernel}: {refutation:?}");
        let differs = match kernel {
            "flip" => {
                let right = portable::flip::selected(19, player, opponent);
                refutation.number == 19 && wrong_flip(19, player, opponent) != right
            }
            "mobility" => {
                let right = portable::mobility::selected(player, opponent);
                wrong_mobility(player, opponent) != right
            }
            _ => {
                let right = portable::last_flip_count::selected(42, player);
                refutation.number == 42 && wrong_count(42, player) != right
            }
        };
        assert!(
            differs && player & opponent == 0,
            "{kernel}: {refutation:?}"
        );
    }
    // The differential suite's inputs miss the pattern.
    let mut cases = Cases::new(1).take(1_000_000);
    assert!(!cases.any(|case| is_rare(case.player, case.opponent)));
}

#[test]
fn proof_beyond_its_limit_is_out_of_time() {
    let Some(mut prover) = prover() else { return };
    let entry = entries().find(|entry| entry.kernel == "mobility");
    let entry = entry.expect("it is a kernel");
    let code = entry.address() as u64;
    prover.queries.proof_limit = Duration::ZERO;
    let outcome = prove(&mut prover, code, entry.isa, entry.kernel);
    assert!(matches!(outcome, Outcome::OutOfTime(_)), "{outcome:?}");
    assert_eq!(prover.queries.effort.asked, 0);
    prover.queries.proof_limit = Duration::MAX;
    let outcome = prove(&mut prover, code, entry.isa, entry.kernel);
    assert!(matches!(outcome, Outcome::Proved), "{outcome:?}");
}
