//! What a person types.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use outflank::Square;
use outflank::notation::Format;
use outflank::notation::transcript::{self, Fault};

/// A line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// Moves, one or several.
    Moves(Vec<Square>),
    /// A pass, which the program makes by itself.
    Pass,
    /// The best moves, so many.
    Hint(u32),
    /// The program makes the next move, whoever's it is.
    Go,
    /// Back to the person's move before.
    Undo,
    /// Forward to the person's next move that was taken back.
    Redo,
    /// To the position after so many moves.
    GoTo(usize),
    /// Another game.
    New,
    /// Who plays which side.
    Play(Players),
    /// The program's level.
    Level(u32),
    /// Whether the person's moves are valued.
    Values(bool),
    /// The moves so far.
    List,
    /// The moves so far, to a file.
    Save(Save),
    /// The board again.
    Board,
    /// What can be typed.
    Help,
    /// The end.
    Quit,
    /// Nothing.
    Empty,
}

/// Where a game is to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Save {
    pub(super) path: PathBuf,
    pub(super) format: Format,
    /// Whether a file that is there already may be replaced.
    pub(super) replace: bool,
}

/// The sides that the person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(super) enum Players {
    /// you play black
    Black,
    /// you play white
    White,
    /// you play both sides
    Both,
    /// the program plays both sides
    None,
}

/// What can be typed.
pub(super) const HELP: &str = "  \
  f5              move there
  f5d6c3          make several moves, for both sides, all or none of them;
                  passes and move numbers may be among them: 1. f5 d6 2. c3
  hint, hint 5    show the three best moves, or five: a row each, with the
                  scores of the search and of the book, and best play
  go              let the program make the next move, even if it is yours
  undo, redo      take back your last move and the answer to it; play them again
  goto 12         go to the position after 12 moves; goto 0 is the start
  black, white    play this side from now on; both, none: both sides, or neither
  level 20        set the program's level, 0 to 60
  values off, on  hide or show the scores of your moves, and the best move
  moves           show the moves so far, as outflank analyze reads them
  save game.ggf   write the moves so far to a new file: GGF (.ggf) or transcript
                  (.txt); with another name: save FILE as ggf, save FILE as
                  transcript; save! replaces an existing file
  board           show the board again
  new             begin another game
  quit            end the program; so does the end of the input";

impl FromStr for Command {
    type Err = String;

    fn from_str(text: &str) -> Result<Command, String> {
        let text = text.trim();
        let (name, value) = match text.split_once(char::is_whitespace) {
            Some((name, value)) => (name, Some(value.trim())),
            None => (text, None),
        };
        let name = name.to_ascii_lowercase();
        let number = |range: std::ops::RangeInclusive<u32>| {
            let number = value.unwrap_or_default().parse().ok();
            number
                .filter(|number| range.contains(number))
                .ok_or_else(|| {
                    format!(
                        "{name} needs a number from {} to {}",
                        range.start(),
                        range.end()
                    )
                })
        };
        let command = match name.as_str() {
            "hint" if value.is_some() => return number(1..=60).map(Command::Hint),
            "level" => return number(0..=60).map(Command::Level),
            "goto" | "jump" => return number(0..=60).map(|moves| Command::GoTo(moves as usize)),
            "values" => return on_or_off(value).map(Command::Values),
            "save" | "save!" => return save(value, name.ends_with('!')).map(Command::Save),
            "" => Command::Empty,
            "hint" | "h" => Command::Hint(3),
            "pass" | "pa" | "ps" if value.is_none() => Command::Pass,
            "go" => Command::Go,
            "undo" | "u" => Command::Undo,
            "redo" | "r" => Command::Redo,
            "new" => Command::New,
            "black" => Command::Play(Players::Black),
            "white" => Command::Play(Players::White),
            "both" => Command::Play(Players::Both),
            "none" => Command::Play(Players::None),
            "moves" => Command::List,
            "board" => Command::Board,
            "help" | "?" => Command::Help,
            "quit" | "exit" | "q" => Command::Quit,
            _ => return moves(text).map(Command::Moves),
        };
        match value {
            Some(value) => Err(format!("{name} stands alone, without {:?}", shown(value))),
            None => Ok(command),
        }
    }
}

/// Reads moves as a transcript has them.
fn moves(text: &str) -> Result<Vec<Square>, String> {
    match transcript::moves(text).map_err(|error| error.fault) {
        Ok(moves) if !moves.is_empty() => Ok(moves),
        // It begins with a move, and so is a list with a slip in it.
        Err(Fault::NotAMove { column, found }) if column > 2 => Err(format!(
            "character {column}: {found:?} is not a square (a1 to h8); no move was made"
        )),
        _ => Err(format!(
            "{:?} is neither a square nor a command; try help",
            shown(text)
        )),
    }
}

/// Reads what `values` is followed by.
fn on_or_off(value: Option<&str>) -> Result<bool, String> {
    match value.map(str::to_ascii_lowercase).as_deref() {
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        _ => Err("values needs on or off".to_owned()),
    }
}

/// Reads what `save` is followed by.
fn save(value: Option<&str>, replace: bool) -> Result<Save, String> {
    let value = value.unwrap_or_default();
    let (file, format) = match value.rsplit_once(" as ") {
        Some((file, "ggf")) => (file.trim_end(), Some(Format::Ggf)),
        Some((file, "transcript")) => (file.trim_end(), Some(Format::Transcript)),
        _ => (value, None),
    };
    if file.is_empty() {
        return Err("save needs the name of a file: save game.ggf".to_owned());
    }
    let path = Path::new(file);
    let extension = path
        .extension()
        .map(|extension| extension.to_ascii_lowercase());
    let by_extension = || match extension?.to_str()? {
        "ggf" => Some(Format::Ggf),
        "txt" => Some(Format::Transcript),
        _ => None,
    };
    match format.or_else(by_extension) {
        Some(format) => Ok(Save {
            path: path.to_owned(),
            format,
            replace,
        }),
        None => Err(format!(
            "the name does not say the format: save {file}.ggf, save {file}.txt, save {file} as ggf or \
             save {file} as transcript"
        )),
    }
}

/// As much of a text as tells what it was.
fn shown(text: &str) -> String {
    text.chars().take(20).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood_or_refused() {
        let moves = |names: &str| {
            let names = names.split(' ').map(|name| name.parse().unwrap());
            Command::Moves(names.collect())
        };
        let save = |path: &str, format, replace| {
            let path = path.into();
            Command::Save(Save {
                path,
                format,
                replace,
            })
        };
        for (text, command) in [
            ("F5", moves("F5")),
            (" f5 \r", moves("F5")),
            ("f5d6C3", moves("F5 D6 C3")),
            ("F5, d6 PS c3 % tiger", moves("F5 D6 C3")),
            ("f5 pass d6", moves("F5 D6")),
            ("pass d6", moves("D6")),
            ("pass", Command::Pass),
            ("1. f5 2. d6", moves("F5 D6")),
            ("1. f5 d6 2. c3", moves("F5 D6 C3")),
            ("1.f5 1... d6 2.c3", moves("F5 D6 C3")),
            ("hint", Command::Hint(3)),
            ("HINT  5", Command::Hint(5)),
            ("level 60", Command::Level(60)),
            ("level 0", Command::Level(0)),
            ("u", Command::Undo),
            ("redo", Command::Redo),
            ("goto 0", Command::GoTo(0)),
            ("jump 60", Command::GoTo(60)),
            ("go", Command::Go),
            ("both", Command::Play(Players::Both)),
            ("values OFF", Command::Values(false)),
            ("save Game 1.GGF", save("Game 1.GGF", Format::Ggf, false)),
            ("save! a.txt", save("a.txt", Format::Transcript, true)),
            ("save a.txt as ggf", save("a.txt", Format::Ggf, false)),
            ("save a as transcript", save("a", Format::Transcript, false)),
            ("", Command::Empty),
        ] {
            assert_eq!(text.parse(), Ok(command), "{text}");
        }
        for wrong in [
            "i9",
            "hint 0",
            "hint x",
            "level",
            "level 61",
            "level -1",
            "goto",
            "goto 61",
            "values",
            "values maybe",
            "save",
            "save a",
            "save a.obf",
            "quit now",
            "f5 d",
            "f5d6z9",
            "1.",
            "f5 2.",
            "12",
            "f5 1 d6",
            "\0",
            "é",
            "%",
        ] {
            assert!(wrong.parse::<Command>().is_err(), "{wrong}");
        }
        let slip = "f5d6z9c3".parse::<Command>().unwrap_err();
        assert!(
            slip.contains("character 5") && slip.contains("z9"),
            "{slip}"
        );
    }
}
