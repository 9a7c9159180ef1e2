//! References of the kernels about full lines and discs that never flip.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::{flip, has, ray, squares_where};

/// Squares of the four edges.
pub(crate) const EDGES: [[usize; 8]; 4] = [
    [0, 1, 2, 3, 4, 5, 6, 7],
    [56, 57, 58, 59, 60, 61, 62, 63],
    [0, 8, 16, 24, 32, 40, 48, 56],
    [7, 15, 23, 31, 39, 47, 55, 63],
];

/// Directions of the four kinds of line, in the order of the kernel `full_lines`: rows, antidiagonals
/// (parallel to A8-H1), columns, diagonals (parallel to A1-H8).
const AXES: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

/// The four lines through a square, in the order of [`AXES`].
fn lines(square: usize) -> [Vec<usize>; 4] {
    AXES.map(|(dx, dy)| {
        let others = ray(square, (dx, dy)).chain(ray(square, (-dx, -dy)));
        others.chain([square]).collect()
    })
}

/// Returns `true` if all squares of `line` are in `occupied`.
fn is_full(line: &[usize], occupied: u64) -> bool {
    line.iter().all(|&square| has(occupied, square))
}

/// The squares whose line is full, for each kind of line: rows, antidiagonals (parallel to A8-H1), columns,
/// diagonals (parallel to A1-H8).
pub fn full_lines(player: u64, opponent: u64) -> [u64; 4] {
    let occupied = player | opponent;
    [0, 1, 2, 3].map(|axis| squares_where(|square| is_full(&lines(square)[axis], occupied)))
}

/// The discs whose row, column and diagonals are all full. They never flip again, and they never
/// flip another disc, so the rest of the game does not depend on their colour.
pub fn solid_discs(player: u64, opponent: u64) -> u64 {
    let occupied = player | opponent;
    squares_where(|square| lines(square).iter().all(|line| is_full(line, occupied)))
}

/// The mover's discs on one edge that no sequence of moves can flip. `player` and `opponent` are the
/// eight squares of the edge as bits 0..=7; the two are disjoint.
///
/// The search fills the edge in every way: either side may take any empty square next. A disc is stable if it
/// keeps its colour in all of them. A move may flip nothing on the edge, because it may be legal by another
/// line.
pub fn edge_line_stability(player: u8, opponent: u8) -> u8 {
    // The search reaches each edge in many ways, so results are cached.
    static KNOWN: LazyLock<Mutex<HashMap<(u8, u8), u8>>> = LazyLock::new(Mutex::default);
    fn kept(player: u8, opponent: u8, known: &mut HashMap<(u8, u8), u8>) -> u8 {
        if let Some(&kept) = known.get(&(player, opponent)) {
            return kept;
        }
        let mut stable = player;
        for square in (0..8).filter(|square| (player | opponent) >> square & 1 == 0) {
            let turned = flip(square, player.into(), opponent.into()) as u8;
            let lost = flip(square, opponent.into(), player.into()) as u8;
            let played = 1 << square;
            stable &= kept(player | played | turned, opponent & !turned, known);
            stable &= kept(player & !lost, opponent | played | lost, known);
        }
        known.insert((player, opponent), stable);
        stable
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    kept(player, opponent, &mut known)
}

/// The mover's discs on the four edges that no sequence of moves can flip, each edge on its own.
pub fn edge_stability(player: u64, opponent: u64) -> u64 {
    let mut stable = 0;
    for edge in EDGES {
        let pick = |board: u64| (0..8).fold(0, |bits, i| bits | u8::from(has(board, edge[i])) << i);
        let kept = edge_line_stability(pick(player), pick(opponent));
        stable |= (0..8)
            .filter(|&i| kept >> i & 1 == 1)
            .fold(0, |bits, i| bits | 1 << edge[i]);
    }
    stable
}

/// The mover's discs that are known never to flip: the stable discs of the edges, the solid discs, and all discs
/// that become stable by their neighbours. A disc becomes stable if each of its four lines is full, ends at the
/// disc on the border, or has a stable disc of the mover beside it.
pub fn stability(player: u64, opponent: u64) -> u64 {
    let occupied = player | opponent;
    let mut stable = edge_stability(player, opponent) | solid_discs(player, opponent) & player;
    loop {
        let is_safe = |square| {
            let mut axes = AXES.into_iter().zip(lines(square));
            axes.all(|((dx, dy), line)| {
                let backed = |direction| match ray(square, direction).next() {
                    None => true,
                    Some(next) => has(stable, next),
                };
                backed((dx, dy)) || backed((-dx, -dy)) || is_full(&line, occupied)
            })
        };
        let more = stable | squares_where(|square| has(player, square) && is_safe(square));
        if more == stable {
            return stable;
        }
        stable = more;
    }
}

/// The number of the mover's corners and of the mover's discs beside them on the edges (0..=12). Move
/// ordering uses it as a cheap part of stability.
pub fn corner_stability(player: u64) -> i32 {
    let corners = [(0, [1, 8]), (7, [6, 15]), (56, [57, 48]), (63, [62, 55])];
    corners
        .iter()
        .filter(|&&(corner, _)| has(player, corner))
        .map(|&(_, beside)| 1 + beside.iter().filter(|&&square| has(player, square)).count() as i32)
        .sum()
}
