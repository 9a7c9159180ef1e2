//! Exact mutations of small texts.

use super::*;
use crate::mutants::seeded;
use std::collections::BTreeSet;

/// Mutations of a text, as `operator item: original -> replacement`.
fn mutations_of(text: &str, seed: u64) -> Vec<String> {
    let group = ["and", "and_not", "or"].map(str::to_owned);
    let exchanges = MethodExchanges::new([BTreeSet::from(group)]);
    let mutations = mutations(text, &exchanges, &mut seeded(seed, "")).unwrap();
    let shown = |mutation: &Mutation| {
        let (kind, item) = (mutation.kind, &mutation.item);
        let original = &text[mutation.range.clone()];
        format!("{kind} {item}: {original} -> {}", mutation.with)
    };
    mutations.iter().map(shown).collect()
}

#[test]
fn every_operator_finds_its_mutations() {
    let text = "
//! A specification with 1 + 2.
#![select(portable = a, v3 = b)]
use super::flip::{RAYS, INNER};
/// Doc & 7.
#[algorithm]
#[shape(v3 = \"12\")]
fn a(square: usize, player: [u64; 4]) -> u64 {
    // A comment: 3 << 4.
    let rays = &RAYS[square & !8];
    let _ = (player, 5);
    let both = rays.up.and(player);
    both.neg().or(both)
}
";
    let expected = [
        "operator a: & -> |",
        "negation a: ! -> ",
        "constant a: 8 -> 9",
        "constant a: 8 -> 7",
        "constant a: 8 -> 12",
        "method a: and -> and_not",
        "method a: and -> or",
        "negation a: .neg() -> ",
        "method a: or -> and",
        "method a: or -> and_not",
    ];
    assert_eq!(mutations_of(text, 1), expected);

    let text = "
const fn table() -> [u8; 8] {
    let mut all = [0; 8];
    let mut i = 0b0;
    while i < 8 {
        if i > 2 && !done(i, all) {
            all[i] |= f::<1, 1>(i, i);
        }
        i += 1;
    }
    all
}
static T: [[u8; 8]; 2] = [x, y];
";
    let expected = [
        "constant table: 0 -> 1",
        "constant table: 0b0 -> 0b1",
        "operator table: < -> <=",
        "operator table: < -> >=",
        "bound table: 8 -> 9",
        "bound table: 8 -> 7",
        "condition table: i > 2 && !done(i, all) -> !(i > 2 && !done(i, all))",
        "operator table: > -> >=",
        "operator table: > -> <=",
        "constant table: 2 -> 3",
        "constant table: 2 -> 1",
        "constant table: 2 -> 0",
        "operator table: && -> ||",
        "negation table: ! -> ",
        "arguments table: i, all -> all, i",
        "statement table: all[i] |= f::<1, 1>(i, i); -> ;",
        "operator table: |= -> &=",
        "constant table: 1 -> 2",
        "constant table: 1 -> 0",
        "constant table: 1 -> 2",
        "constant table: 1 -> 0",
        "statement table: i += 1; -> ;",
        "operator table: += -> -=",
        "constant table: 1 -> 2",
        "constant table: 1 -> 0",
        "elements T: x, y -> y, x",
    ];
    assert_eq!(mutations_of(text, 1), expected);
}

#[test]
fn tags_are_skipped_and_macros_are_items() {
    let text = "
{# 1 + 2 #}
{% if at(\"v3\", \"neon\") %}
{% macro turned(reverse) %}
    let up = upwards.{{ reverse }}(a, b) ^ {{ 63 - 1 }};
    for i in 0..8 {}
{% endmacro %}
#[reference]
fn slow(player: u64) -> u64 { player + 1 }
fn quick(player: u64) -> u64 {
    {{ turned(\"é\", 2) }} - player
}
{% endif %}
";
    let expected = [
        "arguments turned: a, b -> b, a",
        "operator turned: ^ -> |",
        "bound turned: 0 -> 1",
        "bound turned: 8 -> 9",
        "bound turned: 8 -> 7",
        "operator quick: - -> +",
    ];
    assert_eq!(mutations_of(text, 1), expected);
}

#[test]
fn seed_determines_the_flipped_bits() {
    let text = "const C: u64 = 0x0123_4567_89AB_CDEF;";
    assert_eq!(mutations_of(text, 7), mutations_of(text, 7));
    let all: BTreeSet<_> = (0..100).flat_map(|seed| mutations_of(text, seed)).collect();
    assert!(all.len() > 40, "{all:?}");
}

#[test]
fn mutation_changes_its_range_only() {
    let text = "fn f() {\n    g(a,\n      b) + 1\n}\n";
    let exchanges = MethodExchanges::new([]);
    let all = mutations(text, &exchanges, &mut seeded(0, "")).unwrap();
    let applied: Vec<_> = all.iter().map(|mutation| mutation.apply(text)).collect();
    assert_eq!(applied[0], "fn f() {\n    g(b,\n      a) + 1\n}\n");
    assert_eq!(all[0].lines(text), ["g(a, b) + 1", "g(b, a) + 1"]);
    assert_eq!((all[0].line(text), all[1].line(text)), (2, 3));
    assert_eq!(applied[1], "fn f() {\n    g(a,\n      b) - 1\n}\n");
    assert!(mutations("fn f( {", &exchanges, &mut seeded(0, "")).is_err());
}
