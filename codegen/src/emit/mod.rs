//! Writing what the templates say: `common.rs` (what serves all levels), one file per level, and
//! `mod.rs` (the list of levels, the trait over them, the list of kernels).

mod level;
mod list;
mod registry;

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Item;

use crate::geometry::Geometry;
use crate::levels::{Isa, LEVELS};
use crate::template::{Kernel, Template};
use crate::{Error, constants};
use level::{kernel_module, level_file};
pub(crate) use level::{named_module, proven};
use list::mod_file;
pub(crate) use registry::argument_names;

/// Where most of the generated files come from.
const TEMPLATES: &str = "codegen/templates";

/// All generated files, by name.
pub struct Files {
    /// Those of the kernels.
    pub kernels: BTreeMap<String, String>,
    /// Those of the checker.
    pub checker: BTreeMap<String, String>,
}

/// What the templates say. `references` is the text of the checker's `reference.rs`.
pub fn files(
    templates: &[Template],
    references: &str,
    geometries: &[Geometry],
) -> Result<Files, Error> {
    let mut files = BTreeMap::new();
    let mut levels = Vec::new();
    let mut shared: BTreeMap<String, Vec<Item>> = BTreeMap::new();
    for level in LEVELS {
        let kernels = templates
            .iter()
            .map(|template| template.kernel(level))
            .collect::<Result<Vec<_>, _>>()?;
        for kernel in &kernels {
            let items = shared.entry(kernel.name.clone()).or_default();
            for item in &kernel.shared {
                if !items.contains(item) {
                    items.push(item.clone());
                }
            }
        }
        let about = format!("The kernels at level {}: {}", level.name, level.doc);
        files.insert(
            format!("{}.rs", level.name),
            print(&about, TEMPLATES, level_file(level, &kernels)?),
        );
        levels.push((level, kernels));
    }
    files.insert(
        "common.rs".into(),
        print(
            "What the kernels share at all levels.",
            TEMPLATES,
            common_file(&shared),
        ),
    );
    let about = "The levels, the trait that they answer to, and the kernels.";
    files.insert("mod.rs".into(), print(about, TEMPLATES, mod_file(&levels)?));
    let about = "Every algorithm of every kernel at every level, for the registry and for whoever stamps more.";
    files.insert(
        "registry.rs".into(),
        head(about, TEMPLATES) + &registry::algorithms(&levels),
    );
    let about = "The geometries as constants, for the kernels.";
    let constants = print(about, "kernels/geometries", constants::file(geometries));
    files.insert("geometry.rs".into(), constants);
    // What a kernel is, is the same at every level.
    let kernels = registry::kernels(&levels[0].1, references)?;
    let about = "The kernels and their references.";
    let checker = BTreeMap::from([("mod.rs".into(), print(about, TEMPLATES, kernels))]);
    Ok(Files {
        kernels: files,
        checker,
    })
}

/// What one template becomes at one level: the module of its kernel.
pub fn module(template: &Template, level: &'static Isa) -> Result<String, Error> {
    let kernel = template.kernel(level)?;
    let file = syn::parse2(kernel_module(level, &kernel)).expect("assembled from parsed items");
    Ok(prettyplease::unparse(&file))
}

/// The head of a file.
fn head(about: &str, source: &str) -> String {
    format!(
        "//! {about}\n//!\n//! Written by `cargo run -p outflank-codegen` from {source}; do not edit.\n\n"
    )
}

/// Formats a file and puts its head on.
fn print(about: &str, source: &str, tokens: TokenStream) -> String {
    let file = syn::parse2(tokens).expect("assembled from parsed items");
    let mut text = head(about, source);
    // A blank line before each item that begins a paragraph: prettyplease leaves none.
    let mut before = String::new();
    for line in prettyplease::unparse(&file).lines() {
        let begins = line.trim_start();
        let starts = [
            "///",
            "#[",
            "pub ",
            "fn ",
            "impl ",
            "static ",
            "const ",
            "pub(crate) ",
        ]
        .iter()
        .any(|start| begins.starts_with(start));
        if starts && (before.trim() == "}" || before.trim() == "};" || before.trim() == "];") {
            text.push('\n');
        }
        text.push_str(line);
        text.push('\n');
        before = line.to_owned();
    }
    text
}

pub(crate) fn documentation(lines: &[String]) -> TokenStream {
    lines
        .iter()
        .map(|line| {
            let line = if line.is_empty() {
                String::new()
            } else {
                format!(" {line}")
            };
            quote!(#[doc = #line])
        })
        .collect()
}

/// What `#[cfg]` must say for the level's code to compile.
pub(crate) fn cfg(level: &Isa) -> TokenStream {
    match level.arch {
        Some(arch) => quote!(target_arch = #arch),
        None => quote!(all()),
    }
}

fn common_file(shared: &BTreeMap<String, Vec<Item>>) -> TokenStream {
    let modules = shared
        .iter()
        .filter(|(_, items)| !items.is_empty())
        .map(|(name, items)| {
            let (module, about) = (
                format_ident!("{name}"),
                format!(" Tables and helpers of the kernel `{name}`."),
            );
            quote! {
                #[doc = #about]
                pub(crate) mod #module {
                    #(#items)*
                }
            }
        });
    quote! {
        #![allow(dead_code, reason = "an item may serve only the levels of another architecture")]
        #(#modules)*
    }
}

/// Imports the crate's own types that the kernels' signatures name.
fn types(kernels: &[Kernel]) -> TokenStream {
    let names = ["Block", "Features", "Weights"].into_iter().filter(|name| {
        kernels.iter().any(|kernel| {
            let signature = &kernel.algorithms[0].function.sig;
            let mut words = quote!(#signature).to_string();
            words.retain(|c| c.is_alphanumeric() || c == ' ');
            words.split(' ').any(|word| word == *name)
        })
    });
    let names = names.map(|name| format_ident!("{name}"));
    quote!(#(use crate::#names;)*)
}
