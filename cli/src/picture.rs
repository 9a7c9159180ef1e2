//! Shared parts of pictures: sizes and colours of charts with curves, and the widths of texts.

use plotters::coord::CoordTranslate;
use plotters::prelude::*;

/// Pixels of a chart with curves.
pub(super) const SIZE: (u32, u32) = (960, 600);

/// The colours of curves.
pub(super) const COLORS: [RGBColor; 6] = [
    RGBColor(31, 95, 160),
    RGBColor(222, 138, 50),
    RGBColor(44, 140, 80),
    RGBColor(180, 50, 60),
    RGBColor(120, 85, 165),
    RGBColor(90, 90, 90),
];

/// What stands for a curve of this colour in the legend.
pub(super) fn swatch(color: RGBColor) -> impl Fn((i32, i32)) -> PathElement<(i32, i32)> {
    move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2))
}

/// Draws the legend of the curves that have a label.
pub(super) fn draw_legend<'a, Backend: DrawingBackend + 'a, Coordinates: CoordTranslate>(
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

/// About how many pixels a text takes in a sans-serif font of this size as plotters counts it: more rather
/// than less, because each viewer has its own font.
pub(super) fn width(text: &str, size: i32) -> i32 {
    /// The height of an em by that count.
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

/// The beginning of a text that takes no more than `most` pixels; where that is not all, it ends with `…`.
pub(super) fn shortened(text: &str, size: i32, most: i32) -> String {
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

/// The picture with a title, which viewers show while the pointer rests on it.
pub(super) fn titled(svg: &str, title: &str) -> String {
    let (root, rest) = svg.split_once('>').expect("it begins with its root");
    format!("{root}>\n<title>{}</title>{rest}", escaped(title))
}

/// A text within an element of SVG or HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The lines of a text of which none takes more than `most` pixels, unless a word does.
pub(super) fn wrapped(text: &str, size: i32, most: i32) -> Vec<String> {
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
