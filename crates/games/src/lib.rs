//! Databases of games: one file with all games, players and tournaments, and an index of every position.
//!
//! ```
//! use outflank::Board;
//! use outflank::notation::ggf;
//! use outflank_games::{Filter, GameDatabase, Writer};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("my.games");
//! let mut writer = Writer::create(&path)?;
//! for text in ["(;GM[Othello]PB[Ann]PW[Bob]DT[2003]RE[+4]B[F5]W[D6];)", "(;GM[Othello]PB[Eve]B[D3]W[C5];)"] {
//!     let game = ggf::read(text.as_bytes()).next().ok_or("no game")??;
//!     writer.add(&game.record)?;
//! }
//! writer.commit()?;
//! drop(writer);
//!
//! let database = GameDatabase::open(&path)?;
//! let all = database.select(&Filter::default())?;
//! let moves = database.moves_at(Board::START, |game| all.contains(game))?;
//! // D3 is symmetric to F5.
//! assert_eq!((moves.len(), moves[0].games, moves[0].wins), (1, 2, 1));
//! assert_eq!(moves[0].square, "F5".parse().ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`GameDatabase`] is open for reading, and a [`Writer`] for writing by one process at a time. A [`Filter`] selects
//! games by player, tournament, year and result. [`GameDatabase::moves_at`] tells what was played in a position, and
//! [`GameDatabase::novelty`] where a game left the known games.
//!
//! File formats stay compatible between versions. This interface may change with every release.

mod filter;
mod index;
mod novelty;
mod row;
mod statistics;
mod store;
mod summary;
mod writer;

pub use filter::{Filter, FilterError, Selection, Winner};
pub use index::Visit;
pub use novelty::Novelty;
pub use outflank_database::{DatabaseError, Fault};
pub use statistics::MoveStatistics;
pub use store::GameDatabase;
pub use summary::GameSummary;
pub use writer::{Addition, Writer};
