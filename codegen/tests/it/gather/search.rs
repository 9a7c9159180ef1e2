//! Tests that the searches are complete.

use outflank_codegen::gather::{Base, Multiplication, Target, any_order, single_multiplication};

use outflank_random::SplitMix64;

use super::{BASES, boards, gather_slowly, random_squares};

#[test]
fn any_order_agrees_with_a_search_of_all_permutations() {
    fn orders(rest: &[u8]) -> Vec<Vec<u8>> {
        if rest.is_empty() {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for (at, &first) in rest.iter().enumerate() {
            let mut others = rest.to_vec();
            others.remove(at);
            for mut order in orders(&others) {
                order.push(first);
                all.push(order);
            }
        }
        all
    }
    let mut random = SplitMix64::new(4);
    let mut failures = 0;
    for round in 0..400 {
        let base = BASES[round % 2];
        // Five squares usually have many possible orders, fewer if they are close together.
        let squares = random_squares(&mut random, 5, [12, 16, 40, 64][round / 2 % 4]);
        let orders = orders(&squares)
            .into_iter()
            .map(|order| Target::new(order).unwrap());
        let parts: Vec<Multiplication> = orders
            .filter_map(|target| single_multiplication(&target, base).ok())
            .collect();
        let rank = |part: &Multiplication| (part.pre_shift > 0, part.multiplier.count_ones());
        match (
            any_order(&Target::new(squares.clone()).unwrap(), base),
            base,
        ) {
            (Ok((_, part)), Base::Two) => {
                assert_eq!(
                    Some(rank(&part)),
                    parts.iter().map(rank).min(),
                    "{squares:?}"
                );
            }
            (Ok(_), Base::Three) => assert!(!parts.is_empty(), "{squares:?}"),
            (Err(_), _) => {
                failures += 1;
                assert!(parts.is_empty(), "{squares:?}");
            }
        }
    }
    assert!(failures > 20, "{failures}");
}

/// Random multiplications have stages anywhere and superfluous bits in their multipliers.
///
/// If one of them gathers its squares, the search must find a multiplication for these squares, too.
#[test]
fn squares_that_a_random_multiplication_gathers_have_one() {
    let mut random = SplitMix64::new(5);
    let mut working = 0;
    for round in 0..60_000 {
        let base = BASES[round % 2];
        let count = 2 + random.below(4) as usize;
        let target = Target::new(random_squares(&mut random, count, 64)).unwrap();
        let width = gather_slowly(target.squares(), u64::MAX, base).ilog2() + 1;
        let shift = random.below(u64::from(65 - width)) as u32;
        let pre_shift = random.below(u64::from(target.mask().trailing_zeros()) + 1) as u32;
        let mut multiplier = 0;
        for (digit, &square) in target.squares().iter().enumerate() {
            let value = base.radix().pow(digit as u32);
            let distance = i64::from(shift + pre_shift) - i64::from(square);
            multiplier |= match distance {
                0.. => value << distance,
                _ => value.checked_shr(-distance as u32).unwrap_or(0),
            };
        }
        for _ in 0..random.below(3) {
            multiplier |= 1 << random.below(64);
        }
        let gathers = boards(target.squares()).all(|board| {
            let product = (board >> pre_shift).wrapping_mul(multiplier);
            let result = product >> shift & ((1 << width) - 1);
            result == gather_slowly(target.squares(), board, base)
        });
        if gathers {
            working += 1;
            assert!(
                single_multiplication(&target, base).is_ok(),
                "{target:?} {multiplier:#x} {shift} {pre_shift}"
            );
        }
    }
    assert!(working > 1000, "{working}");
}
