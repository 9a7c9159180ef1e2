//! Standard error of an engine: what it logs is read, so that it need not wait, and its last line is kept.
//!
//! A flood is read slowly: it costs next to nothing here, and whoever writes it waits.

use std::io::{ErrorKind, Read};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::flood::{BYTES, is_over};
use super::pipes::spawn;

/// The end of what was written is kept, so many bytes of it.
const KEPT: usize = 4096;

/// The most bytes that are read at once: what a pipe of Linux holds.
const PIECE: usize = 1 << 16;

/// The time between two reads of an engine that writes more than it may: some 6 MB a second are read then.
const PAUSE: Duration = Duration::from_millis(10);

/// Reads what an engine writes to standard error, on a thread of its own.
pub(super) struct Listener {
    end: Arc<Mutex<Vec<u8>>>,
    thread: JoinHandle<()>,
}

impl Listener {
    /// Reads `stderr` to its end.
    pub(super) fn start(stderr: impl Read + Send + 'static) -> std::io::Result<Listener> {
        let end = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&end);
        let keep =
            move |piece: &[u8]| append(&mut kept.lock().expect("nobody panics with it"), piece);
        let thread = spawn(move || read(stderr, keep))?;
        Ok(Listener { end, thread })
    }

    /// Whether all was read.
    pub(super) fn is_finished(&self) -> bool {
        self.thread.is_finished()
    }

    /// The last line that is not blank, so far.
    pub(super) fn last_line(&self) -> Option<String> {
        last_line(&self.end.lock().expect("nobody panics with it"))
    }
}

/// Hands what `stderr` has to `keep`, piece by piece, and waits between pieces as long as it was too much.
fn read(mut stderr: impl Read, mut keep: impl FnMut(&[u8])) {
    let (start, mut bytes) = (Instant::now(), 0);
    let mut piece = vec![0; PIECE];
    loop {
        match stderr.read(&mut piece) {
            Ok(length @ 1..) => {
                keep(&piece[..length]);
                bytes += length as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // What cannot be read any more has ended.
            Ok(0) | Err(_) => return,
        }
        if is_over(bytes, BYTES, start.elapsed()) {
            thread::sleep(PAUSE);
        }
    }
}

/// Appends a piece, and drops all but the end.
fn append(end: &mut Vec<u8>, piece: &[u8]) {
    end.extend(&piece[piece.len().saturating_sub(KEPT)..]);
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
    fn the_last_line_is_kept() {
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
            pieces
                .iter()
                .for_each(|piece| append(&mut end, piece.as_bytes()));
            assert!(end.len() <= KEPT);
            assert_eq!(last_line(&end).as_deref(), expected);
        }
    }

    /// Lines without end, for half a second.
    #[test]
    fn a_flood_is_read_slowly() {
        struct Flood(Instant);
        impl Read for Flood {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                buffer.fill(b'\n');
                match self.0.elapsed() < Duration::from_millis(500) {
                    true => Ok(buffer.len()),
                    false => Ok(0),
                }
            }
        }
        let start = Instant::now();
        let mut bytes = 0;
        read(Flood(start), |piece| bytes += piece.len() as u64);
        let time = start.elapsed();
        let pauses = time.as_millis() as u64 / PAUSE.as_millis() as u64;
        let (at_once, each_second) = BYTES;
        let most = at_once + each_second * (time.as_secs() + 1) + PIECE as u64 * (pauses + 1);
        assert!(bytes <= most, "{bytes} bytes, {most} allowed");
    }
}
