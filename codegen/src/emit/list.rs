//! Files that are generated once: the list of levels, the trait over the kernels, and the registry.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::documentation::documentation;
use super::registry::algorithms;
use super::{File, TEMPLATES, cfg, cfg_text, formatted, types};
use crate::Error;
use crate::levels::{Isa, LEVELS};
use crate::signature::Parameters;
use crate::template::Kernel;

/// The list of levels, the trait, the registry's rows, and `mod.rs`.
pub(super) fn list_files(
    levels: &[(&'static Isa, Vec<Kernel>)],
    parameters: &Parameters,
) -> Result<Vec<File>, Error> {
    // Kernels have equal names, specifications and signatures at all levels.
    let kernels = &levels[0].1;
    let file = |name: &str, source: &str, doc: &str, text| File {
        path: format!("{name}.rs"),
        source: source.into(),
        doc: vec![doc.into()],
        text,
    };
    let rows = "codegen/src/levels.rs";
    Ok(vec![
        file(
            "mod",
            rows,
            "The kernels at every level.",
            formatted(modules()),
        ),
        file("levels", rows, "The list of levels.", level_list()),
        file(
            "kernels",
            TEMPLATES,
            "The trait over the kernels, implemented by the token of each level.",
            formatted(kernels_trait(kernels)),
        ),
        file(
            "registry",
            TEMPLATES,
            "Every algorithm of every kernel at every level.",
            algorithms(levels, parameters)?,
        ),
    ])
}

fn modules() -> TokenStream {
    let modules = LEVELS.iter().map(|isa| {
        let name = format_ident!("{}", isa.name);
        let cfg = isa.arch.map(|_| cfg(isa)).into_iter();
        quote! {
            #(#[cfg(#cfg)])*
            pub mod #name;
        }
    });
    quote! {
        pub(crate) mod common;
        pub(crate) mod geometry;
        mod kernels;
        #[macro_use]
        mod registry;
        #(#modules)*

        pub use kernels::Kernels;
    }
}

/// Text of the macro `for_each_level!`, with a row on each line.
fn level_list() -> String {
    let rows = LEVELS.iter().map(|isa| {
        let (name, type_name, doc) = (isa.name, isa.type_name, isa.doc);
        let features: Vec<_> = isa
            .features()
            .iter()
            .map(|one| format!("{one:?}"))
            .collect();
        let features = features.join(" ");
        let cfg = cfg_text(isa);
        format!("            {{ {name} {type_name} [{cfg}] [{features}] {doc:?} }}\n")
    });
    let rows: String = rows.collect();
    format!(
        r#"/// Calls `$callback!` with the extra tokens in braces and then a row for every level, lowest
/// first: `{{ module Type [cfg] ["feature" …] doc }}`.
#[macro_export]
macro_rules! for_each_level {{
    ($($callback:tt)::+ $(, $($extra:tt)*)?) => {{
        $($callback)::+! {{
            {{ $($($extra)*)? }}
{rows}        }}
    }};
}}
"#
    )
}

fn kernels_trait(kernels: &[Kernel]) -> TokenStream {
    let methods = kernels.iter().map(|kernel| {
        let (name, doc) = (format_ident!("{}", kernel.name), documentation(&kernel.doc));
        let signature = &kernel.algorithms[0].function.sig;
        let (inputs, output) = (&signature.inputs, &signature.output);
        quote! {
            #doc
            fn #name(self, #inputs) #output;
        }
    });
    let types = types(kernels);
    quote! {
        use crate::Isa;
        #types

        /// The kernels at the level of a token: the algorithm selected there for each.
        ///
        /// Holding a token proves that the CPU has the level, so every method is safe. All are inlined
        /// into callers that are compiled with the level's features. Only the tokens of this crate can
        /// implement the trait.
        pub trait Kernels: crate::tokens::Sealed + Copy + Send + Sync + 'static {
            /// The level.
            const ISA: Isa;
            #(#methods)*
        }
    }
}
