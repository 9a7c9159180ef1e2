//! The kernels and their references.
//!
//! Written by `cargo run -p outflank-codegen` from codegen/templates; do not edit.

use crate::registry::Kernel;
/// The references that templates bring along.
mod references {
    /// The reference of `feature_pass`.
    pub(super) mod feature_pass {
        #[allow(unused_imports)]
        use outflank_kernels::{Block, Features, Weights, geometry};
        #[allow(unused_imports)]
        use crate::reference;
        pub(crate) fn reference(player: u64, opponent: u64) -> Features {
            reference::features(&geometry::edax::GEOMETRY, opponent, player)
        }
    }

    /// The reference of `feature_pass_ntest`.
    pub(super) mod feature_pass_ntest {
        #[allow(unused_imports)]
        use outflank_kernels::{Block, Features, Weights, geometry};
        #[allow(unused_imports)]
        use crate::reference;
        pub(crate) fn reference(player: u64, opponent: u64) -> Features {
            reference::features(&geometry::ntest::GEOMETRY, opponent, player)
        }
    }

    /// The reference of `feature_restore`.
    pub(super) mod feature_restore {
        #[allow(unused_imports)]
        use outflank_kernels::{Block, Features, Weights, geometry};
        #[allow(unused_imports)]
        use crate::reference;
        pub(crate) fn reference(player: u64, opponent: u64) -> Features {
            reference::features(&geometry::edax::GEOMETRY, player, opponent)
        }
    }

    /// The reference of `feature_restore_ntest`.
    pub(super) mod feature_restore_ntest {
        #[allow(unused_imports)]
        use outflank_kernels::{Block, Features, Weights, geometry};
        #[allow(unused_imports)]
        use crate::reference;
        pub(crate) fn reference(player: u64, opponent: u64) -> Features {
            reference::features(&geometry::ntest::GEOMETRY, player, opponent)
        }
    }

    /// The reference of `feature_set`.
    pub(super) mod feature_set {
        #[allow(unused_imports)]
        use outflank_kernels::{Block, Features, Weights, geometry};
        #[allow(unused_imports)]
        use crate::reference;
        pub(crate) fn reference(player: u64, opponent: u64) -> Features {
            reference::features(&geometry::edax::GEOMETRY, player, opponent)
        }
    }

    /// The reference of `feature_set_ntest`.
    pub(super) mod feature_set_ntest {
        #[allow(unused_imports)]
        use outflank_kernels::{Block, Features, Weights, geometry};
        #[allow(unused_imports)]
        use crate::reference;
        pub(crate) fn reference(player: u64, opponent: u64) -> Features {
            reference::features(&geometry::ntest::GEOMETRY, player, opponent)
        }
    }

    /// The reference of `feature_update`.
    pub(super) mod feature_update {
        #[allow(unused_imports)]
        use outflank_kernels::{Block, Features, Weights, geometry};
        #[allow(unused_imports)]
        use crate::reference;
        pub(crate) fn reference(
            square: usize,
            player: u64,
            opponent: u64,
            flipped: u64,
        ) -> Features {
            let geometry = &geometry::edax::GEOMETRY;
            let (player, opponent) = reference::play(square, player, opponent, flipped);
            reference::features(geometry, player, opponent)
        }
    }

    /// The reference of `feature_update_ntest`.
    pub(super) mod feature_update_ntest {
        #[allow(unused_imports)]
        use outflank_kernels::{Block, Features, Weights, geometry};
        #[allow(unused_imports)]
        use crate::reference;
        pub(crate) fn reference(
            square: usize,
            player: u64,
            opponent: u64,
            flipped: u64,
        ) -> Features {
            let geometry = &geometry::ntest::GEOMETRY;
            let (player, opponent) = reference::play(square, player, opponent, flipped);
            reference::features(geometry, player, opponent)
        }
    }
}

/// Every kernel with its reference.
pub(crate) static KERNELS: &[Kernel] = &[
    Kernel {
        name: "board_hash",
        doc: "The hash of a board: CRC32C of the mover's discs in the high half, and of the mover's and then the\nopponent's in the low half (Edax AVX).",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::board_hash], input, [], (player, opponent)
            )
        },
    },
    Kernel {
        name: "canonical",
        doc: "The board among its eight images that comes first, by the mover's discs and then the opponent's, as\nnumbers: one board stands for all that are the same but for symmetry.",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::canonical], input, [], (player, opponent)
            )
        },
    },
    Kernel {
        name: "clear",
        doc: "Fills `memory` with `pattern`, again and again: how a transposition table is emptied.",
        reference: |input| {
            crate::trace::run!(
                Fills[crate ::reference::clear], input, [], (memory, pattern)
            )
        },
    },
    Kernel {
        name: "corner_stability",
        doc: "The number of the mover's corners, and of the squares beside them on the edges that they make\nstable (0..=12): the cheap part of stability that move ordering uses.",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::corner_stability], input, [], (player)
            )
        },
    },
    Kernel {
        name: "edge_stability",
        doc: "The mover's discs on the four edges that no sequence of moves can turn, each edge on its own.",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::edge_stability], input, [], (player, opponent)
            )
        },
    },
    Kernel {
        name: "eval_sum",
        doc: "The sum of the packed weights of all features: that of two neighbouring stages at once.\n\n`features` may be any, but for those that the geometry does not use, which are 0: no value leads out\nof the weights.",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::eval_sum], input, [edax], (weights, features)
            )
        },
    },
    Kernel {
        name: "feature_pass",
        doc: "The features after the mover passes: the sides change and nothing else, `highest - feature`.\n\nGeometry: edax. `features` must be those of a board.",
        reference: |input| {
            crate::trace::run!(
                Returns[references::feature_pass::reference], input, [edax], (player,
                opponent)
            )
        },
    },
    Kernel {
        name: "feature_pass_ntest",
        doc: "The features after the mover passes: the sides change and nothing else, `highest - feature`.\n\nGeometry: ntest. `features` must be those of a board.",
        reference: |input| {
            crate::trace::run!(
                Returns[references::feature_pass_ntest::reference], input, [ntest],
                (player, opponent)
            )
        },
    },
    Kernel {
        name: "feature_restore",
        doc: "The features before the mover played on `square` and turned `flipped`, when the move is taken back.\n\n`features` are those, saved before the move; `moved` are those after it. An algorithm uses the\none or the other.\n\nGeometry: edax.",
        reference: |input| {
            crate::trace::run!(
                Returns[references::feature_restore::reference], input, [edax], (player,
                opponent)
            )
        },
    },
    Kernel {
        name: "feature_restore_ntest",
        doc: "The features before the mover played on `square` and turned `flipped`, when the move is taken back.\n\n`features` are those, saved before the move; `moved` are those after it. An algorithm uses the\none or the other.\n\nGeometry: ntest.",
        reference: |input| {
            crate::trace::run!(
                Returns[references::feature_restore_ntest::reference], input, [ntest],
                (player, opponent)
            )
        },
    },
    Kernel {
        name: "feature_set",
        doc: "The features of a board, from nothing.\n\nWith 0 for the mover, 1 for empty and 2 for the opponent, a feature of k squares is\n`(3^k - 1) / 2 + theirs - mine`: the all-empty number 11…1, and each side's discs as a number in\nbase 3 with the digits 0 and 1.\n\nGeometry: edax.",
        reference: |input| {
            crate::trace::run!(
                Returns[references::feature_set::reference], input, [edax], (player,
                opponent)
            )
        },
    },
    Kernel {
        name: "feature_set_ntest",
        doc: "The features of a board, from nothing.\n\nWith 0 for the mover, 1 for empty and 2 for the opponent, a feature of k squares is\n`(3^k - 1) / 2 + theirs - mine`: the all-empty number 11…1, and each side's discs as a number in\nbase 3 with the digits 0 and 1.\n\nGeometry: ntest.",
        reference: |input| {
            crate::trace::run!(
                Returns[references::feature_set_ntest::reference], input, [ntest],
                (player, opponent)
            )
        },
    },
    Kernel {
        name: "feature_update",
        doc: "The features after the mover plays on `square` and turns `flipped`, and the sides change.\n\nEvery digit that changes goes up by itself: with 0 for the mover, 1 for empty and 2 for the\nopponent, changing sides is `highest - feature`. The square was empty (1) and is the next mover's\nopponent's (2): one more than 2 - 1. The flipped discs were the opponent's (2) and are again the\nnext mover's opponent's (2): two more than 2 - 2. So\n`after = highest - before + 3^square + 2 * (the sum of 3^disc)`.\nThe same sum takes the move back: `before = highest - after + …`.\n\nGeometry: edax. `features` must be those of a board on which `square` is empty and\n`flipped` the opponent's.",
        reference: |input| {
            crate::trace::run!(
                Returns[references::feature_update::reference], input, [edax], (square,
                player, opponent, flipped)
            )
        },
    },
    Kernel {
        name: "feature_update_ntest",
        doc: "The features after the mover plays on `square` and turns `flipped`, and the sides change.\n\nEvery digit that changes goes up by itself: with 0 for the mover, 1 for empty and 2 for the\nopponent, changing sides is `highest - feature`. The square was empty (1) and is the next mover's\nopponent's (2): one more than 2 - 1. The flipped discs were the opponent's (2) and are again the\nnext mover's opponent's (2): two more than 2 - 2. So\n`after = highest - before + 3^square + 2 * (the sum of 3^disc)`.\nThe same sum takes the move back: `before = highest - after + …`.\n\nGeometry: ntest. `features` must be those of a board on which `square` is empty and\n`flipped` the opponent's.",
        reference: |input| {
            crate::trace::run!(
                Returns[references::feature_update_ntest::reference], input, [ntest],
                (square, player, opponent, flipped)
            )
        },
    },
    Kernel {
        name: "flip",
        doc: "The discs that turn when the mover plays on the empty `square` (0..=63), as a bitboard; 0 where\nthe move is not legal.",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::flip], input, [], (square, player, opponent)
            )
        },
    },
    Kernel {
        name: "full_lines",
        doc: "The squares whose line is full, for each kind of line: rows, falling diagonals (A8 to H1),\ncolumns, rising diagonals (A1 to H8).",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::full_lines], input, [], (player, opponent)
            )
        },
    },
    Kernel {
        name: "last_flip_count",
        doc: "The number of discs that turn when the mover plays on `square`, the only empty square of a board\non which all that is not the mover's is the opponent's. A bit of `player` on `square` is ignored.",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::last_flip_count], input, [], (square, player)
            )
        },
    },
    Kernel {
        name: "last_move_score",
        doc: "The mover's score with one empty square left, cut short where `alpha` allows it: the lazy high and\nlow cut-offs of Edax AVX.\n\nAll that is not the mover's is the opponent's; a bit of `player` on `square` is ignored. Where the\nmover can play and the least that a move gives is over `alpha`, that least score is the answer (a\nlower bound); where the mover must pass and the game's end on that is not over `alpha`, that score\nis (an upper bound). Everything else is exact.",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::last_move_score], input, [], (square, player,
                alpha)
            )
        },
    },
    Kernel {
        name: "mobility",
        doc: "The squares where the mover may play, as a bitboard.",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::mobility], input, [], (player, opponent)
            )
        },
    },
    Kernel {
        name: "parity_sort",
        doc: "The order in which to try the last four empties, by parity (Edax AVX's shuffle).\n\n`squares` holds four different squares, the first in the lowest byte, in an order of preference.\nThe result has four groups of four bytes, lowest first: group `i` is the `i`-th square to try, and\nthe three that are left in the order in which the answer should try them. Squares alone in their\nquadrant, or one of three there, come before those that share it evenly.",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::parity_sort], input, [], (squares)
            )
        },
    },
    Kernel {
        name: "potential_mobility",
        doc: "The empty squares that touch a disc of the opponent: where the mover may one day play.",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::potential_mobility], input, [], (player,
                opponent)
            )
        },
    },
    Kernel {
        name: "solid_discs",
        doc: "The discs whose row, column and diagonals are all full. They never turn again, and they never turn\nanother disc, so the rest of the game does not depend on their colour (Matsuo and Narazaki).",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::solid_discs], input, [], (player, opponent)
            )
        },
    },
    Kernel {
        name: "stability",
        doc: "The mover's discs that are known never to turn: stable edges, solid discs, and what these protect\nin each of its four lines, spread until nothing more follows.",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::stability], input, [], (player, opponent)
            )
        },
    },
    Kernel {
        name: "symmetries",
        doc: "The eight images of the mover's discs under the symmetries of the board: as they are, mirrored left\nto right, upside down, both, and the same four of the board with rows and columns exchanged.",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::symmetries], input, [], (player)
            )
        },
    },
    Kernel {
        name: "transpose",
        doc: "The mover's discs with rows and columns exchanged: the board mirrored at the diagonal from A1 to H8.",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::transpose], input, [], (player)
            )
        },
    },
    Kernel {
        name: "weighted_mobility",
        doc: "The number of squares where the mover may play, corners counted twice: what move ordering\nasks about the opponent's answers (Edax).",
        reference: |input| {
            crate::trace::run!(
                Returns[crate ::reference::weighted_mobility], input, [], (player,
                opponent)
            )
        },
    },
];
