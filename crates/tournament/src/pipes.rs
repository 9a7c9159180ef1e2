//! Pipes of an engine. An engine's children may hold its pipes open for ever. Therefore a [`Lifeline`] ends our reads
//! and writes.

use std::io;
use std::thread::{self, JoinHandle};

#[cfg(not(unix))]
pub(crate) use portable::Lifeline;
#[cfg(unix)]
pub(crate) use unix::Lifeline;

/// Name of the threads that serve an engine's pipes.
pub(crate) const THREAD: &str = "engine";

/// Starts a thread. An error means that the system has no more threads.
pub(crate) fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(THREAD.to_owned()).spawn(work)
}

#[cfg(unix)]
mod unix {
    use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
    use std::os::fd::AsFd;
    use std::sync::Arc;

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    /// Maximum number of bytes in one write. A ready pipe takes that many on every system (POSIX's PIPE_BUF).
    const MAX_WRITE: usize = 512;

    /// Handle that ends the pipes it watches when it is dropped.
    pub(crate) struct Lifeline {
        /// Never written to. Dropping it closes the pipe, and `poll` reports that for `end`.
        _held: PipeWriter,
        end: Arc<PipeReader>,
    }

    impl Lifeline {
        pub(crate) fn new() -> io::Result<Lifeline> {
            let (end, held) = io::pipe()?;
            Ok(Lifeline {
                _held: held,
                end: Arc::new(end),
            })
        }

        /// Wraps `pipe` so that it ends with the lifeline.
        pub(crate) fn watch<P: AsFd>(&self, pipe: P) -> Watched<P> {
            Watched {
                pipe,
                end: Arc::clone(&self.end),
            }
        }
    }

    /// Pipe that ends with a [`Lifeline`].
    pub(crate) struct Watched<P> {
        pipe: P,
        end: Arc<PipeReader>,
    }

    impl<P: AsFd> Watched<P> {
        /// Waits until the pipe is ready. Returns `false` if the lifeline was dropped.
        fn is_ready(&self, events: PollFlags) -> io::Result<bool> {
            let mut both = [
                PollFd::new(self.end.as_fd(), PollFlags::POLLIN),
                PollFd::new(self.pipe.as_fd(), events),
            ];
            loop {
                match poll(&mut both, PollTimeout::NONE) {
                    Ok(_) => return Ok(both[0].any() == Some(false)),
                    Err(Errno::EINTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
    }

    impl<P: AsFd + Read> Read for Watched<P> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.is_ready(PollFlags::POLLIN)? {
                true => self.pipe.read(buffer),
                false => Ok(0),
            }
        }
    }

    impl<P: AsFd + Write> Write for Watched<P> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.is_ready(PollFlags::POLLOUT)? {
                true => self.pipe.write(&bytes[..bytes.len().min(MAX_WRITE)]),
                false => Err(ErrorKind::BrokenPipe.into()),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            self.pipe.flush()
        }
    }
}

/// Without `poll`, a pipe ends when the last process closes it.
#[cfg(not(unix))]
mod portable {
    pub(crate) struct Lifeline;

    impl Lifeline {
        pub(crate) fn new() -> std::io::Result<Lifeline> {
            Ok(Lifeline)
        }

        pub(crate) fn watch<P>(&self, pipe: P) -> P {
            pipe
        }
    }
}
