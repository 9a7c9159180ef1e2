//! Matches between two Othello engines: programs that speak GTP or NBoard's protocol.
//!
//! - [`MatchEngine`] starts an engine by its command. A [`Limit`] bounds its moves.
//! - [`Openings`] come from a file, or are drawn at random.
//! - [`EngineSession`] asks an engine for moves in single positions.
//! - [`Match`] plays every opening twice with colours exchanged, several games at once. An
//!   [`EngineFault`] loses a game.
//! - [`Log`] keeps the results, from which a killed match is resumed.
//! - [`MatchTally`] counts them, [`EloEstimate`] tells which engine is stronger, and [`Sprt`] ends a match early.
//!
//! ```no_run
//! use std::{ops::ControlFlow, time::Duration};
//!
//! use outflank::{Isa, StopHandle};
//! use outflank_tournament::{
//!     EloEstimate, GameLimits, Limit, Match, MatchEngine, MatchTally, Openings, RandomOpenings,
//! };
//!
//! let limits = GameLimits {
//!     limit: Limit::Move(Duration::from_millis(100)),
//!     margin: Duration::from_millis(20),
//!     patience: Duration::from_secs(60),
//! };
//! let stop = StopHandle::default();
//! let a = MatchEngine::new("./new gtp", None, &limits, &stop)?;
//! let b = MatchEngine::new("./old gtp", None, &limits, &stop)?;
//! let settings = Match {
//!     engines: [&a, &b],
//!     books: [None, None],
//!     limits,
//!     concurrency: 1,
//!     pairs: 50,
//!     date: "2020",
//! };
//! let choice = RandomOpenings { plies: 8, max_score: 2, seed: 1 };
//! let openings = Openings::random(choice, Isa::detect(), &stop)?;
//! let mut tally = MatchTally::default();
//! settings.play(openings, &[], &stop, |result| {
//!     tally.add(&result);
//!     ControlFlow::Continue(())
//! })?;
//! println!("{:?}", EloEstimate::new(&tally.pairs));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod driver;
mod elo;
mod engine;
mod fault;
mod flood;
mod gtp;
mod limits;
mod log;
mod nboard;
mod openings;
mod pairing;
mod pipes;
mod process;
mod process_group;
mod referee;
mod result;
mod runner;
mod schedule;
mod session;
mod sprt;
mod stderr;
mod tally;

pub use driver::Answer;
pub use elo::{EloEstimate, PairCounts, share_error};
pub use engine::{EngineError, EngineProblem, MatchEngine, Protocol};
pub use fault::{EngineFault, FaultKind};
pub use limits::{GameLimits, Limit};
pub use log::{Log, LogError, LogFile, MatchSettings};
pub use openings::{Openings, OpeningsError, RandomOpenings};
pub use pairing::EngineId;
pub use process::end_engines;
pub use process_group::ProcessGroup;
pub use result::{Forfeit, GameResult};
pub use runner::{BookError, Match, MatchBook, MatchError, OpenBook};
pub use session::EngineSession;
pub use sprt::{Sprt, SprtError, SprtState};
pub use tally::{MatchTally, Mean, OPENING_PLIES};
