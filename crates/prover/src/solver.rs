//! An SMT solver in a process of its own, which reads SMT-LIB and writes answers.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use crate::term::{Script, Term, Wide};

/// Python program that speaks SMT-LIB for Bitwuzla's package on PyPI, which contains no executable.
///
/// It answers each text when it reads the `echo` command at its end.
const BITWUZLA: &str = include_str!("bitwuzla.py");

/// Line that marks the end of an answer.
const END: &str = "end-of-answer";

/// Known solvers, in the order in which they are tried.
const KNOWN: [&str; 3] = ["bitwuzla", "z3", "cvc5"];

/// Command that starts a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverCommand {
    /// Name and version that the solver reports.
    pub name: String,
    program: String,
    arguments: Vec<String>,
}

/// Failure to find or use a solver.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// No known solver is installed.
    #[error(
        "no solver is installed: `pip install bitwuzla` or `pip install z3-solver` (or Debian's z3), \
         or name a program by --solver"
    )]
    None,
    /// The requested solver does not answer.
    #[error("the solver '{0}' does not answer: {1}")]
    Missing(String, String),
    /// The solver ended, or its output is no answer.
    #[error("the solver failed: {0}")]
    Failed(String),
    /// The answer cannot be added to the cache.
    #[error("the cache of proofs cannot be written: {0}")]
    Cache(std::io::Error),
}

/// Answer of a solver to a [`Script`], or the reason why there is none.
pub type SolverResult = Result<Satisfiability, SolverError>;

/// Answer of a solver to a [`Script`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Satisfiability {
    /// No values of the variables make all terms 1.
    Unsat,
    /// These values of the variables make all terms 1.
    Sat(BTreeMap<String, Wide>),
    /// The solver reached its time limit, or gave up.
    Unknown,
}

impl SolverCommand {
    /// Finds the solver of this name or path; without a name, the first known one that answers.
    pub fn find(name: Option<&str>) -> Result<SolverCommand, SolverError> {
        let Some(name) = name else {
            return KNOWN
                .iter()
                .find_map(|name| SolverCommand::named(name).ok())
                .ok_or(SolverError::None);
        };
        SolverCommand::named(name)
    }

    fn named(name: &str) -> Result<SolverCommand, SolverError> {
        let options: &[&str] = match name.rsplit('/').next() {
            Some("z3") => &["-in", "-smt2"],
            Some("cvc5") => &["--incremental", "--lang=smt2"],
            _ => &[],
        };
        let mut candidates = vec![(name, options)];
        if name == "bitwuzla" {
            candidates.push(("python3", &["-c", BITWUZLA]));
        }
        let mut why = String::new();
        for (program, arguments) in candidates {
            match version(program, arguments) {
                Ok(version) => {
                    let command = SolverCommand {
                        name: version,
                        program: program.to_owned(),
                        arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
                    };
                    // A trial query shows that it works.
                    let yes = crate::term::bit(true);
                    match Solver::new(&command).ask(&[yes], Duration::from_secs(20)) {
                        Ok(Satisfiability::Sat(_)) => return Ok(command),
                        Ok(other) => why = format!("{other:?}"),
                        Err(error) => why = error.to_string(),
                    }
                }
                Err(error) => why = error,
            }
        }
        Err(SolverError::Missing(name.to_owned(), why))
    }
}

/// Version line of a program.
fn version(program: &str, arguments: &[&str]) -> Result<String, String> {
    let mut command = Command::new(program);
    if program == "python3" {
        command.args(arguments);
    }
    let output = command.arg("--version").stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next().unwrap_or_default().trim().to_owned();
    match output.status.success() && !line.is_empty() {
        true => Ok(line),
        false => {
            let text = String::from_utf8_lossy(&output.stderr);
            Err(text.lines().last().unwrap_or("it says nothing").to_owned())
        }
    }
}

/// Solver whose process is started by the first query.
pub struct Solver {
    command: SolverCommand,
    process: Option<Process>,
}

struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // The solver may still work on a query whose time is over.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Solver {
    /// A solver that is not started yet.
    pub fn new(command: &SolverCommand) -> Solver {
        Solver {
            command: command.clone(),
            process: None,
        }
    }

    /// Asks if terms of one bit each can all be 1.
    pub fn ask(&mut self, terms: &[Term], limit: Duration) -> SolverResult {
        self.answer(&Script::new(terms), limit)
    }

    /// Runs a script, within a time limit.
    pub fn answer(&mut self, script: &Script, limit: Duration) -> SolverResult {
        let text = script.text();
        let answer = match self.output(text, limit)? {
            None => return Ok(Satisfiability::Unknown),
            Some(answer) => answer,
        };
        match answer.trim() {
            "unsat" => Ok(Satisfiability::Unsat),
            "unknown" => Ok(Satisfiability::Unknown),
            "sat" if script.variables().is_empty() => Ok(Satisfiability::Sat(BTreeMap::new())),
            "sat" => {
                // Ask again from the start: values can be requested only after `sat`.
                let names = script.variables();
                let text = format!(
                    "(set-option :produce-models true)\n{text}(get-value ({}))\n",
                    names.join(" ")
                );
                // The second run may reach the time limit.
                let Some(answer) = self.output(&text, limit)? else {
                    return Ok(Satisfiability::Unknown);
                };
                values(&answer, &names)
                    .map(Satisfiability::Sat)
                    .ok_or(SolverError::Failed(answer))
            }
            other => Err(SolverError::Failed(other.to_owned())),
        }
    }

    /// Output of the solver for a text; `None` if the time limit is reached.
    fn output(&mut self, text: &str, limit: Duration) -> Result<Option<String>, SolverError> {
        let failed = |error: std::io::Error| SolverError::Failed(error.to_string());
        let mut process = match self.process.take() {
            Some(process) => process,
            None => start(&self.command).map_err(failed)?,
        };
        // The write of a long text waits for the solver, which may wait for a reader of its output. A thread reads
        // that output, so the write always ends; it fails if the solver ends.
        let written = write!(process.input, "(reset)\n{text}(echo \"{END}\")\n");
        written
            .and_then(|()| process.input.flush())
            .map_err(failed)?;
        let mut answer = String::new();
        let end = std::time::Instant::now() + limit;
        loop {
            let left = end.saturating_duration_since(std::time::Instant::now());
            match process.lines.recv_timeout(left) {
                Ok(line) if line.trim().trim_matches('"') == END => {
                    self.process = Some(process);
                    return Ok(Some(answer));
                }
                Ok(line) => answer = answer + &line + "\n",
                // The process is dropped, and so killed.
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(SolverError::Failed(format!("the process ended; {answer}")));
                }
            }
        }
    }
}

fn start(command: &SolverCommand) -> std::io::Result<Process> {
    let mut child = Command::new(&command.program)
        .args(&command.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let input = child.stdin.take().expect("it is piped");
    let output = BufReader::new(child.stdout.take().expect("it is piped"));
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    Ok(Process {
        child,
        input,
        lines,
    })
}

/// Parses `((NAME #xVALUE) …)`; `None` if a name is missing.
fn values(answer: &str, names: &[&str]) -> Option<BTreeMap<String, Wide>> {
    let text = answer.replace(['(', ')'], " ");
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut values = BTreeMap::new();
    for pair in words.chunks(2) {
        let [name, value] = pair else {
            return None;
        };
        let (digits, radix) = match value.split_at_checked(2)? {
            ("#x", digits) => (digits, 4),
            ("#b", digits) => (digits, 1),
            _ => return None,
        };
        let mut number = Wide::ZERO;
        for digit in digits.chars() {
            let digit = Wide::new(digit.to_digit(16)?.into());
            number = number.shifted_left(radix) | digit;
        }
        values.insert((*name).to_owned(), number);
    }
    names
        .iter()
        .all(|name| values.contains_key(*name))
        .then_some(values)
}
