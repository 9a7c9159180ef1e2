//! Multiplications that gather squares: the generator's own proofs against a solver.

use std::time::Duration;

use outflank_codegen::gather::{Base, Multiplication, Target, plan};
use outflank_prover::solver::{Satisfiability, Solver, SolverCommand};
use outflank_prover::term::{Shift, Term, Wide, clear, number, total, variable, zeros};
use outflank_random::SplitMix64;

/// Value that a multiplication computes, and the value that it should have.
fn got_and_expected(part: &Multiplication) -> [Term; 2] {
    let board = variable("board", 64);
    let masked = (board & number(part.mask, 64)).shift_by(Shift::Right, part.pre_shift);
    let product = masked.times(Wide::new(part.multiplier));
    let shifted = product.shift_by(Shift::Right, part.shift);
    let kept = match part.keep {
        Some(keep) => shifted & number(keep, 64),
        None => shifted,
    };
    let values = part.terms.iter().map(|term| {
        let square = board.bit(term.square.into()).resize(64);
        square.times(Wide::new(term.value))
    });
    [kept, total(values.chain([zeros(64)]))]
}

/// Returns `true` if the solver finds no board on which a multiplication is wrong.
fn is_right(solver: &mut Solver, part: &Multiplication) -> bool {
    let [got, expected] = got_and_expected(part);
    let differs = !got.equals(expected);
    let verdict = solver.ask(&[differs], Duration::from_secs(60));
    match verdict.expect("the solver answers") {
        Satisfiability::Unsat => true,
        Satisfiability::Sat(_) => false,
        Satisfiability::Unknown => panic!("out of time: {part:?}"),
    }
}

#[test]
fn generator_and_solver_agree_on_gathers() {
    let choice = match SolverCommand::find(None) {
        Ok(choice) => choice,
        Err(error) => return println!("skipped: {error}"),
    };
    let mut solver = Solver::new(&choice);
    let mut random = SplitMix64::new(5);
    let rows = (0..8).map(|i| 0xFF << (8 * i));
    let columns = (0..8).map(|i| 0x0101_0101_0101_0101 << i);
    let diagonals = [
        0x8040_2010_0804_0201,
        0x0102_0408_1020_4080,
        0x0804_0201_0000_0000,
    ];
    let masks: Vec<u64> = rows.chain(columns).chain(diagonals).collect();
    let scattered: Vec<u64> = (0..12)
        .map(|_| random.bits() & random.bits() & random.bits())
        .filter(|mask| mask.count_ones() <= 10)
        .collect();
    let (mut right, mut wrong) = (0, 0);
    for mask in masks.into_iter().chain(scattered) {
        for base in [Base::Two, Base::Three] {
            let target = Target::in_order(mask).expect("squares");
            for mut part in plan(&target, base) {
                clear();
                assert_eq!(part.proof().verify(), Ok(()), "{part:?}");
                assert!(is_right(&mut solver, &part), "{part:?}");
                right += 1;
                // A multiplier with one bit flipped may be wrong or not.
                part.multiplier ^= 1 << random.below(64);
                let by_solver = is_right(&mut solver, &part);
                assert_eq!(part.proof().verify().is_ok(), by_solver, "{part:?}");
                wrong += usize::from(!by_solver);
            }
        }
    }
    assert!(right > 40 && wrong > 20, "{right} right, {wrong} wrong");
}
