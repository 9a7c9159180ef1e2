//! The memory of a table: zeroed, aligned to a page, and provided by the system on first use.

pub(super) use imp::Memory;

/// Error of a size over the free memory, or over what the system grants. `available` is in MiB.
#[derive(Debug)]
pub(crate) struct OutOfMemory {
    pub(crate) available: usize,
}

/// Reserves `mib` MiB.
pub(super) fn reserve(mib: usize) -> Result<Memory, OutOfMemory> {
    let available = imp::available_mib();
    let bytes = mib.checked_mul(1 << 20).filter(|_| mib <= available);
    bytes
        .and_then(imp::reserve)
        .ok_or(OutOfMemory { available })
}

#[cfg(not(target_family = "wasm"))]
mod imp {
    use memmap2::{MmapOptions, MmapRaw};

    /// Several threads may write through its pointer.
    pub(in crate::table) type Memory = MmapRaw;

    pub(super) fn reserve(bytes: usize) -> Option<Memory> {
        let memory = MmapOptions::new().len(bytes).map_anon().ok()?;
        // Probes are spread over the whole table, so with small pages most would also miss the TLB. On a system without
        // huge pages the advice fails, and the pages are small.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Some(memory.into())
    }

    /// MiB that the system can still give to this process; `usize::MAX` if this is not known.
    pub(super) fn available_mib() -> usize {
        let Ok(mut system) = sysinfo::System::new() else {
            return usize::MAX;
        };
        system.refresh_memory();
        let free = match system.available_memory() {
            // Wine sometimes reports 0.
            0 => u64::MAX,
            free => free,
        };
        let limits = system.cgroup_limits();
        let granted = limits.map_or(free, |limits| limits.free_memory);
        (free.min(granted) >> 20) as usize
    }
}

/// WebAssembly cannot map memory, so the allocator provides it at once.
#[cfg(target_family = "wasm")]
mod imp {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    /// A page of WebAssembly.
    const PAGE: usize = 64 << 10;

    /// Several threads may write through its pointer.
    pub(in crate::table) struct Memory {
        start: NonNull<u8>,
        layout: Layout,
    }

    // SAFETY: the memory is plain and owned by this value alone.
    unsafe impl Send for Memory {}
    // SAFETY: only a pointer and a length are shared; users of the pointer synchronise their writes.
    unsafe impl Sync for Memory {}

    impl Memory {
        #[inline(always)]
        pub(in crate::table) fn as_mut_ptr(&self) -> *mut u8 {
            self.start.as_ptr()
        }

        #[inline(always)]
        pub(in crate::table) fn len(&self) -> usize {
            self.layout.size()
        }
    }

    impl Drop for Memory {
        fn drop(&mut self) {
            // SAFETY: the memory was allocated with this layout, and no reference to it is left.
            unsafe { dealloc(self.start.as_ptr(), self.layout) }
        }
    }

    pub(super) fn reserve(bytes: usize) -> Option<Memory> {
        let layout = Layout::from_size_align(bytes, PAGE).ok()?;
        // SAFETY: the layout's size is not zero, since tables have at least a MiB.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Memory { start, layout })
    }

    /// MiB left of the 4 GiB that 32 bits can address.
    pub(super) fn available_mib() -> usize {
        let used = core::arch::wasm32::memory_size(0) * (PAGE >> 10) >> 10;
        (4 << 10) - used
    }
}
