//! WebAssembly module of the npm package in `bindings/web/package`. Functions that JavaScript can do itself are in the
//! package.
//!
//! Squares are numbers, A1 = 0 to H8 = 63, and a pass is -1. Positions are texts as in OBF: 64 squares and the side to
//! move. Errors are texts that say what is wrong and where. Classes have the prefix `Core` in JavaScript: `WebGame` is
//! `CoreGame`.

mod book;
mod collection;
pub mod engine;
mod game;
pub mod kernels;
pub mod skill;
mod threads;
mod values;

use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

/// Runs when the module is loaded: makes a panic print its message and place.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// Best instruction-set level of this module: `simd128` or `portable`.
#[wasm_bindgen]
pub fn isa() -> String {
    outflank::Isa::detect().name().to_owned()
}

/// Converts an error to one of JavaScript.
fn error(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}
