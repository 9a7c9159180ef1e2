//! Pictures of boards, as shapes and as SVG.

use std::fmt::{self, Display, Write};

use crate::board::Board;
use crate::game::Game;
use crate::side::Side;
use crate::square::{Ply, Square};

/// Picture of a position: discs, legal moves as dots, and marks.
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
    numbers: Vec<(Square, usize)>,
    values: Vec<(Square, i32)>,
    arrows: Vec<(Square, Square)>,
}

/// Width of a square in pixels.
const CELL: f32 = 40.0;
/// Margin around the board in pixels, for the names of columns and rows.
const MARGIN: f32 = 20.0;
/// Width and height of a picture in pixels.
pub const SIZE: u32 = 360;

const BLACK: Paint = Paint::new(0x11, 0x11, 0x11);
const WHITE: Paint = Paint::new(0xff, 0xff, 0xff);
const LETTER: Paint = Paint::new(0x33, 0x33, 0x33);

impl Diagram {
    /// Creates a picture of `board`, mover first, with `side` to move.
    pub fn new(board: Board, side: Side) -> Diagram {
        Diagram {
            board,
            side,
            last: None,
            mistake: None,
            best: None,
            numbers: Vec::new(),
            values: Vec::new(),
            arrows: Vec::new(),
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

    /// Writes the numbers of a game's moves on their squares, from 1.
    ///
    /// ```
    /// use outflank::{Game, diagram::Diagram};
    ///
    /// let game = Game::from_moves(&["F5".parse()?, "D6".parse()?])?;
    /// let (board, side) = game.position();
    /// let svg = Diagram::new(board, side).numbers(&game).svg();
    /// assert!(svg.contains(">2</text>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn numbers(self, game: &Game) -> Diagram {
        let numbers = game.moves().zip(1..).collect();
        Diagram { numbers, ..self }
    }

    /// Writes scores in discs on empty squares. The highest one is set off.
    pub fn values(self, values: impl IntoIterator<Item = (Square, i32)>) -> Diagram {
        let values = values.into_iter().collect();
        Diagram { values, ..self }
    }

    /// Draws arrows from one square to another.
    pub fn arrows(self, arrows: impl IntoIterator<Item = (Square, Square)>) -> Diagram {
        let arrows = arrows.into_iter().collect();
        Diagram { arrows, ..self }
    }

    /// Returns the parts of the picture, the lowest first. It is [`SIZE`] pixels wide and high.
    pub fn shapes(&self) -> Vec<Shape> {
        let mut shapes = frame();
        let Board { player, opponent } = self.side.black_first(self.board);
        let mut circles = |squares: u64, radius: f32, shape: Shape| {
            shapes.extend(Square::all_in(squares).map(|square| Shape {
                outline: Outline::Circle {
                    centre: centre(square),
                    radius,
                },
                ..shape.clone()
            }));
        };
        circles(player, 17.0, Shape::filled(BLACK));
        let grey = Stroke::new(Paint::new(0x55, 0x55, 0x55), 1.0);
        circles(opponent, 17.0, Shape::filled(WHITE).stroked(grey));
        let valued: u64 = self
            .values
            .iter()
            .fold(0, |all, (square, _)| all | square.bit());
        let dot = Paint {
            opacity: 0.4,
            ..Paint::new(0, 0, 0)
        };
        circles(self.board.mobility() & !valued, 4.0, Shape::filled(dot));
        // A number says which move was the last.
        if let Some(last) = self.last.filter(|_| self.numbers.is_empty()) {
            circles(last.bit(), 4.0, Shape::filled(Paint::new(0xdd, 0x33, 0x33)));
        }
        if let Some(best) = self.best {
            let green = Stroke::new(Paint::new(0x7d, 0xff, 0x9a), 3.0);
            circles(
                best.bit(),
                13.0,
                Shape::default().stroked(green).class("best"),
            );
        }
        if let Some(mistake) = self.mistake {
            let red = Stroke::new(Paint::new(0xff, 0x5a, 0x5a), 4.0);
            let [x, y] = centre(mistake);
            let (left, right, top, bottom) = (x - 10.0, x + 10.0, y - 10.0, y + 10.0);
            let lines = vec![
                [[left, top], [right, bottom]],
                [[left, bottom], [right, top]],
            ];
            shapes.push(Shape::lines(lines, red).class("mistake"));
        }
        shapes.extend(self.arrows.iter().map(|&(from, to)| arrow(from, to)));
        let highest = self.values.iter().map(|&(_, value)| value).max();
        shapes.extend(self.values.iter().map(|&(square, value)| {
            let paint = match Some(value) == highest {
                true => Paint::new(0x7d, 0xff, 0x9a),
                false => WHITE,
            };
            text(format!("{value:+}"), centre(square), 14.0, paint)
        }));
        shapes.extend(self.numbers.iter().map(|&(square, number)| {
            let paint = match player & square.bit() {
                0 => BLACK,
                _ => WHITE,
            };
            text(number.to_string(), centre(square), 16.0, paint)
        }));
        shapes
    }

    /// Renders the text of an SVG file.
    pub fn svg(&self) -> String {
        let Board { player, opponent } = self.side.black_first(self.board);
        let [black, white] = [player, opponent].map(u64::count_ones);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{SIZE}\" height=\"{SIZE}\" \
             viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\" font-family=\"sans-serif\">\
             <title>{black} black, {white} white, {} to move</title>",
            self.side,
        );
        for shape in self.shapes() {
            write!(svg, "{shape}").expect("writing to a string cannot fail");
        }
        svg + "</svg>"
    }
}

/// Part of a picture.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Shape {
    /// Outline, or the text.
    pub outline: Outline,
    /// Colour of the area or of the text.
    pub fill: Option<Paint>,
    /// Line along the outline.
    pub stroke: Option<Stroke>,
    /// Class of the element in SVG.
    pub class: Option<&'static str>,
}

/// Outline of a [`Shape`]. Points are `[x, y]` in pixels, from the upper left corner.
#[derive(Clone, PartialEq, Debug)]
pub enum Outline {
    /// Square with a horizontal side.
    Square {
        /// Upper left corner.
        corner: [f32; 2],
        /// Length of a side.
        size: f32,
    },
    /// Circle.
    Circle {
        /// Centre.
        centre: [f32; 2],
        /// Radius.
        radius: f32,
    },
    /// Straight lines, each with its ends.
    Lines(Vec<[[f32; 2]; 2]>),
    /// Text.
    Text {
        /// The text.
        text: String,
        /// Centre.
        centre: [f32; 2],
        /// Size of the font.
        size: f32,
    },
}

impl Default for Outline {
    fn default() -> Outline {
        Outline::Lines(Vec::new())
    }
}

/// Colour.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Paint {
    /// Red, green and blue.
    pub rgb: [u8; 3],
    /// Opacity, 0 to 1.
    pub opacity: f32,
}

/// Line along an outline.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stroke {
    /// Colour.
    pub paint: Paint,
    /// Width in pixels.
    pub width: f32,
}

impl Paint {
    const fn new(red: u8, green: u8, blue: u8) -> Paint {
        Paint {
            rgb: [red, green, blue],
            opacity: 1.0,
        }
    }
}

impl Stroke {
    const fn new(paint: Paint, width: f32) -> Stroke {
        Stroke { paint, width }
    }
}

impl Shape {
    fn filled(paint: Paint) -> Shape {
        Shape {
            fill: Some(paint),
            ..Shape::default()
        }
    }

    fn lines(lines: Vec<[[f32; 2]; 2]>, stroke: Stroke) -> Shape {
        Shape {
            outline: Outline::Lines(lines),
            ..Shape::default()
        }
        .stroked(stroke)
    }

    fn stroked(self, stroke: Stroke) -> Shape {
        let stroke = Some(stroke);
        Shape { stroke, ..self }
    }

    fn class(self, class: &'static str) -> Shape {
        let class = Some(class);
        Shape { class, ..self }
    }
}

impl Display for Paint {
    /// Writes the colour as in CSS, without the opacity.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.rgb;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl Display for Shape {
    /// Writes the element of SVG.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let content = match &self.outline {
            Outline::Square {
                corner: [x, y],
                size,
            } => {
                write!(
                    f,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\""
                )?;
                None
            }
            Outline::Circle {
                centre: [x, y],
                radius,
            } => {
                write!(f, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"")?;
                None
            }
            Outline::Lines(lines) => {
                f.write_str("<path d=\"")?;
                for [[x, y], [to_x, to_y]] in lines {
                    write!(f, "M{x} {y}L{to_x} {to_y}")?;
                }
                f.write_str("\"")?;
                None
            }
            Outline::Text {
                text,
                centre: [x, y],
                size,
            } => {
                // Digits are some 0.7 of the font size high.
                let base = y + 0.35 * size;
                write!(
                    f,
                    "<text x=\"{x}\" y=\"{base:.1}\" font-size=\"{size}\" text-anchor=\"middle\""
                )?;
                Some(text)
            }
        };
        if let Some(class) = self.class {
            write!(f, " class=\"{class}\"")?;
        }
        match self.fill {
            Some(fill) => {
                write!(f, " fill=\"{fill}\"")?;
                if fill.opacity < 1.0 {
                    write!(f, " fill-opacity=\"{}\"", fill.opacity)?;
                }
            }
            None => f.write_str(" fill=\"none\"")?,
        }
        if let Some(Stroke { paint, width }) = self.stroke {
            write!(f, " stroke=\"{paint}\" stroke-width=\"{width}\"")?;
        }
        match content {
            Some(text) => write!(f, ">{text}</text>"),
            None => f.write_str("/>"),
        }
    }
}

/// Shapes of an empty board, with the names of its columns and rows.
fn frame() -> Vec<Shape> {
    let board = 8.0 * CELL;
    let square = |at: f32, size: f32, paint: Paint| Shape {
        outline: Outline::Square {
            corner: [at, at],
            size,
        },
        ..Shape::filled(paint)
    };
    let end = MARGIN + board;
    let lines = (0..=8_u8).map(f32::from).flat_map(|line| {
        let at = MARGIN + line * CELL;
        [[[at, MARGIN], [at, end]], [[MARGIN, at], [end, at]]]
    });
    let dark = Stroke::new(Paint::new(0x11, 0x22, 0x33), 1.0);
    let mut shapes = vec![
        square(0.0, board + 2.0 * MARGIN, Paint::new(0xf4, 0xf1, 0xea)),
        square(MARGIN, board, Paint::new(0x2e, 0x7d, 0x4f)),
        Shape::lines(lines.collect(), dark),
    ];
    for line in 0..8_u8 {
        let at = MARGIN + (f32::from(line) + 0.5) * CELL;
        let column = char::from(b'a' + line).to_string();
        shapes.push(text(column, [at, 0.5 * MARGIN], 12.0, LETTER));
        shapes.push(text(
            (line + 1).to_string(),
            [0.5 * MARGIN, at],
            12.0,
            LETTER,
        ));
    }
    shapes
}

/// Arrow between the centres of two squares.
fn arrow(from: Square, to: Square) -> Shape {
    /// Length of the two lines at the point.
    const POINT: f32 = 9.0;
    let ([x, y], [to_x, to_y]) = (centre(from), centre(to));
    let angle = (to_y - y).atan2(to_x - x);
    let side = |turn: f32| {
        let angle = angle + turn;
        let end = [to_x - POINT * angle.cos(), to_y - POINT * angle.sin()];
        [[to_x, to_y], end]
    };
    let lines = vec![[[x, y], [to_x, to_y]], side(0.5), side(-0.5)];
    let orange = Stroke::new(Paint::new(0xff, 0xa0, 0x30), 3.0);
    Shape::lines(lines, orange).class("arrow")
}

fn text(text: String, centre: [f32; 2], size: f32, paint: Paint) -> Shape {
    Shape {
        outline: Outline::Text { text, centre, size },
        ..Shape::filled(paint)
    }
}

/// Centre of a square in pixels.
fn centre(square: Square) -> [f32; 2] {
    let at = |line: usize| MARGIN + (line as f32 + 0.5) * CELL;
    [at(square.index() % 8), at(square.index() / 8)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_have_their_colours_and_the_last_move_is_marked() {
        let f5 = Square::new(37);
        let after = Board::START.play(f5.unwrap()).unwrap();
        let diagram = Diagram::new(after, Side::White).last(f5);
        let svg = diagram.svg();
        assert!(svg.contains("<title>4 black, 1 white, white to move</title>"));
        assert_eq!(svg.matches("fill=\"#111111\"").count(), 4);
        assert_eq!(svg.matches("fill=\"#ffffff\"").count(), 1);
        assert_eq!(svg.matches("fill-opacity").count(), 3, "white's moves");
        // F5: column 6, row 5.
        assert!(svg.contains("<circle cx=\"240\" cy=\"200\" r=\"4\" fill=\"#dd3333\"/>"));
    }

    #[test]
    fn moves_have_numbers_values_and_arrows() {
        let [f5, d6] = ["F5", "D6"].map(|name| name.parse().unwrap());
        let game = Game::from_moves(&[f5, d6]).unwrap();
        let (board, side) = game.position();
        let diagram = Diagram::new(board, side)
            .numbers(&game)
            .values(Square::all_in(board.mobility()).zip([1, -4]));
        let svg = diagram.arrows([(d6, f5)]).svg();
        for text in [
            ">1</text>",
            ">2</text>",
            "fill=\"#7dff9a\">+1</text>",
            "fill=\"#ffffff\">-4</text>",
            "class=\"arrow\"",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        // Values replace the dots of their moves.
        let dots = board.mobility().count_ones() as usize - 2;
        assert_eq!(svg.matches("fill-opacity").count(), dots);
    }
}
