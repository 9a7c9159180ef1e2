//! Internal helpers of the outflank crates.
//!
//! The interface may change with every release, without notice. Programs use the crate `outflank`.
//!
//! | module | contents |
//! |---|---|
//! | [`files`] | readers of whole files up to a size limit |
//! | [`lines`] | reader of the lines of a stream, on a thread of its own |
//! | [`queue`] | numbered work for several threads, with results in order |
//! | [`text`] | plurals, and filters that make foreign text safe to show |
//! | [`threads`] | the environment variable with the default number of threads of a search |

pub mod files;
pub mod lines;
pub mod queue;
pub mod text;
pub mod threads;
