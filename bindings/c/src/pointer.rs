//! Access to memory of the caller.
//!
//! Each function checks for null. The caller of the C function guarantees the rest. Most parameters are optional
//! references, and a null is `None`. Raw pointers are used for arrays, strings, and memory that a callback or another
//! thread may use during the call.

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

use super::failure::Failure;
use super::message::truncate;

/// Returns the pointer, unless it is null. `name` is the parameter's name in the header.
pub(super) fn required<P>(pointer: Option<P>, name: &'static str) -> Result<P, Failure> {
    pointer.ok_or_else(|| Failure::null(name))
}

/// Borrows the object at `pointer`. `name` is the parameter's name in the header.
///
/// # Safety
/// `pointer` is null, or points to a `T` that nobody writes to for `'a`.
pub(super) unsafe fn shared<'a, T>(
    pointer: *const T,
    name: &'static str,
) -> Result<&'a T, Failure> {
    // SAFETY: the caller guarantees it.
    required(unsafe { pointer.as_ref() }, name)
}

/// Borrows memory for a result, which may be uninitialized.
///
/// # Safety
/// `pointer` is null, or points to memory for a `T` that nobody else uses for `'a`.
pub(super) unsafe fn output<'a, T>(
    pointer: *mut T,
    name: &'static str,
) -> Result<&'a mut MaybeUninit<T>, Failure> {
    // SAFETY: the caller guarantees it, and the type allows uninitialized memory.
    required(unsafe { pointer.cast::<MaybeUninit<T>>().as_mut() }, name)
}

/// Writes as many items as fit, and returns their number.
pub(super) fn write_items<T, const N: usize>(
    array: &mut MaybeUninit<[T; N]>,
    items: impl Iterator<Item = T>,
) -> usize {
    let first = array.as_mut_ptr().cast::<T>();
    let mut count = 0;
    for item in items.take(N) {
        // SAFETY: `count` is less than `N`.
        unsafe { first.add(count).write(item) };
        count += 1;
    }
    count
}

/// Reads a string.
///
/// # Safety
/// `pointer` is null, or points to a null-terminated string that nobody writes to for `'a`.
pub(super) unsafe fn text<'a>(
    pointer: *const c_char,
    name: &'static str,
) -> Result<&'a str, Failure> {
    // SAFETY: the caller guarantees it.
    let text = unsafe { optional_text(pointer, name) }?;
    text.ok_or_else(|| Failure::null(name))
}

/// Reads a string; `None` if `pointer` is null.
///
/// # Safety
/// As [`text`].
pub(super) unsafe fn optional_text<'a>(
    pointer: *const c_char,
    name: &'static str,
) -> Result<Option<&'a str>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the pointer is not null, and the caller guarantees the rest.
    let text = unsafe { CStr::from_ptr(pointer) };
    let text = text.to_str();
    text.map(Some)
        .map_err(|_| Failure::argument(format!("{name} is not UTF-8")))
}

/// Copies `text` to a buffer of `size` bytes, cut at a whole character, with a null at the end. Writes the length of the
/// whole text to `length`.
///
/// # Safety
/// `buffer` is null or points to `size` writable bytes.
pub(super) unsafe fn copy_text(
    text: &str,
    buffer: *mut c_char,
    name: &'static str,
    size: usize,
    length: Option<&mut MaybeUninit<usize>>,
) -> Result<(), Failure> {
    let length = required(length, "length")?;
    if size > 0 {
        // SAFETY: the caller guarantees it, and there is at least one byte.
        let first = unsafe { output(buffer, name)? }.as_mut_ptr();
        let copied = truncate(text, size - 1);
        // SAFETY: `copied` and a null take at most `size` bytes, and the caller's buffer does not overlap `text`.
        unsafe {
            first.copy_from_nonoverlapping(copied.as_ptr().cast(), copied.len());
            first.add(copied.len()).write(0);
        }
    }
    length.write(text.len());
    Ok(())
}

/// Object that a call makes.
#[cfg(test)]
pub(super) fn made<T>(
    make: impl FnOnce(Option<&mut MaybeUninit<T>>) -> super::failure::OutflankStatus,
) -> T {
    let mut object = MaybeUninit::uninit();
    assert_eq!(make(Some(&mut object)), super::failure::OutflankStatus::Ok);
    // SAFETY: a call that succeeds has written its result.
    unsafe { object.assume_init() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_whole_characters() {
        for (size, expected) in [
            (0, None),
            (1, Some("")),
            (2, Some("a")),
            (3, Some("a")),
            (9, Some("aéb")),
        ] {
            let mut buffer = [1_i8 as c_char; 9];
            let mut length = MaybeUninit::new(0);
            let first = buffer.as_mut_ptr();
            // SAFETY: the buffer has at least `size` bytes.
            let copied = unsafe { copy_text("aéb", first, "text", size, Some(&mut length)) };
            // SAFETY: the length has a value from the beginning.
            assert!(copied.is_ok() && unsafe { length.assume_init() } == 4);
            let text = expected.map(|_| {
                // SAFETY: a null was written.
                unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_str().unwrap()
            });
            assert_eq!(text, expected);
            assert!(size > 0 || buffer[0] == 1);
        }
    }
}
