//! The order in which mutations are tried: spread over a template, the same for a seed.

use std::collections::HashMap;

use super::mutation::Mutation;
use super::random::Random;

/// `mutations` in an order of which every beginning is spread: over places first, then over the
/// template's functions and tables, then over the kinds.
pub(super) fn spread(mut mutations: Vec<Mutation>, random: &mut Random) -> Vec<Mutation> {
    random.shuffle(&mut mutations);
    let mut places = HashMap::new();
    let mut items = HashMap::new();
    let mut kinds = HashMap::new();
    let mut ordered = Vec::with_capacity(mutations.len());
    while !mutations.is_empty() {
        let often = |mutation: &Mutation| {
            let place = places.get(&mutation.range.start).copied().unwrap_or(0);
            let item = items.get(&mutation.item).copied().unwrap_or(0);
            (place, item, kinds.get(&mutation.kind).copied().unwrap_or(0))
        };
        let next = (0..mutations.len()).min_by_key(|&i| often(&mutations[i]));
        let next = mutations.remove(next.expect("some are left"));
        *places.entry(next.range.start).or_insert(0) += 1;
        *items.entry(next.item.clone()).or_insert(0) += 1;
        *kinds.entry(next.kind).or_insert(0) += 1;
        ordered.push(next);
    }
    ordered
}
