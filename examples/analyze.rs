//! Analyzes a game: the discs that each move loses against the best one.
//!
//! `cargo run --release --example analyze f5d6c3d3c4`.

use std::error::Error;

use outflank::Engine;
use outflank::analysis::judge;
use outflank::notation::{Contents, GameRecord, ply_name, read_one};
use outflank::search::Strength;

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1);
    let text = text
        .as_deref()
        .unwrap_or("f5d6c3d3c4f4f6f3e3b4b5e6e7f2e2g5g6e1a5f7c5e8");
    let Contents::Game(GameRecord { game, .. }) = read_one(text)? else {
        return Err("a position has no moves to judge".into());
    };

    let mut engine = Engine::builder().build()?;
    let moves = judge(&mut engine, &game, Strength::Level(10), |_| ())?.ok_or("stopped")?;

    println!(" #  side   move  score  loss     best");
    for judgement in moves {
        println!(
            "{:2}  {:5}  {:4}  {:+5}  {:4} {:2}  {}",
            judgement.number,
            judgement.side,
            judgement.played,
            judgement.score,
            judgement.loss(),
            judgement.mark().sign(),
            ply_name(judgement.line[0])
        );
    }
    Ok(())
}
