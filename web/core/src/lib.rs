//! The library for JavaScript: what the package in `web/package` calls, and nothing that it could do itself.
//!
//! Squares are numbers, A1 = 0 to H8 = 63, and a pass is -1. Positions are texts of 64 squares and the side to
//! move, as OBF has them. Errors are texts that say what is wrong and where.

mod collection;
pub mod engine;
mod game;
pub mod kernels;
mod threads;
mod values;

use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// What a module does first: a panic is then an error that says where.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// The best instruction-set level of this module: `simd128` or `portable`.
#[wasm_bindgen]
pub fn isa() -> String {
    outflank::Isa::detect().name().to_owned()
}

/// Any error as one of JavaScript.
fn error(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}
