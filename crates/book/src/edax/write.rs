//! Export of books to Edax.

use outflank::Limits;

use super::{FIXED, HEADER, MAGIC, MOVE, VERSION};
use crate::entry::{NO_MOVE, SearchEffort, ValuedMove, number};
use crate::{Book, BookError, Graph};

/// Exported book.
pub struct Export {
    /// Contents of the file.
    pub bytes: Vec<u8>,
    /// Number of positions.
    pub positions: usize,
    /// Number of values set by hand. Edax computes values from the leaves when it changes its book.
    pub manual_values: usize,
    /// Number of positions whose search matches no level. They get the highest level below their search.
    pub lowered_levels: usize,
}

/// Edax's default errors of midgame and unsolved endgame values, in discs.
const ERRORS: [i64; 2] = [2, 1];

/// Date of a file.
#[derive(Clone, Copy, Default, Debug)]
pub struct Date {
    /// Year.
    pub year: i16,
    /// Month (1 to 12), day (1 to 31), hour, minute, second.
    pub rest: [u8; 5],
}

/// Encodes a book in little-endian byte order, with the bounds and line counts that Edax derives from leaves.
pub fn export(book: &Book, date: Date) -> Result<Export, BookError> {
    let graph = Graph::read(book)?;
    let boards = || (0..graph.len() as u32).map(|position| graph.board(position));
    let deepest = boards().map(|board| i64::from(board.empty_count())).min();
    let errors = [
        book.setting("midgame error")?.unwrap_or(ERRORS[0]),
        book.setting("endgame error")?.unwrap_or(ERRORS[1]),
    ];
    let preferred = book.setting("level")?;
    let levels: Vec<(u8, bool)> = (0..graph.len() as u32)
        .map(|position| {
            let empties = graph.board(position).empty_count();
            level(graph.searched(position), empties, preferred)
        })
        .collect();
    let highest = levels.iter().map(|&(level, _)| i64::from(level)).max();
    let lines = lines(&graph, errors);

    let mut bytes = Vec::with_capacity(HEADER + graph.len() * (FIXED + 4 * MOVE));
    bytes.extend(MAGIC.map(u32::to_le_bytes).concat());
    bytes.extend([VERSION.0, VERSION.1]);
    bytes.extend(date.year.to_le_bytes());
    bytes.extend(date.rest);
    bytes.push(0);
    for option in [
        preferred.or(highest).unwrap_or(0),
        book.setting("empties")?.or(deepest).unwrap_or(0),
        errors[0],
        errors[1],
        0,
        graph.len() as i64,
    ] {
        bytes.extend((option as i32).to_le_bytes());
    }
    for position in 0..graph.len() as u32 {
        let board = graph.board(position);
        let statistics = &lines[position as usize];
        bytes.extend(board.player.to_le_bytes());
        bytes.extend(board.opponent.to_le_bytes());
        for count in statistics.counts {
            bytes.extend(u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
        }
        for value in [graph.value(position), statistics.lower, statistics.upper] {
            bytes.extend((value as i16).to_le_bytes());
        }
        let links = graph.links(position);
        bytes.extend([links.len() as u8, levels[position as usize].0]);
        let pair = |candidate: ValuedMove| [candidate.value as i8 as u8, number(candidate.ply)];
        bytes.extend(links.iter().flat_map(|link| pair(link.to_move())));
        let final_score = [graph.value(position) as i8 as u8, NO_MOVE];
        let is_over = links.is_empty() && graph.leaf(position).is_none();
        bytes.extend(match graph.leaf(position) {
            Some(leaf) => pair(leaf),
            // A finished game has its score here.
            None if is_over => final_score,
            None => [NO_VALUE as u8, NO_MOVE],
        });
    }
    Ok(Export {
        bytes,
        positions: graph.len(),
        manual_values: graph.manual_values().count(),
        lowered_levels: levels.iter().filter(|&&(_, is_same)| !is_same).count(),
    })
}

/// Byte for "no value".
const NO_VALUE: i8 = -127;

/// Finds the level that gives this search at `empties` empty squares. Among several, `preferred` comes first.
///
/// Returns the level and `true`. If no level matches, returns the highest one that does not exceed the search, and
/// `false`.
fn level(searched: SearchEffort, empties: u32, preferred: Option<i64>) -> (u8, bool) {
    let by = |level: u32| SearchEffort::of_limits(&Limits::level(level, empties), empties);
    let preferred = preferred.and_then(|level| u32::try_from(level).ok());
    let mut levels = preferred.into_iter().chain(0..=60);
    if let Some(level) = levels.find(|&level| level <= 60 && by(level) == searched) {
        return (level as u8, true);
    }
    let less = (0..=60_u8).rev().find(|&level| {
        let other = by(level.into());
        other.depth <= searched.depth && other.selectivity <= searched.selectivity
    });
    (less.unwrap_or(0), false)
}

/// Edax's statistics of the lines below a position.
#[derive(Clone, Default)]
struct Lines {
    /// Numbers of lines: won, drawn and lost for the side to move, and all.
    counts: [u64; 4],
    lower: i32,
    upper: i32,
}

fn lines(graph: &Graph, [midgame, endgame]: [i64; 2]) -> Vec<Lines> {
    let mut all = vec![Lines::default(); graph.len()];
    for position in graph.targets_first() {
        let empties = graph.board(position).empty_count();
        let searched = graph.searched(position);
        let mut lines = Lines {
            counts: [0; 4],
            lower: NO_VALUE.into(),
            upper: NO_VALUE.into(),
        };
        let links = graph.links(position);
        let leaf = graph.leaf(position).map(|leaf| leaf.value);
        if let Some(value) = leaf.or(links.is_empty().then(|| graph.value(position))) {
            lines.counts[3] = 1;
            let to_end = u32::from(searched.depth) >= empties;
            let (error, bias) = match (to_end, searched.is_exact(empties)) {
                (_, true) => (0, 0),
                (true, _) => (endgame as i32, 0),
                // Searches of odd depth are too optimistic, those of even depth too pessimistic.
                _ => (
                    midgame as i32,
                    i32::from(searched.depth & 1) - (empties & 1) as i32,
                ),
            };
            if searched.is_exact(empties) {
                lines.counts[(1 - value.signum()) as usize] = 1;
            }
            (lines.lower, lines.upper) = (value - error - bias, value + error - bias);
        }
        for link in links {
            let child = &all[link.to as usize];
            lines.lower = lines.lower.max(-child.upper);
            lines.upper = lines.upper.max(-child.lower);
            let [won, drawn, lost, count] = child.counts;
            for (sum, count) in lines.counts.iter_mut().zip([lost, drawn, won, count]) {
                *sum = sum.saturating_add(count);
            }
        }
        if let Some(manual) = graph.manual_value(position) {
            (lines.lower, lines.upper) = (manual.value(), manual.value());
        }
        all[position as usize] = lines;
    }
    all
}
