//! Calls a kernel, `flip`, at a level of your choice: `cargo run --release --example kernel v2`.

use std::error::Error;

use outflank::kernels::{Isa, Kernels, with_isa};
use outflank::{Board, Square};

fn main() -> Result<(), Box<dyn Error>> {
    let isa = match std::env::args().nth(1) {
        Some(name) => name.parse()?,
        None => Isa::detect(),
    };
    // The token proves that this CPU has the features of the level, so all calls are safe.
    let token = isa.token()?;

    let Board { player, opponent } = Board::START;
    let square: Square = "F5".parse()?;
    let flipped = with_isa!(token, isa => isa.flip(square.index(), player, opponent));

    let names: Vec<String> = Square::all_in(flipped)
        .map(|turned| turned.to_string())
        .collect();
    println!("at level {isa} {square} turns {}", names.join(", "));
    Ok(())
}
