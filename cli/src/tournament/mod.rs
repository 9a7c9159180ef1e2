//! Matches between two engines, as programs that speak GTP or NBoard's protocol.
//!
//! - `process`: an engine's process, with its `pipes`; `gtp`, `nboard`: talking with it; [`Contestant`]: its command.
//! - `referee`: one game, with the clocks of `control`; `fault`: what loses it otherwise; [`SeatBook`]: moves by a book.
//! - [`Contest`]: all games, several at once, each opening twice with sides changed; `schedule`: which
//!   are left; [`Openings`]; [`Finished`]: what is kept of a game.
//! - [`Log`]: the games that were played, so that a match goes on after a kill.
//! - [`statistics`]: counts of the games, [`strength`]: which engine is stronger by them, and [`Sprt`]: a test that ends a match.
//!
//! ```no_run
//! use std::{ops::ControlFlow, time::Duration};
//!
//! use outflank::{Isa, StopHandle};
//! use crate::tournament::statistics::Tally;
//! use crate::tournament::strength::strength;
//! use crate::tournament::{Contest, Contestant, Control, Draw, Openings};
//!
//! let (control, patience) = (Control::Move(Duration::from_millis(100)), Duration::from_secs(60));
//! let stop = StopHandle::default();
//! let engine = |command| Contestant::new(command, None, control, patience, &stop);
//! let (a, b) = (engine("./new gtp")?, engine("./old gtp")?);
//! let contest = Contest {
//!     contestants: [&a, &b],
//!     books: [None, None],
//!     control,
//!     margin: Duration::from_millis(20),
//!     patience,
//!     concurrency: 1,
//!     pairs: 50,
//!     date: "2020",
//! };
//! let draw = Draw { plies: 8, even: 2, seed: 1 };
//! let openings = Openings::drawn(draw, Isa::detect(), &stop)?;
//! let mut tally = Tally::default();
//! contest.play(openings, &[], &stop, |game| {
//!     tally.add(&game);
//!     ControlFlow::Continue(())
//! })?;
//! println!("{:?}", strength(&tally.pairs));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod books;
mod contest;
mod contestant;
mod control;
mod fault;
mod finished;
mod flood;
mod gtp;
mod log;
mod nboard;
mod openings;
mod pipes;
mod player;
mod process;
mod referee;
mod schedule;
mod sprt;
pub(crate) mod statistics;
mod stderr;
pub(crate) mod strength;

pub(crate) use books::SeatBook;
pub(crate) use contest::{Contest, ContestError};
pub(crate) use contestant::{Contestant, ContestantError, Protocol};
pub(crate) use control::Control;
pub(crate) use fault::Kind;
pub(crate) use finished::{Finished, Forfeit, Seat};
pub(crate) use log::{Candidate, Log, LogError, MatchSettings};
pub(crate) use openings::{Draw, Openings, OpeningsError};
pub(crate) use process::{end_engines, kill_group};
pub(crate) use sprt::{Decision, Sprt, SprtError};
