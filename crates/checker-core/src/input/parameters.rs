//! Table of the parameters that a kernel may have, with name, type and value. Inputs of checks, traces of
//! measurements, and the generator are based on this table.

use outflank_kernels::geometry::{ALL, GEOMETRIES};
use outflank_kernels::{Block, Features, Network, Weights};

use super::Case;
use super::examples::{NETWORK, WEIGHTS};
use crate::reference;

/// Inputs in a trace: too many for a branch predictor to memorise, few enough to stay in a cache.
pub const LENGTH: usize = 2048;

/// Makes [`Input`] and [`Trace`] from the table below.
macro_rules! parameters {
    (
        $case:ident;
        recorded { $($(#[$recorded_doc:meta])* $recorded:ident: $recorded_type:ty,)* }
        derived { $($(#[$derived_doc:meta])* $derived:ident: $derived_type:ty = $value:expr,)* }
        shared { $($(#[$shared_doc:meta])* $shared:ident: $shared_type:ty = $constant:expr,)* }
        by_geometry {
            $($(#[$geometry_doc:meta])* $by_geometry:ident: $geometry_type:ty = $of_geometry:expr,)*
        }
    ) => {
        /// A case with the value of each parameter. A kernel reads only its own parameters.
        #[derive(Clone, Copy)]
        pub struct Input {
            /// The case from which the other fields follow.
            pub case: Case,
            $($(#[$recorded_doc])* pub $recorded: $recorded_type,)*
            $($(#[$derived_doc])* pub $derived: $derived_type,)*
            $($(#[$shared_doc])* pub $shared: $shared_type,)*
            $($(#[$geometry_doc])* pub $by_geometry: [$geometry_type; GEOMETRIES],)*
        }

        impl Input {
            /// Computes all values of `case` by the references.
            pub fn new($case: Case) -> Input {
                $(let $recorded: $recorded_type = $case.$recorded;)*
                $(let $derived: $derived_type = $value;)*
                $(let $by_geometry = ALL.map($of_geometry);)*
                Input {
                    case: $case,
                    $($recorded,)*
                    $($derived,)*
                    $($shared: $constant,)*
                    $($by_geometry,)*
                }
            }
        }

        /// Inputs to time kernels on: an array for each parameter.
        pub struct Trace {
            $(pub(crate) $recorded: Column<$recorded_type>,)*
            $(pub(crate) $derived: Column<$derived_type>,)*
            $(pub(crate) $shared: $shared_type,)*
            $(pub(crate) $by_geometry: [Column<$geometry_type>; GEOMETRIES],)*
            pub(crate) memory: Vec<Block>,
        }

        impl Trace {
            /// Makes a trace of `inputs`, repeated up to [`LENGTH`]. Kernels that fill memory fill
            /// `blocks` blocks. Returns `None` without inputs.
            pub fn new(inputs: &[Input], blocks: usize) -> Option<Trace> {
                let first = inputs.first()?;
                Some(Trace {
                    $($recorded: column(inputs, |input| input.$recorded),)*
                    $($derived: column(inputs, |input| input.$derived),)*
                    $($shared: first.$shared,)*
                    $($by_geometry: std::array::from_fn(|geometry| {
                        column(inputs, |input| input.$by_geometry[geometry])
                    }),)*
                    memory: vec![Block::default(); blocks],
                })
            }
        }

        /// Parameters that a recorded trace keeps, in the order of their bits in the file.
        pub(crate) const RECORDED: &[&str] = &[$(stringify!($recorded)),*];

        impl Case {
            /// Sets the recorded parameter of this name. A negative `value` is in two's complement. Other
            /// names are ignored.
            #[cfg(any(test, feature = "record"))]
            pub(crate) fn set(&mut self, name: &str, value: u64) {
                match name {
                    $(stringify!($recorded) => self.$recorded = value as $recorded_type,)*
                    _ => {}
                }
            }
        }
    };
}

type Column<T> = Box<[T; LENGTH]>;

fn column<T>(inputs: &[Input], value: impl Fn(&Input) -> T) -> Column<T> {
    let values = (0..LENGTH).map(|i| value(&inputs[i % inputs.len()]));
    let values: Box<[T]> = values.collect();
    values.try_into().ok().expect("LENGTH values")
}

// A row is `name: type = value`. A value may use the rows above it. Sections:
//
// - `recorded`: Fields of a case that recorded traces keep.
// - `derived`: Other numbers, computed from a case.
// - `shared`: One value for all inputs.
// - `by_geometry`: A value for each geometry, passed to kernels by reference.
parameters! {
    case;
    recorded {
        /// Square to play (0..=63), empty on the board.
        square: usize,
        /// The mover's discs.
        player: u64,
        /// The opponent's discs, disjoint from the mover's.
        opponent: u64,
        /// Lower bound of a null window (-64..=63).
        alpha: i32,
        /// Four different squares, one a byte.
        squares: u32,
    }
    derived {
        /// Words to fill memory with.
        pattern: [u64; 4] = case.pattern,
        /// Discs that flip when the mover plays on the square.
        flipped: u64 = reference::flip(square, player, opponent),
        /// The mover's legal moves.
        legal: u64 = reference::mobility(player, opponent),
        /// Any set of squares; kernels that order moves prefer them.
        favoured: u64 = case.pattern[0],
        /// Number of empty squares.
        empties: u32 = (player | opponent).count_zeros(),
        /// Number of the mover's moves.
        moves: u32 = legal.count_ones(),
        /// Number of the opponent's moves if the mover passed.
        other_moves: u32 = reference::mobility(opponent, player).count_ones(),
    }
    shared {
        /// Random weights for the features of the default geometry.
        weights: &'static Weights = &WEIGHTS,
        /// Random network for the features of the geometry `corner`.
        network: &'static Network = &NETWORK,
    }
    by_geometry {
        /// The board's features in each geometry, in the order of [`ALL`].
        features: Features = |geometry| reference::features(geometry, player, opponent),
        /// Features with the sides exchanged: a second board with as many empty squares.
        other: Features = |geometry| reference::features(geometry, opponent, player),
    }
}
