//! Stable discs of one edge by exhaustive search, for the references of edges and of stability.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::flip;

/// The mover's discs on one edge that no sequence of moves can flip. `player` and `opponent` are the
/// eight squares of the edge as bits 0..=7; the two are disjoint.
///
/// The search fills the edge in every way: either side may take any empty square next. A disc is stable if it
/// keeps its colour in all of them. A move may flip nothing on the edge, because it may be legal by another
/// line.
pub fn edge_line_stability(player: u8, opponent: u8) -> u8 {
    // The same edges occur again and again on the way to full ones, so results are cached.
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
    kept(
        player,
        opponent,
        &mut KNOWN.lock().unwrap_or_else(PoisonError::into_inner),
    )
}
