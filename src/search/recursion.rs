//! The recursion points: the functions of the search that call themselves or each other, compiled
//! once for every level.
//!
//! A body is a plain generic function over a level's token, always inlined. A call across levels of
//! recursion cannot be inlined, and a function compiled without a level's features could not take in
//! the kernels that are; so each body is stamped here (`stamp!`) into one function per level that has
//! the features. Every kernel inlines into it, and calls between the stamped functions are direct.
//!
//! A point with a parameter in brackets is stamped for each evaluation that is asked for.

use outflank_kernels::stamp;

use super::evaluated::Evaluated;
use super::line::Line;
use super::node::{Null, Open};
use super::thread::{Search, Tree};
use super::{endgame, perft, shallow, tree};
use crate::board::Board;
use crate::eval::Evaluator;
use crate::table::Draft;

stamp! {
    /// The recursion points of one level.
    pub(crate) trait Recursion;
    /// The number of leaves `depth` plies below `board`, a pass being a ply.
    fn perft_with_passes(board: Board, depth: u32) -> u64 = perft::body::<Self, true>;
    /// The number of leaves `depth` moves below `board`, passes not counted.
    fn perft_without_passes(board: Board, depth: u32) -> u64 = perft::body::<Self, false>;
    /// The score of a board with 6 to 12 empties against a null window.
    fn null_window(search: &mut Search<'_>, board: Board, mobility: u64, alpha: i32) -> i32
        = |isa, search, board, mobility, alpha| endgame::node::<_, Null>(isa, search, board, mobility, (alpha, alpha + 1), &mut ());
    /// The score of a board with 12 or fewer empties in an open window, with its line.
    fn open_window(search: &mut Search<'_>, board: Board, mobility: u64, window: (i32, i32), line: &mut Line) -> i32
        = endgame::node::<_, Open>;
    /// The score of a board by a search with an evaluation against a null window.
    fn tree_null[E: Evaluator](tree: &mut Tree<'_, E>, board: Board, state: &Evaluated<E::State>, draft: Draft, alpha: i32) -> i32
        = |isa, tree, board, state, draft, alpha| tree::node::<_, _, Null>(isa, tree, board, state, draft, (alpha, alpha + 1), &mut ());
    /// The score of a board by a search with an evaluation in an open window, with its line.
    fn tree_open[E: Evaluator](tree: &mut Tree<'_, E>, board: Board, state: &Evaluated<E::State>, draft: Draft, window: (i32, i32), line: &mut Line) -> i32
        = |isa, tree, board, state, draft, window, line| tree::node::<_, _, Open>(isa, tree, board, state, draft, window, line);
    /// The score of a board with 5 empties against a null window.
    fn last_5(search: &mut Search<'_>, board: Board, mobility: u64, alpha: i32) -> i32
        = shallow::last_5;
    /// The score of a board with 4 empties against a null window.
    fn last_4(search: &mut Search<'_>, board: Board, empties: u32, alpha: i32) -> i32
        = shallow::last_4;
    /// The score of a board with 3 empties against a null window.
    fn last_3(search: &mut Search<'_>, board: Board, empties: u32, alpha: i32) -> i32
        = shallow::last_3;
    /// The score of a board with 2 empties against a null window.
    fn last_2(search: &mut Search<'_>, board: Board, empties: u32, alpha: i32) -> i32
        = shallow::last_2;
}
