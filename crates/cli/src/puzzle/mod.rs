//! `outflank puzzle`: positions whose best moves the user finds.

mod answer;
mod deck;
mod record;

use std::path::{Path, PathBuf};

use clap::Args;
use outflank::notation::Format;
use outflank::notation::obf::Problem;
use outflank::{Engine, Game, Square};
use outflank_random::SplitMix64;
use outflank_support::text::plural;

use super::console::print_line;
use super::engine::{EngineArguments, StrengthArguments};
use super::error::{CommandError, FAILURE, USAGE, exit_status, for_each_file};
use super::input::{Inputs, PositionArguments};
use super::line_input::{Input, InputLine};
use super::number_options::{ANY_U64, names, whole};
use super::problem_file::ProblemFile;
use super::skill::new_seed;
use super::terminal_board;
use answer::ScoredPosition;
use deck::{Deck, Puzzle};
use record::{PracticeRecord, RecordError};

/// Practise: find the best moves of positions
///
/// The files have positions, such as the mistakes that `outflank analyze --save-mistakes` collects, or games, of which
/// --empties or --move chooses a position. Positions with a single legal move are left out.
///
/// For each position, type a square. The answer is right if the move loses no disc. Where the end of the game is too far
/// for exact scores, it may lose 2 discs, or what --within says. A position with a wrong answer comes again later.
///
/// With --record, a file keeps which positions you know. After right answers a position comes again in 1, 3, 7, 14, 30, 60
/// and 120 days, after a wrong one from the beginning. Days are those of UTC.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files of positions or games. A position or moves are accepted in place of a file
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Format of the files [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = names(&Format::ALL, Format::name))]
    from: Option<Format>,

    #[command(flatten)]
    position: PositionArguments,

    /// File that keeps what you know; a new one is made
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Ask positions that are not due yet, too
    #[arg(long)]
    all: bool,

    /// Greatest number of positions [default: all that are due]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1_000_000))]
    count: Option<u32>,

    /// Discs that a right move may lose [default: 0 with exact scores, else 2]
    #[arg(long, value_name = "DISCS", value_parser = whole::<i32>(0..=64))]
    within: Option<i32>,

    /// Seed of the order; 0 keeps the order of the files [default: a new one in each run]
    #[arg(long, value_name = "S", value_parser = whole::<u64>(ANY_U64))]
    seed: Option<u64>,

    #[command(flatten)]
    strength: StrengthArguments,

    #[command(flatten)]
    engine: EngineArguments,
}

const EXAMPLES: &str = "\
Examples:
  outflank puzzle data/problems/ffo-1-19.obf --count 5
  outflank puzzle mistakes.obf --record mistakes.practice
  outflank puzzle WTH_2010.wtb --empties 12 --count 10    endgames of 12 empty squares
  outflank puzzle game.ggf --move 21

The exit status is 1 if a file or position could not be read, a game is over without --empties or --move, or there is no
position to ask; else 0.";

/// Reason why there is nothing to practise.
#[derive(Debug, thiserror::Error)]
enum PuzzleError {
    #[error("there is no position with two legal moves or more")]
    NoChoice,
    #[error("FILE cannot be standard input, from which your answers come")]
    StandardInput,
}
exit_status!(PuzzleError { Self::NoChoice => FAILURE, Self::StandardInput => USAGE });
exit_status!(FAILURE; RecordError);

const HELP: &str = "  \
  f5        your answer: the best move
  hint      show how many moves are right, and the score of the best
  show      show the best move; counts as a wrong answer
  skip      leave the position out
  quit      end; so do Ctrl-C and the end of the input";

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    if arguments.files.iter().any(|path| path == Path::new("-")) {
        return Err(PuzzleError::StandardInput.into());
    }
    let engine = arguments.engine.engine()?;
    let (problems, failed) = read(arguments)?;
    let puzzles: Vec<Puzzle> = problems.iter().filter_map(Puzzle::new).collect();
    if puzzles.is_empty() {
        return match failed {
            true => Ok(FAILURE),
            false => Err(PuzzleError::NoChoice.into()),
        };
    }
    let mut record = match &arguments.record {
        Some(path) => PracticeRecord::open(path)?,
        None => PracticeRecord::default(),
    };
    // Shows now if the file cannot be written.
    record.save()?;
    let next_due = record.next_due(puzzles.iter().map(Puzzle::key));
    let seed = arguments.seed.unwrap_or_else(new_seed);
    let random = (seed != 0).then(|| SplitMix64::new(seed));
    let mut deck = Deck::new(puzzles, random, |puzzle| {
        arguments.all || record.is_due(puzzle.key())
    });
    if let Some(date) = next_due.filter(|_| deck.is_empty()) {
        print_line(format_args!(
            "Nothing is due. The next position comes on {date}; --all asks all."
        ))?;
    }
    deck.limit(arguments.count.map_or(usize::MAX, |count| count as usize));
    let mut session = PuzzleSession {
        arguments,
        engine,
        input: Input::new(),
        score: Score::default(),
    };
    let asked = deck.len();
    while let Some(puzzle) = deck.next() {
        let number = asked - deck.new_count();
        match session.ask(&puzzle, (number, asked))? {
            Outcome::Quit => break,
            Outcome::Skipped => {}
            Outcome::Answered { is_right } => {
                record.add(puzzle.key(), is_right);
                record.save()?;
                if !is_right {
                    deck.repeat(puzzle);
                }
            }
        }
    }
    if session.score.answered > 0 {
        print_line(session.score.text())?;
    }
    Ok(if failed { FAILURE } else { 0 })
}

/// Reads the positions of all files. The flag is `true` if something could not be read.
fn read(arguments: &Arguments) -> Result<(Vec<Problem>, bool), CommandError> {
    let (mut problems, mut faults) = (Vec::new(), 0);
    let mut inputs = Inputs::new(arguments.from);
    let failures = for_each_file(&arguments.files, |path| {
        let file = ProblemFile::read(path, &mut inputs, arguments.position, problems.len())?;
        faults += file.malformed + file.finished;
        problems.extend(file.problems.into_iter().map(|(_, problem)| problem));
        Ok(())
    })?;
    Ok((problems, failures + faults > 0))
}

/// End of a question.
enum Outcome {
    Answered { is_right: bool },
    Skipped,
    Quit,
}

/// Counts of first answers.
#[derive(Default)]
struct Score {
    answered: usize,
    right: usize,
    /// Lost discs.
    lost: i32,
}

impl Score {
    fn text(&self) -> String {
        let Score {
            answered,
            right,
            lost,
        } = *self;
        let positions = plural(answered, "position", "positions");
        let discs = plural(lost, "disc", "discs");
        let share = 100.0 * right as f64 / answered as f64;
        let mean = f64::from(lost) / answered as f64;
        format!("{right} of {positions} right at once ({share:.0} %), {discs} lost, {mean:.1} each")
    }
}

/// Dialogue of questions and answers.
struct PuzzleSession<'a> {
    arguments: &'a Arguments,
    engine: Engine,
    input: Input,
    score: Score,
}

impl PuzzleSession<'_> {
    /// Asks for the best move of a position until it is answered. `number` is that of the position and of all.
    fn ask(
        &mut self,
        puzzle: &Puzzle,
        (number, count): (usize, usize),
    ) -> Result<Outcome, CommandError> {
        show(puzzle, (number, count))?;
        let strength = self.arguments.strength.strength().unwrap_or_default();
        let within = self.arguments.within;
        let scored = ScoredPosition::of(puzzle.board, &mut self.engine, strength, within);
        if scored.has_only_right_moves() {
            print_line("All moves are right.")?;
            return Ok(Outcome::Skipped);
        }
        let answer = match self.read_answer(puzzle, &scored)? {
            Answer::Move(square) => Some(square),
            Answer::Show => None,
            Answer::Skip => return Ok(Outcome::Skipped),
            Answer::Quit => return Ok(Outcome::Quit),
        };
        let (is_right, loss) = scored.judge(answer);
        print_line(scored.text(answer, puzzle.side))?;
        if let Some(secret) = puzzle.secret() {
            print_line(secret)?;
        }
        if !puzzle.is_repeated {
            self.score.answered += 1;
            self.score.right += usize::from(is_right);
            self.score.lost += loss;
        }
        Ok(Outcome::Answered { is_right })
    }

    /// Reads lines until one of them answers the question.
    fn read_answer(
        &mut self,
        puzzle: &Puzzle,
        scored: &ScoredPosition,
    ) -> Result<Answer, CommandError> {
        let prompt = format!("{}> ", puzzle.side);
        loop {
            let text = match self.input.next(&prompt)? {
                InputLine::End | InputLine::Interrupt => return Ok(Answer::Quit),
                InputLine::Dropped => continue,
                InputLine::Unusable(reason) => {
                    print_line(reason)?;
                    continue;
                }
                InputLine::Text(text) => text.trim().to_ascii_lowercase(),
            };
            match text.as_str() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(Answer::Quit),
                "skip" => return Ok(Answer::Skip),
                "show" => return Ok(Answer::Show),
                "help" | "?" => print_line(HELP)?,
                "hint" => print_line(scored.hint())?,
                text => match text.parse::<Square>() {
                    Ok(square) if puzzle.board.mobility() & square.bit() != 0 => {
                        return Ok(Answer::Move(square));
                    }
                    Ok(square) => print_line(format_args!("{square} is not legal"))?,
                    Err(_) => print_line(format_args!(
                        "{text:?} is neither a square nor a command; try help"
                    ))?,
                },
            }
        }
    }
}

/// Answer to a question.
enum Answer {
    Move(Square),
    /// The user wants to see the best move.
    Show,
    Skip,
    Quit,
}

/// Shows the position of a question.
fn show(puzzle: &Puzzle, (number, count): (usize, usize)) -> Result<(), CommandError> {
    let mut heading = match puzzle.is_repeated {
        true => "Again".to_owned(),
        false => format!("{number} of {count}"),
    };
    if let Some(name) = puzzle.heading() {
        heading += &format!(": {name}");
    }
    let game = Game::from_start(puzzle.board, puzzle.side).expect("no square is held twice");
    print_line(format_args!("\n{heading}"))?;
    Ok(terminal_board::show(&game)?)
}
