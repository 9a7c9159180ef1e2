//! Where the labels of a picture go: inside it, beside what they name, and none over another.

use crate::picture::width;

/// A rectangle in pixels, both ends included: left, top, right, bottom.
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

    /// The pixels that both have.
    fn shared(self, other: Area) -> i32 {
        let along = |from: i32, to: i32| (to - from + 1).max(0);
        along(self.left.max(other.left), self.right.min(other.right))
            * along(self.top.max(other.top), self.bottom.min(other.bottom))
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
    /// None goes outside.
    bounds: Area,
    size: i32,
    /// What is there already.
    taken: Vec<Area>,
}

/// Half of what a labelled point takes, in each direction.
const POINT: i32 = 7;

impl Labels {
    /// None yet; `size` is that of their font.
    pub(super) fn new(bounds: Area, size: i32) -> Labels {
        Labels {
            bounds,
            size,
            taken: Vec::new(),
        }
    }

    /// Keeps the labels away from a point.
    pub(super) fn avoid(&mut self, point: (i32, i32)) {
        self.taken.push(Area::around(point, (2 * POINT, 2 * POINT)));
    }

    /// The place of a label for `point`, preferably above or below it: as near as it is free, or where it
    /// covers least.
    pub(super) fn place(&mut self, text: &str, point: (i32, i32), is_up: bool) -> Area {
        /// So many rows away a label can no longer be told to belong to its point.
        const ROWS: i32 = 8;
        // With a pixel on either side, so that neighbours do not touch.
        let (width, height) = (width(text, self.size) + 2, self.size);
        let (half, Area { left, right, .. }) = (width / 2 + 1, self.bounds);
        let places = (0..ROWS).flat_map(|row| {
            let away = POINT + 1 + height / 2 + row * height;
            let (near, other) = if is_up { (-away, away) } else { (away, -away) };
            [near, other].into_iter().flat_map(move |dy| {
                // Moved aside a little, or as far as the bounds ask for.
                [0, -width / 4, width / 4].map(|dx| {
                    let x = (point.0 + dx).clamp(left + half, (right - half).max(left + half));
                    Area::around((x, point.1 + dy), (width, height))
                })
            })
        });
        let inside = places.filter(|place| place.is_in(self.bounds));
        let covered =
            |place: &Area| -> i32 { self.taken.iter().map(|taken| place.shared(*taken)).sum() };
        // The first of those that cover least.
        let best = inside.min_by_key(covered);
        let best = best.unwrap_or(Area::around(point, (width, height)));
        self.taken.push(best);
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_inside_and_apart() {
        let bounds = Area {
            left: 0,
            top: 0,
            right: 880,
            bottom: 400,
        };
        // Sixty moves that all lost something, at the upper end, in the middle, and at both ends alternately.
        for heights in [[5, 5], [200, 210], [5, 395]] {
            let points: Vec<_> = (0..60)
                .map(|i| (i * 14 + 20, heights[i as usize % 2]))
                .collect();
            let mut labels = Labels::new(bounds, 12);
            points.iter().for_each(|&point| labels.avoid(point));
            let placed: Vec<Area> = points
                .iter()
                .enumerate()
                .map(|(i, &point)| labels.place("H8 -12", point, i % 2 == 0))
                .collect();
            for (i, one) in placed.iter().enumerate() {
                assert!(one.is_in(bounds), "{one:?}");
                assert!(
                    placed[..i].iter().all(|other| one.shared(*other) == 0),
                    "{one:?}"
                );
            }
        }
    }
}
