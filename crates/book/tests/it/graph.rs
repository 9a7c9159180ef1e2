//! Negamax values of graphs.

use std::collections::HashMap;

use outflank::Board;
use outflank::symmetry::Symmetry;
use outflank_book::{BookEntry, Graph};
use outflank_random::SplitMix64;

use crate::common::{random_graph, random_positions, value};

/// Values match their definition, for any order of insertion and any symmetric image.
#[test]
fn values_match_plain_negamax() {
    for seed in 0..6 {
        let positions = random_positions(seed, 12);
        let mut known = HashMap::new();
        let mut rng = SplitMix64::new(seed);
        let mut entries: Vec<_> = positions.values().collect();
        // Targets of links come first.
        let rank = |board: Board| (board.empty_count(), board.mobility() == 0, board.player);
        entries.sort_by_key(|entry| rank(entry.board()));
        let (mut whole, mut grown) = (Graph::default(), Graph::default());
        for entry in &entries {
            let symmetry = Symmetry::all().nth(rng.index(8)).unwrap();
            grown.insert(&entry.transformed(symmetry));
        }
        SplitMix64::new(seed).shuffle(&mut entries);
        entries.iter().for_each(|entry| {
            whole.add(entry);
        });
        whole.link_all_moves();
        let mut passes = 0;
        for (&board, entry) in &positions {
            passes += u32::from(board.must_pass());
            let expected = value(board, &positions, &mut known);
            for graph in [&whole, &grown] {
                let number = graph.find(board).unwrap();
                assert_eq!(graph.value(number), expected, "{board}");
                let found = graph.entry(number).unwrap();
                assert_eq!(found.value(), expected);
                assert_eq!(found.leaf(), entry.leaf());
                assert_eq!(found.searched(), entry.searched());
            }
        }
        assert!(passes > 0, "some positions are passes");
    }
}

/// New and changed positions update all ancestors at once.
#[test]
fn insertion_updates_ancestors() {
    let mut positions = random_positions(7, 10);
    let mut graph = Graph::default();
    positions.values().for_each(|entry| {
        graph.add(entry);
    });
    graph.link_all_moves();
    graph.take_changed();
    let mut rng = SplitMix64::new(1);
    let boards: Vec<_> = positions.keys().copied().collect();
    for round in 0..200 {
        let board = boards[rng.index(boards.len())];
        let Some(mut leaf) = positions[&board].leaf() else {
            continue;
        };
        leaf.value = rng.index(61) as i32 - 30;
        let old = &positions[&board];
        let known = graph.entry(graph.find(board).unwrap()).unwrap();
        let links = known.links().to_vec();
        let entry = BookEntry::new(board, old.searched(), Some(leaf), links).unwrap();
        positions.insert(board, entry.clone());
        graph.insert(&entry);
        if round % 20 == 0 {
            let mut known = HashMap::new();
            for &board in &boards {
                let expected = value(board, &positions, &mut known);
                assert_eq!(graph.value(graph.find(board).unwrap()), expected);
            }
        }
    }
}

/// A position of both graphs keeps the deeper search. All other positions are kept.
#[test]
fn merging_keeps_the_deeper_search() {
    let (first, other) = (random_graph(1, 8), random_graph(2, 8));
    let mut merged = random_graph(1, 8);
    other.entries().for_each(|entry| merged.merge(&entry));
    merged.link_all_moves();
    for (graph, rest) in [(&first, &other), (&other, &first)] {
        for entry in graph.entries() {
            let found = merged.entry(merged.find(entry.board()).unwrap()).unwrap();
            match rest.find(entry.board()) {
                None if found.leaf().is_some() => assert_eq!(found.leaf(), entry.leaf()),
                _ => {}
            }
            assert!(
                !found.searched().is_weaker_than(entry.searched()) || found.leaf() != entry.leaf()
            );
            assert!(found.links().len() + 1 >= entry.links().len());
        }
    }
    let both = first
        .entries()
        .filter(|entry| other.find(entry.board()).is_some());
    assert_eq!(merged.len(), first.len() + other.len() - both.count());
    // A second merge changes nothing.
    let before: Vec<_> = merged.entries().collect();
    other.entries().for_each(|entry| merged.merge(&entry));
    merged.link_all_moves();
    assert!(merged.entries().eq(before));
}
