//! Drawing of the board for a terminal.

use std::io::{self, Write as _};

use clap::builder::styling::{AnsiColor, Style};
use outflank::opening_names::opening_of;
use outflank::{Game, Square};

const BLACK: Style = AnsiColor::Cyan.on_default().bold();
const WHITE: Style = AnsiColor::Yellow.on_default().bold();
const MOVE: Style = AnsiColor::Green.on_default();
const LAST: Style = Style::new().bold();

/// Shows a position on standard output, as [`draw`] draws it, in colours where they are shown.
pub(super) fn show(game: &Game) -> io::Result<()> {
    // `anstream` removes the codes elsewhere.
    let mut stdout = anstream::stdout().lock();
    writeln!(stdout, "{}", draw(game))?;
    stdout.flush()
}

/// Draws a position with the escape codes of terminal colours. The legal moves are marked by `*`, the last move is in
/// brackets. On the right are the disc counts and the name of the opening.
fn draw(game: &Game) -> String {
    let (board, side) = game.position();
    let last = game.moves().last();
    let moves = board.mobility();
    let black_first = side.black_first(board);
    let count =
        |name: &str, disc: String, discs: u64| format!("{name} {disc} {:>2}", discs.count_ones());
    let beside = [
        count("black", styled(BLACK, 'X'), black_first.player),
        count("white", styled(WHITE, 'O'), black_first.opponent),
        match board.is_game_over() {
            true => String::new(),
            false => format!("{side} to move"),
        },
        opening_of(game).map_or(String::new(), |opening| opening.to_string()),
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
            .and_then(|line| beside.get(line));
        text += &format!("  {}", beside.map_or("", String::as_str));
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

fn styled(style: Style, character: char) -> String {
    format!("{style}{character}{style:#}")
}
