//! Agreement with the kernels, learning, and independence of threads and interruptions.

use outflank_kernels::levels::portable::network_value;
use outflank_kernels::network::MAX_ROW;

use super::data::features;
use super::*;
use crate::fit::tests::{self, SAMPLING, records};
use crate::fit::{Sampling, Target, Targets};
use crate::record::Source;
use outflank::board::Board;

/// Positions of random games, labelled by their edges.
fn targets(games: u32) -> Targets {
    let records = records(games, |game| match game % 3 {
        0 => Source::Search { depth: 6 },
        _ => Source::Exact,
    });
    let sampling = Sampling {
        held_out: 0.2,
        ..SAMPLING
    };
    tests::targets(&records, sampling)
}

fn training(targets: &Targets, settings: NetworkSettings, threads: usize) -> Training {
    Training::new(NetworkData::new(targets, threads), settings, threads)
}

fn epochs(epochs: usize) -> NetworkSettings {
    NetworkSettings {
        epochs,
        ..NetworkSettings::default()
    }
}

fn value(network: &Network, board: Board) -> i32 {
    let moves = board.mobility().count_ones();
    network_value::selected(network, &features(board), board.empty_count(), moves)
}

fn trained_value(training: &Training, target: &Target) -> i32 {
    let sample = Sample::new(target);
    let rows = sample.rows();
    Forward::new(&rows, sample.stage(), &training.rounded, &training.head).value
}

fn mirrored(board: Board) -> Board {
    let [player, opponent] = [board.player, board.opponent]
        .map(|discs| outflank_kernels::levels::portable::transpose::selected(discs.reverse_bits()));
    Board { player, opponent }
}

/// Compares on training boards and on random ones.
#[test]
fn values_equal_those_of_the_kernels() {
    let targets = targets(60);
    let settings = NetworkSettings {
        // High learning rates drive the numbers to their bounds.
        row_rate: 0.3,
        head_rate: 0.05,
        ..epochs(2)
    };
    let mut training = training(&targets, settings, 2);
    while training.step() < training.steps() {
        training.advance();
    }
    let network = training.network();
    let mut random = SplitMix64::new(9);
    let random_boards = std::iter::repeat_with(|| {
        let (player, other) = (random.bits() & random.bits(), random.bits());
        Board {
            player,
            opponent: other & !player,
        }
    });
    let known = targets.training.iter().chain(&targets.held_out);
    let mut different = std::collections::HashSet::new();
    let known = known.map(|target| target.board);
    for board in known.chain(random_boards.take(2000)) {
        let target = Target {
            board,
            target: 0.0,
            weight: 1.0,
        };
        let expected = value(&network, board);
        assert_eq!(trained_value(&training, &target), expected, "{board:?}");
        assert_eq!(value(&network, mirrored(board)), expected, "{board:?}");
        different.insert(expected);
    }
    assert!(different.len() > 500, "{}", different.len());
    let rows = CLASSES.iter().filter_map(|class| network.class(class.name));
    let largest = rows.flatten().flat_map(|row| row.0).max();
    assert_eq!(largest, Some(MAX_ROW));
}

#[test]
fn training_lowers_the_hold_out_error() {
    let targets = targets(150);
    let settings = epochs(4);
    let mut training = training(&targets, settings, 2);
    let before = training.held_out().expect("some positions are held out");
    let mut ends = Vec::new();
    loop {
        let progress = training.advance();
        ends.extend(progress.held_out);
        if progress.step == progress.steps {
            break;
        }
    }
    assert_eq!(ends.len(), 4);
    let curve = training.curve().iter();
    let shown: Vec<f32> = curve.filter_map(|point| point.held_out).collect();
    let expected: Vec<f32> = ends.iter().map(|errors| errors.mae as f32).collect();
    assert_eq!(shown, expected);
    assert_eq!(training.held_out(), ends.last().copied());
    let after = ends[3];
    assert!(after.mae < 0.5 * before.mae, "{} {}", before.mae, after.mae);
    // A finished training stays unchanged.
    let network = training.network();
    assert_eq!(training.advance().step, training.steps());
    assert!(training.network() == network);
}

#[test]
fn results_do_not_depend_on_threads_or_interruptions() {
    let targets = targets(30);
    let settings = epochs(2);
    let begin = |threads| training(&targets, settings.clone(), threads);
    let mut whole = begin(1);
    let mut progress = Vec::new();
    let mut checkpoints = Vec::new();
    while whole.step() < whole.steps() {
        checkpoints.push(whole.checkpoint());
        progress.push(whole.advance());
    }
    let end = whole.checkpoint();
    for threads in [2, 3] {
        let mut training = begin(threads);
        for expected in &progress {
            assert_eq!(training.advance(), *expected, "{threads} threads");
        }
        assert!(training.checkpoint() == end, "{threads} threads");
    }
    // Within an epoch, at the end of one, and at the end of the training.
    for step in [3, progress.len() / 2, progress.len()] {
        let mut training = begin(2);
        training.advance();
        let checkpoint = checkpoints.get(step).unwrap_or(&end);
        assert_eq!(training.resume(checkpoint), Ok(()));
        for expected in &progress[step..] {
            assert_eq!(training.advance(), *expected, "from {step}");
        }
        assert!(training.checkpoint() == end, "from {step}");
        assert_eq!(training.curve(), whole.curve(), "from {step}");
        assert!(training.network() == whole.network(), "from {step}");
    }
}

#[test]
fn foreign_and_damaged_checkpoints_are_refused() {
    let targets = targets(10);
    let begin = |settings| training(&targets, settings, 1);
    let mut training = begin(NetworkSettings::default());
    training.advance();
    let checkpoint = training.checkpoint();
    let mut other = begin(NetworkSettings {
        seed: 2,
        ..NetworkSettings::default()
    });
    let before = other.checkpoint();
    let result = other.resume(&checkpoint);
    assert!(
        matches!(result, Err(CheckpointError::Settings { .. })),
        "{result:?}"
    );
    let result = other.resume(b"\xbaoutfit\nand more");
    assert!(
        matches!(result, Err(CheckpointError::Foreign(_))),
        "{result:?}"
    );
    let mut later = before.clone();
    later[8] = 2;
    assert_eq!(other.resume(&later), Err(CheckpointError::Version(2)));
    for length in [8, 12, 16, 100, before.len() - 1] {
        let result = other.resume(&before[..length]);
        assert_eq!(result, Err(CheckpointError::Damaged), "{length} bytes");
    }
    let mut damaged = before.clone();
    damaged[before.len() / 2] ^= 4;
    assert_eq!(other.resume(&damaged), Err(CheckpointError::Damaged));
    assert!(other.checkpoint() == before, "nothing has changed");
    let other = self::targets(11);
    let mut other = self::training(&other, NetworkSettings::default(), 1);
    assert_eq!(other.resume(&checkpoint), Err(CheckpointError::Positions));
}
