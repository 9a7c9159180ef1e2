//! A wrong answer, shown with all that is needed to reproduce it.

use std::fmt;

use super::{Source, replay};
use crate::input::{Answer, Case, Input};
use crate::registry::{CheckerEntry, OutputKind};

/// A wrong answer of an algorithm.
pub struct Failure {
    /// The algorithm and its level.
    pub entry: &'static CheckerEntry,
    /// The case.
    pub case: Case,
    /// The reference's answer.
    pub expected: Answer,
    /// The algorithm's answer.
    pub got: Answer,
    /// Seed of the check.
    pub seed: u64,
    /// Batch of the case.
    pub source: Source,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrong = wrong_answer(self.entry, &self.case, &self.expected, &self.got);
        write!(f, "{wrong}\n  seed       {} ({})", self.seed, self.source)
    }
}

/// Shows an algorithm, its parameters in a case and both answers, in several lines without a final line break.
pub fn wrong_answer<'a>(
    entry: &'a CheckerEntry,
    case: &'a Case,
    expected: &'a Answer,
    got: &'a Answer,
) -> impl fmt::Display + 'a {
    fmt::from_fn(move |f| {
        writeln!(f, "{} differs from the reference", entry.title())?;
        writeln!(f, "{}", describe(entry, case))?;
        // `CANARY_GONE` is only a marker: the answer itself was not read.
        if *got == Answer::CANARY_GONE {
            return write!(f, "  got        a write outside its buffer");
        }
        let what = match entry.kind {
            OutputKind::Fills => " (digest of the memory)",
            OutputKind::Returns | OutputKind::Writes | OutputKind::Lists => "",
        };
        writeln!(f, "  expected   {}{what}", Words(expected))?;
        write!(f, "  got        {}{what}", Words(got))
    })
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Failure {}

/// The words of an answer up to the last that is not zero. A negative number is also shown in decimal.
struct Words<'a>(&'a Answer);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Answer(words) = self.0;
        let used = words.iter().rposition(|&word| word != 0).unwrap_or(0) + 1;
        for (i, word) in words[..used].iter().enumerate() {
            let space = if i > 0 { " " } else { "" };
            write!(f, "{space}{word:#x}")?;
        }
        let [first, ..] = *words;
        match first as i64 {
            number @ (-1000..0 | 10..1000) if used == 1 => write!(f, " ({number})"),
            _ => Ok(()),
        }
    }
}

/// Shows the parameters of the entry's kernel in several indented lines, without a final line break. The board
/// is shown as an OBF line to paste (`X` is the mover) and as a diagram with the square marked. The last line is the text
/// form of a [`Replay`](super::Replay).
pub fn describe<'a>(entry: &'a CheckerEntry, case: &'a Case) -> impl fmt::Display + 'a {
    Inputs { entry, case }
}

struct Inputs<'a> {
    entry: &'a CheckerEntry,
    case: &'a Case,
}

impl Inputs<'_> {
    fn takes(&self, parameter: &str) -> bool {
        self.entry.parameters.contains(&parameter)
    }

    /// The kernel's board, mover first. A kernel that takes a square but no opponent sees a board with one
    /// empty square.
    fn board(&self) -> (u64, u64) {
        let Case {
            square,
            player,
            opponent,
            ..
        } = *self.case;
        let is_full = self.takes("square") && self.takes("player") && !self.takes("opponent");
        match is_full {
            true => (player & !(1 << square), !player & !(1 << square)),
            false => (player, opponent),
        }
    }

    fn cell(&self, square: usize) -> char {
        let (player, opponent) = self.board();
        let has = |discs: u64| discs >> square & 1 == 1;
        match (has(player), has(opponent)) {
            (true, _) => 'X',
            (_, true) => 'O',
            _ => '-',
        }
    }
}

fn name(square: usize) -> String {
    let column = char::from(b'A' + (square % 8) as u8);
    format!("{column}{}", square / 8 + 1)
}

impl fmt::Display for Inputs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let case = self.case;
        let line: String = (0..64).map(|square| self.cell(square)).collect();
        writeln!(f, "  board      {line} X;")?;
        write!(f, "               A B C D E F G H")?;
        let is_marked = ["square", "flipped"].map(|name| self.takes(name));
        let marked = is_marked.contains(&true).then_some(case.square);
        for row in 0..8 {
            write!(f, "\n             {}", row + 1)?;
            for square in 8 * row..8 * row + 8 {
                let cell = match Some(square) == marked {
                    true => '#',
                    false => self.cell(square),
                };
                write!(f, " {cell}")?;
            }
        }
        let geometry = self.entry.geometry;
        let geometry = format!("geometry {}", geometry.unwrap_or_default());
        for parameter in self.entry.parameters {
            match *parameter {
                "square" => write!(f, "\n  square     {} (#)", name(case.square))?,
                "alpha" => write!(f, "\n  alpha      {}", case.alpha)?,
                "squares" => {
                    let names = case.squares.to_le_bytes().map(|square| name(square.into()));
                    write!(f, "\n  squares    {}", names.join(" "))?;
                }
                "flipped" => write!(f, "\n  flipped    {:#x}", Input::new(*case).flipped)?,
                "favoured" => write!(f, "\n  favoured   {:#x}", Input::new(*case).favoured)?,
                "memory" => write!(f, "\n  memory     {} blocks of 32 bytes", case.blocks)?,
                "pattern" => write!(f, "\n  pattern    {}", Words(&case.pattern.into()))?,
                "features" => write!(f, "\n  features   of the board, {geometry}")?,
                // Parameters that follow from the board, and buffers.
                _ => {}
            }
        }
        write!(f, "\n  replay     ")?;
        replay::write(f, self.entry, case)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::runnable;

    #[test]
    fn a_failure_shows_exactly_the_parameters_of_the_kernel() {
        for entry in runnable() {
            let case = Case {
                alpha: -7,
                squares: 0x3f02_0100,
                pattern: [0x51, 0, 0, 0],
                blocks: 9,
                ..Case::new(37, 0x08_1000_0000, 0x10_0800_0000)
            };
            let failure = Failure {
                entry,
                case,
                expected: 5_u64.into(),
                got: Answer::CANARY_GONE,
                seed: 77,
                source: Source::Random(3),
            };
            let text = failure.to_string();
            let takes = |parameter| entry.parameters.contains(&parameter);
            assert!(text.starts_with(&entry.title()), "{text}");
            if takes("features") {
                let geometry = format!(
                    ", geometry {}\n",
                    entry
                        .geometry
                        .expect("kernels with features have a geometry")
                );
                assert!(text.contains(&geometry), "{text}");
            }
            let is_full = takes("square") && takes("player") && !takes("opponent");
            assert_eq!(is_full, entry.kernel.starts_with("last_"), "{text}");
            let board = match is_full {
                true => "OOOOXOOOOOOXO-OOO",
                false => "---OX------XO----",
            };
            assert!(text.contains(board), "{text}");
            assert!(text.ends_with("seed       77 (random/3)"), "{text}");
            assert!(text.contains("outside its buffer"), "{text}");
            for (parameter, shown) in [
                ("square", "square     F5 (#)"),
                ("alpha", "alpha      -7"),
                ("squares", "squares    A1 B1 C1 H8"),
                ("flipped", "flipped    0x1000000000"),
                ("favoured", "favoured   0x51"),
                ("memory", "memory     9 blocks"),
                ("pattern", "pattern    0x51"),
            ] {
                assert_eq!(
                    text.contains(shown),
                    takes(parameter),
                    "{parameter}:\n{text}"
                );
            }
        }
    }

    #[test]
    fn digests_of_memory_are_labelled() {
        for entry in runnable() {
            let failure = |got| Failure {
                entry,
                case: Case::new(37, 0, 0),
                expected: 5_u64.into(),
                got,
                seed: 77,
                source: Source::Random(3),
            };
            let text = failure(6_u64.into()).to_string();
            let what = match entry.kind {
                OutputKind::Fills => " (digest of the memory)",
                OutputKind::Returns | OutputKind::Writes | OutputKind::Lists => "",
            };
            let answers = format!("\n  expected   0x5{what}\n  got        0x6{what}\n");
            assert!(text.contains(&answers), "{text}");
            let text = failure(Answer::CANARY_GONE).to_string();
            assert!(!text.contains("expected"), "{text}");
        }
    }

    #[test]
    fn small_answers_are_also_shown_in_decimal() {
        for (answer, shown) in [
            (Answer::from(0_u64), "0x0"),
            (Answer::from(0x1000_u64), "0x1000"),
            (Answer::from(42_i32), "0x2a (42)"),
            (Answer::from(-3_i32), "0xfffffffffffffffd (-3)"),
            (Answer::from([1, 0, 2]), "0x1 0x0 0x2"),
        ] {
            assert_eq!(Words(&answer).to_string(), shown);
        }
    }
}
