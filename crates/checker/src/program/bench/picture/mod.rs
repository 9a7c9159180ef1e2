//! Pictures of measurements: panels, one per kernel, below a common header.

mod bars;
mod heat;

use outflank_console::svg::{Area, Drawn, picture, width, wrapped, write};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::BenchRun;
pub(super) use bars::draw as draw_bars;
pub(super) use heat::draw as draw_heat_map;

// All lengths are pixels.
const COLUMNS: usize = 3;
const MARGIN: i32 = 24;
// Header: font sizes, distances of lines, and width of an item of the legend.
const TITLE_SIZE: i32 = 15;
const NOTE_SIZE: i32 = 12;
const TITLE_LINE: i32 = 20;
const NOTE_LINE: i32 = 18;
const ITEM_WIDTH: i32 = 100;
/// Height of the title of a panel.
const TITLE_HEIGHT: i32 = 26;

/// Part of a chart for one kernel.
trait Panel {
    /// Height in pixels.
    fn height(&self) -> i32;

    /// Draws the panel with its left top corner at `corner`.
    fn draw(&self, area: &Area, corner: (i32, i32)) -> Drawn;
}

/// Picture with a header and panels.
struct Chart<'a, P> {
    bench_run: &'a BenchRun,
    legend: &'static [(RGBColor, &'static str)],
    note: &'static str,
    panel_width: i32,
    panels: Vec<P>,
}

impl<P: Panel> Chart<'_, P> {
    /// Draws the picture as an SVG file.
    fn draw(&self) -> String {
        let columns = self.panels.len().clamp(1, COLUMNS);
        let width = MARGIN + columns as i32 * (self.panel_width + MARGIN);
        let header = Header::of(self, width - 2 * MARGIN);
        let (corners, bottom) = self.arrange(columns, header.height());
        let (svg, ()) = picture((width as u32, bottom as u32), |area| {
            header.draw(area)?;
            let mut panels = self.panels.iter().zip(corners);
            panels.try_for_each(|(panel, corner)| panel.draw(area, corner))
        });
        svg
    }

    /// Places each panel in the shortest column so far. Also returns the bottom of the longest column.
    fn arrange(&self, columns: usize, top: i32) -> (Vec<(i32, i32)>, i32) {
        let mut ends = vec![top; columns];
        let corners = self.panels.iter().map(|panel| {
            let column = (0..columns).min_by_key(|&column| ends[column]).unwrap_or(0);
            let x = MARGIN + column as i32 * (self.panel_width + MARGIN);
            let y = ends[column];
            ends[column] += panel.height() + MARGIN;
            (x, y)
        });
        let corners = corners.collect();
        (corners, ends.into_iter().max().unwrap_or(top))
    }
}

fn bar(area: &Area, (x, y): (i32, i32), (width, height): (i32, i32), color: RGBAColor) -> Drawn {
    let corners = [(x, y), (x + width, y + height)];
    area.draw(&Rectangle::new(corners, color.filled()))
}

/// Title, legend and note.
struct Header {
    legend: &'static [(RGBColor, &'static str)],
    title: Vec<String>,
    note: Vec<String>,
    /// `true` if the note is beside the legend, not below it.
    is_beside: bool,
}

impl Header {
    /// Lays out the header in a width of `room` pixels.
    fn of<P>(chart: &Chart<P>, room: i32) -> Header {
        let bench_run = chart.bench_run;
        let title = format!(
            "{}, {:.2} GHz, {}, Outflank {}",
            bench_run.cpu,
            bench_run.measurements.clock.ghz,
            bench_run.date,
            env!("CARGO_PKG_VERSION")
        );
        let legend_width = chart.legend.len() as i32 * ITEM_WIDTH;
        let is_beside = legend_width + width(chart.note, NOTE_SIZE) <= room;
        Header {
            legend: chart.legend,
            // The title is bold, but the estimated width is that of regular letters.
            title: wrapped(&title, TITLE_SIZE, room * 9 / 10),
            note: wrapped(chart.note, NOTE_SIZE, room),
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
        for &(color, text) in self.legend {
            bar(area, (x, y), (14, 8), color.into())?;
            write(area, text, (x + 20, y + 4), note)?;
            x += ITEM_WIDTH;
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
