//! Large pages for large memory.

use std::alloc::{GlobalAlloc, Layout, System};

/// The allocator of the system, which asks for large pages where memory of 2 MiB or more is wanted. A program that
/// searches once starts sooner by it: the system provides weights and buffers of some MiB by a few large pages
/// instead of thousands of small ones, each at its first use. Outside Linux it is the system's allocator alone.
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: outflank::LargePages = outflank::LargePages;
///
/// # fn main() {
/// let many = vec![1_u8; 5 << 20];
/// assert!(many.iter().all(|&one| one == 1));
/// # }
/// ```
pub struct LargePages;

impl LargePages {
    /// The bytes of a large page.
    pub const BYTES: usize = 2 << 20;

    /// The layout of whole large pages instead of `layout`; `None` where that is smaller than one.
    fn whole_pages(layout: Layout) -> Option<Layout> {
        if layout.size() < LargePages::BYTES || !cfg!(target_os = "linux") {
            return None;
        }
        let aligned = layout.align_to(LargePages::BYTES).ok()?;
        Some(aligned.pad_to_align())
    }
}

// SAFETY: all memory is the system's, given back with the layout it was got with: whether pages are whole depends
// on nothing but the layout that the caller has to keep. Advice changes nothing of what memory holds.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(pages) = LargePages::whole_pages(layout) else {
            // SAFETY: as the caller's.
            return unsafe { System.alloc(layout) };
        };
        // SAFETY: of no less size than the caller's layout, which is not 0.
        let memory = unsafe { System.alloc(pages) };
        advise(memory, pages.size());
        memory
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        let layout = LargePages::whole_pages(layout).unwrap_or(layout);
        // SAFETY: the layout that `alloc` used.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if LargePages::whole_pages(layout).is_none() {
            // SAFETY: as the caller's.
            return unsafe { System.alloc_zeroed(layout) };
        }
        // SAFETY: as the caller's.
        let memory = unsafe { self.alloc(layout) };
        if !memory.is_null() {
            // SAFETY: so much was allocated.
            unsafe { memory.write_bytes(0, layout.size()) };
        }
        memory
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's size is not 0, and not too large for its alignment.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        let is_small = |layout| LargePages::whole_pages(layout).is_none();
        if is_small(layout) && is_small(new) {
            // SAFETY: as the caller's; the system's layout is the same.
            return unsafe { System.realloc(memory, layout, size) };
        }
        // SAFETY: as the caller's.
        let moved = unsafe { self.alloc(new) };
        if !moved.is_null() {
            // SAFETY: both have so many bytes, and are different memory; the old one is given up.
            unsafe {
                moved.copy_from_nonoverlapping(memory, layout.size().min(size));
                self.dealloc(memory, layout);
            }
        }
        moved
    }
}

/// Asks for large pages. Where the system has none, small ones it is.
#[cfg(target_os = "linux")]
fn advise(memory: *mut u8, bytes: usize) {
    if !memory.is_null() {
        // SAFETY: memory of the caller's, whole pages of it.
        unsafe { libc::madvise(memory.cast(), bytes, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise(_: *mut u8, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first byte and the last one of memory of `layout`.
    unsafe fn ends(memory: *mut u8, layout: Layout) -> [u8; 2] {
        // SAFETY: the caller has memory of that layout.
        unsafe { [*memory, *memory.add(layout.size() - 1)] }
    }

    /// Smaller than a large page, one, and more, in any order.
    #[test]
    fn memory_is_aligned_zeroed_and_moved() {
        const SIZES: [usize; 5] = [100, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, 7 << 20];
        for from in SIZES {
            for to in SIZES {
                let [old, new] = [from, to].map(|size| Layout::from_size_align(size, 64).unwrap());
                // SAFETY: the layouts have sizes; memory is used within them and given back with the last one.
                unsafe {
                    let memory = LargePages.alloc_zeroed(old);
                    assert_eq!(ends(memory, old), [0, 0]);
                    memory.write_bytes(7, old.size());
                    let memory = LargePages.realloc(memory, old, new.size());
                    let kept = Layout::from_size_align(from.min(to), 64).unwrap();
                    assert_eq!(ends(memory, kept), [7, 7], "{from} to {to}");
                    let is_large = cfg!(target_os = "linux") && to >= LargePages::BYTES;
                    let alignment = if is_large { LargePages::BYTES } else { 64 };
                    assert_eq!(memory as usize % alignment, 0, "{from} to {to}");
                    LargePages.dealloc(memory, new);
                }
            }
        }
    }
}
