//! Texts that go to memory of the caller, and the text of a thread's last error.

use std::ffi::c_char;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

use super::failure::{Failure, place};

/// The beginning of `text` that has at most `bytes` bytes, in whole characters.
fn beginning(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Copies as much of `text` as `size` bytes have room for, with a null at the end, and writes the length of the whole text.
///
/// # Safety
/// `to` points to `size` writable bytes, or is null; `length` is null or points to writable memory for a number.
pub(super) unsafe fn copy_text(
    text: &str,
    to: *mut c_char,
    name: &'static str,
    size: usize,
    length: *mut usize,
) -> Result<(), Failure> {
    // SAFETY: the caller's.
    let length = unsafe { place(length, "length")? };
    if size > 0 {
        // SAFETY: the caller's; there is at least one byte.
        let first = unsafe { place(to, name)? }.as_mut_ptr();
        let part = beginning(text, size - 1);
        // SAFETY: the part and a null are at most `size` bytes, and the caller's buffer does not overlap `text`.
        unsafe {
            first.copy_from_nonoverlapping(part.as_ptr().cast(), part.len());
            first.add(part.len()).write(0);
        }
    }
    length.write(text.len());
    Ok(())
}

/// Bytes of a message: room for the longest name of a file, and for what is wrong with it.
const MESSAGE: usize = 8 << 10;

/// Memory of the message of a thread, which is never freed: a pointer to it stays valid in every thread.
///
/// The last byte is always 0, so that any reader finds an end.
type Memory = [AtomicU8; MESSAGE];

/// Free list of message buffers. It never grows beyond the peak number of threads.
static UNUSED: Mutex<Vec<&'static Memory>> = Mutex::new(Vec::new());

/// A message of a thread, at one address as long as the thread runs.
pub(super) struct Message(&'static Memory);

impl Message {
    /// An empty message.
    pub(super) fn new() -> Message {
        let mut unused = UNUSED.lock().unwrap_or_else(PoisonError::into_inner);
        let memory = unused.pop();
        let message = Message(memory.unwrap_or_else(|| {
            let memory = [const { AtomicU8::new(0) }; MESSAGE];
            Box::leak(Box::new(memory))
        }));
        message.set("");
        message
    }

    /// Replaces the text. Nulls become question marks, and a text that is too long loses its end.
    pub(super) fn set(&self, text: &str) {
        let text = beginning(text, MESSAGE - 1).bytes();
        let shown = text.map(|byte| if byte == 0 { b'?' } else { byte });
        for (to, byte) in self.0.iter().zip(shown.chain([0])) {
            to.store(byte, Ordering::Relaxed);
        }
    }

    /// The text, as C reads it.
    pub(super) fn as_ptr(&self) -> *const c_char {
        self.0.as_ptr().cast()
    }
}

impl Drop for Message {
    fn drop(&mut self) {
        let mut unused = UNUSED.lock().unwrap_or_else(PoisonError::into_inner);
        unused.push(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn read(message: &Message) -> String {
        // SAFETY: the text ends with a null, and no other thread writes to it.
        let text = unsafe { CStr::from_ptr(message.as_ptr()) };
        text.to_str().unwrap().to_owned()
    }

    #[test]
    fn a_message_keeps_its_address_and_its_end() {
        let message = Message::new();
        let address = message.as_ptr();
        for (text, expected) in [
            ("one".to_owned(), "one".to_owned()),
            ("a\0b".to_owned(), "a?b".to_owned()),
            ("é".repeat(MESSAGE), "é".repeat(MESSAGE / 2 - 1)),
            ("x".repeat(MESSAGE), "x".repeat(MESSAGE - 1)),
            (String::new(), String::new()),
        ] {
            message.set(&text);
            assert_eq!(read(&message), expected);
            assert_eq!(message.as_ptr(), address);
        }
    }

    #[test]
    fn texts_are_cut_at_whole_characters() {
        for (size, expected) in [
            (0, None),
            (1, Some("")),
            (2, Some("a")),
            (3, Some("a")),
            (9, Some("aéb")),
        ] {
            let (mut buffer, mut length) = ([1_i8 as c_char; 9], 0);
            // SAFETY: the buffer has as many bytes.
            let copied =
                unsafe { copy_text("aéb", buffer.as_mut_ptr(), "text", size, &mut length) };
            assert!(copied.is_ok() && length == 4);
            let text = expected.map(|_| {
                // SAFETY: a null was written.
                unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_str().unwrap()
            });
            assert_eq!(text, expected);
            assert!(size > 0 || buffer[0] == 1);
        }
    }
}
