//! The trainer's library part: labelled positions, and what is made of them.

pub mod record;
