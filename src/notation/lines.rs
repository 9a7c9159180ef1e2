//! Iterator over the lines of a file.

use std::borrow::Cow;

use super::without_bom;

/// Lines of a file with their numbers, from 1, without line ends. Bytes that are not UTF-8 become U+FFFD.
pub(super) struct Lines<'a> {
    rest: Option<&'a [u8]>,
    number: usize,
}

impl Lines<'_> {
    pub(super) fn new(file: &[u8]) -> Lines<'_> {
        Lines {
            rest: Some(without_bom(file)),
            number: 0,
        }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, Cow<'a, str>);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest?;
        let end = rest.iter().position(|&byte| byte == b'\n');
        self.rest = end.map(|end| &rest[end + 1..]);
        self.number += 1;
        let line = &rest[..end.unwrap_or(rest.len())];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Some((self.number, String::from_utf8_lossy(line)))
    }
}
