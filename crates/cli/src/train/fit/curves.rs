//! Picture of a network's learning curves.

use outflank_train::network::CurvePoint;
use plotters::prelude::*;

use crate::svg::{COLORS, SIZE, draw_legend, picture, swatch};

/// Draws the learning curves as SVG: training error as a line, hold-out error as a line with dots.
///
/// A complete training has `steps` steps in `epochs` epochs.
pub(super) fn draw(curve: &[CurvePoint], epochs: usize, steps: usize) -> String {
    let [training_color, held_out_color, ..] = COLORS;
    let epoch = |step: f64| step * epochs as f64 / steps as f64;
    let points = || (0..).map(f64::from).zip(curve);
    // On average, positions are used in the middle of their step.
    let training: Vec<(f64, f64)> = points()
        .map(|(step, point)| (epoch(step + 0.5), point.training.into()))
        .collect();
    let held_out: Vec<(f64, f64)> = points()
        .filter_map(|(step, point)| Some((epoch(step + 1.0), point.held_out?.into())))
        .collect();
    let errors = training.iter().chain(&held_out).map(|point| point.1);
    let (least, most) = errors.fold((f64::MAX, 0.0), |(least, most), error| {
        (error.min(least), error.max(most))
    });
    // Without a point `least` is still `f64::MAX`.
    let least = least.min(most);

    let (svg, ()) = picture(SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .caption("Learning curves", ("sans-serif", 18))
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..epochs as f64, least - 0.1..most + 0.1)?;
        chart
            .configure_mesh()
            .x_desc("epochs")
            .y_desc("mean error in discs")
            .light_line_style(WHITE)
            .draw()?;
        chart
            .draw_series([PathElement::new(training, training_color.stroke_width(2))])?
            .label("positions of the step")
            .legend(swatch(training_color));
        let dot = |&point| Circle::new(point, 3, held_out_color.filled());
        chart.draw_series(held_out.iter().map(dot))?;
        chart
            .draw_series([PathElement::new(held_out, held_out_color.stroke_width(2))])?
            .label("held-out positions")
            .legend(swatch(held_out_color));
        draw_legend(&mut chart, SeriesLabelPosition::UpperRight)
    });
    svg
}
