//! Files of games and positions.

use outflank::Game;
use outflank::notation::wthor::Names;
use outflank::notation::{Contents, Format, GameRecord, Place, read_named};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::error;
use crate::game::WebGame;
use crate::values::to_js;

/// What the pages of a file say about faulty places, at most.
const MAX_FAULTS: usize = 20;

/// What the numbers of a WTHOR database stand for.
#[wasm_bindgen(js_name = CoreNames)]
#[derive(Default)]
pub struct WebNames {
    names: Names,
}

#[wasm_bindgen(js_class = CoreNames)]
impl WebNames {
    /// No names.
    #[wasm_bindgen(constructor)]
    pub fn new() -> WebNames {
        WebNames::default()
    }

    /// Reads the players of `WTHOR.JOU`. An error changes nothing.
    #[wasm_bindgen(js_name = readPlayers)]
    pub fn read_players(&mut self, file: &[u8]) -> Result<(), JsError> {
        self.names.read_players(file).map_err(error)
    }

    /// Reads the tournaments of `WTHOR.TRN`. An error changes nothing.
    #[wasm_bindgen(js_name = readTournaments)]
    pub fn read_tournaments(&mut self, file: &[u8]) -> Result<(), JsError> {
        self.names.read_tournaments(file).map_err(error)
    }
}

/// The games and positions of a file, and what of it cannot be read.
#[wasm_bindgen(js_name = CoreCollection)]
pub struct Collection {
    format: Format,
    entries: Vec<Entry>,
    faults: Vec<String>,
    fault_count: usize,
}

struct Entry {
    place: Place,
    record: GameRecord,
    name: Option<String>,
}

/// An entry in a list of them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    place: String,
    name: String,
    /// Of a game; 0 for a position.
    plies: usize,
    empties: u32,
    score: Option<i32>,
    year: Option<u16>,
    /// The name of the tournament.
    event: Option<String>,
}

#[wasm_bindgen(js_class = CoreCollection)]
impl Collection {
    /// Reads a file in any of the formats; games of WTHOR get `names`. An error where it is in none of them, or nothing of it can be
    /// read; faulty places of a file with others are in [`Collection::faults`].
    #[wasm_bindgen(constructor)]
    pub fn new(file: &[u8], name: &str, names: &WebNames) -> Result<Collection, JsError> {
        let format = Format::of(file).map_err(|fault| error(format!("{name}: {fault}")))?;
        let mut collection = Collection {
            format,
            entries: Vec::new(),
            faults: Vec::new(),
            fault_count: 0,
        };
        for entry in read_named(file, format, &names.names) {
            let fault = match entry {
                Ok(entry) => match made(entry.place, entry.contents) {
                    Ok(entry) => {
                        collection.entries.push(entry);
                        continue;
                    }
                    Err(fault) => format!("{}: {fault}", entry.place.of_file(name)),
                },
                Err(fault) => fault.of_file(name),
            };
            collection.fault_count += 1;
            if collection.faults.len() < MAX_FAULTS {
                collection.faults.push(fault);
            }
        }
        match (collection.entries.is_empty(), collection.faults.first()) {
            (false, _) => Ok(collection),
            (true, Some(fault)) => Err(error(fault)),
            (true, None) => Err(error(format!("{name}: neither games nor positions in it"))),
        }
    }

    /// The name of the format: `obf`, `ggf`, `sgf`, `wthor`, `transcript` or `othello-quest`.
    pub fn format(&self) -> String {
        self.format.name().to_owned()
    }

    /// The number of games and positions.
    pub fn size(&self) -> usize {
        self.entries.len()
    }

    /// The first faulty places, each with what is wrong there.
    pub fn faults(&self) -> Vec<String> {
        self.faults.clone()
    }

    /// The number of faulty places.
    #[wasm_bindgen(js_name = faultCount)]
    pub fn fault_count(&self) -> usize {
        self.fault_count
    }

    /// What a list shows of the entries from `first` on, `count` of them at most.
    pub fn summaries(&self, first: usize, count: usize) -> JsValue {
        let entries = self.entries.iter().enumerate().skip(first).take(count);
        let summaries = entries.map(|(index, entry)| {
            let record = &entry.record;
            let name = entry.name.clone().or_else(|| record.players());
            Summary {
                place: match entry.place {
                    Place::Line(line) => format!("line {line}"),
                    Place::Game(game) => format!("game {game}"),
                },
                name: name.unwrap_or_else(|| format!("{}", index + 1)),
                plies: record.game.plies().len(),
                empties: record.game.board().empty_count(),
                score: record.score(),
                year: record.year().filter(|&year| year != 0),
                event: record.property("EV").map(str::to_owned),
            }
        });
        to_js(&summaries.collect::<Vec<_>>())
    }

    /// The game of this index, from 0; a position is a game without moves.
    pub fn game(&self, index: usize) -> Result<WebGame, JsError> {
        let entry = self.entries.get(index);
        let entry = entry.ok_or_else(|| error(format!("entry {index} of {}", self.size())))?;
        let record = entry.record.clone();
        Ok(WebGame { record })
    }
}

/// An entry of a collection.
fn made(place: Place, contents: Contents) -> Result<Entry, String> {
    let (record, name) = match contents {
        Contents::Game(record) => (record, None),
        Contents::Position(problem) => {
            let game = Game::from_start(problem.board, problem.side);
            let game = game.map_err(|fault| fault.to_string())?;
            (GameRecord::new(game), problem.name)
        }
    };
    Ok(Entry {
        place,
        record,
        name,
    })
}
