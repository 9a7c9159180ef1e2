//! Pictures of boards as PNG.

use outflank::diagram::{Diagram, Outline, Paint, SIZE, Shape, Stroke};
use tiny_skia::{FillRule, LineCap, LineJoin, Path, PathBuilder, Pixmap, Rect, Transform};

use super::glyphs::{GLYPH_HEIGHT, GLYPH_STEP, glyph};

/// Draws a picture of this width and height in pixels, at least 1, and encodes it.
pub(super) fn png(diagram: &Diagram, width: u32) -> Vec<u8> {
    let mut pixmap = Pixmap::new(width, width).expect("the picture has pixels");
    let scale = width as f32 / SIZE as f32;
    for shape in diagram.shapes() {
        draw(&mut pixmap, &shape, Transform::from_scale(scale, scale));
    }
    pixmap
        .encode_png()
        .expect("pixels can be encoded in memory")
}

fn draw(pixmap: &mut Pixmap, shape: &Shape, transform: Transform) {
    let (path, fill, stroke) = match &shape.outline {
        // Letters are lines, which have the colour of the text.
        Outline::Text { text, centre, size } => {
            let stroke = shape.fill.map(|paint| Stroke {
                paint,
                width: 0.09 * size,
            });
            (text_path(text, *centre, *size), None, stroke)
        }
        outline => (path(outline), shape.fill, shape.stroke),
    };
    let Some(path) = path else { return };
    if let Some(fill) = fill {
        pixmap.fill_path(&path, &paint(fill), FillRule::Winding, transform, None);
    }
    if let Some(stroke) = stroke {
        let line = tiny_skia::Stroke {
            width: stroke.width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..tiny_skia::Stroke::default()
        };
        pixmap.stroke_path(&path, &paint(stroke.paint), &line, transform, None);
    }
}

fn paint(
    Paint {
        rgb: [red, green, blue],
        opacity,
    }: Paint,
) -> tiny_skia::Paint<'static> {
    let mut paint = tiny_skia::Paint::default();
    paint.set_color_rgba8(red, green, blue, (255.0 * opacity).round() as u8);
    paint.anti_alias = true;
    paint
}

/// Path of an outline other than text; `None` for one without extent.
fn path(outline: &Outline) -> Option<Path> {
    match outline {
        Outline::Square {
            corner: [x, y],
            size,
        } => Rect::from_xywh(*x, *y, *size, *size).map(PathBuilder::from_rect),
        Outline::Circle {
            centre: [x, y],
            radius,
        } => PathBuilder::from_circle(*x, *y, *radius),
        Outline::Lines(lines) => lines_path(lines.iter().map(|ends| ends.as_slice())),
        Outline::Text { .. } => None,
    }
}

/// Path along lines of points.
fn lines_path<'a>(lines: impl Iterator<Item = &'a [[f32; 2]]>) -> Option<Path> {
    let mut path = PathBuilder::new();
    for line in lines {
        for (index, &[x, y]) in line.iter().enumerate() {
            match index {
                0 => path.move_to(x, y),
                _ => path.line_to(x, y),
            }
        }
    }
    path.finish()
}

/// Path along the letters of a text. Letters without a glyph stay blank.
fn text_path(text: &str, [x, y]: [f32; 2], size: f32) -> Option<Path> {
    // Digits are 0.7 of the font size high.
    let unit = 0.7 * size / GLYPH_HEIGHT;
    let count = text.chars().count() as f32;
    let left = x - 0.5 * (count * GLYPH_STEP - (GLYPH_STEP - 4.0)) * unit;
    let top = y - 0.5 * GLYPH_HEIGHT * unit;
    let mut lines = Vec::new();
    for (index, letter) in text.chars().enumerate() {
        let left = left + index as f32 * GLYPH_STEP * unit;
        lines.extend(glyph(letter).iter().map(|line| -> Vec<[f32; 2]> {
            let points = line
                .iter()
                .map(|&[x, y]| [x, y].map(|at: u8| unit * f32::from(at)));
            points.map(|[x, y]| [left + x, top + y]).collect()
        }));
    }
    lines_path(lines.iter().map(Vec::as_slice))
}
