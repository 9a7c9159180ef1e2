//! Files of one level: the modules of its kernels and the trait over them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Item, ItemFn};

use super::usage::Usage;
use super::{File, TEMPLATES, formatted, source, types};
use crate::levels::Isa;
use crate::signature::{Parameters, argument_names};
use crate::template::Kernel;

/// The files in the folder of a level: a module for each kernel, and `mod.rs` with the trait over them.
pub(super) fn level_files(isa: &Isa, kernels: &[Kernel], parameters: &Parameters) -> Vec<File> {
    let usage = Usage::of_level(kernels);
    let path = |name: &str| format!("{}/{name}.rs", isa.name);
    let for_level = format!("for the level {}", isa.name);
    let mut files = Vec::new();
    let mut modules = Vec::new();
    for kernel in kernels {
        modules.push(format_ident!("{}", kernel.name));
        files.push(File {
            path: path(&kernel.name),
            source: format!("{} {for_level}", source(kernel)),
            doc: kernel.doc.clone(),
            text: formatted(kernel_items(isa, kernel, parameters, &usage)),
        });
    }
    let (kernels, level_doc) = (implementation(isa, kernels), isa.doc);
    files.push(File {
        path: path("mod"),
        source: format!("{TEMPLATES} {for_level}"),
        doc: vec![format!("The kernels at level {}: {level_doc}", isa.name)],
        text: formatted(quote! {
            #(pub mod #modules;)*

            #kernels
        }),
    });
    files
}

/// Implements the trait over the kernels for the level's token.
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

/// Wraps the call of a function that has the level's features. The calling code has the level's token, but not
/// its features.
fn proven(isa: &Isa, call: TokenStream) -> TokenStream {
    if isa.features().is_empty() {
        call
    } else {
        quote!(crate::isa::proven!(#call))
    }
}

/// The items of a kernel's module at a level.
fn kernel_items(isa: &Isa, kernel: &Kernel, parameters: &Parameters, usage: &Usage) -> TokenStream {
    let vector = format_ident!("{}", isa.name);
    let exported = selected_of(isa, kernel, parameters);
    let items = kernel.items.iter().map(|item| {
        let cfg = usage.attribute(kernel, item);
        match item {
            Item::Fn(function) => compiled_for(isa, kernel, function, cfg),
            item => quote!(#cfg #item),
        }
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

/// A function of a kernel with the level's features. An algorithm becomes public and documents its safety.
fn compiled_for(
    isa: &Isa,
    kernel: &Kernel,
    function: &ItemFn,
    cfg: Option<TokenStream>,
) -> TokenStream {
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
    if let Some(cfg) = cfg {
        function.attrs.push(syn::parse_quote!(#cfg));
    }
    function.attrs.push(syn::parse_quote!(#[inline]));
    if !features.is_empty() {
        function
            .attrs
            .push(syn::parse_quote!(#[target_feature(enable = #features)]));
    }
    quote!(#function)
}

/// Exports the level's algorithm under the name `selected`. With the feature `record`, the export of the portable
/// level also reports its arguments, from which traces are recorded.
fn selected_of(isa: &Isa, kernel: &Kernel, parameters: &Parameters) -> TokenStream {
    let selected = format_ident!("{}", kernel.selected);
    let function = &kernel.algorithms[0].function;
    let arguments = argument_names(function);
    if isa.arch.is_some() || !parameters.are_recorded(function) {
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
