//! One level's file: the modules of the kernels, the trait over them, the level's part of the registry.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Item;

use super::registry::{RECORDED, argument_names};
use super::{documentation, types};
use crate::Error;
use crate::levels::Isa;
use crate::template::Kernel;
use crate::variants::{self, variants};

pub(super) fn level_file(level: &Isa, kernels: &[Kernel]) -> Result<TokenStream, Error> {
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
    let mut varied = TokenStream::new();
    for kernel in kernels {
        let all = variants(level, kernel, kernels)?;
        varied.extend(variants::module(level, kernel, &all));
    }
    let types = types(kernels);
    Ok(quote! {
        use crate::generated::Kernels;
        use crate::Isa;
        #types
        #(#modules)*
        #varied
        impl Kernels for crate::tokens::#type_name {
            const ISA: Isa = Isa::#type_name;
            #(#methods)*
        }
    })
}

/// A call of a function with the level's features from code that only holds the level's token.
pub(crate) fn proven(level: &Isa, call: TokenStream) -> TokenStream {
    if level.features.is_empty() {
        call
    } else {
        quote!(crate::level::proven!(#call))
    }
}

pub(super) fn kernel_module(level: &Isa, kernel: &Kernel) -> TokenStream {
    named_module(level, kernel, &kernel.name)
}

/// The module of a kernel, or of one composed from the parts of the kernel named `origin`.
pub(crate) fn named_module(level: &Isa, kernel: &Kernel, origin: &str) -> TokenStream {
    let name = format_ident!("{}", kernel.name);
    let doc = documentation(&kernel.doc);
    let vector = format_ident!("{}", level.name);
    let features = level.features.join(",");
    let exported = if origin == kernel.name {
        selected_of(level, kernel)
    } else {
        let selected = format_ident!("{}", kernel.selected);
        quote!(pub use #selected as selected;)
    };
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
    let origin = format_ident!("{origin}");
    let shared = (!kernel.shared.is_empty()).then(|| {
        quote! {
            #[allow(unused_imports)]
            use crate::generated::common::#origin::*;
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
            #exported
        }
    }
}

/// The algorithm that the level uses, under the name `selected`. At the level that every machine has
/// there is also a function that notes its arguments, for the trace that benches replay.
pub(super) fn selected_of(level: &Isa, kernel: &Kernel) -> TokenStream {
    let selected = format_ident!("{}", kernel.selected);
    let function = &kernel.algorithms[0].function;
    let arguments = argument_names(function);
    let recordable = arguments
        .iter()
        .all(|name| RECORDED.iter().any(|recorded| name == recorded));
    if level.arch.is_some() || !recordable {
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
