//! References of the kernels of evaluations.

use outflank_kernels::geometry::{Feature, Geometry, corner, edax};
use outflank_kernels::network::{CORNERS, HIDDEN, MAX_MOVES, STAGES, WIDTH};
use outflank_kernels::{Features, Network, Weights};

use super::has;

/// The features of a board. Each is a number in base 3: digit 0 for a disc of the mover, 1 for an empty
/// square, 2 for a disc of the opponent.
pub fn features(geometry: &Geometry, player: u64, opponent: u64) -> Features {
    let mut features = Features::default();
    for (value, feature) in features.0.iter_mut().zip(&geometry.features) {
        for &square in &feature.squares {
            let digit = match (has(player, square), has(opponent, square)) {
                (true, _) => 0,
                (_, false) => 1,
                (_, true) => 2,
            };
            *value = 3 * *value + digit;
        }
    }
    features
}

/// The sum of the packed weights of all features.
pub fn eval_sum(weights: &Weights, features: &Features) -> i32 {
    let geometry = &*edax::GEOMETRY;
    let weight = |(feature, &value): (&Feature, &u16)| {
        let class = weights
            .class(feature.class)
            .expect("every class has weights");
        class[usize::from(value)]
    };
    geometry.features.iter().zip(&features.0).map(weight).sum()
}

/// The sum of the rows of each corner. A class lists its features for the four corners in turn.
fn corner_sums(network: &Network, features: &Features) -> [[i16; WIDTH]; CORNERS] {
    let mut sums = [[0; WIDTH]; CORNERS];
    let geometry = &*corner::GEOMETRY;
    for (i, (feature, &value)) in geometry.features.iter().zip(&features.0).enumerate() {
        let class = network.class(feature.class).expect("every class has rows");
        for (sum, &number) in sums[i % CORNERS]
            .iter_mut()
            .zip(&class[usize::from(value)].0)
        {
            *sum += i16::from(number);
        }
    }
    sums
}

/// The value of a board by a network, as `outflank_kernels::network` defines it.
pub fn network_value(network: &Network, features: &Features, empties: u32, moves: u32) -> i32 {
    let sums = corner_sums(network, features);
    let stage = &network.stages()[(empties as usize).min(STAGES - 1)];
    let moves = &network.moves()[(moves as usize).min(MAX_MOVES)];
    let in_7_bits = |number: i32| number.clamp(0, 127);
    let square = |number: i32| (number * number) >> 7;
    let input = |k: usize| {
        let of_corner = |corner: &[i16; WIDTH]| {
            let sum = i32::from(corner[k]) + i32::from(stage.start.0[k]) + i32::from(moves.0[k]);
            in_7_bits(sum).pow(2)
        };
        sums.iter().map(of_corner).sum::<i32>() / 512
    };
    let hidden = |j: usize| {
        let product = |k: usize| i32::from(stage.matrix[k / 4][j][k % 4]) * input(k);
        let sum: i32 = (0..WIDTH).map(product).sum();
        in_7_bits((stage.hidden_bias[j] + sum) >> 6)
    };
    let of_hidden = |j: usize| {
        let [of_itself, of_square] = stage.hidden_output.map(|weights| i32::from(weights[j]));
        of_itself * hidden(j) + of_square * square(hidden(j))
    };
    let of_hidden: i32 = (0..HIDDEN).map(of_hidden).sum();
    let of_input = |k: usize| i32::from(stage.input_output[k]) * input(k);
    let of_inputs: i32 = (0..WIDTH).map(of_input).sum();
    (stage.bias + of_hidden + of_inputs) >> 6
}

/// The values of two boards by a network.
pub fn network_pair(
    network: &Network,
    features: &Features,
    other: &Features,
    empties: u32,
    moves: u32,
    other_moves: u32,
) -> [i32; 2] {
    [(features, moves), (other, other_moves)]
        .map(|(features, moves)| network_value(network, features, empties, moves))
}
