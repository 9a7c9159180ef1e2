//! Picture of lines of play as a tree, from left to right.

use std::fmt::Write as _;

use outflank::{Ply, Side};

use crate::text_format::ply;

/// Maximum number of lines in a picture.
const MAX_LINES: usize = 200;

/// Size of a ply in pixels.
const CELL: [usize; 2] = [44, 22];

/// Width of a margin in pixels.
const MARGIN: usize = 14;

/// A ply of a tree.
struct Node {
    ply: Ply,
    /// Column, from 0.
    depth: usize,
    /// Row of its first line.
    row: usize,
    /// Row of the ply before it.
    parent_row: usize,
}

/// Draws the tree of lines, which are in the order of a walk through it. `side` makes their first ply. Returns `false`
/// with the picture if only the first lines fit.
pub(super) fn tree(lines: impl Iterator<Item = Vec<Ply>>, side: Side) -> (String, bool) {
    let mut lines = lines.peekable();
    let (mut nodes, mut last, mut row) = (Vec::<Node>::new(), Vec::new(), 0);
    // Rows of the plies of the last line.
    let mut rows: Vec<usize> = Vec::new();
    for line in lines.by_ref().take(MAX_LINES) {
        let pairs = line.iter().zip(&last);
        let common = pairs.take_while(|(ply, before)| ply == before).count();
        rows.truncate(common);
        for (depth, &ply) in line.iter().enumerate().skip(common) {
            let parent_row = depth.checked_sub(1).map_or(0, |before| rows[before]);
            rows.push(row);
            nodes.push(Node {
                ply,
                depth,
                row,
                parent_row,
            });
        }
        (last, row) = (line, row + 1);
    }
    (draw(&nodes, row, side), lines.peek().is_none())
}

fn draw(nodes: &[Node], rows: usize, side: Side) -> String {
    let columns = nodes.iter().map(|node| node.depth + 1).max().unwrap_or(1);
    let (width, height) = (
        columns * CELL[0] + 2 * MARGIN,
        rows.max(1) * CELL[1] + 2 * MARGIN,
    );
    let centre = |depth: usize, row: usize| {
        (
            MARGIN + depth * CELL[0] + CELL[0] / 2,
            MARGIN + row * CELL[1] + CELL[1] / 2,
        )
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\
         <title>Lines of best play</title><rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\
         <path fill=\"none\" stroke=\"#999999\" d=\""
    );
    for node in nodes.iter().filter(|node| node.depth > 0) {
        let (x, y) = centre(node.depth - 1, node.parent_row);
        let (to_x, to_y) = centre(node.depth, node.row);
        let _ = write!(svg, "M{x} {y}L{} {to_y}H{to_x}", x + CELL[0] / 2);
    }
    svg += "\"/>";
    for node in nodes {
        let (x, y) = centre(node.depth, node.row);
        let mover = match node.depth % 2 {
            0 => side,
            _ => side.other(),
        };
        let (fill, ink) = match mover {
            Side::Black => ("#111111", "#ffffff"),
            Side::White => ("#ffffff", "#111111"),
        };
        let _ = write!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"30\" height=\"18\" rx=\"9\" fill=\"{fill}\" stroke=\"#555555\"/>\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
            x - 15,
            y - 9,
            y + 4,
            ply(node.ply, mover),
        );
    }
    svg + "</svg>\n"
}
