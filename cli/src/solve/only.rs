//! The choice of positions by their names or numbers.

use super::Source;

/// A choice that no position matches.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OnlyError {
    /// No position has the number.
    #[error("there is no position {asked}: the files have {count}")]
    Number {
        /// The number.
        asked: usize,
        /// Number of positions in the files.
        count: usize,
    },
    /// No position has the name.
    #[error("no position is called {asked:?}: {names}")]
    Name {
        /// The name.
        asked: String,
        /// Names that there are.
        names: String,
    },
}

/// Keeps the positions that are asked for; all of them where nothing is. Files without such a position are dropped.
pub(super) fn choose(asked: &[String], sources: &mut Vec<Source>) -> Result<(), OnlyError> {
    if asked.is_empty() || sources.is_empty() {
        return Ok(());
    }
    let asked: Vec<Asked> = asked.iter().map(|text| Asked::read(text)).collect();
    for one in &asked {
        let mut problems = sources.iter().flat_map(|source| &source.problems);
        if !problems.any(|(number, problem)| one.matches(*number, problem.name.as_deref())) {
            return Err(one.not_found(sources));
        }
    }
    for source in sources.iter_mut() {
        source.problems.retain(|(number, problem)| {
            let name = problem.name.as_deref();
            asked.iter().any(|one| one.matches(*number, name))
        });
    }
    sources.retain(|source| !source.problems.is_empty());
    Ok(())
}

/// A position that is asked for.
enum Asked {
    Number(usize),
    /// The name, and the words in it.
    Name(String, Vec<String>),
}

impl Asked {
    fn read(text: &str) -> Asked {
        match text.parse() {
            Ok(number) => Asked::Number(number),
            Err(_) => Asked::Name(text.trim().to_owned(), words(text)),
        }
    }

    /// Returns `true` if a position of this number and name is meant: its name has the words one after another.
    fn matches(&self, number: usize, name: Option<&str>) -> bool {
        match (self, name) {
            (Asked::Number(asked), _) => number == *asked,
            (Asked::Name(..), None) => false,
            (Asked::Name(asked, asked_words), Some(name)) => match asked_words.len() {
                0 => asked == name,
                count => words(name).windows(count).any(|some| some == asked_words),
            },
        }
    }

    fn not_found(&self, sources: &[Source]) -> OnlyError {
        let problems = || sources.iter().flat_map(|source| &source.problems);
        match self {
            &Asked::Number(asked) => OnlyError::Number {
                asked,
                count: problems().count(),
            },
            Asked::Name(asked, _) => {
                let mut names = problems().filter_map(|(_, problem)| problem.name.as_deref());
                let names = match (names.next(), names.next_back()) {
                    (None, _) => "the positions of the files have no names".to_owned(),
                    (Some(first), None) => format!("there is {first:?}"),
                    (Some(first), Some(last)) => format!("there are {first:?} to {last:?}"),
                };
                let asked = asked.clone();
                OnlyError::Name { asked, names }
            }
        }
    }
}

/// The words of a name in lower case, without the signs between them.
fn words(name: &str) -> Vec<String> {
    let words = name.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_name_are_enough() {
        for (asked, name, expected) in [
            ("FFO #40", "FFO #40", true),
            ("ffo 40", "FFO #40", true),
            ("ffo-40", "FFO #40", true),
            ("#40", "FFO #40", true),
            ("FFO #4", "FFO #40", false),
            ("FFO", "FFO #40", true),
            ("tastet", "17. Tastet - Feinstein", true),
            ("Feinstein Tastet", "17. Tastet - Feinstein", false),
            ("17. Tastet - Feinstein", "17. Tastet - Feinstein", true),
            ("\u{592a}\u{90ce}", "\u{592a}\u{90ce}", true),
            ("?!", "?!", true),
            ("?!", "FFO #40", false),
        ] {
            let found = Asked::read(asked).matches(3, Some(name));
            assert_eq!(found, expected, "{asked} {name}");
        }
        assert!(Asked::read("3").matches(3, Some("FFO #40")));
        assert!(!Asked::read("40").matches(3, Some("FFO #40")));
        assert!(!Asked::read("x").matches(3, None));
    }
}
