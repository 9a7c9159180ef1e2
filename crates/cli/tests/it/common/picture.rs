//! Texts and lines of SVG files.

/// A text element.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) text: String,
    /// Estimated left and right end in pixels.
    pub(crate) across: (f64, f64),
    /// Estimated top and bottom in pixels.
    pub(crate) down: (f64, f64),
    /// Colour such as `#000000`.
    pub(crate) color: String,
}

impl Text {
    /// Returns `true` if the text overlaps a horizontal or vertical line.
    pub(crate) fn is_over_line(&self, [from, to]: Line) -> bool {
        let shares = |(low, high): (f64, f64), one: f64, other: f64| {
            one.min(other) <= high && low <= one.max(other)
        };
        shares(self.across, from.0, to.0) && shares(self.down, from.1, to.1)
    }

    /// Returns `true` if two texts overlap.
    pub(crate) fn is_over(&self, other: &Text) -> bool {
        let share = |one: (f64, f64), other: (f64, f64)| one.0 < other.1 && other.0 < one.1;
        share(self.across, other.across) && share(self.down, other.down)
    }
}

/// Value of an attribute of an element.
fn attribute<'a>(element: &'a str, name: &str) -> &'a str {
    let rest = element.split(&format!(" {name}=\"")).nth(1);
    let rest = rest.unwrap_or_else(|| panic!("{name} of {element}"));
    rest.split('"').next().expect("it ends")
}

fn number(element: &str, name: &str) -> f64 {
    attribute(element, name).parse().expect("a number")
}

/// Width and height of a picture.
pub(crate) fn size(svg: &str) -> (f64, f64) {
    let root = &svg[svg.find("<svg").expect("a picture")..];
    (number(root, "width"), number(root, "height"))
}

/// The texts of a picture.
pub(crate) fn texts(svg: &str) -> Vec<Text> {
    svg.split("<text").skip(1).map(text).collect()
}

/// A line between two points of a picture.
pub(crate) type Line = [(f64, f64); 2];

/// The lines of a picture, each with its colour.
pub(crate) fn lines(svg: &str) -> Vec<(String, Line)> {
    let mut all = Vec::new();
    for element in svg.split("<polyline").skip(1) {
        let points = attribute(element, "points").split_whitespace();
        let points = points.map(|point| {
            let (x, y) = point.split_once(',').expect("two numbers");
            (x.parse().expect("a number"), y.parse().expect("a number"))
        });
        let points: Vec<(f64, f64)> = points.collect();
        let color = attribute(element, "stroke");
        let pairs = points.windows(2).map(|ends| [ends[0], ends[1]]);
        all.extend(pairs.map(|line| (color.to_owned(), line)));
    }
    all
}

fn text(element: &str) -> Text {
    let (head, rest) = element.split_once('>').expect("an element has an end");
    let text = rest.split('<').next().expect("it ends").trim();
    let text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    let [x, y, size] = ["x", "y", "font-size"].map(|name| number(head, name));
    let width = 0.58 * size * text.chars().count() as f64;
    let left = match attribute(head, "text-anchor") {
        "start" => x,
        "middle" => x - width / 2.0,
        _ => x - width,
    };
    let top = match attribute(head, "dy") {
        "0.76em" => y,
        "-0.5ex" => y - size,
        _ => y - size / 2.0,
    };
    let across = (left, left + width);
    // Letters do not fill the height of a line.
    let down = (top + 0.1 * size, top + 0.9 * size);
    let (across, down) = match head.contains("rotate(270") {
        true => (
            (x + down.0 - y, x + down.1 - y),
            (y + x - across.1, y + x - across.0),
        ),
        false => (across, down),
    };
    Text {
        text,
        across,
        down,
        color: attribute(head, "fill").to_owned(),
    }
}

/// Asserts that all texts are inside the picture.
#[track_caller]
pub(crate) fn assert_inside(svg: &str) {
    let (width, height) = size(svg);
    for text in texts(svg) {
        let is_inside = text.across.0 >= 0.0
            && text.across.1 <= width
            && text.down.0 >= 0.0
            && text.down.1 <= height;
        assert!(is_inside, "{text:?} in {width}x{height}");
    }
}
