//! Random weights and a random network to run the evaluation's kernels on.

use std::sync::LazyLock;

use outflank_kernels::Network;
use outflank_kernels::geometry::{corner, edax};
use outflank_kernels::network::{HIDDEN, MAX_ROW, WIDTH};
use outflank_kernels::weights::{Weights, pack};
use outflank_random::SplitMix64;

/// Random weights, so small that no sum overflows.
pub(super) static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    let mut random = SplitMix64::new(46);
    let mut weights = Weights::zero();
    for class in edax::CLASSES {
        for weight in weights.class_mut(class.name).expect("it is listed") {
            let mut small = || random.below(1201) as i16 - 600;
            *weight = pack(small(), small());
        }
    }
    weights
});

/// A random network with numbers as large as in trained networks.
pub(super) static NETWORK: LazyLock<Network> = LazyLock::new(|| {
    let mut random = SplitMix64::new(32);
    let mut within = |most: i32| random.below(2 * most as u64 + 1) as i32 - most;
    let mut network = Network::zero();
    for class in corner::CLASSES {
        for row in network.class_mut(class.name).expect("it is listed") {
            row.0 = [(); WIDTH].map(|()| within(MAX_ROW.into()) as i8);
        }
    }
    for row in network.moves_mut() {
        row.0 = [(); WIDTH].map(|()| within(50) as i16);
    }
    for stage in network.stages_mut() {
        stage.start.0 = [(); WIDTH].map(|()| within(100) as i16);
        stage.matrix =
            [(); WIDTH / 4].map(|()| [(); HIDDEN].map(|()| [(); 4].map(|()| within(127) as i8)));
        stage.hidden_bias = [(); HIDDEN].map(|()| within(8000));
        stage.hidden_output = [(); 2].map(|()| [(); HIDDEN].map(|()| within(8000) as i16));
        stage.input_output = [(); WIDTH].map(|()| within(8000) as i16);
        stage.bias = within(100_000);
    }
    network
});
