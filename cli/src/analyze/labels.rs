//! Label placement: beside the point, without overlap.

use crate::picture::width;

/// A rectangle in pixels, both ends included.
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

    /// The rectangle with a pixel on each side around a horizontal or vertical line.
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

    fn meets(self, other: Area) -> bool {
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

/// Places labels one after another.
pub(super) struct Labels {
    /// No label leaves it.
    bounds: Area,
    /// Size of the font.
    size: i32,
    /// Lines and points of the picture.
    drawn: Vec<Area>,
    /// Labels that have their places.
    labels: Vec<Area>,
}

/// Half of what a labelled point takes, in each direction.
const POINT: i32 = 7;

impl Labels {
    /// No labels yet, of a font of this size.
    pub(super) fn new(bounds: Area, size: i32) -> Labels {
        Labels {
            bounds,
            size,
            drawn: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// Keeps labels away from a point.
    pub(super) fn avoid_point(&mut self, point: (i32, i32)) {
        self.drawn.push(Area::around(point, (2 * POINT, 2 * POINT)));
    }

    /// Keeps labels away from a horizontal or vertical line.
    pub(super) fn avoid_line(&mut self, from: (i32, i32), to: (i32, i32)) {
        self.drawn.push(Area::along(from, to));
    }

    /// Places a label above or below `point`, preferably as `is_up` says, where it covers nothing; `None` where
    /// there is no such place nearby.
    pub(super) fn place(&mut self, text: &str, point: (i32, i32), is_up: bool) -> Option<Area> {
        /// Steps of half a row. A label that is farther away can no longer be told to belong to its point.
        const STEPS: i32 = 9;
        let (width, height) = (width(text, self.size) + 4, self.size);
        let (half, Area { left, right, .. }) = (width / 2 + 1, self.bounds);
        let places = (0..STEPS).flat_map(|step| {
            let away = POINT + 2 + height / 2 + step * height / 2;
            let (near, other) = if is_up { (-away, away) } else { (away, -away) };
            [near, other].into_iter().flat_map(move |dy| {
                // Moved aside, but not so far that the point is no longer above or below it.
                [0, -width / 4, width / 4, -width / 2, width / 2].map(|dx| {
                    let x = (point.0 + dx).clamp(left + half, (right - half).max(left + half));
                    Area::around((x, point.1 + dy), (width, height))
                })
            })
        });
        let places: Vec<Area> = places.collect();
        let place = places.into_iter().find(|&place| {
            let is_free = |taken: &&Area| !place.meets(**taken);
            let leader = leader(point, place);
            place.is_in(self.bounds)
                && self
                    .drawn
                    .iter()
                    .chain(&self.labels)
                    .all(|one| is_free(&one))
                && leader.is_none_or(|[from, to]| {
                    let line = Area::along(from, to);
                    self.labels.iter().all(|label| !line.meets(*label))
                })
        })?;
        self.add(point, place);
        Some(place)
    }

    /// Places an upright label at the upper or lower edge, straight above or below its point.
    pub(super) fn place_at_edge(&mut self, text: &str, point: (i32, i32), is_up: bool) -> Area {
        let length = width(text, self.size) + 4;
        let y = match is_up {
            true => self.bounds.top + 2 + length / 2,
            false => self.bounds.bottom - 2 - length / 2,
        };
        let place = Area::around((point.0, y), (self.size, length));
        self.add(point, place);
        place
    }

    fn add(&mut self, point: (i32, i32), place: Area) {
        self.labels.push(place);
        if let Some([from, to]) = leader(point, place) {
            self.drawn.push(Area::along(from, to));
        }
    }
}

/// The line from a point to its label; `None` where they are side by side.
pub(super) fn leader(point: (i32, i32), label: Area) -> Option<[(i32, i32); 2]> {
    /// The longest gap without a line.
    const NEAR: i32 = 6;
    let (x, y) = point;
    match (y - POINT - label.bottom, label.top - y - POINT) {
        (NEAR.., _) => Some([(x, y - POINT), (x, label.bottom + 2)]),
        (_, NEAR..) => Some([(x, y + POINT), (x, label.top - 2)]),
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

    /// Sixty moves that all lost something, at the upper end, in the middle, and at both ends alternately.
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

    /// There is a place at the edge for the label of every move.
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
        for (i, one) in labels.labels.iter().enumerate() {
            assert!(one.is_in(BOUNDS), "{one:?}");
            let others = &labels.labels[..i];
            assert!(!others.iter().any(|other| one.meets(*other)), "{one:?}");
            assert!(!labels.drawn.iter().any(|line| one.meets(*line)), "{one:?}");
        }
    }
}
