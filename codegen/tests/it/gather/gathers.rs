//! Gathers of lines, corners and random squares, compared with the reference on all boards.

use outflank_codegen::gather::{Base, Target, any_order, plan, single_multiplication};

use outflank_random::SplitMix64;

use super::{BASES, check, gather_slowly, random_squares};

/// Rows, columns, diagonals of 3 squares or more, corners of 3x3 and 2x5.
fn shapes() -> Vec<u64> {
    let mut shapes = Vec::new();
    let mut add = |inside: &dyn Fn(i32, i32) -> bool| {
        let squares = (0..64).filter(|square| inside(square % 8, square / 8));
        shapes.push(squares.fold(0u64, |mask, square| mask | 1 << square));
    };
    for line in 0..8 {
        add(&|_, y| y == line);
        add(&|x, _| x == line);
    }
    for distance in -5..=5 {
        add(&|x, y| x - y == distance);
        add(&|x, y| x + y - 7 == distance);
    }
    for corner in 0..4 {
        let from = move |x: i32, y: i32| {
            let x = if corner & 1 == 0 { x } else { 7 - x };
            (x, if corner & 2 == 0 { y } else { 7 - y })
        };
        add(&|x, y| matches!(from(x, y), (0..3, 0..3)));
        add(&|x, y| matches!(from(x, y), (0..5, 0..2)));
        add(&|x, y| matches!(from(x, y), (0..2, 0..5)));
    }
    shapes
}

#[test]
fn all_lines_and_corners_are_gathered() {
    let mut random = SplitMix64::new(1);
    let (mut single, mut any) = (0, 0);
    for mask in shapes() {
        for base in BASES {
            for target in [Target::in_order(mask), Target::reversed(mask)] {
                let target = target.unwrap();
                let parts = plan(&target, base);
                check(&target, base, &parts, &mut random);
                match single_multiplication(&target, base) {
                    Ok(part) => {
                        single += 1;
                        assert_eq!(parts.len(), 1, "{parts:?}");
                        check(&target, base, &[part], &mut random);
                    }
                    Err(_) => assert!(parts.len() > 1, "{parts:?}"),
                }
            }
            if let Ok((target, part)) = any_order(&Target::in_order(mask).unwrap(), base) {
                any += 1;
                assert_eq!(target.mask(), mask);
                check(&target, base, &[part], &mut random);
            }
        }
    }
    assert_eq!((shapes().len(), single, any), (50, 94, 64));
}

#[test]
fn random_squares_in_random_order_are_gathered() {
    let mut random = SplitMix64::new(2);
    let mut singles = 0;
    for round in 0..3000 {
        let base = BASES[round % 2];
        let count = 1 + round / 2 % 12;
        let target = Target::new(random_squares(&mut random, count, 64)).unwrap();
        let parts = plan(&target, base);
        check(&target, base, &parts, &mut random);
        match single_multiplication(&target, base) {
            Ok(part) => {
                singles += 1;
                assert_eq!(parts, [part]);
            }
            Err(_) => assert!(parts.len() > 1, "{parts:?}"),
        }
    }
    assert!(singles > 300, "{singles}");
}

#[test]
fn any_order_succeeds_where_a_given_order_does() {
    let mut random = SplitMix64::new(3);
    let (mut successes, mut failures) = (0, 0);
    for round in 0..2000 {
        let base = BASES[round % 2];
        let given = Target::new(random_squares(&mut random, 1 + round / 2 % 9, 64)).unwrap();
        let single = single_multiplication(&given, base);
        match any_order(&given, base) {
            Ok((target, part)) => {
                successes += 1;
                assert_eq!(target.mask(), given.mask());
                check(&target, base, std::slice::from_ref(&part), &mut random);
                assert_eq!(single_multiplication(&target, base), Ok(part));
            }
            Err(_) => {
                failures += 1;
                assert!(single.is_err(), "{given:?}");
            }
        }
    }
    assert!(successes > 500 && failures > 100, "{successes} {failures}");
}

#[test]
fn more_squares_than_are_planned_exactly_are_gathered() {
    let mut random = SplitMix64::new(6);
    for count in [13, 20, 40] {
        for base in BASES {
            let target = Target::new(random_squares(&mut random, count, 64)).unwrap();
            let parts = plan(&target, base);
            assert!(parts.iter().all(|part| part.proof().verify() == Ok(())));
            for _ in 0..1000 {
                let board = random.bits();
                let found: u64 = parts.iter().map(|part| part.apply(board)).sum();
                assert_eq!(found, gather_slowly(target.squares(), board, base));
            }
        }
    }
}

#[test]
fn articles_examples_are_found() {
    let diagonal = 0x8040_2010_0804_0201;
    let part = single_multiplication(&Target::in_order(diagonal).unwrap(), Base::Two).unwrap();
    assert_eq!((part.multiplier, part.shift), (0x0101_0101_0101_0101, 56));
    assert_eq!((part.pre_shift, part.keep), (0, None));

    let antidiagonal = 0x0102_0408_1020_4080;
    assert!(single_multiplication(&Target::in_order(antidiagonal).unwrap(), Base::Two).is_err());
    assert!(single_multiplication(&Target::reversed(antidiagonal).unwrap(), Base::Two).is_ok());

    // The second article prints 0x1018243651. It holds the powers of 3 up to 81, so it gathers five squares. The
    // diagonal of six also needs 243, nine bits below.
    let diagonal_of_five = 0x0000_0080_4020_1008;
    let five =
        single_multiplication(&Target::in_order(diagonal_of_five).unwrap(), Base::Three).unwrap();
    assert_eq!(
        five.multiplier,
        0x10_1824_3651 << five.multiplier.trailing_zeros()
    );
    let diagonal_of_six = 0x0000_8040_2010_0804;
    let six =
        single_multiplication(&Target::in_order(diagonal_of_six).unwrap(), Base::Three).unwrap();
    let with_243 = 0x10_1824_3651 << 9 | 243;
    assert_eq!(six.multiplier, with_243 << six.multiplier.trailing_zeros());
    assert_eq!(six.shift, 55);
    // In the other direction, 7 bits apart, five squares are possible and six are not.
    let short =
        [0x0000_0008_1020_4080, 0x0000_0408_1020_4080].map(|mask| Target::in_order(mask).unwrap());
    assert!(single_multiplication(&short[0], Base::Three).is_ok());
    assert!(single_multiplication(&short[1], Base::Three).is_err());
}
