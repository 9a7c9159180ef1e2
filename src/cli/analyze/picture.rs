//! The score along a game, as a picture.

use outflank::Side;
use outflank::analysis::{Judgement, Mark};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Analysis;
use crate::cli::table::ply;

/// Pixels.
const SIZE: (u32, u32) = (960, 480);

const ADVANTAGE: RGBColor = RGBColor(31, 95, 160);
const MISTAKE: RGBColor = RGBColor(200, 50, 60);

/// The picture as the text of an SVG file: what the game was worth after each move, in discs from black's
/// side, as steps; discs of their colour for the moves that are marked, each with its name and its loss;
/// a faint line where scores begin to be exact.
pub(super) fn draw(analysis: &Analysis) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
    let drawn: Result<(), DrawingAreaErrorKind<std::io::Error>> = (|| {
        area.fill(&WHITE)?;
        let moves = &analysis.moves;
        let highest = moves
            .iter()
            .map(|one| one.score.abs().max(one.best_score.abs()));
        let highest = f64::from(highest.max().unwrap_or(0).max(6)) * 1.25;
        let last = moves.len().max(10) as f64 + 1.0;
        let mut chart = ChartBuilder::on(&area)
            .caption(caption(analysis), ("sans-serif", 18))
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..last, -highest..highest)?;
        chart
            .configure_mesh()
            .x_desc("move")
            .y_desc("discs for black")
            .x_labels(13)
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| format!("{y:+.0}"))
            .light_line_style(WHITE)
            .draw()?;
        if let Some(first) = moves.iter().find(|one| one.is_exact()) {
            let x = first.number as f64 - 0.5;
            let line = [(x, -highest), (x, highest)];
            chart.draw_series([PathElement::new(line, BLACK.mix(0.25).stroke_width(1))])?;
            let text = Text::new(
                "exact from here",
                (x + 0.3, highest * 0.97),
                ("sans-serif", 12),
            );
            chart.draw_series([text])?;
        }
        chart.draw_series([PathElement::new([(0.0, 0.0), (last, 0.0)], BLACK.mix(0.5))])?;
        let steps: Vec<_> = steps(moves).collect();
        let ends = [moves.len() as f64 + 0.5, 0.5].map(|x| (x, 0.0));
        let below = [steps.as_slice(), &ends].concat();
        chart.draw_series([Polygon::new(below, ADVANTAGE.mix(0.15).filled())])?;
        chart.draw_series([PathElement::new(steps, ADVANTAGE.stroke_width(2))])?;
        for judgement in moves.iter().filter(|one| one.mark() > Mark::Good) {
            let at = point(judgement);
            let fill = match judgement.side {
                Side::Black => BLACK,
                Side::White => WHITE,
            };
            chart.draw_series([Circle::new(at, 5, fill.filled())])?;
            chart.draw_series([Circle::new(at, 5, MISTAKE.stroke_width(2))])?;
            // On the side that the score went to.
            let is_up = judgement.side == Side::White;
            let (dy, anchor) = if is_up {
                (-10, VPos::Bottom)
            } else {
                (10, VPos::Top)
            };
            let style = ("sans-serif", 12).into_font().color(&MISTAKE);
            let style = style.pos(Pos::new(HPos::Center, anchor));
            let name = ply(Some(judgement.played), judgement.side);
            let text = format!("{name} -{}", judgement.loss());
            chart.draw_series([EmptyElement::at(at) + Text::new(text, (0, dy), style)])?;
        }
        area.present()
    })();
    drawn.expect("nothing can fail that draws into memory");
    drop(area);
    svg
}

fn caption(analysis: &Analysis) -> String {
    let source = analysis.source;
    let players = match [Side::Black, Side::White].map(|side| source.player(side)) {
        [None, None] => "Black against White".to_owned(),
        [black, white] => format!(
            "{} against {}",
            black.as_deref().unwrap_or("Black"),
            white.as_deref().unwrap_or("White")
        ),
    };
    match source.record.score() {
        Some(score) => format!("{players}: {score:+}"),
        None => players,
    }
}

/// The score after a move, from black's side.
fn point(judgement: &Judgement) -> (f64, f64) {
    let score = judgement.side.black_score(judgement.score);
    (judgement.number as f64, f64::from(score))
}

/// A step for each move, half a move before and behind it.
fn steps(moves: &[Judgement]) -> impl Iterator<Item = (f64, f64)> {
    let points = moves.iter().map(point);
    points.flat_map(|(x, y)| [(x - 0.5, y), (x + 0.5, y)])
}
