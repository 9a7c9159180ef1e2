//! One level's files: the modules of the kernels and the trait over them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Item, ItemFn};

use super::registry::{RECORDED, argument_names};
use super::{File, TEMPLATES, formatted, source, types};
use crate::levels::Isa;
use crate::template::Kernel;

/// The files of one level, in its folder: a module for each kernel, and `mod.rs` with the trait over them.
pub(super) fn level_files(isa: &Isa, kernels: &[Kernel]) -> Vec<File> {
    let place = |name: &str| format!("{}/{name}.rs", isa.name);
    let at = format!("for the level {}", isa.name);
    let mut files = Vec::new();
    let mut modules = Vec::new();
    for kernel in kernels {
        modules.push(format_ident!("{}", kernel.name));
        files.push(File {
            path: place(&kernel.name),
            source: format!("{} {at}", source(kernel)),
            doc: kernel.doc.clone(),
            text: formatted(kernel_items(isa, kernel)),
        });
    }
    let (kernels, level_doc) = (implementation(isa, kernels), isa.doc);
    files.push(File {
        path: place("mod"),
        source: format!("{TEMPLATES} {at}"),
        doc: vec![format!("The kernels at level {}: {level_doc}", isa.name)],
        text: formatted(quote! {
            #(pub mod #modules;)*

            #kernels
        }),
    });
    files
}

/// The trait over the kernels, implemented by the level's token.
fn implementation(isa: &Isa, kernels: &[Kernel]) -> TokenStream {
    let type_name = format_ident!("{}", isa.type_name);
    let methods = kernels.iter().map(|kernel| {
        let (name, signature) = (
            format_ident!("{}", kernel.name),
            &kernel.algorithms[0].function.sig,
        );
        let (inputs, output) = (&signature.inputs, &signature.output);
        let arguments = argument_names(&kernel.algorithms[0].function);
        let call = proven(isa, quote!(#name::selected(#(#arguments),*)));
        quote! {
            #[inline(always)]
            fn #name(self, #inputs) #output {
                #call
            }
        }
    });
    let types = types(kernels);
    quote! {
        use crate::Isa;
        use crate::generated::Kernels;
        #types

        impl Kernels for crate::tokens::#type_name {
            const ISA: Isa = Isa::#type_name;
            #(#methods)*
        }
    }
}

/// A call of a function with the level's features from code that only holds the level's token.
fn proven(isa: &Isa, call: TokenStream) -> TokenStream {
    if isa.features().is_empty() {
        call
    } else {
        quote!(crate::isa::proven!(#call))
    }
}

/// What is in the module of a kernel at a level.
fn kernel_items(isa: &Isa, kernel: &Kernel) -> TokenStream {
    let vector = format_ident!("{}", isa.name);
    let exported = selected_of(isa, kernel);
    let items = kernel.items.iter().map(|item| match item {
        Item::Fn(function) => compiled_for(isa, kernel, function),
        item => quote!(#item),
    });
    let shared = (!kernel.shared.is_empty()).then(|| {
        let name = format_ident!("{}", kernel.name);
        quote! {
            #[allow(unused_imports)]
            use crate::generated::common::#name::*;
        }
    });
    let types = types(std::slice::from_ref(kernel));
    quote! {
        #shared
        #[allow(unused_imports)]
        use crate::vector::#vector::*;
        #types

        #(#items)*
        #exported
    }
}

/// A function of a kernel with the level's features, public and with its safety said where it is an
/// algorithm.
fn compiled_for(isa: &Isa, kernel: &Kernel, function: &ItemFn) -> TokenStream {
    let mut function = function.clone();
    let is_algorithm = kernel
        .algorithms
        .iter()
        .any(|algorithm| function.sig.ident == algorithm.name);
    let features = isa.features().join(",");
    if is_algorithm {
        function.vis = syn::parse_quote!(pub);
        if !features.is_empty() {
            let safety = format!(
                " The CPU has the level {}, unless the caller is compiled for it.",
                isa.name
            );
            let doc = [String::new(), " # Safety".into(), safety];
            function
                .attrs
                .extend(doc.map(|line| syn::parse_quote!(#[doc = #line])));
        }
    }
    function.attrs.push(syn::parse_quote!(#[inline]));
    if !features.is_empty() {
        function
            .attrs
            .push(syn::parse_quote!(#[target_feature(enable = #features)]));
    }
    quote!(#function)
}

/// The algorithm that the level uses, under the name `selected`. At the level that every machine has
/// there is also a function that notes its arguments, for the trace that benches replay.
fn selected_of(isa: &Isa, kernel: &Kernel) -> TokenStream {
    let selected = format_ident!("{}", kernel.selected);
    let function = &kernel.algorithms[0].function;
    let arguments = argument_names(function);
    let recordable = arguments
        .iter()
        .all(|name| RECORDED.iter().any(|recorded| name == recorded));
    if isa.arch.is_some() || !recordable {
        return quote!(pub use #selected as selected;);
    }
    let name = format_ident!("{}", kernel.name);
    let (inputs, output) = (&function.sig.inputs, &function.sig.output);
    quote! {
        #[cfg(not(feature = "record"))]
        pub use #selected as selected;

        #[doc = " The algorithm used, its arguments noted."]
        #[cfg(feature = "record")]
        #[inline]
        pub fn selected(#inputs) #output {
            crate::record::note!(#name, #(#arguments),*);
            #selected(#(#arguments),*)
        }
    }
}
