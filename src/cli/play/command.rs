//! What a person types.

use std::str::FromStr;

use outflank::Square;

/// A line of input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Command {
    /// A move.
    Move(Square),
    /// A pass, which the program makes by itself.
    Pass,
    /// The best moves, so many.
    Hint(u32),
    /// Back to the move before.
    Undo,
    /// Another game.
    New,
    /// Who plays which side.
    Play(Players),
    /// The program's level.
    Level(u32),
    /// The moves so far.
    Moves,
    /// The board again.
    Board,
    /// What can be typed.
    Help,
    /// The end.
    Quit,
    /// Nothing.
    Empty,
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
pub(super) const HELP: &str = "\
  f5             move there
  hint, hint 5   the three best moves, or five, with scores and lines
  undo           take back your last move, and the answer to it
  black, white   play this side from now on; both, none: both sides, or neither
  level 20       the program's level, 1 to 60
  moves          what was played, as outflank analyze reads it
  board          the board again
  new            another game
  quit           the end; so is the end of the input";

impl FromStr for Command {
    type Err = String;

    fn from_str(text: &str) -> Result<Command, String> {
        let text = text.trim().to_ascii_lowercase();
        let (name, value) = match text.split_once(char::is_whitespace) {
            Some((name, value)) => (name, Some(value.trim())),
            None => (text.as_str(), None),
        };
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
        let command = match name {
            "hint" if value.is_some() => return number(1..=60).map(Command::Hint),
            "level" => return number(1..=60).map(Command::Level),
            "" => Command::Empty,
            "hint" | "h" => Command::Hint(3),
            "pass" | "pa" | "ps" => Command::Pass,
            "undo" | "u" => Command::Undo,
            "new" => Command::New,
            "black" => Command::Play(Players::Black),
            "white" => Command::Play(Players::White),
            "both" => Command::Play(Players::Both),
            "none" => Command::Play(Players::None),
            "moves" => Command::Moves,
            "board" => Command::Board,
            "help" | "?" => Command::Help,
            "quit" | "exit" | "q" => Command::Quit,
            square => match square.parse() {
                Ok(square) => Command::Move(square),
                Err(_) => {
                    return Err(format!(
                        "{:?} is neither a square nor a command; try help",
                        shown(&text)
                    ));
                }
            },
        };
        match value {
            Some(value) => Err(format!("{name} stands alone, without {:?}", shown(value))),
            None => Ok(command),
        }
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
        for (text, command) in [
            ("F5", Command::Move("F5".parse().unwrap())),
            (" f5 \r", Command::Move("F5".parse().unwrap())),
            ("hint", Command::Hint(3)),
            ("HINT  5", Command::Hint(5)),
            ("level 60", Command::Level(60)),
            ("u", Command::Undo),
            ("both", Command::Play(Players::Both)),
            ("", Command::Empty),
        ] {
            assert_eq!(text.parse(), Ok(command), "{text}");
        }
        for wrong in [
            "i9", "hint 0", "hint x", "level", "level 61", "quit now", "f5 d6", "\0", "é",
        ] {
            assert!(wrong.parse::<Command>().is_err(), "{wrong}");
        }
    }
}
