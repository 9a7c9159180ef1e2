//! Weaker play on purpose.

use std::sync::{Mutex, MutexGuard, PoisonError};

use outflank::skill::{NAMED_SKILLS, Skill, SkillPlayer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::arguments;
use super::board;

/// Player that loses a chosen number of discs over a whole game, for `Engine.play`.
///
/// `skill` is a name of `skills()`, the discs that a game loses ("40"), those of a move ("1.5/move"), or those of a game
/// in the opening, the middle game and the endgame ("5,20,10"). The same seed and the same searches give the same moves.
/// One player can play both sides, and any number of games one after another.
#[pyclass(name = "SkillPlayer", frozen, module = "outflank")]
pub(crate) struct PySkillPlayer(Mutex<SkillPlayer>);

impl PySkillPlayer {
    pub(crate) fn lock(&self) -> MutexGuard<'_, SkillPlayer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PySkillPlayer {
    #[new]
    #[pyo3(signature = (skill, *, seed=1))]
    fn new(
        #[pyo3(from_py_with = arguments::skill)] skill: &str,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
    ) -> PyResult<PySkillPlayer> {
        let skill = skill.parse::<Skill>();
        let skill = skill.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PySkillPlayer(Mutex::new(SkillPlayer::new(skill, seed))))
    }

    /// Name of the skill, or the discs that it loses in the three phases of a game.
    #[getter]
    fn skill(&self) -> String {
        self.lock().skill().to_string()
    }

    /// Discs that the moves of a side have lost so far in the game, by the searches of the player.
    fn lost(&self, #[pyo3(from_py_with = arguments::side)] side: &str) -> PyResult<f64> {
        let side = board::side(side)?;
        Ok(self.lock().lost(side))
    }

    fn __repr__(&self) -> String {
        format!("<outflank.SkillPlayer {}>", self.skill())
    }
}

/// Names of skills with their Elo ratings, the weakest first. A player of random moves has 0.
#[pyfunction]
pub(crate) fn skills(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let skills = PyDict::new(py);
    for named in NAMED_SKILLS {
        skills.set_item(named.name, named.rating)?;
    }
    Ok(skills)
}
