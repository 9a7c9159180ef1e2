//! Reading a template: rendered for a level, parsed, and split into the parts of a kernel.
//!
//! A template is Rust with a few minijinja lines. The generator knows these parts:
//!
//! - Inner doc comment: The kernel's specification.
//! - `#![select(portable = a, v3 = b)]`: The algorithm used at each level. A level without an entry uses the
//!   algorithm of the level below.
//! - `#[algorithm]`: An algorithm of the kernel. All algorithms have one signature.
//! - `#[algorithm(uses = "pext")]`: An algorithm with an instruction that is slow on some CPUs.
//! - `#[shape(portable = "120", v3 = "40 vpsrlvq")]`: Bounds of the machine code. Here: at most 40 instructions
//!   at v3 and above, `vpsrlvq` among them.
//! - `#[shared]`: A table or helper without level features, written once for all levels.
//! - `#[reference]`: The kernel's reference, if the checker's `reference` module has none of its name. Its
//!   parameters may differ from the kernel's.
//! - Other functions: Helpers, compiled for the level like the algorithms.
//! - `{% if at("v3") %}`: True at v3 and at the levels above it. Several names are possible:
//!   `{% if at("v2", "neon") %}` is true at any of these levels and above.
//!
//! A template named `NAME@geometry.rs.j2` makes one kernel for each geometry: `NAME` for the default, and
//! `NAME_GEOMETRY` for the others. `NAME@corner.rs.j2` makes a kernel for the geometry `corner` only. Both
//! see their geometry as `geometry` (`Geometry::context`).

mod attributes;

use std::path::{Path, PathBuf};

use minijinja::context;
use minijinja::value::Rest;
use syn::{Attribute, Item, ItemFn, Meta};

use crate::geometry::Geometry;
use crate::levels::Isa;
use crate::{Error, file_error};
use attributes::{attributes, by_level, docs, shape, taken, uses};

/// A template file, not yet rendered.
#[derive(Clone)]
pub struct Template<'a> {
    /// Name of the kernel: the file's name up to `@` or the first dot, and the suffix of its geometry.
    pub name: String,
    /// Path of the file.
    pub path: PathBuf,
    /// Text of the file.
    pub text: String,
    geometry: Option<&'a Geometry>,
}

/// A kernel at one level.
#[derive(Clone)]
pub struct Kernel {
    /// Name of the kernel.
    pub name: String,
    /// Path of the template.
    pub path: PathBuf,
    /// Geometry that the template was rendered for, if any.
    pub geometry: Option<String>,
    /// Specification, a line each.
    pub doc: Vec<String>,
    /// Algorithms at this level, in the template's order.
    pub algorithms: Vec<Algorithm>,
    /// Name of the algorithm that the level selects.
    pub selected: String,
    /// Items compiled for the level, in the template's order: algorithms and helpers.
    pub items: Vec<Item>,
    /// Items that serve all levels.
    pub shared: Vec<Item>,
    /// The template's own reference, under the name `reference`.
    pub reference: Option<ItemFn>,
}

/// One algorithm of a kernel.
#[derive(Clone)]
pub struct Algorithm {
    /// Name of the function.
    pub name: String,
    /// The function.
    pub function: ItemFn,
    /// Slow instruction that the algorithm uses, if any.
    pub uses: Option<&'static str>,
    /// Expected machine code at this level, if the template states it.
    pub shape: Option<Shape>,
}

/// Expected machine code of a function.
#[derive(Clone)]
pub struct Shape {
    /// Maximum number of instructions.
    pub bound: usize,
    /// Required instructions.
    pub instructions: Vec<String>,
}

impl<'a> Template<'a> {
    /// Reads all templates of a folder (`*.rs.j2`), sorted by name.
    pub fn read_all(folder: &Path, geometries: &'a [Geometry]) -> Result<Vec<Template<'a>>, Error> {
        let mut templates = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(file_error(folder))? {
            let path = entry.map_err(file_error(folder))?.path();
            let file = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            if let Some(name) = file.strip_suffix(".rs.j2") {
                templates.extend(Template::read(name, &path, geometries)?);
            }
        }
        templates.sort_by(|a, b| a.name.cmp(&b.name));
        if templates.is_empty() {
            return Err(Error::NoTemplates {
                folder: folder.to_owned(),
            });
        }
        Ok(templates)
    }

    /// Reads the file `path`. Returns a template for each geometry that it is for.
    fn read(
        name: &str,
        path: &Path,
        geometries: &'a [Geometry],
    ) -> Result<Vec<Template<'a>>, Error> {
        // Each geometry with the suffix of its kernel's name. A kernel for one geometry has no suffix.
        let (name, variants): (_, Vec<(Option<&Geometry>, String)>) = match name.split_once('@') {
            Some((name, "geometry")) => {
                let with_suffix = |geometry: &'a Geometry| (Some(geometry), geometry.suffix());
                (name, geometries.iter().map(with_suffix).collect())
            }
            Some((name, one)) => {
                let named = geometries.iter().find(|geometry| geometry.name == one);
                let Some(geometry) = named else {
                    let path = path.to_owned();
                    let message = format!("is for the geometry '{one}', which does not exist");
                    return Err(Error::Template { path, message });
                };
                (name, vec![(Some(geometry), String::new())])
            }
            None => (name, vec![(None, String::new())]),
        };
        if syn::parse_str::<syn::Ident>(name).is_err() {
            let message = format!("is named '{name}', which cannot be the name of a function");
            let path = path.to_owned();
            return Err(Error::Template { path, message });
        }
        let text = std::fs::read_to_string(path).map_err(file_error(path))?;
        let of_geometry = |(geometry, suffix): (Option<&'a Geometry>, String)| Template {
            name: format!("{name}{suffix}"),
            path: path.to_owned(),
            text: text.clone(),
            geometry,
        };
        Ok(variants.into_iter().map(of_geometry).collect())
    }

    /// Returns a template for the same geometry with another text and `suffix` at the end of its name.
    pub fn sibling(&self, suffix: &str, text: String) -> Template<'a> {
        Template {
            name: format!("{}{suffix}", self.name),
            text,
            ..self.clone()
        }
    }

    /// Renders the template for `isa`.
    pub fn render(&self, isa: &'static Isa) -> Result<String, Error> {
        let mut environment = minijinja::Environment::new();
        environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
        // Templates import macros from others of the folder.
        let folder = self.path.parent().unwrap_or(&self.path);
        environment.set_loader(minijinja::path_loader(folder));
        environment.add_function("at", |names: Rest<String>| {
            if let Some(unknown) = names.iter().find(|name| Isa::named(name).is_none()) {
                return Err(invalid(format!("no level is named {unknown}")));
            }
            if names.is_empty() {
                return Err(invalid("at() names no level".into()));
            }
            Ok(isa
                .chain()
                .any(|below| names.iter().any(|name| name == below.name)))
        });
        let context = match self.geometry {
            Some(geometry) => context! { geometry => geometry.context() },
            None => context! {},
        };
        environment
            .render_str(&self.text, context)
            .map_err(|source| Error::Line {
                path: self.path.clone(),
                line: source.line().unwrap_or(1),
                message: source.detail().unwrap_or("not a template").to_owned(),
            })
    }

    /// Renders and parses the kernel for `isa`.
    pub fn kernel(&self, isa: &'static Isa) -> Result<Kernel, Error> {
        let text = self.render(isa)?;
        let file = syn::parse_file(&text).map_err(|error| Error::Parse {
            path: self.path.clone(),
            isa: isa.name,
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
            path: self.path.clone(),
            geometry: self.geometry.map(|geometry| geometry.name.clone()),
            doc: docs(&file.attrs),
            algorithms: Vec::new(),
            selected: String::new(),
            items: Vec::new(),
            shared: Vec::new(),
            reference: None,
        };
        for item in file.items {
            self.sort_item(item, isa, &mut kernel)?;
        }
        self.check(&kernel, isa)?;
        kernel.selected = self.selection(&file.attrs, isa)?;
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
                isa.name,
                names.join(", ")
            )));
        };
        if let Some(slow) = selected.uses.filter(|slow| isa.slow.contains(slow)) {
            return Err(self.wrong(format!(
                "selects '{}' at {}, where {slow} is slow on some CPUs",
                kernel.selected, isa.name
            )));
        }
        Ok(kernel)
    }

    /// Sorts an item into the kernel's lists and removes the generator's attributes.
    fn sort_item(&self, mut item: Item, isa: &Isa, kernel: &mut Kernel) -> Result<(), Error> {
        let Some(attrs) = attributes(&mut item) else {
            return Err(self.wrong(format!("has an item at {} that is neither a function nor a const, static, struct, type, use or impl", isa.name)));
        };
        if taken(attrs, "shared").is_some() {
            kernel.shared.push(item);
        } else if taken(attrs, "reference").is_some() {
            let mut function = self.function(item, "reference")?;
            function.sig.ident = quote::format_ident!("reference");
            function.vis = syn::parse_quote!(pub(crate));
            kernel.reference = Some(function);
        } else if let Some(algorithm) = taken(attrs, "algorithm") {
            let bounds = taken(attrs, "shape");
            let function = self.function(item, "algorithm")?;
            let name = function.sig.ident.to_string();
            let wrong = |attribute: &str, message: String| {
                self.wrong(format!(
                    "has a wrong #[{attribute}(…)] on '{name}': {message}"
                ))
            };
            kernel.algorithms.push(Algorithm {
                uses: uses(&algorithm).map_err(|message| wrong("algorithm", message))?,
                shape: bounds
                    .map_or(Ok(None), |bounds| shape(&bounds, isa))
                    .map_err(|message| wrong("shape", message))?,
                function: function.clone(),
                name,
            });
            kernel.items.push(Item::Fn(function));
        } else {
            kernel.items.push(item);
        }
        Ok(())
    }

    /// Returns the function that has the attribute `mark`.
    fn function(&self, item: Item, mark: &str) -> Result<ItemFn, Error> {
        match item {
            Item::Fn(function) => Ok(function),
            _ => Err(self.wrong(format!(
                "marks something other than a function as #[{mark}]"
            ))),
        }
    }

    /// Checks that a kernel has a specification, an algorithm and one signature.
    fn check(&self, kernel: &Kernel, isa: &Isa) -> Result<(), Error> {
        if kernel.doc.is_empty() {
            return Err(self.wrong("has no specification (an inner doc comment)".into()));
        }
        let Some(first) = kernel.algorithms.first() else {
            return Err(self.wrong(format!("has no #[algorithm] at {}", isa.name)));
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

    /// Returns the algorithm that `#![select(…)]` names for `isa`, or else for the nearest level below it.
    fn selection(&self, attrs: &[Attribute], isa: &Isa) -> Result<String, Error> {
        let select = attrs.iter().find(|attr| attr.path().is_ident("select"));
        let Some(Attribute {
            meta: Meta::List(list),
            ..
        }) = select
        else {
            return Err(self.wrong("has no #![select(level = algorithm, …)]".into()));
        };
        let pairs = by_level(list, |input| Ok(input.parse::<syn::Ident>()?.to_string()))
            .map_err(|message| self.wrong(format!("has a wrong #![select(…)]: {message}")))?;
        isa.chain()
            .find_map(|isa| pairs.get(isa.name))
            .cloned()
            .ok_or_else(|| self.wrong(format!("selects nothing for {}", isa.name)))
    }

    fn wrong(&self, message: String) -> Error {
        Error::Template {
            path: self.path.clone(),
            message,
        }
    }
}

fn invalid(message: String) -> minijinja::Error {
    minijinja::Error::new(minijinja::ErrorKind::InvalidOperation, message)
}
