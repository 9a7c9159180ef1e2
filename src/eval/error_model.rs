//! How far a deep search is from a shallow one: what selective cuts (ProbCut: Buro, "ProbCut: an
//! effective selective extension of the alpha-beta algorithm", 1995) are decided by.

/// The standard deviation of the value of a deep search less that of a shallow one.
///
/// Its logarithm is a polynomial of the empty squares and the logarithms of the depths: a quadratic one
/// where both searches end in evaluations, a linear one where the deep one goes to the end of the game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ErrorModel {
    /// The coefficients of [`ErrorModel::midgame_terms`] in the logarithm of sigma in discs.
    pub midgame: [f32; 10],
    /// Those of [`ErrorModel::endgame_terms`].
    pub endgame: [f32; 4],
}

impl ErrorModel {
    /// For linear weights whose file has none: measured for those that were bundled until November 2026.
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

    /// That of the bundled weights, and for other networks whose file has none.
    pub const NETWORK: ErrorModel = ErrorModel {
        midgame: [
            1.2785983,
            0.00925326,
            0.3257237,
            -0.55634594,
            -0.00035137282,
            -0.009353541,
            -0.23464605,
            -0.0022977549,
            -0.002407635,
            0.2752459,
        ],
        endgame: [1.741857, -0.013608582, -0.2563093, 0.18922347],
    };

    /// Sigma in discs with `empties` empty squares for a search of `depth` plies, exact where that is
    /// all of them or more, against one of `reduced` plies (0: the static value).
    pub fn sigma(&self, empties: u32, depth: u32, reduced: u32) -> f32 {
        let exponent = if depth >= empties {
            product(&self.endgame, &ErrorModel::endgame_terms(empties, reduced))
        } else {
            product(
                &self.midgame,
                &ErrorModel::midgame_terms(empties, depth, reduced),
            )
        };
        exponent.exp()
    }

    /// 1, e, d, r, e², d², r², ed, er, dr for e empty squares and searches of exp(d) - 1 and exp(r) - 1
    /// plies.
    pub fn midgame_terms(empties: u32, depth: u32, reduced: u32) -> [f32; 10] {
        let (e, [d, r]) = (empties as f32, [depth, reduced].map(logarithm));
        [1.0, e, d, r, e * e, d * d, r * r, e * d, e * r, d * r]
    }

    /// 1, e, r, s for e empty squares, all of them searched, and a search of exp(r) - 1 plies, which is
    /// exp(s) - 1 plies short of the end. No squares: solves are measured with few empty squares and
    /// selective cuts made with many. More than 30 are as 30, because sigma would go on falling.
    pub fn endgame_terms(empties: u32, reduced: u32) -> [f32; 4] {
        let short = empties.saturating_sub(reduced);
        let empties = empties.min(MAX_EMPTIES) as f32;
        [1.0, empties, logarithm(reduced), logarithm(short)]
    }
}

/// With so many empty squares searches to the end are as near to shallow ones as they ever are: on FFO
/// #40-59 (20 to 34 empties) selective ones are as certain as they say.
const MAX_EMPTIES: u32 = 30;

fn logarithm(depth: u32) -> f32 {
    (depth as f32).ln_1p()
}

fn product(coefficients: &[f32], terms: &[f32]) -> f32 {
    coefficients
        .iter()
        .zip(terms)
        .map(|(c, term)| c * term)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Model;

    /// The constants are those of the file.
    #[test]
    fn the_model_of_networks_is_that_of_the_bundled_weights() {
        let Some(model) = Model::embedded() else {
            return;
        };
        let theirs = model.error.expect("the file has one");
        let all = |model: ErrorModel| [&model.midgame[..], &model.endgame[..]].concat();
        for (a, b) in all(theirs).into_iter().zip(all(ErrorModel::NETWORK)) {
            assert!((a - b).abs() <= 1e-5 * a.abs(), "{theirs:?}");
        }
    }
}
