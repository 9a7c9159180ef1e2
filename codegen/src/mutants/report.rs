//! Results of all mutants, as a table and as JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::judge::Verdict;
use super::mutation::MutationKind;

/// Results of all mutants.
pub struct Report {
    /// Seed of the choice of mutations.
    pub seed: u64,
    /// Elapsed time in seconds.
    pub seconds: f64,
    /// Results of each template.
    pub rows: Vec<TemplateResults>,
}

/// Results of a template's mutants.
pub struct TemplateResults {
    /// Name of the template.
    pub template: String,
    /// File of the template.
    pub path: PathBuf,
    /// Mutants that were judged.
    pub mutants: Vec<JudgedMutant>,
    /// Number of mutations that do not compile.
    pub uncompiled: usize,
    /// Number of mutations that were skipped as equivalent.
    pub equivalent: usize,
}

/// Mutant with its verdict.
pub struct JudgedMutant {
    /// Mutation operator.
    pub kind: MutationKind,
    /// Function, table or macro that is changed.
    pub item: String,
    /// First changed line of the template, from 1.
    pub line: usize,
    /// Changed lines before and after the mutation.
    pub lines: [String; 2],
    /// Verdict on the mutant.
    pub verdict: Verdict,
}

impl JudgedMutant {
    /// Returns `true` unless the mutant survives.
    pub fn is_killed(&self) -> bool {
        self.verdict != Verdict::Survives
    }
}

impl TemplateResults {
    /// Results without mutants.
    pub(super) fn new(template: &str, path: &Path) -> TemplateResults {
        TemplateResults {
            template: template.to_owned(),
            path: path.to_owned(),
            mutants: Vec::new(),
            uncompiled: 0,
            equivalent: 0,
        }
    }

    /// Numbers of mutants, of killed ones, and of mutations that do not compile or are equivalent.
    fn counts(&self) -> [usize; 4] {
        let killed = self.mutants.iter().filter(|mutant| mutant.is_killed());
        [
            self.mutants.len(),
            killed.count(),
            self.uncompiled,
            self.equivalent,
        ]
    }
}

impl Report {
    /// Surviving mutants, with their templates.
    pub fn survivors(&self) -> impl Iterator<Item = (&TemplateResults, &JudgedMutant)> {
        self.rows.iter().flat_map(|row| {
            let survivors = row.mutants.iter().filter(|mutant| !mutant.is_killed());
            survivors.map(move |mutant| (row, mutant))
        })
    }

    /// Returns `true` if there are mutants and all are killed.
    pub fn is_good(&self) -> bool {
        self.survivors().next().is_none() && self.rows.iter().any(|row| !row.mutants.is_empty())
    }

    /// Sums of the counts of all templates.
    fn totals(&self) -> [usize; 4] {
        let counts = self.rows.iter().map(TemplateResults::counts);
        counts.fold([0; 4], |sums, counts| {
            std::array::from_fn(|i| sums[i] + counts[i])
        })
    }

    /// JSON object with totals, templates and all mutants.
    pub fn json(&self) -> Value {
        let mutant = |mutant: &JudgedMutant| {
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
                "killed": row.counts()[1],
                "uncompiled": row.uncompiled,
                "equivalent": row.equivalent,
                "mutants": row.mutants.iter().map(mutant).collect::<Vec<_>>(),
            })
        });
        let [mutants, killed, uncompiled, equivalent] = self.totals();
        json!({
            "seed": self.seed,
            "seconds": self.seconds,
            "mutants": mutants,
            "killed": killed,
            "uncompiled": uncompiled,
            "equivalent": equivalent,
            "templates": rows.collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.rows.iter().map(|row| row.template.len());
        let width = names.max().unwrap_or(0).max("template".len());
        let mut line = |name: &str, [mutants, killed, uncompiled, equivalent]: [String; 4]| {
            writeln!(
                f,
                "{name:<width$}  {mutants:>7}  {killed:>6}  {uncompiled:>10}  {equivalent:>10}"
            )
        };
        let head = ["mutants", "killed", "uncompiled", "equivalent"];
        line("template", head.map(str::to_owned))?;
        let rows = self.rows.iter().map(|row| (&*row.template, row.counts()));
        for (name, counts) in rows.chain([("all", self.totals())]) {
            line(name, counts.map(|count| count.to_string()))?;
        }
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
                "\n{path}:{line}: survives ({}, in {})",
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
        let mut row = TemplateResults::new("flip", Path::new("templates/flip.rs.j2"));
        (row.uncompiled, row.equivalent) = (4, 5);
        row.mutants = verdicts
            .iter()
            .map(|verdict| JudgedMutant {
                kind: MutationKind::Operator,
                item: "carry".into(),
                line: 7,
                lines: ["a & b".into(), "a | b".into()],
                verdict: verdict.clone(),
            })
            .collect();
        let rows = vec![
            row,
            TemplateResults::new("mobility", Path::new("templates/mobility.rs.j2")),
        ];
        Report {
            seed: 3,
            seconds: 2.0,
            rows,
        }
    }

    #[test]
    fn survivor_is_shown_and_fails_the_report() {
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
        assert!(!table.contains("survives ("), "{table}");

        let bad = report(&[&killed[..], &[Survives]].concat());
        assert!(!bad.is_good());
        let shown = "templates/flip.rs.j2:7: survives (operator, in carry)\n- a & b\n+ a | b\n";
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

        assert!(!report(&[]).is_good(), "no mutant at all");
    }
}
