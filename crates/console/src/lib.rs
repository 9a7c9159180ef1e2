//! Internal helpers of the programs `outflank`, `outflank-checker` and `outflank-prover`.
//!
//! The interface may change with every release, without notice. Programs use the crate `outflank`.
//!
//! | module | contents |
//! |---|---|
//! | [`console`] | standard output and standard error |
//! | [`json`] | objects as lines of JSON |
//! | [`number_options`] | option parsers that report the allowed range |
//! | [`output_files`] | output files that never overwrite a file of another kind |
//! | [`program`] | the running program: its name, and how a small one runs |
//! | [`progress`] | bars and lines of progress |
//! | [`replace`] | files that are replaced whole or not at all |
//! | [`status`] | exit statuses, and errors that several programs have |
//! | [`svg`] | parts of SVG pictures |

pub mod console;
pub mod json;
pub mod number_options;
pub mod output_files;
pub mod program;
pub mod progress;
pub mod replace;
pub mod status;
pub mod svg;
