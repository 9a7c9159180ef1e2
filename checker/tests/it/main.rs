//! The checker against the kernels that it is for.

mod differential;
mod features;
