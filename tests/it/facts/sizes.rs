//! Sizes and counts in the documentation.

use outflank::eval::{KNOT_WEIGHTS, Knot, Model, Parameters};
use outflank::kernels::geometry::{corner, edax};
use outflank::kernels::network::{HIDDEN, Rows, STAGES, WIDTH};
use outflank::kernels::{Isa, Network, registry};
use outflank::openings::openings;
use outflank::search::{Limits, MAX_THREADS, Selectivity, Strength};
use outflank_support::files;
use outflank_testing::data::project_file;
use outflank_testing::pages::{assert_stated, grouped, mebibytes, megabytes, page};

use super::{cargo_value, lines};

/// Memory in bytes of a linear evaluation with knots at these numbers of empty squares.
fn linear_bytes(knots: impl Iterator<Item = u8>) -> usize {
    let knot = |empties| Knot {
        empties,
        weights: vec![0; KNOT_WEIGHTS],
    };
    let model = Model::linear(knots.map(knot).collect(), [0; 61], String::new());
    model.expect("knots in order").parameters.resident_bytes()
}

/// Largest number of empty squares from which a level searches to the end at `selectivity`.
fn to_the_end(level: u32, selectivity: Selectivity) -> u32 {
    let ends = |&empties: &u32| {
        let limits = Limits::level(level, empties);
        limits.depth >= empties && limits.selectivity == selectivity
    };
    let most = (0..=60).rev().find(ends);
    most.expect("levels search to the end with few empty squares")
}

macro_rules! algorithms_by_level {
    ({} $({ $module:ident $Level:ident [$($cfg:tt)*] $features:tt $($row:tt)* })*) => {
        [$((stringify!($module), [$(stringify!($row)),*].len())),*]
    };
}

/// Number of algorithms at a level, of all kernels together.
fn algorithms(level: &str) -> usize {
    let levels = outflank::kernels::for_each_algorithm!(algorithms_by_level);
    let found = levels.iter().find(|(name, _)| *name == level);
    found.expect("a level").1
}

/// Checks that pages contain texts. A line is a path, a format string and its values.
macro_rules! assert_words {
    ($($path:literal: $words:literal $(, $value:expr)*;)*) => {
        assert_stated([$(($path, format!($words $(, $value)*))),*])
    };
}

#[test]
fn sizes_and_counts_are_those_of_the_code() {
    let weights = project_file("data/weights/outflank.weights").len();
    let elsewhere = [Isa::Neon, Isa::Simd128];
    let levels = Isa::ALL.iter().filter(|isa| !elsewhere.contains(isa));
    let x86: usize = levels.map(|isa| algorithms(isa.name())).sum();
    if cfg!(target_arch = "x86_64") {
        assert_eq!(registry::entries().count(), x86);
    }
    let network = Network::zero().resident_bytes();
    let model = Model::embedded().expect("the tests have bundled weights");
    let Parameters::Networks(bundled) = &model.parameters else {
        panic!("the bundled weights are networks");
    };
    let copied = bundled.phases().count() * (network - Rows::BYTES);
    let zero = linear_bytes([0_u8].into_iter());
    let of_16 = linear_bytes((0..=60).step_by(4));
    let of_61 = linear_bytes(0..=60);
    let openings = grouped(openings(8).len());
    let [features, of_corner] = [edax::COUNT, corner::COUNT];
    // Bytes of a stage: start, matrix, hidden biases, outputs of hidden values and their squares, outputs of inputs,
    // bias.
    let stage = 2 * WIDTH + WIDTH * HIDDEN + 4 * HIDDEN + 2 * 2 * HIDDEN + 2 * WIDTH + 4;
    let Strength::Level(level) = Strength::default() else {
        panic!("the default is a level");
    };
    let [exact, most, less] = [Selectivity::Full, Selectivity::P98, Selectivity::P87]
        .map(|selectivity| to_the_end(21, selectivity));
    let version = cargo_value("Cargo.toml", "version");
    let short = version.rsplit_once('.').expect("three numbers").0;
    assert_words! {
        "README.md": "| | Outflank {short} |";
        "docs/guide/match.md": "(Outflank {version}, GTP)";
        "docs/guide/library.md": "the bundled weights, {} |", megabytes(weights);
        "docs/guide/c.md": "copies {} KB of the bundled weights", copied.div_ceil(1000);
        "docs/guide/kernels.md": "On x86-64 there are {x86} pairs of algorithm and level";
        "docs/guide/kernels.md": "({} at `neon`, {} at `simd128`)", algorithms("neon"), algorithms("simd128");
        "docs/proofs.md": " of {x86} algorithms at their levels are proved";
        "docs/guide/features.md": "`edax.txt` ({features} features)";
        "docs/guide/features.md": "`corner.txt` ({of_corner})";
        "docs/guide/features.md": "{WIDTH} x {HIDDEN} weights ── {HIDDEN} hidden numbers";
        "docs/guide/features.md": "here it adds a row of {WIDTH} numbers";
        "docs/guide/weights.md": "one for each of {features} features";
        "docs/guide/weights.md": "a small network on {of_corner} features";
        "docs/guide/weights.md": "A knot has {} weights", grouped(KNOT_WEIGHTS);
        "docs/guide/weights.md": "16 knots take 15 tables of {} bytes, {}", grouped(zero), mebibytes(of_16);
        "docs/guide/weights.md": "a row of {WIDTH} numbers for each value";
        "docs/guide/weights.md": "It takes {} in memory", mebibytes(network);
        "docs/guide/weights.md": "it takes {} in memory", mebibytes(of_61);
        "docs/guide/python.md": "uint16 (N, {of_corner}) or (N, {features})";
        "docs/guide/training.md": "a weight for every pattern ({}", grouped(KNOT_WEIGHTS);
        "docs/guide/training.md": "the {openings} positions that 8 plies can reach";
        "docs/guide/match.md": "({openings} after 8)";
        "docs/formats/weights.md": "for 0 to {} empty squares {stage} bytes", STAGES - 1;
        "docs/formats/weights.md": "`ROWS` has {} rows of {WIDTH} signed bytes", grouped(corner::LENGTH);
        "docs/formats/weights.md": "inputs in the value: {HIDDEN}, {HIDDEN} and {WIDTH} numbers";
        "docs/guide/solve.md": "| threads, 1 to {MAX_THREADS} |";
        "docs/guide/solve.md": "A file may have up to {} MiB", files::MAX_GAMES_MIB;
        "docs/guide/solve.md": "Level 21, for example, is exact from {exact} empty squares, to the end at 98 % from \
            {most} and at 87 % from {less}, and searches {} plies at 73 % before that", Limits::level(21, less + 1).depth;
        "docs/guide/gtp.md": "a move is searched at level {level},";
        "docs/guide/gtp.md": "(default level {level})";
        "docs/guide/nboard.md": "or level either, moves are searched at level {level}.";
        "docs/guide/play.md": "the program plays at level {level}";
    }
}

#[test]
fn rows_of_networks_are_where_the_format_says() {
    let format = page("docs/formats/weights.md");
    for class in &corner::CLASSES {
        let (first, rows) = (grouped(class.offset), grouped(class.weights()));
        let line = format!("| {} | {first} | {rows} |", class.name);
        assert!(format.contains(&line), "{line}");
    }
}

#[test]
fn geometries_have_the_checksums_of_the_format() {
    for name in ["edax", "corner"] {
        let mut definition = String::new();
        for line in lines(&format!("kernels/geometries/{name}.txt")) {
            let words = line.split('#').next().expect("a part").split_whitespace();
            let words: Vec<&str> = words.collect();
            if !words.is_empty() {
                definition += &(words.join(" ") + "\n");
            }
        }
        let sum = format!("{:08x}", crc32fast::hash(definition.as_bytes()));
        let format = page("docs/formats/weights.md");
        assert!(format.contains(&sum), "{name}: {sum}");
    }
}
