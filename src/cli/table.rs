//! The table of results, in the layout that users of Othello engines can read at a glance.

use outflank::notation::PASS;
use outflank::{Bound, Level, Ply, Selectivity, Side, Window, notation::ply_name};

use super::answer::{Answer, Tally};
use super::output::{clock, speed};

/// The two lines above the rows.
pub(super) const HEADER: &str = concat!(
    " # | depth|score|       time   |  nodes (N)  |   N/s    | principal variation\n",
    "---+------+-----+--------------+-------------+----------+---------------------",
);

/// The row of an answer, with what the file expects if that is something else.
pub(super) fn row(answer: &Answer) -> String {
    let found = &answer.found;
    let row = format!(
        "{:>3}|{:>6} {:>4}  {:>14} {:>13} {:>10} {}",
        answer.index,
        depth(found.depth, found.selectivity),
        score(answer.score(), answer.window),
        clock(found.time),
        found.nodes,
        speed(found.nodes, found.time),
        line(&found.line, answer.problem.side),
    );
    let wrong = match (answer.is_right(), answer.expected()) {
        (Some(false), Some(expected)) => {
            let expected = score(expected, answer.window);
            let moves: Vec<_> = answer.expected_moves().map(ply_name).collect();
            format!("  WRONG: expected {expected} {}", moves.join(" "))
        }
        _ => String::new(),
    };
    let mut rows = vec![row + &wrong];
    // The first of them is the row's own.
    for (i, one) in found.candidates.iter().enumerate().skip(1) {
        let score = score(answer.window.clamp(one.score), answer.window);
        let line = line(&one.line, answer.problem.side);
        let nothing = "";
        let number = format!("{}.", i + 1);
        rows.push(format!(
            "{nothing:>3}|{number:>6} {score:>4}  {nothing:>39} {line}"
        ));
    }
    let rows: Vec<_> = rows.iter().map(|row| row.trim_end()).collect();
    rows.join("\n")
}

/// The line below the rows.
pub(super) fn summary(tally: &Tally, level: Level) -> String {
    format!(
        "{} solved, {} wrong, {} malformed; {} nodes in {} ({} N/s), level {level}",
        tally.positions,
        tally.wrong,
        tally.malformed,
        tally.nodes,
        clock(tally.time),
        speed(tally.nodes, tally.time),
    )
}

/// The plies searched, and how certainly, unless nothing was cut: `21@98%`.
pub(super) fn depth(depth: u32, selectivity: Selectivity) -> String {
    match selectivity {
        Selectivity::Full => format!("{depth} "),
        selectivity => format!("{depth}@{selectivity}"),
    }
}

/// A score in discs, or the outcome where only that was asked for.
fn score(score: i32, window: Window) -> String {
    match score {
        _ if window != Window::WLD => format!("{score:+}"),
        1 => "win".to_owned(),
        0 => "draw".to_owned(),
        _ => "loss".to_owned(),
    }
}

/// A score in discs, with `<=` or `>=` where it is a bound.
pub(super) fn bounded(score: i32, bound: Bound) -> String {
    match bound {
        Bound::Exact => format!("{score:+}"),
        Bound::Lower => format!(">={score:+}"),
        Bound::Upper => format!("<={score:+}"),
    }
}

/// A line of play from `side`.
pub(super) fn line(line: &[Ply], side: Side) -> String {
    let sides = [side, side.other()].into_iter().cycle();
    let plies = line.iter().zip(sides).map(|(&one, side)| ply(one, side));
    plies.collect::<Vec<_>>().join(" ")
}

/// A ply of `side`: black's moves in lower case, white's in upper.
pub(super) fn ply(ply: Ply, side: Side) -> String {
    match (ply, side) {
        (None, _) => PASS.to_owned(),
        (Some(square), Side::Black) => format!("{square:#}"),
        (Some(square), Side::White) => format!("{square}"),
    }
}
