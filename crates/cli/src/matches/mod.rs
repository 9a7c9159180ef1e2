//! `outflank match`: games between two engines.

mod arguments;
mod report;

use std::fs::File;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use outflank::StopHandle;
use outflank::openings::MAX_PLIES;
use outflank_support::text::plural;
use outflank_tournament::{
    EngineError, EngineProblem, GameResult, Log, LogError, LogFile, Match, MatchEngine, MatchError,
    MatchSettings, MatchTally, Openings, OpeningsError, SprtError, end_engines,
};

use super::console::{print_line, remark};
use super::error::{CommandError, FAILURE, USAGE, exit_status};
use super::output_files::{Files, ForceArgument, kind};
use super::progress::Progress;
use super::replace::OutputFile;
use super::signals::{GRACE, SignalError, interrupted_status, on_interrupt, status_unless_stopped};
use super::text_format::{GGF_DATE, utc_now};
pub(super) use arguments::Arguments;
use report::MatchStatus;

/// Error of `outflank match`.
#[derive(Debug, thiserror::Error)]
enum MatchCommandError {
    #[error("there are {MAX_PLIES} --plies at most, where openings are drawn")]
    Plies,
    #[error("the match cannot go on: {0}")]
    Match(#[from] MatchError),
    #[error("cannot write the games to {}: {}", .0.display(), .1)]
    Games(PathBuf, #[source] io::Error),
}
exit_status!(MatchCommandError { Self::Plies => USAGE, _ => FAILURE });
exit_status!(USAGE; EngineError, SprtError);
exit_status!(OpeningsError { Self::Read(..) | Self::Format(..) => FAILURE, _ => USAGE });
exit_status!(LogError { Self::OtherMatch(..) | Self::NotALog(_) => USAGE, _ => FAILURE });

/// Returns `true` if the error means only that a signal stopped an engine, or the match before it began.
pub(super) fn is_stop(error: &CommandError) -> bool {
    let engine = error.downcast_ref::<EngineError>();
    engine.is_some_and(|error| matches!(error.problem, EngineProblem::Stopped))
        || matches!(error.downcast_ref(), Some(OpeningsError::Stopped))
}

/// Plays the match and reports it. Returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let stop = StopHandle::default();
    end_on_interrupt(&stop)?;
    match play(arguments, &stop) {
        Err(error) if !is_stop(&error) => Err(error),
        _ => Ok(status_unless_stopped(&stop, 0)),
    }
}

/// Makes Ctrl-C stop the engines of `stop`, and end the program after [`GRACE`].
///
/// Otherwise the program could wait for ever for an input file, or for the reader of its output. The log of a match has
/// all games that were played. Further signals change nothing: an exit at once would leave engines behind. If no thread
/// can be started, only the engines end.
pub(super) fn end_on_interrupt(stop: &StopHandle) -> Result<(), SignalError> {
    let stop = stop.clone();
    on_interrupt(move || {
        if !stop.is_stopped() {
            stop.stop();
            let _ = std::thread::Builder::new().spawn(|| {
                std::thread::sleep(GRACE);
                end_engines();
                std::process::exit(interrupted_status().into());
            });
        }
    })
}

/// Plays until the end of the match, or until `stop` is used, and reports.
fn play(arguments: &Arguments, stop: &StopHandle) -> Result<(), CommandError> {
    let files = OpenFiles::open(arguments)?;
    let isa = arguments.isa.isa()?;
    let test = arguments.test.test()?;
    let books = arguments.books.books()?;
    let openings = arguments.openings.read(isa, stop)?;
    let pairs = arguments.pairs();
    if let Some(count) = openings.count().filter(|&count| count < pairs) {
        remark(format_args!(
            "{} for {}: they are played again, by which engines without chance tell nothing new",
            plural(count, "opening", "different openings"),
            plural(pairs, "pair", "pairs")
        ));
    }
    let limits = arguments.limits.limits();
    let a = MatchEngine::new(&arguments.a, arguments.protocol_a, &limits, stop)?;
    let b = MatchEngine::new(&arguments.b, arguments.protocol_b, &limits, stop)?;
    let date = utc_now(GGF_DATE);
    let settings = Match {
        engines: [&a, &b],
        books: books.each_ref().map(Option::as_ref),
        limits,
        concurrency: arguments.concurrency as usize,
        pairs,
        date: &date,
    };
    let (mut records, played) = files.begin(&MatchSettings::new(&settings, &openings))?;
    let mut status = MatchStatus {
        settings,
        tally: MatchTally::default(),
        test,
    };
    played.iter().for_each(|game| status.tally.add(game));
    if !played.is_empty() {
        let games = plural(played.len(), "game", "games");
        remark(format_args!("goes on behind {games}"));
    }

    let result = match status.is_decided() {
        true => Ok(()),
        false => {
            let progress = arguments.progress.with_eta(2 * pairs, played.len() as u64);
            play_rest(&mut status, openings, &played, &mut records, progress, stop)
        }
    };
    print_line(match arguments.json {
        true => status.json(stop.is_stopped()),
        false => status.text(),
    })?;
    result
}

/// Plays the games that were not `played` before.
fn play_rest(
    status: &mut MatchStatus,
    openings: Openings,
    played: &[GameResult],
    records: &mut Records,
    progress: Progress,
    stop: &StopHandle,
) -> Result<(), CommandError> {
    let settings = status.settings;
    let mut failure = None;
    let end = settings.play(openings, played, stop, |result| {
        // Games in progress do not count once the test has decided.
        if failure.is_none() && !status.is_decided() {
            status.tally.add(&result);
            if let Some(message) = report::forfeit(&result) {
                progress.suspend(|| remark(message));
            }
            failure = records.add(&result).err();
            progress.advance_by(1, || status.summary());
        }
        match failure.is_some() || status.is_decided() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    });
    drop(progress);
    match failure {
        Some(error) => Err(error),
        None => Ok(end.map_err(MatchCommandError::from)?),
    }
}

/// Output files, opened before the engines start.
struct OpenFiles {
    log: Option<LogFile>,
    ggf: Option<(PathBuf, OutputFile)>,
}

impl OpenFiles {
    fn open(arguments: &Arguments) -> Result<OpenFiles, CommandError> {
        let files = Files::new()
            .reading("--openings", &arguments.openings.openings)
            .reading("--book", arguments.books.paths())
            .updating("--log", &arguments.log)?;
        let log = arguments.log.as_ref().map(|path| {
            if !path.exists() {
                // Checks that the file can be created, without creating it.
                OutputFile::open(path).map_err(|error| LogError::Io(path.clone(), error.error))?;
            }
            LogFile::open(path)
        });
        let log = log.transpose()?;
        // An earlier run of the same match wrote the file.
        let log_and_ggf = log.as_ref().zip(arguments.ggf.as_ref());
        let is_of_this_match = log_and_ggf.is_some_and(|(log, path)| log.has_games_of(path));
        let [ggf] = files.writing(
            [("--ggf", arguments.ggf.as_ref(), kind::GAMES)],
            ForceArgument {
                force: arguments.force.force || is_of_this_match,
            },
        )?;
        let ggf = arguments.ggf.clone().zip(ggf);
        Ok(OpenFiles { log, ggf })
    }

    /// Begins or resumes the log, and writes its games to the GGF file. Also returns these games.
    fn begin(self, settings: &MatchSettings) -> Result<(Records, Vec<GameResult>), CommandError> {
        let log = self.log.map(|log| log.resume(settings)).transpose()?;
        let (log, played) = log.unzip();
        let played = played.unwrap_or_default();
        let ggf = match self.ggf {
            None => None,
            Some((path, output)) => {
                let games: String = played.iter().map(|game| game.ggf.clone() + "\n").collect();
                Some((path, output.begin(games.as_bytes())?))
            }
        };
        Ok((Records { log, ggf }, played))
    }
}

/// Output files that get each game as it ends.
struct Records {
    log: Option<Log>,
    ggf: Option<(PathBuf, File)>,
}

impl Records {
    fn add(&mut self, game: &GameResult) -> Result<(), CommandError> {
        if let Some(log) = &mut self.log {
            log.add(game)?;
        }
        if let Some((path, file)) = &mut self.ggf {
            let written = file.write_all(format!("{}\n", game.ggf).as_bytes());
            written.map_err(|error| MatchCommandError::Games(path.clone(), error))?;
        }
        Ok(())
    }
}
