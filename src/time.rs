//! Clock of searches. In a browser the one of the standard library panics, so `web-time` replaces it.

#[cfg(not(target_family = "wasm"))]
pub(crate) use std::time::Instant;
#[cfg(target_family = "wasm")]
pub(crate) use web_time::Instant;
