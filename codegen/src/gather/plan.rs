//! Plans of several multiplications: the squares split into as few parts as possible.
//!
//! If a set of squares has a multiplication, each of its subsets has one: fewer terms disturb less, and the stage can
//! only shrink. So small sets are tried first. A set is skipped if one of its subsets has no multiplication. Dynamic
//! programming over subsets then finds the fewest sets that cover all squares.

use super::{Base, Multiplication, Target};

/// Maximum number of squares for which a plan has provably the fewest parts.
///
/// With more squares, each part greedily takes as many squares as it can.
pub const EXACT_SQUARES: usize = 12;

/// Finds the fewest multiplications that together gather `target`, the cheapest among equals.
///
/// A plan always exists, because a single square needs only a shift. Each part delivers its squares at their final
/// positions (base 2) or with their powers (base 3); [`plan_code`] joins the parts.
pub fn plan(target: &Target, base: Base) -> Vec<Multiplication> {
    let values = target.values(base);
    match values.len() {
        0..=EXACT_SQUARES => fewest(&values, base),
        _ => greedy(&values, base),
    }
}

/// Rust expression of type `u64` that joins all parts: `|` in base 2, `+` in base 3.
pub fn plan_code(parts: &[Multiplication], variable: &str) -> String {
    let codes = parts.iter().map(|part| match (part.base, parts.len()) {
        (Base::Three, 2..) if part.scale == 1 => format!("({})", part.code(variable)),
        _ => part.code(variable),
    });
    let operator = match parts.first().map(|part| part.base) {
        Some(Base::Three) => " + ",
        _ => " | ",
    };
    codes.collect::<Vec<_>>().join(operator)
}

/// Cost of a split: parts, then cycles, then bits of the multipliers.
type SplitCost = (u32, u32, u32);

fn fewest(values: &[(u8, u64)], base: Base) -> Vec<Multiplication> {
    let parts = possible_parts(values, base);
    let all = parts.len() - 1;
    // For each set of squares: the least cost of a split, and the split's part that has the lowest square.
    let mut best: Vec<(SplitCost, usize)> = vec![((0, 0, 0), 0)];
    for set in 1..=all {
        let lowest = set & set.wrapping_neg();
        let rest = set ^ lowest;
        let mut least = ((u32::MAX, 0, 0), 0);
        // Each part is a subset of the rest, together with the lowest square.
        let mut others = rest;
        loop {
            if let Some(part) = &parts[others | lowest] {
                let (count, cycles, bits) = best[rest ^ others].0;
                let (more_cycles, more_bits) = part.cost();
                let cost = (count + 1, cycles + more_cycles, bits + more_bits);
                if cost < least.0 {
                    least = (cost, others | lowest);
                }
            }
            if others == 0 {
                break;
            }
            others = (others - 1) & rest;
        }
        best.push(least);
    }
    let mut chosen = Vec::new();
    let mut rest = all;
    while rest != 0 {
        let set = best[rest].1;
        chosen.extend(parts[set].clone());
        rest ^= set;
    }
    chosen
}

/// Multiplications of all sets of squares; `None` for a set without one.
///
/// The index is the set: bit `i` stands for `values[i]`.
fn possible_parts(values: &[(u8, u64)], base: Base) -> Vec<Option<Multiplication>> {
    let mut parts: Vec<Option<Multiplication>> = vec![None];
    for set in 1usize..1 << values.len() {
        let inside = (0..values.len()).filter(|index| set >> index & 1 == 1);
        let smaller = inside.clone().map(|index| set ^ 1 << index);
        let hopeless = smaller
            .into_iter()
            .any(|set| set != 0 && parts[set].is_none());
        let chosen: Vec<_> = inside.map(|index| values[index]).collect();
        parts.push(match hopeless {
            true => None,
            false => Multiplication::cheapest(&chosen, base).ok(),
        });
    }
    parts
}

fn greedy(values: &[(u8, u64)], base: Base) -> Vec<Multiplication> {
    let mut parts = Vec::new();
    let mut waiting = values.to_vec();
    while !waiting.is_empty() {
        let (mut chosen, mut part, mut left) = (Vec::new(), None, Vec::new());
        for value in waiting {
            chosen.push(value);
            match Multiplication::cheapest(&chosen, base) {
                Ok(larger) => part = Some(larger),
                Err(_) => {
                    chosen.pop();
                    left.push(value);
                }
            }
        }
        parts.extend(part);
        waiting = left;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Targets with a constant step from square to square, in both bases.
    fn targets(squares: usize) -> impl Iterator<Item = (Target, Base)> {
        let steps = [1, 7, 8, 9, 11, 19, 23, 29, 37, 41, 53].into_iter();
        let cases = steps.flat_map(|step| [(step, Base::Two), (step, Base::Three)]);
        cases.map(move |(step, base)| {
            let stepped = (0..squares).map(|index| ((index * step + 5) % 64) as u8);
            let mut all = Vec::new();
            for square in stepped {
                if !all.contains(&square) {
                    all.push(square);
                }
            }
            (Target::new(all).unwrap(), base)
        })
    }

    #[test]
    fn pruned_sets_have_no_multiplication() {
        let mut parts_found = 0;
        for (target, base) in targets(9) {
            let values = target.values(base);
            for (set, part) in possible_parts(&values, base).iter().enumerate().skip(1) {
                let inside = (0..values.len()).filter(|index| set >> index & 1 == 1);
                let chosen: Vec<_> = inside.map(|index| values[index]).collect();
                assert_eq!(
                    Multiplication::cheapest(&chosen, base).ok(),
                    *part,
                    "{chosen:?}"
                );
                parts_found += usize::from(part.is_some());
            }
        }
        assert!((1000..8000).contains(&parts_found), "{parts_found}");
    }

    #[test]
    fn plan_has_the_fewest_parts() {
        fn least(parts: &[Option<Multiplication>], set: usize) -> usize {
            let subsets = (1..=set).filter(|subset| subset & !set == 0 && parts[*subset].is_some());
            let counts = subsets.map(|subset| 1 + least(parts, set ^ subset));
            counts.min().unwrap_or(0)
        }
        let mut several = 0;
        let crowded = [
            0xff,
            0x3_0707,
            0xf0f,
            0x7_0303,
            0x4181_0203,
            0x0102_0408_1020_4080,
        ];
        let crowded = crowded.map(|mask| Target::in_order(mask).unwrap());
        let crowded = crowded
            .into_iter()
            .flat_map(|target| [(target.clone(), Base::Two), (target, Base::Three)]);
        for (target, base) in targets(6).chain(crowded) {
            let values = target.values(base);
            let parts = possible_parts(&values, base);
            let count = least(&parts, parts.len() - 1);
            assert_eq!(plan(&target, base).len(), count, "{target:?}");
            several += usize::from(count > 2);
        }
        assert!(several > 3, "{several}");
    }
}
