//! Extension module of the Python package `outflank`: objects of the library, kernels over NumPy arrays, and searches
//! that leave the interpreter to other threads.
//!
//! Classes of Python have the prefix `Py`: `PyBoard` is `Board` in Python, and `Board` is the type of the library. A
//! type such as `GameArgument` reads an argument. The documentation of classes and functions also stands in the stubs,
//! `package/outflank/_outflank.pyi`.

mod answers;
mod arguments;
mod arrays;
mod board;
mod book;
mod engine;
mod errors;
mod evaluation;
mod game;
mod kernels;
mod learner;
mod limits;
mod many;
mod notation;
mod planes;
mod position;
mod records;
mod result;
mod square;
mod worker;

use pyo3::prelude::*;

/// Items that `package/outflank/__init__.py` re-exports.
#[pymodule]
mod _outflank {
    #[pymodule_export]
    use super::board::PyBoard;
    #[pymodule_export]
    use super::book::{PyBook, PyBookMove};
    #[pymodule_export]
    use super::engine::PyEngine;
    #[pymodule_export]
    use super::evaluation::{PyWeights, evaluate};
    #[pymodule_export]
    use super::game::PyGame;
    #[pymodule_export]
    use super::kernels::{
        apply, canonical, children, features, final_scores, flip, hash, isas, mobility, move_masks,
        perft, potential_mobility, selected_isa, stability, symmetries,
    };
    #[pymodule_export]
    use super::learner::{PyBookLearner, PyBookSearch};
    #[pymodule_export]
    use super::limits::search_depth;
    #[pymodule_export]
    use super::many::solve_many;
    #[pymodule_export]
    use super::notation::{PyProblem, read, write};
    #[pymodule_export]
    use super::planes::planes;
    #[pymodule_export]
    use super::records::{read_records, write_records};
    #[pymodule_export]
    use super::result::{PyCandidate, PyJudgement, PySearchResult};
    #[pymodule_export]
    use super::square::{square_index, square_name};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
