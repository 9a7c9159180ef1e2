//! Hardware counter of core cycles, if the system grants one: `perf_event_open` of Linux. Virtual machines often have none.

use std::fs::File;
use std::io::Read;
use std::os::fd::FromRawFd;

/// Counter of the cycles that this thread runs in user mode.
pub(super) struct Counter(File);

/// `perf_event_attr` in its first version, which every version of Linux accepts.
#[repr(C)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_kind: u32,
    breakpoint_address: u64,
}

impl Counter {
    /// Starts a counter; `None` if the system refuses it.
    pub(super) fn start() -> Option<Counter> {
        /// Keeps the counter on the CPU, or else makes reading it an error. A shared counter would only give an
        /// estimate.
        const PINNED: u64 = 1 << 2;
        const EXCLUDE_KERNEL: u64 = 1 << 5;
        const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
        let attributes = Attributes {
            // PERF_TYPE_HARDWARE and PERF_COUNT_HW_CPU_CYCLES.
            kind: 0,
            config: 0,
            size: size_of::<Attributes>() as u32,
            sample_period: 0,
            sample_type: 0,
            read_format: 0,
            flags: PINNED | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR,
            wakeup_events: 0,
            breakpoint_kind: 0,
            breakpoint_address: 0,
        };
        const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;
        let (thread, any_cpu, no_group) = (0, -1, -1);
        // SAFETY: the call reads `size` bytes of `attributes`, a struct of that size and of the layout that Linux
        // documents. The other arguments are numbers. It writes no memory of this process.
        let file = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw const attributes,
                thread,
                any_cpu,
                no_group,
                CLOSE_ON_EXEC,
            )
        };
        let descriptor = i32::try_from(file).ok().filter(|&file| file >= 0)?;
        // SAFETY: the system has just opened this descriptor for the caller, so nothing else owns or closes it.
        let counter = Counter(unsafe { File::from_raw_fd(descriptor) });
        // A pinned counter that got no hardware counter cannot be read.
        counter.cycles().map(|_| counter)
    }

    /// Cycles since the start.
    pub(super) fn cycles(&self) -> Option<u64> {
        let mut bytes = [0; 8];
        (&self.0).read_exact(&mut bytes).ok()?;
        Some(u64::from_ne_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chain is 100,000 additions, each of at least one cycle.
    #[test]
    fn counters_count_the_cycles_of_a_chain() {
        let Some(counter) = Counter::start() else {
            println!("skipped: no hardware counter");
            return;
        };
        let before = counter.cycles().expect("it was read");
        let mut sum = 0_u64;
        for i in 0..100_000 {
            sum = std::hint::black_box(sum + i);
        }
        let cycles = counter.cycles().expect("it was read") - before;
        assert!((100_000..100_000_000).contains(&cycles), "{cycles}");
    }
}
