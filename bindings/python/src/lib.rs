//! Extension module of the Python package `outflank`: objects of the library, kernels over NumPy arrays, and searches
//! that leave the interpreter to other threads.
//!
//! Classes of Python have the prefix `Py`: `PyBoard` is `Board` in Python, and `Board` is the type of the library. A
//! function such as `game_of` reads an argument. The stubs, `package/outflank/_outflank.pyi`, repeat the documentation
//! of classes and functions.

mod answers;
mod arguments;
mod arrays;
mod board;
mod book;
mod certificate;
mod engine;
mod errors;
mod evaluation;
mod game;
mod game_database;
mod kernels;
mod learner;
mod limits;
mod many;
mod notation;
mod optional;
mod position;
mod records;
mod result;
mod skill;
mod square;
mod worker;

use pyo3::prelude::*;

/// Items that `package/outflank/__init__.py` re-exports.
#[pymodule]
mod _outflank {
    use super::*;
    #[pymodule_export]
    use super::{
        board::PyBoard,
        book::{PyBook, PyBookMove, PyLineCounts},
        certificate::{PyClaim, verify},
        engine::PyEngine,
        evaluation::{PyWeights, evaluate},
        game::PyGame,
        game_database::{PyGameDatabase, PyGameMove, add_games},
        kernels::{
            apply, canonical, children, features, final_scores, flip, hash, isas, mobility,
            move_masks, perft, planes, potential_mobility, selected_isa, stability, symmetries,
        },
        learner::{PyBookLearner, PyBookSearch},
        limits::search_depth,
        many::solve_many,
        notation::{PyProblem, read, write},
        records::{read_records, write_records},
        result::{PyCandidate, PyJudgement, PySearchResult},
        skill::{PySkillPlayer, skills},
        square::{square_index, square_name},
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
