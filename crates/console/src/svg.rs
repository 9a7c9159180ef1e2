//! Parts of SVG pictures: size and colours of charts, legends, and widths of texts.

use plotters::coord::{CoordTranslate, Shift};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Width and height of a chart in pixels.
pub const SIZE: (u32, u32) = (960, 600);

/// Colours of curves.
pub const COLORS: [RGBColor; 6] = [
    RGBColor(31, 95, 160),
    RGBColor(222, 138, 50),
    RGBColor(44, 140, 80),
    RGBColor(180, 50, 60),
    RGBColor(120, 85, 165),
    RGBColor(90, 90, 90),
];

/// Area of a picture in memory.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Result of drawing into memory.
pub type Drawn<T = ()> = Result<T, DrawingAreaErrorKind<std::io::Error>>;

/// Draws a picture of `size` pixels on white ground. Also returns the result of `draw_on`.
pub fn picture<T>(size: (u32, u32), draw_on: impl FnOnce(&Area) -> Drawn<T>) -> (String, T) {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    let draw = || {
        area.fill(&WHITE)?;
        let result = draw_on(&area)?;
        area.present()?;
        Drawn::Ok(result)
    };
    let result = draw().expect("drawing into memory cannot fail");
    drop(area);
    (svg, result)
}

/// Font size, style and horizontal anchor of a text.
pub type TextStyle = (i32, FontStyle, HPos);

/// Writes a text in black. Its vertical centre is at `at`.
pub fn write(area: &Area, text: &str, at: (i32, i32), (size, style, anchor): TextStyle) -> Drawn {
    let font = ("sans-serif", size).into_font().style(style);
    let style = font.color(&BLACK).pos(Pos::new(anchor, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style))
}

/// Sample of a curve in the legend.
pub fn swatch(color: RGBColor) -> impl Fn((i32, i32)) -> PathElement<(i32, i32)> {
    move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2))
}

/// Draws the legend of the labelled curves.
pub fn draw_legend<'a, Backend: DrawingBackend + 'a, Coordinates: CoordTranslate>(
    chart: &mut ChartContext<'a, Backend, Coordinates>,
    position: SeriesLabelPosition,
) -> Result<(), DrawingAreaErrorKind<Backend::ErrorType>> {
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()
}

/// Estimates the width of a text in pixels, in a sans-serif font. `size` is the font size as plotters counts it. The
/// estimate is high, because each viewer has its own font.
pub fn width(text: &str, size: i32) -> i32 {
    /// Height of an em as a fraction of the font size that plotters counts.
    const EM: f64 = 1.0 / 1.24;
    let em = |letter: char| match letter {
        '\u{1100}'.. | 'M' | 'W' | 'm' | 'w' | '@' | '%' => 1.0,
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | ' ' | '-' | '\'' | '|' => 0.4,
        'A'..='Z' => 0.75,
        _ => 0.65,
    };
    let ems: f64 = text.chars().map(em).sum();
    (ems * EM * f64::from(size)).ceil() as i32
}

/// Cuts a text to at most `most` pixels. A text that is cut ends with `…`.
pub fn shortened(text: &str, size: i32, most: i32) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let ends = text
        .char_indices()
        .map(|(at, letter)| at + letter.len_utf8());
    let fitting = ends.take_while(|&end| width(&text[..end], size) + width("…", size) <= most);
    let end = fitting.last().unwrap_or(0);
    text[..end].trim_end().to_owned() + "…"
}

/// Adds a title, which viewers show as a tooltip.
pub fn titled(svg: &str, title: &str) -> String {
    let (root, rest) = svg.split_once('>').expect("it begins with its root");
    format!("{root}>\n<title>{}</title>{rest}", escaped(title))
}

/// Escapes a text for SVG or HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Wraps a text into lines of at most `most` pixels. A longer word stays whole.
pub fn wrapped(text: &str, size: i32, most: i32) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
