//! The evaluation's kernels as an engine uses them: features kept through whole games, and the packed
//! sum taken apart again.

use outflank_kernels::cases::{Cases, SplitMix};
use outflank_kernels::geometry::{FEATURES, edax, ntest};
use outflank_kernels::input::Input;
use outflank_kernels::registry::entries;
use outflank_kernels::weights::{pack, unpack_earlier, unpack_later};
use outflank_kernels::{Features, Isa, Kernels, Weights, level_tests, reference, with_isa};

/// Plays random games, keeping the features of both geometries move by move, and compares them with
/// those worked out from the board; on the way back, what is restored with what was there. Returns
/// the number of moves and of passes.
fn play_games(isa: impl Kernels, games: usize, random: &mut SplitMix) -> (usize, usize) {
    let set = |player, opponent| {
        let [mut features, mut features_ntest] = [Features::default(); 2];
        isa.feature_set(player, opponent, &mut features);
        isa.feature_set_ntest(player, opponent, &mut features_ntest);
        (features, features_ntest)
    };
    let (mut moves, mut passes) = (0, 0);
    for _ in 0..games {
        let (mut player, mut opponent): (u64, u64) = (0x08_1000_0000, 0x10_0800_0000);
        let (mut features, mut features_ntest) = set(player, opponent);
        let mut history = Vec::new();
        loop {
            let before = (features, features_ntest);
            let mut possible = isa.mobility(player, opponent);
            if possible == 0 {
                possible = isa.mobility(opponent, player);
                if possible == 0 {
                    break;
                }
                isa.feature_pass(&before.0, &mut features);
                isa.feature_pass_ntest(&before.1, &mut features_ntest);
                (player, opponent) = (opponent, player);
                passes += 1;
                assert_eq!((features, features_ntest), set(player, opponent));
                continue;
            }
            let square = random.one_of(possible).trailing_zeros() as usize;
            let flipped = isa.flip(square, player, opponent);
            isa.feature_update(&before.0, square, flipped, &mut features);
            isa.feature_update_ntest(&before.1, square, flipped, &mut features_ntest);
            (player, opponent) = (opponent ^ flipped, player | flipped | 1 << square);
            moves += 1;
            assert_eq!((features, features_ntest), set(player, opponent));
            history.push((before, (features, features_ntest), square, flipped));
        }
        for (before, after, square, flipped) in history {
            let mut back = (Features::default(), Features::default());
            isa.feature_restore(&before.0, &after.0, square, flipped, &mut back.0);
            isa.feature_restore_ntest(&before.1, &after.1, square, flipped, &mut back.1);
            assert_eq!(back, before);
        }
    }
    (moves, passes)
}

fn features_kept_through_games_are_those_of_the_board(isa: Isa) {
    let token = isa.token().unwrap();
    let mut random = SplitMix::new(7);
    let (moves, passes) = with_isa!(token, isa => play_games(isa, 200, &mut random));
    assert!(
        moves > 200 * 50 && passes > 20,
        "{moves} moves, {passes} passes"
    );
}

level_tests!(features_kept_through_games_are_those_of_the_board);

/// The kernels' constants are made by the generator, the references read the files: both know the same
/// features.
#[test]
fn constants_are_what_the_files_say() {
    let all: [(&outflank_kernels::geometry::Geometry, &[&[u8]], Features); 2] = [
        (&edax::GEOMETRY, &edax::SQUARES, edax::HIGHEST),
        (&ntest::GEOMETRY, &ntest::SQUARES, ntest::HIGHEST),
    ];
    for (geometry, squares, highest) in all {
        assert_eq!(geometry.features.len(), squares.len(), "{}", geometry.name);
        for (feature, squares) in geometry.features.iter().zip(squares) {
            let squares: Vec<usize> = squares.iter().map(|&square| square.into()).collect();
            assert_eq!(feature.squares, squares, "{}", geometry.name);
        }
        assert_eq!(highest, reference::features(geometry, 0, !0));
    }
    assert_eq!((edax::COUNT, edax::CLASSES.len()), (46, 12));
    assert_eq!((ntest::COUNT, ntest::CLASSES.len()), (42, 10));
    // Edax's own count of weights, its constant aside.
    let weights: usize = edax::CLASSES.iter().map(|class| class.weights()).sum();
    assert_eq!(weights, 226_314);
}

/// One sum is the sums of both stages, each as if the other were not there.
#[test]
fn a_packed_sum_holds_the_sums_of_two_stages() {
    let [mut both, mut earlier, mut later] = [(); 3].map(|()| Weights::zero());
    let mut random = SplitMix::new(3);
    for class in edax::CLASSES {
        let parts = [&mut both, &mut earlier, &mut later];
        let [both, earlier, later] =
            parts.map(|weights| weights.class_mut(class.name).expect("it is listed"));
        for i in 0..class.weights() {
            let mut small = || random.below(1301) as i32 - 650;
            (earlier[i], later[i]) = (small(), small());
            both[i] = pack(earlier[i] as i16, later[i] as i16);
        }
    }
    let isa = Isa::detect().token().unwrap();
    for case in Cases::new(5).take(2000) {
        let features = Input::new(case).features;
        let sum = |weights| with_isa!(isa, isa => isa.eval_sum(weights, &features));
        let (packed, earlier, later) = (sum(&both), sum(&earlier), sum(&later));
        assert_eq!(i32::from(unpack_earlier(packed)), earlier, "{case:?}");
        assert_eq!(i32::from(unpack_later(packed)), later, "{case:?}");
    }
}

/// Features that no board has lead nowhere outside of the weights, and every algorithm adds up the
/// same, as long as those that the geometry does not use are 0.
#[test]
fn sums_of_any_features_are_the_same_by_all_algorithms() {
    let mut random = SplitMix::new(11);
    let board = Cases::new(1).next().unwrap();
    let sums = |features: Features| {
        let mut any = Input::new(board);
        any.features = features;
        let mut used = any;
        used.features.0[edax::COUNT..].fill(0);
        let runnable = entries().filter(|entry| entry.kernel == "eval_sum");
        let runnable = runnable.filter(|entry| Isa::available().contains(&entry.level));
        let sums: Vec<_> = runnable
            .map(|entry| {
                entry.answer(&any).unwrap();
                (entry.answer(&used).unwrap(), entry)
            })
            .collect();
        for (sum, entry) in &sums {
            assert_eq!(
                sum, &sums[0].0,
                "{} at {}: {features:?}",
                entry.algorithm, entry.level
            );
        }
    };
    sums(Features([u16::MAX; FEATURES]));
    for _ in 0..1000 {
        sums(Features([0; FEATURES].map(|_: u16| random.bits() as u16)));
    }
}
