//! Choice of positions by name or number: `--only`.

use crate::error::{USAGE, exit_status};
use crate::problem_file::ProblemFile;

/// Error of a choice that no position matches.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChoiceError {
    #[error("there is no position {asked}: the files have {count}")]
    Number {
        asked: usize,
        /// Number of positions in the files.
        count: usize,
    },
    #[error("no position is called {asked:?}: {names}")]
    Name {
        asked: String,
        /// Description of the existing names.
        names: String,
    },
}

exit_status!(USAGE; ChoiceError);

/// Keeps the chosen positions, or all without a choice. Drops files without chosen positions.
pub(crate) fn choose(asked: &[String], files: &mut Vec<ProblemFile>) -> Result<(), ChoiceError> {
    if asked.is_empty() || files.is_empty() {
        return Ok(());
    }
    let choices: Vec<Choice> = asked.iter().map(|text| Choice::parse(text)).collect();
    for choice in &choices {
        let mut problems = files.iter().flat_map(|file| &file.problems);
        if !problems.any(|(number, problem)| choice.matches(*number, problem.name.as_deref())) {
            return Err(choice.not_found(files));
        }
    }
    for file in files.iter_mut() {
        file.problems.retain(|(number, problem)| {
            let name = problem.name.as_deref();
            choices.iter().any(|choice| choice.matches(*number, name))
        });
    }
    files.retain(|file| !file.problems.is_empty());
    Ok(())
}

/// A value of `--only`.
enum Choice {
    Number(usize),
    /// A name and its words.
    Name(String, Vec<String>),
}

impl Choice {
    fn parse(text: &str) -> Choice {
        match text.parse() {
            Ok(number) => Choice::Number(number),
            Err(_) => Choice::Name(text.trim().to_owned(), words(text)),
        }
    }

    /// Returns `true` if a position has the number, or the words in sequence in its name.
    fn matches(&self, number: usize, name: Option<&str>) -> bool {
        match (self, name) {
            (Choice::Number(asked), _) => number == *asked,
            (Choice::Name(..), None) => false,
            (Choice::Name(asked, asked_words), Some(name)) => match asked_words.len() {
                0 => asked == name,
                count => words(name).windows(count).any(|part| part == asked_words),
            },
        }
    }

    fn not_found(&self, files: &[ProblemFile]) -> ChoiceError {
        let problems = || files.iter().flat_map(|file| &file.problems);
        match self {
            &Choice::Number(asked) => ChoiceError::Number {
                asked,
                count: problems().count(),
            },
            Choice::Name(asked, _) => {
                let mut names = problems().filter_map(|(_, problem)| problem.name.as_deref());
                let names = match (names.next(), names.next_back()) {
                    (None, _) => "the positions of the files have no names".to_owned(),
                    (Some(first), None) => format!("there is {first:?}"),
                    (Some(first), Some(last)) => format!("there are {first:?} to {last:?}"),
                };
                let asked = asked.clone();
                ChoiceError::Name { asked, names }
            }
        }
    }
}

/// Words of a name in lower case, without punctuation.
fn words(name: &str) -> Vec<String> {
    let words = name.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_match_words_of_names() {
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
            let found = Choice::parse(asked).matches(3, Some(name));
            assert_eq!(found, expected, "{asked} {name}");
        }
        assert!(Choice::parse("3").matches(3, Some("FFO #40")));
        assert!(!Choice::parse("40").matches(3, Some("FFO #40")));
        assert!(!Choice::parse("x").matches(3, None));
    }
}
