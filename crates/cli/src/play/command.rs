//! Commands of `outflank play`.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use outflank::notation::transcript::{self, TranscriptFault};
use outflank::notation::{Format, check_board, read_position};
use outflank::skill::{Skill, SkillError};
use outflank::{Game, Square};

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command {
    Moves(Vec<Square>),
    /// A pass. The program makes passes by itself.
    Pass,
    /// Show this number of best moves.
    Hint(u32),
    /// Let the program make the next move for either side.
    Go,
    /// Take back the user's last move and later ones.
    Undo,
    /// Play moves again up to the user's next move.
    Redo,
    /// Go to the position after this number of moves.
    GoTo(usize),
    New,
    /// Begin games with this one from now on.
    SetBoard(Game),
    /// Choose the sides that the user plays.
    Play(Players),
    Level(u32),
    /// Play by a skill; `None` shows the current one.
    Skill(Option<Skill>),
    /// Show or hide the scores of the user's moves.
    Values(bool),
    /// List the moves.
    List,
    Save(Save),
    Board,
    Help,
    Quit,
    Empty,
}

/// Arguments of `save`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Save {
    pub(super) path: PathBuf,
    pub(super) format: Format,
    /// `true` to replace an existing file.
    pub(super) replace: bool,
}

/// Sides that the user plays.
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

/// Answer to `help`.
pub(super) const HELP: &str = "  \
  f5              move to F5
  f5d6c3          make several moves for both sides, all or none; passes and
                  move numbers are allowed: 1. f5 d6 2. c3
  hint, hint 5    show the three best moves, or five, with the scores of the
                  search and of the book, and best play
  go              let the program make the next move, even if it is yours
  undo, redo      take back your last move and the answer to it; play them again
  goto 12         go to the position after 12 moves; goto 0 is the start
  black, white    play this side from now on; both, none: both sides, or neither
  level 20        set the program's level, 0 to 60
  skill club      let the program play weaker, at the level if one was set:
                  beginner to unlimited, or the discs that it loses in a game;
                  skill alone shows it, skill off ends it
  values off, on  hide or show the scores of your moves, and the best move
  moves           show the moves so far, as outflank analyze reads them
  save game.ggf   write the moves so far to a new file: GGF (.ggf) or transcript
                  (.txt); for other names: save FILE as ggf, save FILE as
                  transcript; save! replaces an existing file
  board           show the board again
  new             begin another game
  setboard POS    begin games with this position from now on, in any spelling
                  that outflank show writes: 8/8/8/3OX3/3XO3/8/8/8 X
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
        let number = |range: RangeInclusive<u32>| {
            let number = value.unwrap_or_default().parse().ok();
            let number = number.filter(|number| range.contains(number));
            let (low, high) = (range.start(), range.end());
            number.ok_or_else(|| format!("{name} needs a number from {low} to {high}"))
        };
        let command = match name.as_str() {
            "hint" if value.is_some() => return number(1..=60).map(Command::Hint),
            "level" => return number(0..=60).map(Command::Level),
            "goto" | "jump" => return number(0..=60).map(|moves| Command::GoTo(moves as usize)),
            "skill" => return skill(value).map(Command::Skill),
            "setboard" => return set_board(value).map(Command::SetBoard),
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
            Some(value) => Err(format!(
                "{name} stands alone, without {:?}",
                beginning(value)
            )),
            None => Ok(command),
        }
    }
}

/// Parses a position, and begins a game with it.
fn set_board(value: Option<&str>) -> Result<Game, String> {
    let text = value.ok_or("setboard needs a position, such as 8/8/8/3OX3/3XO3/8/8/8 X")?;
    let (board, side) = read_position(text).map_err(|error| error.to_string())?;
    check_board(board).map_err(|fault| fault.to_string())?;
    Ok(Game::from_start(board, side).expect("a square has one disc"))
}

/// Parses moves in the notation of transcripts.
fn moves(text: &str) -> Result<Vec<Square>, String> {
    match transcript::moves(text).map_err(|error| error.fault) {
        Ok(moves) if !moves.is_empty() => Ok(moves),
        // A text that begins with a move is meant as a list of moves.
        Err(TranscriptFault::NotAMove { column, found }) if column > 2 => Err(format!(
            "character {column}: {found:?} is not a square (a1 to h8); no move was made"
        )),
        _ => Err(format!(
            "{:?} is neither a square nor a command; try help",
            beginning(text)
        )),
    }
}

/// Parses the argument of `skill`.
fn skill(value: Option<&str>) -> Result<Option<Skill>, String> {
    let text = match value {
        None => return Ok(None),
        Some("off") => "unlimited",
        Some(text) => text,
    };
    let skill = text.parse();
    skill
        .map(Some)
        .map_err(|error: SkillError| error.to_string())
}

/// Parses the argument of `values`.
fn on_or_off(value: Option<&str>) -> Result<bool, String> {
    match value.map(str::to_ascii_lowercase).as_deref() {
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        _ => Err("values needs on or off".to_owned()),
    }
}

/// Parses the arguments of `save`.
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
            "the name has no format: save {file}.ggf, save {file}.txt, save {file} as ggf or \
             save {file} as transcript"
        )),
    }
}

/// Beginning of a text for messages.
fn beginning(text: &str) -> String {
    text.chars().take(20).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_parse_or_fail() {
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
        let wrong = "i9,hint 0,hint x,level,level 61,level -1,goto,goto 61,values,values maybe,save,save a,\
                     save a.obf,quit now,f5 d,f5d6z9,1.,f5 2.,12,f5 1 d6,\0,é,%";
        for wrong in wrong.split(',') {
            assert!(wrong.parse::<Command>().is_err(), "{wrong}");
        }
        let slip = "f5d6z9c3".parse::<Command>().unwrap_err();
        assert!(
            slip.contains("character 5") && slip.contains("z9"),
            "{slip}"
        );
    }
}
