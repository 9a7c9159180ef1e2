//! A template and its mutants.

use std::collections::VecDeque;
use std::path::PathBuf;

use syn::Item;

use super::equivalent::{self, Equivalent};
use super::exchange::Exchanges;
use super::judge::Verdict;
use super::mutation::Mutation;
use super::random::Random;
use super::report::{Judged, Row};
use super::workspace::suffix;
use super::{Error, Request, choose, finder};
use crate::levels::{LEVELS, Level};
use crate::template::Template;

/// A template file, the mutations of it that are still to be tried, and what became of the others.
pub(super) struct Broken<'a> {
    /// Its kernels: one, or one for each geometry.
    templates: Vec<&'a Template<'a>>,
    /// How many mutants are wanted.
    goal: usize,
    left: VecDeque<Mutation>,
    equivalent: Vec<Equivalent>,
    /// What is known so far.
    pub(super) row: Row,
}

/// A broken template, under names of its own.
pub(super) struct Mutant<'a> {
    /// Its number in the build.
    pub(super) number: usize,
    /// Which template it is of.
    pub(super) of: usize,
    /// Its kernels.
    pub(super) templates: Vec<Template<'a>>,
    mutation: Mutation,
}

impl<'a> Broken<'a> {
    /// All templates that the request is for.
    pub(super) fn all(
        templates: &'a [Template<'a>],
        request: &Request,
    ) -> Result<Vec<Broken<'a>>, Error> {
        let exchanges = Exchanges::read(&request.root.join("kernels/src/vector"))?;
        let equivalent = equivalent::read(&request.root.join("codegen/equivalent-mutants.txt"))?;
        let mut files: Vec<(&PathBuf, Vec<&Template>)> = Vec::new();
        for template in templates {
            match files.iter_mut().find(|(path, _)| **path == template.path) {
                Some((_, kernels)) => kernels.push(template),
                None => files.push((&template.path, vec![template])),
            }
        }
        let mut all = Vec::new();
        for (path, templates) in files {
            let first = templates[0];
            if request
                .kernel
                .as_ref()
                .is_some_and(|kernel| *kernel != first.name)
            {
                continue;
            }
            let mut random = Random::new(request.seed, &first.name);
            let mutations = finder::mutations(&first.text, &exchanges, &mut random);
            let mutations = mutations.map_err(|message| Error::Tokens {
                template: first.name.clone(),
                message,
            })?;
            let here = equivalent.iter().filter(|one| one.template == first.name);
            all.push(Broken {
                goal: request.per_template,
                left: choose::spread(mutations, &mut random).into(),
                equivalent: here.cloned().collect(),
                row: Row::new(&first.name, path),
                templates,
            });
        }
        match &request.kernel {
            Some(kernel) if all.is_empty() => Err(Error::Unknown {
                name: kernel.clone(),
                possible: templates
                    .iter()
                    .map(|template| template.name.clone())
                    .collect(),
            }),
            _ => Ok(all),
        }
    }

    /// The next mutants to try, `room` at most and as many as are still wanted, numbered from
    /// `number`; `of` is this template's index.
    pub(super) fn next_mutants(
        &mut self,
        of: usize,
        room: usize,
        levels: &[&'static Level],
        number: usize,
    ) -> Vec<Mutant<'a>> {
        let wanted = (self.goal - self.row.mutants.len()).min(room);
        let text = &self.templates[0].text;
        let mut mutants = Vec::new();
        while mutants.len() < wanted {
            let Some(mutation) = self.left.pop_front() else {
                break;
            };
            let lines = mutation.lines(text);
            if self.equivalent.iter().any(|one| one.lines == lines) {
                self.row.equivalent += 1;
                continue;
            }
            let number = number + mutants.len();
            let broken = mutation.apply(text);
            let templates = self.templates.iter().map(|template| {
                template.variant(
                    format!("{}{}", template.name, suffix(number)),
                    broken.clone(),
                )
            });
            let templates: Vec<Template> = templates.collect();
            match changed(&self.templates, &templates, levels) {
                Err(_) => self.row.uncompiled += 1,
                Ok(false) => {}
                Ok(true) => mutants.push(Mutant {
                    number,
                    of,
                    templates,
                    mutation,
                }),
            }
        }
        mutants
    }

    /// Takes down what the suite made of a mutant.
    pub(super) fn judged(&mut self, mutant: Mutant, verdict: Verdict) {
        let text = &self.templates[0].text;
        self.row.mutants.push(Judged {
            kind: mutant.mutation.kind,
            line: mutant.mutation.line(text),
            lines: mutant.mutation.lines(text),
            item: mutant.mutation.item,
            verdict,
        });
    }
}

/// Whether the templates render to something else at one of the levels. An error where they render to
/// no Rust at all.
fn changed(
    whole: &[&Template],
    broken: &[Template],
    levels: &[&'static Level],
) -> Result<bool, crate::Error> {
    let mut changed = false;
    for (whole, broken) in whole.iter().zip(broken) {
        for level in LEVELS {
            let broken = broken.kernel(level)?;
            if !changed && levels.iter().any(|here| here.name == level.name) {
                let whole = whole.kernel(level)?;
                changed = whole.items != broken.items || whole.shared != broken.shared;
            }
        }
    }
    Ok(changed)
}

/// The text of `reference.rs` with the references under the mutants' names too.
pub(super) fn with_references(
    references: &str,
    mutants: &[Mutant],
) -> Result<String, crate::Error> {
    let file = syn::parse_file(references).map_err(|error| crate::Error::Parse {
        path: "reference.rs".into(),
        level: "reference",
        text: String::new(),
        message: error.to_string(),
    })?;
    let mut added = Vec::new();
    for mutant in mutants {
        for template in &mutant.templates {
            let name = template.name.replace(&suffix(mutant.number), "");
            for item in &file.items {
                if let Item::Fn(function) = item
                    && function.sig.ident == name
                {
                    let mut function = function.clone();
                    function.sig.ident = quote::format_ident!("{}", template.name);
                    added.push(Item::Fn(function));
                }
            }
        }
    }
    let added = prettyplease::unparse(&syn::File {
        items: added,
        ..syn::parse_quote!()
    });
    Ok(format!("{references}\n{added}"))
}
