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
        Ok(told) => {
            println!("{told}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

/// Solves the position of the argument, or the sample, of which it tells that it is one.
pub(crate) fn run(position: Option<&str>) -> Result<String, Box<dyn Error>> {
    let mut told = String::new();
    if position.is_none() {
        told = format!(
            "No position was given. This is the answer to a sample:\n{SAMPLE}\n{USAGE}\n\n"
        );
    }
    let board: Board = position.unwrap_or(SAMPLE).parse()?;

    let mut engine = Engine::builder().hash_mib(16).build()?;
    let found = engine.search(board, &Limits::EXACT)?;

    let line: Vec<String> = found.line.iter().copied().map(ply_name).collect();
    told += &format!("{:+} by {}\n", found.score, line.join(" "));
    told += &format!("{} nodes in {:?}", found.nodes, found.time);
    Ok(told)
}
