//! The memory of a table: all zeros at first, and provided by the system as it is used.

use super::TableError;

/// Memory of some MiB, aligned to a page.
pub(super) struct Memory(imp::Memory);

impl Memory {
    /// Memory of so many MiB, if there is so much.
    pub(super) fn new(mib: usize) -> Result<Memory, TableError> {
        let available = imp::available_mib();
        let too_large = || TableError::Memory {
            asked: mib,
            available,
        };
        let bytes = mib.checked_mul(1 << 20).ok_or_else(too_large)?;
        if mib > available {
            return Err(too_large());
        }
        imp::Memory::new(bytes).map(Memory).ok_or_else(too_large)
    }

    /// Where it begins. It may be written to through this pointer, also by several threads.
    #[inline(always)]
    pub(super) fn as_mut_ptr(&self) -> *mut u8 {
        self.0.as_mut_ptr()
    }

    /// Its length in bytes.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(not(target_family = "wasm"))]
mod imp {
    use memmap2::{MmapOptions, MmapRaw};

    pub(super) struct Memory(MmapRaw);

    impl Memory {
        pub(super) fn new(bytes: usize) -> Option<Memory> {
            let memory = MmapOptions::new().len(bytes).map_anon().ok()?;
            // Probes are spread over all of the table: with small pages each would also miss the TLB.
            // Where the system cannot do better, small pages it is.
            #[cfg(target_os = "linux")]
            let _ = memory.advise(memmap2::Advice::HugePage);
            Some(Memory(memory.into()))
        }

        #[inline(always)]
        pub(super) fn as_mut_ptr(&self) -> *mut u8 {
            self.0.as_mut_ptr()
        }

        #[inline(always)]
        pub(super) fn len(&self) -> usize {
            self.0.len()
        }
    }

    /// MiB that the system can still give to this process; no limit where the system does not say.
    pub(super) fn available_mib() -> usize {
        let Ok(mut system) = sysinfo::System::new() else {
            return usize::MAX;
        };
        system.refresh_memory();
        let free = system.available_memory();
        let granted = system
            .cgroup_limits()
            .map_or(free, |limits| limits.free_memory);
        (free.min(granted) >> 20) as usize
    }
}

/// WebAssembly maps no memory: it is the allocator's.
#[cfg(target_family = "wasm")]
mod imp {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    /// A page of WebAssembly.
    const PAGE: usize = 64 << 10;

    pub(super) struct Memory {
        start: NonNull<u8>,
        layout: Layout,
    }

    // SAFETY: it is plain memory that this alone owns.
    unsafe impl Send for Memory {}
    // SAFETY: what is shared is a pointer and a length; who writes through it sees to the rest.
    unsafe impl Sync for Memory {}

    impl Memory {
        pub(super) fn new(bytes: usize) -> Option<Memory> {
            let layout = Layout::from_size_align(bytes, PAGE).ok()?;
            // SAFETY: the layout has a size, at least a MiB.
            let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
            Some(Memory { start, layout })
        }

        #[inline(always)]
        pub(super) fn as_mut_ptr(&self) -> *mut u8 {
            self.start.as_ptr()
        }

        #[inline(always)]
        pub(super) fn len(&self) -> usize {
            self.layout.size()
        }
    }

    impl Drop for Memory {
        fn drop(&mut self) {
            // SAFETY: it was allocated with this layout, and nobody has it any more.
            unsafe { dealloc(self.start.as_ptr(), self.layout) }
        }
    }

    /// MiB that are left of the 4 GiB that 32 bits can address.
    pub(super) fn available_mib() -> usize {
        let used = core::arch::wasm32::memory_size(0) * (PAGE >> 10) >> 10;
        (4 << 10) - used
    }
}
