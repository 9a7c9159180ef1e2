//! Standard error of an engine. It is always read, so that logging never blocks the engine. Its last line is kept.

use std::io::{self, ErrorKind, Read};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::flood::{BYTES, exceeds};
use crate::pipes::spawn;

/// Bytes kept from the end of the output.
const KEPT: usize = 4096;

/// Maximum number of bytes in one read: the capacity of a pipe on Linux.
const MAX_READ: usize = 1 << 16;

/// Pause after each read of a flood, which limits it to about 6 MB a second.
const PAUSE: Duration = Duration::from_millis(10);

/// Reader of standard error, on a thread of its own.
pub(crate) struct StderrReader {
    end: Arc<Mutex<Vec<u8>>>,
    thread: JoinHandle<()>,
}

impl StderrReader {
    /// Reads `stderr` to its end.
    pub(crate) fn start(stderr: impl Read + Send + 'static) -> io::Result<StderrReader> {
        let end = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&end);
        let keep = move |bytes: &[u8]| {
            append(&mut kept.lock().expect("no panic while locked"), bytes);
        };
        let thread = spawn(move || read(stderr, keep))?;
        Ok(StderrReader { end, thread })
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// Last line so far that is not blank.
    pub(crate) fn last_line(&self) -> Option<String> {
        last_line(&self.end.lock().expect("no panic while locked"))
    }
}

/// Passes the bytes of `stderr` to `keep`, and slows down when there are too many.
fn read(mut stderr: impl Read, mut keep: impl FnMut(&[u8])) {
    let (start, mut bytes) = (Instant::now(), 0);
    let mut buffer = vec![0; MAX_READ];
    loop {
        match stderr.read(&mut buffer) {
            Ok(length @ 1..) => {
                keep(&buffer[..length]);
                bytes += length as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return,
        }
        if exceeds(bytes, BYTES, start.elapsed()) {
            thread::sleep(PAUSE);
        }
    }
}

/// Appends bytes, and drops all but the last [`KEPT`].
fn append(end: &mut Vec<u8>, bytes: &[u8]) {
    end.extend(&bytes[bytes.len().saturating_sub(KEPT)..]);
    end.drain(..end.len().saturating_sub(KEPT));
}

fn last_line(text: &[u8]) -> Option<String> {
    let mut lines = text.rsplit(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let last = lines.find(|line| !line.is_empty())?;
    Some(String::from_utf8_lossy(last).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_line_is_kept() {
        let long = "x".repeat(3 * KEPT);
        for (pieces, expected) in [
            (&[][..], None),
            (&["\n \n"], None),
            (&["one\ntwo\r\n\n"], Some("two")),
            (&["one\ntw", "o"], Some("two")),
            (&[&long, "\nlast\n"], Some("last")),
            (&["first\n", &long], Some(&long[..KEPT])),
        ] {
            let mut end = Vec::new();
            for piece in pieces {
                append(&mut end, piece.as_bytes());
            }
            assert!(end.len() <= KEPT);
            assert_eq!(last_line(&end).as_deref(), expected);
        }
    }

    #[test]
    fn flood_is_read_slowly() {
        /// Newlines for half a second.
        struct Flood(Instant);
        impl Read for Flood {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer.fill(b'\n');
                let is_over = self.0.elapsed() >= Duration::from_millis(500);
                Ok(if is_over { 0 } else { buffer.len() })
            }
        }
        let (start, mut bytes) = (Instant::now(), 0);
        read(Flood(start), |piece| bytes += piece.len() as u64);
        let time = start.elapsed();
        let reads = time.as_millis() / PAUSE.as_millis() + 1;
        let most = BYTES.0 + BYTES.1 * (time.as_secs() + 1) + MAX_READ as u64 * reads as u64;
        assert!(bytes <= most, "{bytes} bytes, {most} allowed");
    }
}
