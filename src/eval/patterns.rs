//! The evaluation by patterns as a search uses it: features kept up to date move by move, weights of two
//! stages in one element, so that one sum of 46 gathered elements gives both stages' values.

use std::sync::{Arc, LazyLock};

use outflank_kernels::geometry::edax::CLASSES;
use outflank_kernels::weights::{pack, unpack_earlier, unpack_later};
use outflank_kernels::{Features, Kernels, Weights};

use super::Evaluator;
use super::linear::{Blend, Knot, Linear, MAX_EMPTIES, mixed, packed_unit};
use super::packing::Packing;
use crate::board::Board;

/// An evaluation by patterns.
pub struct Patterns {
    tables: Vec<Table>,
    stages: [Stage; MAX_EMPTIES as usize + 1],
}

/// The packed weights of two knots, made of them when they are first asked for: a solve reads few of the tables that
/// the weights of another engine have.
type Table = LazyLock<Weights, Box<dyn FnOnce() -> Weights + Send + Sync>>;

/// What makes the value of a board with some number of empty squares.
#[derive(Clone, Copy)]
struct Stage {
    table: u32,
    /// The shares of the table's two halves, the earlier stage's first.
    share: [i32; 2],
    bias: i32,
}

impl Patterns {
    /// Packs a linear evaluation.
    ///
    /// Each two neighbouring knots that some number of empty squares lies between share a table. Of
    /// the other knots any two do, and the one or the other is read alone.
    pub fn new(model: Linear) -> Patterns {
        let blends: Vec<Blend> = (0..=MAX_EMPTIES)
            .map(|empties| model.blend(empties))
            .collect();
        let mut pairs: Vec<(usize, usize)> = blends
            .iter()
            .map(|blend| (blend.earlier, blend.later))
            .filter(|(earlier, later)| earlier != later)
            .collect();
        pairs.dedup();
        let mut alone = (0..model.knots().len())
            .filter(|knot| {
                !pairs
                    .iter()
                    .any(|(earlier, later)| knot == earlier || knot == later)
            })
            .collect::<Vec<_>>()
            .into_iter();
        while let Some(one) = alone.next() {
            pairs.push((one, alone.next().unwrap_or(one)));
        }

        let stage = |empties: usize| {
            let blend = blends[empties];
            let single = blend.earlier == blend.later;
            let (table, &(_, later)) = pairs
                .iter()
                .enumerate()
                .find(|(_, pair)| {
                    let (earlier, later) = **pair;
                    let is_it = |knot| knot == blend.earlier;
                    if single {
                        is_it(earlier) || is_it(later)
                    } else {
                        **pair == (blend.earlier, blend.later)
                    }
                })
                .expect("every knot is in a pair");
            let mut blend = blend.of_unit(model.shift);
            if single && later == blend.earlier {
                blend.share.reverse();
            }
            Stage {
                table: table as u32,
                share: blend.share,
                bias: i32::from(model.bias[empties]),
            }
        };
        let stages = std::array::from_fn(stage);
        let shift = model.shift;
        let knots: Vec<Arc<Knot>> = model.into_knots().map(Arc::new).collect();
        let table = |&(earlier, later): &(usize, usize)| -> Table {
            let knots = [earlier, later].map(|knot| knots[knot].clone());
            LazyLock::new(Box::new(move || packed(&knots, shift)))
        };
        Patterns {
            stages,
            tables: pairs.iter().map(table).collect(),
        }
    }

    /// The bytes that the weights take in memory once all tables are made.
    pub fn resident_bytes(&self) -> usize {
        self.tables.len() * size_of::<[i32; outflank_kernels::geometry::edax::LENGTH]>()
    }
}

/// The packed weights of two knots, the earlier one first.
fn packed(knots: &[Arc<Knot>; 2], shift: u32) -> Weights {
    let mut table = Weights::zero();
    let [earlier, later] = knots.each_ref().map(|knot| &knot.weights);
    for (i, class) in CLASSES.iter().enumerate() {
        let weights = table.class_mut(class.name).expect("it is listed");
        for (weight, &place) in weights.iter_mut().zip(Packing::get().class(i)) {
            let [earlier, later] =
                [earlier, later].map(|half| packed_unit(half[place as usize], shift));
            *weight = pack(earlier, later);
        }
    }
    table
}

impl<I: Kernels> Evaluator<I> for Patterns {
    const IS_ROUGH: bool = true;
    type State = Features;

    #[inline(always)]
    fn set(&self, isa: I, board: Board) -> Features {
        let mut features = Features::default();
        isa.feature_set(board.player, board.opponent, &mut features);
        features
    }

    #[inline(always)]
    fn update(&self, isa: I, state: &Features, square: usize, flipped: u64) -> Features {
        let mut after = Features::default();
        isa.feature_update(state, square, flipped, &mut after);
        after
    }

    #[inline(always)]
    fn pass(&self, isa: I, state: &Features) -> Features {
        let mut after = Features::default();
        isa.feature_pass(state, &mut after);
        after
    }

    #[inline(always)]
    fn value(&self, isa: I, state: &Features, board: Board) -> i32 {
        let stage = &self.stages[board.empty_count().min(MAX_EMPTIES) as usize];
        let sum = isa.eval_sum(&self.tables[stage.table as usize], state);
        let sums = [unpack_earlier(sum), unpack_later(sum)].map(i32::from);
        mixed(sums, stage.share, stage.bias)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_kernels::{Isa, with_isa};
    use outflank_random::SplitMix;

    use crate::eval::{Knot, PACKED};

    fn model(empties: &[u8], most: u64) -> Linear {
        let mut random = SplitMix::new(most + empties.len() as u64);
        let mut weight = || (random.below(2 * most + 1) as i64 - most as i64) as i16;
        let knots = empties
            .iter()
            .map(|&empties| Knot {
                empties,
                weights: (0..PACKED).map(|_| weight()).collect(),
            })
            .collect();
        let bias = std::array::from_fn(|_| weight());
        Linear::new(knots, bias).unwrap()
    }

    /// The value of every position of random games is that of the plain definition, at every level and
    /// for knots of every spacing, whether it is kept move by move or made from nothing.
    #[test]
    fn values_are_those_of_the_definition() {
        let every: Vec<u8> = (0..=60).collect();
        let fours: Vec<u8> = (0..=60).step_by(4).collect();
        for (knots, most) in [
            (&every[..], 60),
            (&fours, 700),
            (&fours, 3000),
            (&[0, 7, 8, 9, 31], 300),
            (&[20], 50),
        ] {
            let model = model(knots, most);
            assert_eq!(model.shift, if most == 3000 { 3 } else { 0 });
            let patterns = Patterns::new(model.clone());
            let mut random = SplitMix::new(9);
            for _ in 0..20 {
                let mut board = Board::START;
                let mut states = Vec::new();
                for &isa in Isa::available() {
                    states.push(with_isa!(isa.token().unwrap(), isa => patterns.set(isa, board)));
                }
                while !board.is_game_over() {
                    let moves = board.mobility();
                    let played = (moves != 0).then(|| {
                        let nth = random.below(u64::from(moves.count_ones()));
                        let left = (0..nth).fold(moves, |left, _| left & (left - 1));
                        crate::Square::all_in(left).next().unwrap()
                    });
                    let next = match played {
                        Some(square) => board.play(square).unwrap(),
                        None => board.pass(),
                    };
                    let expected = model.value(next);
                    for (one, state) in Isa::available().iter().zip(&mut states) {
                        with_isa!(one.token().unwrap(), isa => {
                            *state = match played {
                                Some(square) => {
                                    let flipped = next.player ^ board.opponent;
                                    patterns.update(isa, state, square.index(), flipped)
                                }
                                None => patterns.pass(isa, state),
                            };
                            let value = patterns.value(isa, state, next);
                            assert_eq!(value, expected, "{one}: {next}");
                            let anew = patterns.set(isa, next);
                            assert_eq!(patterns.value(isa, &anew, next), expected, "{one}: {next}");
                        });
                    }
                    board = next;
                }
            }
        }
    }
}
