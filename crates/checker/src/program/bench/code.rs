//! Digests of the machine code that is timed, for comparisons of two builds.

use std::collections::HashMap;

use crate::bench::Measure;
use crate::registry::CheckerEntry;

/// Number of hexadecimal digits of a digest.
pub(super) const DIGITS: usize = 16;

/// Digests of the running program's timed functions by their addresses.
#[derive(Default)]
pub(super) struct TimedCode(HashMap<usize, String>);

impl TimedCode {
    /// Digest of the code that is timed for a cost of an entry; `None` if it is unknown.
    pub(super) fn digest(&self, entry: &CheckerEntry, measure: Measure) -> Option<&str> {
        self.0
            .get(&measure.timed_address(entry))
            .map(String::as_str)
    }

    /// Reads the machine code of `entries`. Without symbols, and on systems other than Linux for x86-64, no code is known.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    pub(super) fn of(entries: &[&'static CheckerEntry]) -> TimedCode {
        use crate::shapes::MachineCode;

        let Ok(program) = MachineCode::of_this_program() else {
            return TimedCode::default();
        };
        let Ok(digests) = program.digests() else {
            return TimedCode::default();
        };
        let timed = entries.iter().flat_map(|entry| {
            let addresses = Measure::ALL.map(|measure| measure.timed_address(entry));
            addresses.into_iter()
        });
        let known = timed.filter_map(|address| {
            let digest = digests.of(address)?;
            Some((address, format!("{digest:0DIGITS$x}")))
        });
        TimedCode(known.collect())
    }

    /// No code is known on this system.
    #[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
    pub(super) fn of(_: &[&'static CheckerEntry]) -> TimedCode {
        TimedCode::default()
    }
}
