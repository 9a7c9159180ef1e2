//! Writing what the templates say: `common.rs` (what serves all levels), one file per level, and
//! `mod.rs` (the list of levels, the trait over them, the list of kernels).

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{FnArg, Item, ItemFn, Pat, ReturnType};

use crate::geometry::Geometry;
use crate::levels::{LEVELS, Level};
use crate::template::{Algorithm, Kernel, Template};
use crate::{Error, constants};

/// The parameters that a kernel or its reference may have, with their types.
const PARAMETERS: &[(&str, &str)] = &[
    ("square", "usize"),
    ("player", "u64"),
    ("opponent", "u64"),
    ("alpha", "i32"),
    ("squares", "u32"),
    ("memory", "& mut [Block]"),
    ("pattern", "[u64 ; 4]"),
    ("flipped", "u64"),
    ("features", "& Features"),
    ("moved", "& Features"),
    ("after", "& mut Features"),
    ("weights", "& Weights"),
];

/// Those of which there is one for each geometry: an input has them under the parameter's name with
/// the geometry's suffix.
const OF_A_GEOMETRY: &[&str] = &["features", "moved"];

/// Where most of the generated files come from.
const TEMPLATES: &str = "codegen/templates";

/// All generated files, by name.
pub fn files(
    templates: &[Template],
    references: &str,
    geometries: &[Geometry],
) -> Result<BTreeMap<String, String>, Error> {
    let mut files = BTreeMap::new();
    let mut base = Vec::new();
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
            print(&about, TEMPLATES, level_file(level, &kernels)),
        );
        if base.is_empty() {
            base = kernels;
        }
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
    files.insert(
        "mod.rs".into(),
        print(about, TEMPLATES, mod_file(&base, references)?),
    );
    let about = "The geometries as constants, for the kernels.";
    let constants = print(about, "kernels/geometries", constants::file(geometries));
    files.insert("geometry.rs".into(), constants);
    Ok(files)
}

/// What one template becomes at one level: the module of its kernel.
pub fn module(template: &Template, level: &'static Level) -> Result<String, Error> {
    let kernel = template.kernel(level)?;
    let file = syn::parse2(kernel_module(level, &kernel)).expect("assembled from parsed items");
    Ok(prettyplease::unparse(&file))
}

/// Formats a file and puts its head on.
fn print(about: &str, source: &str, tokens: TokenStream) -> String {
    let file = syn::parse2(tokens).expect("assembled from parsed items");
    let mut text = format!(
        "//! {about}\n//!\n//! Written by `cargo run -p outflank-codegen` from {source}; do not \
         edit.\n\n"
    );
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
fn cfg(level: &Level) -> TokenStream {
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

fn level_file(level: &Level, kernels: &[Kernel]) -> TokenStream {
    let modules = kernels.iter().map(|kernel| kernel_module(level, kernel));
    let type_name = format_ident!("{}", level.type_name);
    let methods = kernels.iter().map(|kernel| {
        let (name, signature) = (
            format_ident!("{}", kernel.name),
            &kernel.algorithms[0].function.sig,
        );
        let (inputs, output) = (&signature.inputs, &signature.output);
        let arguments = argument_names(&kernel.algorithms[0].function);
        let call = proven(level, quote!(#name::selected(#(#arguments),*)));
        quote! {
            #[inline(always)]
            fn #name(self, #inputs) #output {
                #call
            }
        }
    });
    let entries = kernels.iter().flat_map(|kernel| {
        kernel
            .algorithms
            .iter()
            .map(|algorithm| registry_entry(level, kernel, algorithm))
    });
    let types = types(kernels);
    quote! {
        use crate::generated::Isa;
        use crate::Level;
        use crate::registry::Entry;
        use crate::trace::entry;
        #types
        #(#modules)*
        impl Isa for crate::tokens::#type_name {
            const LEVEL: Level = Level::#type_name;
            #(#methods)*
        }
        /// Every algorithm of every kernel at this level.
        pub(crate) static ENTRIES: &[Entry] = &[#(#entries),*];
    }
}

/// A call of a function with the level's features from code that only holds the level's token.
fn proven(level: &Level, call: TokenStream) -> TokenStream {
    if level.features.is_empty() {
        call
    } else {
        quote!(crate::level::proven!(#call))
    }
}

fn kernel_module(level: &Level, kernel: &Kernel) -> TokenStream {
    let name = format_ident!("{}", kernel.name);
    let doc = documentation(&kernel.doc);
    let vector = format_ident!("{}", level.name);
    let features = level.features.join(",");
    let selected = format_ident!("{}", kernel.selected);
    let items = kernel.items.iter().map(|item| {
        let Item::Fn(function) = item else {
            return quote!(#item);
        };
        let mut function = function.clone();
        let is_algorithm = kernel
            .algorithms
            .iter()
            .any(|algorithm| function.sig.ident == algorithm.name);
        let has_features = !level.features.is_empty();
        if is_algorithm {
            function.vis = syn::parse_quote!(pub);
            if has_features {
                let safety = format!(
                    " The CPU has the level {}, unless the caller is compiled for it.",
                    level.name
                );
                let doc = [String::new(), " # Safety".into(), safety];
                function
                    .attrs
                    .extend(doc.map(|line| syn::parse_quote!(#[doc = #line])));
            }
        }
        function.attrs.push(syn::parse_quote!(#[inline]));
        if has_features {
            function
                .attrs
                .push(syn::parse_quote!(#[target_feature(enable = #features)]));
        }
        quote!(#function)
    });
    let shared = (!kernel.shared.is_empty()).then(|| {
        quote! {
            #[allow(unused_imports)]
            use crate::generated::common::#name::*;
        }
    });
    let types = types(std::slice::from_ref(kernel));
    quote! {
        #doc
        pub mod #name {
            #shared
            #[allow(unused_imports)]
            use crate::vector::#vector::*;
            #types
            #(#items)*
            pub use #selected as selected;
        }
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

/// Where a kernel's answer goes: the word for it in the registry's rows.
fn kind(function: &ItemFn) -> &'static str {
    let takes = |parameter: &str| {
        argument_names(function)
            .iter()
            .any(|name| name == parameter)
    };
    if takes("memory") {
        "fills"
    } else if takes("after") {
        "writes"
    } else {
        "returns"
    }
}

/// The row of one algorithm in the registry.
fn registry_entry(level: &Level, kernel: &Kernel, algorithm: &Algorithm) -> TokenStream {
    let module = format_ident!("{}", kernel.name);
    let function = format_ident!("{}", algorithm.name);
    let type_name = format_ident!("{}", level.type_name);
    let selected = kernel.selected == algorithm.name;
    let shape = algorithm.shape.iter().map(|shape| {
        let (bound, instructions) = (shape.bound, &shape.instructions);
        quote!(#bound #(#instructions)*)
    });
    let features = (!level.features.is_empty()).then(|| level.features.join(","));
    let features = features.iter();
    let signature = &kernel.algorithms[0].function;
    let (kind, names) = (
        format_ident!("{}", kind(signature)),
        input_names(kernel, signature),
    );
    let types = signature
        .sig
        .inputs
        .iter()
        .filter_map(|input| Some(argument(input)?.1));
    let output = &signature.sig.output;
    quote! {
        entry!(
            #kind #module::#function, #type_name, #selected, [#(#features)*],
            fn(#(#types),*) #output, (#(#names),*), [#(#shape)*]
        )
    }
}

fn argument_names(function: &ItemFn) -> Vec<syn::Ident> {
    function
        .sig
        .inputs
        .iter()
        .filter_map(|input| Some(argument(input)?.0))
        .collect()
}

/// The arguments of a kernel's algorithm or reference, by the names that an input has them under.
fn input_names(kernel: &Kernel, function: &ItemFn) -> Vec<syn::Ident> {
    let suffixed = |name: syn::Ident| match OF_A_GEOMETRY.iter().any(|one| name == one) {
        true => format_ident!("{name}{}", kernel.suffix),
        false => name,
    };
    argument_names(function).into_iter().map(suffixed).collect()
}

fn argument(input: &FnArg) -> Option<(syn::Ident, &syn::Type)> {
    match input {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) => Some((name.ident.clone(), &*typed.ty)),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

fn mod_file(kernels: &[Kernel], references: &str) -> Result<TokenStream, Error> {
    let modules = LEVELS.iter().map(|level| {
        let name = format_ident!("{}", level.name);
        let cfg = level.arch.map(|_| cfg(level)).into_iter();
        quote! {
            #(#[cfg(#cfg)])*
            pub mod #name;
        }
    });
    let tokens = LEVELS.iter().map(|level| {
        let type_name = format_ident!("{}", level.type_name);
        let token: syn::Path = syn::parse_str(level.token).expect("a path in the list of levels");
        let cfg = level.arch.map(|_| cfg(level)).into_iter();
        quote! {
            #(#[cfg(#cfg)])*
            pub use #token as #type_name;
        }
    });
    let rows = LEVELS.iter().map(|level| {
        let (name, type_name, cfg) = (
            format_ident!("{}", level.name),
            format_ident!("{}", level.type_name),
            cfg(level),
        );
        let doc = level.doc;
        let features = (!level.features.is_empty()).then(|| level.features.join(","));
        let features = features.iter();
        quote!({ #name #type_name [#cfg] [#(#features)*] #doc })
    });
    let methods = kernels.iter().map(|kernel| {
        let (name, doc) = (format_ident!("{}", kernel.name), documentation(&kernel.doc));
        let signature = &kernel.algorithms[0].function.sig;
        let (inputs, output) = (&signature.inputs, &signature.output);
        quote! {
            #doc
            fn #name(self, #inputs) #output;
        }
    });
    let known = syn::parse_file(references).map_err(|error| Error::Parse {
        path: "reference.rs".into(),
        level: "reference",
        text: String::new(),
        message: error.to_string(),
    })?;
    let listed = kernels
        .iter()
        .map(|kernel| kernel_row(kernel, &known))
        .collect::<Result<Vec<_>, _>>()?;
    let types = types(kernels);
    Ok(quote! {
        use crate::Level;
        use crate::registry::Kernel;
        #types

        pub(crate) mod common;
        pub(crate) mod geometry;
        #(#modules)*

        /// The token of each level of this architecture.
        pub mod tokens {
            #(#tokens)*
        }

        /// Calls `$callback!` with the extra tokens in braces and then a row for every level, lowest
        /// first: `{ module Type [cfg] [features] doc }`, the features absent where there are none.
        #[macro_export]
        macro_rules! for_each_level {
            ($($callback:tt)::+ $(, $($extra:tt)*)?) => {
                $($callback)::+! { { $($($extra)*)? } #(#rows)* }
            };
        }

        /// The kernels at the level of a token: the algorithm selected there for each.
        ///
        /// Holding a token proves that the CPU has the level, so every method is safe. All are inlined
        /// into callers that are compiled with the level's features.
        pub trait Isa: Copy + Send + Sync + 'static {
            /// The level.
            const LEVEL: Level;
            #(#methods)*
        }

        /// Every kernel with its reference.
        pub(crate) static KERNELS: &[Kernel] = &[#(#listed),*];
    })
}

/// The row of a kernel: its name, its specification, its reference.
fn kernel_row(kernel: &Kernel, references: &syn::File) -> Result<TokenStream, Error> {
    let function = &kernel.algorithms[0].function;
    let wrong = |message: String| Error::Template {
        path: kernel.path.clone(),
        message,
    };
    check_parameters(function).map_err(wrong)?;
    if matches!(function.sig.output, ReturnType::Default) && kind(function) == "returns" {
        return Err(wrong("neither returns nor writes anything".into()));
    }
    let (name, ident) = (&kernel.name, format_ident!("{}", kernel.name));
    let listed = references.items.iter().find_map(|item| match item {
        Item::Fn(function) if function.sig.ident == ident => Some(function),
        _ => None,
    });
    let (path, reference) = match (&kernel.reference, listed) {
        (Some(own), None) => (quote!(common::#ident::reference), own),
        (None, Some(listed)) => (quote!(crate::reference::#ident), listed),
        (Some(_), Some(_)) => {
            return Err(wrong(
                "has a reference of its own and one in reference.rs".into(),
            ));
        }
        (None, None) => {
            return Err(wrong(
                "has no reference: reference.rs has none of its name".into(),
            ));
        }
    };
    check_parameters(reference).map_err(wrong)?;
    let (kind, names) = (
        format_ident!("{}", kind(reference)),
        input_names(kernel, reference),
    );
    let doc = kernel.doc.join("\n");
    Ok(quote! {
        Kernel {
            name: #name,
            doc: #doc,
            reference: |input| crate::trace::run!(#kind [#path], input, (#(#names),*)),
        }
    })
}

/// Whether an input has all that the function takes; what it lacks, if not.
fn check_parameters(function: &ItemFn) -> Result<(), String> {
    for input in &function.sig.inputs {
        let known = argument(input).is_some_and(|(name, ty)| {
            let ty = quote!(#ty).to_string();
            PARAMETERS.iter().any(|&(known, known_type)| {
                name == known && ty.replace("crate :: ", "") == known_type
            })
        });
        if !known {
            let shown = quote!(#input);
            let all: Vec<_> = PARAMETERS
                .iter()
                .map(|(name, ty)| format!("{name}: {ty}"))
                .collect();
            return Err(format!("takes `{shown}`; possible: {}", all.join(", ")));
        }
    }
    Ok(())
}
