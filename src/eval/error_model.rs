//! How far a deep search is from a shallow one: what selective cuts (ProbCut: Buro, "ProbCut: an
//! effective selective extension of the alpha-beta algorithm", 1995) are decided by.

/// The standard deviation of the score of a deep search less that of a shallow one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ErrorModel {
    /// The coefficients of 1, e, d, r, e², d², r², ed, er, dr in the logarithm of sigma in discs, for
    /// e empty squares, a deep search of d plies and a shallow one of r.
    pub coefficients: [f32; 10],
}

impl ErrorModel {
    /// Sigma in discs with `empties` empty squares, `depth` plies against `reduced` plies.
    pub fn sigma(&self, empties: u32, depth: u32, reduced: u32) -> f32 {
        let terms = ErrorModel::terms(empties, depth, reduced);
        let exponent: f32 = self
            .coefficients
            .iter()
            .zip(terms)
            .map(|(c, term)| c * term)
            .sum();
        exponent.exp()
    }

    /// What the coefficients belong to.
    pub fn terms(empties: u32, depth: u32, reduced: u32) -> [f32; 10] {
        let [e, d, r] = [empties, depth, reduced].map(|count| count as f32);
        [1.0, e, d, r, e * e, d * d, r * r, e * d, e * r, d * r]
    }
}
