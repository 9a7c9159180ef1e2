//! Selection of kernels, algorithms, levels and core.

use crate::registry::{CheckerEntry, entries, kernels};
use clap::Args;
use outflank_kernels::Isa;
use outflank_kernels::IsaError;

use outflank_console::number_options::{ANY_U64, whole};

#[derive(Args, Clone)]
pub(super) struct Selection {
    /// Kernel to run, or KERNEL.ALGORITHM; * matches any characters, ? one [default: all]
    #[arg(long, value_name = "NAME")]
    pub(super) kernel: Option<String>,

    #[arg(long, value_name = "ISA", help = isa_help(" [default: all levels of this CPU]"))]
    pub(super) isa: Option<String>,

    /// Core of the CPU to run on, counted from 0 [default: chosen by the system]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(ANY_U64))]
    pub(super) cpu: Option<usize>,
}

/// Names of all levels of this architecture.
pub fn isa_names() -> String {
    let names = Isa::ALL.iter().map(|isa| isa.name()).collect::<Vec<_>>();
    names.join(", ")
}

/// Help of `--isa`. `default` follows the names of the levels.
pub fn isa_help(default: &str) -> String {
    format!("Only this instruction-set level: {}{default}", isa_names())
}

/// Error of a selection that no kernel, level or core matches.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages describe the variants")]
#[non_exhaustive]
pub enum SelectionError {
    #[error(transparent)]
    Isa(#[from] IsaError),
    #[error("no kernel matches '{pattern}' (possible: {possible})")]
    Kernel { pattern: String, possible: String },
    #[error("{kernel} has no algorithm that matches '{pattern}' (possible: {possible})")]
    Algorithm {
        kernel: &'static str,
        pattern: String,
        possible: String,
    },
    #[error("{pattern} exists only at {levels}, which this CPU lacks")]
    UnsupportedLevels { pattern: String, levels: String },
    #[error("{pattern} does not exist at {isa} (possible: {possible})")]
    NotAtLevel {
        pattern: String,
        isa: Isa,
        possible: String,
    },
    #[error("there is no core {wanted} (possible: {possible})")]
    Core { wanted: usize, possible: String },
    #[error("cannot run on core {0}: the system refuses")]
    Refused(usize),
}

impl Selection {
    /// The selected entries that the CPU can run; at least one.
    pub(super) fn entries(&self) -> Result<Vec<&'static CheckerEntry>, SelectionError> {
        let pattern = self.kernel.as_deref().unwrap_or("*");
        let named = matching(pattern, Isa::available())?;
        let Some(isa) = &self.isa else {
            return Ok(named);
        };
        let isa: Isa = isa.parse()?;
        isa.token()?;
        at_level(pattern, isa, named)
    }
}

/// Pins this thread to a core, if one is wanted.
pub(super) fn pin(wanted: Option<usize>) -> Result<(), SelectionError> {
    let Some(wanted) = wanted else {
        return Ok(());
    };
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    let Some(&core) = cores.iter().find(|core| core.id == wanted) else {
        let numbers: Vec<String> = cores.iter().map(|core| core.id.to_string()).collect();
        return Err(SelectionError::Core {
            wanted,
            possible: joined(numbers.iter().map(String::as_str)),
        });
    };
    match core_affinity::set_for_current(core) {
        true => Ok(()),
        false => Err(SelectionError::Refused(wanted)),
    }
}

/// The entries at `available` levels that match a pattern; at least one.
fn matching(
    pattern: &str,
    available: &[Isa],
) -> Result<Vec<&'static CheckerEntry>, SelectionError> {
    let matches = |entry: &&CheckerEntry| matches_entry(pattern, entry);
    let (runnable, unsupported): (Vec<_>, Vec<_>) = entries()
        .filter(matches)
        .partition(|entry| available.contains(&entry.isa));
    match (runnable.is_empty(), unsupported.is_empty()) {
        (true, true) => Err(no_match(pattern)),
        (true, false) => Err(SelectionError::UnsupportedLevels {
            pattern: pattern.to_owned(),
            levels: joined(unsupported.iter().map(|entry| entry.isa.name())),
        }),
        _ => Ok(runnable),
    }
}

/// The entries that match any of the patterns, also at levels that the CPU lacks; at least one. Each pattern must match an
/// entry.
pub fn at_any_level(
    patterns: &[String],
    isa: Option<&str>,
) -> Result<Vec<&'static CheckerEntry>, SelectionError> {
    for pattern in patterns {
        matching(pattern, Isa::ALL)?;
    }
    let is_named = |entry: &&CheckerEntry| {
        let mut patterns = patterns.iter();
        patterns.any(|pattern| matches_entry(pattern, entry))
    };
    let named: Vec<_> = entries().filter(is_named).collect();
    match isa {
        Some(isa) => at_level(&patterns.join(" "), isa.parse()?, named),
        None => Ok(named),
    }
}

/// The `named` entries at a level; at least one.
fn at_level(
    pattern: &str,
    isa: Isa,
    named: Vec<&'static CheckerEntry>,
) -> Result<Vec<&'static CheckerEntry>, SelectionError> {
    let at_level = named.iter().copied().filter(|entry| entry.isa == isa);
    let at_level: Vec<_> = at_level.collect();
    match at_level.is_empty() {
        true => Err(SelectionError::NotAtLevel {
            pattern: pattern.to_owned(),
            isa,
            possible: joined(named.iter().map(|entry| entry.isa.name())),
        }),
        false => Ok(at_level),
    }
}

/// Returns `true` if a pattern for a kernel, or for `KERNEL.ALGORITHM`, matches the entry.
pub(super) fn matches_entry(pattern: &str, entry: &CheckerEntry) -> bool {
    match pattern.split_once('.') {
        None => matches(pattern, entry.kernel),
        Some((kernel, algorithm)) => {
            matches(kernel, entry.kernel) && matches(algorithm, entry.algorithm)
        }
    }
}

/// Returns `true` if `pattern` matches the whole text. `*` stands for any characters, `?` for one.
fn matches(pattern: &str, text: &str) -> bool {
    let (Some(first), rest) = split_first(pattern) else {
        return text.is_empty();
    };
    match first {
        '*' => {
            let ends = text.char_indices().map(|(i, _)| i).chain([text.len()]);
            ends.into_iter().any(|i| matches(rest, &text[i..]))
        }
        _ => {
            let (next, left) = split_first(text);
            next.is_some_and(|next| first == '?' || first == next) && matches(rest, left)
        }
    }
}

fn split_first(text: &str) -> (Option<char>, &str) {
    let mut letters = text.chars();
    (letters.next(), letters.as_str())
}

/// Error of a pattern that matches nothing, with the possible names.
pub(super) fn no_match(pattern: &str) -> SelectionError {
    let (kernel, algorithm) = pattern.split_once('.').unwrap_or((pattern, "*"));
    let mut matching = kernels().iter().filter(|known| matches(kernel, known.name));
    match (matching.next(), matching.next()) {
        (Some(known), None) => SelectionError::Algorithm {
            kernel: known.name,
            pattern: algorithm.to_owned(),
            possible: joined(
                entries()
                    .filter(|entry| entry.kernel == known.name)
                    .map(|entry| entry.algorithm),
            ),
        },
        _ => SelectionError::Kernel {
            pattern: pattern.to_owned(),
            possible: joined(kernels().iter().map(|kernel| kernel.name)),
        },
    }
}

/// Joins names with commas, each once, in the order of their first appearance.
pub fn joined<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut different: Vec<&str> = Vec::new();
    for name in names {
        if !different.contains(&name) {
            different.push(name);
        }
    }
    different.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::runnable;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, text, expected) in [
            ("flip", "flip", true),
            ("flip", "flips", false),
            ("flip", "fli", false),
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("*", "anything", true),
            ("?", "", false),
            ("?", "a", true),
            ("f?ip", "flip", true),
            ("*_count", "last_flip_count", true),
            ("last*", "last_flip_count", true),
            ("l*_*t", "last_flip_count", true),
            ("l*x*t", "last_flip_count", false),
            ("**p?", "flip", false),
            ("*l*", "flip", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn entries_of_other_cpus_are_reported() {
        for entry in entries() {
            let name = format!("{}.{}", entry.kernel, entry.algorithm);
            let named = entries().filter(|entry| matches_entry(&name, entry));
            let levels: Vec<Isa> = named.map(|entry| entry.isa).collect();
            let others = Isa::ALL.iter().copied();
            let others: Vec<Isa> = others.filter(|isa| !levels.contains(isa)).collect();
            let error = matching(&name, &others).expect_err("an error").to_string();
            let levels_text = joined(levels.iter().map(|isa| isa.name()));
            let expected = format!("{name} exists only at {levels_text}, which this CPU lacks");
            assert_eq!(error, expected);
            let found = matching(&name, &levels).expect("the CPU has them");
            assert_eq!(found.len(), levels.len(), "{name}");
        }
    }

    #[test]
    fn selections_have_matching_entries_or_report_the_possible_names() {
        let select = |kernel: &str, isa: Option<&str>| {
            let selection = Selection {
                kernel: Some(kernel.to_owned()),
                isa: isa.map(str::to_owned),
                cpu: None,
            };
            selection.entries()
        };
        let all = select("*", None).unwrap();
        assert_eq!(all.len(), runnable().count());
        let flips = select("flip", Some("portable")).unwrap();
        let is_flip = |entry: &&CheckerEntry| entry.kernel == "flip" && entry.isa == Isa::Portable;
        assert!(flips.iter().all(is_flip));
        for pattern in ["flip.carry", "fl?p.ca*", "*lip.*ry"] {
            let carries = select(pattern, None).unwrap();
            assert_eq!(carries.len(), Isa::available().len(), "{pattern}");
        }
        let no_algorithm = "flip has no algorithm that matches 'nothing' (possible: ";
        let no_level = "unknown instruction-set level 'v9' (possible here: portable";
        for (pattern, isa, message) in [
            (
                "nothing",
                None,
                "no kernel matches 'nothing' (possible: board_hash, ",
            ),
            ("*x*y*", None, "no kernel matches '*x*y*'"),
            ("flip.nothing", None, no_algorithm),
            ("last*.x", None, "no kernel matches 'last*.x'"),
            ("flip", Some("v9"), no_level),
        ] {
            let error = select(pattern, isa).expect_err("an error").to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
