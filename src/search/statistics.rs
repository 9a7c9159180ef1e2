//! Branch rates of the search, counted with the feature `branch-statistics`. They show if a test cuts often enough to
//! save time. Okuhara measured such rates for Edax AVX.
//!
//! Without the feature, [`count_branch`] returns its last argument and counts nothing.

/// A test in the search, counted as taken or not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Branch {
    /// `alpha` is high enough to count stable discs.
    CountStable,
    /// Stable discs refute the window.
    StableCut,
    /// The mover has to pass, or the game is over.
    NoMove,
    /// The board's table entry decides the window.
    TableCut,
    /// A child's table entry makes the node fail high.
    ChildCut,
    /// A shallow search is tried before the deep one.
    TrySelective,
    /// The shallow search, or the static value, cuts.
    SelectiveCut,
    /// The square has a neighbouring disc of the opponent.
    Neighbour,
    /// A move on the square flips a disc.
    Legal,
    /// The move fails high.
    Cut,
}

/// Returns `taken` and counts it for nodes with `empties` empty squares. `index` is that of the square or move in the
/// node's order; large indices share a count.
#[inline(always)]
pub(super) fn count_branch(branch: Branch, empties: usize, index: usize, taken: bool) -> bool {
    #[cfg(feature = "branch-statistics")]
    counts::add(branch, empties, index, taken);
    let _ = (branch, empties, index);
    taken
}

#[cfg(feature = "branch-statistics")]
pub use counts::branch_statistics;

#[cfg(feature = "branch-statistics")]
mod counts {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::Branch;

    /// The number of counts by index. The last count includes all further indices.
    const INDICES: usize = 4;

    /// The rows: a branch, an index and a title.
    const ROWS: [(Branch, usize, &str); 21] = [
        (Branch::CountStable, 0, "stable discs are counted"),
        (Branch::StableCut, 0, "… and refute the window"),
        (Branch::NoMove, 0, "no move"),
        (Branch::TableCut, 0, "the table refutes or proves"),
        (Branch::ChildCut, 0, "… by a board after a move"),
        (Branch::TrySelective, 0, "a shallow search above is tried"),
        (Branch::SelectiveCut, 0, "… and cuts"),
        (Branch::TrySelective, 1, "a shallow search below is tried"),
        (Branch::SelectiveCut, 1, "… and cuts"),
        (Branch::Neighbour, 0, "1st square: a neighbour to turn"),
        (Branch::Neighbour, 1, "2nd square"),
        (Branch::Neighbour, 2, "3rd square"),
        (Branch::Neighbour, 3, "4th square"),
        (Branch::Legal, 0, "1st square: … and legal"),
        (Branch::Legal, 1, "2nd square"),
        (Branch::Legal, 2, "3rd square"),
        (Branch::Legal, 3, "4th square"),
        (Branch::Cut, 0, "1st move refutes the window"),
        (Branch::Cut, 1, "2nd move"),
        (Branch::Cut, 2, "3rd move"),
        (Branch::Cut, 3, "later moves"),
    ];

    /// The minimum number of empty squares of each column. The last column has no maximum.
    const COLUMNS: [usize; 14] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 20];

    /// The minimum and the maximum number of empty squares of each column.
    fn columns() -> impl Iterator<Item = (usize, usize)> {
        let ends = COLUMNS[1..].iter().map(|next| next - 1).chain([64]);
        COLUMNS.into_iter().zip(ends)
    }

    /// Counts of branches not taken and taken, by branch, empty squares and index.
    static COUNTS: [[[[AtomicU64; 2]; INDICES]; 65]; 10] =
        [const { [const { [const { [const { AtomicU64::new(0) }; 2] }; INDICES] }; 65] }; 10];

    pub(super) fn add(branch: Branch, empties: usize, index: usize, taken: bool) {
        let counts = &COUNTS[branch as usize][empties][index.min(INDICES - 1)];
        counts[usize::from(taken)].fetch_add(1, Relaxed);
    }

    /// Formats a table of branch rates: how often all searches of this process took each branch, in percent, by the
    /// number of empty squares.
    pub fn branch_statistics() -> String {
        let head = |(least, most): (usize, usize)| match (least, most) {
            (_, 64) => format!("{least}+"),
            _ if least == most => least.to_string(),
            _ => format!("{least}-{most}"),
        };
        let row = |name: &str, cells: &mut dyn Iterator<Item = String>| {
            let cells: String = cells.map(|cell| format!("{cell:>6}")).collect();
            format!("{name:32}{cells}")
        };
        let mut text = row("percent, by empties", &mut columns().map(head));
        for (branch, index, name) in ROWS {
            let cell = |(least, most): (usize, usize)| {
                let sum = |taken: usize| -> u64 {
                    let rows = &COUNTS[branch as usize][least..=most];
                    rows.iter().map(|row| row[index][taken].load(Relaxed)).sum()
                };
                match (sum(0), sum(1)) {
                    (0, 0) => String::new(),
                    (not_taken, taken) => {
                        format!("{:.1}", 100.0 * taken as f64 / (not_taken + taken) as f64)
                    }
                }
            };
            text += "\n";
            text += &row(name, &mut columns().map(cell));
        }
        text
    }
}
