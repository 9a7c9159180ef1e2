//! Text of depths, scores, lines of play and times.

use outflank::notation::{PASS, ply_name};
use outflank::{Bound, Ply, Selectivity, Side};

/// Format of dates in GGF, for [`utc_now`].
pub(super) const GGF_DATE: &str = "%Y.%m.%d_%H:%M:%S.UTC";

/// Formats a depth in plies, with the selectivity if there is any: `21@98%`. Without selectivity the number is followed
/// by a blank.
pub(super) fn depth(depth: u32, selectivity: Selectivity) -> String {
    match selectivity {
        Selectivity::Full => format!("{depth} "),
        selectivity => format!("{depth}@{selectivity}"),
    }
}

/// Text for the depth of an exact search to the end of the game.
pub(super) const EXACT: &str = "exact";

/// Formats the depth of a search of a position: [`EXACT`] if it reached the end of the game, else plies as in `16@73%`.
pub(super) fn depth_or_exact(plies: u32, selectivity: Selectivity, empties: u32) -> String {
    match selectivity {
        Selectivity::Full if plies >= empties => EXACT.to_owned(),
        selectivity => depth(plies, selectivity).trim_end().to_owned(),
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

/// Formats the current time in UTC. `format` has the directives of strftime.
pub(super) fn utc_now(format: &str) -> String {
    jiff::Timestamp::now().strftime(format).to_string()
}

/// Formats a line of play. `side` makes its first ply.
pub(super) fn variation(line: &[Ply], side: Side) -> String {
    names(line, side).join(" ")
}

/// Formats the plies of a line of play. `side` makes the first one.
pub(super) fn names(line: &[Ply], side: Side) -> Vec<String> {
    let sides = [side, side.other()].into_iter().cycle();
    let plies = line.iter().zip(sides).map(|(&next, side)| ply(next, side));
    plies.collect()
}

/// Names of the plies of a line, for JSON.
pub(super) fn ply_names(line: &[Ply]) -> Vec<String> {
    line.iter().copied().map(ply_name).collect()
}

/// Formats a ply. Black's moves are in lower case, white's in upper case.
pub(super) fn ply(ply: Ply, side: Side) -> String {
    match (ply, side) {
        (None, _) => PASS.to_owned(),
        (Some(square), Side::Black) => format!("{square:#}"),
        (Some(square), Side::White) => format!("{square}"),
    }
}
