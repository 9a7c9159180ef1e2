//! Learning curves of a network, as a picture.

use outflank_train::network::Point;
use plotters::prelude::*;

/// Pixels.
const SIZE: (u32, u32) = (960, 600);

const TRAINING: RGBColor = RGBColor(31, 95, 160);
const HELD_OUT: RGBColor = RGBColor(222, 138, 50);

/// The picture as the text of an SVG file: the mean error on the positions of each step, before they were learnt
/// from, as a line, and that on held-out positions as a line with dots. `steps` take `epochs`.
pub(super) fn draw(curve: &[Point], epochs: usize, steps: usize) -> String {
    let epoch = |step: usize| step as f64 * epochs as f64 / steps as f64;
    // Each step's positions are on average half a step old.
    let training: Vec<(f64, f64)> = (curve.iter().enumerate())
        .map(|(step, point)| (epoch(step) + epoch(1) / 2.0, point.training.into()))
        .collect();
    let held_out: Vec<(f64, f64)> = (curve.iter().enumerate())
        .filter_map(|(step, point)| Some((epoch(step + 1), point.held_out?.into())))
        .collect();
    let errors = || training.iter().chain(&held_out).map(|point| point.1);
    let least = errors().fold(f64::INFINITY, f64::min).min(100.0);
    // What the first steps show, before anything is learnt, would leave no room for the rest.
    let most = errors().fold(least, f64::max).min(2.0 * least);
    let room = (0.05 * (most - least)).max(0.1);

    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
    let drawn: Result<(), DrawingAreaErrorKind<std::io::Error>> = (|| {
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&area)
            .caption("Learning curves", ("sans-serif", 18))
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..epochs as f64, least - room..most + room)?;
        chart
            .configure_mesh()
            .x_desc("epochs")
            .y_desc("mean error in discs")
            .light_line_style(WHITE)
            .draw()?;
        let sample = |color: RGBColor| {
            move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2))
        };
        chart
            .draw_series([PathElement::new(training, TRAINING.stroke_width(2))])?
            .label("positions of the step")
            .legend(sample(TRAINING));
        let dots = held_out
            .iter()
            .map(|&point| Circle::new(point, 3, HELD_OUT.filled()));
        chart.draw_series(dots)?;
        chart
            .draw_series([PathElement::new(held_out, HELD_OUT.stroke_width(2))])?
            .label("held-out positions")
            .legend(sample(HELD_OUT));
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
        area.present()
    })();
    drawn.expect("nothing can fail that draws into memory");
    drop(area);
    svg
}
