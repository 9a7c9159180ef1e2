//! Reading lines on a thread of its own, so that what comes in is noticed whatever goes on.

use std::io::{self, BufRead, BufReader, Read};
use std::thread;

use crossbeam_channel::{Receiver, bounded};

/// The most bytes that a line has, its end among them: the longest game with remarks takes a tenth.
pub const MAX_BYTES: usize = 1 << 16;

/// Lines that are read ahead of those that have been dealt with.
const AHEAD: usize = 16;

/// The name of the threads that read.
pub const THREAD: &str = "lines";

/// A line.
#[derive(PartialEq, Eq, Debug)]
pub enum Line {
    /// As it came, without its end; bytes that are not UTF-8 are U+FFFD.
    Text(String),
    /// It had more than [`MAX_BYTES`], of which nothing was kept.
    TooLong,
}

/// The lines of `input`, which ends with the channel. The thread that reads them ends with `input`, or
/// with the first line that nobody takes: until then it waits for one, and nobody is to wait for it. An
/// error where the system has no more threads.
pub fn read(input: impl Read + Send + 'static) -> io::Result<Receiver<Line>> {
    let (sender, lines) = bounded(AHEAD);
    let reader = move || each(input, |line| sender.send(line).is_ok());
    thread::Builder::new()
        .name(THREAD.to_owned())
        .spawn(reader)?;
    Ok(lines)
}

/// Hands the lines of `input` to `take`, until its end, or until `take` wants no more.
fn each(input: impl Read, mut take: impl FnMut(Line) -> bool) {
    let mut input = BufReader::new(input);
    // What cannot be read any more has ended.
    while let Ok(Some(line)) = next(&mut input) {
        // It is told before its end, which may never come.
        let has_rest = line == Line::TooLong;
        if !take(line) || has_rest && input.skip_until(b'\n').is_err() {
            break;
        }
    }
}

/// The next line, `None` at the end; of one that is too long, the rest comes next. The last one need not
/// have an end.
fn next(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let mut start = input.by_ref().take(MAX_BYTES as u64);
    if start.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() == MAX_BYTES && bytes.last() != Some(&b'\n') {
        return Ok(Some(Line::TooLong));
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(Line::Text(text.trim_end_matches(['\r', '\n']).into())))
}

/// The first word of a text, and what stands behind it, without blanks around it.
pub fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_any_way_and_are_bounded() {
        let long = |bytes| vec![b'x'; bytes];
        let input = [
            b"a\nb\r\n\n\xff\n".to_vec(),
            long(MAX_BYTES - 1),
            b"\n".to_vec(),
            long(MAX_BYTES),
            b"\n".to_vec(),
            long(5 * MAX_BYTES),
            b"\nlast".to_vec(),
        ];
        let lines: Vec<Line> = read(io::Cursor::new(input.concat()))
            .unwrap()
            .iter()
            .collect();
        let text = |text: &str| Line::Text(text.to_owned());
        let longest = text(&"x".repeat(MAX_BYTES - 1));
        let expected = [
            text("a"),
            text("b"),
            text(""),
            text("\u{fffd}"),
            longest,
            Line::TooLong,
            Line::TooLong,
            text("last"),
        ];
        assert!(lines == expected);
    }
}
