//! Tests that normal forms keep the values of terms.

use outflank_random::SplitMix64;

use super::bits::{and_all, concat, xor_all};
use super::*;

/// Values of variables, by the first letters of their names.
struct Values([Wide; 4]);

impl Assignment for Values {
    fn variable(&self, name: &str, width: u32) -> Wide {
        self.0[(name.as_bytes()[0] - b'a') as usize].low(width)
    }

    fn apply(&self, _: &str, _: &[Wide], _: u32) -> Wide {
        unreachable!("none is used")
    }
}

/// A random expression of `width` bits, as a term and as its value, which is computed independently.
fn expression(random: &mut SplitMix64, width: u32, depth: u32, values: &Values) -> (Term, Wide) {
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
    let operation = random.below(17) as usize;
    let arity = [2, 2, 3, 1, 2, 2, 2, 1, 2, 4, 4, 2, 1, 1, 0, 0, 0][operation];
    let [(a, x), (b, y), (c, z), (d, w)] = std::array::from_fn(|i| match i < arity {
        true => expression(random, width, depth - 1, values),
        false => (zeros(width), Wide::ZERO),
    });
    let distance = |by: Wide| shift_distance(by, width);
    let ones = Wide::ones(width);
    let (term, value) = match operation {
        0 => (a & b, x & y),
        1 => (a | b, x | y),
        2 => (xor_all([a, b, c]), x ^ y ^ z),
        3 => (!a, x ^ ones),
        4 => (a + b, x.plus(y)),
        5 => (a - b, x.plus(y.negative())),
        6 => (a * b, x.times(y)),
        7 => {
            let by = random.below(u64::from(width) + 3) as u32;
            let (all, kept) = (by.min(width), by.min(width - 1));
            match random.below(3) {
                0 => (a.shift_by(Shift::Left, by), x.shifted_left(all)),
                1 => (a.shift_by(Shift::Right, by), x.shifted_right(all)),
                _ => (
                    a.shift_by(Shift::SignedRight, by),
                    x.shifted_right(kept).extended(width - kept, width),
                ),
            }
        }
        8 => (a.shift(Shift::Left, b), x.shifted_left(distance(y))),
        9 => (a.below(b).choose(c, d), if x < y { z } else { w }),
        10 => {
            let is_less = x.is_less_signed(y, width);
            (a.signed_below(b).choose(c, d), if is_less { z } else { w })
        }
        11 => {
            let value = if x == y { ones } else { Wide::ZERO };
            (a.equals(b).extend(width), value)
        }
        12 => (a.count(), Wide::new(x.count().into())),
        13 => {
            let zeros = x.trailing_zeros().min(width);
            (a.trailing_zeros(), Wide::new(zeros.into()))
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
            (a.extract(lo, width), x.shifted_right(lo))
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
    };
    (term, value.low(width))
}

#[test]
fn normal_forms_keep_values_and_bounds_hold() {
    let mut random = SplitMix64::new(7);
    for round in 0..4_000 {
        clear();
        let width = random.pick(&[1, 2, 7, 8, 16, 32, 64, 100, 256]);
        let number = |random: &mut SplitMix64| {
            let low = Wide::new(random.bits() >> random.below(64));
            low ^ Wide::new(random.bits()).shifted_left(random.below(256) as u32)
        };
        let values = Values(std::array::from_fn(|_| number(&mut random)));
        let (term, value) = expression(&mut random, width, 5, &values);
        let got = Evaluator::new(&values).value(term);
        assert_eq!(got, value, "round {round}: {term:?} {:?}", term.node());
        assert_eq!(term.width(), width);
        if let Some(highest) = upper_bound(term) {
            assert!(value <= Wide::new(highest), "round {round}");
        }
        assert!(
            trailing_zeros(term) <= value.trailing_zeros(),
            "round {round}"
        );
    }
}

#[test]
fn substitution_evaluates_as_the_replaced_variable() {
    let mut random = SplitMix64::new(8);
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
        let after = substitute(&[(old, new)], &[term])[0];
        let swapped = Values(std::array::from_fn(|i| numbers[if i == 0 { 1 } else { i }]));
        let (got, expected) = (
            Evaluator::new(&values).value(after),
            Evaluator::new(&swapped).value(term),
        );
        // Variables of other widths were not replaced.
        if has_only_width(term, width) {
            assert_eq!(got, expected, "round {round}");
        }
    }
}

/// Returns `true` if all variables in a term have this width.
fn has_only_width(term: Term, width: u32) -> bool {
    let mut terms = subterms([term].iter()).into_iter();
    terms.all(|term| !matches!(*term.node(), Node::Variable(_)) || term.width() == width)
}

#[test]
fn equal_expressions_have_one_normal_form() {
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
        // A multiplication that gathers the lowest bit of each byte.
        (
            (mask(a, 0x0101_0101_0101_0101) * number(0x0102_0408_1020_4080, 64)).extract(56, 8),
            concat((0..8).map(|i| a.bit(8 * i))),
        ),
        (concat(a.lanes(8)), a),
        (and_all([a, b, !a]), number(0, 64)),
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
