//! Message of a thread's last error, in memory that is never freed.

use std::ffi::c_char;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

/// Cuts `text` to at most `bytes` bytes, at a whole character.
pub(super) fn truncate(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Bytes of a message: room for the longest file name and its error.
const MESSAGE_SIZE: usize = 8 << 10;

/// Buffer of a message. It is never freed: a pointer to it stays valid in every thread.
///
/// The last byte is always 0, so that any reader finds an end.
type Buffer = [AtomicU8; MESSAGE_SIZE];

/// Free list of message buffers. It never grows beyond the peak number of threads.
static UNUSED: Mutex<Vec<&'static Buffer>> = Mutex::new(Vec::new());

/// Message of a thread. Its address is fixed as long as the thread runs.
pub(super) struct Message(&'static Buffer);

impl Message {
    pub(super) fn new() -> Message {
        let mut unused = UNUSED.lock().unwrap_or_else(PoisonError::into_inner);
        let buffer = unused.pop();
        let message = Message(buffer.unwrap_or_else(|| {
            let buffer = [const { AtomicU8::new(0) }; MESSAGE_SIZE];
            Box::leak(Box::new(buffer))
        }));
        message.set("");
        message
    }

    /// Replaces the text. Nulls become question marks, and a text that is too long loses its end.
    pub(super) fn set(&self, text: &str) {
        let text = truncate(text, MESSAGE_SIZE - 1).bytes();
        let bytes = text.map(|byte| if byte == 0 { b'?' } else { byte });
        for (to, byte) in self.0.iter().zip(bytes.chain([0])) {
            to.store(byte, Ordering::Relaxed);
        }
    }

    /// Pointer to the null-terminated text.
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
    fn message_keeps_its_address_and_its_terminator() {
        let message = Message::new();
        let address = message.as_ptr();
        for (text, expected) in [
            ("one".to_owned(), "one".to_owned()),
            ("a\0b".to_owned(), "a?b".to_owned()),
            ("é".repeat(MESSAGE_SIZE), "é".repeat(MESSAGE_SIZE / 2 - 1)),
            ("x".repeat(MESSAGE_SIZE), "x".repeat(MESSAGE_SIZE - 1)),
            (String::new(), String::new()),
        ] {
            message.set(&text);
            assert_eq!(read(&message), expected);
            assert_eq!(message.as_ptr(), address);
        }
    }
}
