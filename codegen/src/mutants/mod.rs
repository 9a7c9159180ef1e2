//! Mutation testing of the differential suite: it must kill every mutant of every template.
//!
//! Mutation testing (DeMillo, Lipton and Sayward, "Hints on test data selection", 1978) is cheap for templates, because
//! a mutant is one more kernel. The text of a template with one mutation becomes a template of another name, so one
//! build holds hundreds of mutants beside the originals. A mutant calls the original kernels. Its answers are compared
//! with the reference of its original, by the suite of `outflank_checker`.
//!
//! - `finder` finds the mutations of a text; `trial_order` orders them.
//! - `workspace` builds mutants in a copy of the repository; `judge` runs the suite on them.
//! - `equivalent` reads the list of equivalent mutants, `codegen/equivalent-mutants.txt`.

mod constant;
mod copy;
mod equivalent;
mod finder;
mod judge;
mod method_exchanges;
mod mutation;
mod random;
mod report;
mod template_mutants;
mod trial_order;
mod workspace;

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::emit;
use crate::geometry::{self, Geometry};
use crate::template::Template;

use copy::file_error;
pub use judge::Verdict;
use judge::{judge, judge_all};
pub use mutation::MutationKind;
pub use report::{JudgedMutant, Report, TemplateResults};
use template_mutants::{Mutant, TemplateMutants};
use workspace::{Workspace, suffix};

/// Maximum number of mutants in one build, which limits the compiler's memory.
const BATCH: usize = 320;

/// Failure of a run; each message is one line, except for those of the compiler.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The generator fails.
    #[error(transparent)]
    Generator(#[from] crate::Error),
    /// A file or folder cannot be read or written, or a program cannot be run.
    #[error("{}: {source}", path.display())]
    File {
        /// File, folder or program.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The list of equivalent mutants has a bad entry.
    #[error("{}:{line}: {message}", path.display())]
    List {
        /// File of the list.
        path: PathBuf,
        /// Line in the list, from 1.
        line: usize,
        /// Expected contents.
        message: &'static str,
    },
    /// No template has the name.
    #[error("no template is named '{name}' (possible: {})", possible.join(", "))]
    Unknown {
        /// Requested name.
        name: String,
        /// Names of the templates.
        possible: Vec<String>,
    },
    /// A template is not a stream of tokens.
    #[error("the template {template} cannot be taken apart: {message}")]
    Tokens {
        /// Name of the template.
        template: String,
        /// Error of the tokenizer.
        message: String,
    },
    /// The build fails, and no mutation is the reason.
    #[error("the copy of the kernels does not build: {message}")]
    Build {
        /// Message of cargo or the compiler.
        message: String,
    },
    /// The suite fails on the original kernels.
    #[error("the suite finds a difference in the original kernels: {message}")]
    Suite {
        /// Verdict and output of the suite.
        message: String,
    },
}

/// Settings of a run.
pub struct Request {
    /// Root of the repository.
    pub root: PathBuf,
    /// Folder for the copy and its build folder, kept between runs.
    pub work: PathBuf,
    /// Seed of the choice of mutations.
    pub seed: u64,
    /// Number of mutants to judge of each template.
    pub per_template: usize,
    /// Name of the only template to test; `None` for all.
    pub kernel: Option<String>,
    /// Suite or prover.
    pub judge: Judge,
}

/// Method that decides if a mutant is killed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judge {
    /// The differential suite, which must find a difference in every mutant.
    Suite,
    /// The prover, which must not prove any mutant.
    Prover,
}

/// Makes mutants of the templates and judges each. `progress` receives one line for each step.
pub fn run(request: &Request, progress: &dyn Fn(&str)) -> Result<Report, Error> {
    let start = Instant::now();
    let kernels = request.root.join("kernels/src");
    let geometries = Geometry::read_all(&geometry::folder(&kernels))?;
    let templates = Template::read_all(&request.root.join("codegen/templates"), &geometries)?;
    let mut tested = TemplateMutants::all(&templates, request)?;

    let workspace = Workspace::new(&request.root, &request.work, request.judge)?;
    let checker = request.root.join("crates/checker/src");
    let reference = checker.join(emit::Checker::REFERENCES);
    let references = std::fs::read_to_string(&reference).map_err(file_error(&reference))?;
    let generate = |mutants: &[Mutant]| -> Result<_, Error> {
        let mutated = mutants.iter().flat_map(|mutant| mutant.templates.iter());
        let all: Vec<Template> = templates.iter().chain(mutated).cloned().collect();
        let references = template_mutants::with_references(&references, mutants)?;
        let mut checker = emit::Checker::read(&checker)?;
        checker.references = syn::parse_file(&references).expect("parsed and printed above");
        Ok((emit::files(&all, &checker, &geometries)?, references))
    };

    let mut number = 0;
    let mut levels = Vec::new();
    loop {
        let mut mutants: Vec<Mutant> = Vec::new();
        for (index, template) in tested.iter_mut().enumerate() {
            let room = BATCH - mutants.len();
            mutants.extend(template.next_mutants(index, room, &mut number));
        }
        if mutants.is_empty() {
            break;
        }
        progress(&format!("building {} mutants", mutants.len()));
        let (files, text) = generate(&mutants)?;
        let (program, uncompiled) = workspace.build(files, &text)?;
        if levels.is_empty() {
            levels = match request.judge {
                Judge::Suite => check_originals(&program)?,
                // Code is proved for levels that the CPU lacks, too.
                Judge::Prover => levels_of(&program)?,
            };
        }
        mutants.retain(|mutant| {
            let compiles = !uncompiled.contains(&mutant.number);
            if !compiles {
                tested[mutant.template].record_uncompiled(&mutant.mutation);
            }
            // Mutants that differ only at levels that this CPU lacks cannot be killed here.
            compiles
                && levels
                    .iter()
                    .any(|isa| mutant.levels.contains(&isa.as_str()))
        });
        progress(&format!("checking {}", mutants.len()));
        let suffixes = mutants.iter().map(|mutant| suffix(mutant.number));
        let verdicts = judge_all(&program, &suffixes.collect::<Vec<_>>())?;
        for (mutant, verdict) in mutants.into_iter().zip(verdicts) {
            tested[mutant.template].record_verdict(mutant, verdict);
        }
    }
    Ok(Report {
        seed: request.seed,
        seconds: start.elapsed().as_secs_f64(),
        rows: tested
            .into_iter()
            .map(|template| template.results)
            .collect(),
    })
}

/// Runs the suite on the original kernels, which must pass; returns the names of this CPU's levels.
fn check_originals(program: &Path) -> Result<Vec<String>, Error> {
    let (verdict, printed) = judge(program, "suite")?;
    if verdict != Verdict::Survives {
        let message = format!("{} {printed}", verdict.name());
        return Err(Error::Suite { message });
    }
    levels_of(program)
}

/// Names of the levels that a program judges.
fn levels_of(program: &Path) -> Result<Vec<String>, Error> {
    let (_, levels) = judge(program, "levels")?;
    Ok(levels.lines().map(str::to_owned).collect())
}
