//! Values set by hand.

use std::collections::HashMap;
use std::fs;

use outflank::symmetry::Symmetry;
use outflank::{Board, Selectivity};
use outflank_book::check::check;
use outflank_book::learn::{Plan, Work};
use outflank_book::{
    Book, BookEntry, EntryError, Graph, LossLimits, MAX_REASON, ManualValue, SearchEffort,
    ValueOrigin, Writer,
};
use outflank_random::SplitMix64;
use outflank_testing::command::Folder;

use crate::common::{entry, grow_by_numbers, plies, random_graph};

fn manual(value: i32) -> ManualValue {
    ManualValue::new(value, "虎 is a draw").unwrap()
}

/// Values of all positions by their definition.
fn values(graph: &Graph) -> HashMap<Board, i32> {
    let mut entries: Vec<BookEntry> = graph.entries().collect();
    entries.sort_by_key(|entry| (entry.board().empty_count(), entry.board().must_pass()));
    let mut values: HashMap<Board, i32> = HashMap::new();
    for entry in entries {
        let of_next = |(_, next): (_, Board)| Some(-*values.get(&next.canonical().0)?);
        let links = plies(entry.board()).into_iter().filter_map(of_next);
        let best = links.chain(entry.leaf().map(|leaf| leaf.value)).max();
        let best = best.unwrap_or_else(|| entry.board().final_score());
        assert_eq!(entry.best_move_value(), best);
        let value = entry.manual_value().map_or(best, ManualValue::value);
        values.insert(entry.board(), value);
    }
    values
}

/// Changes at random: every position has its value by definition, in memory and in the file.
#[test]
fn values_before_one_set_by_hand_follow_it() {
    let folder = Folder::new();
    let path = folder.path("a.book");
    let mut rng = SplitMix64::new(5);
    let mut graph = random_graph(7, 20);
    let mut writer = Writer::create(&path).unwrap();
    for round in 0..60 {
        let number = rng.index(graph.len()) as u32;
        let value = (rng.index(4) > 0).then(|| manual(rng.index(129) as i32 - 64));
        graph.set_manual_value(number, value);
        graph.save(&mut writer).unwrap();
        if round % 10 > 0 {
            continue;
        }
        writer.commit().unwrap();
        let book = Book::open(&path).unwrap();
        let read = Graph::read(&book).unwrap();
        assert!(read.manual_values().count() >= usize::from(round > 0));
        let expected = values(&graph);
        for entry in graph.entries() {
            let board = Symmetry::all()
                .nth(rng.index(8))
                .unwrap()
                .board(entry.board());
            let found = book.entry(board).unwrap().unwrap();
            assert_eq!(found.manual_value(), entry.manual_value());
            assert_eq!(found.value(), expected[&entry.board()]);
            let number = read.find(board).unwrap();
            assert_eq!(read.value(number), expected[&entry.board()]);
        }
        let report = check(&book).unwrap();
        assert_eq!((report.fault_count, report.unlinked), (0, 0), "{report:?}");
    }
}

/// Older programs read a book until it has its first value set by hand.
#[test]
fn version_of_the_format_rises_with_the_first_value() {
    let folder = Folder::new();
    let path = folder.path("a.book");
    let version = || fs::read(&path).unwrap()[63];
    let mut graph = random_graph(8, 3);
    let save = |graph: &mut Graph, commits: bool| {
        let mut writer = Writer::open_or_create(&path).unwrap();
        graph.save(&mut writer).unwrap();
        if commits {
            writer.commit().unwrap();
        }
    };
    save(&mut graph, true);
    assert_eq!(version(), 1);
    graph.set_manual_value(0, Some(manual(3)));
    save(&mut graph, false);
    assert_eq!(version(), 1, "the change was not committed");
    graph.set_manual_value(0, Some(manual(4)));
    save(&mut graph, true);
    assert_eq!(version(), 2);
    let read = Graph::read(&Book::open(&path).unwrap()).unwrap();
    assert_eq!(read.manual_values().count(), 1);
}

#[test]
fn growth_merging_and_parts_keep_values_set_by_hand() {
    let folder = Folder::new();
    let plan = |positions| Plan {
        strength: outflank::search::Strength::Level(1),
        min_empties: 30,
        deadline: None,
        positions: Some(positions),
    };
    let mut graph = grow_by_numbers(&folder, 6, &plan(200), Work::Expand);
    let start = graph.find(Board::START).unwrap();
    let after_f5 = Board::START.play("F5".parse().unwrap()).unwrap();
    let number = graph.find(after_f5).unwrap();
    graph.set_manual_value(number, Some(manual(-9)));
    assert_eq!(graph.value(start), 9);
    let certainty = graph.certainty(start);
    assert_eq!(
        (certainty.plies, certainty.origin),
        (1, ValueOrigin::Manual)
    );
    assert_eq!((certainty.to_rise, certainty.to_fall), (Some(1), Some(1)));
    // A kept value does not hide the best moves of its position.
    let best = graph.best_moves(number).next().unwrap();
    assert!(
        best.0.is_some()
            && graph
                .best_lines(Board::START, 2)
                .all(|line| line.len() == 2)
    );

    let mut writer = Writer::open(&folder.path("a.book")).unwrap();
    graph.save(&mut writer).unwrap();
    writer.commit().unwrap();
    drop(writer);
    let grown = grow_by_numbers(&folder, 6, &plan(100), Work::Expand);
    let corrected = grow_by_numbers(&folder, 6, &plan(100), Work::Correct);
    let part = grown.part(
        grown.find(Board::START).unwrap(),
        LossLimits {
            per_move: 2,
            in_sum: 2,
        },
    );
    let mut merged = random_graph(9, 4);
    grown.entries().for_each(|entry| merged.merge(&entry));
    merged.link_all_moves();
    let mut own = Graph::default();
    let other = ManualValue::new(1, "ours").unwrap();
    let entry = grown.entry(grown.find(after_f5).unwrap()).unwrap();
    own.add(&entry.clone().with_manual_value(Some(other.clone())));
    own.merge(&entry);
    own.link_all_moves();
    for (graph, expected) in [
        (&grown, &manual(-9)),
        (&corrected, &manual(-9)),
        (&part, &manual(-9)),
        (&merged, &manual(-9)),
        (&own, &other),
    ] {
        let number = graph.find(after_f5).unwrap();
        assert_eq!(graph.manual_value(number), Some(expected));
        assert_eq!(graph.value(number), expected.value());
    }
    let report = check(&Book::open(&folder.path("a.book")).unwrap()).unwrap();
    assert_eq!(report.fault_count, 0, "{report:?}");
}

/// A cut link to a position with a value set by hand has no search behind it.
#[test]
fn leaf_in_place_of_a_value_set_by_hand_counts_as_unsearched() {
    let play = |board: Board, square: &str| board.play(square.parse().unwrap()).unwrap();
    let root = play(Board::START, "F5");
    let searched = SearchEffort::new(20, Selectivity::P99);
    let answer =
        |square, reply, value| entry(play(root, square), searched, Some((reply, value)), &[]);
    let mut graph = Graph::default();
    graph.add(&entry(
        root,
        searched,
        Some(("F4", -4)),
        &[("D6", 0), ("F6", -9)],
    ));
    graph.add(&answer("D6", "C3", 0));
    graph.add(&answer("F6", "E6", 9).with_manual_value(Some(manual(2))));
    graph.resolve_links();
    let only_best = LossLimits {
        per_move: 0,
        in_sum: 0,
    };
    let part = graph.part(graph.find(root).unwrap(), only_best);
    let cut = part.entry_of(root).unwrap();
    let leaf = cut.leaf().unwrap();
    assert_eq!(
        (part.len(), leaf.ply, leaf.value),
        (2, "F6".parse().ok(), -2)
    );
    assert_eq!(cut.searched(), SearchEffort::new(1, Selectivity::P73));
}

#[test]
fn reasons_are_one_line_of_limited_length() {
    let long = "x".repeat(MAX_REASON + 1);
    for reason in ["", "two\nlines", "a\0", &long] {
        assert_eq!(ManualValue::new(0, reason), Err(EntryError::Reason));
    }
    for value in [-65, 65] {
        assert_eq!(ManualValue::new(value, "x"), Err(EntryError::Value(value)));
    }
    // The longest reason, and reasons of odd and even length, come back.
    let folder = Folder::new();
    let mut graph = random_graph(10, 1);
    let mut writer = Writer::create(&folder.path("a.book")).unwrap();
    for (number, length) in [MAX_REASON, MAX_REASON - 1, 1, 2].into_iter().enumerate() {
        let value = ManualValue::new(-64, &long[..length]).unwrap();
        graph.set_manual_value(number as u32, Some(value));
    }
    graph.save(&mut writer).unwrap();
    writer.commit().unwrap();
    let read = Graph::read(&writer).unwrap();
    for number in 0..4 {
        let board = graph.board(number);
        let found = read.manual_value(read.find(board).unwrap());
        assert_eq!(found, graph.manual_value(number));
    }
}

/// A changed byte is found.
#[test]
fn damaged_rows_are_refused() {
    let folder = Folder::new();
    let path = folder.path("a.book");
    let mut graph = random_graph(11, 2);
    graph.set_manual_value(3, Some(manual(5)));
    let board = graph.board(3);
    let mut writer = Writer::create(&path).unwrap();
    graph.save(&mut writer).unwrap();
    writer.commit().unwrap();
    drop(writer);
    let whole = fs::read(&path).unwrap();
    let text = "虎 is a draw".as_bytes();
    let at = whole.windows(text.len()).position(|it| it == text).unwrap();
    for offset in 0..text.len() {
        let mut file = whole.clone();
        file[at + offset] ^= 1 << (offset % 8);
        fs::write(&path, file).unwrap();
        let error = Book::open(&path)
            .unwrap()
            .entry(board)
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("its checksum is not that of its data"),
            "{error}"
        );
    }
}
