//! `outflank check`: checks of the engine against independent programs.

use std::fmt;
use std::time::{Duration, Instant};

use clap::Args;
use outflank::{Board, Bound, Engine, Square};
use outflank_certificate::{Budget, Certifier, CertifyError, Choice, claims};
use outflank_random::SplitMix64;
use outflank_support::text::plural;
use outflank_verifier::{Claim, Position, Refusal};

use super::console::print_line;
use super::engine::EngineArguments;
use super::error::{CommandError, FAILURE, exit_status};
use super::number_options::{ANY_U64, seconds, whole};
use super::progress::ProgressArgument;
use super::signals::{report_interrupted, stop_on_interrupt};

crate::subcommands! {
    /// Check the engine against independent programs
    #[command(after_help = EXAMPLES)]
    pub(super) enum Arguments {
        Search(SearchArguments) => run_search,
    }
}

/// Check exact scores of random positions by certificates
///
/// Each position is solved by the engine. Certificates of its score are made and verified by rules and a search of their own,
/// as `outflank verify` does. No certificate may exist for a score that is two discs better.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct SearchArguments {
    /// Time in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    seconds: Duration,

    /// Maximum number of empty squares, 1 to 24. Positions have this number or up to ten fewer
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = whole::<u32>(1..=24))]
    max_empties: u32,

    /// Seed of the random positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(ANY_U64))]
    seed: u64,

    #[command(flatten)]
    engine: EngineArguments,

    #[command(flatten)]
    progress: ProgressArgument,
}

const EXAMPLES: &str = "\
Examples:
  outflank check search --seconds 60
  outflank check search --isa portable --threads 4 --seed 7";

/// A fault of the search or of the certificates.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{claim}: {error}")]
    NoCertificate {
        claim: ClaimText,
        #[source]
        error: CertifyError,
    },
    #[error("{claim}: the certificate is refused: {error}")]
    Refused {
        claim: ClaimText,
        #[source]
        error: Refusal,
    },
    #[error("{0}: the claim is wrong, but a certificate was made")]
    WrongClaim(ClaimText),
    #[error(transparent)]
    Search(#[from] outflank::SearchError),
}
exit_status!(FAILURE; Fault);

/// A claim as text, with a position that `outflank solve` reads.
#[derive(Debug)]
struct ClaimText(Claim);

impl fmt::Display for ClaimText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = if self.0.at_least {
            "at least"
        } else {
            "at most"
        };
        write!(f, "{words} {:+} in {}", self.0.score, self.0.position)
    }
}

fn run_search(arguments: &SearchArguments) -> Result<u8, CommandError> {
    let mut engine = arguments.engine.engine()?;
    let stop = engine.stop_handle();
    stop_on_interrupt(&stop)?;
    let progress = arguments.progress.timed(arguments.seconds, "positions");
    let start = Instant::now();
    let mut random = SplitMix64::new(arguments.seed);
    let (mut positions, mut certificates) = (0, 0);
    while start.elapsed() < arguments.seconds && !stop.is_stopped() {
        let empties =
            arguments.max_empties - random.index(11.min(arguments.max_empties as usize)) as u32;
        let board = random_position(&mut random, empties);
        match check(&mut engine, board, &mut random) {
            Ok(made) => certificates += made,
            Err(_) if stop.is_stopped() => break,
            Err(fault) => return Err(fault.into()),
        }
        positions += 1;
        progress.advance_to_now(|| positions.to_string());
    }
    drop(progress);
    print_line(format_args!(
        "{} solved, {} made and verified, none wrong",
        plural(positions, "position", "positions"),
        plural(certificates, "certificate", "certificates"),
    ))?;
    Ok(if stop.is_stopped() {
        report_interrupted()
    } else {
        0
    })
}

/// A position with `empties` empty squares after random moves, or the end of a game with more.
fn random_position(random: &mut SplitMix64, empties: u32) -> Board {
    let mut board = Board::START;
    while board.empty_count() > empties && !board.is_game_over() {
        board = match board.mobility() {
            0 => board.pass(),
            moves => {
                let square = Square::all_in(random.one_of(moves)).next();
                board
                    .play(square.expect("one square"))
                    .expect("a legal move")
            }
        };
    }
    board
}

/// Solves a position, and makes and verifies the certificates of its score. Returns their number.
fn check(engine: &mut Engine, board: Board, random: &mut SplitMix64) -> Result<usize, Fault> {
    engine.clear();
    let result = engine.solve(board)?;
    let leaf_empties = random.index(board.empty_count().min(14) as usize + 1) as u32;
    let choice = random.pick(&[Choice::First, Choice::FewestReplies]);
    let mut certifier = Certifier::new(engine)
        .budget(Budget::LeafEmpties(leaf_empties))
        .choice(choice);
    let all = claims(board, result.score, Bound::Exact);
    for &claim in &all {
        let certificate = certifier.certify(claim).map_err(|error| {
            let claim = ClaimText(claim);
            Fault::NoCertificate { claim, error }
        })?;
        certificate.verify().map_err(|error| {
            let claim = ClaimText(claim);
            Fault::Refused { claim, error }
        })?;
    }
    if result.score < 64 {
        refuse_better_score(&mut certifier, board, result.score + 2)?;
    }
    Ok(all.len())
}

/// Tries to make a certificate of a score that is too good.
fn refuse_better_score(
    certifier: &mut Certifier<'_>,
    board: Board,
    score: i32,
) -> Result<(), Fault> {
    let position = Position::new(board.player, board.opponent);
    let at_least = true;
    let claim = Claim {
        position,
        at_least,
        score,
    };
    match certifier.certify(claim) {
        Ok(_) => Err(Fault::WrongClaim(ClaimText(claim))),
        Err(CertifyError::FalseClaim) => Ok(()),
        Err(error) => Err(Fault::NoCertificate {
            claim: ClaimText(claim),
            error,
        }),
    }
}
