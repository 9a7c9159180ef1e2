//! Pictures of boards as SVG.

use std::fmt::Write;

use crate::board::Board;
use crate::side::Side;
use crate::square::{Ply, Square};

/// Picture of a position: discs, legal moves as dots, and marks on the last, a bad and the best move.
///
/// ```
/// use outflank::{Board, Side, diagram::Diagram};
///
/// let svg = Diagram::new(Board::START, Side::Black).svg();
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
/// assert_eq!(svg.matches("<circle").count(), 4 + 4); // discs, and moves
/// ```
#[derive(Clone, Debug)]
pub struct Diagram {
    board: Board,
    side: Side,
    last: Ply,
    mistake: Ply,
    best: Ply,
}

/// Width of a square in pixels.
const CELL: usize = 40;
/// Margin around the board in pixels, for the names of columns and rows.
const MARGIN: usize = 20;

impl Diagram {
    /// Creates a picture of `board`, mover first, with `side` to move.
    pub fn new(board: Board, side: Side) -> Diagram {
        Diagram {
            board,
            side,
            last: None,
            mistake: None,
            best: None,
        }
    }

    /// Marks the last move; a pass has no mark.
    pub fn last(self, last: Ply) -> Diagram {
        Diagram { last, ..self }
    }

    /// Marks a move that loses discs with a red cross; a pass has no mark.
    ///
    /// ```
    /// use outflank::{Board, Side, diagram::Diagram};
    ///
    /// let diagram = Diagram::new(Board::START, Side::Black);
    /// let svg = diagram.mistake("d3".parse().ok()).best("f5".parse().ok()).svg();
    /// assert!(svg.contains("class=\"mistake\"") && svg.contains("class=\"best\""));
    /// ```
    pub fn mistake(self, mistake: Ply) -> Diagram {
        Diagram { mistake, ..self }
    }

    /// Marks the best move with a green ring; a pass has no mark.
    pub fn best(self, best: Ply) -> Diagram {
        Diagram { best, ..self }
    }

    /// Renders the text of an SVG file.
    pub fn svg(&self) -> String {
        const SIZE: usize = 8 * CELL + 2 * MARGIN;
        let Board { player, opponent } = self.side.black_first(self.board);
        let [black, white] = [player, opponent].map(u64::count_ones);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{SIZE}\" height=\"{SIZE}\" \
             viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\
             <title>{black} black, {white} white, {} to move</title>\
             <rect width=\"{SIZE}\" height=\"{SIZE}\" fill=\"#f4f1ea\"/>\
             <rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{board}\" height=\"{board}\" fill=\"#2e7d4f\"/>\
             <path stroke=\"#123\" fill=\"none\" d=\"",
            self.side,
            board = 8 * CELL,
        );
        let mut write = |text: std::fmt::Arguments<'_>| {
            svg.write_fmt(text)
                .expect("writing to a string cannot fail")
        };
        for line in 0..=8 {
            let (at, end) = (MARGIN + line * CELL, MARGIN + 8 * CELL);
            write(format_args!("M{at} {MARGIN}V{end}M{MARGIN} {at}H{end}"));
        }
        write(format_args!("\"/><g fill=\"#333\" text-anchor=\"middle\">"));
        for line in 0..8 {
            let at = MARGIN + line * CELL + CELL / 2;
            let (column, row) = (char::from(b'a' + line as u8), line + 1);
            write(format_args!("<text x=\"{at}\" y=\"14\">{column}</text>"));
            write(format_args!("<text x=\"10\" y=\"{}\">{row}</text>", at + 4));
        }
        write(format_args!("</g>"));
        let mut circles = |squares: u64, radius: usize, style: &str| {
            for square in Square::all_in(squares) {
                let (x, y) = centre(square);
                let place = format_args!("cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
                write(format_args!("<circle {place} {style}/>"));
            }
        };
        circles(player, 17, "fill=\"#111\"");
        circles(opponent, 17, "fill=\"#fff\" stroke=\"#555\"");
        let dot = "fill=\"#000\" fill-opacity=\"0.4\"";
        circles(self.board.mobility(), 4, dot);
        if let Some(last) = self.last {
            circles(last.bit(), 4, "fill=\"#d33\"");
        }
        if let Some(best) = self.best {
            let ring = "class=\"best\" fill=\"none\" stroke=\"#7dff9a\" stroke-width=\"3\"";
            circles(best.bit(), 13, ring);
        }
        if let Some(mistake) = self.mistake {
            let (x, y) = centre(mistake);
            let (left, right, top, bottom) = (x - 10, x + 10, y - 10, y + 10);
            write(format_args!(
                "<path class=\"mistake\" stroke=\"#ff5a5a\" stroke-width=\"4\" \
                 d=\"M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}\"/>"
            ));
        }
        svg + "</svg>"
    }
}

/// Centre of a square in pixels.
fn centre(square: Square) -> (usize, usize) {
    let at = |line: usize| MARGIN + line * CELL + CELL / 2;
    (at(square.index() % 8), at(square.index() / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_have_their_colours_and_the_last_move_is_marked() {
        let after = Board::START.play(Square::new(37).unwrap()).unwrap();
        let svg = Diagram::new(after, Side::White).last(Square::new(37)).svg();
        assert!(svg.contains("<title>4 black, 1 white, white to move</title>"));
        assert_eq!(svg.matches("fill=\"#111\"").count(), 4);
        assert_eq!(svg.matches("fill=\"#fff\"").count(), 1);
        assert_eq!(svg.matches("fill-opacity").count(), 3, "white's moves");
        // F5: column 6, row 5.
        assert!(svg.contains("<circle cx=\"240\" cy=\"200\" r=\"4\" fill=\"#d33\"/>"));
    }
}
