//! A solver in a process of its own: terms go there as text, answers come back.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use crate::term::{Script, Term, Wide};

/// What speaks SMT-LIB for Bitwuzla's Python package, which brings no program: it answers each text up to the line
/// that asks for an end.
const BITWUZLA: &str = include_str!("bitwuzla.py");

/// The line behind a text and its answer.
const END: &str = "end-of-answer";

/// The solvers that are known, in the order in which they are tried.
const KNOWN: [&str; 3] = ["bitwuzla", "z3", "cvc5"];

/// How a solver is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its name and version, as it says.
    pub name: String,
    program: String,
    arguments: Vec<String>,
}

/// Why there is no solver.
#[derive(Debug, thiserror::Error)]
pub enum SolverError {
    /// None is installed.
    #[error(
        "no solver is installed: `pip install bitwuzla` or `pip install z3-solver` (or Debian's z3), \
         or name a program by --solver"
    )]
    None,
    /// That which was asked for is not.
    #[error("the solver '{0}' does not answer: {1}")]
    Missing(String, String),
    /// It ended, or said what is no answer.
    #[error("the solver failed: {0}")]
    Failed(String),
    /// What it showed could not be kept.
    #[error("the cache of proofs cannot be written: {0}")]
    Cache(std::io::Error),
}

/// What a solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The terms cannot all be 1.
    Never,
    /// They are for these values of the variables.
    Sometimes(BTreeMap<String, Wide>),
    /// It took too long, or gave up.
    Unknown,
}

/// What a solver is asked, as text: whether terms of one bit each can all be 1.
pub struct Question {
    text: String,
    script: Script,
}

impl Question {
    /// About these terms.
    pub fn new(terms: &[Term]) -> Question {
        let script = Script::new(terms);
        let logic = script.logic();
        let text = format!("(set-logic {logic})\n{}(check-sat)\n", script.text());
        Question { text, script }
    }

    /// All that the solver is told.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Choice {
    /// The solver of that name, or program; the first that answers, if there is no name.
    pub fn find(name: Option<&str>) -> Result<Choice, SolverError> {
        let Some(name) = name else {
            return KNOWN
                .iter()
                .find_map(|name| Choice::of(name).ok())
                .ok_or(SolverError::None);
        };
        Choice::of(name)
    }

    fn of(name: &str) -> Result<Choice, SolverError> {
        let base = name.rsplit('/').next().unwrap_or(name);
        let known: &[&[&str]] = match base {
            "z3" => &[&["-in", "-smt2"]],
            "cvc5" => &[&["--incremental", "--lang=smt2"]],
            _ => &[&[]],
        };
        let mut candidates: Vec<(String, Vec<String>)> = known
            .iter()
            .map(|words| {
                (
                    name.to_owned(),
                    words.iter().map(|&word| word.to_owned()).collect(),
                )
            })
            .collect();
        if name == "bitwuzla" {
            let script = vec!["-c".to_owned(), BITWUZLA.to_owned()];
            candidates.push(("python3".to_owned(), script));
        }
        let mut why = String::new();
        for (program, arguments) in candidates {
            match version(&program, &arguments) {
                Ok(version) => {
                    let choice = Choice {
                        name: version,
                        program,
                        arguments,
                    };
                    // It has to answer before anything is built on it.
                    let yes = crate::term::bit(true);
                    match Solver::new(&choice).ask(&[yes], Duration::from_secs(20)) {
                        Ok(Verdict::Sometimes(_)) => return Ok(choice),
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

/// What a program says of itself.
fn version(program: &str, arguments: &[String]) -> Result<String, String> {
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

/// A solver that runs, or will when it is asked.
pub struct Solver {
    choice: Choice,
    process: Option<Process>,
}

struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may be at work on what nobody waits for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Solver {
    /// One that is started when it is first asked.
    pub fn new(choice: &Choice) -> Solver {
        Solver {
            choice: choice.clone(),
            process: None,
        }
    }

    /// Whether the terms, of one bit each, can all be 1.
    pub fn ask(&mut self, terms: &[Term], limit: Duration) -> Result<Verdict, SolverError> {
        self.answer(&Question::new(terms), limit)
    }

    /// Its answer to a question.
    pub fn answer(
        &mut self,
        Question { text, script }: &Question,
        limit: Duration,
    ) -> Result<Verdict, SolverError> {
        let answer = match self.said(text, limit)? {
            None => return Ok(Verdict::Unknown),
            Some(answer) => answer,
        };
        match answer.trim() {
            "unsat" => Ok(Verdict::Never),
            "unknown" => Ok(Verdict::Unknown),
            "sat" if script.variables().is_empty() => Ok(Verdict::Sometimes(BTreeMap::new())),
            "sat" => {
                // From the beginning: only the answer before says that there are values to ask for.
                let names: Vec<&str> = script.variables().keys().map(|name| &**name).collect();
                let text = format!(
                    "(set-option :produce-models true)\n{text}(get-value ({}))\n",
                    names.join(" ")
                );
                let answer = self.said(&text, limit)?.unwrap_or_default();
                values(&answer, &names)
                    .map(Verdict::Sometimes)
                    .ok_or(SolverError::Failed(answer))
            }
            other => Err(SolverError::Failed(other.to_owned())),
        }
    }

    /// What the solver says to a text; `None` if that takes too long.
    fn said(&mut self, text: &str, limit: Duration) -> Result<Option<String>, SolverError> {
        let failed = |error: std::io::Error| SolverError::Failed(error.to_string());
        let mut process = match self.process.take() {
            Some(process) => process,
            None => start(&self.choice).map_err(failed)?,
        };
        // A text as long as the pipe's buffer would wait for the solver, and that for whoever reads its answer:
        // a thread does, so writing always comes to its end, or fails with the solver.
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
                // Dropped, it is ended.
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(SolverError::Failed(format!("it ended; {answer}")));
                }
            }
        }
    }
}

fn start(choice: &Choice) -> std::io::Result<Process> {
    let mut child = Command::new(&choice.program)
        .args(&choice.arguments)
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

/// Reads `((NAME #xVALUE) …)`.
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
