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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::mutation::Kind;
    use std::collections::HashSet;

    #[test]
    fn every_beginning_is_spread_and_nothing_is_lost() {
        let kinds = [Kind::Operator, Kind::Constant, Kind::Method];
        let mutation = |i: usize| Mutation {
            kind: kinds[i % 3],
            // Four items; the first has most of the mutations.
            item: format!("item{}", if i < 64 { 0 } else { i % 4 }),
            range: i / 2..i / 2 + 1,
            with: i.to_string(),
        };
        let all: Vec<Mutation> = (0..80).map(mutation).collect();
        let spread_by = |seed| spread(all.clone(), &mut Random::new(seed, ""));
        let ordered = spread_by(1);
        let every: HashSet<_> = ordered.iter().map(|mutation| &mutation.with).collect();
        assert_eq!((ordered.len(), every.len()), (80, 80));
        let items: HashSet<_> = ordered[..4].iter().map(|mutation| &mutation.item).collect();
        assert_eq!(items.len(), 4);
        let places: HashSet<_> = ordered[..40].iter().map(|one| one.range.start).collect();
        assert_eq!(places.len(), 40);
        let kinds: HashSet<_> = ordered[..6].iter().map(|mutation| mutation.kind).collect();
        assert_eq!(kinds.len(), 3);
        assert_eq!(ordered, spread_by(1));
        assert_ne!(ordered, spread_by(2));
    }
}
