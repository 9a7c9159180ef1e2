//! `outflank weights join`: two networks in one file.

use std::path::{Path, PathBuf};

use clap::Args;
use outflank::eval::{Model, Networks, Parameters};

use crate::CommandError;
use crate::error::{NotNetwork, USAGE, exit_status};
use crate::number_options::whole;
use crate::output_files::{Files, ForceArgument, kind};

/// Join two networks, one for the end of the game and one for the positions before
///
/// An input may have two networks. Then LATE contributes its network for fewer empty squares, EARLY the one for more.
/// That network has to evaluate all positions for which the result uses it.
///
/// The result has no error model, because sigma depends on both networks. `outflank train probcut` measures one.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File with the network for up to --above empty squares; - is standard input
    #[arg(value_name = "LATE")]
    late: PathBuf,

    /// File with the network for more than --above empty squares; - is standard input
    #[arg(value_name = "EARLY")]
    early: PathBuf,

    /// File to write; existing weights are replaced when the new ones are complete
    #[arg(value_name = "OUT")]
    to: PathBuf,

    /// Number of empty squares above which EARLY evaluates, 0 to 59
    #[arg(long, value_name = "EMPTIES", default_value_t = 20, value_parser = whole::<u32>(0..=59))]
    above: u32,

    #[command(flatten)]
    force: ForceArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank weights join late.network early.network both.network
  outflank weights join both.network new.network improved.network
      another network for more than 20 empty squares";

/// Networks that cannot be joined.
#[derive(Debug, thiserror::Error)]
enum JoinError {
    #[error("only one of LATE and EARLY can be standard input")]
    OneInput,
    #[error(
        "{}: none of its networks evaluates all positions of {from} to {to} empty squares; give another --above",
        .path.display()
    )]
    PartOfPhase { path: PathBuf, from: u32, to: u32 },
}
exit_status!(USAGE; JoinError);

/// Reads two networks, writes a file with both, and returns the exit status.
pub(super) fn join(arguments: &Arguments) -> Result<u8, CommandError> {
    let Arguments {
        late,
        early,
        to,
        above,
        force,
    } = arguments;
    if [late, early].iter().all(|path| path.as_path() == "-") {
        return Err(JoinError::OneInput.into());
    }
    let files = Files::new()
        .reading("LATE", [late])
        .reading("EARLY", [early]);
    let out = files.writing_one("OUT", to, kind::WEIGHTS, *force)?;
    let [of_late, of_early] = [
        Input::load(late, 0, *above)?,
        Input::load(early, above + 1, 60)?,
    ];
    let about = format!(
        "Up to {above} empty squares: {}\nAbove: {}",
        of_late.about, of_early.about
    );
    let [late, early] = [of_late, of_early].map(|input| input.networks.at(input.to).clone());
    let both = Networks::of_phases(late, *above, early);
    super::write(out, to, &Model::networks(both, about).write())
}

/// A file, one of whose networks is joined.
struct Input {
    networks: Networks,
    /// The maximum number of empty squares for which its network is used.
    to: u32,
    about: String,
}

impl Input {
    /// Loads the networks at `path`. It is an error if none of them evaluates all positions of `from` to `to` empty
    /// squares.
    fn load(path: &Path, from: u32, to: u32) -> Result<Input, CommandError> {
        let model = super::load(path)?.model;
        let Parameters::Networks(networks) = model.parameters else {
            return Err(NotNetwork(path.to_owned()).into());
        };
        if !std::ptr::eq(networks.at(from), networks.at(to)) {
            let path = path.to_owned();
            return Err(JoinError::PartOfPhase { path, from, to }.into());
        }
        let about = match networks.phases().count() {
            1 => model.about,
            _ => format!("one of two networks ({})", model.about),
        };
        Ok(Input {
            networks,
            to,
            about,
        })
    }
}
