//! Mutations of integer literals.

use syn::LitInt;

use outflank_random::SplitMix64;

/// Mutated literals: one more, one less (not below 0), one random bit flipped.
///
/// Empty if `literal` is no integer.
pub(super) fn variants(literal: &str, random: &mut SplitMix64) -> Vec<String> {
    let Some((value, digits)) = parsed(literal) else {
        return Vec::new();
    };
    let bits = match digits {
        Digits::Hexadecimal(digits) => 4 * digits,
        Digits::Binary(digits) => digits,
        Digits::Decimal => (128 - value.leading_zeros()).max(1) as usize,
    };
    let flipped = value ^ 1 << random.below(bits as u64);
    let mut values = neighbours(value);
    if !values.contains(&flipped) {
        values.push(flipped);
    }
    Vec::from_iter(values.into_iter().map(|value| write(literal, value)))
}

/// Mutated literals: one more, and one less (not below 0); empty if `literal` is no integer.
pub(super) fn off_by_one(literal: &str) -> Vec<String> {
    let values = parsed(literal).map_or(Vec::new(), |(value, _)| neighbours(value));
    Vec::from_iter(values.into_iter().map(|value| write(literal, value)))
}

fn neighbours(value: u128) -> Vec<u128> {
    let less = value.checked_sub(1);
    value.checked_add(1).into_iter().chain(less).collect()
}

/// Radix of a literal, with the number of digits if mutations keep it.
enum Digits {
    Decimal,
    Hexadecimal(usize),
    Binary(usize),
}

fn parsed(literal: &str) -> Option<(u128, Digits)> {
    let parsed: LitInt = syn::parse_str(literal).ok()?;
    let digits = literal[..literal.len() - parsed.suffix().len()].replace('_', "");
    let digits = match digits.get(..2) {
        Some("0x") => Digits::Hexadecimal(digits.len() - 2),
        Some("0b") => Digits::Binary(digits.len() - 2),
        _ => Digits::Decimal,
    };
    Some((parsed.base10_digits().parse().ok()?, digits))
}

/// Formats a value like `literal`: same radix, groups of four digits (hexadecimal, binary), same suffix.
fn write(literal: &str, value: u128) -> String {
    let suffix = syn::parse_str::<LitInt>(literal)
        .map_or(String::new(), |parsed| parsed.suffix().to_owned());
    let underscore = if literal.ends_with(&format!("_{suffix}")) {
        "_"
    } else {
        ""
    };
    let (prefix, digits) = match parsed(literal) {
        Some((_, Digits::Hexadecimal(width))) => ("0x", format!("{value:0width$X}")),
        Some((_, Digits::Binary(width))) => ("0b", format!("{value:0width$b}")),
        _ => return format!("{value}{underscore}{suffix}"),
    };
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 4 == 0 {
            grouped.push('_');
        }
        grouped.push(digit);
    }
    format!("{prefix}{grouped}{underscore}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::seeded;

    #[test]
    fn variants_are_off_by_one_or_by_one_bit() {
        let cases = [
            ("7", vec!["8", "6"]),
            ("0", vec!["1"]),
            ("0_u64", vec!["1_u64"]),
            ("64u8", vec!["65u8", "63u8"]),
            ("0x00FF_0000", vec!["0x00FF_0001", "0x00FE_FFFF"]),
            ("0b1000", vec!["0b1001", "0b0111"]),
        ];
        for (literal, near) in cases {
            assert_eq!(off_by_one(literal), near);
            for seed in 0..100 {
                let all = variants(literal, &mut seeded(seed, ""));
                assert_eq!(all[..near.len()], near, "{literal}");
                let value = |text: &str| parsed(text).unwrap().0;
                for other in &all[near.len()..] {
                    let changed = value(other) ^ value(literal);
                    assert_eq!(changed.count_ones(), 1, "{literal} {other}");
                    assert!(other.len() <= literal.len(), "{literal} {other}");
                }
            }
        }
        let every_bit: std::collections::HashSet<String> = (0..200)
            .flat_map(|seed| variants("0xF0", &mut seeded(seed, "")).split_off(2))
            .collect();
        assert_eq!(every_bit.len(), 7, "{every_bit:?}");
        assert!(variants("1.5", &mut seeded(0, "")).is_empty());
        assert!(variants("\"7\"", &mut seeded(0, "")).is_empty());
    }
}
