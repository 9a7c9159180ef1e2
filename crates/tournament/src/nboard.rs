//! Driver of engines that speak NBoard's protocol.

use std::time::Duration;

use outflank::notation::ggf::{self, GgfMove};
use outflank::notation::{GameRecord, Note};
use outflank::{Game, Ply, Side};
use outflank_support::lines::first_word;

use crate::driver::{Answer, Driver};
use crate::fault::{Failure, FaultKind, Reply, excerpt};
use crate::limits::{Allowance, Limit, seconds_rounded_up};
use crate::process::{Process, Wait};

pub(crate) struct NBoard {
    process: Process,
    name: String,
    /// Maximum wait for answers other than moves.
    patience: Duration,
    /// Number of the last ping.
    pings: u32,
}

impl NBoard {
    pub(crate) fn greet(process: Process, patience: Duration) -> Reply<Box<dyn Driver>> {
        let mut nboard = NBoard {
            process,
            name: String::new(),
            patience,
            pings: 0,
        };
        nboard.process.send("nboard 2");
        nboard.ping()?;
        Ok(Box::new(nboard))
    }

    /// Waits until the engine has carried out all commands.
    fn ping(&mut self) -> Reply {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        let wait = Wait::new(self.patience);
        self.process.send(&format!("ping {}", self.pings));
        loop {
            let line = self.process.receive(wait)?;
            if line.trim() == pong {
                return Ok(());
            }
            if let Some(name) = line.trim().strip_prefix("set myname ") {
                self.name = excerpt(name);
            }
        }
    }

    fn send_move(&mut self, ply: Ply, time: Option<Duration>) {
        let note = Note {
            eval: None,
            seconds: time.map(seconds_rounded_up),
        };
        let played = GgfMove { ply, note };
        self.process.send(&format!("move {played}"));
    }
}

impl Driver for NBoard {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin_game(&mut self, opening: &Game, limit: &Limit) -> Reply {
        if let Limit::Depth(depth) = limit {
            self.process.send(&format!("set depth {depth}"));
        }
        // All engines treat a game without moves as a new one. The moves of the opening follow.
        let (board, side) = opening.start();
        let start = Game::from_start(board, side).expect("a game began with it");
        let mut record = GameRecord::new(start);
        let clock = limit.ggf_clock();
        for (property, value) in [
            ("PC", Some("match")),
            ("PB", Some("black")),
            ("PW", Some("white")),
            ("RE", Some("?")),
            ("TI", clock.as_deref()),
            ("TY", Some("8")),
        ] {
            if let Some(value) = value {
                record.set(property, value).expect("a valid property");
            }
        }
        let record = ggf::write(&record);
        self.process.send(&format!("set game {record}"));
        for &ply in opening.plies() {
            self.send_move(ply, None);
        }
        self.ping()
    }

    fn report_move(&mut self, _: Side, ply: Ply, time: Option<Duration>, _: bool) -> Reply {
        self.send_move(ply, time);
        Ok(())
    }

    fn choose_move(&mut self, _: Side, allowance: &Allowance) -> Reply<Answer> {
        // Earlier commands are carried out before the clock runs, as with GTP. Late answers to them are ignored.
        self.ping()?;
        let wait = Wait::new(allowance.wait);
        self.process.send("go");
        let mut nodes = None;
        let line = loop {
            let line = self.process.receive(wait)?;
            if line.starts_with("===") {
                break line;
            }
            // The last line counts all iterations.
            if let Some(rest) = line.trim().strip_prefix("nodestats ") {
                nodes = first_word(rest).0.parse().ok();
            }
        };
        let time = wait.since.elapsed();
        // Edax writes blanks in place of slashes.
        let mut parts = line[3..].trim().split(['/', ' ']);
        let GgfMove { ply, .. } = parts.next().unwrap_or_default().parse().map_err(|_| {
            let message = format!("answered {:?} instead of a move", excerpt(&line));
            Failure::fault(FaultKind::Garbage, message)
        })?;
        let eval = parts.next().and_then(|eval| eval.parse().ok());
        let eval = eval.filter(|eval: &f64| eval.abs() <= 64.0);
        Ok(Answer {
            ply,
            eval,
            nodes,
            time,
        })
    }
}
