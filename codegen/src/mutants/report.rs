//! The results of all mutants, as a table and as JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::judge::Verdict;
use super::mutation::Kind;

/// The results of all mutants.
pub struct Report {
    /// What the choice depended on.
    pub seed: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// A row for each template.
    pub rows: Vec<Row>,
}

/// The results of a template's mutants.
pub struct Row {
    /// The template's name.
    pub template: String,
    /// Its file.
    pub path: PathBuf,
    /// Those that the suite was run on.
    pub mutants: Vec<Judged>,
    /// How many mutations do not compile.
    pub uncompiled: usize,
    /// How many mutations were passed over because they change no answer.
    pub equivalent: usize,
}

/// A mutant, and what the suite made of it.
pub struct Judged {
    /// What the mutation does.
    pub kind: Kind,
    /// The function, table or macro that it is in.
    pub item: String,
    /// The line of the template.
    pub line: usize,
    /// The line as it is, and as it was made.
    pub lines: [String; 2],
    /// What the suite made of it.
    pub verdict: Verdict,
}

impl Judged {
    /// Whether the suite noticed.
    pub fn is_killed(&self) -> bool {
        self.verdict != Verdict::Survives
    }
}

impl Row {
    /// A template without mutants.
    pub(super) fn new(template: &str, path: &Path) -> Row {
        Row {
            template: template.to_owned(),
            path: path.to_owned(),
            mutants: Vec::new(),
            uncompiled: 0,
            equivalent: 0,
        }
    }

    /// How many mutants the suite noticed.
    pub fn killed(&self) -> usize {
        self.mutants
            .iter()
            .filter(|mutant| mutant.is_killed())
            .count()
    }
}

impl Report {
    /// The mutants that the suite did not notice, with their templates.
    pub fn survivors(&self) -> impl Iterator<Item = (&Row, &Judged)> {
        self.rows.iter().flat_map(|row| {
            let survivors = row.mutants.iter().filter(|mutant| !mutant.is_killed());
            survivors.map(move |mutant| (row, mutant))
        })
    }

    /// Whether there are mutants, and the suite noticed all.
    pub fn is_good(&self) -> bool {
        self.survivors().next().is_none() && self.rows.iter().any(|row| !row.mutants.is_empty())
    }

    fn sum(&self, of: impl Fn(&Row) -> usize) -> usize {
        self.rows.iter().map(of).sum()
    }

    /// Everything, every mutant included.
    pub fn json(&self) -> Value {
        let mutant = |mutant: &Judged| {
            let [before, after] = &mutant.lines;
            json!({
                "kind": mutant.kind.name(),
                "item": mutant.item,
                "line": mutant.line,
                "before": before,
                "after": after,
                "verdict": mutant.verdict.name(),
                "difference": match &mutant.verdict {
                    Verdict::Differs(why) | Verdict::Unproved(why) => Some(why),
                    _ => None,
                },
            })
        };
        let rows = self.rows.iter().map(|row| {
            json!({
                "template": row.template,
                "killed": row.killed(),
                "uncompiled": row.uncompiled,
                "equivalent": row.equivalent,
                "mutants": row.mutants.iter().map(mutant).collect::<Vec<_>>(),
            })
        });
        json!({
            "seed": self.seed,
            "seconds": self.seconds,
            "mutants": self.sum(|row| row.mutants.len()),
            "killed": self.sum(Row::killed),
            "uncompiled": self.sum(|row| row.uncompiled),
            "equivalent": self.sum(|row| row.equivalent),
            "templates": rows.collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.rows.iter().map(|row| row.template.len());
        let width = names.max().unwrap_or(0).max("template".len());
        let mut line = |name: &str, cells: [&dyn fmt::Display; 4]| {
            let [mutants, killed, uncompiled, equivalent] = cells;
            writeln!(
                f,
                "{name:<width$}  {mutants:>7}  {killed:>6}  {uncompiled:>10}  {equivalent:>10}"
            )
        };
        line(
            "template",
            [&"mutants", &"killed", &"uncompiled", &"equivalent"],
        )?;
        for row in &self.rows {
            let killed = row.killed();
            line(
                &row.template,
                [
                    &row.mutants.len(),
                    &killed,
                    &row.uncompiled,
                    &row.equivalent,
                ],
            )?;
        }
        let sums = [
            self.sum(|row| row.mutants.len()),
            self.sum(Row::killed),
            self.sum(|row| row.uncompiled),
            self.sum(|row| row.equivalent),
        ];
        line("all", [&sums[0], &sums[1], &sums[2], &sums[3]])?;
        let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
        for mutant in self.rows.iter().flat_map(|row| &row.mutants) {
            *verdicts.entry(mutant.verdict.name()).or_default() += 1;
        }
        let verdicts = verdicts
            .iter()
            .map(|(name, count)| format!("{count} {name}"));
        writeln!(f, "\n{}", verdicts.collect::<Vec<_>>().join(", "))?;
        for (row, mutant) in self.survivors() {
            let [before, after] = &mutant.lines;
            let (path, line) = (row.path.display(), mutant.line);
            writeln!(
                f,
                "\n{path}:{line}: not noticed ({}, in {})",
                mutant.kind, mutant.item
            )?;
            writeln!(f, "- {before}\n+ {after}")?;
        }
        write!(f, "\nseed {}, {:.0} s", self.seed, self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(verdicts: &[Verdict]) -> Report {
        let mut row = Row::new("flip", Path::new("templates/flip.rs.j2"));
        (row.uncompiled, row.equivalent) = (4, 5);
        row.mutants = verdicts
            .iter()
            .map(|verdict| Judged {
                kind: Kind::Operator,
                item: "carry".into(),
                line: 7,
                lines: ["a & b".into(), "a | b".into()],
                verdict: verdict.clone(),
            })
            .collect();
        let rows = vec![
            row,
            Row::new("mobility", Path::new("templates/mobility.rs.j2")),
        ];
        Report {
            seed: 3,
            seconds: 2.0,
            rows,
        }
    }

    #[test]
    fn a_survivor_is_shown_and_spoils_the_report() {
        use Verdict::{Differs, Endless, Faults, Panics, Survives, Unproved};
        let killed = [
            Differs("flip".into()),
            Panics,
            Faults,
            Endless,
            Unproved("".into()),
        ];
        let good = report(&killed);
        assert!(good.is_good());
        let table = good.to_string();
        let cells = |name: &str| {
            let line = table.lines().find(|line| line.starts_with(name)).unwrap();
            line.split_whitespace()
                .skip(1)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(cells("flip "), "5 5 4 5");
        assert_eq!(cells("mobility "), "0 0 0 0");
        assert_eq!(cells("all "), "5 5 4 5");
        assert!(!table.contains("not noticed"), "{table}");

        let bad = report(&[&killed[..], &[Survives]].concat());
        assert!(!bad.is_good());
        let shown = "templates/flip.rs.j2:7: not noticed (operator, in carry)\n- a & b\n+ a | b\n";
        assert!(bad.to_string().contains(shown), "{bad}");
        let json = bad.json();
        assert_eq!((&json["mutants"], &json["killed"]), (&6.into(), &5.into()));
        let mutants = &json["templates"][0]["mutants"];
        let verdicts: Vec<_> = (0..6)
            .map(|i| mutants[i]["verdict"].as_str().unwrap())
            .collect();
        assert_eq!(
            verdicts,
            [
                "differs", "panics", "faults", "endless", "unproved", "survives"
            ]
        );

        assert!(!report(&[]).is_good(), "nothing was shown");
    }
}
