//! Parts of books, and growth within limits of losses.

use std::collections::HashMap;

use outflank::search::Strength;
use outflank::{Board, Selectivity};
use outflank_book::learn::{Plan, Work};
use outflank_book::{Graph, LossLimits};
use outflank_testing::command::Folder;

use crate::common::grow_by_numbers;

fn plan(positions: Option<usize>) -> Plan {
    Plan {
        strength: Strength::Depth(3, Selectivity::Full),
        min_empties: 54,
        deadline: None,
        positions,
    }
}

/// Smallest sum of losses on a way to each position, by following all ways.
fn losses(graph: &Graph, root: Board, limits: LossLimits) -> HashMap<Board, u32> {
    let mut found = HashMap::new();
    let mut waiting = vec![(graph.find(root).unwrap(), 0)];
    while let Some((number, sum)) = waiting.pop() {
        let best = found.entry(graph.board(number)).or_insert(u32::MAX);
        if sum >= *best {
            continue;
        }
        *best = sum;
        for link in graph.links(number) {
            let loss = (graph.value(number) - link.to_move().value) as u32;
            if loss <= limits.per_move && sum + loss <= limits.in_sum {
                waiting.push((link.to, sum + loss));
            }
        }
    }
    found
}

#[test]
fn parts_have_what_moves_within_the_limits_reach() {
    let folder = Folder::new();
    let graph = grow_by_numbers(&folder, 3, &plan(Some(300)), Work::Expand);
    let after = Board::START.play("F5".parse().unwrap()).unwrap();
    let replies = after.play("D6".parse().unwrap()).unwrap();
    let mut sizes = Vec::new();
    for root in [Board::START, replies] {
        for (per_move, in_sum) in [(u32::MAX, u32::MAX), (2, 4), (0, 0), (1, u32::MAX)] {
            let limits = LossLimits { per_move, in_sum };
            let part = graph.part(graph.find(root).unwrap(), limits);
            let expected = losses(&graph, root, limits);
            assert_eq!(part.len(), expected.len(), "{limits:?}");
            sizes.push(part.len());
            for number in 0..part.len() as u32 {
                let board = part.board(number);
                assert!(expected.contains_key(&board), "{limits:?} {board}");
                // Values are those of the whole book, because the best moves are kept, or lead out with their values.
                let whole = graph.find(board).unwrap();
                assert_eq!(part.value(number), graph.value(whole), "{limits:?} {board}");
                let entry = part.entry(number).unwrap();
                // A link that was cut off has the plies up to the search behind it. Searches have 3 plies here.
                let is_same = part.leaf(number) == graph.leaf(whole);
                let depth = entry.searched().depth;
                assert!(if is_same { depth == 3 } else { depth > 3 }, "{board}");
                assert!(!entry.is_exact());
            }
        }
    }
    assert_eq!(sizes[0], graph.len());
    assert!(sizes[1] < sizes[0] && sizes[2] < sizes[1], "{sizes:?}");
}

#[test]
fn deviations_within_the_limits_are_all_answered() {
    let folder = Folder::new();
    let limits = LossLimits {
        per_move: 2,
        in_sum: 3,
    };
    let graph = grow_by_numbers(&folder, 3, &plan(None), Work::Deviate(Board::START, limits));
    assert!(graph.len() > 30, "{}", graph.len());
    let losses = losses(&graph, Board::START, limits);
    let min_empties = plan(None).min_empties;
    for (&board, sum) in &losses {
        let number = graph.find(board).unwrap();
        let Some(leaf) = graph
            .leaf(number)
            .filter(|_| board.empty_count() > min_empties)
        else {
            continue;
        };
        let loss = (graph.value(number) - leaf.value) as u32;
        assert!(
            loss > limits.per_move || sum + loss > limits.in_sum,
            "{board}: {loss} after {sum}"
        );
    }
    // Nothing is left to do. Wider limits add positions.
    let again = grow_by_numbers(&folder, 3, &plan(None), Work::Deviate(Board::START, limits));
    assert_eq!(again.len(), graph.len());
    let wider = LossLimits {
        per_move: 4,
        in_sum: 6,
    };
    let wider = grow_by_numbers(&folder, 3, &plan(None), Work::Deviate(Board::START, wider));
    assert!(wider.len() > graph.len());
    let few = grow_by_numbers(
        &folder,
        3,
        &plan(Some(5)),
        Work::Deviate(Board::START, LossLimits::NONE),
    );
    assert!((5..12).contains(&(few.len() - wider.len())));
}
