//! A board for people.

use outflank::{Board, Side, Square};

/// The board of `position`, its mover's moves marked by `*`, the last move between brackets, and the
/// numbers of discs beside it.
pub(super) fn draw((board, side): (Board, Side), last: Option<Square>) -> String {
    let moves = board.mobility();
    let black_first = side.black_first(board);
    let counts = [
        format!("black X {:>2}", black_first.player.count_ones()),
        format!("white O {:>2}", black_first.opponent.count_ones()),
        match board.is_game_over() {
            true => String::new(),
            false => format!("{side} to move"),
        },
    ];
    let mut text = String::from("    A B C D E F G H\n");
    for row in 0..8 {
        text += &format!("  {}", row + 1);
        let mut before = ' ';
        for column in 0..8 {
            let square = Square::new(8 * row + column).expect("one of 64");
            let is_last = last == Some(square);
            text.push(if is_last { '(' } else { before });
            text.push(match square.bit() {
                bit if black_first.player & bit != 0 => 'X',
                bit if black_first.opponent & bit != 0 => 'O',
                bit if moves & bit != 0 => '*',
                _ => '.',
            });
            before = if is_last { ')' } else { ' ' };
        }
        text.push(before);
        let beside = usize::from(row)
            .checked_sub(3)
            .and_then(|line| counts.get(line));
        text += &format!("  {}", beside.map_or("", String::as_str));
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}
