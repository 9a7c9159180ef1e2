//! References of the kernels: one obvious, slow function per kernel.
//!
//! They share no code with the kernels. They walk boards square by square, so a mistake in a mask or a table
//! cannot hide on both sides of a comparison. Readability matters here, speed does not.

mod evaluation;
mod ordering;
mod stability;
mod symmetry;

use outflank_kernels::Block;

pub use evaluation::{eval_sum, features, network_pair, network_value};
pub use ordering::{children, neighbour_sort, ordered_empties};
pub(crate) use stability::EDGES;
pub use stability::{
    corner_stability, edge_line_stability, edge_stability, full_lines, solid_discs, stability,
};
pub use symmetry::{canonical, symmetries, transpose};

/// The eight directions as (column step, row step).
const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// The squares met when walking from `square` (0..=63, not included) to the edge.
pub(crate) fn ray(square: usize, (dx, dy): (i32, i32)) -> impl Iterator<Item = usize> {
    let (x, y) = (square as i32 % 8, square as i32 / 8);
    (1..8)
        .map(move |step| (x + dx * step, y + dy * step))
        .take_while(|(x, y)| (0..8).contains(x) && (0..8).contains(y))
        .map(|(x, y)| (8 * y + x) as usize)
}

fn has(board: u64, square: usize) -> bool {
    board >> square & 1 == 1
}

/// The squares (0..=63) that fulfil a condition, as a bitboard.
fn squares_where(is_in: impl Fn(usize) -> bool) -> u64 {
    (0..64)
        .filter(|&square| is_in(square))
        .fold(0, |squares, square| squares | 1 << square)
}

/// The discs that flip when the mover plays on the empty `square` (0..=63), as a bitboard;
/// 0 where the move is not legal. The played square itself is not part of it.
pub fn flip(square: usize, player: u64, opponent: u64) -> u64 {
    let mut flipped = 0;
    for direction in DIRECTIONS {
        let mut run = 0;
        for next in ray(square, direction) {
            if has(opponent, next) {
                run |= 1 << next;
            } else {
                if has(player, next) {
                    flipped |= run;
                }
                break;
            }
        }
    }
    flipped
}

/// The squares where the mover may play, as a bitboard.
pub fn mobility(player: u64, opponent: u64) -> u64 {
    let is_empty = |square| !has(player | opponent, square);
    squares_where(|square| is_empty(square) && flip(square, player, opponent) != 0)
}

/// The board after the mover plays on `square` and flips `flipped`. The next side to move comes first.
pub fn play(square: usize, player: u64, opponent: u64, flipped: u64) -> (u64, u64) {
    (opponent & !flipped, player | flipped | 1 << square)
}

/// The empty squares that touch a disc of the opponent, where the mover may become able to play.
pub fn potential_mobility(player: u64, opponent: u64) -> u64 {
    squares_where(|square| {
        let mut neighbours = DIRECTIONS
            .into_iter()
            .filter_map(|way| ray(square, way).next());
        !has(player | opponent, square) && neighbours.any(|next| has(opponent, next))
    })
}

/// The number of discs that flip when the mover plays on `square`, the only empty square of the board. The
/// opponent holds all squares that the mover does not. A bit of `player` on `square` is ignored.
pub fn last_flip_count(square: usize, player: u64) -> i32 {
    let player = player & !(1 << square);
    let opponent = !player & !(1 << square);
    flip(square, player, opponent).count_ones() as i32
}

/// The mover's score with one empty square left, or a bound on it.
///
/// The board is full but for `square`: all discs that are not the mover's (`player`) are the opponent's. A
/// null-window search only asks if the score is over `alpha` (-64..=63). So two values are bounds, equal at
/// every level:
///
/// - A lower bound if the mover can play: the score of one flip, if it is over `alpha`. This is the lazy
///   high cut-off.
/// - An upper bound if the mover must pass: the score of a double pass, if it is not over `alpha`. An
///   opponent who can play only lowers it. This is the lazy low cut-off.
///
/// Everything else is exact.
pub fn last_move_score(square: usize, player: u64, alpha: i32) -> i32 {
    let player = player & !(1 << square);
    let opponent = !player & !(1 << square);
    let difference = player.count_ones() as i32 - opponent.count_ones() as i32;
    let with_flips = |flips: i32| difference + 2 * flips + 1;

    let flips = last_flip_count(square, player);
    if flips > 0 {
        let least = with_flips(1);
        return if least > alpha {
            least
        } else {
            with_flips(flips)
        };
    }
    // The number of discs is odd, so the difference is not 0 and the empty square has a winner.
    let game_over = difference + difference.signum();
    let opponent_flips = last_flip_count(square, opponent);
    if game_over <= alpha || opponent_flips == 0 {
        game_over
    } else {
        difference - 2 * opponent_flips - 1
    }
}

/// CRC32C (Castagnoli, reflected polynomial 0x82F63B78) of eight bytes, lowest first, continuing from `crc`.
/// Like the x86 and Arm instructions, it omits the usual inversions.
fn crc32c(crc: u32, bytes: u64) -> u32 {
    let mut state = u64::from(crc) ^ bytes;
    for _ in 0..64 {
        let carry = state & 1;
        state >>= 1;
        if carry == 1 {
            state ^= 0x82F6_3B78;
        }
    }
    state as u32
}

/// The hash of a board. High half: CRC32C of the mover's discs. Low half: CRC32C of the mover's discs, then the
/// opponent's (the hash function of Okuhara's Edax AVX).
pub fn board_hash(player: u64, opponent: u64) -> u64 {
    let high = crc32c(0, player);
    u64::from(high) << 32 | u64::from(crc32c(high, opponent))
}

/// Fills `memory` with `pattern`, again and again.
pub fn clear(memory: &mut [Block], pattern: [u64; 4]) {
    for block in memory {
        block.0 = pattern;
    }
}
