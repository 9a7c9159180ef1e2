//! Penalty that regularises weights with few positions: weight decay, and smoothing between neighbouring stages.

use super::vector;

/// Quadratic penalty ½ xᵀAx of a vector x for each stage:
///
///   decay / 2 Σ x² + smooth / 2 Σ (x of a stage - x of the next)² / empty squares between the two
///
/// Both coefficients are numbers of positions. A weight that occurs in `decay` positions is halved.
#[derive(Debug)]
pub(super) struct Penalty {
    /// Elements per stage.
    width: usize,
    decay: f32,
    /// Smoothing between each stage and the next.
    couplings: Vec<f32>,
}

impl Penalty {
    /// Creates the penalty for stages with these numbers of empty squares, in ascending order.
    pub(super) fn new(empties: &[u8], width: usize, decay: f32, smooth: f32) -> Penalty {
        let coupling = |pair: &[u8]| smooth / f32::from(pair[1] - pair[0]);
        Penalty {
            width,
            decay,
            couplings: empties.windows(2).map(coupling).collect(),
        }
    }

    /// Number of elements of all stages.
    pub(super) fn len(&self) -> usize {
        (self.couplings.len() + 1) * self.width
    }

    /// Adds Ax, the gradient of the penalty at `x`, to `gradient`.
    pub(super) fn add_gradient(&self, x: &[f32], gradient: &mut [f32]) {
        vector::add(gradient, self.decay, x);
        for (stage, &coupling) in self.couplings.iter().enumerate() {
            let (here, next) = pair(x, self.width, stage);
            let (gradient, next_gradient) = pair_mut(gradient, self.width, stage);
            vector::add(gradient, coupling, here);
            vector::add(gradient, -coupling, next);
            vector::add(next_gradient, coupling, next);
            vector::add(next_gradient, -coupling, here);
        }
    }

    /// Computes xᵀAy.
    pub(super) fn product(&self, x: &[f32], y: &[f32]) -> f64 {
        let mut product = f64::from(self.decay) * vector::dot(x, y);
        for (stage, &coupling) in self.couplings.iter().enumerate() {
            let (x, next_x) = pair(x, self.width, stage);
            let (y, next_y) = pair(y, self.width, stage);
            let [sum] = vector::sums([x, next_x, y, next_y], |[x, next_x, y, next_y]| {
                [f64::from(x - next_x) * f64::from(y - next_y)]
            });
            product += f64::from(coupling) * sum;
        }
        product
    }

    /// Factorises A plus the Hessian of the loss into a preconditioner. `diagonal` is the diagonal of the Hessian.
    /// `off_diagonal` has its entries between each element and the same element of the next stage.
    pub(super) fn factor(
        &self,
        mut diagonal: Vec<f32>,
        mut off_diagonal: Vec<f32>,
    ) -> Preconditioner {
        // The first stage has no coupling before it, and the last one none after it.
        let before = [&[0.0], &self.couplings[..]].concat();
        let after = self.couplings.iter().chain([&0.0]);
        let stages = diagonal.chunks_exact_mut(self.width);
        for ((diagonal, before), after) in stages.zip(before).zip(after) {
            for entry in diagonal {
                // Without penalty and positions the entry and the gradient are 0. The bound avoids a division by 0.
                *entry = (*entry + self.decay + before + after).max(1e-9);
            }
        }
        for (stage, lower) in off_diagonal.chunks_exact_mut(self.width).enumerate() {
            let (here, next) = pair_mut(&mut diagonal, self.width, stage);
            for ((lower, here), next) in lower.iter_mut().zip(here).zip(next) {
                let between = *lower - self.couplings[stage];
                *lower = between / *here;
                // Without a penalty, positions between two stages give a singular matrix. The bound absorbs rounding.
                *next = (*next - *lower * between).max(1e-3 * *next);
            }
        }
        for entry in &mut diagonal {
            *entry = entry.recip();
        }
        Preconditioner {
            width: self.width,
            inverse: diagonal,
            lower: off_diagonal,
        }
    }
}

/// Elements of a stage and of the next stage.
fn pair(x: &[f32], width: usize, stage: usize) -> (&[f32], &[f32]) {
    x[stage * width..][..2 * width].split_at(width)
}

/// Mutable [`pair`].
fn pair_mut(x: &mut [f32], width: usize, stage: usize) -> (&mut [f32], &mut [f32]) {
    x[stage * width..][..2 * width].split_at_mut(width)
}

/// Factorisation L D Lᵀ of a tridiagonal matrix over the stages for each element.
#[derive(Debug)]
pub(super) struct Preconditioner {
    width: usize,
    /// Inverse of D.
    inverse: Vec<f32>,
    /// Subdiagonal of L.
    lower: Vec<f32>,
}

impl Preconditioner {
    /// Solves L D Lᵀ z = x in place.
    pub(super) fn solve(&self, x: &mut [f32]) {
        for (stage, lower) in self.lower.chunks_exact(self.width).enumerate() {
            let (here, next) = pair_mut(x, self.width, stage);
            for ((next, here), lower) in next.iter_mut().zip(here).zip(lower) {
                *next -= lower * *here;
            }
        }
        vector::change(x, &self.inverse, |x, inverse| x * inverse);
        for (stage, lower) in self.lower.chunks_exact(self.width).enumerate().rev() {
            let (here, next) = pair_mut(x, self.width, stage);
            for ((here, next), lower) in here.iter_mut().zip(next).zip(lower) {
                *here -= lower * *next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradient_product_and_solution_match_the_definition() {
        const WIDTH: usize = 37;
        let empties = [3, 4, 8, 20];
        let penalty = Penalty::new(&empties, WIDTH, 0.5, 6.0);
        let vector = |seed: f32| -> Vec<f32> {
            let element = |index| ((index as f32 + seed) * 1.7).sin();
            (0..penalty.len()).map(element).collect()
        };
        let cost = |x: &[f32]| -> f64 {
            let squares =
                |x: &mut dyn Iterator<Item = f32>| -> f64 { x.map(|x| f64::from(x).powi(2)).sum() };
            let mut cost = 0.25 * squares(&mut x.iter().copied());
            for (stage, gap) in [1.0, 4.0, 12.0].into_iter().enumerate() {
                let at = |index: usize| x[index] - x[index + WIDTH];
                let stage = stage * WIDTH..(stage + 1) * WIDTH;
                cost += 3.0 / gap * squares(&mut stage.map(at));
            }
            cost
        };
        let (x, y) = (vector(0.0), vector(0.4));
        let sum: Vec<f32> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
        let expected = cost(&sum) - cost(&x) - cost(&y);
        assert!((penalty.product(&x, &y) - expected).abs() < 1e-3);
        assert!((penalty.product(&x, &x) - 2.0 * cost(&x)).abs() < 1e-3);
        let mut gradient = vec![0.0; penalty.len()];
        penalty.add_gradient(&x, &mut gradient);
        assert!((vector::dot(&gradient, &y) - expected).abs() < 1e-3);

        let zero = |stages: usize| vec![0.0; stages * WIDTH];
        let factor = penalty.factor(zero(4), zero(3));
        let mut solution = x.clone();
        factor.solve(&mut solution);
        let mut product = zero(4);
        penalty.add_gradient(&solution, &mut product);
        let error = x.iter().zip(&product).map(|(x, y)| (x - y).abs());
        assert!(error.fold(0.0, f32::max) < 1e-4);
    }
}
