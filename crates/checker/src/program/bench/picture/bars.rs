//! Measurements as a bar chart: a panel per kernel, bars grouped by level.

use outflank_console::svg::{Area, Drawn, write};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::super::table::groups;
use super::super::{BenchRun, unit};
use super::{Chart, Panel, TITLE_HEIGHT, bar};
use crate::bench::Row;

// All lengths are pixels.
const WIDTH: i32 = 520;
const ROW_HEIGHT: i32 = 17;
/// Gap between the levels of a panel.
const GAP: i32 = 6;
const LABEL_WIDTH: i32 = 190;
const VALUE_WIDTH: i32 = 48;

const THROUGHPUT: RGBColor = RGBColor(31, 95, 160);
const LATENCY: RGBColor = RGBColor(222, 138, 50);
/// Opacity of the bars of algorithms that the level does not use.
const FAINT: f64 = 0.45;

/// Bars of one kernel.
struct Bars<'a> {
    kernel: &'static str,
    rows: Vec<&'a Row>,
}

/// Draws the picture as an SVG file.
pub(in super::super) fn draw(bench_run: &BenchRun) -> String {
    let panels = groups(&bench_run.measurements.rows);
    let panels = panels
        .into_iter()
        .map(|(kernel, rows)| Bars { kernel, rows });
    Chart {
        bench_run,
        legend: &[(THROUGHPUT, "throughput"), (LATENCY, "latency")],
        note: "nanoseconds, less is better; strong and with *: the algorithm that the level uses",
        panel_width: WIDTH,
        panels: panels.collect(),
    }
    .draw()
}

/// Rows of each level of a panel.
fn levels<'a>(rows: &'a [&'a Row]) -> impl Iterator<Item = &'a [&'a Row]> {
    rows.chunk_by(|row, next| row.entry.isa == next.entry.isa)
}

impl Panel for Bars<'_> {
    fn height(&self) -> i32 {
        let levels = levels(&self.rows).count() as i32;
        TITLE_HEIGHT + self.rows.len() as i32 * ROW_HEIGHT + levels * GAP
    }

    fn draw(&self, area: &Area, (left, top): (i32, i32)) -> Drawn {
        let title = format!("{}, per {}", self.kernel, unit(self.rows[0]));
        let title_style = (14, FontStyle::Bold, HPos::Left);
        write(area, &title, (left, top + 10), title_style)?;

        let largest = self.rows.iter().map(|row| {
            let latency = row
                .latency
                .as_ref()
                .map_or(0.0, |latency| latency.ns.median());
            row.throughput.ns.median().max(latency)
        });
        let room = f64::from(WIDTH - LABEL_WIDTH - VALUE_WIDTH);
        let scale = room / largest.fold(0.01, f64::max);
        let mut y = top + TITLE_HEIGHT;
        for level in levels(&self.rows) {
            y += GAP;
            let line = [(left, y - GAP / 2), (left + WIDTH, y - GAP / 2)];
            area.draw(&PathElement::new(line, BLACK.mix(0.15)))?;
            let style = (11, FontStyle::Normal, HPos::Left);
            let isa = level[0].entry.isa.name();
            write(area, isa, (left, y + ROW_HEIGHT / 2), style)?;
            for row in level {
                draw_row(area, row, (left, y), scale)?;
                y += ROW_HEIGHT;
            }
        }
        Ok(())
    }
}

/// Draws the label and the bars of a row whose left top corner is at `(left, y)`, with `scale` pixels per nanosecond.
fn draw_row(area: &Area, row: &Row, (left, y): (i32, i32), scale: f64) -> Drawn {
    let (mark, style, opacity) = match row.entry.selected {
        true => (" *", FontStyle::Bold, 1.0),
        false => ("", FontStyle::Normal, FAINT),
    };
    let x = left + LABEL_WIDTH;
    let label = format!("{}{mark}", row.entry.algorithm);
    let at = (x - 8, y + ROW_HEIGHT / 2);
    write(area, &label, at, (11, style, HPos::Right))?;
    let throughput = (Some(&row.throughput), THROUGHPUT, y + 1);
    let latency = (row.latency.as_ref(), LATENCY, y + ROW_HEIGHT / 2);
    for (cost, color, y) in [throughput, latency] {
        let Some(cost) = cost else { continue };
        let length = (cost.ns.median() * scale) as i32;
        bar(area, (x, y), (length.max(1), 6), color.mix(opacity))?;
        let value = format!("{:.2}", cost.ns.median());
        let style = (8, FontStyle::Normal, HPos::Left);
        write(area, &value, (x + length + 4, y + 3), style)?;
    }
    Ok(())
}
