//! Weaker play on purpose.

use outflank::notation::read_position;
use outflank::skill::{NAMED_SKILLS, Skill, SkillPlayer};
use outflank::{Limits, Square};
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::error;
use crate::values::to_js;

/// Names of skills with their ratings, the weakest first: `NamedSkill` of the package.
#[wasm_bindgen]
pub fn skills() -> JsValue {
    let skills = NAMED_SKILLS.map(|named| json!({ "name": named.name, "rating": named.rating }));
    to_js(&skills.into_iter().collect())
}

/// Player that draws its moves.
#[wasm_bindgen(js_name = CoreSkillPlayer)]
pub struct WebSkillPlayer {
    player: SkillPlayer,
}

#[wasm_bindgen(js_class = CoreSkillPlayer)]
impl WebSkillPlayer {
    /// Makes a player of a skill, which may be a name or lost discs.
    #[wasm_bindgen(constructor)]
    pub fn new(skill: &str, seed: f64) -> Result<WebSkillPlayer, JsError> {
        let skill: Skill = skill.parse().map_err(error)?;
        let player = SkillPlayer::new(skill, seed as u64);
        Ok(WebSkillPlayer { player })
    }

    /// Limits of the search that scores the moves of a position: `SearchLimits` of the package.
    pub fn limits(&self, position: &str) -> Result<JsValue, JsError> {
        let (board, _) = read_position(position).map_err(error)?;
        let Limits {
            depth,
            selectivity,
            lines,
            ..
        } = self.player.limits(board);
        Ok(to_js(&json!({
            "depth": depth,
            "selectivity": selectivity.percent(),
            "lines": lines,
        })))
    }

    /// Draws one of the moves with their scores, and returns its index; undefined if there are none.
    pub fn choose(
        &mut self,
        position: &str,
        plies: &[i32],
        scores: &[i32],
    ) -> Result<Option<usize>, JsError> {
        let (board, side) = read_position(position).map_err(error)?;
        let plies = plies
            .iter()
            .map(|&ply| u8::try_from(ply).ok().and_then(Square::new));
        let moves: Vec<_> = plies.zip(scores.iter().copied()).collect();
        Ok(self.player.choose_move(board, side, &moves))
    }
}
