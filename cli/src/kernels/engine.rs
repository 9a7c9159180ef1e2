//! `outflank kernels bench --engine`: what a way to score the last move is worth in whole solves. Only builds
//! with the feature `compare-last-move` have it.
//!
//! A kernel timed alone has the branch predictor and the caches to itself; what counts is a search. So
//! FFO #20-39 are solved with every algorithm in turn, in rounds, and the medians compared: the table
//! "board_score_sse_1 benchmark" of Okuhara's Edax AVX.

use outflank::notation::obf::{self, Problem};
use outflank::problems::FFO_20_39;
use outflank::search::{Variant, variants};
use outflank::text::counted;
use outflank::{Engine, Isa, Limits, SearchResult};
use outflank_checker::bench::Summary;
use serde::Serialize;

use super::bench::{cpu_name, now};
use crate::CommandError;
use crate::output::line;
use crate::progress::ProgressArgument;

/// As for `outflank solve`, so that the nodes are the same.
const HASH_MIB: usize = 256;

/// A variant solved a position in another way than the solver does: there is a fault in it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "position {index} with {variant} at {isa}: score {:+} by {} nodes, not {:+} by {}",
    .got.0, .got.1, .expected.0, .expected.1
)]
pub(crate) struct Disagreement {
    /// The position's number, from 1.
    index: usize,
    variant: &'static str,
    isa: Isa,
    got: (i32, u64),
    expected: (i32, u64),
}

/// A variant and what its solves took.
struct Row {
    variant: &'static Variant,
    /// Seconds for each position in each round.
    seconds: Vec<Vec<f64>>,
}

impl Row {
    /// Seconds for all positions, of each the median of the rounds: what disturbs one solve does not
    /// spoil a round.
    fn time_s(&self) -> f64 {
        let median = |rounds: &Vec<f64>| Summary::of(rounds.iter().copied()).median;
        self.seconds.iter().map(median).sum()
    }
}

#[derive(Serialize)]
struct Object {
    variant: &'static str,
    isa: &'static str,
    selected: bool,
    time_s: f64,
    ratio: f64,
    nodes: u64,
}

#[derive(Serialize)]
struct FirstLine<'a> {
    engine: Setting<'a>,
}

/// What was measured on what, and how.
#[derive(Serialize)]
struct Setting<'a> {
    cpu: &'a str,
    date: String,
    version: &'static str,
    rounds: usize,
    positions: usize,
    nodes: u64,
    hash_mib: usize,
}

/// Measures the variants of `isa`, or of all levels that the CPU has, in so many rounds, and reports;
/// the result is the exit status.
pub(super) fn run(
    isa: Option<Isa>,
    rounds: usize,
    json: bool,
    progress: &ProgressArgument,
) -> Result<u8, CommandError> {
    let levels = match &isa {
        Some(isa) => {
            isa.token()?;
            std::slice::from_ref(isa)
        }
        None => Isa::available(),
    };
    let measured: Vec<_> = levels.iter().flat_map(|&isa| variants(isa)).collect();
    let problems: Vec<_> = obf::read(FFO_20_39)
        .map(|problem| problem.expect("a test reads the file"))
        .collect();
    let progress = progress.steps(problems.len() * rounds);
    let (rows, nodes) = measure(&problems, &measured, rounds, || progress.advance())?;
    drop(progress);
    let setting = Setting {
        cpu: &cpu_name(),
        date: now(),
        version: env!("CARGO_PKG_VERSION"),
        rounds,
        positions: problems.len(),
        nodes,
        hash_mib: HASH_MIB,
    };
    let objects: Vec<_> = rows.iter().map(|row| object(row, &rows, nodes)).collect();
    if json {
        line(serde_json::to_string(&FirstLine { engine: setting }).expect("keys are strings"))?;
        for object in &objects {
            line(serde_json::to_string(object).expect("keys are strings"))?;
        }
        return Ok(0);
    }
    line(format_args!(
        "{}, FFO #20-39, a table of {HASH_MIB} MiB, median of {}",
        setting.cpu,
        counted(rounds, "round", "rounds")
    ))?;
    line("* what the level uses   < the fastest of the level")?;
    line("\nlast move              level      seconds   ratio        nodes")?;
    for object in &objects {
        line(text(object, &objects))?;
    }
    Ok(0)
}

/// Solves all problems with all variants in each round, position by position, so that whatever slows
/// the machine for a while slows all. Returns the rows and the nodes, which are the same for all.
fn measure(
    problems: &[Problem],
    measured: &[&'static Variant],
    rounds: usize,
    mut solved: impl FnMut(),
) -> Result<(Vec<Row>, u64), CommandError> {
    let mut solver = Engine::builder()
        .isa(Isa::detect())
        .hash_mib(HASH_MIB)
        .build()?;
    // What the solver answers by itself, and at the same time its table's memory used for once.
    let expected: Vec<_> = problems
        .iter()
        .map(|problem| answer(&solve(&mut solver, problem)))
        .collect();
    let row = |&variant| Row {
        variant,
        seconds: vec![Vec::with_capacity(rounds); problems.len()],
    };
    let mut rows: Vec<_> = measured.iter().map(row).collect();
    for _ in 0..rounds {
        for (i, problem) in problems.iter().enumerate() {
            for Row { variant, seconds } in &mut rows {
                solver.set_variant(variant)?;
                let solution = solve(&mut solver, problem);
                compare(i, variant, answer(&solution), expected[i])?;
                seconds[i].push(solution.time.as_secs_f64());
            }
            solved();
        }
    }
    Ok((rows, expected.iter().map(|(_, nodes)| nodes).sum()))
}

fn solve(solver: &mut Engine, problem: &Problem) -> SearchResult {
    solver.clear();
    let solution = solver.search(problem.board, &Limits::EXACT);
    solution.expect("nothing stops it, and no square of a problem is held twice")
}

/// The score and the nodes.
fn answer(solution: &SearchResult) -> (i32, u64) {
    (solution.score, solution.nodes)
}

fn compare(
    problem: usize,
    variant: &Variant,
    got: (i32, u64),
    expected: (i32, u64),
) -> Result<(), Disagreement> {
    if got == expected {
        return Ok(());
    }
    Err(Disagreement {
        index: problem + 1,
        variant: variant.name,
        isa: variant.isa,
        got,
        expected,
    })
}

/// What is reported of a row, the others being there to compare with.
fn object(row: &Row, rows: &[Row], nodes: u64) -> Object {
    let isa = row.variant.isa;
    let base = rows
        .iter()
        .find(|other| other.variant.isa == isa && other.variant.selected)
        .expect("every level uses one of its variants");
    let time_s = row.time_s();
    Object {
        variant: row.variant.name,
        isa: isa.name(),
        selected: row.variant.selected,
        time_s,
        ratio: time_s / base.time_s(),
        nodes,
    }
}

fn text(row: &Object, rows: &[Object]) -> String {
    let fastest = rows
        .iter()
        .all(|other| other.isa != row.isa || other.time_s >= row.time_s);
    format!(
        "{:<20} {} {:<9} {:>8.3} {} {:>6.3} {:>12}",
        row.variant,
        if row.selected { '*' } else { ' ' },
        row.isa,
        row.time_s,
        if fastest { '<' } else { ' ' },
        row.ratio,
        row.nodes
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Vec<Problem> {
        let problems = obf::read(FFO_20_39).map(Result::unwrap);
        problems
            .filter(|problem| problem.board.empty_count() <= 15)
            .collect()
    }

    #[test]
    fn the_problems_are_read() {
        assert_eq!(obf::read(FFO_20_39).filter(Result::is_ok).count(), 20);
        assert_eq!(obf::read(FFO_20_39).count(), 20);
    }

    #[test]
    fn every_variant_of_every_level_is_measured_in_every_round() {
        let problems = small();
        assert!(!problems.is_empty());
        let measured: Vec<_> = Isa::available()
            .iter()
            .flat_map(|&isa| variants(isa))
            .collect();
        let mut solved = 0;
        let (rows, nodes) = measure(&problems, &measured, 3, || solved += 1).unwrap();
        assert_eq!((rows.len(), solved), (measured.len(), 3 * problems.len()));
        assert!(nodes > 1000);
        let objects: Vec<_> = rows.iter().map(|row| object(row, &rows, nodes)).collect();
        for (row, object) in rows.iter().zip(&objects) {
            assert_eq!(row.seconds.len(), problems.len());
            let rounds = row.seconds.iter();
            assert!(rounds.flatten().all(|&seconds| seconds > 0.0));
            assert!(row.seconds.iter().all(|rounds| rounds.len() == 3));
            assert!(!object.selected || object.ratio == 1.0);
            assert!(text(object, &objects).starts_with(row.variant.name));
        }
    }

    #[test]
    fn another_answer_is_an_error_that_says_where() {
        let variant = &variants(Isa::Portable)[0];
        assert_eq!(compare(3, variant, (4, 100), (4, 100)), Ok(()));
        for got in [(4, 101), (2, 100)] {
            let error = compare(3, variant, got, (4, 100)).unwrap_err().to_string();
            let expected = format!(
                "position 4 with {} at portable: score {:+} by {} nodes, not +4 by 100",
                variant.name, got.0, got.1
            );
            assert_eq!(error, expected);
        }
    }
}
