//! Reading a template: rendered for a level, parsed, and taken apart into a kernel.
//!
//! A template is Rust with a few minijinja lines. What the generator looks for in it:
//!
//! - the inner doc comment: the kernel's specification;
//! - `#![select(portable = a, v3 = b)]`: the algorithm used at each level, and at every level above
//!   it that is not named itself;
//! - `#![variants(a = other)]`: the search can be compiled with each algorithm of this kernel, and
//!   with `a` on each algorithm of the kernel `other` that it calls (`super::other::selected`);
//! - `#[algorithm]` on a function: one algorithm of the kernel (`#[algorithm(uses = "pext")]` names
//!   an instruction that is slow on some CPUs). All have the same signature;
//! - `#[shared]` on an item: a table or helper without level features, written once for all levels;
//! - `#[reference]` on a function: the kernel's reference, where `reference.rs` has none of its name;
//! - other functions: helpers, compiled for the level like the algorithms;
//! - `{% if at("v3") %}`: only at that level and those above it.

use std::path::{Path, PathBuf};

use syn::{Attribute, Item, ItemFn, Meta, Token};

use crate::Error;
use crate::levels::{LEVELS, Level};

/// A template file, not yet rendered.
pub struct Template {
    /// The kernel's name: the file's, up to the first dot.
    pub name: String,
    path: PathBuf,
    text: String,
}

/// A kernel at one level.
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// Its specification, a line each.
    pub doc: Vec<String>,
    /// Its algorithms at this level, in the template's order.
    pub algorithms: Vec<Algorithm>,
    /// The name of the algorithm that is used at this level.
    pub selected: String,
    /// Where the kernel has variants: the algorithms that vary by another kernel's, each with that
    /// kernel's name.
    pub variants: Option<Vec<(String, String)>>,
    /// The items compiled for the level: algorithms and helpers, in the template's order.
    pub items: Vec<Item>,
    /// The items that serve all levels.
    pub shared: Vec<Item>,
    /// Whether the template brings its own reference (among `shared`, as `reference`).
    pub has_reference: bool,
}

/// One algorithm of a kernel.
#[derive(Clone)]
pub struct Algorithm {
    /// Its name.
    pub name: String,
    /// The function.
    pub function: ItemFn,
    /// The instruction that it uses, of those that are slow on some CPUs.
    pub uses: Option<&'static str>,
}

impl Template {
    /// Reads all templates of a folder (`*.rs.j2`), sorted by name.
    pub fn read_all(folder: &Path) -> Result<Vec<Template>, Error> {
        let unreadable = |source| Error::File {
            path: folder.to_owned(),
            source,
        };
        let mut templates = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            let file = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            let Some(name) = file.strip_suffix(".rs.j2") else {
                continue;
            };
            if syn::parse_str::<syn::Ident>(name).is_err() {
                let message = format!("is named '{name}', which cannot be the name of a function");
                return Err(Error::Template { path, message });
            }
            let name = name.to_owned();
            let text = std::fs::read_to_string(&path).map_err(|source| Error::File {
                path: path.clone(),
                source,
            })?;
            templates.push(Template { name, path, text });
        }
        templates.sort_by(|a, b| a.name.cmp(&b.name));
        if templates.is_empty() {
            return Err(Error::NoTemplates {
                folder: folder.to_owned(),
            });
        }
        Ok(templates)
    }

    /// The text at `level`, `{% … %}` resolved.
    pub fn render(&self, level: &'static Level) -> Result<String, Error> {
        let mut environment = minijinja::Environment::new();
        environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
        environment.add_function("at", |name: &str| match Level::named(name) {
            Some(_) => Ok(level.chain().any(|below| below.name == name)),
            None => Err(minijinja::Error::new(
                minijinja::ErrorKind::InvalidOperation,
                format!("no level is named {name}"),
            )),
        });
        environment
            .render_str(&self.text, ())
            .map_err(|source| Error::Render {
                path: self.path.clone(),
                line: source.line().unwrap_or(1),
                message: source.detail().unwrap_or("not a template").to_owned(),
            })
    }

    /// The kernel at `level`.
    pub fn kernel(&self, level: &'static Level) -> Result<Kernel, Error> {
        let text = self.render(level)?;
        let file = syn::parse_file(&text).map_err(|error| Error::Parse {
            path: self.path.clone(),
            level: level.name,
            text: text
                .lines()
                .nth(error.span().start().line.saturating_sub(1))
                .unwrap_or("")
                .trim()
                .to_owned(),
            message: error.to_string(),
        })?;
        let mut kernel = Kernel {
            name: self.name.clone(),
            doc: docs(&file.attrs),
            algorithms: Vec::new(),
            selected: String::new(),
            variants: None,
            items: Vec::new(),
            shared: Vec::new(),
            has_reference: false,
        };
        for item in file.items {
            self.sort_item(item, level, &mut kernel)?;
        }
        self.check(&kernel, level)?;
        kernel.selected = self.selection(&file.attrs, level)?;
        kernel.variants = self.pairs(&file.attrs, "variants")?;
        let Some(selected) = kernel
            .algorithms
            .iter()
            .find(|one| one.name == kernel.selected)
        else {
            let names = kernel
                .algorithms
                .iter()
                .map(|one| one.name.as_str())
                .collect::<Vec<_>>();
            return Err(self.wrong(format!(
                "selects '{}' at {}, which has: {}",
                kernel.selected,
                level.name,
                names.join(", ")
            )));
        };
        if let Some(slow) = selected.uses.filter(|slow| level.slow.contains(slow)) {
            return Err(self.wrong(format!(
                "selects '{}' at {}, where {slow} is slow on some CPUs",
                kernel.selected, level.name
            )));
        }
        for algorithm in &mut kernel.algorithms {
            algorithm
                .function
                .attrs
                .retain(|attr| !attr.path().is_ident("algorithm"));
        }
        Ok(kernel)
    }

    /// Puts one item where it belongs, its generator attributes taken off.
    fn sort_item(&self, mut item: Item, level: &Level, kernel: &mut Kernel) -> Result<(), Error> {
        let Some(attrs) = attributes(&mut item) else {
            return Err(self.wrong(format!("has an item at {} that is neither a function nor a const, static, struct, type, use or impl", level.name)));
        };
        if take(attrs, "shared") {
            kernel.shared.push(item);
        } else if take(attrs, "reference") {
            let Item::Fn(mut function) = item else {
                return Err(
                    self.wrong("marks something other than a function as #[reference]".into())
                );
            };
            function.sig.ident = quote::format_ident!("reference");
            function.vis = syn::parse_quote!(pub(crate));
            kernel.has_reference = true;
            kernel.shared.push(Item::Fn(function));
        } else if attrs.iter().any(|attr| attr.path().is_ident("algorithm")) {
            let Item::Fn(function) = &item else {
                return Err(
                    self.wrong("marks something other than a function as #[algorithm]".into())
                );
            };
            let attr = function
                .attrs
                .iter()
                .find(|attr| attr.path().is_ident("algorithm"));
            let uses = attr.map_or(Ok(None), uses).map_err(|message| {
                self.wrong(format!(
                    "has a wrong #[algorithm(…)] on '{}': {message}",
                    function.sig.ident
                ))
            })?;
            kernel.algorithms.push(Algorithm {
                name: function.sig.ident.to_string(),
                function: function.clone(),
                uses,
            });
            take(
                attributes(&mut item).expect("a function has attributes"),
                "algorithm",
            );
            kernel.items.push(item);
        } else {
            kernel.items.push(item);
        }
        Ok(())
    }

    /// What every kernel has: a specification, an algorithm, one signature.
    fn check(&self, kernel: &Kernel, level: &Level) -> Result<(), Error> {
        if kernel.doc.is_empty() {
            return Err(self.wrong("has no specification (an inner doc comment)".into()));
        }
        let Some(first) = kernel.algorithms.first() else {
            return Err(self.wrong(format!("has no #[algorithm] at {}", level.name)));
        };
        for other in &kernel.algorithms {
            let (a, b) = (&first.function.sig, &other.function.sig);
            if a.inputs != b.inputs || a.output != b.output {
                return Err(self.wrong(format!(
                    "has two signatures: those of '{}' and '{}'",
                    first.name, other.name
                )));
            }
            if other.name == "selected" {
                return Err(self.wrong("names an algorithm 'selected', which is taken".into()));
            }
        }
        Ok(())
    }

    /// The algorithm that `#![select(…)]` names for `level`, or for the nearest level below it.
    fn selection(&self, attrs: &[Attribute], level: &Level) -> Result<String, Error> {
        let Some(pairs) = self.pairs(attrs, "select")? else {
            return Err(self.wrong("has no #![select(level = algorithm, …)]".into()));
        };
        if let Some((unknown, _)) = pairs.iter().find(|(name, _)| Level::named(name).is_none()) {
            return Err(self.wrong(format!(
                "selects for a level '{unknown}', which does not exist"
            )));
        }
        level
            .chain()
            .find_map(|level| pairs.iter().find(|(name, _)| name == level.name))
            .map(|(_, algorithm)| algorithm.clone())
            .ok_or_else(|| self.wrong(format!("selects nothing for {}", level.name)))
    }

    /// The pairs of the inner attribute `#![name(a = b, …)]`; `None` where there is none.
    fn pairs(
        &self,
        attrs: &[Attribute],
        name: &str,
    ) -> Result<Option<Vec<(String, String)>>, Error> {
        let Some(attr) = attrs.iter().find(|attr| attr.path().is_ident(name)) else {
            return Ok(None);
        };
        let pair = |input: syn::parse::ParseStream| {
            let left: syn::Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            Ok((left.to_string(), input.parse::<syn::Ident>()?.to_string()))
        };
        let pairs = |input: syn::parse::ParseStream| {
            input
                .parse_terminated(pair, Token![,])
                .map(|pairs| pairs.into_iter().collect::<Vec<_>>())
        };
        attr.parse_args_with(pairs).map(Some).map_err(|error| {
            self.wrong(format!("has a #![{name}(…)] that does not parse: {error}"))
        })
    }

    fn wrong(&self, message: String) -> Error {
        Error::Template {
            path: self.path.clone(),
            message,
        }
    }
}

/// What `#[algorithm(uses = "…")]` names; `None` where it names nothing.
fn uses(attr: &Attribute) -> Result<Option<&'static str>, String> {
    if matches!(attr.meta, Meta::Path(_)) {
        return Ok(None);
    }
    let pair: syn::MetaNameValue = attr.parse_args().map_err(|error| error.to_string())?;
    let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Str(name),
        ..
    }) = &pair.value
    else {
        return Err("a name in quotes is expected".into());
    };
    if !pair.path.is_ident("uses") {
        return Err("only `uses` is known".into());
    }
    let known = || LEVELS.iter().flat_map(|level| level.slow).copied();
    match known().find(|slow| *slow == name.value()) {
        Some(slow) => Ok(Some(slow)),
        None => {
            let possible: std::collections::BTreeSet<_> = known().collect();
            let possible: Vec<_> = possible.into_iter().collect();
            Err(format!(
                "no level calls '{}' slow; possible: {}",
                name.value(),
                possible.join(", ")
            ))
        }
    }
}

/// The text of doc comments, a line each.
fn docs(attrs: &[Attribute]) -> Vec<String> {
    attrs
        .iter()
        .filter_map(|attr| match &attr.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(line),
                    ..
                }) => Some(line.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Const(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Static(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Use(item) => &mut item.attrs,
        _ => return None,
    })
}

/// Takes the attribute `name` off, and says whether it was there.
fn take(attrs: &mut Vec<Attribute>, name: &str) -> bool {
    let before = attrs.len();
    attrs.retain(|attr| !attr.path().is_ident(name));
    attrs.len() < before
}
