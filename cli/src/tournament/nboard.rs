//! An engine that speaks NBoard's protocol, from the referee's side.

use std::time::Duration;

use super::control::{Allowance, Control};
use super::fault::{Kind, Trouble, excerpt};
use super::player::{Answer, Player, Waiting};
use super::process::Process;
use outflank::notation::ggf::{self, Move};
use outflank::notation::{GameRecord, Note};
use outflank::protocol::lines::first_word;
use outflank::{Game, Ply, Side};

/// How long an engine has for all but moves is `patience`.
pub(super) struct NBoard {
    process: Process,
    name: String,
    patience: Duration,
    /// Sent so far.
    pings: u32,
}

impl NBoard {
    /// Greets an engine that was started.
    pub(super) fn greet(process: Process, patience: Duration) -> Result<NBoard, Trouble> {
        let mut nboard = NBoard {
            process,
            name: String::new(),
            patience,
            pings: 0,
        };
        nboard.process.say("nboard 2");
        nboard.ping()?;
        Ok(nboard)
    }

    /// Waits until the engine has done all that it was told.
    fn ping(&mut self) -> Result<(), Trouble> {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        let Waiting { since, patience } = Waiting::from_now(self.patience);
        self.process.say(&format!("ping {}", self.pings));
        loop {
            let line = self.process.line(since, patience)?;
            if line.trim() == pong {
                return Ok(());
            }
            if let Some(name) = line.trim().strip_prefix("set myname ") {
                self.name = excerpt(name);
            }
        }
    }

    fn say_move(&mut self, ply: Ply, taken: Option<Duration>) {
        let note = Note {
            eval: None,
            seconds: taken.map(rounded),
        };
        self.process.say(&format!("move {}", Move { ply, note }));
    }
}

impl Player for NBoard {
    fn name(&self) -> &str {
        &self.name
    }

    fn begin(&mut self, opening: &Game, control: &Control) -> Result<(), Trouble> {
        if let Control::Depth(depth) = control {
            self.process.say(&format!("set depth {depth}"));
        }
        // A game without moves is a new one; the opening is played on it.
        let mut record = GameRecord::new(Game::new());
        let properties = [
            ("PC", Some("match".to_owned())),
            ("PB", Some("black".to_owned())),
            ("PW", Some("white".to_owned())),
            ("RE", Some("?".to_owned())),
            ("TI", ggf_time(control)),
            ("TY", Some("8".to_owned())),
        ];
        for (name, value) in properties {
            if let Some(value) = value {
                record.set(name, &value).expect("a name of a property");
            }
        }
        self.process
            .say(&format!("set game {}", ggf::write(&record)));
        for &ply in opening.plies() {
            self.say_move(ply, None);
        }
        self.ping()
    }

    fn played(
        &mut self,
        _: Side,
        ply: Ply,
        taken: Option<Duration>,
        _: bool,
    ) -> Result<(), Trouble> {
        self.say_move(ply, taken);
        Ok(())
    }

    fn choose(&mut self, _: Side, allowance: &Allowance) -> Result<Answer, Trouble> {
        // What it was told is done before its clock runs, as with GTP; and what it says late is passed over.
        self.ping()?;
        let waiting = Waiting::from_now(allowance.wait);
        self.process.say("go");
        let line = loop {
            let line = self.process.line(waiting.since, waiting.patience)?;
            if line.starts_with("===") {
                break line;
            }
        };
        let taken = waiting.since.elapsed();
        let text = first_word(&line[3..]).0;
        let (name, rest) = text.split_once('/').unwrap_or((text, ""));
        let played: Move = name.parse().map_err(|_| {
            let told = format!("answered {:?} instead of a move", excerpt(&line));
            Trouble::of(Kind::Garbage, told)
        })?;
        let eval = rest.split('/').next().and_then(|eval| eval.parse().ok());
        Ok(Answer {
            ply: played.ply,
            eval: eval.filter(|eval: &f64| eval.is_finite()),
            taken,
        })
    }
}

/// Seconds, to the millisecond, upwards: whoever adds them up has no more time left than the referee says.
pub(super) fn rounded(time: Duration) -> f64 {
    time.as_micros().div_ceil(1000) as f64 / 1000.0
}

/// The clock as GGF has it, `05:00/00:10`; `None` where there is none, or none of whole seconds.
pub(super) fn ggf_time(control: &Control) -> Option<String> {
    let Control::Game { main, increment } = control else {
        return None;
    };
    if main.subsec_nanos() + increment.subsec_nanos() > 0 {
        return None;
    }
    let text = |time: &Duration| format!("{:02}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
    Some(match increment.is_zero() {
        true => text(main),
        false => format!("{}/{}", text(main), text(increment)),
    })
}
