//! Scores along a game as an SVG picture.

use outflank::Side;
use outflank::analysis::{Judgement, Mark};
use plotters::coord::ranged1d::{BoldPoints, Ranged as _};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Analysis;
use super::labels::{Area, Labels, leader};
use crate::svg::{Area as Pixels, Drawn, picture, shortened, titled, width, write};
use crate::text_format::ply;

/// Size of the picture in pixels.
const SIZE: (u32, u32) = (960, 560);
const MARGIN: u32 = 16;
/// Height of the legend in pixels.
const LEGEND_HEIGHT: u32 = 34;
/// Height in pixels of the room above and below the curve, for labels near their points.
const NEAR_ROOM: f64 = 26.0;
/// Height in pixels of the room above and below the curve, for labels at the edges.
const EDGE_ROOM: f64 = 62.0;
/// Approximate height of the plot in pixels.
const PLOT_HEIGHT: f64 = 410.0;

/// Font sizes as plotters counts them.
const CAPTION_SIZE: i32 = 18;
const LABEL_SIZE: i32 = 12;

const ADVANTAGE: RGBColor = RGBColor(31, 95, 160);
const MISTAKE: RGBColor = RGBColor(200, 50, 60);
/// Colours of black and white discs.
const DISCS: [RGBColor; 2] = [RGBColor(17, 17, 17), RGBColor(250, 250, 250)];
/// Colour of the lines of the scale, except that of 0.
const SCALE: RGBColor = RGBColor(225, 225, 225);
/// Colour of the line of 0, and of the line where exact scores begin.
const EXACT: RGBColor = RGBColor(150, 150, 150);

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Draws the picture as an SVG file.
///
/// The curve has a step for the score after each move, in discs for black. A marked move is a disc of the mover's
/// colour with its name and loss. A dashed line marks the first exact score.
pub(super) fn draw(analysis: &Analysis) -> String {
    // Labels near their points are easier to read. If one of them does not fit, all go to the edges, which have room.
    let svg = draw_labelled(analysis, false).or_else(|| draw_labelled(analysis, true));
    let svg = svg.expect("each move has room at an edge");
    titled(&svg, &whole_caption(analysis))
}

/// Draws the picture with labels near their points or at the edges; `None` if a label has no room.
fn draw_labelled(analysis: &Analysis, is_at_edges: bool) -> Option<String> {
    let (svg, is_complete) = picture(SIZE, |area| try_draw(area, analysis, is_at_edges));
    is_complete.then_some(svg)
}

/// Draws the picture; returns `true` if all labels have room.
fn try_draw(area: &Pixels, analysis: &Analysis, is_at_edges: bool) -> Drawn<bool> {
    let (upper, legend) = area.split_vertically(SIZE.1 - LEGEND_HEIGHT);
    let moves = &analysis.moves;
    let scores = range(moves);
    let (low, high) = with_room(scores, if is_at_edges { EDGE_ROOM } else { NEAR_ROOM });
    let first = analysis.first as f64 - 1.0;
    let last = first + moves.len().max(10) as f64 + 1.0;
    let mut chart = ChartBuilder::on(&upper)
        .caption(caption(analysis), ("sans-serif", CAPTION_SIZE))
        .margin(MARGIN)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(first..last, low..high)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .x_desc(match analysis.game.opening() {
            Some(opening) => format!("move; opening {opening}"),
            None => "move".to_owned(),
        })
        .y_desc("discs for black")
        .x_labels(13)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| tick_label(*y))
        .draw()?;
    let scale = chart.as_coord_spec().y_spec().key_points(BoldPoints(10));
    // Labels at the edges must not cover lines.
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
    let mut labels = Labels::new(bounds, LABEL_SIZE);
    for &y in &scale {
        labels.avoid_line(at((first, y)), at((last, y)));
    }
    for ends in steps.windows(2) {
        labels.avoid_line(at(ends[0]), at(ends[1]));
    }
    let exact = moves.iter().find(|judged| judged.is_exact());
    if let Some(exact) = exact {
        let x = at((exact.number as f64 - 0.5, low)).0;
        for y in (top..bottom).step_by(8) {
            let dash = [(x, y), (x, (y + 4).min(bottom))];
            area.draw(&PathElement::new(dash, EXACT.stroke_width(1)))?;
        }
        labels.avoid_line((x, top), (x, bottom));
    }
    let marked = moves.iter().filter(|judged| judged.mark() > Mark::Good);
    let point = |judged: &Judgement| at((judged.number as f64, f64::from(judged.black_score())));
    let marked: Vec<_> = marked.map(|judged| (judged, point(judged))).collect();
    let is_complete = draw_marked(area, &marked, &mut labels, is_at_edges)?;
    draw_legend(&legend, &marked, exact.is_some())?;
    Ok(is_complete)
}

/// Draws the lines of the scale, the steps, and the area between the steps and 0.
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

/// Draws the marked moves with their labels; returns `true` if all labels have room.
fn draw_marked(
    area: &Pixels,
    marked: &[(&Judgement, (i32, i32))],
    labels: &mut Labels,
    is_at_edges: bool,
) -> Drawn<bool> {
    for &(_, point) in marked {
        labels.avoid_point(point);
    }
    let mut written = Vec::new();
    for &(judgement, point) in marked {
        let name = ply(Some(judgement.played), judgement.side);
        let text = format!("{name} -{}", judgement.loss());
        // The label is on the side to which the mistake moved the score.
        let is_up = judgement.side == Side::White;
        let label = match is_at_edges {
            true => Some(labels.place_at_edge(&text, point, is_up)),
            false => labels.place(&text, point, is_up),
        };
        let Some(label) = label else {
            return Ok(false);
        };
        if let Some(line) = leader(point, label) {
            area.draw(&PathElement::new(line, MISTAKE.mix(0.4)))?;
        }
        written.push((text, label));
    }
    for &(judgement, point) in marked {
        draw_disc(area, point, judgement.side)?;
    }
    for (text, label) in written {
        write_label(area, &text, label.centre(), is_at_edges)?;
    }
    Ok(true)
}

/// Lowest and highest score of the scale. The range includes 0.
fn range(moves: &[Judgement]) -> (f64, f64) {
    /// Minimum height of the scale in discs.
    const LEAST: f64 = 12.0;
    let scores = || moves.iter().map(|judged| f64::from(judged.black_score()));
    let (low, high) = (scores().fold(0.0, f64::min), scores().fold(0.0, f64::max));
    let more = (LEAST - (high - low)).max(0.0) / 2.0;
    (low - more, high + more)
}

/// Extends a range of scores by `pixels` above and below.
fn with_room((low, high): (f64, f64), pixels: f64) -> (f64, f64) {
    let gap = (high - low) * pixels / (PLOT_HEIGHT - 2.0 * pixels);
    (low - gap, high + gap)
}

/// Label of a tick of the scale.
fn tick_label(y: f64) -> String {
    match y {
        0.0 => "0".to_owned(),
        _ if y.abs() > 64.0 => String::new(),
        _ => format!("{y:+.0}"),
    }
}

/// Draws the disc of a marked move.
fn draw_disc(area: &Pixels, point: (i32, i32), side: Side) -> Drawn {
    area.draw(&Circle::new(point, 5, DISCS[side as usize].filled()))?;
    area.draw(&Circle::new(point, 5, MISTAKE.stroke_width(2)))
}

/// Draws the legend in one row.
fn draw_legend(area: &Pixels, marked: &[(&Judgement, (i32, i32))], with_exact: bool) -> Drawn {
    let (mut x, y) = (72, 8);
    let mut entry = |text: &str, draw_sample: &dyn Fn(i32) -> Drawn| {
        draw_sample(x)?;
        write(
            area,
            text,
            (x + 26, y),
            (LABEL_SIZE, FontStyle::Normal, HPos::Left),
        )?;
        x += 26 + width(text, LABEL_SIZE) + 18;
        Drawn::Ok(())
    };
    entry("score after the move", &|x| {
        let line = [(x, y), (x + 20, y)];
        area.draw(&PathElement::new(line, ADVANTAGE.stroke_width(2)))
    })?;
    for side in [Side::Black, Side::White] {
        if marked.iter().any(|(judged, _)| judged.side == side) {
            let text = format!("move of {side} that lost 3 discs or more");
            entry(&text, &|x| draw_disc(area, (x + 12, y), side))?;
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

/// Writes a label around its centre.
fn write_label(area: &Pixels, text: &str, centre: (i32, i32), is_upright: bool) -> Drawn {
    let mut font = ("sans-serif", LABEL_SIZE).into_font();
    if is_upright {
        font = font.transform(FontTransform::Rotate270);
    }
    let style = font.color(&MISTAKE);
    let style = style.pos(Pos::new(HPos::Center, VPos::Center));
    area.draw(&Text::new(text.to_owned(), centre, style))
}

/// Caption of the game: its players in full, and its final score.
pub(super) fn whole_caption(analysis: &Analysis) -> String {
    caption_of(analysis, &players(analysis))
}

/// Caption cut to the width of the picture. Names that are too long end with `…`.
fn caption(analysis: &Analysis) -> String {
    let whole = whole_caption(analysis);
    let room = (SIZE.0 - 2 * MARGIN) as i32;
    if width(&whole, CAPTION_SIZE) <= room {
        return whole;
    }
    let rest = width(&caption_of(analysis, &Default::default()), CAPTION_SIZE);
    let mut names = players(analysis);
    // A short name leaves its room to the other.
    let half = (room - rest) / 2;
    let [black, white] = names
        .each_ref()
        .map(|name| width(name, CAPTION_SIZE).min(half));
    names[0] = shortened(&names[0], CAPTION_SIZE, room - rest - white);
    names[1] = shortened(&names[1], CAPTION_SIZE, room - rest - black);
    caption_of(analysis, &names)
}

fn caption_of(analysis: &Analysis, [black, white]: &[String; 2]) -> String {
    let score = analysis.game.record.score();
    let result = score.map_or_else(String::new, |score| format!(": {score:+}"));
    format!("{black} against {white}{result}")
}

/// Names of the players, or the sides if they are unknown.
fn players(analysis: &Analysis) -> [String; 2] {
    [(Side::Black, "Black"), (Side::White, "White")].map(|(side, color)| {
        let name = analysis.game.player(side);
        name.unwrap_or_else(|| color.to_owned())
    })
}

/// Ends of the steps of the curve. The step of a move reaches from half a move before it to half a move after it.
fn steps(moves: &[Judgement]) -> impl Iterator<Item = (f64, f64)> {
    moves.iter().flat_map(|judged| {
        let (x, y) = (judged.number as f64, f64::from(judged.black_score()));
        [(x - 0.5, y), (x + 0.5, y)]
    })
}
