//! Solves a position to the end of the game: `cargo run --release --example solve -- 'POSITION'`.

use std::error::Error;
use std::process::ExitCode;

use outflank::notation::ply_name;
use outflank::{Board, Engine, Limits};

/// A position with 14 empty squares.
pub(crate) const SAMPLE: &str =
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

const USAGE: &str = "\
usage: cargo run --release --example solve -- 'POSITION'
A POSITION is the 64 squares A1 to H8 (X black, O white, - empty), a blank, and the side to move (X or O).";

fn main() -> ExitCode {
    match run(std::env::args().nth(1).as_deref()) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

/// Solves a position. Without one, solves the sample and says so.
pub(crate) fn run(position: Option<&str>) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    if position.is_none() {
        text = format!(
            "No position was given. This is the answer to a sample:\n{SAMPLE}\n{USAGE}\n\n"
        );
    }
    let board: Board = position.unwrap_or(SAMPLE).parse()?;

    let mut engine = Engine::builder().hash_mib(16).build()?;
    let result = engine.search(board, &Limits::EXACT)?;

    let line: Vec<String> = result.line.iter().copied().map(ply_name).collect();
    text += &format!("{:+} by {}\n", result.score, line.join(" "));
    text += &format!("{} nodes in {:?}", result.nodes, result.time);
    Ok(text)
}
