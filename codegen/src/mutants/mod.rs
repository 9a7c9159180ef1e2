//! Does the differential suite notice a broken kernel? Every template is broken in many small ways,
//! one at a time, and the suite must find a difference in each.
//!
//! This is mutation testing (DeMillo, Lipton and Sayward, "Hints on test data selection", 1978) made
//! cheap for templates: a mutant is one more kernel. The template's text with one mutation becomes a
//! template of another name, so one build holds a hundred mutants beside the whole kernels; what a
//! mutant calls of other kernels is whole, and what it answers is compared with the reference of the
//! kernel that it was. The suite is that of `outflank_checker`, as in the checker's own tests.
//!
//! - `finder`: what can be broken in a text; `choose`: in which order that is tried.
//! - `workspace`: the copy of the repository where mutants are built; `judge`: what the suite says.
//! - `equivalent`: the mutations that change no answer, by `codegen/equivalent-mutants.txt`.

mod broken;
mod choose;
mod constant;
mod copy;
mod equivalent;
mod exchange;
mod finder;
mod judge;
mod mutation;
mod random;
mod report;
mod workspace;

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::emit;
use crate::geometry::{self, Geometry};
use crate::template::Template;

use broken::{Broken, Mutant};
pub use judge::Verdict;
use judge::{judge, judge_all};
pub use mutation::Kind;
pub use report::{Judged, Report, Row};
use workspace::{Workspace, suffix};

/// The most mutants in one build: with more, the compiler's memory is felt.
const BATCH: usize = 320;

/// What can go wrong; each is one line that says where, but for what the compiler says.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What the generator says.
    #[error(transparent)]
    Generator(#[from] crate::Error),
    /// A file or folder cannot be read or written, or a program not be run.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The list of equivalent mutants is not what it should be.
    #[error("{}:{line}: {message}", path.display())]
    List {
        /// The list.
        path: PathBuf,
        /// The line in it.
        line: usize,
        /// Why.
        message: &'static str,
    },
    /// No template has the name.
    #[error("no template is named '{name}' (possible: {})", possible.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// The templates.
        possible: Vec<String>,
    },
    /// A template is not a stream of tokens.
    #[error("the template {template} cannot be taken apart: {message}")]
    Tokens {
        /// Which.
        template: String,
        /// Why.
        message: String,
    },
    /// The build fails, and not for a mutation.
    #[error("the copy of the kernels does not build: {message}")]
    Build {
        /// What cargo or the compiler said.
        message: String,
    },
    /// The kernels are wrong before anything is broken.
    #[error("the suite finds a difference before anything is broken: {message}")]
    Suite {
        /// What it says.
        message: String,
    },
}

/// What to check.
pub struct Request {
    /// The repository.
    pub root: PathBuf,
    /// Where the copy and its build folder are kept.
    pub work: PathBuf,
    /// What the choice of mutations depends on.
    pub seed: u64,
    /// How many mutants of each template must be noticed.
    pub per_template: usize,
    /// Only the template of this name.
    pub kernel: Option<String>,
    /// Who judges.
    pub judge: Judge,
}

/// Who judges mutants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judge {
    /// The differential suite, which must find a difference.
    Suite,
    /// The prover, which must not prove one.
    Prover,
}

/// Breaks the templates and has every mutant judged; `progress` is told what is done, a line at a time.
pub fn run(request: &Request, progress: &dyn Fn(&str)) -> Result<Report, Error> {
    let start = Instant::now();
    let kernels = request.root.join("kernels/src");
    let geometries = Geometry::read_all(&geometry::folder(&kernels))?;
    let templates = Template::read_all(&request.root.join("codegen/templates"), &geometries)?;
    let mut broken = Broken::all(&templates, request)?;

    let workspace = Workspace::new(&request.root, &request.work, request.judge)?;
    let reference = request.root.join("checker/src/reference.rs");
    let references = std::fs::read_to_string(&reference).map_err(|source| Error::File {
        path: reference,
        source,
    })?;
    let generate = |mutants: &[Mutant]| -> Result<_, Error> {
        let mutated = mutants.iter().flat_map(|mutant| mutant.templates.iter());
        let all: Vec<Template> = templates.iter().chain(mutated).cloned().collect();
        let references = broken::with_references(&references, mutants)?;
        Ok((emit::files(&all, &references, &geometries)?, references))
    };

    let mut number = 0;
    let mut levels = Vec::new();
    loop {
        let mut mutants: Vec<Mutant> = Vec::new();
        for (of, one) in broken.iter_mut().enumerate() {
            let room = BATCH - mutants.len();
            mutants.extend(one.next_mutants(of, room, &mut number));
        }
        if mutants.is_empty() {
            break;
        }
        progress(&format!("building {} mutants", mutants.len()));
        let (files, text) = generate(&mutants)?;
        let (program, uncompiled) = workspace.build(files, &text)?;
        if levels.is_empty() {
            levels = match request.judge {
                Judge::Suite => check_whole(&program)?,
                // Code need not run to be proved.
                Judge::Prover => levels_of(&program)?,
            };
        }
        mutants.retain(|mutant| {
            let compiles = !uncompiled.contains(&mutant.number);
            if !compiles {
                broken[mutant.of].uncompiled(&mutant.mutation);
            }
            // What is broken only at levels that this CPU lacks, nobody can notice here.
            compiles
                && levels
                    .iter()
                    .any(|isa| mutant.levels.contains(&isa.as_str()))
        });
        progress(&format!("checking {}", mutants.len()));
        let suffixes = mutants.iter().map(|mutant| suffix(mutant.number));
        let verdicts = judge_all(&program, &suffixes.collect::<Vec<_>>())?;
        for (mutant, verdict) in mutants.into_iter().zip(verdicts) {
            broken[mutant.of].judged(mutant, verdict);
        }
    }
    Ok(Report {
        seed: request.seed,
        seconds: start.elapsed().as_secs_f64(),
        rows: broken.into_iter().map(|one| one.row).collect(),
    })
}

/// Sees that the suite finds nothing in the whole kernels; the names of the levels of this CPU.
fn check_whole(program: &Path) -> Result<Vec<String>, Error> {
    let (verdict, printed) = judge(program, "suite")?;
    if verdict != Verdict::Survives {
        let message = format!("{} {printed}", verdict.name());
        return Err(Error::Suite { message });
    }
    levels_of(program)
}

/// The names of the levels that a program judges.
fn levels_of(program: &Path) -> Result<Vec<String>, Error> {
    let (_, levels) = judge(program, "levels")?;
    Ok(levels.lines().map(str::to_owned).collect())
}
