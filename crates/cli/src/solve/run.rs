//! Solves the positions of a command, with `--jobs` several at once. Results are written in the order of the positions.

use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use outflank::analysis::equalize_symmetric_scores;
use outflank::notation::obf::Problem;
use outflank::{Engine, Monitor, SearchResult, Side, StopHandle, Window};
use outflank_verifier::Certificate;

use super::certificate_file::{CertificateFile, CertificateMaker};
use super::score_file::ScoreFile;
use super::{Arguments, name_width};
use crate::CommandError;
use crate::console;
use crate::in_order::work_in_order;
use crate::live_line::{self, RunningSearch};
use crate::problem_file::ProblemFile;
use crate::problem_result::{ProblemResult, Totals, json, table};
use crate::progress::Progress;
use crate::proven_scores::ProvenScores;

pub(super) struct Batch<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) files: &'a [ProblemFile],
    pub(super) window: Window,
}

impl Batch<'_> {
    /// Solves all problems, one on each engine at a time. Results are written in order, those that are solved also to
    /// `score_file`. After `stop` no search begins. Returns the totals.
    pub(super) fn solve(
        &self,
        engines: &mut [Engine],
        stop: &StopHandle,
        score_file: Option<&mut ScoreFile>,
        certificate_file: Option<&mut CertificateFile>,
    ) -> Result<Totals, CommandError> {
        let start = Instant::now();
        let problems = self.problems();
        let running = engines.iter().map(|engine| CurrentSearch {
            monitor: engine.monitor(),
            problem: Mutex::default(),
            certificate_moves: AtomicU64::new(0),
        });
        let searches = Arc::new(Searches {
            total: problems.len(),
            done: AtomicUsize::new(0),
            running: running.collect(),
        });
        let watched = searches.clone();
        let progress = live_line::show(&self.arguments.progress, move || watched.first());
        let mut writer = ResultWriter {
            batch: self,
            problems: &problems,
            progress: &progress,
            score_file,
            certificate_file,
            headers_written: 0,
            totals: Totals::default(),
        };
        writer.write_headers(0)?;
        let several = engines.len() > 1;
        let file = writer.certificate_file.as_ref();
        let proven = file.map_or(ProvenScores::default(), |file| file.proven.clone());
        let mut workers: Vec<_> = engines.iter_mut().zip(&searches.running).collect();
        let work = |(engine, running): &mut (&mut Engine, &CurrentSearch), index: usize| {
            let NumberedProblem {
                number, problem, ..
            } = problems[index];
            *running.problem() = Some((number, problem.side));
            let search = self.search(engine, problem);
            let window = self.window;
            let result = ProblemResult {
                number,
                problem,
                window,
                search,
            };
            let maker = CertificateMaker {
                arguments: &self.arguments.certificate,
                proven: &proven,
                moves: &running.certificate_moves,
                has_journal: !several,
            };
            let certificates = maker.certify(engine, &result)?;
            *running.problem() = None;
            searches.done.fetch_add(1, Relaxed);
            Ok((result, certificates))
        };
        let write = |(result, certificates)| writer.write(result, certificates);
        work_in_order(&mut workers, problems.len(), stop, work, write)?;
        let mut totals = writer.totals;
        if several {
            // The times of concurrent searches overlap.
            totals.time = start.elapsed();
        }
        Ok(totals)
    }

    fn search(&self, engine: &mut Engine, problem: &Problem) -> SearchResult {
        // The node count of a position must not depend on earlier positions.
        engine.clear();
        let empties = problem.board.empty_count();
        let limits = self.arguments.limits(empties, self.window);
        let result = engine.search(problem.board, &limits);
        let mut result = result.expect("the reader takes no square held twice");
        equalize_symmetric_scores(problem.board, &mut result.candidates);
        result
    }

    fn problems(&self) -> Vec<NumberedProblem<'_>> {
        let files = self.files.iter().enumerate();
        let problems = files.flat_map(|(index, file)| {
            let problems = file.problems.iter();
            problems.map(move |(number, problem)| NumberedProblem {
                file: index,
                number: *number,
                problem,
            })
        });
        problems.collect()
    }
}

/// A problem with its number, counted from 1 through all files, and the index of its file.
#[derive(Clone, Copy)]
struct NumberedProblem<'a> {
    file: usize,
    number: usize,
    problem: &'a Problem,
}

/// Writes the results, which arrive in the order of the problems.
struct ResultWriter<'a> {
    batch: &'a Batch<'a>,
    problems: &'a [NumberedProblem<'a>],
    progress: &'a Progress,
    score_file: Option<&'a mut ScoreFile>,
    certificate_file: Option<&'a mut CertificateFile>,
    /// Number of files whose headers are written.
    headers_written: usize,
    totals: Totals,
}

impl ResultWriter<'_> {
    /// Writes the result of the next problem, and its certificates.
    fn write(
        &mut self,
        result: ProblemResult,
        certificates: Vec<Certificate>,
    ) -> Result<(), CommandError> {
        let Batch {
            arguments, files, ..
        } = *self.batch;
        let index = self.totals.positions;
        let file = &files[self.problems[index].file];
        self.totals.add(&result);
        let several = arguments.files.len() > 1;
        let row = match arguments.json {
            true => json::row(&result, several.then_some(&file.name)),
            false => table::row(&result, name_width(file)),
        };
        self.progress.suspend(|| console::print_line(row))?;
        if let Some(score_file) = &mut self.score_file {
            score_file.add(&result)?;
        }
        if let Some(certificate_file) = &mut self.certificate_file {
            certificate_file.add(&result, &certificates)?;
        }
        Ok(self.write_headers(index + 1)?)
    }

    /// Writes the headers of the files up to that of problem `index`. After the last problem, writes all that are left.
    fn write_headers(&mut self, index: usize) -> io::Result<()> {
        let Batch {
            arguments, files, ..
        } = *self.batch;
        let next = self.problems.get(index);
        let end = next.map_or(files.len(), |next| next.file + 1);
        while self.headers_written < end && !arguments.json {
            let file = &files[self.headers_written];
            self.headers_written += 1;
            self.progress.suspend(|| {
                if arguments.files.len() > 1 {
                    console::print_line(format_args!("{}:", file.name))?;
                }
                console::print_line(table::header(name_width(file)))
            })?;
        }
        Ok(())
    }
}

/// State of the searches, shared with the live line.
struct Searches {
    total: usize,
    done: AtomicUsize,
    /// Current search of each engine.
    running: Vec<CurrentSearch>,
}

impl Searches {
    /// The running search with the lowest number.
    fn first(&self) -> Option<RunningSearch> {
        let running = self.running.iter().filter_map(|search| {
            let (number, side) = (*search.problem())?;
            Some((number, side, search))
        });
        let (number, side, search) = running.min_by_key(|&(number, ..)| number)?;
        Some(RunningSearch {
            heading: match self.total {
                1 => String::new(),
                all => format!("{}/{all}  #{number}", self.done.load(Relaxed)),
            },
            monitor: search.monitor.clone(),
            side,
            certificate_moves: search.certificate_moves.load(Relaxed),
        })
    }
}

/// Current search of an engine.
struct CurrentSearch {
    monitor: Monitor,
    /// Number of the problem and side to move.
    problem: Mutex<Option<(usize, Side)>>,
    /// Moves of the certificate that is being made.
    certificate_moves: AtomicU64,
}

impl CurrentSearch {
    fn problem(&self) -> MutexGuard<'_, Option<(usize, Side)>> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
