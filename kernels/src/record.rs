//! Reports of calls, with the feature `record`: kernels of the portable level report each call to an observer.
//! `outflank-checker` records the traces of its measurements in this way.

use std::sync::OnceLock;

/// A kernel whose calls are reported.
pub struct Probe {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Names of its parameters.
    pub parameters: &'static [&'static str],
}

/// Function that receives each call: the kernel, and the arguments in the order of its parameters. Negative
/// arguments are in two's complement.
pub type Observer = fn(&'static Probe, &[u64]);

static OBSERVER: OnceLock<Observer> = OnceLock::new();

/// Reports every call from now on to `observer`. Returns `false` if the process already has an observer, which
/// stays in place.
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

/// Reports a call, given the kernel's name and the arguments by the names of its parameters.
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
