//! Certificates of the solved positions, as a file: `--certificate`.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use clap::Args;
use outflank::notation::obf::Problem;
use outflank::{Engine, Window};
use outflank_certificate::{Budget, Certifier, CertifyError, Choice, claims};
use outflank_support::text::plural;
use outflank_verifier::{Certificate, Claim, MAGIC, Refusal, read_magic};

use super::journal::Journal;
use crate::console::remark;
use crate::error::{CommandError, FAILURE, USAGE, exit_status, in_file};
use crate::number_options::{grouped, seconds, whole};
use crate::output_files::{Files, ForceArgument, kind};
use crate::problem_file::ProblemFile;
use crate::problem_result::ProblemResult;
use crate::proven_scores::ProvenScores;

/// Certificates of the results.
#[derive(Args)]
pub(super) struct CertificateArguments {
    /// Prove each solved score by a certificate in a file, which `outflank verify` checks. An existing file is continued:
    /// positions with certificates in it are left out
    #[arg(long, value_name = "FILE", conflicts_with_all = ["save_scores", "lines"])]
    certificate: Option<PathBuf>,

    /// Greatest number of empty squares of leaves, which the verifier solves by itself, 0 to 14. Smaller leaves make a larger
    /// file, which is verified faster [default: 12]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=14), requires = "certificate")]
    #[arg(group = "budget")]
    leaf_empties: Option<u32>,

    /// Use the smallest leaves for which each certificate has at most N bytes, instead of --leaf-empties. Leaves of 14 are taken
    /// even if they need more
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=1 << 40), requires = "certificate")]
    #[arg(group = "budget")]
    certificate_bytes: Option<u64>,

    /// Use the largest leaves for which each verification takes at most this time here, which is tried, instead of
    /// --leaf-empties. Leaves of 4 are taken even if they need more
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "certificate", group = "budget")]
    verification_time: Option<Duration>,

    /// Make certificates about a quarter smaller. This takes about four times as long
    #[arg(long, requires = "certificate")]
    small_certificate: bool,
}

impl CertificateArguments {
    fn budget(&self) -> Budget {
        match (
            self.leaf_empties,
            self.certificate_bytes,
            self.verification_time,
        ) {
            (Some(empties), ..) => Budget::LeafEmpties(empties),
            (_, Some(bytes), _) => Budget::Bytes(bytes),
            (.., Some(time)) => Budget::Time(time),
            _ => Budget::default(),
        }
    }

    fn choice(&self) -> Choice {
        match self.small_certificate {
            true => Choice::FewestReplies,
            false => Choice::First,
        }
    }
}

/// Path of the journal of an unfinished certificate, beside the file of certificates.
fn journal_path(certificates: &Path, at_least: bool) -> PathBuf {
    let words = if at_least { "at-least" } else { "at-most" };
    let mut path = certificates.as_os_str().to_owned();
    path.push(format!(".{words}.moves"));
    path.into()
}

/// File of certificates, which grows with each solved position.
pub(super) struct CertificateFile {
    path: PathBuf,
    file: File,
    pub(super) proven: ProvenScores,
    /// Certificates that this command has added.
    added: usize,
    /// Their bytes.
    bytes: u64,
    /// Positions without a certificate, because they were not solved.
    pub(super) uncertified: usize,
}

/// A certificate cannot be made or written.
#[derive(Debug, thiserror::Error)]
pub(super) enum CertificateFileError {
    #[error("cannot write the certificates to {}: {}", .0.display(), .1)]
    Write(PathBuf, #[source] io::Error),
    #[error("another program writes to {}", .0.display())]
    Locked(PathBuf),
    #[error("{} is there, and has no moves of an unfinished certificate: move it, or name another file of certificates", .0.display())]
    ForeignJournal(PathBuf),
    #[error("position {number}: {error}")]
    Certify {
        number: usize,
        #[source]
        error: CertifyError,
    },
}
exit_status!(CertificateFileError { Self::ForeignJournal(_) => USAGE, _ => FAILURE });

impl CertificateFile {
    /// Opens the file of `--certificate`, if there is one. Reads the claims that an existing file proves. An incomplete
    /// certificate at its end is cut off: the command that wrote it was killed. No other program may write to the file
    /// meanwhile.
    pub(super) fn open(
        arguments: &CertificateArguments,
        inputs: Files,
        force: ForceArgument,
    ) -> Result<Option<CertificateFile>, CommandError> {
        let Some(path) = &arguments.certificate else {
            return Ok(None);
        };
        let journals = [true, false].map(|at_least| journal_path(path, at_least));
        let inputs = inputs.updating("--certificate (unfinished)", &journals)?;
        for journal in journals {
            if !Journal::can_be_at(&journal) {
                return Err(CertificateFileError::ForeignJournal(journal).into());
            }
            if force.force {
                let _ = fs::remove_file(journal);
            }
        }
        let output = inputs.writing_one("--certificate", path, kind::CERTIFICATES, force)?;
        let write_error = |error| CertificateFileError::Write(path.clone(), error);
        let is_continued = !force.force
            && path
                .metadata()
                .is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
        let mut proven = ProvenScores::default();
        let file = match is_continued {
            false => output.begin(MAGIC)?,
            true => {
                let mut options = OpenOptions::new();
                let options = options.read(true).write(true);
                let mut file = options.open(path).map_err(write_error)?;
                lock(&file, path)?;
                let length = read_proven(&file, &mut proven).map_err(in_file(path))?;
                file.set_len(length).map_err(write_error)?;
                file.seek(SeekFrom::End(0)).map_err(write_error)?;
                file
            }
        };
        if !is_continued {
            lock(&file, path)?;
        }
        Ok(Some(CertificateFile {
            path: path.clone(),
            file,
            proven,
            added: 0,
            bytes: 0,
            uncertified: 0,
        }))
    }

    /// Leaves out the problems that the file proves, unless their listed score is another one.
    pub(super) fn leave_out_proven(&self, files: &mut [ProblemFile], window: Window) {
        let count =
            |files: &[ProblemFile]| files.iter().map(|file| file.problems.len()).sum::<usize>();
        let before = count(files);
        for file in files.iter_mut() {
            file.problems
                .retain(|(_, problem)| !self.proves(problem, window));
        }
        let left_out = before - count(files);
        if left_out > 0 {
            let positions = plural(left_out, "position has", "positions have");
            remark(format_args!(
                "{}: {positions} certificates already",
                self.path.display()
            ));
        }
    }

    /// Returns `true` if the file proves the score of a problem in `window`, or a bound outside it.
    fn proves(&self, problem: &Problem, window: Window) -> bool {
        let Some((lower, upper)) = self.proven.of(problem.board) else {
            return false;
        };
        let expected = problem.best_score();
        let is_expected = expected.is_none_or(|score| (lower..=upper).contains(&score));
        is_expected && (lower == upper || lower >= window.beta() || upper <= window.alpha())
    }

    /// Adds the certificates of a result, unless the file proves their claims already.
    pub(super) fn add(
        &mut self,
        result: &ProblemResult,
        certificates: &[Certificate],
    ) -> Result<(), CommandError> {
        for certificate in certificates {
            let claim = certificate.header().claim;
            if !self.proven.has(claim) {
                self.proven.add(claim);
                let written = self.file.write_all(certificate.bytes());
                written.map_err(|error| CertificateFileError::Write(self.path.clone(), error))?;
                self.added += 1;
                self.bytes += certificate.bytes().len() as u64;
            }
            Journal::remove(&journal_path(&self.path, claim.at_least), claim);
        }
        self.uncertified += usize::from(!result.is_solved());
        Ok(())
    }

    /// Reports the added certificates, and the positions without one.
    pub(super) fn report(&self) {
        let certificates = plural(self.added, "certificate", "certificates");
        let (path, bytes) = (self.path.display(), grouped(self.bytes));
        remark(format_args!("{path}: {certificates} added, {bytes} bytes"));
        if self.uncertified > 0 {
            let positions = plural(self.uncertified, "position has", "positions have");
            remark(format_args!("{positions} no certificate: not solved"));
        }
    }
}

/// Reads the claims of a file, and returns its length without an incomplete certificate at its end.
fn read_proven(file: &File, proven: &mut ProvenScores) -> Result<u64, Refusal> {
    let mut input = BufReader::new(file);
    read_magic(&mut input)?;
    let mut length = MAGIC.len() as u64;
    loop {
        match Certificate::read(&mut input, u64::MAX) {
            Ok(Some(certificate)) => {
                length += certificate.bytes().len() as u64;
                proven.add(certificate.header().claim);
            }
            Ok(None) | Err(Refusal::CutOff) => return Ok(length),
            Err(refusal) => return Err(refusal),
        }
    }
}

/// Locks a file until it is closed. Devices, and file systems without locks, are not locked.
fn lock(file: &File, path: &Path) -> Result<(), CertificateFileError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(CertificateFileError::Locked(path.to_owned())),
        _ => Ok(()),
    }
}

/// A source of certificates for the results of one engine.
pub(super) struct CertificateMaker<'a> {
    pub(super) arguments: &'a CertificateArguments,
    /// Scores that need no certificate.
    pub(super) proven: &'a ProvenScores,
    /// Moves of the current certificate that were found.
    pub(super) moves: &'a AtomicU64,
    /// `true` if the unfinished certificate has a journal. With several engines, none has.
    pub(super) has_journal: bool,
}

impl CertificateMaker<'_> {
    /// Makes the certificates of a result with the engine that found it. After a stop, only the finished ones are returned.
    pub(super) fn certify(
        &self,
        engine: &mut Engine,
        result: &ProblemResult,
    ) -> Result<Vec<Certificate>, CertificateFileError> {
        let mut certificates = Vec::new();
        let Some(path) = self
            .arguments
            .certificate
            .as_ref()
            .filter(|_| result.is_solved())
        else {
            return Ok(certificates);
        };
        let (score, bound) = (result.clipped_score(), result.clipped_bound());
        let claims = claims(result.problem.board, score, bound).into_iter();
        for claim in claims.filter(|&claim| !self.proven.has(claim)) {
            let made = self.make(engine, claim, path);
            self.moves.store(0, Relaxed);
            match made {
                Ok(certificate) => certificates.push(certificate),
                Err(CertifyError::Stopped) => break,
                Err(error) => {
                    let number = result.number;
                    return Err(CertificateFileError::Certify { number, error });
                }
            }
        }
        Ok(certificates)
    }

    fn make(
        &self,
        engine: &mut Engine,
        claim: Claim,
        path: &Path,
    ) -> Result<Certificate, CertifyError> {
        let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
        let journal = (self.has_journal && is_file)
            .then(|| Journal::open(journal_path(path, claim.at_least), claim));
        let (journal, known) = journal.unzip();
        let known = known.unwrap_or_default();
        if !known.is_empty() {
            let moves = grouped(known.len() as u64);
            remark(format_args!(
                "{}: goes on with {moves} moves of an earlier run",
                path.display()
            ));
        }
        let on_move = |position, index| {
            self.moves.fetch_add(1, Relaxed);
            if let Some(journal) = &journal {
                journal.add(position, index);
            }
        };
        Certifier::new(engine)
            .budget(self.arguments.budget())
            .choice(self.arguments.choice())
            .on_move(&on_move)
            .known(known)
            .certify(claim)
    }
}
