//! Picture of errors by number of empty squares.

use outflank_train::score::ErrorRow;
use plotters::chart::ChartContext;
use plotters::chart::SeriesAnno;
use plotters::coord::types::{RangedCoordf64, RangedCoordu32};
use plotters::prelude::*;

use super::MeasuredErrors;
use crate::svg::{COLORS, Drawn, SIZE, draw_legend, picture, swatch};

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordu32, RangedCoordf64>>;

/// Draws the errors as SVG: one colour per entry, the mean absolute error as a line, the root mean squared error as a
/// fainter one above it.
pub(super) fn draw(measured: &[MeasuredErrors]) -> String {
    let (svg, ()) = picture(SIZE, |area| {
        let rows = || measured.iter().flat_map(|curve| curve.errors.rows());
        let empties = || rows().map(|(empties, _)| empties);
        let (least, most) = (empties().min().unwrap_or(0), empties().max().unwrap_or(60));
        let highest = rows().map(|(_, row)| row.rmse).fold(1.0, f64::max);
        let mut chart = ChartBuilder::on(area)
            .caption("Error of the static value", ("sans-serif", 18))
            .margin(16)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(least.saturating_sub(1)..most + 1, 0.0..highest * 1.1)?;
        chart
            .configure_mesh()
            .x_desc("empty squares")
            .y_desc("discs: mean amount; fainter, root of the mean square")
            .light_line_style(WHITE)
            .draw()?;
        for (entry, color) in measured.iter().zip(COLORS.into_iter().cycle()) {
            curve(&mut chart, entry, color.into(), |row| row.mae)?
                .label(entry.name())
                .legend(swatch(color));
            curve(&mut chart, entry, color.mix(0.35), |row| row.rmse)?;
        }
        if measured.len() > 1 {
            draw_legend(&mut chart, SeriesLabelPosition::LowerLeft)?;
        }
        Ok(())
    });
    svg
}

/// Draws a line through one column of the rows, with a dot for each row.
fn curve<'c, 'a, 'b>(
    chart: &'c mut Chart<'a, 'b>,
    measured: &MeasuredErrors,
    color: RGBAColor,
    column: fn(ErrorRow) -> f64,
) -> Drawn<&'c mut SeriesAnno<'a, SVGBackend<'b>>> {
    let rows = measured.errors.rows();
    let points: Vec<(u32, f64)> = rows.map(|(empties, row)| (empties, column(row))).collect();
    let dots = points.iter().map(|&at| Circle::new(at, 3, color.filled()));
    chart.draw_series(dots)?;
    chart.draw_series([PathElement::new(points.clone(), color.stroke_width(2))])
}
