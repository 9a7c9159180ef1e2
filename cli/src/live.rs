//! A running search, as a line that shows what it knows so far.

use outflank::{Monitor, SearchResult, Side};

use super::numbers::grouped;
use super::output::{clock, speed};
use super::progress::{News, Progress, ProgressArgument};
use super::table;

/// A search to show.
pub(super) struct Watched {
    /// Which one it is, where there are several; empty where that is obvious.
    pub(super) heading: String,
    /// That of the engine that searches.
    pub(super) monitor: Monitor,
    /// The side to move of the position.
    pub(super) side: Side,
}

/// Shows what `search` names as long as the result lives: one line at the bottom of a terminal, elsewhere
/// lines where they are asked for. `search` is asked some times a second; where it names nothing, or
/// that has found nothing yet, the line stays as it is.
pub(super) fn show(
    progress: &ProgressArgument,
    search: impl Fn() -> Option<Watched> + Send + 'static,
) -> Progress {
    progress.watch(move || {
        let watched = search()?;
        let so_far = watched.monitor.so_far()?;
        Some(news(&watched.heading, &so_far, watched.side))
    })
}

/// What a search knows so far: depth and selectivity, score, nodes, speed, time, the first moves.
fn news(heading: &str, so_far: &SearchResult, side: Side) -> News {
    /// The plies of the line that are shown: those after them are little more than a guess.
    const MAX_MOVES: usize = 12;
    let SearchResult {
        nodes, time, line, ..
    } = so_far;
    let gap = if heading.is_empty() { "" } else { "  " };
    let result = format!(
        "{heading}{gap}{}  {}",
        table::depth(so_far.depth, so_far.selectivity).trim_end(),
        table::bounded(so_far.score, so_far.bound),
    );
    let text = format!(
        "{result}  {} nodes  {} N/s  {}  {}",
        grouped(*nodes),
        grouped(speed(*nodes, *time)),
        clock(*time),
        table::line(&line[..line.len().min(MAX_MOVES)], side),
    );
    let text = text.trim_end().to_owned();
    News { text, result }
}
