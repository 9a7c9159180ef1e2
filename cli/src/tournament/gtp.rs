//! An engine that speaks GTP, from the referee's side.

use std::time::Duration;

use super::control::{Allowance, Control};
use super::fault::{Kind, Trouble, excerpt};
use super::player::{Answer, Player, Waiting};
use super::process::Process;
use outflank::{Game, Ply, Side};

/// How long an engine has for all but moves is `patience`.
pub(super) struct Gtp {
    process: Process,
    name: String,
    patience: Duration,
    /// Whether it is told the time: one whose command says it is not to heed another.
    is_timed: bool,
}

/// A refusal, `? message`.
struct Refused(String);

impl Gtp {
    /// Greets an engine that was started.
    pub(super) fn greet(process: Process, patience: Duration) -> Result<Gtp, Trouble> {
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
        // Some have other sizes, too; a program that has only this one may not know the command.
        gtp.ask("boardsize 8")?.ok();
        Ok(gtp)
    }

    /// Says a command and waits for its answer.
    fn ask(&mut self, command: &str) -> Result<Result<String, Refused>, Trouble> {
        let patience = Waiting::from_now(self.patience);
        self.ask_within(command, patience)
    }

    fn ask_within(
        &mut self,
        command: &str,
        Waiting { since, patience }: Waiting,
    ) -> Result<Result<String, Refused>, Trouble> {
        self.process.say(command);
        // What stands before an answer belongs to none: some programs write remarks.
        let mut line = self.process.line(since, patience)?;
        while !line.starts_with(['=', '?']) {
            line = self.process.line(since, patience)?;
        }
        let is_refused = line.starts_with('?');
        // An identification is a number right behind the sign; we give none, and pass over one.
        let text = line[1..].trim_start_matches(|digit: char| digit.is_ascii_digit());
        let text = text.trim().to_owned();
        while !self.process.line(since, patience)?.trim().is_empty() {}
        Ok(match is_refused {
            true => Err(Refused(excerpt(&text))),
            false => Ok(text),
        })
    }

    /// Says a command that every engine of the match has to carry out.
    fn demand(&mut self, command: &str) -> Result<(), Trouble> {
        match self.ask(command)? {
            Ok(_) => Ok(()),
            Err(Refused(why)) => {
                let told = format!("refused {command:?}: {why}");
                Err(Trouble::of(Kind::Garbage, told))
            }
        }
    }
}

impl Player for Gtp {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self, opening: &Game, control: &Control) -> Result<(), Trouble> {
        self.demand("clear_board")?;
        self.is_timed = control.is_timed();
        match control {
            Control::Move(time) => {
                let seconds = time.as_secs_f64();
                self.demand(&format!("time_settings 0 {seconds} 1"))?;
            }
            Control::Game { main, .. } => {
                let seconds = main.as_secs_f64();
                self.demand(&format!("time_settings {seconds} 0 0"))?;
            }
            Control::Own | Control::Depth(_) | Control::Nodes(_) => {}
        }
        let sides = opening.positions().iter().map(|&(_, side)| side);
        for (&ply, side) in opening.plies().iter().zip(sides) {
            self.played(side, ply, None, false)?;
        }
        Ok(())
    }

    fn played(
        &mut self,
        side: Side,
        ply: Ply,
        _: Option<Duration>,
        own: bool,
    ) -> Result<(), Trouble> {
        // `genmove` has played it already.
        match own {
            true => Ok(()),
            false => self.demand(&format!("play {} {}", colour(side), name(ply))),
        }
    }

    fn choose(&mut self, side: Side, allowance: &Allowance) -> Result<Answer, Trouble> {
        if let Some(left) = allowance.left
            && self.is_timed
        {
            let command = format!(
                "time_left {} {:.3} {}",
                colour(side),
                left.as_secs_f64(),
                u8::from(allowance.one_move)
            );
            // Who does not know it goes by its own clock.
            self.ask(&command)?.ok();
        }
        let waiting = Waiting::from_now(allowance.wait);
        let answer = self.ask_within(&format!("genmove {}", colour(side)), waiting)?;
        let taken = waiting.since.elapsed();
        let text = answer.map_err(|Refused(why)| {
            Trouble::of(Kind::Garbage, format!("refused to move: {why}"))
        })?;
        let ply = match text.to_ascii_lowercase().as_str() {
            "pass" => None,
            "resign" => return Err(Trouble::of(Kind::Resignation, "resigned")),
            square => Some(square.parse().map_err(|_| {
                let told = format!("answered {:?} instead of a move", excerpt(&text));
                Trouble::of(Kind::Garbage, told)
            })?),
        };
        Ok(Answer {
            ply,
            eval: None,
            taken,
        })
    }
}

fn colour(side: Side) -> char {
    match side {
        Side::Black => 'b',
        Side::White => 'w',
    }
}

fn name(ply: Ply) -> String {
    ply.map_or_else(|| "pass".to_owned(), |square| square.to_string())
}
