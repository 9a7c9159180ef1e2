//! Verdicts on mutants, by running the suite or the prover.

use std::path::Path;
use std::process::{Command, ExitStatus};
use std::sync::Mutex;

use super::Error;
use crate::file_error;

/// Verdict on a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// An answer differs from the reference's; holds the first line of the output.
    Differs(String),
    /// A kernel panics, as for an index outside a table or an overflow.
    Panics,
    /// A kernel faults.
    Faults,
    /// A kernel does not return within the time limit.
    Endless,
    /// The prover neither proves nor refutes the mutant; holds the reason.
    Unproved(String),
    /// No difference is found: the suite is too weak, or the mutant is equivalent.
    Survives,
}

impl Verdict {
    /// Name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Differs(_) => "differs",
            Verdict::Panics => "panics",
            Verdict::Faults => "faults",
            Verdict::Endless => "endless",
            Verdict::Unproved(_) => "unproved",
            Verdict::Survives => "survives",
        }
    }
}

/// Exit status of a Rust program after a panic.
const PANIC: i32 = 101;

/// Exit status of the example `check_mutants` of `outflank-checker` for a kernel that does not return.
const ENDLESS: i32 = 3;

/// Exit status of the example `prove_mutants` of `outflank-prover` for a kernel that is not proved.
const UNPROVED: i32 = 4;

/// Signals of a fault: illegal instruction, trap, abort, bus error, arithmetic, invalid address.
#[cfg(unix)]
const FAULTS: [i32; 6] = [4, 5, 6, 7, 8, 11];

/// Returns `true` if a fault ended the program. Other ends, such as a lack of memory, say nothing about a mutant.
fn is_fault(status: ExitStatus) -> bool {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status)
        .is_some_and(|signal| FAULTS.contains(&signal));
    // Other systems report an exception as a negative status.
    #[cfg(not(unix))]
    return status.code().is_some_and(|code| code < 0);
}

/// Runs `program` with one argument. Returns the verdict by the exit status, and the output.
///
/// An unknown status is an error, because it says nothing about the mutant.
pub(super) fn judge(program: &Path, argument: &str) -> Result<(Verdict, String), Error> {
    let output = Command::new(program).arg(argument).output();
    let output = output.map_err(file_error(program))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let first = || printed.lines().next().unwrap_or_default().to_owned();
    let verdict = match output.status.code() {
        Some(0) => Verdict::Survives,
        Some(1) => Verdict::Differs(first()),
        Some(UNPROVED) => Verdict::Unproved(first()),
        Some(PANIC) => Verdict::Panics,
        Some(ENDLESS) => Verdict::Endless,
        _ if is_fault(output.status) => Verdict::Faults,
        _ => {
            return Err(Error::Status {
                argument: argument.to_owned(),
                status: output.status,
            });
        }
    };
    Ok((verdict, printed))
}

/// Judges many mutants, on one thread per core.
pub(super) fn judge_all(program: &Path, arguments: &[String]) -> Result<Vec<Verdict>, Error> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = Mutex::new(0..arguments.len());
    let verdicts = Mutex::new(vec![Verdict::Survives; arguments.len()]);
    std::thread::scope(|scope| {
        let worker = || -> Result<(), Error> {
            loop {
                let Some(i) = next.lock().expect("no worker panics").next() else {
                    return Ok(());
                };
                let (verdict, _) = judge(program, &arguments[i])?;
                verdicts.lock().expect("no worker panics")[i] = verdict;
            }
        };
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        running
            .into_iter()
            .try_for_each(|worker| worker.join().expect("no worker panics"))
    })?;
    Ok(verdicts.into_inner().expect("no worker panics"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn exit_status_determines_the_verdict() {
        let folder = tempfile::tempdir().unwrap();
        let cases = [
            ("exit 0", Verdict::Survives),
            (
                "echo first; echo second; exit 1",
                Verdict::Differs("first".into()),
            ),
            ("exit 101", Verdict::Panics),
            ("kill -SEGV $$", Verdict::Faults),
            ("exit 3", Verdict::Endless),
            ("echo why; exit 4", Verdict::Unproved("why".into())),
        ];
        let script = |(i, (text, _)): (usize, &(&str, Verdict))| {
            let path = folder.path().join(i.to_string());
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let scripts: Vec<String> = cases.iter().enumerate().map(script).collect();
        let verdicts = judge_all(Path::new("/bin/sh"), &scripts).unwrap();
        for ((script, expected), verdict) in cases.into_iter().zip(verdicts) {
            assert_eq!(verdict, expected, "{script}");
        }
        assert!(judge_all(Path::new("/gone"), &scripts).is_err());
        for (text, status) in [("exit 7", "exit status: 7"), ("kill -KILL $$", "signal: 9")] {
            let unknown = script((scripts.len(), &(text, Verdict::Survives)));
            let error = judge_all(Path::new("/bin/sh"), &[unknown]).unwrap_err();
            let message = error.to_string();
            assert!(
                message.contains(status) && message.lines().count() == 1,
                "{message}"
            );
        }
    }
}
