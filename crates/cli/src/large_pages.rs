//! Allocator with large pages for large memory.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, which asks Linux for large pages where 2 MiB or more are allocated.
///
/// A program that searches once starts sooner: weights and buffers of some MiB take a few page faults instead of
/// thousands.
pub(crate) struct LargePages;

impl LargePages {
    /// Size of a large page.
    const BYTES: usize = 2 << 20;

    /// Rounds a layout up to whole large pages; `None` if it is smaller than one page or the system is not Linux.
    fn whole_pages(layout: Layout) -> Option<Layout> {
        if layout.size() < LargePages::BYTES || !cfg!(target_os = "linux") {
            return None;
        }
        let aligned = layout.align_to(LargePages::BYTES).ok()?;
        Some(aligned.pad_to_align())
    }
}

// SAFETY: all memory is the system's and is freed with the layout it was allocated with, because `whole_pages` depends
// only on the layout, which the caller has to keep. Advice does not change the contents of memory.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(pages) = LargePages::whole_pages(layout) else {
            // SAFETY: the caller fulfils the same contract.
            return unsafe { System.alloc(layout) };
        };
        // SAFETY: the layout is no smaller than the caller's, whose size is not 0.
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
            // SAFETY: the caller fulfils the same contract.
            return unsafe { System.alloc_zeroed(layout) };
        }
        // SAFETY: the caller fulfils the same contract.
        let memory = unsafe { self.alloc(layout) };
        if !memory.is_null() {
            // SAFETY: at least `layout.size()` bytes were allocated.
            unsafe { memory.write_bytes(0, layout.size()) };
        }
        memory
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's size is not 0 and, rounded up to its alignment, fits `isize`.
        let new = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        let is_small = |layout| LargePages::whole_pages(layout).is_none();
        if is_small(layout) && is_small(new) {
            // SAFETY: the caller fulfils the same contract, and the system allocated the memory with this layout.
            return unsafe { System.realloc(memory, layout, size) };
        }
        // SAFETY: the caller fulfils the same contract.
        let moved = unsafe { self.alloc(new) };
        if !moved.is_null() {
            // SAFETY: both blocks have at least the copied bytes and do not overlap. The caller gives up the old block.
            unsafe {
                moved.copy_from_nonoverlapping(memory, layout.size().min(size));
                self.dealloc(memory, layout);
            }
        }
        moved
    }
}

/// Asks the system for large pages. If it refuses, the pages stay small.
#[cfg(target_os = "linux")]
fn advise(memory: *mut u8, bytes: usize) {
    if !memory.is_null() {
        // SAFETY: `alloc` allocated these whole pages.
        unsafe { libc::madvise(memory.cast(), bytes, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise(_: *mut u8, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    /// First and last byte of memory with this layout.
    unsafe fn ends(memory: *mut u8, layout: Layout) -> [u8; 2] {
        // SAFETY: the caller has memory of that layout.
        unsafe { [*memory, *memory.add(layout.size() - 1)] }
    }

    /// The sizes lie around that of a large page; memory grows and shrinks between them.
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
