//! Placement of labels near their points without overlap.

use crate::svg::width;

/// A rectangle in pixels, with its edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Area {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

impl Area {
    fn around((x, y): (i32, i32), (width, height): (i32, i32)) -> Area {
        let (left, top) = (x - width / 2, y - height / 2);
        Area {
            left,
            top,
            right: left + width,
            bottom: top + height,
        }
    }

    /// Area of a horizontal or vertical line and one pixel around it.
    fn along((x, y): (i32, i32), (to_x, to_y): (i32, i32)) -> Area {
        Area {
            left: x.min(to_x) - 1,
            top: y.min(to_y) - 1,
            right: x.max(to_x) + 1,
            bottom: y.max(to_y) + 1,
        }
    }

    pub(super) fn centre(self) -> (i32, i32) {
        (
            self.left.midpoint(self.right),
            self.top.midpoint(self.bottom),
        )
    }

    fn overlaps(self, other: Area) -> bool {
        self.left <= other.right
            && other.left <= self.right
            && self.top <= other.bottom
            && other.top <= self.bottom
    }

    fn is_in(self, other: Area) -> bool {
        self.left >= other.left
            && self.right <= other.right
            && self.top >= other.top
            && self.bottom <= other.bottom
    }
}

/// Places labels one by one.
pub(super) struct Labels {
    /// Area that contains all labels.
    bounds: Area,
    font_size: i32,
    /// Lines and points that labels must not cover.
    obstacles: Vec<Area>,
    placed: Vec<Area>,
}

/// Distance in pixels that labels keep from their point, in each direction.
const CLEARANCE: i32 = 7;

impl Labels {
    pub(super) fn new(bounds: Area, font_size: i32) -> Labels {
        Labels {
            bounds,
            font_size,
            obstacles: Vec::new(),
            placed: Vec::new(),
        }
    }

    /// Keeps labels away from a point.
    pub(super) fn avoid_point(&mut self, point: (i32, i32)) {
        self.obstacles
            .push(Area::around(point, (2 * CLEARANCE, 2 * CLEARANCE)));
    }

    /// Keeps labels away from a horizontal or vertical line.
    pub(super) fn avoid_line(&mut self, from: (i32, i32), to: (i32, i32)) {
        self.obstacles.push(Area::along(from, to));
    }

    /// Places a label above or below `point`, where it covers nothing. Tries above first if `is_up`. Returns `None` if
    /// there is no room nearby.
    pub(super) fn place(&mut self, text: &str, point: (i32, i32), is_up: bool) -> Option<Area> {
        /// Number of distances tried, half a row apart. A reader would not connect a label farther away with its point.
        const STEPS: i32 = 9;
        let (width, height) = (width(text, self.font_size) + 4, self.font_size);
        let (half, Area { left, right, .. }) = (width / 2 + 1, self.bounds);
        let mut candidates = (0..STEPS).flat_map(|step| {
            let distance = CLEARANCE + 2 + height / 2 + step * height / 2;
            let (first, second) = if is_up {
                (-distance, distance)
            } else {
                (distance, -distance)
            };
            [first, second].into_iter().flat_map(move |dy| {
                // Horizontal shifts that keep the label directly above or below the point.
                [0, -width / 4, width / 4, -width / 2, width / 2].map(|dx| {
                    let x = (point.0 + dx).clamp(left + half, (right - half).max(left + half));
                    Area::around((x, point.1 + dy), (width, height))
                })
            })
        });
        let area = candidates.find(|&area| {
            let crosses_label = |[from, to]: [(i32, i32); 2]| {
                let line = Area::along(from, to);
                self.placed.iter().any(|label| line.overlaps(*label))
            };
            let mut taken = self.obstacles.iter().chain(&self.placed);
            area.is_in(self.bounds)
                && !taken.any(|taken| area.overlaps(*taken))
                && !leader(point, area).is_some_and(crosses_label)
        })?;
        self.add(point, area);
        Some(area)
    }

    /// Places an upright label at the upper or lower edge, vertically above or below its point.
    pub(super) fn place_at_edge(&mut self, text: &str, point: (i32, i32), is_up: bool) -> Area {
        let length = width(text, self.font_size) + 4;
        let y = match is_up {
            true => self.bounds.top + 2 + length / 2,
            false => self.bounds.bottom - 2 - length / 2,
        };
        let area = Area::around((point.0, y), (self.font_size, length));
        self.add(point, area);
        area
    }

    fn add(&mut self, point: (i32, i32), label: Area) {
        self.placed.push(label);
        if let Some([from, to]) = leader(point, label) {
            self.obstacles.push(Area::along(from, to));
        }
    }
}

/// Returns the line from a point to its label; `None` if they are close together.
pub(super) fn leader(point: (i32, i32), label: Area) -> Option<[(i32, i32); 2]> {
    /// Minimum gap in pixels that a line bridges.
    const NEAR: i32 = 6;
    let (x, y) = point;
    match (y - CLEARANCE - label.bottom, label.top - y - CLEARANCE) {
        (NEAR.., _) => Some([(x, y - CLEARANCE), (x, label.bottom + 2)]),
        (_, NEAR..) => Some([(x, y + CLEARANCE), (x, label.top - 2)]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Area = Area {
        left: 0,
        top: 0,
        right: 880,
        bottom: 400,
    };

    /// Sixty marked moves: at the upper end, in the middle, and alternating between both ends.
    #[test]
    fn labels_are_inside_and_cover_nothing() {
        for (heights, least) in [([5, 5], 10), ([200, 210], 10), ([5, 395], 20)] {
            let points: Vec<_> = (0..60)
                .map(|i| (i * 14 + 20, heights[i as usize % 2]))
                .collect();
            let mut labels = Labels::new(BOUNDS, 12);
            points.iter().for_each(|&point| labels.avoid_point(point));
            labels.avoid_line((0, 100), (880, 100));
            let placed = points
                .iter()
                .enumerate()
                .filter_map(|(i, &point)| labels.place("H8 -12", point, i % 2 == 0));
            let placed = placed.count();
            assert!(placed >= least, "{placed} at {heights:?}");
            assert_apart(&labels);
        }
    }

    #[test]
    fn labels_at_the_edge_are_inside_and_apart() {
        let mut labels = Labels::new(BOUNDS, 12);
        for i in 0..60 {
            let point = (i * 14 + 20, 200);
            labels.avoid_point(point);
            labels.place_at_edge("H8 -64", point, i % 2 == 0);
        }
        assert_apart(&labels);
    }

    #[track_caller]
    fn assert_apart(labels: &Labels) {
        for (i, label) in labels.placed.iter().enumerate() {
            assert!(label.is_in(BOUNDS), "{label:?}");
            let mut others = labels.placed[..i].iter().chain(&labels.obstacles);
            assert!(!others.any(|other| label.overlaps(*other)), "{label:?}");
        }
    }
}
