//! The live line: depth, score, speed and best line of a running search.

use outflank::{Monitor, SearchResult, Side};

use super::console::{clock, speed};
use super::number_options::grouped;
use super::progress::{Progress, ProgressArgument, Status};
use super::text_format;

/// A running search.
pub(super) struct RunningSearch {
    /// Number of the search; empty if there is only one.
    pub(super) heading: String,
    pub(super) monitor: Monitor,
    pub(super) side: Side,
    /// Moves of the certificate that is being made after the search.
    pub(super) certificate_moves: u64,
}

/// Shows the search that `current` returns, until the returned [`Progress`] is dropped. `current` is called several
/// times a second. The line does not change while `current` returns `None` or the search has no result.
pub(super) fn show(
    progress: &ProgressArgument,
    current: impl Fn() -> Option<RunningSearch> + Send + 'static,
) -> Progress {
    progress.status_line(move || {
        let search = current()?;
        match search.monitor.so_far() {
            Some(result) => Some(status(&search.heading, &result, search.side)),
            None => certificate_status(&search),
        }
    })
}

/// Formats the size of an unfinished certificate; `None` if none is being made.
fn certificate_status(search: &RunningSearch) -> Option<Status> {
    let (heading, moves) = (&search.heading, search.certificate_moves);
    let gap = if heading.is_empty() { "" } else { "  " };
    (moves > 0).then(|| Status {
        text: format!("{heading}{gap}certificate: {} moves", grouped(moves)),
        result: format!("{heading}{gap}certificate"),
    })
}

/// Formats depth and selectivity, score, nodes, speed, time, and the first plies of the best line.
fn status(heading: &str, so_far: &SearchResult, side: Side) -> Status {
    /// Number of plies shown. Later plies are unreliable.
    const MAX_PLIES: usize = 12;
    let SearchResult {
        nodes, time, line, ..
    } = so_far;
    let gap = if heading.is_empty() { "" } else { "  " };
    let result = format!(
        "{heading}{gap}{}  {}",
        text_format::depth(so_far.depth, so_far.selectivity).trim_end(),
        text_format::bounded(so_far.score, so_far.bound),
    );
    let text = format!(
        "{result}  {} nodes  {} N/s  {}  {}",
        grouped(*nodes),
        grouped(speed(*nodes, *time)),
        clock(*time),
        text_format::variation(&line[..line.len().min(MAX_PLIES)], side),
    );
    let text = text.trim_end().to_owned();
    Status { text, result }
}
