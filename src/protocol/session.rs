//! An engine on a thread of its own, so that nothing else ever waits for a search.
//!
//! Searches have numbers. Whoever has no more use for one forgets its number, and need not wait until the
//! engine has noticed: what is still heard of that search is passed over.

use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst, fence};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use crate::board::Board;
use crate::search::{Engine, Limits, SearchResult, StopHandle};

/// What is to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    pub(super) board: Board,
    /// How far, but for the time.
    pub(super) limits: Limits,
    /// When it has to be over; `None` is never.
    pub(super) deadline: Option<Instant>,
    /// When it need not go deeper: no further search is begun then, of those that lead up to the last.
    pub(super) enough: Option<Instant>,
}

impl Search {
    /// A search that has all the time that it takes.
    pub(super) fn untimed(board: Board, limits: Limits) -> Search {
        Search {
            board,
            limits,
            deadline: None,
            enough: None,
        }
    }
}

/// What is heard of a search.
pub(super) enum News {
    /// What is found so far.
    Report(SearchResult),
    /// What was found in the end: nothing more comes.
    Done(SearchResult),
}

/// News of the search of this number.
pub(super) struct Numbered {
    number: u64,
    news: News,
}

/// What the engine's thread is to do.
enum Task {
    Search(u64, Search),
    Forget,
}

/// Which searches are wanted: the number of one, or [`NONE`].
#[derive(Default)]
struct Wanted {
    /// The only one of which anything is to be heard.
    answer: AtomicU64,
    /// One that is to answer soon.
    soon: AtomicU64,
}

/// The number of no search.
const NONE: u64 = 0;

/// An engine that searches one position at a time, and can be stopped.
pub(super) struct Session<E> {
    tasks: Sender<Task>,
    news: Receiver<Numbered>,
    wanted: Arc<Wanted>,
    /// The search of which news are wanted, or [`NONE`].
    current: u64,
    /// How many were begun.
    begun: u64,
    /// Ends whatever is being searched.
    stop: StopHandle,
    thread: Option<JoinHandle<Result<(), E>>>,
}

impl<E: Send + 'static> Session<E> {
    /// With the engine that `build` makes, on its own thread: weights take some time to unpack.
    pub(super) fn new(
        build: impl FnOnce(StopHandle) -> Result<Engine, E> + Send + 'static,
    ) -> Session<E> {
        let (tasks, to_do) = unbounded();
        // A report waits until somebody has heard the one before.
        let (tell, news) = bounded(1);
        let stop = StopHandle::default();
        let wanted = Arc::new(Wanted::default());
        let (handle, heeded) = (stop.clone(), wanted.clone());
        let thread = thread::spawn(move || {
            let mut engine = build(handle)?;
            for task in to_do {
                match task {
                    Task::Forget => engine.clear(),
                    Task::Search(number, search) => {
                        let tell = |news| tell.send(Numbered { number, news }).is_ok();
                        run(&mut engine, &heeded, number, &search, tell);
                    }
                }
            }
            Ok(())
        });
        Session {
            tasks,
            news,
            wanted,
            current: NONE,
            begun: NONE,
            stop,
            thread: Some(thread),
        }
    }
}

impl<E> Session<E> {
    /// Where the news of searches come in, for [`Session::hear`]. It is closed where there is no engine:
    /// [`Session::failure`] says why.
    pub(super) fn news(&self) -> &Receiver<Numbered> {
        &self.news
    }

    /// What was received, if it is of the search that is running.
    pub(super) fn hear(&mut self, Numbered { number, news }: Numbered) -> Option<News> {
        let heard = (number == self.current).then_some(news)?;
        if let News::Done(_) = heard {
            self.current = NONE;
        }
        Some(heard)
    }

    /// Begins a search, and forgets the one that is running, if there is one.
    pub(super) fn begin(&mut self, search: Search) {
        self.halt();
        self.begun += 1;
        self.current = self.begun;
        self.wanted.answer.store(self.current, SeqCst);
        self.give(Task::Search(self.current, search));
    }

    /// Ends the running search soon; it tells what it has.
    pub(super) fn stop(&self) {
        self.wanted.soon.store(self.current, SeqCst);
        self.end();
    }

    /// Ends the running search: nothing more is heard of it.
    pub(super) fn halt(&mut self) {
        self.current = NONE;
        self.wanted.answer.store(NONE, SeqCst);
        self.end();
    }

    /// Forgets what earlier searches found, before the next one.
    pub(super) fn forget(&mut self) {
        self.halt();
        self.give(Task::Forget);
    }

    /// Why there is no engine, where [`Session::news`] is closed.
    pub(super) fn failure(&mut self) -> E {
        let thread = self.thread.take().expect("this is asked once");
        let ended = thread.join();
        let ended = ended.unwrap_or_else(|panic| panic::resume_unwind(panic));
        ended.expect_err("an engine that there is stays until nobody wants it")
    }

    /// Ends whatever is searched. What is wanted was said before.
    fn end(&self) {
        fence(SeqCst);
        self.stop.stop();
    }

    fn give(&self, task: Task) {
        // Where there is no engine, the closed channel of news says so.
        let _ = self.tasks.send(task);
    }
}

/// Carries out the search of this number, unless it is not wanted any more; `tell` says whether somebody
/// listens.
fn run(
    engine: &mut Engine,
    wanted: &Wanted,
    number: u64,
    search: &Search,
    tell: impl Fn(News) -> bool,
) {
    let stop = engine.stop_handle();
    // Whoever stops this search says first which one, then stops whatever is searched. If that was before
    // this, it is known now; if it was later, the search ends by it.
    stop.reset();
    fence(SeqCst);
    if wanted.answer.load(SeqCst) != number {
        return;
    }
    if wanted.soon.load(SeqCst) == number {
        stop.stop();
    }
    let time = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
    let limits = Limits {
        time: search.deadline.map(time),
        ..search.limits
    };
    let found = engine.search_and_report(search.board, &limits, |report| {
        let late = search.enough.is_some_and(|enough| Instant::now() >= enough);
        if late || !tell(News::Report(report.clone())) {
            stop.stop();
        }
    });
    tell(News::Done(found.expect("a game has no square held twice")));
}

impl<E> Drop for Session<E> {
    fn drop(&mut self) {
        // The thread ends when it hears that nobody listens any more: nobody need wait for that.
        self.halt();
    }
}
