//! SQLite files of a fixed schema: created whole, and opened without trust in their contents.
//!
//! A [`Kind`] describes the files of one purpose, such as opening books. Each crate that stores something has one.

mod connection;
mod error;
mod transactions;

pub use connection::{Kind, STEPS, quoted};
pub use error::{DatabaseError, Fault};
pub use transactions::Transactions;
