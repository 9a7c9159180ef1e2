//! `outflank completions` and `outflank man`: shell completions and manual pages.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::command;
use super::error::{CommandError, make_folder};
use crate::output_files::{Files, ForceArgument, kind};
use crate::replace::OutputFile;

/// Write the completion script of a shell to standard output
#[derive(Args)]
#[command(after_help = COMPLETIONS)]
pub(super) struct Completions {
    /// Shell to complete for
    #[arg(value_enum)]
    shell: Shell,
}

const COMPLETIONS: &str = "\
Examples:
  outflank completions bash > ~/.local/share/bash-completion/completions/outflank
  outflank completions zsh > ~/.zfunc/_outflank   if fpath contains ~/.zfunc
  outflank completions fish > ~/.config/fish/completions/outflank.fish";

/// Write the manual page of the program to standard output, or the pages of all commands into a folder
#[derive(Args)]
#[command(after_help = MANUAL)]
pub(super) struct Manual {
    /// Folder for outflank.1, outflank-solve.1 and the other pages; created if necessary [default: only outflank.1, to
    /// standard output]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    #[command(flatten)]
    force: ForceArgument,
}

const MANUAL: &str = "\
Examples:
  outflank man | man -l -
  outflank man --folder ~/.local/share/man/man1";

/// Runs `completions` and returns the exit status.
pub(super) fn completions(arguments: &Completions) -> Result<u8, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command(), "outflank", &mut script);
    io::stdout().write_all(&script)?;
    Ok(0)
}

/// Runs `man` and returns the exit status.
pub(super) fn manual(arguments: &Manual) -> Result<u8, CommandError> {
    let mut program = command();
    // Sets the full names of commands: outflank-kernels-check.
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

/// Collects the pages of a command and its subcommands with their open files.
fn collect_pages(
    command: &clap::Command,
    folder: &Path,
    force: ForceArgument,
    pages: &mut Vec<(OutputFile, Vec<u8>)>,
) -> Result<(), CommandError> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    let path = folder.join(format!("{name}.1"));
    let out = Files::new().writing_one("--folder", &path, kind::MANUAL, force)?;
    pages.push((out, page(command)?));
    let is_listed =
        |command: &&clap::Command| !command.is_hide_set() && command.get_name() != "help";
    let mut subcommands = command.get_subcommands().filter(is_listed);
    subcommands.try_for_each(|command| collect_pages(command, folder, force, pages))
}

/// Renders the manual page of a command. The text after its help becomes separate sections.
fn page(command: &clap::Command) -> io::Result<Vec<u8>> {
    let after_help = command.get_after_help().map(ToString::to_string);
    let man = Man::new(command.clone().after_help(None::<&str>));
    let mut page = Vec::new();
    man.render(&mut page)?;
    // A separate document: otherwise apostrophes would become closing quotes.
    sections(after_help.as_deref().unwrap_or_default()).to_writer(&mut page)?;
    Ok(page)
}

/// Converts the paragraphs at the end of a help text into roff sections. Examples keep their lines; other paragraphs
/// are filled.
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
