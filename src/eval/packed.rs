//! Linear weights as a search reads them. Each element has the weights of two knots, so that one sum of 46 gathered
//! elements gives the sums of both.

use std::sync::OnceLock;

use outflank_kernels::geometry::edax::{CLASSES, LENGTH};
use outflank_kernels::weights::{pack, unpack_earlier, unpack_later};
use outflank_kernels::{Features, Kernels, Weights};

use super::knots::{Blend, Knot, MAX_GAME_EMPTIES, rescaled};
use super::weight_layout::WeightLayout;

/// The packed weights of all knots, and the table of each number of empty squares.
#[derive(Clone, Debug)]
pub(super) struct PackedTables {
    tables: Vec<PackedTable>,
    stages: [StageTable; MAX_GAME_EMPTIES as usize + 1],
    /// Binary logarithm of the unit of packed weights, in 1/128 disc.
    shift: u32,
}

/// The packed weights of two knots, the earlier one first. They are packed on first use: weights of other engines have
/// many tables, and a solve reads few of them.
#[derive(Clone, Debug)]
struct PackedTable {
    knots: [usize; 2],
    weights: OnceLock<Weights>,
}

/// The table for a number of empty squares, and the factors of its sums.
#[derive(Clone, Copy, Debug)]
struct StageTable {
    table: u32,
    /// The factors of the table's two sums, the earlier knot's first.
    factors: [i32; 2],
}

impl PackedTables {
    /// Assigns knots to tables. Neighbouring knots share a table if a number of empty squares lies between them. Knots
    /// without such a neighbour are paired arbitrarily, since each is read alone.
    pub(super) fn new(knots: &[Knot], shift: u32) -> PackedTables {
        let blends: [Blend; MAX_GAME_EMPTIES as usize + 1] = std::array::from_fn(|empties| {
            Blend::new(knots.len(), |knot| knots[knot].empties, empties as u32)
        });
        let blended = blends.iter().map(|blend| [blend.earlier, blend.later]);
        let mut pairs: Vec<_> = blended
            .filter(|[earlier, later]| earlier != later)
            .collect();
        pairs.dedup();
        let is_single = |knot: &usize| !pairs.as_flattened().contains(knot);
        let single: Vec<usize> = (0..knots.len()).filter(is_single).collect();
        pairs.extend(single.chunks(2).map(|pair| [pair[0], pair[pair.len() - 1]]));

        let stages = blends.map(|blend| {
            let is_single = blend.earlier == blend.later;
            let serves = |pair: &&[usize; 2]| match is_single {
                true => pair.contains(&blend.earlier),
                false => **pair == [blend.earlier, blend.later],
            };
            let table = pairs.iter().position(|pair| serves(&pair));
            let table = table.expect("every knot is in a pair");
            let mut factors = blend.factors(shift);
            if is_single && pairs[table][1] == blend.earlier {
                factors.reverse();
            }
            let table = table as u32;
            StageTable { table, factors }
        });
        let empty = |knots| PackedTable {
            knots,
            weights: OnceLock::new(),
        };
        PackedTables {
            tables: pairs.into_iter().map(empty).collect(),
            stages,
            shift,
        }
    }

    /// The sums of weights of the two knots for `empties` empty squares, 0..=60, and their factors. `knots` must be the
    /// knots that the tables were created for.
    #[inline(always)]
    pub(super) fn sums<I: Kernels>(
        &self,
        isa: I,
        knots: &[Knot],
        features: &Features,
        empties: usize,
    ) -> ([i32; 2], [i32; 2]) {
        let stage = &self.stages[empties];
        let table = &self.tables[stage.table as usize];
        let weights = table
            .weights
            .get_or_init(|| pack_knots(table.knots.map(|knot| &knots[knot]), self.shift));
        let sum = isa.eval_sum(weights, features);
        let sums = [unpack_earlier(sum), unpack_later(sum)].map(i32::from);
        (sums, stage.factors)
    }

    /// The bytes of all tables once each was used.
    pub(super) fn resident_bytes(&self) -> usize {
        self.tables.len() * size_of::<[i32; LENGTH]>()
    }
}

/// Packs the weights of two knots, the earlier one first.
#[cold]
fn pack_knots(knots: [&Knot; 2], shift: u32) -> Weights {
    let mut table = Weights::zero();
    for (i, class) in CLASSES.iter().enumerate() {
        let weights = table.class_mut(class.name).expect("a listed class");
        for (weight, &index) in weights.iter_mut().zip(WeightLayout::get().class(i)) {
            let [earlier, later] = knots.map(|knot| rescaled(knot.weights[index as usize], shift));
            *weight = pack(earlier, later);
        }
    }
    table
}
