//! Drawing of the board for a terminal.

use clap::builder::styling::{AnsiColor, Style};
use outflank::{Board, Side, Square};

const BLACK: Style = AnsiColor::Cyan.on_default().bold();
const WHITE: Style = AnsiColor::Yellow.on_default().bold();
const MOVE: Style = AnsiColor::Green.on_default();
const LAST: Style = Style::new().bold();

/// Draws a position with the escape codes of terminal colours. The legal moves are marked by `*`, the last move is in
/// brackets, and the disc counts are on the right.
pub(super) fn draw((board, side): (Board, Side), last: Option<Square>) -> String {
    let moves = board.mobility();
    let black_first = side.black_first(board);
    let count =
        |name: &str, disc: String, discs: u64| format!("{name} {disc} {:>2}", discs.count_ones());
    let counts = [
        count("black", styled(BLACK, 'X'), black_first.player),
        count("white", styled(WHITE, 'O'), black_first.opponent),
        match board.is_game_over() {
            true => String::new(),
            false => format!("{side} to move"),
        },
    ];
    let mut text = String::from("    A B C D E F G H\n");
    for row in 0..8 {
        text += &format!("  {}", row + 1);
        let mut separator = " ".to_owned();
        for column in 0..8 {
            let square = Square::new(8 * row + column).expect("rows and columns are 0 to 7");
            let is_last = last == Some(square);
            text += &if is_last {
                styled(LAST, '(')
            } else {
                separator
            };
            text += &match square.bit() {
                bit if black_first.player & bit != 0 => styled(BLACK, 'X'),
                bit if black_first.opponent & bit != 0 => styled(WHITE, 'O'),
                bit if moves & bit != 0 => styled(MOVE, '*'),
                _ => ".".to_owned(),
            };
            separator = if is_last {
                styled(LAST, ')')
            } else {
                " ".to_owned()
            };
        }
        text += &separator;
        let beside = usize::from(row)
            .checked_sub(3)
            .and_then(|line| counts.get(line));
        text += &format!("  {}", beside.map_or("", String::as_str));
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

fn styled(style: Style, character: char) -> String {
    format!("{style}{character}{style:#}")
}
