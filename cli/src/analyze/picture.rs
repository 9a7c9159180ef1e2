//! The score along a game, as a picture.

use outflank::Side;
use outflank::analysis::{Judgement, Mark};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Analysis;
use super::labels::{Area, Labels};
use crate::picture::{shortened, titled, width};
use crate::table::ply;

/// Pixels.
const SIZE: (u32, u32) = (960, 480);
const MARGIN: u32 = 16;

/// Sizes of fonts, as plotters counts them.
const CAPTION: i32 = 18;
const LABEL: i32 = 12;

const ADVANTAGE: RGBColor = RGBColor(31, 95, 160);
const MISTAKE: RGBColor = RGBColor(200, 50, 60);

type Pixels<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// The picture as the text of an SVG file: what the game was worth after each move, in discs from black's
/// side, as steps; discs of their colour for the moves that are marked, each with its name and its loss;
/// a faint line where scores begin to be exact.
pub(super) fn draw(analysis: &Analysis) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
    let drawn: Drawn = (|| {
        area.fill(&WHITE)?;
        let moves = &analysis.moves;
        let highest = moves
            .iter()
            .map(|one| one.score.abs().max(one.best_score.abs()));
        let highest = f64::from(highest.max().unwrap_or(0).max(6)) * 1.25;
        let last = moves.len().max(10) as f64 + 1.0;
        let mut chart = ChartBuilder::on(&area)
            .caption(caption(analysis), ("sans-serif", CAPTION))
            .margin(MARGIN)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..last, -highest..highest)?;
        chart
            .configure_mesh()
            .x_desc("move")
            .y_desc("discs for black")
            .x_labels(13)
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| {
                if *y == 0.0 {
                    "0".to_owned()
                } else {
                    format!("{y:+.0}")
                }
            })
            .light_line_style(WHITE)
            .draw()?;
        chart.draw_series([PathElement::new([(0.0, 0.0), (last, 0.0)], BLACK.mix(0.5))])?;
        let steps: Vec<_> = steps(moves).collect();
        let ends = [moves.len() as f64 + 0.5, 0.5].map(|x| (x, 0.0));
        let below = [steps.as_slice(), &ends].concat();
        chart.draw_series([Polygon::new(below, ADVANTAGE.mix(0.15).filled())])?;
        chart.draw_series([PathElement::new(steps, ADVANTAGE.stroke_width(2))])?;

        let ((left, bottom), (right, top)) = (
            chart.backend_coord(&(0.0, -highest)),
            chart.backend_coord(&(last, highest)),
        );
        let bounds = Area {
            left,
            top,
            right,
            bottom,
        };
        let mut labels = Labels::new(bounds, LABEL);
        let marked = moves.iter().filter(|one| one.mark() > Mark::Good);
        let marked: Vec<_> = marked
            .map(|one| (one, chart.backend_coord(&point(one))))
            .collect();
        marked.iter().for_each(|&(_, at)| labels.avoid(at));
        let exact = moves.iter().find(|one| one.is_exact());
        let exact = exact.map(|first| chart.backend_coord(&(first.number as f64 - 0.5, highest)).0);
        if let Some(x) = exact {
            let line = [(x, top), (x, bottom)];
            area.draw(&PathElement::new(line, BLACK.mix(0.25).stroke_width(1)))?;
            // As if it named a point above the picture: at the top, and moved aside where it has to be.
            let text = "exact from here";
            let beside = x + width(text, LABEL) / 2 + 4;
            let place = labels.place(text, (beside, top - LABEL / 2), false);
            write(&area, text, place, &BLACK)?;
        }
        for (judgement, at) in marked {
            let fill = match judgement.side {
                Side::Black => BLACK,
                Side::White => WHITE,
            };
            let name = ply(Some(judgement.played), judgement.side);
            let text = format!("{name} -{}", judgement.loss());
            // On the side that the score went to.
            let place = labels.place(&text, at, judgement.side == Side::White);
            let end = (
                place.left.midpoint(place.right),
                place.top.midpoint(place.bottom),
            );
            area.draw(&PathElement::new([at, end], MISTAKE.mix(0.4)))?;
            area.draw(&Circle::new(at, 5, fill.filled()))?;
            area.draw(&Circle::new(at, 5, MISTAKE.stroke_width(2)))?;
            write(&area, &text, place, &MISTAKE)?;
        }
        area.present()
    })();
    drawn.expect("nothing can fail that draws into memory");
    drop(area);
    titled(&svg, &whole_caption(analysis))
}

/// Writes a label over what is drawn there.
fn write(area: &Pixels, text: &str, place: Area, color: &RGBColor) -> Drawn {
    let Area {
        left,
        top,
        right,
        bottom,
    } = place;
    let ground = WHITE.mix(0.8).filled();
    area.draw(&Rectangle::new([(left, top), (right, bottom)], ground))?;
    let style = ("sans-serif", LABEL).into_font().color(color);
    let style = style.pos(Pos::new(HPos::Center, VPos::Center));
    let at = (left.midpoint(right), top.midpoint(bottom));
    area.draw(&Text::new(text.to_owned(), at, style))
}

/// Who played, and how it ended.
fn whole_caption(analysis: &Analysis) -> String {
    caption_of(analysis, &players(analysis))
}

/// The same within the width of the picture: names that are too long are cut and end with `…`.
fn caption(analysis: &Analysis) -> String {
    let whole = whole_caption(analysis);
    let room = (SIZE.0 - 2 * MARGIN) as i32;
    if width(&whole, CAPTION) <= room {
        return whole;
    }
    let rest = width(&caption_of(analysis, &Default::default()), CAPTION);
    let mut names = players(analysis);
    // What a short name leaves is the other's.
    let half = (room - rest) / 2;
    let [black, white] = names.each_ref().map(|name| width(name, CAPTION).min(half));
    names[0] = shortened(&names[0], CAPTION, room - rest - white);
    names[1] = shortened(&names[1], CAPTION, room - rest - black);
    caption_of(analysis, &names)
}

fn caption_of(analysis: &Analysis, [black, white]: &[String; 2]) -> String {
    let score = analysis.source.record.score();
    let result = score.map_or_else(String::new, |score| format!(": {score:+}"));
    format!("{black} against {white}{result}")
}

/// The names of black and white, or of the sides where nobody is known.
fn players(analysis: &Analysis) -> [String; 2] {
    [(Side::Black, "Black"), (Side::White, "White")].map(|(side, color)| {
        let name = analysis.source.player(side);
        name.unwrap_or_else(|| color.to_owned())
    })
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
