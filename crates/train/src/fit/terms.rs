//! Terms of a fit, and their conjugate-gradient step.
//!
//! The method is nonlinear conjugate gradients with the Polak-Ribière update (Nocedal and Wright, "Numerical
//! Optimization", 2nd edition, section 5.2). The preconditioner is the tridiagonal Hessian of each term over the
//! stages, without couplings between terms.

use super::penalty::{Penalty, Preconditioner};
use super::vector;

/// Terms of a class of features, or the biases, over all stages. All vectors are stage after stage.
pub(super) struct Terms {
    penalty: Penalty,
    preconditioner: Preconditioner,
    /// Current values in discs.
    pub(super) values: Vec<f32>,
    pub(super) direction: Vec<f32>,
    /// Gradient of loss and penalty.
    pub(super) gradient: Vec<f32>,
    /// Preconditioned gradient.
    preconditioned: Vec<f32>,
}

/// Inner products that decide the next direction, to be summed over all terms.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Products {
    /// Gradient · preconditioned gradient.
    pub(super) gradient: f64,
    /// Previous gradient · preconditioned gradient.
    pub(super) before: f64,
    /// Direction · gradient.
    pub(super) direction: f64,
}

impl std::ops::Add for Products {
    type Output = Products;

    fn add(self, other: Products) -> Products {
        Products {
            gradient: self.gradient + other.gradient,
            before: self.before + other.before,
            direction: self.direction + other.direction,
        }
    }
}

impl Terms {
    /// Creates terms of value 0. `diagonal` and `off_diagonal` are the loss's Hessian: see [`Penalty::factor`].
    pub(super) fn new(penalty: Penalty, diagonal: Vec<f32>, off_diagonal: Vec<f32>) -> Terms {
        let zero = vec![0.0; penalty.len()];
        Terms {
            preconditioner: penalty.factor(diagonal, off_diagonal),
            penalty,
            values: zero.clone(),
            direction: zero.clone(),
            gradient: zero.clone(),
            preconditioned: zero,
        }
    }

    /// Sets the gradient from the gradient of the loss at the current values. Returns the products for the next
    /// direction.
    pub(super) fn set_gradient(&mut self, mut gradient: Vec<f32>) -> Products {
        self.penalty.add_gradient(&self.values, &mut gradient);
        self.preconditioned.copy_from_slice(&gradient);
        self.preconditioner.solve(&mut self.preconditioned);
        let products = Products {
            gradient: vector::dot(&gradient, &self.preconditioned),
            before: vector::dot(&self.gradient, &self.preconditioned),
            direction: vector::dot(&gradient, &self.direction),
        };
        self.gradient = gradient;
        products
    }

    /// Conjugate-gradient update: new direction = `beta` times the old one minus the preconditioned gradient.
    pub(super) fn update_direction(&mut self, beta: f32) {
        vector::change(&mut self.direction, &self.preconditioned, |old, down| {
            beta * old - down
        });
    }

    /// First and second derivative of the penalty along the search direction.
    pub(super) fn cost_along(&self) -> [f64; 2] {
        [&self.values, &self.direction].map(|x| self.penalty.product(x, &self.direction))
    }

    /// Penalty at the current values.
    #[cfg(test)]
    pub(super) fn cost(&self) -> f64 {
        self.penalty.product(&self.values, &self.values) / 2.0
    }

    /// Vectors that a checkpoint keeps.
    pub(super) fn vectors(&self) -> [&Vec<f32>; 3] {
        [&self.values, &self.direction, &self.gradient]
    }

    /// Mutable [`Terms::vectors`].
    pub(super) fn vectors_mut(&mut self) -> [&mut Vec<f32>; 3] {
        [&mut self.values, &mut self.direction, &mut self.gradient]
    }

    pub(super) fn advance(&mut self, length: f32) {
        vector::add(&mut self.values, length, &self.direction);
    }
}
