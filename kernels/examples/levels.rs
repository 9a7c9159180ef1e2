//! Times the moves and the flips of every move of a board: by a loop over squares, and by kernels at every level of this
//! CPU.
//!
//! `cargo run --release -p outflank-kernels --example levels`

use std::hint::black_box;
use std::time::Instant;

use outflank_kernels::{Isa, IsaError, Kernels, stamp, with_isa};

/// Discs of the mover and of the opponent.
type Board = [u64; 2];

/// Rounds of measurements. A round times every variant once, so that all of them meet the same disturbances.
const ROUNDS: usize = 101;

stamp! {
    /// The functions that are compiled for every level.
    trait Stamped;
    /// Sum of the flips of all moves on all boards.
    fn sum_of_flips(boards: &[Board]) -> u64 = sum_of_flips_body;
}

#[inline(always)]
fn sum_of_flips_body<I: Kernels>(isa: I, boards: &[Board]) -> u64 {
    let mut sum = 0_u64;
    for &[player, opponent] in boards {
        let mut moves = isa.mobility(player, opponent);
        while moves != 0 {
            let square = moves.trailing_zeros() as usize;
            sum = sum.wrapping_add(isa.flip(square, player, opponent));
            moves &= moves - 1;
        }
    }
    sum
}

/// The sum as a program without bitboard kernels computes it.
fn sum_by_loops(boards: &[Board]) -> u64 {
    let flips = boards
        .iter()
        .flat_map(|&board| (0..64).map(move |square| flips_by_loop(square, board)));
    flips.fold(0, u64::wrapping_add)
}

/// Walks from the square in each direction.
fn flips_by_loop(square: i32, [player, opponent]: Board) -> u64 {
    if (player | opponent) >> square & 1 != 0 {
        return 0;
    }
    let mut flipped = 0;
    for (right, down) in [
        (1, 0),
        (1, 1),
        (0, 1),
        (-1, 1),
        (-1, 0),
        (-1, -1),
        (0, -1),
        (1, -1),
    ] {
        let (mut column, mut row) = (square % 8 + right, square / 8 + down);
        let mut line = 0;
        while (0..8).contains(&column) && (0..8).contains(&row) {
            let bit = 1 << (8 * row + column);
            if opponent & bit == 0 {
                if player & bit != 0 {
                    flipped |= line;
                }
                break;
            }
            line |= bit;
            (column, row) = (column + right, row + down);
        }
    }
    flipped
}

/// Boards of random games.
fn boards(isa: impl Kernels) -> Vec<Board> {
    let start = [0x08_1000_0000, 0x10_0800_0000];
    let mut boards = vec![start];
    let mut random = 1_u64;
    while boards.len() < 1000 {
        let [player, opponent] = boards[boards.len() - 1];
        let moves = isa.mobility(player, opponent);
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
        let nth = (random >> 33) as u32 % moves.count_ones().max(1);
        let later = (0..nth).fold(moves, |moves, _| moves & (moves - 1));
        boards.push(match later.trailing_zeros() {
            // A pass, or else a new game.
            64 if isa.mobility(opponent, player) != 0 => [opponent, player],
            64 => start,
            square => {
                let flipped = isa.flip(square as usize, player, opponent);
                [opponent ^ flipped, player | flipped | 1 << square]
            }
        });
    }
    boards
}

fn main() -> Result<(), IsaError> {
    let best = Isa::detect().token()?;
    let boards = with_isa!(best, isa => boards(isa));
    let expected = sum_by_loops(&boards);

    let mut times = vec![Vec::new(); 1 + Isa::available().len()];
    for _ in 0..ROUNDS {
        let mut time = |variant: usize, sum: &dyn Fn(&[Board]) -> u64| {
            let start = Instant::now();
            let found = sum(black_box(&boards));
            times[variant].push(start.elapsed().as_nanos() as f64 / boards.len() as f64);
            assert_eq!(found, expected, "variant {variant}");
        };
        time(0, &sum_by_loops);
        for (index, isa) in Isa::available().iter().enumerate() {
            let token = isa.token()?;
            time(
                1 + index,
                &|boards| with_isa!(token, isa => sum_of_flips(isa, boards)),
            );
        }
    }

    let medians = times.into_iter().map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    let names = Isa::available().iter().map(|isa| isa.name());
    println!("{:<10} ns a board", "level");
    for (name, median) in ["loops"].into_iter().chain(names).zip(medians) {
        println!("{name:<10} {median:10.1}");
    }
    Ok(())
}
