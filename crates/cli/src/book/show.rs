//! `outflank book show`: moves of a position.

use std::path::PathBuf;

use clap::Args;
use outflank::notation::write_position;
use outflank::opening_names::opening_of;
use outflank::{Board, Ply, Side};
use outflank_book::{
    Book, BookEntry, BookError, Certainty, Graph, ManualValue, SearchEffort, ValueOrigin,
    ValuedMove,
};
use outflank_support::text::plural;
use serde::Serialize;

use super::{board_after, game_after, open};
use crate::CommandError;
use crate::console::print_line;
use crate::json::{is_nothing, object, to_line};
use crate::text_format::{depth, ply};

/// Show the values of the moves of a position
///
/// Values are discs for the side to move. Among the moves that leave the book, only the best one has a value. The
/// others are worth no more.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Book file, or built-in
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Moves from the start of the game to the position, such as f5d6c3, or the name of an opening [default: none]
    #[arg(value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,

    /// Show how sure the values are: the search that gave each of them, and the fewest searched values that have to be
    /// wrong for it to be higher or lower. Reads the whole book
    #[arg(long)]
    certainty: bool,

    /// Write one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  outflank book show my.book                  the starting position
  outflank book show my.book f5d6c3 --certainty
  outflank book show my.book f5d6c3 --json";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let book = open(&arguments.book)?;
    let game = game_after(&arguments.moves)?;
    let (board, side) = game.position();
    let entry = book.entry(board)?;
    let opening = opening_of(&game).map(|opening| opening.to_string());
    let manual = match &entry {
        Some(entry) => manual_values_of_moves(&book, entry)?,
        None => Vec::new(),
    };
    let graph = match arguments.certainty {
        true => Some(Graph::read(&book)?),
        false => None,
    };
    let shown = Shown {
        position: write_position(board, side),
        opening,
        entry,
        side,
        manual,
        graph,
    };
    print_line(match arguments.json {
        true => shown.json(),
        false => shown.table(),
    })?;
    Ok(0)
}

/// Position of a book.
struct Shown {
    position: String,
    opening: Option<String>,
    /// `None` if the book lacks the position.
    entry: Option<BookEntry>,
    side: Side,
    /// Values set by hand of the positions after the moves.
    manual: Vec<(Ply, ManualValue)>,
    /// The whole book, if the certainty of values is shown.
    graph: Option<Graph>,
}

impl Shown {
    fn json(&self) -> String {
        let moves = |entry: &BookEntry| -> Vec<_> {
            let row = |candidate: ValuedMove| {
                object! {
                    #[serde(rename = "move")]
                    name: ply(candidate.ply, self.side),
                    value: candidate.value,
                    link: is_link(entry, candidate.ply),
                    #[serde(skip_serializing_if = "is_nothing")]
                    reason: self.manual_value_of_move(candidate.ply).map(ManualValue::reason),
                    #[serde(skip_serializing_if = "is_nothing")]
                    certainty: self.certainty_of_move(entry, candidate.ply).map(certainty_object),
                }
            };
            entry.best_first().into_iter().map(row).collect()
        };
        let entry = self.entry.as_ref();
        let searched = entry.map(BookEntry::searched);
        to_line(&object! {
            position: &self.position,
            opening: &self.opening,
            in_book: entry.is_some(),
            value: entry.map(BookEntry::value),
            #[serde(skip_serializing_if = "is_nothing")]
            reason: entry.and_then(BookEntry::manual_value).map(ManualValue::reason),
            depth: searched.map(|searched| searched.depth),
            selectivity: searched.map(|searched| searched.selectivity.percent()),
            #[serde(skip_serializing_if = "is_nothing")]
            certainty: entry.and_then(|entry| self.certainty(entry.board())).map(certainty_object),
            moves: entry.map_or_else(Vec::new, moves),
        })
    }

    fn table(&self) -> String {
        let heading = match &self.opening {
            Some(opening) => format!("{}, {opening}", self.position),
            None => self.position.clone(),
        };
        let Some(entry) = &self.entry else {
            return format!("{heading}\nnot in the book");
        };
        let searched = effort(entry.searched());
        let value = match entry.manual_value() {
            Some(manual) => manual.to_string(),
            None => format!("{:+}", entry.value()),
        };
        let certainty = self.certainty(entry.board()).map(certainty_text);
        let certainty = certainty.unwrap_or_default();
        let mut lines = vec![heading, format!("value {value}{certainty}")];
        lines.extend(entry.best_first().into_iter().map(|candidate| {
            let origin = match self.manual_value_of_move(candidate.ply) {
                Some(manual) => format!("book, by hand: {}", manual.reason()),
                None if is_link(entry, candidate.ply) => "book".to_owned(),
                None => format!("searched, {searched}"),
            };
            let certainty = self
                .certainty_of_move(entry, candidate.ply)
                .map(certainty_text);
            let certainty = certainty.unwrap_or_default();
            let name = ply(candidate.ply, self.side);
            format!("  {name}  {:>+3}  {origin}{certainty}", candidate.value)
        }));
        lines.join("\n")
    }

    /// Value set by hand of the position after a move.
    fn manual_value_of_move(&self, ply: Ply) -> Option<&ManualValue> {
        let (_, manual) = self.manual.iter().find(|&&(of, _)| of == ply)?;
        Some(manual)
    }

    fn certainty(&self, board: Board) -> Option<Certainty> {
        let graph = self.graph.as_ref()?;
        Some(graph.certainty(graph.find(board)?))
    }

    /// Certainty of a move to another position of the book, from the mover's side.
    fn certainty_of_move(&self, entry: &BookEntry, ply: Ply) -> Option<Certainty> {
        if !is_link(entry, ply) {
            return None;
        }
        let certainty = self.certainty(board_after(entry.board(), ply)?)?;
        Some(Certainty {
            plies: certainty.plies + 1,
            to_rise: certainty.to_fall,
            to_fall: certainty.to_rise,
            ..certainty
        })
    }
}

/// Values set by hand of the positions that the links of an entry lead to.
fn manual_values_of_moves(
    book: &Book,
    entry: &BookEntry,
) -> Result<Vec<(Ply, ManualValue)>, BookError> {
    let mut values = Vec::new();
    for &ValuedMove { ply, .. } in entry.links() {
        let next = board_after(entry.board(), ply).map(|next| book.entry(next));
        if let Some(next) = next.transpose()?.flatten() {
            values.extend(next.manual_value().map(|manual| (ply, manual.clone())));
        }
    }
    Ok(values)
}

fn effort(searched: SearchEffort) -> String {
    let text = depth(searched.depth.into(), searched.selectivity);
    text.trim().to_owned()
}

fn certainty_text(certainty: Certainty) -> String {
    let Certainty {
        plies,
        origin,
        to_rise,
        to_fall,
    } = certainty;
    let origin = match origin {
        ValueOrigin::Search(searched) => effort(searched),
        ValueOrigin::GameEnd => "end of the game".to_owned(),
        ValueOrigin::Manual => "by hand".to_owned(),
    };
    let plies = plural(plies, "ply", "plies");
    let count =
        |count: Option<u64>| count.map_or_else(|| "never".to_owned(), |count| count.to_string());
    format!(
        "; {origin} after {plies}; to rise {}, to fall {}",
        count(to_rise),
        count(to_fall)
    )
}

fn certainty_object(certainty: Certainty) -> impl Serialize {
    let searched = match certainty.origin {
        ValueOrigin::Search(searched) => Some(searched),
        ValueOrigin::GameEnd | ValueOrigin::Manual => None,
    };
    object! {
        plies: certainty.plies,
        by_hand: certainty.origin == ValueOrigin::Manual,
        depth: searched.map(|searched| searched.depth),
        selectivity: searched.map(|searched| searched.selectivity.percent()),
        to_rise: certainty.to_rise,
        to_fall: certainty.to_fall,
    }
}

/// Returns `true` if a move stays in the book.
fn is_link(entry: &BookEntry, ply: Ply) -> bool {
    entry.leaf().is_none_or(|leaf| leaf.ply != ply)
}
