//! Which kernels, algorithms and levels a command is about, and on which core it runs.

use crate::numbers::{ANY, whole};
use clap::Args;
use outflank::Isa;
use outflank::kernels::IsaError;
use outflank_checker::registry::{Entry, entries, kernels};

/// The arguments that choose.
#[derive(Args, Clone)]
pub(super) struct Selection {
    /// Only this kernel, or KERNEL.ALGORITHM; * and ? stand for any characters and for any one
    #[arg(long, value_name = "NAME")]
    pub(super) kernel: Option<String>,

    #[arg(long, value_name = "ISA", help = isa_help())]
    pub(super) isa: Option<String>,

    /// Stay on this core of the CPU, counted from 0
    #[arg(long, value_name = "N", value_parser = whole::<usize>(ANY))]
    pub(super) cpu: Option<usize>,
}

fn isa_help() -> String {
    format!(
        "Only this instruction-set level: {} [default: all that the CPU has]",
        isa_names()
    )
}

/// All levels of this architecture.
pub(super) fn isa_names() -> String {
    joined(Isa::ALL.iter().map(|isa| isa.name()))
}

/// Why nothing was selected.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SelectionError {
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
    Lacking { pattern: String, levels: String },
    #[error("{pattern} does not exist at {isa} (possible: {possible})")]
    NotAtLevel {
        pattern: String,
        isa: Isa,
        possible: String,
    },
    #[error("there is no core {wanted} to stay on (possible: {possible})")]
    Core { wanted: usize, possible: String },
    #[error("cannot stay on core {0}: the system refuses")]
    Refused(usize),
}

impl Selection {
    /// The entries that are meant, of those that the CPU can run; at least one.
    pub(super) fn entries(&self) -> Result<Vec<&'static Entry>, SelectionError> {
        let pattern = self.kernel.as_deref().unwrap_or("*");
        let named = meant(pattern, Isa::available())?;
        let Some(isa) = &self.isa else {
            return Ok(named);
        };
        let isa: Isa = isa.parse()?;
        isa.token()?;
        let here = named.iter().copied().filter(|entry| entry.isa == isa);
        let here: Vec<_> = here.collect();
        if here.is_empty() {
            return Err(SelectionError::NotAtLevel {
                pattern: pattern.to_owned(),
                isa,
                possible: joined(named.iter().map(|entry| entry.isa.name())),
            });
        }
        Ok(here)
    }
}

/// Keeps this thread on the core that is asked for, if one is.
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

/// The entries that a pattern means at these levels; at least one.
pub(super) fn meant(
    pattern: &str,
    available: &[Isa],
) -> Result<Vec<&'static Entry>, SelectionError> {
    let all: Vec<_> = entries().filter(|entry| is_meant(pattern, entry)).collect();
    if all.is_empty() {
        return Err(unknown(pattern));
    }
    let here = all.iter().copied();
    let here: Vec<_> = here
        .filter(|entry| available.contains(&entry.isa))
        .collect();
    if here.is_empty() {
        return Err(SelectionError::Lacking {
            pattern: pattern.to_owned(),
            levels: joined(all.iter().map(|entry| entry.isa.name())),
        });
    }
    Ok(here)
}

/// Whether a pattern for a kernel, or for `KERNEL.ALGORITHM`, means the entry.
pub(super) fn is_meant(pattern: &str, entry: &Entry) -> bool {
    match pattern.split_once('.') {
        None => matches(pattern, entry.kernel),
        Some((kernel, algorithm)) => {
            matches(kernel, entry.kernel) && matches(algorithm, entry.algorithm)
        }
    }
}

/// Whether all of `text` is what `pattern` stands for: `*` any characters, `?` any one.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
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

/// Why a pattern means nothing, and what would.
pub(super) fn unknown(pattern: &str) -> SelectionError {
    let (kernel, algorithm) = pattern.split_once('.').unwrap_or((pattern, "*"));
    let mut meant = kernels().iter().filter(|known| matches(kernel, known.name));
    match (meant.next(), meant.next()) {
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

/// The names with commas, each once, in the order of their first appearance.
pub(super) fn joined<'a>(names: impl Iterator<Item = &'a str>) -> String {
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
    use outflank_checker::registry::runnable;

    #[test]
    fn patterns() {
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
    fn what_only_other_cpus_have_is_said_to_be_theirs() {
        for entry in entries() {
            let name = format!("{}.{}", entry.kernel, entry.algorithm);
            let own = entries().filter(|other| is_meant(&name, other));
            let levels: Vec<Isa> = own.map(|other| other.isa).collect();
            let others = Isa::ALL.iter().copied();
            let others: Vec<Isa> = others.filter(|one| !levels.contains(one)).collect();
            let error = meant(&name, &others).expect_err("an error").to_string();
            let names: Vec<&str> = levels.iter().map(|isa| isa.name()).collect();
            let expected = format!(
                "{name} exists only at {}, which this CPU lacks",
                names.join(", ")
            );
            assert_eq!(error, expected);
            let found = meant(&name, &levels).expect("the CPU has them");
            assert_eq!(found.len(), levels.len(), "{name}");
        }
    }

    #[test]
    fn what_is_selected_is_what_was_asked_for() {
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
        assert!(
            flips
                .iter()
                .all(|entry| entry.kernel == "flip" && entry.isa == Isa::Portable)
        );
        for pattern in ["flip.carry", "fl?p.ca*", "*lip.*ry"] {
            let carries = select(pattern, None).unwrap();
            assert_eq!(carries.len(), Isa::available().len(), "{pattern}");
        }
        for (pattern, isa, said) in [
            (
                "nothing",
                None,
                "no kernel matches 'nothing' (possible: board_hash, ",
            ),
            ("*x*y*", None, "no kernel matches '*x*y*'"),
            (
                "flip.nothing",
                None,
                "flip has no algorithm that matches 'nothing' (possible: ",
            ),
            ("last*.x", None, "no kernel matches 'last*.x'"),
            (
                "flip",
                Some("v9"),
                "unknown instruction-set level 'v9' (possible here: portable",
            ),
        ] {
            let error = select(pattern, isa).expect_err("an error").to_string();
            assert!(error.starts_with(said), "{error}");
        }
    }
}
