//! Tests that verification rejects wrong proofs.

use outflank_codegen::gather::{
    Base, GatherFlaw, GatherProof, NoMultiplier, Target, single_multiplication,
};

use outflank_random::SplitMix64;

use super::random_squares;

#[test]
fn tampered_proof_fails_verification() {
    let target = Target::in_order(0x8040_2010_0804_0201).unwrap();
    let proof = single_multiplication(&target, Base::Two).unwrap().proof();
    assert_eq!(proof.verify(), Ok(()));
    let tampered = |tamper: &dyn Fn(&mut GatherProof)| {
        let mut proof = proof.clone();
        tamper(&mut proof);
        proof.verify()
    };
    for bit in 0..64 {
        let multiplier = tampered(&|proof| proof.multiplier ^= 1 << bit);
        assert!(multiplier.is_err(), "multiplier bit {bit}");
        let mask = tampered(&|proof| proof.mask ^= 1 << bit);
        assert!(mask.is_err(), "mask bit {bit}");
        let shift = tampered(&|proof| proof.shift = bit);
        assert!(bit == 56 || shift.is_err(), "shift {bit}");
        let keep = tampered(&|proof| proof.keep = Some(1 << bit));
        assert!(keep.is_err(), "keep {bit}");
    }
    let shift = tampered(&|proof| proof.shift = 64);
    assert_eq!(shift, Err(GatherFlaw::Shift(64)));
    let (square, pre_shift) = (0, 1);
    let lost = tampered(&|proof| proof.pre_shift = 1);
    assert_eq!(lost, Err(GatherFlaw::Lost { square, pre_shift }));
    let stages = tampered(&|proof| proof.stages[0].junk -= 1);
    assert_eq!(stages, Err(GatherFlaw::Inconsistent("stages")));
    let bits = tampered(&|proof| proof.terms[3].bit += 1);
    assert_eq!(bits, Err(GatherFlaw::Inconsistent("multiplier bits")));
    let squares = tampered(&|proof| proof.terms[3].square = 200);
    assert_eq!(squares, Err(GatherFlaw::Inconsistent("squares")));
}

#[test]
fn some_orders_fail_by_a_carry_alone() {
    let mut random = SplitMix64::new(7);
    let mut carries = 0;
    for _ in 0..2000 {
        let target = Target::new(random_squares(&mut random, 6, 64)).unwrap();
        if let Err(NoMultiplier::InThisOrder { flaw, .. }) =
            single_multiplication(&target, Base::Two)
        {
            carries += usize::from(matches!(flaw, GatherFlaw::Carry { .. }));
        }
    }
    assert!(carries > 0);
}
