//! The extension module of the Python package `outflank`: the library's objects as Python has them, kernels over
//! NumPy arrays, and searches that leave the interpreter to other threads.

mod answers;
mod arguments;
mod arrays;
mod board;
mod book;
mod engine;
mod errors;
mod evaluation;
mod game;
mod inputs;
mod kernels;
mod learner;
mod limits;
mod many;
mod notation;
mod records;
mod result;
mod square;
mod worker;

use pyo3::prelude::*;

/// What `package/outflank/__init__.py` gives names to.
#[pymodule]
mod _outflank {
    #[pymodule_export]
    use super::board::Board;
    #[pymodule_export]
    use super::book::{Book, BookMove};
    #[pymodule_export]
    use super::engine::Engine;
    #[pymodule_export]
    use super::evaluation::{Weights, evaluate};
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::inputs::{move_masks, planes, symmetries};
    #[pymodule_export]
    use super::kernels::{
        apply, canonical, children, features, final_scores, flip, hash, isas, mobility, perft,
        potential_mobility, selected_isa, stability,
    };
    #[pymodule_export]
    use super::learner::{BookLearner, BookSearch};
    #[pymodule_export]
    use super::limits::search_depth;
    #[pymodule_export]
    use super::many::solve_many;
    #[pymodule_export]
    use super::notation::{Problem, read, write};
    #[pymodule_export]
    use super::records::{read_records, write_records};
    #[pymodule_export]
    use super::result::{Candidate, Judgement, SearchResult};
    #[pymodule_export]
    use super::square::{square_index, square_name};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
