//! An engine on a thread of its own, so that a protocol reads commands during a search.
//!
//! Every search has an id, and every event has the id of its search. Callers cancel a search by dropping its id; stale
//! events are ignored.
//!
//! The session's thread ends a search in two steps: it stores an id in [`SharedIds`], then it stops the engine. The
//! engine's thread begins a search in two steps, too: it resets the stop handle, then it reads the ids. A stop before the
//! reset shows in the ids, and a later stop ends the search, so no stop is lost.

use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst, fence};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, at, bounded, never, unbounded};

use crate::board::Board;
use crate::search::{Engine, Limits, SearchResult, StopHandle};

/// A position to search, with its limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchRequest {
    pub(super) board: Board,
    /// Limits apart from time.
    pub(super) limits: Limits,
    /// Time at which the search must end; `None` is never.
    pub(super) hard_deadline: Option<Instant>,
    /// Time after which no deeper iteration begins; `None` is never.
    pub(super) soft_deadline: Option<Instant>,
}

impl SearchRequest {
    /// A search without a time limit.
    pub(super) fn untimed(board: Board, limits: Limits) -> SearchRequest {
        SearchRequest {
            board,
            limits,
            hard_deadline: None,
            soft_deadline: None,
        }
    }
}

pub(super) enum SearchEvent {
    /// Result of a finished iteration.
    Report(SearchResult),
    /// Final result, the last event of a search.
    Done(SearchResult),
}

/// Event with the id of its search.
pub(super) struct TaggedEvent {
    id: u64,
    event: SearchEvent,
}

/// Work for the engine's thread.
enum EngineTask {
    Search(u64, SearchRequest),
    Clear,
}

/// Ids of searches, shared by both threads. [`NO_SEARCH`] stands for none.
#[derive(Default)]
struct SharedIds {
    /// The current search. Any other one ends without an answer.
    wanted: AtomicU64,
    /// A search that must end soon with its best answer.
    stopped: AtomicU64,
}

/// Id of no search.
const NO_SEARCH: u64 = 0;

/// Time that a session waits for a search after its hard deadline. A search reads the clock several times a
/// millisecond. If it ends later, the system did not run its thread in time.
const GRACE: Duration = Duration::from_millis(3);

/// An engine that searches one position at a time and can be stopped.
pub(super) struct Session {
    tasks: Sender<EngineTask>,
    events: Receiver<TaggedEvent>,
    shared: Arc<SharedIds>,
    /// Id of the current search, whose events are wanted, or [`NO_SEARCH`].
    current: u64,
    /// Hard deadline of the current search.
    deadline: Option<Instant>,
    /// Last report of the current search.
    latest: Option<SearchResult>,
    /// Number of searches begun, which is the id of the last one.
    begun: u64,
    stop: StopHandle,
    thread: Option<JoinHandle<()>>,
}

impl Session {
    /// Builds the engine and moves it to a thread of its own. Build errors, such as a table that is too large, are
    /// returned before the first command.
    pub(super) fn new<E>(
        build: impl FnOnce(StopHandle) -> Result<Engine, E>,
    ) -> Result<Session, E> {
        let (tasks, queued_tasks) = unbounded();
        // With this capacity, a report waits until the previous one is received.
        let (sender, events) = bounded(1);
        let stop = StopHandle::default();
        let shared = Arc::new(SharedIds::default());
        let thread_ids = shared.clone();
        let mut engine = build(stop.clone())?;
        let thread = thread::spawn(move || {
            for task in queued_tasks {
                match task {
                    EngineTask::Clear => engine.clear(),
                    EngineTask::Search(id, search) => {
                        let send = |event| sender.send(TaggedEvent { id, event }).is_ok();
                        run(&mut engine, &thread_ids, id, &search, send);
                    }
                }
            }
        });
        Ok(Session {
            tasks,
            events,
            shared,
            current: NO_SEARCH,
            deadline: None,
            latest: None,
            begun: NO_SEARCH,
            stop,
            thread: Some(thread),
        })
    }

    /// Channel of events, for [`Session::accept`]. It closes if the engine's thread panics.
    pub(super) fn events(&self) -> &Receiver<TaggedEvent> {
        &self.events
    }

    /// Records a received event of the current search and returns it; `None` for a stale event.
    pub(super) fn accept(&mut self, tagged: TaggedEvent) -> Option<SearchEvent> {
        let event = (tagged.id == self.current).then_some(tagged.event)?;
        match &event {
            SearchEvent::Report(report) => self.latest = Some(report.clone()),
            SearchEvent::Done(_) => self.current = NO_SEARCH,
        }
        Some(event)
    }

    /// Last report of the current search.
    pub(super) fn latest(&self) -> Option<&SearchResult> {
        self.latest.as_ref().filter(|_| self.current != NO_SEARCH)
    }

    /// Timer that fires [`GRACE`] after the hard deadline of the current search. [`Session::give_up`] then answers, if
    /// there was a report.
    pub(super) fn overdue(&self) -> Receiver<Instant> {
        match self.deadline {
            Some(deadline) if self.current != NO_SEARCH && self.latest.is_some() => {
                at(deadline + GRACE)
            }
            _ => never(),
        }
    }

    /// Cancels the current search and returns its last report as the final result.
    pub(super) fn give_up(&mut self) -> Option<SearchEvent> {
        let latest = self.latest.take()?;
        self.cancel();
        Some(SearchEvent::Done(SearchResult {
            complete: false,
            ..latest
        }))
    }

    /// Cancels the current search and begins another one.
    pub(super) fn begin(&mut self, search: SearchRequest) {
        self.cancel();
        self.begun += 1;
        self.current = self.begun;
        self.deadline = search.hard_deadline;
        self.latest = None;
        self.shared.wanted.store(self.current, SeqCst);
        self.send(EngineTask::Search(self.current, search));
    }

    /// Makes the current search end soon. Its result still arrives.
    pub(super) fn stop(&self) {
        self.shared.stopped.store(self.current, SeqCst);
        self.stop_engine();
    }

    /// Ends the current search and drops its later events.
    pub(super) fn cancel(&mut self) {
        self.current = NO_SEARCH;
        self.shared.wanted.store(NO_SEARCH, SeqCst);
        self.stop_engine();
    }

    /// Cancels the current search and clears the engine's memory before the next one.
    pub(super) fn clear(&mut self) {
        self.cancel();
        self.send(EngineTask::Clear);
    }

    /// Panics with the panic of the engine's thread. Requires that [`Session::events`] is closed.
    pub(super) fn resume_panic(&mut self) -> ! {
        let thread = self.thread.take().expect("the thread is joined only once");
        let panic = thread
            .join()
            .expect_err("the thread runs until the session ends");
        panic::resume_unwind(panic)
    }

    /// Stops the running search. Callers store the shared ids before.
    fn stop_engine(&self) {
        fence(SeqCst);
        self.stop.stop();
    }

    fn send(&self, task: EngineTask) {
        // If the engine's thread panicked, the closed channel of events reports it.
        let _ = self.tasks.send(task);
    }
}

/// Runs search `id` unless it is no longer wanted. `send` returns `false` if the session is gone.
fn run(
    engine: &mut Engine,
    shared: &SharedIds,
    id: u64,
    search: &SearchRequest,
    send: impl Fn(SearchEvent) -> bool,
) {
    let stop = engine.stop_handle();
    // The module's documentation explains the order of these steps.
    stop.reset();
    fence(SeqCst);
    if shared.wanted.load(SeqCst) != id {
        return;
    }
    if shared.stopped.load(SeqCst) == id {
        stop.stop();
    }
    let time_left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
    let limits = Limits {
        time: search.hard_deadline.map(time_left),
        ..search.limits
    };
    let result = engine.search_and_report(search.board, &limits, |report| {
        let is_late = search
            .soft_deadline
            .is_some_and(|soft| Instant::now() >= soft);
        if is_late || !send(SearchEvent::Report(report.clone())) {
            stop.stop();
        }
    });
    send(SearchEvent::Done(
        result.expect("a game has no square held twice"),
    ));
}

impl Drop for Session {
    fn drop(&mut self) {
        // The thread ends by itself once its channels are closed.
        self.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Next event of the current search.
    fn next(session: &mut Session) -> SearchEvent {
        loop {
            let event = session.events().recv().expect("there is an engine");
            if let Some(event) = session.accept(event) {
                return event;
            }
        }
    }

    #[test]
    fn an_overdue_search_is_answered_by_its_last_report() {
        let build = |stop| Engine::builder().hash_mib(1).stop_handle(stop).build();
        let mut session = Session::new(build).unwrap();
        let endless = SearchRequest::untimed(Board::START, Limits::EXACT);
        let is_overdue = |session: &Session| session.overdue().recv_timeout(GRACE).is_ok();
        let expired = SearchRequest {
            hard_deadline: Some(Instant::now()),
            ..endless
        };
        session.begin(expired);
        assert!(!is_overdue(&session), "no report yet");
        session.begin(endless);
        let SearchEvent::Report(report) = next(&mut session) else {
            panic!("the start is not solved at once")
        };
        assert!(!is_overdue(&session), "it has no deadline");

        // Simulates an engine that misses its deadline.
        session.deadline = Some(Instant::now());
        session.overdue().recv().expect("it is overdue");
        let Some(SearchEvent::Done(answer)) = session.give_up() else {
            panic!("there was a report")
        };
        assert_eq!((answer.line, answer.complete), (report.line, false));
        assert!(!is_overdue(&session), "it was answered");

        // Only the next search sends events.
        let board = Board::START.play("F5".parse().unwrap()).unwrap();
        session.begin(SearchRequest::untimed(board, Limits::level(1, 59)));
        loop {
            if let SearchEvent::Done(result) = next(&mut session) {
                assert!(result.complete && board.play(result.best().unwrap()).is_some());
                break;
            }
        }
    }
}
