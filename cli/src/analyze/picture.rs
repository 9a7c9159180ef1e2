//! The score along a game, as a picture.

use outflank::Side;
use outflank::analysis::{Judgement, Mark};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{BoldPoints, Ranged as _};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Analysis;
use super::labels::{Area, Labels, leader};
use crate::picture::{shortened, titled, width};
use crate::table::ply;

/// Size of the picture in pixels.
const SIZE: (u32, u32) = (960, 560);
const MARGIN: u32 = 16;
/// Pixels below the chart for the legend.
const LEGEND: u32 = 34;
/// Pixels above and below the curve for labels: beside their points, and at the edges.
const NEAR: f64 = 26.0;
const EDGE: f64 = 62.0;
/// About the height of the chart between its axes.
const PLOT: f64 = 410.0;

/// Sizes of fonts, as plotters counts them.
const CAPTION: i32 = 18;
const LABEL: i32 = 12;

const ADVANTAGE: RGBColor = RGBColor(31, 95, 160);
const MISTAKE: RGBColor = RGBColor(200, 50, 60);
/// Colours of discs, which are the same on a light and on a dark ground.
const DISCS: [RGBColor; 2] = [RGBColor(17, 17, 17), RGBColor(250, 250, 250)];
/// Faint lines: of the scale, and where scores begin to be exact.
const SCALE: RGBColor = RGBColor(225, 225, 225);
const EXACT: RGBColor = RGBColor(150, 150, 150);

type Pixels<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// The picture as the text of an SVG file: what the game was worth after each move, in discs from black's
/// side, as steps; discs of their colour for the moves that are marked, each with its name and its loss;
/// a faint line where scores begin to be exact; a legend.
pub(super) fn draw(analysis: &Analysis) -> String {
    // Labels beside their points are easier to read. Where there is no room for all, each has a place at an edge.
    let svg = draw_labelled(analysis, false).or_else(|| draw_labelled(analysis, true));
    let svg = svg.expect("each move has a place at an edge");
    titled(&svg, &whole_caption(analysis))
}

/// Draws the picture with labels beside their points or at the edges; `None` where a label has no place.
fn draw_labelled(analysis: &Analysis, is_at_edges: bool) -> Option<String> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
    let drawn = try_draw(&area, analysis, is_at_edges);
    let is_complete = drawn.expect("nothing can fail that draws into memory");
    drop(area);
    is_complete.then_some(svg)
}

/// Returns `true` if all labels have a place.
fn try_draw(
    area: &Pixels,
    analysis: &Analysis,
    is_at_edges: bool,
) -> Result<bool, DrawingAreaErrorKind<std::io::Error>> {
    area.fill(&WHITE)?;
    let (upper, legend) = area.split_vertically(SIZE.1 - LEGEND);
    let moves = &analysis.moves;
    let scores = range(moves);
    let (low, high) = with_room(scores, if is_at_edges { EDGE } else { NEAR });
    let first = analysis.first as f64 - 1.0;
    let last = first + moves.len().max(10) as f64 + 1.0;
    let mut chart = ChartBuilder::on(&upper)
        .caption(caption(analysis), ("sans-serif", CAPTION))
        .margin(MARGIN)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(first..last, low..high)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_desc("move")
        .y_desc("discs for black")
        .x_labels(13)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| tick(*y))
        .draw()?;
    let scale = chart.as_coord_spec().y_spec().key_points(BoldPoints(10));
    // Labels at the edges cover no line either.
    let is_free = |y: &f64| !is_at_edges || (scores.0..=scores.1).contains(y);
    let scale: Vec<f64> = scale.into_iter().filter(is_free).collect();
    let steps: Vec<_> = steps(moves).collect();
    draw_curve(&mut chart, (first, last), &scale, &steps)?;

    let at = |(x, y): (f64, f64)| chart.backend_coord(&(x, y));
    let ((left, bottom), (right, top)) = (at((first, low)), at((last, high)));
    let bounds = Area {
        left: left + 1,
        top,
        right,
        bottom: bottom - 1,
    };
    let mut labels = Labels::new(bounds, LABEL);
    for &y in &scale {
        labels.avoid_line(at((first, y)), at((last, y)));
    }
    for ends in steps.windows(2) {
        labels.avoid_line(at(ends[0]), at(ends[1]));
    }
    let exact = moves.iter().find(|one| one.is_exact());
    if let Some(exact) = exact {
        let x = at((exact.number as f64 - 0.5, low)).0;
        for y in (top..bottom).step_by(8) {
            let dash = [(x, y), (x, (y + 4).min(bottom))];
            area.draw(&PathElement::new(dash, EXACT.stroke_width(1)))?;
        }
        labels.avoid_line((x, top), (x, bottom));
    }
    let marked = moves.iter().filter(|one| one.mark() > Mark::Good);
    let marked: Vec<_> = marked
        .map(|one| (one, at((one.number as f64, f64::from(one.black_score())))))
        .collect();
    let is_complete = draw_marked(area, &marked, &mut labels, is_at_edges)?;
    draw_legend(&legend, &marked, exact.is_some())?;
    area.present()?;
    Ok(is_complete)
}

/// Draws the lines of the scale, and the score as steps with the area between them and 0.
fn draw_curve(
    chart: &mut Chart,
    (first, last): (f64, f64),
    scale: &[f64],
    steps: &[(f64, f64)],
) -> Drawn {
    for &y in scale {
        let color = if y == 0.0 { EXACT } else { SCALE };
        chart.draw_series([PathElement::new([(first, y), (last, y)], color)])?;
    }
    if let ([(begin, _), ..], [.., (end, _)]) = (steps, steps) {
        let below = [steps, &[(*end, 0.0), (*begin, 0.0)]].concat();
        chart.draw_series([Polygon::new(below, ADVANTAGE.mix(0.15).filled())])?;
        chart.draw_series([PathElement::new(steps, ADVANTAGE.stroke_width(2))])?;
    }
    Ok(())
}

/// Draws the marked moves with their labels; returns `true` if all labels have a place.
fn draw_marked(
    area: &Pixels,
    marked: &[(&Judgement, (i32, i32))],
    labels: &mut Labels,
    is_at_edges: bool,
) -> Result<bool, DrawingAreaErrorKind<std::io::Error>> {
    marked
        .iter()
        .for_each(|&(_, point)| labels.avoid_point(point));
    let mut written = Vec::new();
    for &(judgement, point) in marked {
        let name = ply(Some(judgement.played), judgement.side);
        let text = format!("{name} -{}", judgement.loss());
        // On the side that the score went to.
        let is_up = judgement.side == Side::White;
        let place = match is_at_edges {
            true => labels.place_at_edge(&text, point, is_up),
            false => match labels.place(&text, point, is_up) {
                Some(place) => place,
                None => return Ok(false),
            },
        };
        if let Some(line) = leader(point, place) {
            area.draw(&PathElement::new(line, MISTAKE.mix(0.4)))?;
        }
        written.push((text, place));
    }
    for &(judgement, point) in marked {
        disc(area, point, judgement.side)?;
    }
    for (text, place) in written {
        write(area, &text, place.centre(), is_at_edges, &MISTAKE)?;
    }
    Ok(true)
}

/// The lowest and the highest score that is drawn, with 0 between them.
fn range(moves: &[Judgement]) -> (f64, f64) {
    /// The fewest discs from the lowest to the highest score.
    const LEAST: f64 = 12.0;
    let scores = || moves.iter().map(|one| f64::from(one.black_score()));
    let (low, high) = (scores().fold(0.0, f64::min), scores().fold(0.0, f64::max));
    let more = (LEAST - (high - low)).max(0.0) / 2.0;
    (low - more, high + more)
}

/// A range of scores with so many pixels more above and below.
fn with_room((low, high): (f64, f64), pixels: f64) -> (f64, f64) {
    let gap = (high - low) * pixels / (PLOT - 2.0 * pixels);
    (low - gap, high + gap)
}

/// A number of the scale of discs.
fn tick(y: f64) -> String {
    match y {
        0.0 => "0".to_owned(),
        _ if y.abs() > 64.0 => String::new(),
        _ => format!("{y:+.0}"),
    }
}

/// Draws a disc for a marked move.
fn disc(area: &Pixels, point: (i32, i32), side: Side) -> Drawn {
    area.draw(&Circle::new(point, 5, DISCS[side as usize].filled()))?;
    area.draw(&Circle::new(point, 5, MISTAKE.stroke_width(2)))
}

/// Draws what the signs mean, in one row.
fn draw_legend(area: &Pixels, marked: &[(&Judgement, (i32, i32))], with_exact: bool) -> Drawn {
    let (mut x, y) = (72, 8);
    let mut entry = |text: &str, sign: &dyn Fn(i32) -> Drawn| {
        sign(x)?;
        let style = ("sans-serif", LABEL).into_font().color(&BLACK);
        let style = style.pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(text.to_owned(), (x + 26, y), style))?;
        x += 26 + width(text, LABEL) + 18;
        Drawn::Ok(())
    };
    entry("score after the move", &|x| {
        let line = [(x, y), (x + 20, y)];
        area.draw(&PathElement::new(line, ADVANTAGE.stroke_width(2)))
    })?;
    for side in [Side::Black, Side::White] {
        if marked.iter().any(|(one, _)| one.side == side) {
            let text = format!("move of {side} that lost 3 discs or more");
            entry(&text, &|x| disc(area, (x + 12, y), side))?;
        }
    }
    if with_exact {
        entry("exact from here on", &|x| {
            let dashes = [-6, 2].map(|from| [(x + 12, y + from), (x + 12, y + from + 4)]);
            let draw = |dash| area.draw(&PathElement::new(dash, EXACT.stroke_width(1)));
            dashes.into_iter().try_for_each(draw)
        })?;
    }
    Ok(())
}

/// Writes a text, upright or not, around this point.
fn write(
    area: &Pixels,
    text: &str,
    centre: (i32, i32),
    is_upright: bool,
    color: &RGBColor,
) -> Drawn {
    let mut font = ("sans-serif", LABEL).into_font();
    if is_upright {
        font = font.transform(FontTransform::Rotate270);
    }
    let style = font.color(color).pos(Pos::new(HPos::Center, VPos::Center));
    area.draw(&Text::new(text.to_owned(), centre, style))
}

/// Who played, and how it ended.
pub(super) fn whole_caption(analysis: &Analysis) -> String {
    caption_of(analysis, &players(analysis))
}

/// Caption cut to the width of the picture. Names that are too long end with `…`.
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

/// A step for each move, half a move before and behind it.
fn steps(moves: &[Judgement]) -> impl Iterator<Item = (f64, f64)> {
    moves.iter().flat_map(|one| {
        let (x, y) = (one.number as f64, f64::from(one.black_score()));
        [(x - 0.5, y), (x + 0.5, y)]
    })
}
