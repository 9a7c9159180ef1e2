//! Reader of lines on a thread of its own, so that a program notices input during other work.

use std::io::{self, BufRead, BufReader, Read};
use std::thread;

use crossbeam_channel::{Receiver, bounded};

/// Limit of bytes in a line, including its end. The longest game with remarks takes a tenth of it.
pub const MAX_BYTES: usize = 1 << 16;

/// Capacity of the channel of lines.
const AHEAD: usize = 16;

/// Name of reader threads.
pub const THREAD: &str = "lines";

/// A line of input.
#[derive(PartialEq, Eq, Debug)]
pub enum Line {
    /// Text without its line end; bytes that are not UTF-8 become U+FFFD.
    Text(String),
    /// Placeholder for a line of more than [`MAX_BYTES`].
    TooLong,
}

/// Starts a thread that sends the lines of `input`. The channel closes at the end of `input`.
///
/// The thread ends at the end of `input`, or with the first line after the receiver was dropped. It may wait for input
/// forever, so nothing should join it. An error means that the system cannot start a thread.
pub fn read(input: impl Read + Send + 'static) -> io::Result<Receiver<Line>> {
    let (sender, lines) = bounded(AHEAD);
    let reader = move || for_each_line(input, |line| sender.send(line).is_ok());
    thread::Builder::new()
        .name(THREAD.to_owned())
        .spawn(reader)?;
    Ok(lines)
}

/// Passes the lines of `input` to `take` until the input ends or `take` returns `false`.
fn for_each_line(input: impl Read, mut take: impl FnMut(Line) -> bool) {
    let mut input = BufReader::new(input);
    // A read error ends the input.
    while let Ok(Some(line)) = next_line(&mut input) {
        // A long line is reported at once, since its end may never come.
        let has_rest = line == Line::TooLong;
        if !take(line) || has_rest && input.skip_until(b'\n').is_err() {
            break;
        }
    }
}

/// Reads the next line; `None` at the end of the input. If a line is too long, its rest remains unread.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
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

/// Splits a text into its first word and the rest, both trimmed.
pub fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_at_any_line_end_and_bounded() {
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
