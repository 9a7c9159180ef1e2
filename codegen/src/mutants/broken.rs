//! A template and its mutants.

use std::collections::VecDeque;
use std::path::PathBuf;

use syn::Item;

use super::equivalent::{self, Equivalent};
use super::exchange::Exchanges;
use super::judge::Verdict;
use super::mutation::{Kind, Mutation};
use super::random::Random;
use super::report::{Judged, Row};
use super::workspace::suffix;
use super::{Error, Request, choose, finder};
use crate::levels::LEVELS;
use crate::template::Template;

/// One mutant more for so many.
const SPARE: usize = 4;

/// A template file, the mutations of it that are still to be tried, and the results of the others.
pub(super) struct Broken<'a> {
    /// All templates.
    all: &'a [Template<'a>],
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
    /// Its kernels, and those of others that call what is broken.
    pub(super) templates: Vec<Template<'a>>,
    pub(super) mutation: Mutation,
    /// The names of the levels at which it renders to something else.
    pub(super) levels: Vec<&'static str>,
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
        let names: Vec<String> = files
            .iter()
            .map(|(_, kernels)| kernels[0].name.clone())
            .collect();
        if let Some(kernel) = &request.kernel {
            files.retain(|(_, kernels)| kernels[0].name == *kernel);
            if files.is_empty() {
                return Err(Error::Unknown {
                    name: kernel.clone(),
                    possible: names,
                });
            }
        }
        let mut all = Vec::new();
        for (path, kernels) in files {
            let first = kernels[0];
            let mut random = Random::new(request.seed, &first.name);
            let mutations = finder::mutations(&first.text, &exchanges, &mut random);
            let mutations = mutations.map_err(|message| Error::Tokens {
                template: first.name.clone(),
                message,
            })?;
            let here = equivalent.iter().filter(|one| one.template == first.name);
            all.push(Broken {
                all: templates,
                goal: request.per_template,
                left: choose::spread(mutations, &mut random).into(),
                equivalent: here.cloned().collect(),
                row: Row::new(&first.name, path),
                templates: kernels,
            });
        }
        Ok(all)
    }

    /// The next mutants to try: some more than are still wanted, because not all will compile, but
    /// `room` at most. `of` is this template's index, and `number` the next mutant's.
    pub(super) fn next_mutants(
        &mut self,
        of: usize,
        room: usize,
        number: &mut usize,
    ) -> Vec<Mutant<'a>> {
        let missing = self.goal.saturating_sub(self.row.mutants.len());
        let wanted = (missing + missing.div_ceil(SPARE)).min(room);
        let text = &self.templates[0].text;
        let mut mutants = Vec::new();
        while mutants.len() < wanted {
            let Some(mutation) = self.left.pop_front() else {
                break;
            };
            let lines = mutation.lines(text);
            let is_it = |one: &Equivalent| one.lines == lines && one.items.contains(&mutation.item);
            if self.equivalent.iter().any(is_it) {
                self.row.equivalent += 1;
                continue;
            }
            let suffix = suffix(*number);
            let broken = mutation.apply(text);
            let own = |template: &&Template<'a>| template.sibling(&suffix, broken.clone());
            let mut templates: Vec<Template> = self.templates.iter().map(own).collect();
            match changed(&self.templates, &templates) {
                Err(_) => self.uncompiled(&mutation),
                Ok(levels) if levels.is_empty() => {}
                Ok(levels) => {
                    templates.extend(self.callers(&mutation.item, &suffix));
                    mutants.push(Mutant {
                        number: *number,
                        of,
                        templates,
                        mutation,
                        levels,
                    });
                    *number += 1;
                }
            }
        }
        mutants
    }

    /// The templates of other kernels that name `item` of this one, made to use the mutant's: a helper
    /// may serve them alone.
    fn callers(&self, item: &str, suffix: &str) -> Vec<Template<'a>> {
        let name = &self.templates[0].name;
        let (path, broken) = (format!("::{name}::"), format!("::{name}{suffix}::"));
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let calls = |template: &&Template| {
            let mut words = template.text.split(|c| !is_part(c));
            template.text.contains(&path) && words.any(|word| word == item)
        };
        let calling = self.all.iter().filter(calls);
        calling
            .map(|template| template.sibling(suffix, template.text.replace(&path, &broken)))
            .collect()
    }

    /// Takes down that a mutation does not compile. The same exchange elsewhere would not either.
    pub(super) fn uncompiled(&mut self, mutation: &Mutation) {
        let text = &self.templates[0].text;
        self.row.uncompiled += 1;
        if [Kind::Arguments, Kind::Elements, Kind::Method].contains(&mutation.kind) {
            let is_same = |other: &Mutation| {
                other.with == mutation.with
                    && text[other.range.clone()] == text[mutation.range.clone()]
            };
            self.left.retain(|other| !is_same(other));
        }
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

/// The levels of this architecture at which the templates render to something else. An error where
/// they render to no Rust at all.
fn changed(whole: &[&Template], broken: &[Template]) -> Result<Vec<&'static str>, crate::Error> {
    let mut changed = Vec::new();
    for (whole, broken) in whole.iter().zip(broken) {
        for isa in LEVELS {
            let broken = broken.kernel(isa)?;
            if isa.arch.is_none_or(|arch| arch == std::env::consts::ARCH) {
                let whole = whole.kernel(isa)?;
                if whole.items != broken.items || whole.shared != broken.shared {
                    changed.push(isa.name);
                }
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
        isa: "reference",
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
