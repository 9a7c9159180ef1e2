//! The error model: the difference between deep and shallow searches, on which selective cuts are based (Buro,
//! "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995).

/// The standard deviation of the value of a deep search minus that of a shallow one.
///
/// Its logarithm is a polynomial of the empty squares and the logarithms of the depths. The polynomial is quadratic if
/// both searches end in evaluations, and linear if the deep search goes to the end of the game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ErrorModel {
    /// The coefficients of [`ErrorModel::midgame_terms`] in the logarithm of sigma in discs.
    pub midgame: [f32; 10],
    /// The coefficients of [`ErrorModel::endgame_terms`] in the logarithm of sigma in discs.
    pub endgame: [f32; 4],
}

impl ErrorModel {
    /// The default for linear weights, measured for those that were bundled until November 2026.
    pub const LINEAR: ErrorModel = ErrorModel {
        midgame: [
            1.50789,
            -0.0189023,
            0.568899,
            -0.701763,
            5.85609e-05,
            -0.0636039,
            -0.291051,
            -0.00207628,
            -0.000743918,
            0.360909,
        ],
        endgame: [1.34789, -0.0617245, -0.123269, 0.64597],
    };

    /// The default for networks: the error model of the bundled weights.
    pub const NETWORK: ErrorModel = ErrorModel {
        midgame: [
            1.3390888,
            -0.00044927094,
            0.3741273,
            -0.5039414,
            -0.00027624614,
            -0.028330304,
            -0.22795413,
            -0.001023388,
            -0.0022140704,
            0.2516934,
        ],
        endgame: [1.741857, -0.013608582, -0.2563093, 0.18922347],
    };

    /// Sigma in discs with `empties` empty squares, for a search of `depth` plies against one of `reduced` plies. A
    /// `reduced` of 0 is the static value. A `depth` of `empties` or more goes to the end of the game.
    pub fn sigma(&self, empties: u32, depth: u32, reduced: u32) -> f32 {
        let exponent = if depth >= empties {
            product(&self.endgame, &ErrorModel::endgame_terms(empties, reduced))
        } else {
            let terms = ErrorModel::midgame_terms(empties, depth, reduced);
            product(&self.midgame, &terms)
        };
        f64::from(exponent).exp() as f32
    }

    /// The terms 1, e, d, r, e², d², r², ed, er and dr. There are e empty squares; the deep search has exp(d) - 1 plies
    /// and the shallow one exp(r) - 1.
    pub fn midgame_terms(empties: u32, depth: u32, reduced: u32) -> [f32; 10] {
        let (e, [d, r]) = (empties as f32, [depth, reduced].map(logarithm));
        [1.0, e, d, r, e * e, d * d, r * r, e * d, e * r, d * r]
    }

    /// The terms 1, e, r and s of a solve with e empty squares. The shallow search has exp(r) - 1 plies and stops
    /// exp(s) - 1 plies short of the end.
    ///
    /// There are no quadratic terms, because the model is extrapolated: solves are measured with few empty squares, but
    /// selective cuts are made with many. Above 30 empty squares e is 30, since sigma would otherwise fall further.
    pub fn endgame_terms(empties: u32, reduced: u32) -> [f32; 4] {
        let short = empties.saturating_sub(reduced);
        let empties = empties.min(MAX_TERM_EMPTIES) as f32;
        [1.0, empties, logarithm(reduced), logarithm(short)]
    }
}

/// The limit of empty squares in [`ErrorModel::endgame_terms`]. With it, selective solves of FFO #40-59 (20 to 34
/// empties) are right as often as their selectivity says.
const MAX_TERM_EMPTIES: u32 = 30;

/// The logarithm of `depth` + 1. It is computed in 64 bits, whose last ones may differ from platform to platform, and
/// rounded to 32.
fn logarithm(depth: u32) -> f32 {
    f64::from(depth).ln_1p() as f32
}

fn product(coefficients: &[f32], terms: &[f32]) -> f32 {
    let products = coefficients.iter().zip(terms).map(|(c, term)| c * term);
    products.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::model::Model;

    #[test]
    fn the_bundled_weights_have_the_default_for_networks() {
        let Some(model) = Model::embedded() else {
            return;
        };
        let bundled = model.error.expect("the bundled weights have one");
        let all = |model: ErrorModel| [&model.midgame[..], &model.endgame[..]].concat();
        for (a, b) in all(bundled).into_iter().zip(all(ErrorModel::NETWORK)) {
            assert!((a - b).abs() <= 1e-5 * a.abs(), "{bundled:?}");
        }
    }
}
