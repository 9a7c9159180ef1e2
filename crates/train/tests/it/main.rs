//! The trainer as a library.

mod records;
