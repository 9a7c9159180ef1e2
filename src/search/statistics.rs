//! How often the branches of the search are taken, where the feature `branch-statistics` asks for it:
//! what a test saves depends on how rarely it lets the search pass (after the rates that Okuhara
//! measured for Edax AVX).
//!
//! Without the feature, [`counted`] is its last argument and nothing is counted.

/// A question that nodes ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Branch {
    /// Is alpha so high that stable discs are counted?
    CountStable,
    /// Do they refute the window?
    StableCut,
    /// Does the mover have to pass, or is the game over?
    NoMove,
    /// Does the table know enough of the board?
    TableCut,
    /// Does it know enough of a board after a move?
    ChildCut,
    /// Is a shallow search to stand for the deep one?
    TrySelective,
    /// Does it?
    SelectiveCut,
    /// Is there a disc to turn beside this square?
    Neighbour,
    /// Does a move there turn any?
    Legal,
    /// Does the move refute the window?
    Cut,
}

/// `taken`, counted for nodes with `empties` empty squares and the square or move at `place` in their
/// order (0..; the last counted place is for all further ones).
#[inline(always)]
pub(super) fn counted(branch: Branch, empties: usize, place: usize, taken: bool) -> bool {
    #[cfg(feature = "branch-statistics")]
    counts::add(branch, empties, place, taken);
    let _ = (branch, empties, place);
    taken
}

#[cfg(feature = "branch-statistics")]
pub use counts::branch_statistics;

#[cfg(feature = "branch-statistics")]
mod counts {
    use std::fmt::Write;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::Branch;

    /// Places that are counted one by one, the last for all further ones.
    const PLACES: usize = 4;

    /// What a row counts.
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

    /// The empty squares that a column is for.
    const COLUMNS: [(usize, usize); 14] = [
        (2, 2),
        (3, 3),
        (4, 4),
        (5, 5),
        (6, 6),
        (7, 7),
        (8, 8),
        (9, 9),
        (10, 10),
        (11, 11),
        (12, 12),
        (13, 15),
        (16, 19),
        (20, 64),
    ];

    /// By branch, empty squares and place: how often not taken, and taken.
    static COUNTS: [[[[AtomicU64; 2]; PLACES]; 65]; 10] =
        [const { [const { [const { [const { AtomicU64::new(0) }; 2] }; PLACES] }; 65] }; 10];

    pub(super) fn add(branch: Branch, empties: usize, place: usize, taken: bool) {
        let counts = &COUNTS[branch as usize][empties][place.min(PLACES - 1)];
        counts[usize::from(taken)].fetch_add(1, Relaxed);
    }

    /// How often the branches of all searches of this process were taken, in percent of the times that
    /// they were come to: a row for each, by the empty squares.
    pub fn branch_statistics() -> String {
        let mut text = format!("{:32}", "percent, by empties");
        for (least, most) in COLUMNS {
            let head = match (least, most) {
                (_, 64) => format!("{least}+"),
                _ if least == most => least.to_string(),
                _ => format!("{least}-{most}"),
            };
            write!(text, "{head:>6}").expect("a string takes all");
        }
        for (branch, place, name) in ROWS {
            write!(text, "\n{name:32}").expect("a string takes all");
            for (least, most) in COLUMNS {
                let sum = |taken: usize| -> u64 {
                    let rows = &COUNTS[branch as usize][least..=most];
                    rows.iter().map(|row| row[place][taken].load(Relaxed)).sum()
                };
                let (not, taken) = (sum(0), sum(1));
                let cell = match not + taken {
                    0 => String::new(),
                    all => format!("{:.1}", 100.0 * taken as f64 / all as f64),
                };
                write!(text, "{cell:>6}").expect("a string takes all");
            }
        }
        text
    }
}
