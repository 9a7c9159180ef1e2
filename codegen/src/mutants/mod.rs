//! Mutation testing of the differential suite: it must kill every mutant of every template.
//!
//! Mutation testing (DeMillo, Lipton and Sayward, "Hints on test data selection", 1978) is cheap for templates, because
//! a mutant is one more kernel. A template's text with one mutation becomes a template of another name. So one build
//! holds hundreds of mutants beside the originals. A mutant calls the original kernels. The suite of `outflank_checker`
//! compares its answers with the reference of the original.
//!
//! - `finder` finds the mutations of a text; `trial_order` orders them.
//! - `workspace` builds mutants in a copy of the repository; `judge` runs the suite on them.
//! - `equivalent` reads the list of equivalent mutants, `codegen/equivalent-mutants.txt`.

mod constant;
pub mod copy;
mod equivalent;
mod finder;
mod judge;
mod method_exchanges;
mod mutation;
mod report;
mod template_mutants;
mod trial_order;
mod workspace;

use std::path::{Path, PathBuf};
use std::time::Instant;

use outflank_random::SplitMix64;

use crate::emit;
use crate::file_error;
use crate::geometry::{self, Geometry};
use crate::template::Template;

pub use judge::Verdict;
use judge::{judge, judge_all};
pub use mutation::MutationKind;
pub use report::{JudgedMutant, Report, TemplateResults};
use template_mutants::{Mutant, TemplateMutants};
use workspace::{Workspace, suffix};

/// Maximum number of mutants in one build: the compiler needs memory for each.
const BATCH: usize = 320;

/// Failure of a run. Each message is one line, except for messages of the compiler.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The generator fails, a file is malformed, or a file or program cannot be used.
    #[error(transparent)]
    Generator(#[from] crate::Error),
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
    /// The program that judges mutants ended with a status that is no verdict.
    #[error("the judgement of {argument} ended with {status}, which is no verdict")]
    Status {
        /// Mutant or task.
        argument: String,
        /// Status of the program.
        status: std::process::ExitStatus,
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
    let sources = request.root.join("crates/checker-core/src");
    let module = sources.join(emit::Checker::REFERENCES).join("mod.rs");
    let module = std::fs::read_to_string(&module).map_err(file_error(&module))?;
    let generate = |mutants: &[Mutant]| -> Result<_, Error> {
        let mutated = mutants.iter().flat_map(|mutant| mutant.templates.iter());
        let all: Vec<Template> = templates.iter().chain(mutated).cloned().collect();
        let mut checker = emit::Checker::read(&sources)?;
        let exports = template_mutants::add_references(&mut checker.references, mutants);
        let files = emit::files(&all, &checker, &geometries)?;
        Ok((files, format!("{module}\n{exports}")))
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
        let (files, references) = generate(&mutants)?;
        let (program, uncompiled) = workspace.build(files, &references)?;
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

/// Random generator for one of several uses of a seed. It depends only on seed and name, not on the machine.
fn seeded(seed: u64, name: &str) -> SplitMix64 {
    name.bytes()
        .fold(SplitMix64::new(seed), |mut random, byte| {
            SplitMix64::new(random.bits() ^ u64::from(byte))
        })
}

/// Runs the suite on the original kernels, which must pass. Returns the names of this CPU's levels.
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
