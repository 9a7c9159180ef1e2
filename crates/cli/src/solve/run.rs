//! Solves the positions of a command, with `--jobs` several at once. Results are written in the order of the positions.

use std::io;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use outflank::analysis::equalize_symmetric_scores;
use outflank::notation::obf::Problem;
use outflank::{Engine, Monitor, SearchResult, Side, StopHandle, Window};
use outflank_support::queue::Queue;

use super::{Arguments, name_width};
use crate::console;
use crate::live_line::{self, RunningSearch};
use crate::problem_file::ProblemFile;
use crate::problem_result::{ProblemResult, Totals, json, table};
use crate::progress::Progress;

/// Maximum number of finished results that wait for an earlier one. They take some megabytes.
const MAX_WAITING: u64 = 4096;

pub(super) struct Batch<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) files: &'a [ProblemFile],
    pub(super) window: Window,
}

impl Batch<'_> {
    /// Solves all problems, one on each engine at a time, and returns the totals.
    ///
    /// Each result is written as soon as all earlier ones are written. After `stop` no search begins; the results of
    /// running searches are still written.
    pub(super) fn solve(&self, engines: &mut [Engine], stop: &StopHandle) -> io::Result<Totals> {
        let start = Instant::now();
        let problems = self.problems();
        let running = engines.iter().map(|engine| CurrentSearch {
            monitor: engine.monitor(),
            problem: Mutex::default(),
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
            headers_written: 0,
            totals: Totals::default(),
        };
        writer.write_headers(0)?;
        let several = engines.len() > 1;
        let queue = Queue::new(0, problems.len() as u64, MAX_WAITING, |result| {
            writer.write(result)
        });
        let work = |engine: &mut Engine, running: &CurrentSearch| -> io::Result<()> {
            while let Some(ticket) = queue.take(|| stop.is_stopped()) {
                let index = ticket.number() as usize;
                let NumberedProblem {
                    number, problem, ..
                } = problems[index];
                *running.problem() = Some((number, problem.side));
                let result = self.search(engine, problem);
                *running.problem() = None;
                searches.done.fetch_add(1, Relaxed);
                ticket.deliver(result).inspect_err(|_| stop.stop())?;
            }
            Ok(())
        };
        let mut engines = engines.iter_mut().zip(&searches.running);
        let (first, running) = engines.next().expect("one engine or more");
        thread::scope(|scope| {
            let threads: Vec<_> = engines
                .filter_map(|(engine, running)| {
                    let thread = thread::Builder::new().stack_size(outflank::search::STACK_BYTES);
                    // If no thread can be started, the existing ones do its work.
                    let work = || work(engine, running);
                    thread.spawn_scoped(scope, work).ok()
                })
                .collect();
            let result = work(first, running);
            threads.into_iter().fold(result, |result, thread| {
                let joined = thread.join();
                result.and(joined.unwrap_or_else(|panic| resume_unwind(panic)))
            })
        })?;
        drop(queue);
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
    /// Number of files whose headers are written.
    headers_written: usize,
    totals: Totals,
}

impl ResultWriter<'_> {
    /// Writes the result of the next problem.
    fn write(&mut self, search: SearchResult) -> io::Result<()> {
        let Batch {
            arguments,
            files,
            window,
        } = *self.batch;
        let index = self.totals.positions;
        let NumberedProblem {
            file,
            number,
            problem,
        } = self.problems[index];
        let file = &files[file];
        let result = ProblemResult {
            number,
            problem,
            window,
            search,
        };
        self.totals.add(&result);
        let several = arguments.files.len() > 1;
        let row = match arguments.json {
            true => json::row(&result, several.then_some(&file.name)),
            false => table::row(&result, name_width(file)),
        };
        self.progress.suspend(|| console::print_line(row))?;
        self.write_headers(index + 1)
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
            Some((number, side, &search.monitor))
        });
        let (number, side, monitor) = running.min_by_key(|&(number, ..)| number)?;
        Some(RunningSearch {
            heading: match self.total {
                1 => String::new(),
                all => format!("{}/{all}  #{number}", self.done.load(Relaxed)),
            },
            monitor: monitor.clone(),
            side,
        })
    }
}

/// Current search of an engine.
struct CurrentSearch {
    monitor: Monitor,
    /// Number of the problem and side to move.
    problem: Mutex<Option<(usize, Side)>>,
}

impl CurrentSearch {
    fn problem(&self) -> MutexGuard<'_, Option<(usize, Side)>> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
