//! Games.

use outflank::diagram::Diagram;
use outflank::notation::{GameRecord, check_board, ggf, read_position, transcript};
use outflank::opening_names::opening_of;
use outflank::{Game, Square};
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::error;
use crate::values::{ply_number, position, to_js};

/// Game with its properties.
#[wasm_bindgen(js_name = CoreGame)]
pub struct WebGame {
    pub(crate) record: GameRecord,
}

#[wasm_bindgen(js_class = CoreGame)]
impl WebGame {
    /// Makes a game from a position, or from the usual start. A board without discs is an error.
    #[wasm_bindgen(constructor)]
    pub fn new(position: Option<String>) -> Result<WebGame, JsError> {
        let game = match position {
            None => Game::new(),
            Some(text) => {
                let (board, side) = read_position(&text).map_err(error)?;
                check_board(board).map_err(error)?;
                Game::from_start(board, side).map_err(error)?
            }
        };
        let record = GameRecord::new(game);
        Ok(WebGame { record })
    }

    /// Plays a move. A pass that is due is inserted before.
    pub fn play(&mut self, square: u8) -> Result<(), JsError> {
        let square = Square::new(square).ok_or_else(|| error("a square is 0 to 63"))?;
        self.record.game.play(square).map_err(error)
    }

    /// Passes, if the side to move has to.
    pub fn pass(&mut self) -> Result<(), JsError> {
        self.record.game.pass().map_err(error)
    }

    /// Takes back the last ply. Returns `false` at the start.
    pub fn undo(&mut self) -> bool {
        let undone = self.record.game.undo().is_some();
        self.record.notes.truncate(self.record.game.plies().len());
        undone
    }

    /// Plies of the game: squares, and -1 for passes.
    pub fn plies(&self) -> Vec<i32> {
        let plies = self.record.game.plies().iter();
        plies.map(|&ply| ply_number(ply)).collect()
    }

    /// Position after `plies` plies; undefined if the game has fewer.
    pub fn position(&self, plies: usize) -> JsValue {
        let game = &self.record.game;
        let Some(&now) = game.positions().get(plies) else {
            return JsValue::UNDEFINED;
        };
        let before = plies.checked_sub(1);
        let last = before.map(|before| (game.plies()[before], game.positions()[before]));
        position(now, last)
    }

    /// Copy of the game with only the first `plies` plies.
    pub fn prefix(&self, plies: usize) -> WebGame {
        let mut record = self.record.clone();
        while record.game.plies().len() > plies {
            record.game.undo();
        }
        record.notes.truncate(plies);
        WebGame { record }
    }

    /// Value of a property, by its name in GGF.
    pub fn property(&self, name: &str) -> Option<String> {
        self.record.property(name).map(str::to_owned)
    }

    /// Sets a property, by its name in GGF.
    #[wasm_bindgen(js_name = setProperty)]
    pub fn set_property(&mut self, name: &str, value: &str) -> Result<(), JsError> {
        self.record.set(name, value).map_err(error)
    }

    /// Writes the moves as a transcript. A game from an unusual start has none, which is an error.
    pub fn transcript(&self) -> Result<String, JsError> {
        transcript::write(&self.record.game).map_err(error)
    }

    /// Names of the most specific opening that the game passes through: `OpeningName` of the package. Undefined if there
    /// is none.
    pub fn opening(&self) -> JsValue {
        match opening_of(&self.record.game) {
            Some(opening) => to_js(&json!({
                "english": opening.english,
                "japanese": opening.japanese,
            })),
            None => JsValue::UNDEFINED,
        }
    }

    /// Writes the game as GGF.
    pub fn ggf(&self) -> String {
        ggf::write(&self.record)
    }

    /// SVG picture of the position after `plies` plies.
    pub fn svg(&self, plies: usize) -> Result<String, JsError> {
        let game = &self.record.game;
        let positions = game.positions();
        let &(board, side) = positions
            .get(plies)
            .ok_or_else(|| error(format!("ply {plies}: the game has {}", positions.len() - 1)))?;
        let last = plies.checked_sub(1).and_then(|last| game.plies()[last]);
        Ok(Diagram::new(board, side).last(last).svg())
    }
}
