//! Terms in normal form have the values of what they were made of.

use outflank_random::SplitMix;

use super::bits::{all, concat, odd};
use super::*;

/// Values for variables by their names' last letter.
struct Values([Wide; 4]);

impl Assignment for Values {
    fn variable(&self, name: &str, width: u32) -> Wide {
        self.0[(name.as_bytes()[0] - b'a') as usize].low(width)
    }

    fn apply(&self, _: &str, _: &[Wide], _: u32) -> Wide {
        unreachable!("none is used")
    }
}

/// What a random expression of `width` bits is, as a term and as a value, worked out apart.
fn expression(random: &mut SplitMix, width: u32, depth: u32, values: &Values) -> (Term, Wide) {
    if depth == 0 || random.below(12) == 0 {
        return match random.below(5) {
            0 => {
                let any = random.bits();
                let pattern = random.pick(&[0, !0, 0xFF, 0x8080_8080_8080_8080, 0x0F0F, any]);
                let value = Wide::new(pattern).low(width.min(64));
                (constant(value, width), value)
            }
            i => {
                let name = ["a", "b", "c", "d"][i as usize - 1];
                let term = variable(&format!("{name}{width}"), width);
                (term, values.variable(name, width))
            }
        };
    }
    let own = |random: &mut SplitMix| expression(random, width, depth - 1, values);
    let low = |value: Wide| value.low(width);
    match random.below(17) {
        0 => {
            let ((a, x), (b, y)) = (own(random), own(random));
            (a & b, x & y)
        }
        1 => {
            let ((a, x), (b, y)) = (own(random), own(random));
            (a | b, x | y)
        }
        2 => {
            let ((a, x), (b, y), (c, z)) = (own(random), own(random), own(random));
            (odd([a, b, c]), x ^ y ^ z)
        }
        3 => {
            let (a, x) = own(random);
            (!a, x ^ Wide::ones(width))
        }
        4 => {
            let ((a, x), (b, y)) = (own(random), own(random));
            (a + b, low(x.plus(y)))
        }
        5 => {
            let ((a, x), (b, y)) = (own(random), own(random));
            (a - b, low(x.plus(y.negative())))
        }
        6 => {
            let ((a, x), (b, y)) = (own(random), own(random));
            (a * b, low(x.times(y)))
        }
        7 => {
            let (a, x) = own(random);
            let by = random.below(u64::from(width) + 3) as u32;
            let by_width = by.min(width);
            match random.below(3) {
                0 => (a.shift_by(Shift::Left, by), low(x.shifted_left(by_width))),
                1 => (a.shift_by(Shift::Right, by), x.shifted_right(by_width)),
                _ => {
                    let kept = by.min(width - 1);
                    (
                        a.shift_by(Shift::SignedRight, by),
                        x.shifted_right(kept).extended(width - kept, width),
                    )
                }
            }
        }
        8 => {
            let ((a, x), (b, y)) = (own(random), own(random));
            let by = y.to_u64().map_or(width, |by| by.min(width.into()) as u32);
            (a.shift(Shift::Left, b), low(x.shifted_left(by)))
        }
        9 => {
            let ((a, x), (b, y), (c, z)) = (own(random), own(random), own(random));
            let (d, w) = own(random);
            (a.below(b).choose(c, d), if x.is_less(y) { z } else { w })
        }
        10 => {
            let ((a, x), (b, y), (c, z)) = (own(random), own(random), own(random));
            let (d, w) = own(random);
            (
                a.signed_below(b).choose(c, d),
                if x.is_less_signed(y, width) { z } else { w },
            )
        }
        11 => {
            let ((a, x), (b, y)) = (own(random), own(random));
            (
                a.equals(b).extend(width),
                if x == y {
                    Wide::ones(width)
                } else {
                    Wide::ZERO
                },
            )
        }
        12 => {
            let (a, x) = own(random);
            (a.count(), Wide::new(x.count().into()).low(width))
        }
        13 => {
            let (a, x) = own(random);
            (
                a.trailing_zeros(),
                Wide::new(x.trailing_zeros().min(width).into()).low(width),
            )
        }
        14 if width > 1 => {
            let split = 1 + random.below(u64::from(width) - 1) as u32;
            let (a, x) = expression(random, split, depth - 1, values);
            let (b, y) = expression(random, width - split, depth - 1, values);
            (concat([a, b]), x | y.shifted_left(split))
        }
        15 if width < 64 => {
            let more = 1 + random.below(64 - u64::from(width)) as u32;
            let (a, x) = expression(random, width + more, depth - 1, values);
            let lo = random.below(u64::from(more) + 1) as u32;
            (a.extract(lo, width), x.shifted_right(lo).low(width))
        }
        _ => {
            let bits = 1 + random.below(u64::from(width.min(5))) as u32;
            let (a, x) = expression(random, bits, depth - 1, values);
            let step = Wide::new(random.bits());
            let linear = random.below(2) == 0;
            let entries: Vec<Wide> = (0..1u64 << bits)
                .map(|i| match linear {
                    true => (0..bits)
                        .filter(|b| i >> b & 1 == 1)
                        .fold(step, |e, b| e ^ step.shifted_left(b + 1)),
                    false => Wide::new(i).times(step),
                })
                .map(|entry| entry.low(width))
                .collect();
            let value = entries[x.low_word() as usize];
            (Table::new(entries, width).lookup(a), value)
        }
    }
}

#[test]
fn normal_forms_have_the_values_of_what_they_were_made_of() {
    let mut random = SplitMix::new(7);
    for round in 0..4_000 {
        clear();
        let width = random.pick(&[1, 2, 7, 8, 16, 32, 64, 100, 256]);
        let number = |random: &mut SplitMix| {
            let low = Wide::new(random.bits() >> random.below(64));
            low ^ Wide::new(random.bits()).shifted_left(random.below(256) as u32)
        };
        let values = Values(std::array::from_fn(|_| number(&mut random)));
        let (term, value) = expression(&mut random, width, 5, &values);
        let got = Evaluator::new(&values).value(term);
        assert_eq!(got, value, "round {round}: {term:?} {:?}", term.node());
        assert_eq!(term.width(), width);
        if let Some(highest) = highest(term) {
            assert!(!Wide::new(highest).is_less(value), "round {round}");
        }
        assert!(
            trailing_zeros(term) <= value.trailing_zeros(),
            "round {round}"
        );
    }
}

/// A variable in another's place has its own value.
#[test]
fn rewritten_terms_have_the_values_of_what_was_put_in() {
    let mut random = SplitMix::new(8);
    for round in 0..1_000 {
        clear();
        let width = random.pick(&[1, 7, 16, 32, 64]);
        let numbers = std::array::from_fn(|_| Wide::new(random.bits()));
        let values = Values(numbers);
        let (term, _) = expression(&mut random, width, 4, &values);
        let (old, new) = (
            variable(&format!("a{width}"), width),
            variable(&format!("b{width}"), width),
        );
        let after = Rewriter::new([(old, new)]).rewritten(term);
        let swapped = Values(std::array::from_fn(|i| numbers[if i == 0 { 1 } else { i }]));
        let (got, expected) = (
            Evaluator::new(&values).value(after),
            Evaluator::new(&swapped).value(term),
        );
        // Variables of other widths were not exchanged.
        if only_of(term, width) {
            assert_eq!(got, expected, "round {round}");
        }
    }
}

/// Whether all variables in a term have a width.
fn only_of(term: Term, width: u32) -> bool {
    let (mut is_so, mut left) = (true, vec![term]);
    while let Some(term) = left.pop() {
        is_so &= !matches!(*term.node(), Node::Variable(_)) || term.width() == width;
        term.node().operands(|operand| left.push(operand));
    }
    is_so
}

#[test]
fn what_is_the_same_is_one_term() {
    clear();
    let (a, b) = (variable("a", 64), variable("b", 64));
    let mask = |term: Term, mask: u64| term & number(mask, 64);
    for (i, (one, other)) in [
        (a & b, b & a),
        (a ^ b ^ a, b),
        (!(a & b), !a | !b),
        (a + b - a, b),
        (
            mask(a, 0xFF00).shift_by(Shift::Right, 8),
            mask(a.shift_by(Shift::Right, 8), 0xFF),
        ),
        (mask(a, 0xFF) | mask(a, 0xFFFF_FF00) | mask(a, !0 << 32), a),
        (a.shift_by(Shift::Left, 3), a + a + a + a + a + a + a + a),
        // A multiplication that gathers the lowest bits of the bytes.
        (
            (mask(a, 0x0101_0101_0101_0101) * number(0x0102_0408_1020_4080, 64)).extract(56, 8),
            concat((0..8).map(|i| a.bit(8 * i))),
        ),
        (concat(a.lanes(8)), a),
        (all([a, b, !a]), number(0, 64)),
        (
            a.extract(0, 8).extend(64).extract(0, 16),
            a.extract(0, 8).extend(16),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(one, other, "{i}: {:?} {:?}", one.node(), other.node());
    }
}
