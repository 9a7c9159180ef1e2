//! What holds weights together that training data says little about: decay draws them to nothing, and
//! smoothing draws those of neighbouring stages to each other.

use super::vector;

/// A row of vectors of equal length, one for each stage, and what they cost besides the errors:
///
///   decay / 2 Σ x² + smooth / 2 Σ (x of a stage - x of the next)² / empty squares between the two
///
/// Both are in positions: a weight that is in as many of them as `decay` is drawn half way to nothing.
#[derive(Debug)]
pub(super) struct Chain {
    /// Elements of a stage.
    width: usize,
    decay: f32,
    /// What holds each stage to the next.
    bonds: Vec<f32>,
}

impl Chain {
    /// A chain of the stages with these numbers of empty squares, in ascending order.
    pub(super) fn new(empties: &[u8], width: usize, decay: f32, smooth: f32) -> Chain {
        let bond = |pair: &[u8]| smooth / f32::from(pair[1] - pair[0]);
        Chain {
            width,
            decay,
            bonds: empties.windows(2).map(bond).collect(),
        }
    }

    /// The number of stages.
    pub(super) fn stages(&self) -> usize {
        self.bonds.len() + 1
    }

    /// The number of elements of all stages.
    pub(super) fn len(&self) -> usize {
        self.stages() * self.width
    }

    /// Adds the gradient of the cost at `x`, A x, to `gradient`.
    pub(super) fn add_gradient(&self, x: &[f32], gradient: &mut [f32]) {
        vector::add(gradient, self.decay, x);
        for (stage, &bond) in self.bonds.iter().enumerate() {
            let [here, next] = self.pair(x, stage);
            let (gradient, next_gradient) =
                gradient[stage * self.width..][..2 * self.width].split_at_mut(self.width);
            vector::add(gradient, bond, here);
            vector::add(gradient, -bond, next);
            vector::add(next_gradient, bond, next);
            vector::add(next_gradient, -bond, here);
        }
    }

    /// x A y. The cost at x is half x A x.
    pub(super) fn product(&self, x: &[f32], y: &[f32]) -> f64 {
        let mut product = f64::from(self.decay) * vector::dot(x, y);
        for (stage, &bond) in self.bonds.iter().enumerate() {
            let [x, next_x] = self.pair(x, stage);
            let [y, next_y] = self.pair(y, stage);
            let [sum] = vector::sums([x, next_x, y, next_y], |[x, next_x, y, next_y]| {
                [f64::from(x - next_x) * f64::from(y - next_y)]
            });
            product += f64::from(bond) * sum;
        }
        product
    }

    /// A stage's elements of `x` and those of the next stage.
    fn pair<'a>(&self, x: &'a [f32], stage: usize) -> [&'a [f32]; 2] {
        let (here, next) = x[stage * self.width..][..2 * self.width].split_at(self.width);
        [here, next]
    }

    /// Makes a preconditioner of A and of what the errors add to it: `own` to the diagonal, for each
    /// element of each stage, and `next` between a stage's element and the next stage's.
    pub(super) fn factor(&self, mut own: Vec<f32>, mut next: Vec<f32>) -> Factor {
        for (stage, own) in own.chunks_exact_mut(self.width).enumerate() {
            let before = stage
                .checked_sub(1)
                .map_or(0.0, |before| self.bonds[before]);
            let after = self.bonds.get(stage).copied().unwrap_or(0.0);
            for own in own {
                // What nothing holds stays where it is: its gradient is 0.
                *own = (*own + self.decay + before + after).max(1e-9);
            }
        }
        for (stage, next) in next.chunks_exact_mut(self.width).enumerate() {
            let (own, later) = own[stage * self.width..].split_at_mut(self.width);
            for ((next, own), later) in next.iter_mut().zip(own).zip(later) {
                let between = *next - self.bonds[stage];
                *next = between / *own;
                // Where all positions are between the two stages and nothing else holds them, what is
                // left is 0 but for rounding.
                *later = (*later - *next * between).max(1e-3 * *later);
            }
        }
        for own in &mut own {
            *own = own.recip();
        }
        Factor {
            width: self.width,
            inverse: own,
            lower: next,
        }
    }
}

/// L D Lᵀ of a matrix that joins each element to the same one of the next stage: a tridiagonal matrix
/// for each.
#[derive(Debug)]
pub(super) struct Factor {
    width: usize,
    /// The inverse of D.
    inverse: Vec<f32>,
    /// L below its diagonal.
    lower: Vec<f32>,
}

impl Factor {
    /// The solution of L D Lᵀ z = x, in place of `x`.
    pub(super) fn solve(&self, x: &mut [f32]) {
        for (stage, lower) in self.lower.chunks_exact(self.width).enumerate() {
            let (here, next) = x[stage * self.width..].split_at_mut(self.width);
            for ((next, here), lower) in next.iter_mut().zip(here).zip(lower) {
                *next -= lower * *here;
            }
        }
        vector::change(x, &self.inverse, |x, inverse| x * inverse);
        for (stage, lower) in self.lower.chunks_exact(self.width).enumerate().rev() {
            let (here, next) = x[stage * self.width..].split_at_mut(self.width);
            for ((here, next), lower) in here.iter_mut().zip(next).zip(lower) {
                *here -= lower * *next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gradient and the products are those of the cost as it is defined, and what the preconditioner
    /// solves is the matrix: A (A⁻¹ x) = x.
    #[test]
    fn gradients_products_and_solutions_are_those_of_the_cost() {
        const WIDTH: usize = 37;
        let empties = [3, 4, 8, 20];
        let chain = Chain::new(&empties, WIDTH, 0.5, 6.0);
        let vector = |seed: f32| -> Vec<f32> {
            let element = |index| ((index as f32 + seed) * 1.7).sin();
            (0..chain.len()).map(element).collect()
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
        assert!((chain.product(&x, &y) - expected).abs() < 1e-3);
        assert!((chain.product(&x, &x) - 2.0 * cost(&x)).abs() < 1e-3);
        let mut gradient = vec![0.0; chain.len()];
        chain.add_gradient(&x, &mut gradient);
        assert!((vector::dot(&gradient, &y) - expected).abs() < 1e-3);

        let nothing = |stages: usize| vec![0.0; stages * WIDTH];
        let factor = chain.factor(nothing(4), nothing(3));
        let mut solution = x.clone();
        factor.solve(&mut solution);
        let mut product = nothing(4);
        chain.add_gradient(&solution, &mut product);
        let error = x.iter().zip(&product).map(|(x, y)| (x - y).abs());
        assert!(error.fold(0.0, f32::max) < 1e-4);
    }
}
