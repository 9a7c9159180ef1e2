//! The running program: its name, the words before its commands, and its descriptions of files.

use std::sync::OnceLock;

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
    /// Makes this the running program. Only the first call has an effect.
    pub fn begin(self) {
        let _ = PROGRAM.set(self);
    }

    /// Returns the running program: the one that [`begin`](Self::begin) set, or else one with the name of this crate.
    pub fn running() -> &'static Program {
        PROGRAM.get_or_init(|| Program {
            name: env!("CARGO_PKG_NAME"),
            kernel_words: &[],
            describe_file: |_| "it has other contents".to_owned(),
        })
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
