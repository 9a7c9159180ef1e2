//! Import of Egaroucid's books, and of text that Edax exports. The files are made here, by the layout of the formats.

use outflank::notation::ply_name;
use outflank::symmetry::Symmetry;
use outflank::{Board, Ply};
use outflank_book::edax::{import_exported, is_exported};
use outflank_book::egaroucid::{EgaroucidError, import};
use outflank_book::{BookEntry, EntryError, Graph};
use outflank_testing::command::Folder;

use crate::common::random_book;

fn square(ply: Ply) -> u8 {
    ply.map_or(64, |square| square.index() as u8)
}

/// A file of these positions.
fn file(version: u8, positions: &[Vec<u8>]) -> Vec<u8> {
    let count = (positions.len() as u32).to_le_bytes();
    let header = [b"DICUORAGE", &[version][..], &count].concat();
    [header, positions.concat()].concat()
}

fn position(version: u8, entry: &BookEntry, level: u8) -> Vec<u8> {
    let Board { player, opponent } = entry.board();
    let mut bytes = [player.to_le_bytes(), opponent.to_le_bytes()].concat();
    bytes.extend([entry.value() as u8, level]);
    match (version, entry.leaf()) {
        (3, leaf) => {
            bytes.extend([7, 0, 0, 0]);
            bytes.extend(leaf.map_or([-126_i8 as u8, 125, 255], |leaf| {
                [leaf.value as u8, square(leaf.ply), level]
            }));
        }
        _ => {
            bytes.push(entry.moves().count() as u8);
            bytes.extend(
                entry
                    .moves()
                    .flat_map(|known| [known.value as u8, square(known.ply)]),
            );
        }
    }
    bytes
}

fn random_graph(seed: u64) -> Graph {
    random_book(&Folder::new().path("a.book"), seed, 8)
}

#[test]
fn positions_and_values_are_imported() {
    for (seed, version) in [(1, 3), (2, 3), (3, 2), (4, 2)] {
        let graph = random_graph(seed);
        let entries: Vec<BookEntry> = graph.entries().collect();
        // Egaroucid has the position after a pass only.
        let written = entries.iter().filter(|entry| !entry.board().must_pass());
        let symmetries: Vec<Symmetry> = Symmetry::all().collect();
        let positions: Vec<Vec<u8>> = written
            .zip(symmetries.into_iter().cycle())
            .map(|(entry, symmetry)| position(version, &entry.transformed(symmetry), 10))
            .collect();
        let read = import(&file(version, &positions)).unwrap();
        let counts = (
            read.positions,
            read.fault_count,
            read.repeated,
            read.changed_values,
        );
        assert_eq!(counts, (positions.len(), 0, 0, 0), "{:?}", read.faults);
        for entry in entries.iter().filter(|entry| !entry.board().must_pass()) {
            let number = read.graph.find(entry.board()).unwrap();
            let found = read.graph.entry(number).unwrap();
            assert_eq!(
                (found.value(), found.leaf()),
                (entry.value(), entry.leaf()),
                "{}",
                entry.board()
            );
            assert_eq!(
                found.links().len(),
                entry.links().len(),
                "{}",
                entry.board()
            );
        }
        assert!(
            entries.iter().any(|entry| entry.board().must_pass()),
            "the books have passes"
        );
    }
}

#[test]
fn invalid_positions_are_dropped_and_counted() {
    let start = || {
        let mut bytes = vec![0; 25];
        bytes[..8].copy_from_slice(&Board::START.player.to_le_bytes());
        bytes[8..16].copy_from_slice(&Board::START.opponent.to_le_bytes());
        bytes[22..25].copy_from_slice(&[0, 37, 10]);
        bytes
    };
    for (at, byte, expected) in [
        (16, 100, EntryError::Value(100)),
        (22, 200, EntryError::Value(-56)),
        (23, 0, EntryError::Illegal("A1".parse().ok())),
        (23, 125, EntryError::NoMoves),
        (3, 0, EntryError::EmptyCentre),
        (11, 0x18, EntryError::Overlap),
    ] {
        let mut bytes = start();
        bytes[at] = byte;
        let read = import(&file(3, &[bytes])).unwrap();
        assert_eq!(
            read.fault_count,
            usize::from(!matches!(expected, EntryError::Value(-56))),
            "{at}"
        );
        if read.fault_count > 0 {
            let fault = &read.faults[0];
            assert_eq!((fault.number, &fault.error), (1, &expected), "{at}");
        }
    }
    let read = import(&file(3, &[start(), start()])).unwrap();
    assert_eq!((read.graph.len(), read.repeated), (1, 1));
    // Levels of values that a person has set say nothing about a search.
    for (level, depth) in [(10, 10), (0, 0), (70, 0), (255, 0)] {
        let mut bytes = start();
        bytes[24] = level;
        let read = import(&file(3, &[bytes])).unwrap();
        assert_eq!(read.graph.searched(0).depth, depth, "{level}");
    }
}

#[test]
fn damaged_files_are_refused() {
    let graph = random_graph(5);
    let entry = graph.entries().next().unwrap();
    for version in [2, 3] {
        let whole = file(version, &[position(version, &entry, 10)]);
        assert!(import(&whole).is_ok());
        for length in 0..whole.len() {
            let error = import(&whole[..length]).map(|_| ()).unwrap_err();
            let is_foreign = matches!(error, EgaroucidError::Foreign(_));
            let is_short = matches!(error, EgaroucidError::Truncated { positions: 0, .. });
            assert!(
                if length < 9 { is_foreign } else { is_short },
                "{length}: {error}"
            );
        }
        let longer = [&whole[..], b"x"].concat();
        assert_eq!(
            import(&longer).map(|_| ()).unwrap_err(),
            EgaroucidError::Longer(1, 1)
        );
    }
    let mut other = file(3, &[]);
    other[9] = 4;
    let error = import(&other).map(|_| ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a book of Egaroucid's of version 4; expected version 2 or 3"
    );
}

#[test]
fn exported_text_is_imported() {
    for seed in [6, 7] {
        let graph = random_graph(seed);
        let line = |entry: BookEntry| {
            let (ply, value) = match entry.leaf() {
                Some(leaf) => (ply_name(leaf.ply), leaf.value),
                None => ("--".to_owned(), -127),
            };
            format!("{} X,10,{ply},{value}\n", entry.board())
        };
        let text: String = graph.entries().map(line).collect();
        assert!(is_exported(text.as_bytes()));
        let read = import_exported(text.as_bytes());
        assert_eq!(
            (read.positions, read.fault_count, read.repeated),
            (graph.len(), 0, 0),
            "{:?}",
            read.faults
        );
        for entry in graph.entries() {
            let number = read.graph.find(entry.board()).unwrap();
            let found = read.graph.entry(number).unwrap();
            assert_eq!(
                (found.value(), found.leaf()),
                (entry.value(), entry.leaf()),
                "{}",
                entry.board()
            );
        }
    }
    let start = Board::START;
    for (line, error) in [
        (format!("{start} X,61,F5,0"), EntryError::Layout),
        (format!("{start} X,6"), EntryError::Layout),
        (
            format!("{start} X,6,A1,0"),
            EntryError::Illegal("A1".parse().ok()),
        ),
        (format!("{start} X,6,--,-127"), EntryError::NoMoves),
    ] {
        let read = import_exported(format!("{start} X,6,F5,1\n\n{line}\n").as_bytes());
        assert_eq!(
            (read.faults[0].number, &read.faults[0].error),
            (3, &error),
            "{line}"
        );
    }
    for other in [
        "",
        "f5d6c3",
        "XXXX",
        "---------------------------OX------XO--------------------------- X; F5:+0;",
    ] {
        assert!(!is_exported(other.as_bytes()), "{other}");
    }
}
