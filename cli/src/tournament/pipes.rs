//! The pipes of an engine. Nobody waits on one for longer than the engine is of interest: what it
//! started and left behind may hold the other end for ever.

use std::io;
use std::thread::{self, JoinHandle};

#[cfg(not(unix))]
pub(super) use elsewhere::Lifeline;
#[cfg(unix)]
pub(super) use unix::Lifeline;

/// The name of the threads that write and listen to engines.
pub(super) const THREAD: &str = "engine";

/// A thread, or why there can be none.
pub(super) fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(THREAD.to_owned()).spawn(work)
}

#[cfg(unix)]
mod unix {
    use std::io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write};
    use std::os::fd::AsFd;
    use std::sync::Arc;

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    /// The most bytes that are written at once: as many fit into a pipe that has room for any, on every
    /// system (POSIX's PIPE_BUF).
    const PIECE: usize = 512;

    /// As long as it is there, its pipes wait. Dropped, they have ended.
    pub(in super::super) struct Lifeline {
        /// Never written to. What is read from it ends when this is dropped.
        _held: PipeWriter,
        end: Arc<PipeReader>,
    }

    impl Lifeline {
        /// A new one; an error where the system has no pipe for it.
        pub(in super::super) fn new() -> io::Result<Lifeline> {
            let (end, held) = io::pipe()?;
            Ok(Lifeline {
                _held: held,
                end: Arc::new(end),
            })
        }

        /// `pipe`, which ends with the lifeline.
        pub(in super::super) fn watch<P: AsFd>(&self, pipe: P) -> Watched<P> {
            Watched {
                pipe,
                end: Arc::clone(&self.end),
            }
        }
    }

    /// A pipe that ends with a [`Lifeline`].
    pub(in super::super) struct Watched<P> {
        pipe: P,
        end: Arc<PipeReader>,
    }

    impl<P: AsFd> Watched<P> {
        /// Waits until the pipe is ready; false if the lifeline was dropped.
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
                true => self.pipe.write(&bytes[..bytes.len().min(PIECE)]),
                false => Err(ErrorKind::BrokenPipe.into()),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            self.pipe.flush()
        }
    }
}

/// Without `poll`, a pipe ends when all who hold its other end have ended.
#[cfg(not(unix))]
mod elsewhere {
    pub(in super::super) struct Lifeline;

    impl Lifeline {
        pub(in super::super) fn new() -> std::io::Result<Lifeline> {
            Ok(Lifeline)
        }

        pub(in super::super) fn watch<P>(&self, pipe: P) -> P {
            pipe
        }
    }
}
