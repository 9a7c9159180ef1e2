//! The report of a training from scratch, in Markdown that can be read as it is.

use std::collections::BTreeMap;
use std::time::Duration;

use super::score::Measured;
use super::steps::Step;
use crate::output::clock;

/// What a training from scratch came to.
pub(super) struct Report<'a> {
    /// Its settings.
    pub(super) about: String,
    pub(super) time: Duration,
    pub(super) steps: &'a [Step],
    /// The errors of each weights.
    pub(super) measured: &'a [Measured],
    /// How the games between the rounds ended.
    pub(super) games: &'a str,
}

impl Report<'_> {
    /// The whole report.
    pub(super) fn text(&self) -> String {
        let steps: Vec<String> = self.steps.iter().map(Step::told).collect();
        format!(
            "# An evaluation from scratch\n\n\
             Made by `outflank train demo`, version {}: {}; {} in all.\n\n\
             ## What was done\n\n\
             In this folder, by these commands. Each can be repeated: in another folder with the same \
             files it makes the same ones to the bit.\n\n\
             {}\n\
             ## How good it is\n\n\
             The mean amount of the error in discs of the static value, by number of empty squares, on \
             the positions of held-out.records. With more than 18 empty squares that is the distance \
             from a search, not from the truth, and flatters the weights that were searched with.\n\n\
             {}\n\n\
             ![errors](errors.svg)\n\n\
             Games, round 2 being A and round 1 being B: {}.\n\n\
             ## At a larger size\n\n\
             `outflank train demo FOLDER --games N` does all of this with N games a round; what takes \
             the time grows with it. By hand, raise `--games` and `--exact`, search deeper (`--depth`, \
             `--play-depth`), leave out `--iterations` of linear weights, and add rounds as long as the error \
             falls: the weights of one play and search for the next. Games of strong players (`--from \
             WTH_*.wtb`) make better positions than the first round here. docs/lab/network.md has the \
             recipe of the weights that are built in.\n",
            env!("CARGO_PKG_VERSION"),
            self.about,
            clock(self.time),
            steps.join("\n"),
            self.errors(),
            self.games,
        )
    }

    /// The mean amounts of the errors, a row for each number of empty squares, a column for each
    /// weights.
    pub(super) fn errors(&self) -> String {
        let names: Vec<String> = self.measured.iter().map(Measured::name).collect();
        let mut rows: BTreeMap<u32, (u64, Vec<f64>)> = BTreeMap::new();
        for (empties, row) in self.measured.iter().flat_map(|one| one.scores.rows()) {
            let (positions, errors) = rows.entry(empties).or_default();
            *positions = row.positions;
            errors.push(row.mae);
        }
        let all: Vec<_> = self
            .measured
            .iter()
            .filter_map(|one| one.scores.all())
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

/// What is below the names of columns, whose numbers stand at the right.
fn rule(names: &[String]) -> String {
    let column = |name: &String| format!("{}:|", "-".repeat(name.len() + 1));
    names.iter().map(column).collect()
}
