//! Games and positions of a file.

use outflank::notation::wthor::Names;
use outflank::notation::{Contents, Format, GameRecord, Location, read_named, read_position};
use outflank::{Board, Game, Ply, Square};
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::error;
use crate::game::WebGame;
use crate::values::{ply_number, to_js};

/// Maximum number of faults that are kept.
const MAX_FAULTS: usize = 20;

/// Names of players and tournaments, for the numbers in a WTHOR database.
#[wasm_bindgen(js_name = CoreNames)]
#[derive(Default)]
pub struct WebNames {
    names: Names,
}

#[wasm_bindgen(js_class = CoreNames)]
impl WebNames {
    /// Makes an empty list.
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

/// Games and positions of a file, and its faults.
#[wasm_bindgen(js_name = CoreCollection, getter_with_clone)]
pub struct WebCollection {
    /// Name of the format: `obf`, `ggf`, `sgf`, `wthor`, `transcript` or `othello-quest`.
    #[wasm_bindgen(readonly)]
    pub format: String,
    /// First faults of the file, each with its place.
    #[wasm_bindgen(readonly)]
    pub faults: Vec<String>,
    /// Number of faults.
    #[wasm_bindgen(readonly, js_name = faultCount)]
    pub fault_count: usize,
    entries: Vec<CollectionEntry>,
}

/// Game or position of a file.
struct CollectionEntry {
    location: Location,
    record: GameRecord,
    name: Option<String>,
}

#[wasm_bindgen(js_class = CoreCollection)]
impl WebCollection {
    /// Reads a file in any format. `names` has the names for the numbers in WTHOR. An unknown format is an error, and
    /// so is a file without a readable entry. Other faults are in [`WebCollection::faults`].
    #[wasm_bindgen(constructor)]
    pub fn new(file: &[u8], name: &str, names: &WebNames) -> Result<WebCollection, JsError> {
        let format = Format::detect(file).map_err(|fault| error(format!("{name}: {fault}")))?;
        let mut collection = WebCollection {
            format: format.name().to_owned(),
            faults: Vec::new(),
            fault_count: 0,
            entries: Vec::new(),
        };
        for entry in read_named(file, format, &names.names) {
            let fault = match entry {
                Ok(entry) => match read_entry(entry.location, entry.contents) {
                    Ok(entry) => {
                        collection.entries.push(entry);
                        continue;
                    }
                    Err(fault) => format!("{}: {fault}", entry.location.in_file(name)),
                },
                Err(fault) => fault.in_file(name),
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

    /// Number of games and positions.
    pub fn size(&self) -> usize {
        self.entries.len()
    }

    /// Descriptions of at most `count` entries from index `first` on: `Summary` of the package.
    pub fn summaries(&self, first: usize, count: usize) -> JsValue {
        let entries = self.entries.iter().enumerate().skip(first).take(count);
        let summaries = entries.map(|(index, entry)| {
            let record = &entry.record;
            let name = entry.name.clone().or_else(|| record.players());
            let name = name.or_else(|| player_numbers(record));
            json!({
                "place": match entry.location {
                    Location::Line(line) => format!("line {line}"),
                    Location::Game(game) => format!("game {game}"),
                },
                "name": name.unwrap_or_else(|| format!("{}", index + 1)),
                "plies": record.game.plies().len(),
                "empties": record.game.board().empty_count(),
                "score": record.score(),
                "year": record.year().filter(|&year| year != 0),
                "event": record.property("EV"),
            })
        });
        to_js(&summaries.collect())
    }

    /// Games that reach a position, or one that is symmetric to it, with the plies before it and the next one:
    /// `Reached` of the package.
    pub fn reaching(&self, position: &str) -> Result<JsValue, JsError> {
        let (board, _) = read_position(position).map_err(error)?;
        let (canonical, symmetry) = board.canonical();
        let is_reached = |reached: Board| {
            reached.empty_count() == board.empty_count() && reached.canonical().0 == canonical
        };
        let found = self
            .entries
            .iter()
            .enumerate()
            .filter_map(|(index, entry)| {
                let game = &entry.record.game;
                let mut positions = game.positions().iter();
                let plies = positions.position(|&(reached, _)| is_reached(reached))?;
                let turned = game.positions()[plies].0.canonical().1;
                let next = game.plies().get(plies);
                let next = next.map(|&ply| symmetry.inverse().ply(turned.ply(ply)));
                Some(json!({
                    "index": index,
                    "plies": plies,
                    "next": next.map(|ply| ply_number(lowest_equal(board, ply))),
                }))
            });
        Ok(to_js(&found.collect()))
    }

    /// Game of an index, from 0. A position is a game without moves.
    pub fn game(&self, index: usize) -> Result<WebGame, JsError> {
        let entry = self.entries.get(index);
        let entry = entry.ok_or_else(|| error(format!("entry {index} of {}", self.size())))?;
        let record = entry.record.clone();
        Ok(WebGame { record })
    }
}

/// Lowest of the plies that lead to the same position as `ply`, up to symmetry.
fn lowest_equal(board: Board, ply: Ply) -> Ply {
    let after = |square: Square| Some(board.play(square)?.canonical().0);
    let Some(target) = ply.and_then(after) else {
        return ply;
    };
    let mut moves = Square::all_in(board.mobility());
    moves.find(|&square| after(square) == Some(target))
}

/// Numbers of the players in a database without their names: `#12 - #7`.
fn player_numbers(record: &GameRecord) -> Option<String> {
    let numbers =
        ["PB", "PW"].map(|name| record.property(name).filter(|name| name.starts_with('#')));
    let [Some(black), Some(white)] = numbers else {
        return None;
    };
    Some(format!("{black} - {white}"))
}

/// Converts an entry of a file. A position becomes a game without moves.
fn read_entry(location: Location, contents: Contents) -> Result<CollectionEntry, String> {
    let (record, name) = match contents {
        Contents::Game(record) => (record, None),
        Contents::Position(problem) => {
            let game = Game::from_start(problem.board, problem.side);
            let game = game.map_err(|fault| fault.to_string())?;
            (GameRecord::new(game), problem.name)
        }
    };
    Ok(CollectionEntry {
        location,
        record,
        name,
    })
}
