//! Measurements as a heat map: a panel per kernel, a row per algorithm, a column per level.

use outflank_console::svg::{Area, Drawn, write};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::super::BenchRun;
use super::super::pivot::{Cell, Pivot};
use super::{Chart, Panel, TITLE_HEIGHT, bar};
use crate::bench::Measure;

// All lengths are pixels.
const LABEL_WIDTH: i32 = 130;
const CELL_WIDTH: i32 = 60;
const CELL_HEIGHT: i32 = 20;
const HEAD_HEIGHT: i32 = 18;

/// Colours of the fastest cell and of those that take 2, 4 and 8 times as long, or longer.
const SCALE: [(RGBColor, &str); 4] = [
    (RGBColor(68, 151, 92), "fastest"),
    (RGBColor(186, 216, 130), "2 x as long"),
    (RGBColor(250, 218, 142), "4 x as long"),
    (RGBColor(226, 130, 110), "8 x and over"),
];

/// Draws the picture as an SVG file.
pub(in super::super) fn draw(bench_run: &BenchRun, measure: Measure) -> String {
    let panels = Pivot::all(bench_run, measure);
    let levels = panels.iter().map(|pivot| pivot.isas.len()).max();
    Chart {
        bench_run,
        legend: &SCALE,
        note: match measure {
            Measure::Throughput => {
                "median cycles of independent calls; framed and bold: the algorithm that the level uses"
            }
            Measure::Latency => {
                "median cycles until the answer is known; framed and bold: the algorithm that the level uses"
            }
        },
        panel_width: LABEL_WIDTH + levels.unwrap_or(1) as i32 * CELL_WIDTH,
        panels,
    }
    .draw()
}

impl Panel for Pivot<'_> {
    fn height(&self) -> i32 {
        TITLE_HEIGHT + HEAD_HEIGHT + self.algorithms.len() as i32 * CELL_HEIGHT
    }

    fn draw(&self, area: &Area, (left, top): (i32, i32)) -> Drawn {
        let reference = self.reference.map_or_else(String::new, |reference| {
            format!("; reference {reference:.0}")
        });
        let title = format!("{}, cycles per {}{reference}", self.kernel, self.unit);
        write(
            area,
            &title,
            (left, top + 10),
            (14, FontStyle::Bold, HPos::Left),
        )?;
        let mut y = top + TITLE_HEIGHT;
        let center =
            |column: usize| left + LABEL_WIDTH + column as i32 * CELL_WIDTH + CELL_WIDTH / 2;
        for (column, isa) in self.isas.iter().enumerate() {
            let style = (11, FontStyle::Normal, HPos::Center);
            write(
                area,
                isa.name(),
                (center(column), y + HEAD_HEIGHT / 2),
                style,
            )?;
        }
        y += HEAD_HEIGHT;
        for (algorithm, cells) in &self.algorithms {
            let at = (left + LABEL_WIDTH - 8, y + CELL_HEIGHT / 2);
            write(area, algorithm, at, (11, FontStyle::Normal, HPos::Right))?;
            for (column, cell) in cells.iter().enumerate() {
                if let Some(cell) = cell {
                    cell.draw(area, (center(column), y))?;
                }
            }
            y += CELL_HEIGHT;
        }
        Ok(())
    }
}

impl Cell {
    /// Draws the cell with the centre of its upper side at `(x, y)`.
    fn draw(&self, area: &Area, (x, y): (i32, i32)) -> Drawn {
        let corner = (x - CELL_WIDTH / 2 + 1, y + 1);
        let size = (CELL_WIDTH - 3, CELL_HEIGHT - 3);
        bar(area, corner, size, color(self.to_fastest).into())?;
        let style = match self.selected {
            true => {
                let end = (corner.0 + size.0, corner.1 + size.1);
                area.draw(&Rectangle::new([corner, end], BLACK.stroke_width(2)))?;
                FontStyle::Bold
            }
            false => FontStyle::Normal,
        };
        let text = format!(
            "{:.precision$}",
            self.cycles,
            precision = usize::from(self.cycles < 999.5)
        );
        write(
            area,
            &text,
            (x, y + CELL_HEIGHT / 2),
            (11, style, HPos::Center),
        )
    }
}

/// Colour of a cost relative to the fastest, on the logarithmic [`SCALE`].
fn color(to_fastest: f64) -> RGBColor {
    let last = (SCALE.len() - 1) as f64;
    let position = to_fastest.max(1.0).log2().min(last);
    let (from, to) = (
        SCALE[position.floor() as usize].0,
        SCALE[position.ceil() as usize].0,
    );
    let mixed = |from: u8, to: u8| {
        let (from, to) = (f64::from(from), f64::from(to));
        (from + (to - from) * position.fract()).round() as u8
    };
    RGBColor(
        mixed(from.0, to.0),
        mixed(from.1, to.1),
        mixed(from.2, to.2),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_through_the_scale() {
        for (to_fastest, expected) in [(0.5, 0), (1.0, 0), (2.0, 1), (4.0, 2), (8.0, 3), (100.0, 3)]
        {
            assert_eq!(color(to_fastest), SCALE[expected].0, "{to_fastest}");
        }
        let between = color(1.5);
        assert!(between.0 > SCALE[0].0.0 && between.0 < SCALE[1].0.0);
    }
}
