//! Measurements as a picture: a panel for each kernel, the bars of a level together.

use outflank::Isa;
use outflank_checker::bench::Row;
use outflank_checker::registry::Kind;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Setting;
use super::table::groups;
use crate::picture::{width, wrapped};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

// All lengths are pixels.
const COLUMNS: usize = 3;
const PANEL_WIDTH: i32 = 520;
const MARGIN: i32 = 24;
/// The header: sizes of its fonts, the distances of its lines, and where what the colours mean ends.
const TITLE_SIZE: i32 = 15;
const NOTE_SIZE: i32 = 12;
const TITLE_LINE: i32 = 20;
const NOTE_LINE: i32 = 18;
const LEGEND_WIDTH: i32 = 200;
const TITLE_HEIGHT: i32 = 26;
const ROW_HEIGHT: i32 = 17;
/// Between the levels of a panel.
const GAP: i32 = 6;
const LABEL_WIDTH: i32 = 190;
const VALUE_WIDTH: i32 = 48;

const THROUGHPUT: RGBColor = RGBColor(31, 95, 160);
const LATENCY: RGBColor = RGBColor(222, 138, 50);
/// How opaque the bars of an algorithm are that its level does not use.
const FAINT: f64 = 0.45;

/// A kernel's panel and where it is.
struct Panel<'a> {
    kernel: &'static str,
    rows: Vec<&'a Row>,
    x: i32,
    y: i32,
}

/// The picture as the text of an SVG file.
pub(super) fn draw(setting: &Setting) -> String {
    let rows = &setting.measurements.rows;
    let columns = groups(rows).len().clamp(1, COLUMNS);
    let width = MARGIN + columns as i32 * (PANEL_WIDTH + MARGIN);
    let header = Header::of(setting, width - 2 * MARGIN);
    let (panels, bottom) = arrange(rows, columns, header.height());
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (width as u32, bottom as u32)).into_drawing_area();
    let drawn = (|| {
        area.fill(&WHITE)?;
        header.draw(&area)?;
        panels.iter().try_for_each(|one| panel(&area, one))?;
        area.present()
    })();
    drawn.expect("nothing can fail that draws into memory");
    drop(area);
    svg
}

/// Places each panel below the shortest of the columns so far; also the lower end of all.
fn arrange(rows: &[Row], columns: usize, top: i32) -> (Vec<Panel<'_>>, i32) {
    let mut ends = vec![top; columns];
    let mut panels = Vec::new();
    for (kernel, rows) in groups(rows) {
        let column = (0..columns).min_by_key(|&column| ends[column]).unwrap_or(0);
        let (x, y) = (
            MARGIN + column as i32 * (PANEL_WIDTH + MARGIN),
            ends[column],
        );
        let levels = rows
            .chunk_by(|one, other| one.entry.isa == other.entry.isa)
            .count();
        let height = TITLE_HEIGHT + rows.len() as i32 * ROW_HEIGHT + levels as i32 * GAP;
        ends[column] += height + MARGIN;
        panels.push(Panel { kernel, rows, x, y });
    }
    (panels, ends.into_iter().max().unwrap_or(top))
}

fn write(
    area: &Area,
    text: &str,
    (x, y): (i32, i32),
    size: i32,
    style: FontStyle,
    at: HPos,
) -> Drawn {
    let font = ("sans-serif", size).into_font().style(style);
    let style = font.color(&BLACK).pos(Pos::new(at, VPos::Center));
    area.draw(&Text::new(text.to_owned(), (x, y), style))
}

fn bar(area: &Area, (x, y): (i32, i32), (width, height): (i32, i32), color: RGBAColor) -> Drawn {
    area.draw(&Rectangle::new(
        [(x, y), (x + width, y + height)],
        color.filled(),
    ))
}

/// What was measured on what, and how to read it.
struct Header {
    title: Vec<String>,
    note: Vec<String>,
    /// Whether the note stands beside what the colours mean, and not below.
    is_beside: bool,
}

impl Header {
    /// For a picture with so many pixels between its margins.
    fn of(setting: &Setting, room: i32) -> Header {
        let title = format!(
            "{}, {:.2} GHz, {}, Outflank {}",
            setting.cpu,
            setting.measurements.clock_ghz,
            setting.date,
            env!("CARGO_PKG_VERSION")
        );
        let note =
            "nanoseconds, less is better; strong and with *: the algorithm that the level uses";
        let is_beside = LEGEND_WIDTH + width(note, NOTE_SIZE) <= room;
        Header {
            // Bold letters are wider.
            title: wrapped(&title, TITLE_SIZE, room * 9 / 10),
            note: wrapped(note, NOTE_SIZE, room),
            is_beside,
        }
    }

    /// The lines that begin with what the colours mean.
    fn notes(&self) -> usize {
        self.note.len() + usize::from(!self.is_beside)
    }

    fn height(&self) -> i32 {
        MARGIN + self.title.len() as i32 * TITLE_LINE + self.notes() as i32 * NOTE_LINE + 8
    }

    fn draw(&self, area: &Area) -> Drawn {
        let mut y = MARGIN;
        for line in &self.title {
            write(
                area,
                line,
                (MARGIN, y),
                TITLE_SIZE,
                FontStyle::Bold,
                HPos::Left,
            )?;
            y += TITLE_LINE;
        }
        let mut x = MARGIN;
        for (color, text) in [(THROUGHPUT, "throughput"), (LATENCY, "latency")] {
            bar(area, (x, y), (14, 8), color.into())?;
            let at = (x + 20, y + 4);
            write(area, text, at, NOTE_SIZE, FontStyle::Normal, HPos::Left)?;
            x += LEGEND_WIDTH / 2;
        }
        if !self.is_beside {
            (x, y) = (MARGIN, y + NOTE_LINE);
        }
        for line in &self.note {
            write(
                area,
                line,
                (x, y + 4),
                NOTE_SIZE,
                FontStyle::Normal,
                HPos::Left,
            )?;
            y += NOTE_LINE;
        }
        Ok(())
    }
}

fn panel(area: &Area, panel: &Panel) -> Drawn {
    let unit = match panel.rows[0].entry.kind {
        Kind::Fills => "per KiB",
        Kind::Returns | Kind::Writes | Kind::Lists => "per call",
    };
    let title = format!("{}, {unit}", panel.kernel);
    write(
        area,
        &title,
        (panel.x, panel.y + 10),
        14,
        FontStyle::Bold,
        HPos::Left,
    )?;

    let largest = panel.rows.iter().map(|row| {
        let latency = row.latency.map_or(0.0, |latency| latency.ns.median);
        row.throughput.ns.median.max(latency)
    });
    let scale = f64::from(PANEL_WIDTH - LABEL_WIDTH - VALUE_WIDTH) / largest.fold(0.01, f64::max);
    let mut y = panel.y + TITLE_HEIGHT;
    let mut isa: Option<Isa> = None;
    for row in &panel.rows {
        let entry = row.entry;
        if isa != Some(entry.isa) {
            y += GAP;
            let line = [(panel.x, y - GAP / 2), (panel.x + PANEL_WIDTH, y - GAP / 2)];
            area.draw(&PathElement::new(line, BLACK.mix(0.15)))?;
            let (at, style) = ((panel.x, y + ROW_HEIGHT / 2), FontStyle::Normal);
            write(area, entry.isa.name(), at, 11, style, HPos::Left)?;
            isa = Some(entry.isa);
        }
        let (mark, style, opacity) = match entry.selected {
            true => (" *", FontStyle::Bold, 1.0),
            false => ("", FontStyle::Normal, FAINT),
        };
        let label = format!("{}{mark}", entry.algorithm);
        let at = (panel.x + LABEL_WIDTH - 8, y + ROW_HEIGHT / 2);
        write(area, &label, at, 11, style, HPos::Right)?;
        let throughput = Some((row.throughput, THROUGHPUT, y + 1));
        let latency = row
            .latency
            .map(|latency| (latency, LATENCY, y + ROW_HEIGHT / 2));
        for (cost, color, y) in throughput.into_iter().chain(latency) {
            let length = (cost.ns.median * scale) as i32;
            let x = panel.x + LABEL_WIDTH;
            bar(area, (x, y), (length.max(1), 6), color.mix(opacity))?;
            let value = format!("{:.2}", cost.ns.median);
            write(
                area,
                &value,
                (x + length + 4, y + 3),
                8,
                FontStyle::Normal,
                HPos::Left,
            )?;
        }
        y += ROW_HEIGHT;
    }
    Ok(())
}
