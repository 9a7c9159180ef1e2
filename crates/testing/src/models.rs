//! Evaluations with random weights.

use outflank::eval::{KNOT_WEIGHTS, Knot, Model, WeightLayout};
use outflank::kernels::Network;
use outflank::kernels::geometry::corner::CLASSES;
use outflank::kernels::network::{HIDDEN, WIDTH};

use outflank_random::SplitMix64;

/// Linear model with random weights of up to `most` in 1/128 disc. Its knots are at these numbers of empty squares.
pub fn random_linear(seed: u64, knots: impl IntoIterator<Item = u8>, most: u16) -> Model {
    let mut rng = SplitMix64::new(seed);
    let mut weight = || (rng.index(2 * usize::from(most) + 1) as i32 - i32::from(most)) as i16;
    let knots = knots.into_iter().map(|empties| Knot {
        empties,
        weights: (0..KNOT_WEIGHTS).map(|_| weight()).collect(),
    });
    Model::linear(knots.collect(), [0; 61], "Noise.".to_owned()).expect("knots that ascend")
}

/// Network with random weights of realistic size. Most of its values are within 40 discs of 0.
pub fn random_network(seed: u64) -> Network {
    let mut rng = SplitMix64::new(seed);
    let mut within = |most: i32| rng.index(2 * most as usize + 1) as i32 - most;
    let mut network = Network::zero();
    let layout = WeightLayout::corner();
    let rows: Vec<[i8; WIDTH]> = (0..layout.len())
        .map(|_| [(); WIDTH].map(|()| within(30) as i8))
        .collect();
    for (i, class) in CLASSES.iter().enumerate() {
        let of_class = network.class_mut(class.name).expect("it is listed");
        for (row, &index) in of_class.iter_mut().zip(layout.class(i)) {
            row.0 = rows[index as usize];
        }
    }
    for row in network.moves_mut() {
        row.0 = [(); WIDTH].map(|()| within(20) as i16);
    }
    for stage in network.stages_mut() {
        stage.start.0 = [(); WIDTH].map(|()| 50 + within(50) as i16);
        for weight in stage.matrix.as_flattened_mut().as_flattened_mut() {
            *weight = within(127) as i8;
        }
        stage.hidden_bias = [(); HIDDEN].map(|()| within(8000));
        stage.hidden_output = [(); 2].map(|()| [(); HIDDEN].map(|()| within(600) as i16));
        stage.input_output = [(); WIDTH].map(|()| within(300) as i16);
        stage.bias = within(60_000);
    }
    network
}

/// Mean and mean absolute value of `errors`.
pub fn bias_and_mean_error(errors: &[f64]) -> [f64; 2] {
    let mean = |sum: f64| sum / errors.len() as f64;
    [
        mean(errors.iter().sum()),
        mean(errors.iter().map(|error| error.abs()).sum()),
    ]
}
