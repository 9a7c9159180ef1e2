//! Lines of best play, and the certainty of values.

use std::collections::HashSet;

use outflank::search::Strength;
use outflank::{Board, Ply, Selectivity};
use outflank_book::learn::{Plan, Work};
use outflank_book::{BookEntry, Graph, SearchEffort, ValueOrigin, ValuedMove};
use outflank_testing::command::Folder;

use crate::common::grow_by_numbers;

fn graph(positions: usize) -> Graph {
    let plan = Plan {
        strength: Strength::Depth(3, Selectivity::Full),
        min_empties: 30,
        deadline: None,
        positions: Some(positions),
    };
    grow_by_numbers(&Folder::new(), 1, &plan, Work::Expand)
}

fn play(board: Board, ply: Ply) -> Board {
    ply.map_or_else(|| board.pass(), |square| board.play(square).unwrap())
}

/// Fewest lines that the mover, or the opponent, has to know, by following all lines.
fn known_lines(graph: &Graph, board: Board, is_mover: bool) -> u64 {
    let entry = graph.entry_of(board).unwrap();
    let mut seen = HashSet::new();
    let best = entry.moves().filter(|known| known.value == entry.value());
    let best = best.filter(|known| seen.insert(play(board, known.ply).canonical().0));
    let counts = best.map(|known| match entry.leaf() {
        Some(leaf) if leaf.ply == known.ply => 1,
        _ => known_lines(graph, play(board, known.ply), !is_mover),
    });
    match is_mover {
        true => counts.min().unwrap_or(1),
        false => counts.sum::<u64>().max(1),
    }
}

#[test]
fn lines_are_counted_and_listed() {
    let graph = graph(400);
    let start = graph.find(Board::START).unwrap();
    let counts = graph.line_counts()[start as usize];
    assert_eq!(counts.mover, known_lines(&graph, Board::START, true));
    assert_eq!(counts.opponent, known_lines(&graph, Board::START, false));
    let lines: Vec<Vec<Ply>> = graph.best_lines(Board::START, 60).collect();
    // The four first moves are symmetric: one counts.
    assert_eq!(lines.len() as u64, counts.all);
    assert!(lines.iter().all(|line| line[0] == lines[0][0]));
    assert!(counts.all > 2 && counts.mover < counts.all, "{counts:?}");
    assert_eq!(lines.iter().collect::<HashSet<_>>().len(), lines.len());
    for line in &lines {
        let mut board = Board::START;
        for (index, &ply) in line.iter().enumerate() {
            let entry = graph.entry_of(board).unwrap();
            let known = entry.moves().find(|known| known.ply == ply).unwrap();
            assert_eq!(known.value, entry.value(), "{line:?}");
            board = play(board, ply);
            let leaves = entry.leaf().is_some_and(|leaf| leaf.ply == ply);
            assert_eq!(leaves, index + 1 == line.len(), "{line:?}");
        }
    }
    let short: HashSet<Vec<Ply>> = graph.best_lines(Board::START, 3).collect();
    let beginnings: HashSet<Vec<Ply>> = lines
        .iter()
        .map(|line| line[..line.len().min(3)].to_vec())
        .collect();
    assert_eq!(short, beginnings);
}

/// Value of a node if the searched values of `wrong` nodes are replaced.
fn value_with(graph: &Graph, number: u32, wrong: &[(u32, i32)]) -> i32 {
    let leaf = graph.leaf(number).map(|leaf| {
        let replaced = wrong.iter().find(|&&(wrong, _)| wrong == number);
        replaced.map_or(leaf.value, |&(_, value)| value)
    });
    let links = graph.links(number).iter();
    let links = links.map(|link| -value_with(graph, link.to, wrong));
    links
        .chain(leaf)
        .max()
        .unwrap_or_else(|| graph.value(number))
}

#[test]
fn certainty_is_the_fewest_wrong_values() {
    let graph = graph(9);
    let start = graph.find(Board::START).unwrap();
    let certainty = graph.certainty(start);
    let value = graph.value(start);
    let nodes = graph.len() as u32;
    // Tries all sets of wrong values, each at its worst.
    let mut fewest = [u64::MAX; 2];
    for set in 0..1_u32 << nodes {
        let count = u64::from(set.count_ones());
        // A node at an even distance has the same side to move as the start.
        let wrong = |sign: i32| -> Vec<(u32, i32)> {
            let chosen = (0..nodes).filter(|node| set >> node & 1 == 1);
            let parity = |node: u32| graph.board(node).empty_count().is_multiple_of(2);
            chosen
                .map(|node| (node, if parity(node) { 64 * sign } else { -64 * sign }))
                .collect()
        };
        if count < fewest[0] && value_with(&graph, start, &wrong(1)) > value {
            fewest[0] = count;
        }
        if count < fewest[1] && value_with(&graph, start, &wrong(-1)) < value {
            fewest[1] = count;
        }
    }
    assert_eq!(certainty.to_rise, Some(fewest[0]));
    assert_eq!(certainty.to_fall, Some(fewest[1]));
    assert!(certainty.plies >= 1);
    assert!(matches!(certainty.origin, ValueOrigin::Search(searched) if searched.depth == 3));
}

#[test]
fn exact_values_are_never_wrong() {
    // One empty square, which the mover takes.
    let board: Board = "XXXX-XXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXOXXXXXXXXXXXXOOOOOOOO O"
        .parse()
        .unwrap();
    let ply = outflank::Square::all_in(board.mobility()).next();
    let searched = SearchEffort::new(1, Selectivity::Full);
    let leaf = ValuedMove::new(ply, -24);
    let entry = BookEntry::new(board, searched, Some(leaf), Vec::new()).unwrap();
    let mut graph = Graph::default();
    let number = graph.add(&entry);
    graph.resolve_links();
    let certainty = graph.certainty(number);
    assert_eq!(
        (certainty.plies, certainty.to_rise, certainty.to_fall),
        (0, None, None)
    );
    assert_eq!(graph.line_counts()[number as usize].all, 1);

    // No value is above 64.
    let leaf = ValuedMove::new("F5".parse().ok(), 64);
    let entry = BookEntry::new(Board::START, searched, Some(leaf), Vec::new()).unwrap();
    let number = graph.add(&entry);
    graph.resolve_links();
    let certainty = graph.certainty(number);
    assert_eq!((certainty.to_rise, certainty.to_fall), (None, Some(1)));
}
