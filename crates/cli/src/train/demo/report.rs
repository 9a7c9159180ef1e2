//! Markdown report of a training from scratch.

use std::collections::BTreeMap;
use std::time::Duration;

use super::score::MeasuredErrors;
use super::steps::Step;
use crate::console::clock;

/// Results of a training from scratch.
pub(super) struct Report<'a> {
    /// Settings of the run, in one line.
    pub(super) about: String,
    pub(super) time: Duration,
    pub(super) steps: &'a [Step],
    /// Errors of each set of weights.
    pub(super) measured: &'a [MeasuredErrors],
    /// Result of the duel between the rounds.
    pub(super) games: &'a str,
}

impl Report<'_> {
    /// Text of the report.
    pub(super) fn text(&self) -> String {
        let steps: Vec<String> = self.steps.iter().map(Step::markdown).collect();
        format!(
            "# An evaluation from scratch\n\n\
             Made by `outflank train demo`, version {}: {}; {} in all.\n\n\
## Steps\n\n\
In this folder, by these commands. Repeated in another folder with the same files, they make \
equal files to the bit.\n\n\
{}\n\
## Errors\n\n\
Mean absolute error of the static value in discs, by number of empty squares, on the \
positions of held-out.records. With more than 18 empty squares the labels are searches, \
which flatters the weights that searched.\n\n\
{}\n\n\
![errors](errors.svg)\n\n\
             Games, round 2 being A and round 1 being B: {}.\n\n\
## At a larger size\n\n\
`outflank train demo FOLDER --games N` does all of this with N games a round; the time is \
proportional. By hand, raise `--games` and `--exact`, search deeper (`--depth`, \
`--play-depth`), leave out `--iterations` of linear weights, and add rounds as long as the error \
falls: each round plays and searches with the weights of the one before. Games of strong players \
(`--from WTH_*.wtb`) are better than the first round here. docs/lab/evaluation.md has the recipe of \
the built-in weights.\n",
            env!("CARGO_PKG_VERSION"),
            self.about,
            clock(self.time),
            steps.join("\n"),
            self.errors(),
            self.games,
        )
    }

    /// Table of mean absolute errors: a row per number of empty squares, a column per set of weights.
    pub(super) fn errors(&self) -> String {
        let names: Vec<String> = self.measured.iter().map(MeasuredErrors::name).collect();
        let mut rows: BTreeMap<u32, (u64, Vec<f64>)> = BTreeMap::new();
        for (empties, row) in self.measured.iter().flat_map(|column| column.errors.rows()) {
            let (positions, errors) = rows.entry(empties).or_default();
            *positions = row.positions;
            errors.push(row.mae);
        }
        let all: Vec<_> = self
            .measured
            .iter()
            .filter_map(|column| column.errors.all())
            .collect();
        let mut lines = vec![
            format!("| empties | positions | {} |", names.join(" | ")),
            format!("|--------:|----------:|{}", rule(&names)),
        ];
        let mut push = |first: &str, positions: u64, errors: &mut dyn Iterator<Item = f64>| {
            let errors = errors.zip(&names);
            let cells = errors.map(|(error, name)| format!(" {error:>0$.2} |", name.len()));
            let cells: String = cells.collect();
            lines.push(format!("| {first:>7} | {positions:>9} |{cells}"));
        };
        for (empties, (positions, errors)) in rows {
            push(&empties.to_string(), positions, &mut errors.into_iter());
        }
        if let Some(first) = all.first() {
            push("all", first.positions, &mut all.iter().map(|row| row.mae));
        }
        lines.join("\n")
    }
}

/// Right-aligned column rules below the header.
fn rule(names: &[String]) -> String {
    let column = |name: &String| format!("{}:|", "-".repeat(name.len() + 1));
    names.iter().map(column).collect()
}
