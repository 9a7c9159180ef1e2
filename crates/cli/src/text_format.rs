//! Text of depths, scores and lines of play.

use outflank::notation::PASS;
use outflank::{Bound, Ply, Selectivity, Side};

/// Formats a depth in plies, with the selectivity if there is any: `21@98%`. Without selectivity the number is followed
/// by a blank.
pub(super) fn depth(depth: u32, selectivity: Selectivity) -> String {
    match selectivity {
        Selectivity::Full => format!("{depth} "),
        selectivity => format!("{depth}@{selectivity}"),
    }
}

/// Formats a score in discs, with `<=` or `>=` if it is a bound.
pub(super) fn bounded(score: i32, bound: Bound) -> String {
    match bound {
        Bound::Exact => format!("{score:+}"),
        Bound::Lower => format!(">={score:+}"),
        Bound::Upper => format!("<={score:+}"),
    }
}

/// Formats a line of play. `side` makes its first ply.
pub(super) fn variation(line: &[Ply], side: Side) -> String {
    let sides = [side, side.other()].into_iter().cycle();
    let plies = line.iter().zip(sides).map(|(&next, side)| ply(next, side));
    plies.collect::<Vec<_>>().join(" ")
}

/// Formats a ply. Black's moves are in lower case, white's in upper case.
pub(super) fn ply(ply: Ply, side: Side) -> String {
    match (ply, side) {
        (None, _) => PASS.to_owned(),
        (Some(square), Side::Black) => format!("{square:#}"),
        (Some(square), Side::White) => format!("{square}"),
    }
}
