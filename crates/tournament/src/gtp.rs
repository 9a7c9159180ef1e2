//! Driver of engines that speak GTP.

use std::io::Write as _;
use std::time::Duration;

use outflank::notation::read_position;
use outflank::{Board, Game, Ply, Side, Square};
use tempfile::NamedTempFile;

use crate::driver::{Answer, Driver};
use crate::fault::{Failure, FaultKind, Reply, excerpt};
use crate::limits::{Allowance, Limit};
use crate::process::{Process, Wait};

pub(crate) struct Gtp {
    process: Process,
    name: String,
    /// Maximum wait for answers other than moves.
    patience: Duration,
    /// `true` if commands of the protocol set the time limit. `false` if the engine's command line does.
    is_timed: bool,
}

/// Message of a refusal: `? message`.
struct Refusal(String);

impl Gtp {
    pub(crate) fn greet(process: Process, patience: Duration) -> Reply<Box<dyn Driver>> {
        let mut gtp = Gtp {
            process,
            name: String::new(),
            patience,
            is_timed: false,
        };
        let mut words = Vec::new();
        for command in ["name", "version"] {
            if let Ok(text) = gtp.ask(command)?
                && !text.is_empty()
            {
                words.push(excerpt(&text));
            }
        }
        gtp.name = words.join(" ");
        // Some programs have other default sizes. A program with only this size may refuse the command.
        gtp.ask("boardsize 8")?.ok();
        Ok(Box::new(gtp))
    }

    fn ask(&mut self, command: &str) -> Reply<Result<String, Refusal>> {
        self.ask_within(command, Wait::new(self.patience))
    }

    fn ask_within(&mut self, command: &str, wait: Wait) -> Reply<Result<String, Refusal>> {
        self.process.send(command);
        // Some programs write remarks before an answer.
        let mut line = self.process.receive(wait)?;
        while !line.starts_with(['=', '?']) {
            line = self.process.receive(wait)?;
        }
        let is_refused = line.starts_with('?');
        // A number behind the sign repeats the identifier of a command. Our commands have none.
        let text = line[1..].trim_start_matches(|digit: char| digit.is_ascii_digit());
        let mut text = text.trim().to_owned();
        loop {
            let line = self.process.receive(wait)?;
            if line.trim().is_empty() {
                break;
            }
            text += "\n";
            text += &line;
        }
        Ok(match is_refused {
            true => Err(Refusal(excerpt(&text))),
            false => Ok(text),
        })
    }

    /// Sets up a position by a file with set-up stones.
    fn set_up(&mut self, board: Board, side: Side) -> Reply {
        let file = NamedTempFile::with_suffix(".sgf");
        let file = file.and_then(|mut file| {
            file.write_all(sgf(board, side).as_bytes())?;
            Ok(file)
        });
        let file = file.map_err(Failure::Start)?;
        self.demand(&format!("loadsgf {}", file.path().display()))?;
        // Some programs ignore set-up stones. A drawing that cannot be read proves nothing.
        if let Ok(drawing) = self.ask("showboard")?
            && let Some(shown) = drawn_squares(&drawing)
            && shown != side.black_first(board)
        {
            let message = "loadsgf ignores the set-up stones of its file";
            return Err(Failure::fault(FaultKind::Garbage, message));
        }
        Ok(())
    }

    /// Sends a command that an engine may not refuse.
    fn demand(&mut self, command: &str) -> Reply {
        let answer = self.ask(command)?.map(drop);
        answer.map_err(|Refusal(reason)| {
            let message = format!("refused {command:?}: {reason}");
            Failure::fault(FaultKind::Garbage, message)
        })
    }
}

impl Driver for Gtp {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin_game(&mut self, opening: &Game, limit: &Limit) -> Reply {
        self.demand("clear_board")?;
        self.is_timed = limit.is_timed();
        match limit {
            Limit::Move(time) => {
                self.demand(&format!("time_settings 0 {} 1", time.as_secs_f64()))?;
            }
            Limit::Game { main, .. } => {
                self.demand(&format!("time_settings {} 0 0", main.as_secs_f64()))?;
            }
            Limit::EngineDefault | Limit::Depth(_) | Limit::Nodes(_) => {}
        }
        if !opening.has_usual_start() {
            let (board, side) = opening.start();
            self.set_up(board, side)?;
        }
        for (&ply, &(_, side)) in opening.plies().iter().zip(opening.positions().iter()) {
            self.report_move(side, ply, None, false)?;
        }
        Ok(())
    }

    fn report_move(&mut self, side: Side, ply: Ply, _: Option<Duration>, is_own: bool) -> Reply {
        // `genmove` has already played the engine's own move.
        if is_own {
            return Ok(());
        }
        let ply = ply.map_or_else(|| "pass".to_owned(), |square| square.to_string());
        self.demand(&format!("play {} {ply}", colour(side)))
    }

    fn choose_move(&mut self, side: Side, allowance: &Allowance) -> Reply<Answer> {
        let colour = colour(side);
        if let Some(left) = allowance.left
            && self.is_timed
        {
            let (seconds, moves) = (left.as_secs_f64(), u8::from(allowance.is_per_move));
            // An engine that does not know the command keeps its own clock.
            let time_left = format!("time_left {colour} {seconds:.3} {moves}");
            self.ask(&time_left)?.ok();
        }
        let wait = Wait::new(allowance.wait);
        let answer = self.ask_within(&format!("genmove {colour}"), wait)?;
        let time = wait.since.elapsed();
        let garbage = |message: String| Failure::fault(FaultKind::Garbage, message);
        let text =
            answer.map_err(|Refusal(reason)| garbage(format!("refused to move: {reason}")))?;
        let text = text.lines().next().unwrap_or_default().trim();
        let ply =
            match text.to_ascii_lowercase().as_str() {
                "pass" => None,
                "resign" => return Err(Failure::fault(FaultKind::Resignation, "resigned")),
                square => Some(square.parse().map_err(|_| {
                    garbage(format!("answered {:?} instead of a move", excerpt(text)))
                })?),
            };
        Ok(Answer {
            ply,
            eval: None,
            nodes: None,
            time,
        })
    }
}

/// Formats a position as an SGF file without moves.
fn sgf(board: Board, side: Side) -> String {
    let Board { player, opponent } = side.black_first(board);
    let stones = |name, squares| {
        let squares = Square::all_in(squares).map(|square| format!("[{square:#}]"));
        let squares: String = squares.collect();
        match squares.as_str() {
            "" => squares,
            _ => format!("{name}{squares}"),
        }
    };
    let (black, white) = (stones("AB", player), stones("AW", opponent));
    let mover = colour(side).to_ascii_uppercase();
    format!("(;FF[4]GM[2]SZ[8]{black}{white}PL[{mover}])\n")
}

/// Reads the squares of a drawn board, black first. Rows with numbers may stand in any order. Notes beside the rows are
/// left out.
fn drawn_squares(drawing: &str) -> Option<Board> {
    let row = |line: &str| -> Option<(Option<u32>, String)> {
        let line = line.trim_start();
        let number = line.chars().next()?.to_digit(10);
        let squares = line.trim_start_matches(|next: char| next.is_ascii_digit());
        let squares = squares.chars().filter(|&next| next != ' ' && next != '|');
        let row: String = squares.take(8).collect();
        let is_square = |next: char| "XOxo*-.".contains(next);
        (row.chars().count() == 8 && row.chars().all(is_square)).then_some((number, row))
    };
    let mut rows: Vec<_> = drawing.lines().filter_map(row).collect();
    // Rows without numbers keep their order.
    rows.sort_by_key(|&(number, _)| number);
    let rows: String = rows.into_iter().map(|(_, row)| row).collect();
    let (board, side) = read_position(&rows).ok()?;
    Some(side.black_first(board))
}

fn colour(side: Side) -> char {
    match side {
        Side::Black => 'b',
        Side::White => 'w',
    }
}
