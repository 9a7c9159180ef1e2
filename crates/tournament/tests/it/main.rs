//! Matches as a library.

mod elo;
mod log;
mod openings;
mod sprt;
mod tally;
