//! The terms that are fitted, and one step of conjugate gradients over them.
//!
//! The method is nonlinear conjugate gradients with Polak and Ribière's choice of the next direction
//! (Nocedal and Wright, "Numerical Optimization", 2nd edition, section 5.2), preconditioned by what each
//! term would be on its own: a tridiagonal matrix over the stages of the game.

use super::chain::{Chain, Factor};
use super::vector;

/// Terms over the stages of the game: those of a class of features, or the biases.
pub(super) struct Terms {
    chain: Chain,
    factor: Factor,
    /// What has been found so far, in discs; like all of these, stage after stage.
    pub(super) values: Vec<f32>,
    /// Which way the next step goes.
    pub(super) direction: Vec<f32>,
    /// The gradient of the loss and the chain's cost.
    pub(super) gradient: Vec<f32>,
    /// The same, preconditioned.
    preconditioned: Vec<f32>,
}

/// Products of the terms' vectors, of which the sums over all terms decide how to go on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Products {
    /// The gradient by itself, preconditioned.
    pub(super) gradient: f64,
    /// The gradient before by this one, preconditioned.
    pub(super) before: f64,
    /// The direction so far by the gradient.
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

/// How the chain's cost changes along the direction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    pub(super) slope: f64,
    pub(super) curvature: f64,
}

impl Terms {
    /// Terms of nothing. What the errors add to the second derivatives is `own` for each term and `next`
    /// between it and the next stage's.
    pub(super) fn new(chain: Chain, own: Vec<f32>, next: Vec<f32>) -> Terms {
        let zero = vec![0.0; chain.len()];
        Terms {
            factor: chain.factor(own, next),
            chain,
            values: zero.clone(),
            direction: zero.clone(),
            gradient: zero.clone(),
            preconditioned: zero,
        }
    }

    /// Takes the gradient of the loss where the terms are now.
    pub(super) fn set_gradient(&mut self, mut gradient: Vec<f32>) -> Products {
        self.chain.add_gradient(&self.values, &mut gradient);
        self.preconditioned.copy_from_slice(&gradient);
        self.factor.solve(&mut self.preconditioned);
        let products = Products {
            gradient: vector::dot(&gradient, &self.preconditioned),
            before: vector::dot(&self.gradient, &self.preconditioned),
            direction: vector::dot(&gradient, &self.direction),
        };
        self.gradient = gradient;
        products
    }

    /// Turns down the preconditioned gradient, going on along the direction so far by a share of
    /// `onward`.
    pub(super) fn turn(&mut self, onward: f32) {
        vector::change(&mut self.direction, &self.preconditioned, |onto, down| {
            onward * onto - down
        });
    }

    /// How the chain's cost changes along the direction.
    pub(super) fn cost_along(&self) -> Cost {
        Cost {
            slope: self.chain.product(&self.values, &self.direction),
            curvature: self.chain.product(&self.direction, &self.direction),
        }
    }

    /// What the chain costs.
    #[cfg(test)]
    pub(super) fn cost(&self) -> f64 {
        self.chain.product(&self.values, &self.values) / 2.0
    }

    /// Goes `length` steps along the direction.
    pub(super) fn advance(&mut self, length: f32) {
        vector::add(&mut self.values, length, &self.direction);
    }
}
