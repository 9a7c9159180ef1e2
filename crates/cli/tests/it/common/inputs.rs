//! Input files of each kind.

use std::sync::LazyLock;

use outflank::Board;
use outflank::eval::{ByteOrder, KNOT_WEIGHTS, Knot, Model, WeightLayout};
use outflank::kernels::geometry::Class;
use outflank::kernels::geometry::edax::CLASSES;
use outflank_random::SplitMix64;
use outflank_testing::command::Folder;
use outflank_testing::data::random_game;
use outflank_testing::models::random_linear;
use outflank_train::record::{Block, Record, RecordSettings, Source, Writer};

use crate::common::program::run_in;

/// A folder with an input file of each kind.
pub(crate) fn inputs() -> Folder {
    let folder = Folder::new();
    folder.file("in.txt", "f5d6c3d3c4f4f6\n");
    let weights = random_linear(1, [0, 60], 100);
    folder.file("in.weights", weights.write());
    let eval = weights.to_edax(ByteOrder::Little);
    folder.file("in.dat", eval.expect("it is linear"));
    record_file(&folder, "in.records", &records(5, 60));
    folder
}

/// A folder with a small book, `my.book`, searched at level 2.
pub(crate) fn folder_with_book() -> Folder {
    static BOOK: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let folder = Folder::new();
        let line = "book learn my.book --positions 40 --level 2 --jobs 1 --hash 1";
        run_in(&folder, line, 0);
        std::fs::read(folder.path("my.book")).expect("it was learnt")
    });
    let folder = Folder::new();
    folder.file("my.book", &*BOOK);
    folder
}

/// Weights of two knots: random for small classes, with values of some discs, and 0 for the others.
pub(crate) static TRUTH: LazyLock<Model> = LazyLock::new(|| {
    let mut rng = SplitMix64::new(11);
    let is_small = |index: usize| {
        let contains = |(number, class): (usize, &Class)| {
            class.digits <= 5 && WeightLayout::get().range(number).contains(&index)
        };
        CLASSES.iter().enumerate().any(contains)
    };
    let mut knot = |empties| Knot {
        empties,
        weights: (0..KNOT_WEIGHTS)
            .map(|index| match is_small(index) {
                true => rng.index(2001) as i16 - 1000,
                false => 0,
            })
            .collect(),
    };
    let knots = vec![knot(12), knot(24)];
    let bias = std::array::from_fn(|empties| 40 * (empties as i16 % 2));
    Model::linear(knots, bias, String::new()).unwrap()
});

/// Positions of random games with 10 to 26 empty squares, labelled by [`TRUTH`].
pub(crate) fn records(seed: u64, games: u32) -> Vec<Record> {
    let mut rng = SplitMix64::new(seed);
    let games = (0..games).flat_map(|game| {
        random_game(&mut rng)
            .into_iter()
            .map(move |board| (game, board))
    });
    let wanted = |(_, board): &(u32, Board)| {
        (10..=26).contains(&board.empty_count()) && board.mobility() != 0
    };
    let record = |(game, board)| Record {
        board,
        value: TRUTH.value(board) as i16,
        source: Source::Exact,
        game,
    };
    games.filter(wanted).map(record).collect()
}

/// Record of a position of a drawn game.
pub(crate) fn game_record(board: Board) -> Record {
    Record {
        board,
        value: 0,
        source: Source::Game,
        game: 1,
    }
}

/// Writes a record file.
pub(crate) fn record_file(folder: &Folder, name: &str, records: &[Record]) {
    let (mut writer, _) = Writer::open(&folder.path(name), &RecordSettings::default()).unwrap();
    for (number, records) in (0..).zip(records.chunks(1000)) {
        let records = records.to_vec();
        writer.write(&Block { number, records }.encode()).unwrap();
    }
    writer.finish().unwrap();
}
