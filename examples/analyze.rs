//! What each move of a game lost against the best one, as far as a search of 8 plies can tell:
//! `cargo run --release --example analyze f5d6c3d3c4`.

use std::error::Error;

use outflank::notation::{ply_name, transcript};
use outflank::{Engine, Limits, Selectivity};

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1);
    let text = text
        .as_deref()
        .unwrap_or("f5d6c3d3c4f4f6f3e3b4b5e6e7f2e2g5g6e1a5f7c5e8");
    let game = transcript::read(text.as_bytes())
        .next()
        .ok_or("no game")??
        .game()?;

    let mut engine = Engine::builder().build()?;
    let limits = Limits {
        lines: 64, // every move with its score
        ..Limits::depth(8, Selectivity::Full)
    };
    println!("side   move  score  loss  best");
    // The positions before each ply; there is one more, at the end.
    for (&ply, &(board, side)) in game.plies().iter().zip(game.positions()) {
        let found = engine.search(board, &limits)?;
        let played = found
            .candidates
            .iter()
            .find(|candidate| candidate.ply == ply);
        let score = played.ok_or("the move was not searched")?.score;
        let loss = found.score - score;
        let best = ply_name(found.candidates[0].ply);
        println!(
            "{side:5}  {:4}  {score:+5}  {loss:4}  {best}",
            ply_name(ply)
        );
    }
    Ok(())
}
