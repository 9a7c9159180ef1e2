//! `outflank verify`: verifies certificates of exact scores.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use outflank::Bound;
use outflank_support::text::plural;
use outflank_verifier::{Certificate, DEFAULT_MAX_MOVES, Refusal, Verified, read_magic};

use super::console::{clock, print_error, print_line};
use super::error::{CommandError, FAILURE, for_each_file, in_file};
use super::input::{Inputs, PositionArguments};
use super::json::{object, to_line};
use super::number_options::{grouped, whole};
use super::problem_file::ProblemFile;
use super::proven_scores::{ProvenScores, UNKNOWN};
use super::text_format::bounded;

/// Verify certificates, which prove scores of positions
///
/// `outflank solve --certificate` makes them. Each proves that the score of a position is at least or at most a number of
/// discs for the side to move, X. Two of them prove an exact score. The verifier has rules and a search of its own, and uses
/// nothing of the engine.
///
/// A leaf is a position that the verifier solves by itself. Moves are those that the certificate gives for the side that
/// claims the score.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Files of certificates; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// File of positions with known scores, all of which the certificates must prove; may be given several times
    #[arg(long, value_name = "FILE")]
    problems: Vec<PathBuf>,

    /// Maximum number of moves of a certificate. The verifier takes up to 60 bytes of memory for each
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_MOVES, value_parser = whole::<u64>(0..=1 << 40))]
    max_moves: u64,

    /// Write JSON instead of a table: one object per certificate, then a summary
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  outflank verify data/problems/ffo-20-39.cert
  outflank verify proof.cert --problems positions.obf   also that the scores of these positions are proven
  outflank verify --json - < proof.cert

The exit status is 1 if a certificate is refused or a position is not proven; else 0.";

/// Results of all files.
#[derive(Default)]
struct Totals {
    certificates: usize,
    bytes: u64,
    scores: ProvenScores,
    refused: usize,
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let start = Instant::now();
    // Wrong options and files end the command before the work.
    let mut inputs = Inputs::new(None);
    let mut problems = Vec::new();
    let unread = for_each_file(&arguments.problems, |path| {
        let position = PositionArguments::default();
        problems.push(ProblemFile::read(path, &mut inputs, position, 0)?);
        Ok(())
    })?;
    let mut totals = Totals::default();
    if !arguments.json {
        print_line(
            "score |empties|leaves of|  moves   |  leaves  |   nodes (N)  |  bytes   |     time     | position",
        )?;
        print_line(
            "------+-------+---------+----------+----------+--------------+----------+--------------+---------",
        )?;
    }
    let unreadable = for_each_file(&arguments.files, |path| {
        let input: Box<dyn Read> = match path == Path::new("-") {
            true => Box::new(io::stdin().lock()),
            false => Box::new(File::open(path).map_err(in_file(path))?),
        };
        arguments.verify(BufReader::new(input), &mut totals, path)
    })?;
    let unproven = report_unproven(&problems, &totals.scores);
    let malformed: usize = problems.iter().map(|file| file.malformed).sum();
    arguments.print_summary(&totals, unproven, start.elapsed())?;
    let is_right = totals.refused + unreadable + unproven + unread + malformed == 0;
    Ok(if is_right { 0 } else { FAILURE })
}

/// A certificate of a file is refused.
#[derive(Debug, thiserror::Error)]
#[error("certificate {number}: {refusal}")]
struct Refused {
    /// Number in the file, counted from 1.
    number: usize,
    #[source]
    refusal: Refusal,
}

impl Arguments {
    /// Verifies the certificates of `input`, the contents of the file at `path`. After one that proves nothing, the next one
    /// is verified. Behind a damaged one, none can be found.
    fn verify(
        &self,
        mut input: impl Read,
        totals: &mut Totals,
        path: &Path,
    ) -> Result<(), CommandError> {
        read_magic(&mut input).map_err(in_file(path))?;
        for number in 1.. {
            let refused = |refusal| in_file(path)(Refused { number, refusal });
            let certificate = match Certificate::read(&mut input, self.max_moves) {
                Ok(Some(certificate)) => certificate,
                Ok(None) => break,
                Err(refusal) => return Err(refused(refusal)),
            };
            match certificate.verify() {
                Ok(verified) => {
                    totals.certificates += 1;
                    totals.bytes += verified.bytes;
                    totals.scores.add(verified.claim);
                    print_line(self.row(&verified))?;
                }
                Err(refusal) => {
                    totals.refused += 1;
                    refused(refusal).report();
                }
            }
        }
        Ok(())
    }

    fn row(&self, verified: &Verified) -> String {
        let Verified {
            claim,
            leaf_empties,
            moves,
            leaves,
            nodes,
            bytes,
            time,
            ..
        } = *verified;
        let bound = if claim.at_least {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let empties = claim.position.empties().count_ones();
        let position = claim.position;
        match self.json {
            true => to_line(&object! {
                position: position.to_string(),
                score: claim.score,
                bound: bound.name(),
                empties: empties,
                leaf_empties: leaf_empties,
                moves: moves,
                leaves: leaves,
                nodes: nodes,
                bytes: bytes,
                time_s: time.as_secs_f64(),
            }),
            false => format!(
                "{:>5} | {empties:>5} | {leaf_empties:>7} | {moves:>8} | {leaves:>8} | {nodes:>12} | {bytes:>8} | {:>12} | {position}",
                bounded(claim.score, bound),
                clock(time),
            ),
        }
    }

    fn print_summary(&self, totals: &Totals, unproven: usize, time: Duration) -> io::Result<()> {
        let Totals {
            certificates,
            bytes,
            ref scores,
            refused,
        } = *totals;
        let (positions, exact) = (scores.positions(), scores.exact());
        print_line(match self.json {
            true => {
                let summary = object! {
                    certificates: certificates,
                    positions: positions,
                    exact: exact,
                    refused: refused,
                    unproven: unproven,
                    bytes: bytes,
                    time_s: time.as_secs_f64(),
                };
                to_line(&object! { summary })
            }
            false => format!(
                "{} verified, {refused} refused: {}, {exact} with the exact score; {} bytes in {}",
                plural(certificates, "certificate", "certificates"),
                plural(positions, "position", "positions"),
                grouped(bytes),
                clock(time),
            ),
        })
    }
}

/// Reports the problems whose scores are not proven, and returns their number.
fn report_unproven(problems: &[ProblemFile], scores: &ProvenScores) -> usize {
    let mut unproven = 0;
    for (number, problem) in problems.iter().flat_map(|file| &file.problems) {
        let proven = scores.of(problem.board);
        let (lower, upper) = proven.unwrap_or(UNKNOWN);
        let expected = problem.best_score();
        let is_proven = lower == upper && expected.is_none_or(|score| score == lower);
        if !is_proven {
            unproven += 1;
            let name = problem
                .name
                .clone()
                .unwrap_or_else(|| format!("position {number}"));
            let expected = expected.map_or(String::new(), |score| format!("{score:+} "));
            print_error(match proven {
                None => format!("{name}: {expected}not proven: no certificate is about it"),
                Some(_) => {
                    format!("{name}: {expected}not proven: the score is {lower:+} to {upper:+}")
                }
            });
        }
    }
    unproven
}
