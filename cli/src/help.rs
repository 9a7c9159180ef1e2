//! `outflank completions` and `outflank man`: what shells and `man` know of the program.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::{CommandError, command, make_folder};
use crate::outputs::{Files, ForceArgument, kind};
use crate::replace::Output;

/// Write a shell's completions to standard output
#[derive(Args)]
#[command(after_help = COMPLETIONS)]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

const COMPLETIONS: &str = "\
Examples:
  outflank completions bash > ~/.local/share/bash-completion/completions/outflank
  outflank completions zsh > ~/.zfunc/_outflank      where fpath has ~/.zfunc
  outflank completions fish > ~/.config/fish/completions/outflank.fish";

/// Write the manual to standard output, or a page for each command into a folder
#[derive(Args)]
#[command(after_help = MANUAL)]
pub(super) struct Manual {
    /// The folder for outflank.1, outflank-solve.1 and the others, made where it is not there [default:
    /// only the page of the program, to standard output]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgument,
}

const MANUAL: &str = "\
Examples:
  outflank man | man -l -
  outflank man --folder ~/.local/share/man/man1";

/// Writes the completions; the result is the exit status.
pub(super) fn completions(arguments: &Completions) -> Result<u8, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command(), "outflank", &mut script);
    io::stdout().write_all(&script)?;
    Ok(0)
}

/// Writes the manual; the result is the exit status.
pub(super) fn manual(arguments: &Manual) -> Result<u8, CommandError> {
    let mut program = command();
    // Each command's full name: outflank-kernels-check.
    program.build();
    match &arguments.folder {
        Some(folder) => {
            make_folder(folder)?;
            let mut pages = Vec::new();
            collect_pages(&program, folder, arguments.force, &mut pages)?;
            for (mut out, page) in pages {
                out.write(&page)?;
            }
        }
        None => io::stdout().write_all(&page(&program)?)?,
    }
    Ok(0)
}

/// Collects the pages of a command and those below it, each with its open file in the folder.
fn collect_pages(
    command: &clap::Command,
    folder: &Path,
    force: ForceArgument,
    pages: &mut Vec<(Output, Vec<u8>)>,
) -> Result<(), CommandError> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let path = folder.join(format!("{name}.1"));
    let out = Files::new().writing_one("--folder", &path, kind::MANUAL, force)?;
    pages.push((out, page(command)?));
    let below = command.get_subcommands().filter(|one| !one.is_hide_set());
    let mut below = below.filter(|one| one.get_name() != "help");
    below.try_for_each(|one| collect_pages(one, folder, force, pages))
}

/// The page of a command. What its help ends with becomes sections of its own, as manuals have them.
fn page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let last = command.get_after_help().map(ToString::to_string);
    let man = Man::new(command.clone().after_help(None::<&str>));
    let mut page = Vec::new();
    man.render(&mut page)?;
    // As a document of its own: otherwise apostrophes would become closing quotes.
    sections(last.as_deref().unwrap_or_default()).to_writer(&mut page)?;
    Ok(page)
}

/// The paragraphs that a help ends with, as sections: examples line by line, the others filled.
fn sections(text: &str) -> Roff {
    let mut roff = Roff::new();
    for paragraph in text.split("\n\n") {
        if let Some(examples) = paragraph.strip_prefix("Examples:\n") {
            roff.control("SH", ["EXAMPLES"]).control("nf", []);
            for line in examples.lines() {
                roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
            }
            roff.control("fi", []);
        } else {
            let title = match paragraph.starts_with("The exit status") {
                true => "EXIT STATUS",
                false => "NOTES",
            };
            roff.control("SH", [title]).text([roman(paragraph)]);
        }
    }
    roff
}
