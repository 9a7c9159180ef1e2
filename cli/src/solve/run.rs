//! Solving the positions of a command, several at once where that is asked for, with the answers in the
//! order of the positions.

use std::io;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use outflank::analysis::equal_by_symmetry;
use outflank::notation::obf::Problem;
use outflank::queue::Queue;
use outflank::{Engine, Monitor, SearchResult, Side, StopHandle, Window};

use super::{Arguments, Source};
use crate::answer::{Answer, Tally};
use crate::live::{self, Watched};
use crate::progress::Progress;
use crate::{json, output, table};

/// How many answers may wait for that of an earlier position: some megabytes.
const MAX_WAITING: u64 = 4096;

/// The stack of a thread that searches: the longest game takes a small part of it.
const STACK: usize = 16 << 20;

/// What is to be solved, and how.
pub(super) struct Batch<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) sources: &'a [Source],
    pub(super) window: Window,
}

impl Batch<'_> {
    /// Solves the problems of all sources, one on each engine at a time, and writes each answer as soon as
    /// those before it are written; returns the sum. Where `stop` is used, what the searches under way have
    /// found is written too, and nothing more is begun.
    pub(super) fn solve(&self, engines: &mut [Engine], stop: &StopHandle) -> io::Result<Tally> {
        let start = Instant::now();
        let problems = self.problems();
        let searches = Arc::new(Searches {
            all: problems.len(),
            done: AtomicUsize::new(0),
            running: engines.iter().map(Running::new).collect(),
        });
        let watched = searches.clone();
        let progress = live::show(&self.arguments.progress, move || watched.first());
        let mut output = Output {
            batch: self,
            problems: &problems,
            progress: &progress,
            headed: 0,
            tally: Tally::default(),
        };
        output.head(0)?;
        let several = engines.len() > 1;
        let queue = Queue::new(0, problems.len() as u64, MAX_WAITING, |found| {
            output.answer(found)
        });
        let work = |engine: &mut Engine, running: &Running| -> io::Result<()> {
            while let Some(ticket) = queue.take(|| stop.is_stopped()) {
                let index = ticket.number() as usize;
                let Numbered {
                    number, problem, ..
                } = problems[index];
                running.begin(number, problem.side);
                let found = self.search(engine, problem);
                running.end();
                searches.done.fetch_add(1, Relaxed);
                ticket.deliver(found).inspect_err(|_| stop.stop())?;
            }
            Ok(())
        };
        let mut engines = engines.iter_mut().zip(&searches.running);
        let (first, running) = engines.next().expect("one engine or more");
        thread::scope(|scope| {
            let threads: Vec<_> = engines
                .filter_map(|(engine, running)| {
                    let thread = thread::Builder::new().stack_size(STACK);
                    // Where the system has no more threads, those that there are search.
                    let work = || work(engine, running);
                    thread.spawn_scoped(scope, work).ok()
                })
                .collect();
            let own = work(first, running);
            threads.into_iter().fold(own, |result, thread| {
                let ended = thread.join();
                result.and(ended.unwrap_or_else(|panic| resume_unwind(panic)))
            })
        })?;
        drop(queue);
        let mut tally = output.tally;
        if several {
            // The times of searches that ran at once do not add up.
            tally.time = start.elapsed();
        }
        Ok(tally)
    }

    fn search(&self, engine: &mut Engine, problem: &Problem) -> SearchResult {
        // The node count of a position must not depend on those before it.
        engine.clear();
        let empties = problem.board.empty_count();
        let limits = self.arguments.limits(empties, self.window);
        let found = engine.search(problem.board, &limits);
        let mut found = found.expect("the reader takes no square held twice");
        equal_by_symmetry(problem.board, &mut found.candidates);
        found
    }

    /// The problems of all sources.
    fn problems(&self) -> Vec<Numbered<'_>> {
        let sources = self.sources.iter().enumerate();
        let problems = sources.flat_map(|(source, of)| {
            let problems = of.problems.iter();
            problems.map(move |(number, problem)| Numbered {
                source,
                number: *number,
                problem,
            })
        });
        problems.collect()
    }
}

/// A problem, its number among all those of the command, and the index of its source.
#[derive(Clone, Copy)]
struct Numbered<'a> {
    source: usize,
    number: usize,
    problem: &'a Problem,
}

/// Writes the answers, which come in the order of the problems.
struct Output<'a> {
    batch: &'a Batch<'a>,
    problems: &'a [Numbered<'a>],
    progress: &'a Progress,
    /// How many sources have their heads written.
    headed: usize,
    tally: Tally,
}

impl Output<'_> {
    /// Writes the answer to the next problem.
    fn answer(&mut self, found: SearchResult) -> io::Result<()> {
        let Batch {
            arguments,
            sources,
            window,
        } = *self.batch;
        let index = self.tally.positions;
        let Numbered {
            source,
            number,
            problem,
        } = self.problems[index];
        let source = &sources[source];
        let answer = Answer {
            index: number,
            problem,
            window,
            found,
        };
        self.tally.add(&answer);
        let several = arguments.files.len() > 1;
        let row = match arguments.json {
            true => json::row(&answer, several.then_some(&source.name)),
            false => table::row(&answer, source.name_width()),
        };
        self.progress.aside(|| output::line(row))?;
        self.head(index + 1)
    }

    /// Writes the heads of the tables up to that of the problem `index`; all where there is none.
    fn head(&mut self, index: usize) -> io::Result<()> {
        let Batch {
            arguments, sources, ..
        } = *self.batch;
        let next = self.problems.get(index);
        let end = next.map_or(sources.len(), |next| next.source + 1);
        while self.headed < end && !arguments.json {
            let source = &sources[self.headed];
            self.headed += 1;
            self.progress.aside(|| {
                if arguments.files.len() > 1 {
                    output::line(format_args!("{}:", source.name))?;
                }
                output::line(table::header(source.name_width()))
            })?;
        }
        Ok(())
    }
}

/// What is searched, for the thread that shows it.
struct Searches {
    all: usize,
    done: AtomicUsize,
    /// One for each engine.
    running: Vec<Running>,
}

impl Searches {
    /// The search whose answer is written first.
    fn first(&self) -> Option<Watched> {
        let running = self.running.iter().filter_map(|one| {
            let (number, side) = (*one.problem())?;
            Some((number, side, &one.monitor))
        });
        let (number, side, monitor) = running.min_by_key(|&(number, ..)| number)?;
        let heading = match self.all {
            1 => String::new(),
            all => format!("{}/{all}  #{number}", self.done.load(Relaxed)),
        };
        Some(Watched {
            heading,
            monitor: monitor.clone(),
            side,
        })
    }
}

/// What an engine searches.
struct Running {
    monitor: Monitor,
    /// The number of the problem, and the side to move.
    problem: Mutex<Option<(usize, Side)>>,
}

impl Running {
    fn new(engine: &Engine) -> Running {
        Running {
            monitor: engine.monitor(),
            problem: Mutex::default(),
        }
    }

    fn begin(&self, number: usize, side: Side) {
        *self.problem() = Some((number, side));
    }

    fn end(&self) {
        *self.problem() = None;
    }

    fn problem(&self) -> MutexGuard<'_, Option<(usize, Side)>> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
