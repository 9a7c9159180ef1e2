//! Values of whole books.

use std::collections::HashMap;

use outflank::Board;
use outflank::symmetry::Symmetry;
use outflank_book::Graph;
use outflank_random::SplitMix;
use outflank_testing::rng::Rng;

use crate::common::{random_graph, random_positions, value};

/// All values are those of the definition, whichever way the positions come in: all at once in any order, as any
/// of their eight images, or one by one.
#[test]
fn values_are_those_of_a_plain_negamax() {
    for seed in 0..6 {
        let positions = random_positions(seed, 12);
        let mut known = HashMap::new();
        let mut rng = Rng::new(seed);
        let mut entries: Vec<_> = positions.values().collect();
        // Those that links lead to first.
        let place = |board: Board| (board.empty_count(), board.mobility() == 0, board.player);
        entries.sort_by_key(|entry| place(entry.board()));
        let (mut whole, mut grown) = (Graph::default(), Graph::default());
        for entry in &entries {
            let symmetry = Symmetry::all().nth(rng.below(8)).unwrap();
            grown.insert(&entry.seen(symmetry));
        }
        SplitMix::new(seed).shuffle(&mut entries);
        entries.iter().for_each(|entry| {
            whole.add(entry);
        });
        whole.link();
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

/// A position that is added, or gets another value, changes all that lead to it, at once.
#[test]
fn what_is_inserted_changes_what_leads_to_it() {
    let mut positions = random_positions(7, 10);
    let mut graph = Graph::default();
    positions.values().for_each(|entry| {
        graph.add(entry);
    });
    graph.link();
    graph.take_changed();
    let mut rng = Rng::new(1);
    let boards: Vec<_> = positions.keys().copied().collect();
    for round in 0..200 {
        let board = boards[rng.below(boards.len())];
        let Some(mut leaf) = positions[&board].leaf() else {
            continue;
        };
        leaf.value = rng.below(61) as i32 - 30;
        let old = &positions[&board];
        let links = graph
            .entry(graph.find(board).unwrap())
            .unwrap()
            .links()
            .to_vec();
        let entry = outflank_book::Entry::new(board, old.searched(), Some(leaf), links).unwrap();
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

/// Of two books that know a position the one that searched it further counts; what only one knows is kept.
#[test]
fn books_are_merged() {
    let (one, other) = (random_graph(1, 8), random_graph(2, 8));
    let mut merged = random_graph(1, 8);
    other.entries().for_each(|entry| merged.merge(&entry));
    merged.link();
    for (graph, rest) in [(&one, &other), (&other, &one)] {
        for entry in graph.entries() {
            let found = merged.entry(merged.find(entry.board()).unwrap()).unwrap();
            match rest.find(entry.board()) {
                None if found.leaf().is_some() => assert_eq!(found.leaf(), entry.leaf()),
                _ => {}
            }
            assert!(!found.searched().is_less(entry.searched()) || found.leaf() != entry.leaf());
            assert!(found.links().len() + 1 >= entry.links().len());
        }
    }
    let both = one
        .entries()
        .filter(|entry| other.find(entry.board()).is_some());
    assert_eq!(merged.len(), one.len() + other.len() - both.count());
    // Twice is as once.
    let before: Vec<_> = merged.entries().collect();
    other.entries().for_each(|entry| merged.merge(&entry));
    merged.link();
    assert!(merged.entries().eq(before));
}
