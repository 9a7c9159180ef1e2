//! Search windows.

/// The scores that a search tells apart: those between `alpha` and `beta`. All scores at or below `alpha` count as one,
/// and so do all scores at or above `beta`.
///
/// ```
/// use outflank::Window;
///
/// let window = Window::new(-10, 10).unwrap();
/// assert_eq!((window.alpha(), window.clamp(64)), (-10, 10));
/// assert_eq!(Window::new(10, 10), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// All scores, -64..=64.
    pub const EXACT: Window = Window {
        alpha: -64,
        beta: 64,
    };

    /// Win, loss or draw.
    pub const WLD: Window = Window { alpha: -1, beta: 1 };

    /// The window with all scores strictly inside, so that a search returns -64 and 64 as exact scores, too.
    pub(super) const ALL: Window = Window {
        alpha: -65,
        beta: 65,
    };

    /// The window between `alpha` and `beta`, in discs; `None` unless -64 <= alpha < beta <= 64.
    pub const fn new(alpha: i32, beta: i32) -> Option<Window> {
        if -64 <= alpha && alpha < beta && beta <= 64 {
            Some(Window { alpha, beta })
        } else {
            None
        }
    }

    /// The lower end.
    pub const fn alpha(self) -> i32 {
        self.alpha
    }

    /// The upper end.
    pub const fn beta(self) -> i32 {
        self.beta
    }

    /// Clamps `score` to `alpha..=beta`.
    pub fn clamp(self, score: i32) -> i32 {
        score.clamp(self.alpha, self.beta)
    }

    /// The null window above `alpha`: "is the score greater?".
    #[inline(always)]
    pub(super) const fn null(alpha: i32) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// The window from the opponent's side.
    #[inline(always)]
    pub(super) const fn for_opponent(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// The lower and the upper bound that a fail-soft `score` of a search in this window proves. A bound that is not
    /// proven is -64 or 64.
    #[inline(always)]
    pub(super) fn proven_bounds(self, score: i32) -> (i32, i32) {
        let lower = if score > self.alpha { score } else { -64 };
        let upper = if score < self.beta { score } else { 64 };
        (lower, upper)
    }
}

/// The lower end of the null window above `alpha` from the opponent's side: `-alpha - 1`.
#[inline(always)]
pub(super) const fn opponent_alpha(alpha: i32) -> i32 {
    !alpha
}
