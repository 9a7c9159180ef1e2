//! An engine on a thread of its own, so that nothing else ever waits for a search.
//!
//! Searches have numbers. Whoever has no more use for one forgets its number, and need not wait until the
//! engine has noticed: what is still heard of that search is passed over.

use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst, fence};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, at, bounded, never, unbounded};

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

/// How long after its deadline a search is waited for. It looks at the time every fraction of a
/// millisecond, so that one that is later has a thread that the system does not let run.
const GRACE: Duration = Duration::from_millis(3);

/// An engine that searches one position at a time, and can be stopped.
pub(super) struct Session {
    tasks: Sender<Task>,
    news: Receiver<Numbered>,
    wanted: Arc<Wanted>,
    /// The search of which news are wanted, or [`NONE`].
    current: u64,
    /// When that one has to be over.
    deadline: Option<Instant>,
    /// What was heard of it last.
    latest: Option<SearchResult>,
    /// How many were begun.
    begun: u64,
    /// Ends whatever is being searched.
    stop: StopHandle,
    thread: Option<JoinHandle<()>>,
}

impl Session {
    /// Moves the engine that `build` makes to a thread of its own. An engine that cannot be had, with so large a
    /// table or such weights, is an error at once and not in the middle of a game.
    pub(super) fn new<E>(
        build: impl FnOnce(StopHandle) -> Result<Engine, E>,
    ) -> Result<Session, E> {
        let (tasks, to_do) = unbounded();
        // A report waits until somebody has heard the one before.
        let (tell, news) = bounded(1);
        let stop = StopHandle::default();
        let wanted = Arc::new(Wanted::default());
        let heeded = wanted.clone();
        let mut engine = build(stop.clone())?;
        let thread = thread::spawn(move || {
            for task in to_do {
                match task {
                    Task::Forget => engine.clear(),
                    Task::Search(number, search) => {
                        let tell = |news| tell.send(Numbered { number, news }).is_ok();
                        run(&mut engine, &heeded, number, &search, tell);
                    }
                }
            }
        });
        Ok(Session {
            tasks,
            news,
            wanted,
            current: NONE,
            deadline: None,
            latest: None,
            begun: NONE,
            stop,
            thread: Some(thread),
        })
    }

    /// Channel of the news of searches, for [`Session::hear`]. It is closed where the engine's thread panicked.
    pub(super) fn news(&self) -> &Receiver<Numbered> {
        &self.news
    }

    /// What was received, if it is of the search that is running.
    pub(super) fn hear(&mut self, Numbered { number, news }: Numbered) -> Option<News> {
        let heard = (number == self.current).then_some(news)?;
        match &heard {
            News::Report(found) => self.latest = Some(found.clone()),
            News::Done(_) => self.current = NONE,
        }
        Some(heard)
    }

    /// The last report of the search that is running.
    pub(super) fn latest(&self) -> Option<&SearchResult> {
        self.latest.as_ref().filter(|_| self.current != NONE)
    }

    /// Tells when the search that is running is so late that [`Session::give_up`] is the better answer.
    pub(super) fn late(&self) -> Receiver<Instant> {
        match self.deadline {
            Some(deadline) if self.current != NONE && self.latest.is_some() => at(deadline + GRACE),
            _ => never(),
        }
    }

    /// What was heard last of the search that is running, as its end. Nothing more is heard of it.
    pub(super) fn give_up(&mut self) -> Option<News> {
        let latest = self.latest.take()?;
        self.halt();
        Some(News::Done(SearchResult {
            complete: false,
            ..latest
        }))
    }

    /// Begins a search, and forgets the one that is running, if there is one.
    pub(super) fn begin(&mut self, search: Search) {
        self.halt();
        self.begun += 1;
        self.current = self.begun;
        self.deadline = search.deadline;
        self.latest = None;
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

    /// Panics as the engine's thread did, where [`Session::news`] is closed.
    pub(super) fn resume_panic(&mut self) -> ! {
        let thread = self.thread.take().expect("this is asked once");
        let panic = thread
            .join()
            .expect_err("the thread stays until nobody wants it");
        panic::resume_unwind(panic)
    }

    /// Ends whatever is searched. What is wanted was said before.
    fn end(&self) {
        fence(SeqCst);
        self.stop.stop();
    }

    fn give(&self, task: Task) {
        // Where the engine's thread panicked, the closed channel of news says so.
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

impl Drop for Session {
    fn drop(&mut self) {
        // The thread ends when it hears that nobody listens any more: nobody need wait for that.
        self.halt();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next thing that is heard of the search that is running.
    fn next(session: &mut Session) -> News {
        loop {
            let news = session.news().recv().expect("there is an engine");
            if let Some(news) = session.hear(news) {
                return news;
            }
        }
    }

    #[test]
    fn a_late_search_is_answered_by_its_last_report() {
        let build = |stop| Engine::builder().hash_mib(1).stop_handle(stop).build();
        let mut session = Session::new(build).unwrap();
        let endless = Search::untimed(Board::START, Limits::EXACT);
        let passed = Search {
            deadline: Some(Instant::now()),
            ..endless
        };
        session.begin(passed);
        assert!(
            session.late().recv_timeout(GRACE).is_err(),
            "nothing is known yet"
        );
        session.begin(endless);
        let News::Report(found) = next(&mut session) else {
            panic!("the game's first position is not solved at once")
        };
        assert!(
            session.late().recv_timeout(GRACE).is_err(),
            "it has all the time that it takes"
        );

        // As if the time were over, and the engine did not notice.
        session.deadline = Some(Instant::now());
        session.late().recv().expect("it is late");
        let Some(News::Done(answer)) = session.give_up() else {
            panic!("there is an answer")
        };
        assert_eq!((answer.line, answer.complete), (found.line, false));
        assert!(
            session.late().recv_timeout(GRACE).is_err(),
            "it is answered"
        );

        // The next one is heard of, and only that.
        let board = Board::START.play("F5".parse().unwrap()).unwrap();
        session.begin(Search::untimed(board, Limits::level(1, 59)));
        loop {
            if let News::Done(found) = next(&mut session) {
                assert!(found.complete && board.play(found.best().unwrap()).is_some());
                break;
            }
        }
    }
}
