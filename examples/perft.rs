//! Counts the leaves of the game tree with kernels alone: `cargo run --release --example perft 9`.
//!
//! Here, each kernel is a function call. `outflank::search::perft` is faster, because it is compiled as a whole for
//! each level, so that kernels are inlined (src/search/recursion.rs).

use std::error::Error;

use outflank::kernels::{Isa, Kernels, with_isa};

/// Counts the leaves `depth` plies below a position. A pass is a ply, a finished game one leaf.
///
/// The compiler makes a copy of this function for each level.
fn perft<I: Kernels>(isa: I, player: u64, opponent: u64, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = isa.mobility(player, opponent);
    if moves == 0 {
        return match isa.mobility(opponent, player) {
            0 => 1,
            _ => perft(isa, opponent, player, depth - 1),
        };
    }
    let mut leaves = 0;
    while moves != 0 {
        let square = moves.trailing_zeros() as usize;
        let flipped = isa.flip(square, player, opponent);
        let after = player | flipped | 1 << square;
        leaves += perft(isa, opponent & !flipped, after, depth - 1);
        moves &= moves - 1;
    }
    leaves
}

fn main() -> Result<(), Box<dyn Error>> {
    let max_depth = std::env::args()
        .nth(1)
        .map_or(Ok(8), |depth| depth.parse())?;
    // Chooses the best level of this CPU, or that of OUTFLANK_ISA.
    let token = Isa::choose(None)?.token()?;
    println!("at level {}", token.isa());
    for depth in 1..=max_depth {
        let leaves = with_isa!(token, isa => perft(isa, 0x08_1000_0000, 0x10_0800_0000, depth));
        println!("{depth:2} {leaves}");
    }
    Ok(())
}
