//! Counts the leaves of the game tree, by the kernels alone: `cargo run --release --example perft 9`.
//!
//! Each kernel is a call here. `outflank::search::perft` is faster: all of it is compiled with the
//! instructions of the level, so that the kernels are inlined (src/search/recursion.rs).

use std::error::Error;

use outflank::kernels::{Isa, Kernels, with_isa};

/// The leaves `depth` plies below a position; a pass is a ply, a finished game one leaf. The levels have
/// different instructions, so each gets a copy of this function.
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
    let most = std::env::args()
        .nth(1)
        .map_or(Ok(8), |depth| depth.parse())?;
    // The best level of this CPU, or the one that OUTFLANK_ISA names.
    let token = Isa::choose(None)?.token()?;
    println!("at level {}", token.isa());
    for depth in 1..=most {
        let leaves = with_isa!(token, isa => perft(isa, 0x08_1000_0000, 0x10_0800_0000, depth));
        println!("{depth:2} {leaves}");
    }
    Ok(())
}
