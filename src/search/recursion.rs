//! The recursion points: the functions of the search that call themselves or each other. Each is compiled once for
//! every instruction-set level.
//!
//! The body of a recursion point is a generic function over a level's token, always inlined. A recursive call cannot be
//! inlined, and a function compiled without a level's features could not inline the level's kernels. So `stamp!`
//! compiles each body once per level, with the features of that level. All kernels inline into it, and calls between
//! the stamped functions are direct.
//!
//! A recursion point with a type parameter in brackets is also compiled for each type of evaluator.

use outflank_kernels::stamp;

use super::eval_state::{EvalState, Position};
use super::line::Line;
use super::window::Window;
use super::worker::{EndgameWorker, Worker};
use super::{endgame, midgame, perft, shallow};
use crate::board::Board;
use crate::eval::Evaluator;
use crate::table::SearchDepth;

stamp! {
    /// The recursion points of the engine at one level.
    pub(crate) trait SearchRecursion;
    /// The number of leaves `depth` plies below `board`, a pass being a ply.
    fn perft_with_passes(board: Board, depth: u32) -> u64 = perft::body::<Self, true>;
    /// The number of leaves `depth` moves below `board`, passes not counted.
    fn perft_without_passes(board: Board, depth: u32) -> u64 = perft::body::<Self, false>;
    /// The score of a board with 6 to 12 empties against the null window above `alpha`.
    fn endgame_null(worker: &mut EndgameWorker<'_>, board: Board, mobility: u64, alpha: i32) -> i32
        = |isa, worker, board, mobility, alpha| endgame::node(isa, worker, board, mobility, Window::null(alpha), &mut ());
    /// The score of a board with 12 or fewer empties in an open window, with its line.
    fn endgame_open(worker: &mut EndgameWorker<'_>, board: Board, mobility: u64, window: Window, line: &mut Line) -> i32
        = endgame::node;
    /// The score of a board by a search with an evaluation against the null window above `alpha`.
    fn midgame_null[E: Evaluator](worker: &mut Worker<'_, E>, board: Board, eval: &EvalState<E::State>, depth: SearchDepth, alpha: i32) -> i32
        = |isa, worker, board, eval, depth, alpha| midgame::node(isa, worker, Position { board, eval }, depth, Window::null(alpha), &mut ());
    /// The score of a board by a search with an evaluation in an open window, with its line.
    fn midgame_open[E: Evaluator](worker: &mut Worker<'_, E>, board: Board, eval: &EvalState<E::State>, depth: SearchDepth, window: Window, line: &mut Line) -> i32
        = |isa, worker, board, eval, depth, window, line| midgame::node(isa, worker, Position { board, eval }, depth, window, line);
    /// The score of a board with 5 empties against the null window above `alpha`.
    fn last_5(worker: &mut EndgameWorker<'_>, board: Board, mobility: u64, alpha: i32) -> i32
        = shallow::last_5;
    /// The score of a board with 4 empties against the null window above `alpha`.
    fn last_4(worker: &mut EndgameWorker<'_>, board: Board, empties: u32, alpha: i32) -> i32
        = shallow::last_4;
    /// The score of a board with 3 empties against the null window above `alpha`.
    fn last_3(worker: &mut EndgameWorker<'_>, board: Board, empties: u32, alpha: i32) -> i32
        = shallow::last_3;
    /// The score of a board with 2 empties against the null window above `alpha`.
    fn last_2(worker: &mut EndgameWorker<'_>, board: Board, empties: u32, alpha: i32) -> i32
        = shallow::last_2;
}
