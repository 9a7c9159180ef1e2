//! Measurements as a bar chart: a panel per kernel, bars grouped by level.

use outflank_checker::bench::Row;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::table::groups;
use super::{BenchRun, unit};
use crate::svg::{Area, Drawn, picture, width, wrapped, write};

// All lengths are pixels.
const COLUMNS: usize = 3;
const PANEL_WIDTH: i32 = 520;
const MARGIN: i32 = 24;
// Header: font sizes, distances of lines, and width of the legend.
const TITLE_SIZE: i32 = 15;
const NOTE_SIZE: i32 = 12;
const TITLE_LINE: i32 = 20;
const NOTE_LINE: i32 = 18;
const LEGEND_WIDTH: i32 = 200;
const TITLE_HEIGHT: i32 = 26;
const ROW_HEIGHT: i32 = 17;
/// Gap between the levels of a panel.
const GAP: i32 = 6;
const LABEL_WIDTH: i32 = 190;
const VALUE_WIDTH: i32 = 48;

const THROUGHPUT: RGBColor = RGBColor(31, 95, 160);
const LATENCY: RGBColor = RGBColor(222, 138, 50);
/// Opacity of the bars of algorithms that the level does not use.
const FAINT: f64 = 0.45;

/// Panel of a kernel with its position.
struct Panel<'a> {
    kernel: &'static str,
    rows: Vec<&'a Row>,
    x: i32,
    y: i32,
}

/// Draws the picture as an SVG file.
pub(super) fn draw(bench_run: &BenchRun) -> String {
    let rows = &bench_run.measurements.rows;
    let columns = groups(rows).len().clamp(1, COLUMNS);
    let width = MARGIN + columns as i32 * (PANEL_WIDTH + MARGIN);
    let header = Header::of(bench_run, width - 2 * MARGIN);
    let (panels, bottom) = arrange(rows, columns, header.height());
    let (svg, ()) = picture((width as u32, bottom as u32), |area| {
        header.draw(area)?;
        panels.iter().try_for_each(|panel| panel.draw(area))
    });
    svg
}

/// Places each panel in the shortest column so far. Also returns the bottom of the longest column.
fn arrange(rows: &[Row], columns: usize, top: i32) -> (Vec<Panel<'_>>, i32) {
    let mut ends = vec![top; columns];
    let mut panels = Vec::new();
    for (kernel, rows) in groups(rows) {
        let column = (0..columns).min_by_key(|&column| ends[column]).unwrap_or(0);
        let x = MARGIN + column as i32 * (PANEL_WIDTH + MARGIN);
        let y = ends[column];
        let levels = levels(&rows).count();
        let height = TITLE_HEIGHT + rows.len() as i32 * ROW_HEIGHT + levels as i32 * GAP;
        ends[column] += height + MARGIN;
        panels.push(Panel { kernel, rows, x, y });
    }
    (panels, ends.into_iter().max().unwrap_or(top))
}

/// Rows of each level of a panel.
fn levels<'a>(rows: &'a [&'a Row]) -> impl Iterator<Item = &'a [&'a Row]> {
    rows.chunk_by(|row, next| row.entry.isa == next.entry.isa)
}

fn bar(area: &Area, (x, y): (i32, i32), (width, height): (i32, i32), color: RGBAColor) -> Drawn {
    let corners = [(x, y), (x + width, y + height)];
    area.draw(&Rectangle::new(corners, color.filled()))
}

/// Title, legend and note.
struct Header {
    title: Vec<String>,
    note: Vec<String>,
    /// `true` if the note is beside the legend, not below it.
    is_beside: bool,
}

impl Header {
    /// Lays out the header in a width of `room` pixels.
    fn of(bench_run: &BenchRun, room: i32) -> Header {
        let title = format!(
            "{}, {:.2} GHz, {}, Outflank {}",
            bench_run.cpu,
            bench_run.measurements.clock_ghz,
            bench_run.date,
            env!("CARGO_PKG_VERSION")
        );
        let note =
            "nanoseconds, less is better; strong and with *: the algorithm that the level uses";
        let is_beside = LEGEND_WIDTH + width(note, NOTE_SIZE) <= room;
        Header {
            // The title is bold, but the estimated width is that of regular letters.
            title: wrapped(&title, TITLE_SIZE, room * 9 / 10),
            note: wrapped(note, NOTE_SIZE, room),
            is_beside,
        }
    }

    /// Number of lines of legend and note.
    fn note_lines(&self) -> usize {
        self.note.len() + usize::from(!self.is_beside)
    }

    fn height(&self) -> i32 {
        MARGIN + self.title.len() as i32 * TITLE_LINE + self.note_lines() as i32 * NOTE_LINE + 8
    }

    fn draw(&self, area: &Area) -> Drawn {
        let title = (TITLE_SIZE, FontStyle::Bold, HPos::Left);
        let note = (NOTE_SIZE, FontStyle::Normal, HPos::Left);
        let mut y = MARGIN;
        for line in &self.title {
            write(area, line, (MARGIN, y), title)?;
            y += TITLE_LINE;
        }
        let mut x = MARGIN;
        for (color, text) in [(THROUGHPUT, "throughput"), (LATENCY, "latency")] {
            bar(area, (x, y), (14, 8), color.into())?;
            write(area, text, (x + 20, y + 4), note)?;
            x += LEGEND_WIDTH / 2;
        }
        if !self.is_beside {
            (x, y) = (MARGIN, y + NOTE_LINE);
        }
        for line in &self.note {
            write(area, line, (x, y + 4), note)?;
            y += NOTE_LINE;
        }
        Ok(())
    }
}

impl Panel<'_> {
    fn draw(&self, area: &Area) -> Drawn {
        let title = format!("{}, per {}", self.kernel, unit(self.rows[0]));
        let title_style = (14, FontStyle::Bold, HPos::Left);
        write(area, &title, (self.x, self.y + 10), title_style)?;

        let largest = self.rows.iter().map(|row| {
            let latency = row.latency.map_or(0.0, |latency| latency.ns.median);
            row.throughput.ns.median.max(latency)
        });
        let room = f64::from(PANEL_WIDTH - LABEL_WIDTH - VALUE_WIDTH);
        let scale = room / largest.fold(0.01, f64::max);
        let mut y = self.y + TITLE_HEIGHT;
        for level in levels(&self.rows) {
            y += GAP;
            let line = [(self.x, y - GAP / 2), (self.x + PANEL_WIDTH, y - GAP / 2)];
            area.draw(&PathElement::new(line, BLACK.mix(0.15)))?;
            let style = (11, FontStyle::Normal, HPos::Left);
            let isa = level[0].entry.isa.name();
            write(area, isa, (self.x, y + ROW_HEIGHT / 2), style)?;
            for row in level {
                self.draw_row(area, row, y, scale)?;
                y += ROW_HEIGHT;
            }
        }
        Ok(())
    }

    /// Draws the label and the bars of a row whose top is at `y`, with `scale` pixels per nanosecond.
    fn draw_row(&self, area: &Area, row: &Row, y: i32, scale: f64) -> Drawn {
        let (mark, style, opacity) = match row.entry.selected {
            true => (" *", FontStyle::Bold, 1.0),
            false => ("", FontStyle::Normal, FAINT),
        };
        let x = self.x + LABEL_WIDTH;
        let label = format!("{}{mark}", row.entry.algorithm);
        let at = (x - 8, y + ROW_HEIGHT / 2);
        write(area, &label, at, (11, style, HPos::Right))?;
        let throughput = (Some(row.throughput), THROUGHPUT, y + 1);
        let latency = (row.latency, LATENCY, y + ROW_HEIGHT / 2);
        for (cost, color, y) in [throughput, latency] {
            let Some(cost) = cost else { continue };
            let length = (cost.ns.median * scale) as i32;
            bar(area, (x, y), (length.max(1), 6), color.mix(opacity))?;
            let value = format!("{:.2}", cost.ns.median);
            let style = (8, FontStyle::Normal, HPos::Left);
            write(area, &value, (x + length + 4, y + 3), style)?;
        }
        Ok(())
    }
}
