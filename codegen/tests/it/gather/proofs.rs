//! A proof fails when its numbers change.

use outflank_codegen::gather::{Base, Flaw, NoMultiplier, Target, one};

use outflank_random::SplitMix;

use super::random_squares;

#[test]
fn a_tampered_proof_fails() {
    let target = Target::in_order(0x8040_2010_0804_0201).unwrap();
    let proof = one(&target, Base::Two).unwrap().proof();
    assert_eq!(proof.verify(), Ok(()));
    for bit in 0..64 {
        let mut tampered = proof.clone();
        tampered.multiplier ^= 1 << bit;
        assert!(tampered.verify().is_err(), "multiplier bit {bit}");
        let mut tampered = proof.clone();
        tampered.mask ^= 1 << bit;
        assert!(tampered.verify().is_err(), "mask bit {bit}");
        let mut tampered = proof.clone();
        tampered.shift = bit;
        assert!(bit == 56 || tampered.verify().is_err(), "shift {bit}");
        let mut tampered = proof.clone();
        tampered.keep = Some(1 << bit);
        assert!(tampered.verify().is_err(), "keep {bit}");
    }
    let mut tampered = proof.clone();
    tampered.shift = 64;
    assert_eq!(tampered.verify(), Err(Flaw::Shift(64)));
    let mut tampered = proof.clone();
    tampered.pre_shift = 1;
    assert!(matches!(
        tampered.verify(),
        Err(Flaw::Lost {
            square: 0,
            pre_shift: 1
        })
    ));
    let mut tampered = proof.clone();
    tampered.stages[0].junk -= 1;
    assert_eq!(tampered.verify(), Err(Flaw::List("stages")));
    let mut tampered = proof.clone();
    tampered.terms[3].bit += 1;
    assert_eq!(tampered.verify(), Err(Flaw::List("multiplier bits")));
    let mut tampered = proof;
    tampered.terms[3].square = 200;
    assert_eq!(tampered.verify(), Err(Flaw::List("squares")));
}

/// Some orders fail by nothing but a carry.
#[test]
fn a_carry_is_noticed() {
    let mut random = SplitMix::new(7);
    let mut carries = 0;
    for _ in 0..2000 {
        let target = Target::new(random_squares(&mut random, 6, 64)).unwrap();
        if let Err(NoMultiplier::InThisOrder { flaw, .. }) = one(&target, Base::Two) {
            carries += usize::from(matches!(flaw, Flaw::Carry { .. }));
        }
    }
    assert!(carries > 0);
}
