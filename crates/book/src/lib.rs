//! Opening books: files of searched positions that grow over years and survive crashes.
//!
//! ```
//! use outflank::Board;
//! use outflank_book::{Book, BookEntry, ValuedMove, SearchEffort, Writer};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("my.book");
//! let mut writer = Writer::create(&path)?;
//! let leaf = ValuedMove { ply: "F5".parse().ok(), value: 0 };
//! let searched = SearchEffort { depth: 16, selectivity: outflank::Selectivity::P73 };
//! writer.put(&BookEntry::new(Board::START, searched, Some(leaf), vec![])?)?;
//! writer.commit()?;
//! drop(writer);
//!
//! let book = Book::open(&path)?;
//! let entry = book.entry(Board::START)?.ok_or("missing")?;
//! assert_eq!((entry.value(), entry.moves().count()), (0, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`BookEntry`] is a position with the values of its moves and the depth of its search. A [`Book`] is open for
//! reading, and a [`Writer`] for writing by one process at a time. A [`Graph`] is a whole book in memory, with negamax
//! values from the leaves to the start. [`Graph::part`] copies a part of it. The module [`learn`] expands books by searches. A [`BookPlayer`] plays by a book,
//! with tolerance. [`VariedOpenings`] vary the first moves without a book. The module [`check`] verifies books, and
//! [`edax`] exchanges them with Edax,
//! and [`egaroucid`] imports those of Egaroucid.
//!
//! File formats stay compatible between versions. This interface may change with every release.

pub mod check;
pub mod edax;
pub mod egaroucid;
mod entry;
mod error;
mod foreign;
mod graph;
pub mod learn;
mod lines;
mod manual;
mod part;
mod player;
mod setting;
mod store;

pub use entry::{BookEntry, EntryError, SearchEffort, ValuedMove};
pub use error::BookError;
pub use foreign::{ForeignImport, PositionFault};
pub use graph::{Graph, GraphLink};
pub use lines::{Certainty, LineCounts, ValueOrigin};
pub use manual::{MAX_REASON, ManualValue};
pub use outflank_database::{DatabaseError, Fault};
pub use part::LossLimits;
pub use player::{BookPlayer, Tolerance, VariedOpenings};
pub use store::{Book, Writer};
