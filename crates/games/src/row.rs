//! A game as a row of the table `game`: its moves, its starting position if that is unusual, and its properties.

use outflank::notation::{GameRecord, read_position, write_position};
use outflank::symmetry::Symmetry;
use outflank::{Game, Square};

use crate::GameSummary;

/// Moves and remaining properties of a game.
pub(crate) struct Row {
    /// Squares of the moves, without passes.
    pub(crate) moves: Vec<u8>,
    /// Starting position with the side to move. `None` for the usual one.
    pub(crate) start: Option<String>,
    /// Names and values of properties in turn, as a JSON array. Those that follow from the summary are left out.
    pub(crate) properties: String,
}

/// Names of a game in its file. The summary has their numbers.
pub(crate) struct GameNames<'a> {
    pub(crate) black: &'a str,
    pub(crate) white: &'a str,
    pub(crate) tournament: &'a str,
}

/// A row does not have a game.
pub(crate) struct InvalidRow;

/// Returns the property of a game that names its tournament: the event, or WTHOR's number in place of one.
fn tournament(record: &GameRecord) -> Option<(&'static str, &str)> {
    let event = record.property("EV").filter(|event| !is_number(event));
    let number = || record.property("PC").filter(|place| is_number(place));
    let event = event.map(|event| ("EV", event));
    event.or_else(|| Some(("PC", number()?)))
}

/// Returns `true` for a number of WTHOR in place of a name: `#8`.
pub(crate) fn is_number(name: &str) -> bool {
    let digits = name.trim().strip_prefix('#');
    digits.is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
    })
}

impl<'a> GameNames<'a> {
    pub(crate) fn of(record: &'a GameRecord) -> GameNames<'a> {
        let name = |property| record.property(property).map_or("", str::trim);
        GameNames {
            black: name("PB"),
            white: name("PW"),
            tournament: tournament(record).map_or("", |(_, value)| value.trim()),
        }
    }
}

impl Row {
    pub(crate) fn of(record: &GameRecord, summary: &GameSummary) -> Row {
        let game = &record.game;
        let (board, side) = game.start();
        let tournament = tournament(record).map(|(name, _)| name);
        let follows = |name: &str, value: &str| match name {
            "PB" | "PW" => true,
            "TY" => value == "8",
            "DT" => summary
                .year
                .is_some_and(|year| value == format!("{year:04}")),
            "RE" => summary
                .score
                .is_some_and(|score| value.trim().parse() == Ok(f64::from(score))),
            _ => Some(name) == tournament,
        };
        let kept = record
            .properties()
            .filter(|&(name, value)| !follows(name, value));
        let kept: Vec<_> = kept.flat_map(|(name, value)| [name, value]).collect();
        Row {
            moves: game.moves().map(|square| square.index() as u8).collect(),
            start: (!game.has_usual_start()).then(|| write_position(board, side)),
            properties: serde_json::to_string(&kept).expect("text"),
        }
    }

    /// Returns the game without properties.
    pub(crate) fn game(&self) -> Result<Game, InvalidRow> {
        let mut game = match &self.start {
            None => Game::new(),
            Some(start) => {
                let (board, side) = read_position(start).map_err(|_| InvalidRow)?;
                Game::from_start(board, side).map_err(|_| InvalidRow)?
            }
        };
        for &index in &self.moves {
            let square = Square::new(index).ok_or(InvalidRow)?;
            game.play(square).map_err(|_| InvalidRow)?;
        }
        Ok(game)
    }

    pub(crate) fn record(
        &self,
        summary: &GameSummary,
        names: &GameNames,
    ) -> Result<GameRecord, InvalidRow> {
        let mut record = GameRecord::new(self.game()?);
        let properties: Vec<String> =
            serde_json::from_str(&self.properties).map_err(|_| InvalidRow)?;
        let (kept, rest) = properties.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(InvalidRow);
        }
        let tournament = match is_number(names.tournament) {
            true => "PC",
            false => "EV",
        };
        let year = summary
            .year
            .map(|year| format!("{year:04}"))
            .unwrap_or_default();
        let result = summary
            .score
            .map(|score| format!("{score:+}"))
            .unwrap_or_default();
        for (name, value) in [
            (tournament, names.tournament),
            ("DT", &year),
            ("PB", names.black),
            ("PW", names.white),
            ("RE", &result),
        ] {
            let is_kept = kept.iter().any(|[kept, _]| kept == name);
            if !value.is_empty() && !is_kept {
                record.add(name, value).map_err(|_| InvalidRow)?;
            }
        }
        for [name, value] in kept {
            record.add(name, value).map_err(|_| InvalidRow)?;
        }
        Ok(record)
    }
}

/// Returns the least of the symmetric images of a game: starting position, then moves. Games are equal up to symmetry if
/// these are equal.
pub(crate) fn canonical_moves(game: &Game) -> ([u64; 2], Vec<u8>) {
    let (board, _) = game.start();
    let images = Symmetry::all().map(|symmetry| {
        let start = symmetry.board(board);
        let moves = game
            .moves()
            .map(|square| symmetry.square(square).index() as u8);
        ([start.player, start.opponent], moves.collect())
    });
    images.min().expect("there are eight")
}
