//! `outflank kernels`: lists, checks, measures and proves the kernels.
//!
//! All commands iterate over the registry, so a new kernel needs no change here. The design follows dav1d's checkasm.

mod bench;
mod check;
mod list;
#[cfg_attr(not(feature = "prove"), path = "no_prove.rs")]
mod prove;
mod select;

crate::subcommands! {
    /// List, check and measure the kernels: every algorithm at every instruction-set level
    #[command(after_help = EXAMPLES)]
    pub(super) enum Arguments {
        List(list::Arguments) => list::run,
        Check(check::Arguments) => check::run,
        /// Process of `check` in which the kernels run.
        #[command(hide = true)]
        CheckWorker(check::WorkerArguments) => check::work,
        Bench(bench::Arguments) => bench::run,
        Prove(prove::Arguments) => prove::run,
    }
}

const EXAMPLES: &str = "\
Examples:
  outflank kernels list flip             specification, algorithms and levels of a kernel
  outflank kernels check --seconds 20    every algorithm against its reference
  outflank kernels bench --kernel flip   latency and throughput of each algorithm";
