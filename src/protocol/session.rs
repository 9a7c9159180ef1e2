//! An engine on a thread of its own, so that nothing else ever waits for a search.

use std::ops::ControlFlow;
use std::panic;
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

/// What the engine's thread is to do.
enum Task {
    Search(Search),
    Forget,
}

/// An engine that searches one position at a time, and can be stopped.
pub(super) struct Session<E> {
    /// `None` sends the thread home.
    tasks: Option<Sender<Task>>,
    news: Receiver<News>,
    /// Ends the running search.
    stop: StopHandle,
    busy: bool,
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
        let handle = stop.clone();
        let thread = thread::spawn(move || {
            let mut engine = build(handle)?;
            for task in to_do {
                match task {
                    Task::Forget => engine.clear(),
                    Task::Search(search) => {
                        if run(&mut engine, &search, &tell).is_break() {
                            break;
                        }
                    }
                }
            }
            Ok(())
        });
        Session {
            tasks: Some(tasks),
            news,
            stop,
            busy: false,
            thread: Some(thread),
        }
    }

    /// Where the news of searches come in. It is closed where there is no engine: [`Session::failure`]
    /// says why.
    pub(super) fn news(&self) -> &Receiver<News> {
        &self.news
    }

    /// Takes note of what was received from [`Session::news`].
    pub(super) fn heard(&mut self, news: &News) {
        self.busy &= !matches!(news, News::Done(_));
    }

    /// Begins a search, after the end of the one that is running, if there is one.
    pub(super) fn begin(&mut self, search: Search) {
        self.halt();
        self.stop.reset();
        self.busy = true;
        self.give(Task::Search(search));
    }

    /// Ends the running search soon; it tells what it has.
    pub(super) fn stop(&self) {
        self.stop.stop();
    }

    /// Ends the running search and waits until it has: nothing more is heard of it.
    pub(super) fn halt(&mut self) {
        if self.busy {
            self.stop();
        }
        while self.busy {
            match self.news.recv() {
                Ok(news) => self.heard(&news),
                Err(_) => self.busy = false,
            }
        }
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

    fn give(&self, task: Task) {
        if let Some(tasks) = &self.tasks {
            // Where there is no engine, the closed channel of news says so.
            let _ = tasks.send(task);
        }
    }
}

/// Searches and tells; a break where nobody listens any more.
fn run(engine: &mut Engine, search: &Search, tell: &Sender<News>) -> ControlFlow<()> {
    let stop = engine.stop_handle();
    let time = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
    let limits = Limits {
        time: search.deadline.map(time),
        ..search.limits
    };
    let mut listening = true;
    let found = engine.search_and_report(search.board, &limits, |report| {
        let late = search.enough.is_some_and(|enough| Instant::now() >= enough);
        if late || !listening {
            stop.stop();
        }
        listening &= tell.send(News::Report(report.clone())).is_ok();
    });
    let found = found.expect("a game has no square held twice");
    match tell.send(News::Done(found)) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}

impl<E> Drop for Session<E> {
    fn drop(&mut self) {
        self.stop.stop();
        self.tasks = None;
        // The thread may wait for somebody to hear its news.
        for _ in &self.news {}
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
