//! References of the kernels about the symmetries of the board.

use super::has;

/// The mover's discs with rows and columns exchanged.
pub fn transpose(player: u64) -> u64 {
    image(player, |x, y| (y, x))
}

/// Moves each disc of `board` from its column and row (0..=7) to those that `map` returns.
fn image(board: u64, map: impl Fn(usize, usize) -> (usize, usize)) -> u64 {
    (0..64)
        .filter(|&square| has(board, square))
        .fold(0, |discs, square| {
            let (x, y) = map(square % 8, square / 8);
            discs | 1 << (8 * y + x)
        })
}

/// The eight images of the mover's discs under the symmetries of the board: as they are, mirrored left
/// to right, upside down, both, and the same four of the board with rows and columns exchanged.
pub fn symmetries(player: u64) -> [u64; 8] {
    std::array::from_fn(|i| {
        let exchanged = if i & 4 == 0 {
            player
        } else {
            transpose(player)
        };
        let turned = |bit: usize, line: usize| if i & bit == 0 { line } else { 7 - line };
        image(exchanged, |x, y| (turned(1, x), turned(2, y)))
    })
}

/// The least of the board's eight images, compared by the mover's discs and then the opponent's.
pub fn canonical(player: u64, opponent: u64) -> [u64; 2] {
    let images = symmetries(player).into_iter().zip(symmetries(opponent));
    let (player, opponent) = images.min().expect("a board has eight images");
    [player, opponent]
}
