//! The running program: its name, the words before its commands, and its descriptions of files.

use std::fmt::Display;
use std::process::ExitCode;
use std::sync::OnceLock;

use clap::Parser;

use crate::console::print_error;
use crate::number_options::accept_negative_numbers;
use crate::status::BROKEN_PIPE;

/// A program of the command line.
pub struct Program {
    /// Name, with which its messages begin.
    pub name: &'static str,
    /// Words before the commands of `outflank-checker`: `kernels` in the program `outflank`.
    pub kernel_words: &'static [&'static str],
    /// Describes a file by its first bytes, for messages: "it is a PNG image".
    pub describe_file: fn(&[u8]) -> String,
}

static PROGRAM: OnceLock<Program> = OnceLock::new();

impl Program {
    /// A program with its own name for all commands. It describes no files.
    pub const fn named(name: &'static str) -> Program {
        Program {
            name,
            kernel_words: &[],
            describe_file: |_| "it has other contents".to_owned(),
        }
    }

    /// Runs a small program: parses the arguments of the process, calls `body` with them, and returns the exit status.
    /// Reports an error in a line, unless the reader of standard output has left.
    pub fn run<A: Parser, E: Display>(
        self,
        body: impl FnOnce(A) -> Result<u8, E>,
        status_of: impl FnOnce(&E) -> u8,
    ) -> ExitCode {
        self.begin();
        let matches = accept_negative_numbers(A::command()).get_matches();
        let arguments = A::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        ExitCode::from(body(arguments).unwrap_or_else(|error| {
            let status = status_of(&error);
            if status != BROKEN_PIPE {
                print_error(&error);
            }
            status
        }))
    }

    /// Makes this the running program. Only the first call has an effect.
    pub fn begin(self) {
        let _ = PROGRAM.set(self);
    }

    /// Returns the running program: the one that [`begin`](Self::begin) set, or else one with the name of this crate.
    pub fn running() -> &'static Program {
        PROGRAM.get_or_init(|| Program::named(env!("CARGO_PKG_NAME")))
    }

    /// Completes the examples of a help text: `PROGRAM` becomes the name of the program and the words before its
    /// commands.
    pub fn kernel_examples(text: &str) -> String {
        let Program {
            name, kernel_words, ..
        } = Program::running();
        let words: Vec<&str> = [*name]
            .into_iter()
            .chain(kernel_words.iter().copied())
            .collect();
        text.replace("PROGRAM", &words.join(" "))
    }
}
