//! Mutants of one template, and their results so far.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use syn::ItemFn;

use super::equivalent::{self, EquivalentMutant};
use super::judge::Verdict;
use super::method_exchanges::MethodExchanges;
use super::mutation::{Mutation, MutationKind};
use super::report::{JudgedMutant, TemplateResults};
use super::workspace::suffix;
use super::{Error, Request, finder, seeded, trial_order};
use crate::levels::LEVELS;
use crate::template::Template;

/// Number of missing mutants per spare mutant. Spares replace mutants that do not compile.
const SPARE: usize = 4;

/// Template file with the mutations still to be tried and the results of the others.
pub(super) struct TemplateMutants<'a> {
    /// All templates. Some may call this one.
    all: &'a [Template<'a>],
    /// Kernels of this file: one, or one for each geometry.
    templates: Vec<&'a Template<'a>>,
    /// Number of mutants to judge.
    goal: usize,
    untried: VecDeque<Mutation>,
    equivalent: Vec<EquivalentMutant>,
    /// Results so far.
    pub(super) results: TemplateResults,
}

/// Template with one mutation, under names of its own.
pub(super) struct Mutant<'a> {
    /// Number of the mutant in this run.
    pub(super) number: usize,
    /// Index of the mutant's template.
    pub(super) template: usize,
    /// Mutated kernels, and copies of the kernels that call the mutated function.
    pub(super) templates: Vec<Template<'a>>,
    pub(super) mutation: Mutation,
    /// Names of the levels at which the mutant differs from the original.
    pub(super) levels: Vec<&'static str>,
}

impl<'a> TemplateMutants<'a> {
    /// Finds the mutations of all templates that the request names.
    pub(super) fn all(
        templates: &'a [Template<'a>],
        request: &Request,
    ) -> Result<Vec<TemplateMutants<'a>>, Error> {
        let exchanges = MethodExchanges::read(&request.root.join("kernels/src/vector"))?;
        let list = request.root.join("codegen/equivalent-mutants.txt");
        let equivalent = equivalent::read(&list)?;
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
            let mut random = seeded(request.seed, &first.name);
            let mutations = finder::mutations(&first.text, &exchanges, &mut random);
            let mutations = mutations.map_err(|message| Error::Tokens {
                template: first.name.clone(),
                message,
            })?;
            let here = equivalent.iter();
            let here: Vec<EquivalentMutant> = here
                .filter(|entry| entry.template == first.name)
                .cloned()
                .collect();
            here.iter()
                .try_for_each(|entry| entry.check(&first.text))
                .map_err(|(line, problem)| equivalent::line_error(&list, line, problem))?;
            all.push(TemplateMutants {
                all: templates,
                goal: request.per_template,
                untried: trial_order::spread(mutations, &mut random).into(),
                equivalent: here,
                results: TemplateResults::new(&first.name, path),
                templates: kernels,
            });
        }
        Ok(all)
    }

    /// Makes the missing mutants and some spares, at most `room` in all.
    ///
    /// `index` is this template's index. `number` is the number of the next mutant and counts up.
    pub(super) fn next_mutants(
        &mut self,
        index: usize,
        room: usize,
        number: &mut usize,
    ) -> Vec<Mutant<'a>> {
        let missing = self.goal.saturating_sub(self.results.mutants.len());
        let wanted = (missing + missing.div_ceil(SPARE)).min(room);
        let text = &self.templates[0].text;
        let mut mutants = Vec::new();
        while mutants.len() < wanted {
            let Some(mutation) = self.untried.pop_front() else {
                break;
            };
            let lines = mutation.lines(text);
            let mut equivalent = self.equivalent.iter();
            if equivalent.any(|known| {
                known.lines == lines
                    && known.items.contains(&mutation.item)
                    && known.is_at(text, mutation.line(text))
            }) {
                self.results.equivalent += 1;
                continue;
            }
            let suffix = suffix(*number);
            let mutated = mutation.apply(text);
            let originals = self.templates.iter();
            let mut templates: Vec<Template> = originals
                .map(|template| template.sibling(&suffix, mutated.clone()))
                .collect();
            match changed_levels(&self.templates, &templates) {
                Err(_) => self.record_uncompiled(&mutation),
                Ok(levels) if levels.is_empty() => {}
                Ok(levels) => {
                    templates.extend(self.callers(&mutation.item, &suffix));
                    mutants.push(Mutant {
                        number: *number,
                        template: index,
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

    /// Copies of the templates that call `item` of this one, changed to call the mutant.
    ///
    /// Some items serve only such callers, so a mutation of them shows only in the callers' answers.
    fn callers(&self, item: &str, suffix: &str) -> Vec<Template<'a>> {
        let name = &self.templates[0].name;
        let (path, mutated_path) = (format!("::{name}::"), format!("::{name}{suffix}::"));
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let calls = |template: &&Template| {
            let mut words = template.text.split(|c| !is_part(c));
            template.text.contains(&path) && words.any(|word| word == item)
        };
        let calling = self.all.iter().filter(calls);
        calling
            .map(|template| template.sibling(suffix, template.text.replace(&path, &mutated_path)))
            .collect()
    }

    /// Records that a mutation does not compile. Drops equal exchanges elsewhere, which would not compile either.
    pub(super) fn record_uncompiled(&mut self, mutation: &Mutation) {
        let text = &self.templates[0].text;
        self.results.uncompiled += 1;
        use MutationKind::{Arguments, Elements, Method};
        if matches!(mutation.kind, Arguments | Elements | Method) {
            let is_same = |other: &Mutation| {
                other.with == mutation.with
                    && text[other.range.clone()] == text[mutation.range.clone()]
            };
            self.untried.retain(|other| !is_same(other));
        }
    }

    /// Records the verdict on a mutant.
    pub(super) fn record_verdict(&mut self, mutant: Mutant, verdict: Verdict) {
        let text = &self.templates[0].text;
        self.results.mutants.push(JudgedMutant {
            kind: mutant.mutation.kind,
            line: mutant.mutation.line(text),
            lines: mutant.mutation.lines(text),
            item: mutant.mutation.item,
            verdict,
        });
    }
}

/// Levels of this architecture at which the mutated templates differ from the originals.
///
/// Fails if a mutated template does not render to Rust at some level.
fn changed_levels(
    originals: &[&Template],
    mutated: &[Template],
) -> Result<Vec<&'static str>, crate::Error> {
    let mut changed = Vec::new();
    for (original, mutated) in originals.iter().zip(mutated) {
        for isa in LEVELS {
            let mutated = mutated.kernel(isa)?;
            if isa.arch.is_none_or(|arch| arch == std::env::consts::ARCH) {
                let original = original.kernel(isa)?;
                if original.items != mutated.items || original.shared != mutated.shared {
                    changed.push(isa.name);
                }
            }
        }
    }
    Ok(changed)
}

/// Adds the mutants' names to the references of the originals. Returns the re-exports that the checker's
/// `reference/mod.rs` needs.
pub(super) fn add_references(
    references: &mut BTreeMap<String, ItemFn>,
    mutants: &[Mutant],
) -> String {
    let mut exports = String::new();
    for mutant in mutants {
        for Template { name, .. } in &mutant.templates {
            let original = name.replace(&suffix(mutant.number), "");
            if let Some(reference) = references.get(&original).cloned() {
                exports += &format!("pub use self::{original} as {name};\n");
                references.insert(name.clone(), reference);
            }
        }
    }
    exports
}
