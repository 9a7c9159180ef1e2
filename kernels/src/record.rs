//! Reporting what kernels are called with: with the feature `record`, and only with it, every call of a
//! kernel at the portable level is reported to an observer. `outflank-checker` makes the traces of its
//! measurements so.

use std::sync::OnceLock;

/// A kernel whose calls are reported.
pub struct Probe {
    /// The kernel's name.
    pub kernel: &'static str,
    /// The names of its parameters.
    pub parameters: &'static [&'static str],
}

/// What is told of each call: the kernel, and its arguments in the order of its parameters, a negative
/// number in two's complement.
pub type Observer = fn(&'static Probe, &[u64]);

static OBSERVER: OnceLock<Observer> = OnceLock::new();

/// Has every call from now on reported to `observer`. The first observer of a process stays; the result
/// is whether this is it.
pub fn observe(observer: Observer) -> bool {
    OBSERVER.set(observer).is_ok()
}

impl Probe {
    #[inline(always)]
    pub(crate) fn report(&'static self, arguments: &[u64]) {
        if let Some(observer) = OBSERVER.get() {
            observer(self, arguments);
        }
    }
}

/// Reports a call of a kernel, given its name and its arguments by the names of its parameters.
macro_rules! note {
    ($kernel:ident, $($name:ident),*) => {{
        static PROBE: $crate::record::Probe = $crate::record::Probe {
            kernel: stringify!($kernel),
            parameters: &[$(stringify!($name)),*],
        };
        PROBE.report(&[$($name as u64),*]);
    }};
}
pub(crate) use note;
