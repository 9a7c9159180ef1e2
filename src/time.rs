//! Clock of searches. The standard library's clock panics in a browser, so `web-time` replaces it there.

#[cfg(not(target_family = "wasm"))]
pub(crate) use std::time::Instant;
#[cfg(target_family = "wasm")]
pub(crate) use web_time::Instant;
