//! The table of results, in the layout that users of Othello engines can read at a glance.

use outflank::notation::PASS;
use outflank::{Bound, Isa, Ply, Selectivity, Side, Window, notation::ply_name};

use super::answer::{Answer, Tally};
use super::output::{clock, cut, speed};

/// The two lines above the rows, with a column for names of this width, if it is not 0.
pub(super) fn header(name_width: usize) -> String {
    let (title, rule) = match name_width {
        0 => (String::new(), String::new()),
        width => (
            format!(" {:<1$}|", "name", width - 1),
            "-".repeat(width) + "+",
        ),
    };
    format!(
        " # | depth|score|       time   |  nodes (N)  |   N/s    |{title} principal variation\n\
         ---+------+-----+--------------+-------------+----------+{rule}---------------------"
    )
}

/// The width of a column for these names; 0 where there are none.
pub(super) fn name_width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    let longest = names.map(|name| name.chars().count()).max();
    longest.map_or(0, |longest| longest.clamp(" name".len(), MAX_NAME))
}

/// The most characters of a name that the table shows.
const MAX_NAME: usize = 46;

/// A name in a column of this width and the blank behind it; nothing where there is no column.
fn name(name: Option<&str>, width: usize) -> String {
    let name = name.unwrap_or_default();
    match width {
        0 => String::new(),
        width => format!("{:<width$} ", cut(name, width)),
    }
}

/// The row of an answer, with what the file expects if that is something else, and the position's name
/// where that has a column.
pub(super) fn row(answer: &Answer, name_width: usize) -> String {
    let found = &answer.found;
    let row = format!(
        "{:>3}|{:>6} {} {:>14} {:>13} {:>10} {}{}",
        answer.index,
        depth(found.depth, found.selectivity),
        column(answer.score(), answer.bound(), answer.window()),
        clock(found.time),
        found.nodes,
        speed(found.nodes, found.time),
        name(answer.problem.name.as_deref(), name_width),
        line(&found.line, answer.problem.side),
    );
    let wrong = match (answer.is_right(), answer.expected()) {
        (Some(false), Some(expected)) => {
            let expected = score(expected, Bound::Exact, answer.window());
            let moves: Vec<_> = answer.expected_moves().map(ply_name).collect();
            format!("  WRONG: expected {expected} {}", moves.join(" "))
        }
        _ => String::new(),
    };
    let mut rows = vec![row + &wrong];
    // The first of them is the row's own.
    for (i, one) in found.candidates.iter().enumerate().skip(1) {
        let window = answer.window();
        let bound = answer.bound_of(one.score, one.bound);
        let score = column(window.clamp(one.score), bound, window);
        let line = line(&one.line, answer.problem.side);
        let nothing = "";
        let number = format!("{}.", i + 1);
        rows.push(format!(
            "{nothing:>3}|{number:>6} {score} {nothing:>39} {}{line}",
            name(None, name_width)
        ));
    }
    let rows: Vec<_> = rows.iter().map(|row| row.trim_end()).collect();
    rows.join("\n")
}

/// The line below the rows.
pub(super) fn summary(tally: &Tally, isa: Isa) -> String {
    // Searched to fewer plies, selectively, or not to the end of what was asked for.
    let searched = match tally.positions - tally.solved {
        0 => String::new(),
        searched => format!(", {searched} searched"),
    };
    format!(
        "{} solved{searched}, {} wrong, {} malformed; {} nodes in {} ({} N/s), level {isa}",
        tally.solved,
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

/// A score in its column, where the signs of a bound stand out on both sides.
fn column(value: i32, bound: Bound, window: Window) -> String {
    format!("{:<5}", format!("{:>4}", score(value, bound, window)))
}

/// A score in discs, or the outcome where only that was asked for.
fn score(score: i32, bound: Bound, window: Window) -> String {
    match score {
        _ if window != Window::WLD => bounded(score, bound),
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
