//! Order in which the mutations of a template are tried, determined by the seed.

use std::collections::HashMap;

use super::mutation::Mutation;
use outflank_random::SplitMix64;

/// Orders mutations so that every prefix is spread evenly over positions in the text, then items, then kinds.
pub(super) fn spread(mut mutations: Vec<Mutation>, random: &mut SplitMix64) -> Vec<Mutation> {
    random.shuffle(&mut mutations);
    let mut starts = HashMap::new();
    let mut items = HashMap::new();
    let mut kinds = HashMap::new();
    let mut ordered = Vec::with_capacity(mutations.len());
    while !mutations.is_empty() {
        let uses = |mutation: &Mutation| {
            let start = starts.get(&mutation.range.start).copied().unwrap_or(0);
            let item = items.get(&mutation.item).copied().unwrap_or(0);
            (start, item, kinds.get(&mutation.kind).copied().unwrap_or(0))
        };
        let next = (0..mutations.len()).min_by_key(|&i| uses(&mutations[i]));
        let next = mutations.remove(next.expect("mutations are left"));
        *starts.entry(next.range.start).or_insert(0) += 1;
        *items.entry(next.item.clone()).or_insert(0) += 1;
        *kinds.entry(next.kind).or_insert(0) += 1;
        ordered.push(next);
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::mutation::MutationKind;
    use crate::mutants::seeded;
    use std::collections::HashSet;

    #[test]
    fn prefixes_are_spread_and_no_mutation_is_lost() {
        let kinds = [
            MutationKind::Operator,
            MutationKind::Constant,
            MutationKind::Method,
        ];
        let mutation = |i: usize| Mutation {
            kind: kinds[i % 3],
            // Four items; the first has most of the mutations.
            item: format!("item{}", if i < 64 { 0 } else { i % 4 }),
            range: i / 2..i / 2 + 1,
            with: i.to_string(),
        };
        let all: Vec<Mutation> = (0..80).map(mutation).collect();
        let spread_by = |seed| spread(all.clone(), &mut seeded(seed, ""));
        let ordered = spread_by(1);
        let every: HashSet<_> = ordered.iter().map(|mutation| &mutation.with).collect();
        assert_eq!((ordered.len(), every.len()), (80, 80));
        let items: HashSet<_> = ordered[..4].iter().map(|mutation| &mutation.item).collect();
        assert_eq!(items.len(), 4);
        let starts: HashSet<_> = ordered[..40]
            .iter()
            .map(|mutation| mutation.range.start)
            .collect();
        assert_eq!(starts.len(), 40);
        let kinds: HashSet<_> = ordered[..6].iter().map(|mutation| mutation.kind).collect();
        assert_eq!(kinds.len(), 3);
        assert_eq!(ordered, spread_by(1));
        assert_ne!(ordered, spread_by(2));
    }
}
