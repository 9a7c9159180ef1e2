//! `mod.rs` of the generated files: the list of levels, the trait that they answer to, the kernels.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{cfg, documentation, types};
use crate::Error;
use crate::levels::{Isa, LEVELS};
use crate::template::Kernel;
use crate::variants::{self, variants};

pub(super) fn mod_file(levels: &[(&'static Isa, Vec<Kernel>)]) -> Result<TokenStream, Error> {
    // What a kernel is, is the same at every level.
    let kernels = &levels[0].1;
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
    let (mut varied, mut walks) = (TokenStream::new(), TokenStream::new());
    for i in 0..kernels.len() {
        let mut rows = Vec::new();
        for (level, kernels) in levels {
            rows.push((*level, &kernels[i], variants(level, &kernels[i], kernels)?));
        }
        let (types, walk) = variants::list(&rows);
        varied.extend(types);
        walks.extend(walk);
    }
    let types = types(kernels);
    Ok(quote! {
        use crate::Isa;
        #types

        pub(crate) mod common;
        pub(crate) mod geometry;
        #[macro_use]
        mod registry;
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
        pub trait Kernels: Copy + Send + Sync + 'static {
            /// The level.
            const ISA: Isa;
            #(#methods)*
        }

        #walks

        /// Kernels of which each algorithm can be compiled into the search, and compared there.
        pub mod variants {
            use super::Kernels;

            /// The algorithm that each level uses.
            pub struct Selected;

            #varied
        }
    })
}
