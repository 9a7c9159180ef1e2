//! Opening books: positions with what their moves are worth, which grow over years and are never half written.
//!
//! ```
//! use outflank::Board;
//! use outflank_book::{Book, Entry, Move, Searched, Writer};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("my.book");
//! let mut writer = Writer::create(&path)?;
//! let leaf = Move { ply: "F5".parse().ok(), value: 0 };
//! let searched = Searched { depth: 16, selectivity: outflank::Selectivity::P73 };
//! writer.put(&Entry::new(Board::START, searched, Some(leaf), vec![])?)?;
//! writer.commit()?;
//! drop(writer);
//!
//! let book = Book::open(&path)?;
//! let entry = book.entry(Board::START)?.ok_or("it is there")?;
//! assert_eq!((entry.value(), entry.moves().count()), (0, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Entry`]: a position, its moves with their values, and how it was searched.
//! - [`Book`]: a file that is read; [`Writer`]: one that is written, by one program at a time.
//! - [`Graph`]: a whole book in memory, with its values from the leaves to the start (negamax).
//! - [`learn`]: books that grow.
//! - [`BookPlayer`]: plays by a book, with tolerance; [`Varied`]: varies the first moves without one.
//! - [`check`]: everything that a book claims, tested.
//! - [`edax`]: Edax's books.
//!
//! The format of files is kept from version to version; this interface may change with every release.

pub mod check;
mod connection;
pub mod edax;
mod entry;
mod error;
mod graph;
pub mod learn;
mod player;
mod setting;
mod store;

pub use entry::{Entry, EntryError, Move, Searched};
pub use error::BookError;
pub use graph::{Graph, Linked};
pub use player::{BookPlayer, Tolerance, Varied};
pub use store::{Book, Writer};
