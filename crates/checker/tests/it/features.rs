//! Tests of the evaluation's kernels in the way an engine uses them: features updated through whole games,
//! and packed sums unpacked.

use outflank_checker::cases::Cases;
use outflank_checker::input::Input;
use outflank_checker::reference;
use outflank_checker::registry::runnable;
use outflank_kernels::geometry::{self, FEATURES, Geometry, edax};
use outflank_kernels::registry::entries;
use outflank_kernels::weights::{pack, unpack_earlier, unpack_later};
use outflank_kernels::{Features, Isa, Kernels, Weights, for_each_geometry, level_tests, with_isa};
use outflank_random::SplitMix64;

type Set = unsafe fn(u64, u64, &mut Features);
type Pass = unsafe fn(&Features, &mut Features);
type Update = unsafe fn(&Features, usize, u64, &mut Features);

/// The kernels of a geometry that a level selects.
struct FeatureKernels {
    set: Set,
    pass: Pass,
    update: Update,
}

impl FeatureKernels {
    /// Returns the kernels of a level that the CPU has.
    fn new(geometry: &Geometry, isa: Isa) -> FeatureKernels {
        fn selected<F: Copy + 'static>(geometry: &Geometry, isa: Isa, name: &str) -> F {
            let mut matching = entries().filter(|entry| {
                entry.isa == isa
                    && entry.selected
                    && entry.geometry == Some(geometry.name)
                    && entry.kernel.starts_with(name)
            });
            let (entry, none) = (
                matching.next().expect("every geometry has its kernels"),
                matching.next(),
            );
            assert!(none.is_none(), "{name} {}", geometry.name);
            entry
                .function()
                .expect("every geometry has the same signature")
        }
        FeatureKernels {
            set: selected(geometry, isa, "feature_set"),
            pass: selected(geometry, isa, "feature_pass"),
            update: selected(geometry, isa, "feature_update"),
        }
    }

    /// Writes features by one of the kernels.
    fn written(&self, kernel: impl FnOnce(&Self, &mut Features)) -> Features {
        let mut features = Features::default();
        kernel(self, &mut features);
        features
    }

    fn set(&self, player: u64, opponent: u64) -> Features {
        // SAFETY: the CPU has the level that the kernels are of, here and below.
        self.written(|kernels, after| unsafe { (kernels.set)(player, opponent, after) })
    }

    fn pass(&self, features: &Features) -> Features {
        // SAFETY: as above.
        self.written(|kernels, after| unsafe { (kernels.pass)(features, after) })
    }

    fn update(&self, features: &Features, square: usize, flipped: u64) -> Features {
        // SAFETY: as above.
        self.written(|kernels, after| unsafe { (kernels.update)(features, square, flipped, after) })
    }
}

/// Plays random games and updates the features of a geometry move by move. Compares them with those computed
/// from the board. Returns the numbers of moves and passes.
fn play_games(
    isa: impl Kernels,
    kernels: &FeatureKernels,
    games: usize,
    random: &mut SplitMix64,
) -> (usize, usize) {
    let (mut moves, mut passes) = (0, 0);
    for _ in 0..games {
        let (mut player, mut opponent): (u64, u64) = (0x08_1000_0000, 0x10_0800_0000);
        let mut features = kernels.set(player, opponent);
        loop {
            let before = features;
            let mut possible = isa.mobility(player, opponent);
            if possible == 0 {
                possible = isa.mobility(opponent, player);
                if possible == 0 {
                    break;
                }
                features = kernels.pass(&before);
                (player, opponent) = (opponent, player);
                passes += 1;
                assert_eq!(features, kernels.set(player, opponent));
                continue;
            }
            let square = random.one_of(possible).trailing_zeros() as usize;
            let flipped = isa.flip(square, player, opponent);
            features = kernels.update(&before, square, flipped);
            (player, opponent) = (opponent ^ flipped, player | flipped | 1 << square);
            moves += 1;
            assert_eq!(features, kernels.set(player, opponent));
        }
    }
    (moves, passes)
}

fn features_kept_through_games_match_the_board(isa: Isa) {
    let token = isa.token().unwrap();
    for geometry in geometry::ALL {
        let kernels = FeatureKernels::new(geometry, isa);
        let mut random = SplitMix64::new(7);
        let (moves, passes) = with_isa!(token, isa => play_games(isa, &kernels, 200, &mut random));
        assert!(
            moves > 200 * 50 && passes > 20,
            "{moves} moves, {passes} passes"
        );
    }
}

level_tests!(features_kept_through_games_match_the_board);

/// Compares the generator's constants for the kernels with the geometry files, which the references read.
#[test]
fn constants_match_the_geometry_files() {
    macro_rules! each {
        ({} $($geometry:ident)*) => {
            [$((
                &geometry::$geometry::GEOMETRY,
                geometry::$geometry::SQUARES.as_slice(),
                geometry::$geometry::HIGHEST,
            )),*]
        };
    }
    for (index, (geometry, squares, highest)) in for_each_geometry!(each).into_iter().enumerate() {
        assert_eq!(geometry.name, geometry::ALL[index].name);
        assert_eq!(geometry.features.len(), squares.len(), "{}", geometry.name);
        for (feature, squares) in geometry.features.iter().zip(squares) {
            let squares: Vec<usize> = squares.iter().map(|&square| square.into()).collect();
            assert_eq!(feature.squares, squares, "{}", geometry.name);
        }
        assert_eq!(highest, reference::features(geometry, 0, !0));
    }
    assert_eq!((edax::INDEX, edax::COUNT, edax::CLASSES.len()), (0, 46, 12));
    // Edax's own count of weights, its constant aside.
    let weights: usize = edax::CLASSES.iter().map(|class| class.weights()).sum();
    assert_eq!(weights, 226_314);
}

/// A packed sum unpacks into the sums of both stages.
#[test]
fn packed_sums_hold_the_sums_of_two_stages() {
    let [mut both, mut earlier, mut later] = [(); 3].map(|()| Weights::zero());
    let mut random = SplitMix64::new(3);
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
        let features = Input::new(case).features[edax::INDEX];
        let sum = |weights| with_isa!(isa, isa => isa.eval_sum(weights, &features));
        let (packed, earlier, later) = (sum(&both), sum(&earlier), sum(&later));
        assert_eq!(i32::from(unpack_earlier(packed)), earlier, "{case:?}");
        assert_eq!(i32::from(unpack_later(packed)), later, "{case:?}");
    }
}

/// Runs all algorithms on features that no board has. No algorithm may index outside the weights. All sums must
/// be equal if the features that the geometry does not use are 0.
#[test]
fn all_algorithms_sum_any_features_alike() {
    let mut random = SplitMix64::new(11);
    let board = Cases::new(1).next().unwrap();
    let sums = |features: Features| {
        let mut any = Input::new(board);
        any.features[edax::INDEX] = features;
        let mut used = any;
        used.features[edax::INDEX].0[edax::COUNT..].fill(0);
        let sums: Vec<_> = runnable()
            .filter(|entry| entry.kernel == "eval_sum")
            .map(|entry| {
                entry.answer(&any).unwrap();
                (entry.answer(&used).unwrap(), entry)
            })
            .collect();
        for (sum, entry) in &sums {
            assert_eq!(
                sum, &sums[0].0,
                "{} at {}: {features:?}",
                entry.algorithm, entry.isa
            );
        }
    };
    sums(Features([u16::MAX; FEATURES]));
    for _ in 0..1000 {
        sums(Features([0; FEATURES].map(|_: u16| random.bits() as u16)));
    }
}
