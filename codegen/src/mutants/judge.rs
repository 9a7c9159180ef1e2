//! Running the suite on a mutant: does it notice?

use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::Error;

/// What the suite made of a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// An answer differs from the reference's; the first line of what is said of it.
    Differs(String),
    /// A kernel panics: an index outside of a table, an overflow.
    Panics,
    /// A kernel faults.
    Faults,
    /// A kernel does not end in time.
    Endless,
    /// Nothing: the suite is too weak, or the mutation changes no answer.
    Survives,
}

impl Verdict {
    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Differs(_) => "differs",
            Verdict::Panics => "panics",
            Verdict::Faults => "faults",
            Verdict::Endless => "endless",
            Verdict::Survives => "survives",
        }
    }
}

/// What rustc's programs exit with after a panic.
const PANIC: i32 = 101;

/// Runs `program` with one argument; the verdict, and what was printed.
pub(super) fn judge(
    program: &Path,
    argument: &str,
    limit: Duration,
) -> Result<(Verdict, String), Error> {
    let failed = |source| Error::File {
        path: program.to_owned(),
        source,
    };
    let mut child = Command::new(program)
        .arg(argument)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let start = Instant::now();
    let status: Option<ExitStatus> = loop {
        match child.try_wait().map_err(failed)? {
            Some(status) => break Some(status),
            None if start.elapsed() > limit => break None,
            // What it prints is a screenful: the pipe holds that while nobody reads.
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let Some(status) = status else {
        child.kill().map_err(failed)?;
        child.wait().map_err(failed)?;
        return Ok((Verdict::Endless, String::new()));
    };
    let mut printed = String::new();
    let mut stdout = child.stdout.take().expect("it is piped");
    stdout.read_to_string(&mut printed).map_err(failed)?;
    let verdict = match status.code() {
        Some(0) => Verdict::Survives,
        Some(1) => Verdict::Differs(printed.lines().next().unwrap_or_default().to_owned()),
        Some(PANIC) => Verdict::Panics,
        _ => Verdict::Faults,
    };
    Ok((verdict, printed))
}

/// The verdicts on many mutants, as many at a time as there are cores.
pub(super) fn judge_all(
    program: &Path,
    arguments: &[String],
    limit: Duration,
) -> Result<Vec<Verdict>, Error> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = Mutex::new(0..arguments.len());
    let verdicts = Mutex::new(vec![Verdict::Survives; arguments.len()]);
    std::thread::scope(|scope| {
        let worker = || -> Result<(), Error> {
            loop {
                let Some(i) = next.lock().expect("no worker panics").next() else {
                    return Ok(());
                };
                let (verdict, _) = judge(program, &arguments[i], limit)?;
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
    fn every_end_of_a_program_has_its_verdict() {
        let folder = tempfile::tempdir().unwrap();
        let cases = [
            ("exit 0", Verdict::Survives),
            (
                "echo first; echo second; exit 1",
                Verdict::Differs("first".into()),
            ),
            ("exit 101", Verdict::Panics),
            ("kill -SEGV $$", Verdict::Faults),
            ("exec sleep 100", Verdict::Endless),
        ];
        let script = |(i, (text, _)): (usize, &(&str, Verdict))| {
            let path = folder.path().join(i.to_string());
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let scripts: Vec<String> = cases.iter().enumerate().map(script).collect();
        let verdicts = judge_all(Path::new("/bin/sh"), &scripts, Duration::from_secs(2)).unwrap();
        for ((script, expected), verdict) in cases.into_iter().zip(verdicts) {
            assert_eq!(verdict, expected, "{script}");
        }
        assert!(judge_all(Path::new("/gone"), &scripts, Duration::ZERO).is_err());
    }
}
