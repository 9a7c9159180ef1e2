//! Solves a position to the end of the game: `cargo run --release --example solve`.

use std::error::Error;

use outflank::notation::ply_name;
use outflank::{Board, Engine, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    // 64 squares A1 to H8 and the side to move: as an argument, or one with 14 empty squares.
    let text = std::env::args().nth(1);
    let text = text
        .as_deref()
        .unwrap_or("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X");
    let board: Board = text.parse()?;

    let mut engine = Engine::builder().hash_mib(16).build()?;
    let found = engine.search(board, &Limits::EXACT)?;

    let line: Vec<String> = found.line.iter().copied().map(ply_name).collect();
    println!("{:+} by {}", found.score, line.join(" "));
    println!("{} nodes in {:?}", found.nodes, found.time);
    Ok(())
}
