//! Texts of answers: plies, lists of squares, boards for GoGui.

use crate::{Ply, Square};

pub(super) const PASS: &str = "pass";

pub(super) fn ply_name(ply: Ply) -> String {
    ply.map_or_else(|| PASS.to_owned(), |square| square.to_string())
}

/// Joins rows 1 to 8 into a board for GoGui, whose first row is at the bottom.
pub(super) fn gogui_board(rows: impl DoubleEndedIterator<Item = String>) -> String {
    rows.rev().collect::<Vec<_>>().join("\n")
}

/// Joins the names of squares by blanks, as GoGui's lists of points have them.
pub(super) fn square_list(squares: impl Iterator<Item = Square>) -> String {
    let names: Vec<_> = squares.map(|square| square.to_string()).collect();
    names.join(" ")
}
