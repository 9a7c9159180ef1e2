//! The variants of a kernel: each of its algorithms as a type, so that whole functions of the search
//! can be compiled once with each and their times compared (as a table of Okuhara's Edax AVX does).
//!
//! Which kernel has them its template says: `#![variants(a = other)]`. The algorithm `a` is there once
//! for each algorithm of the kernel `other`, which it otherwise calls as `super::other::selected`.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{Item, Path};

use crate::Error;
use crate::emit::{argument_names, cfg, documentation, kernel_items, proven};
use crate::levels::Isa;
use crate::template::{Algorithm, Kernel};

/// One variant of a kernel at a level.
pub struct Variant {
    /// What lists and tables call it: `count+movemask`.
    pub name: String,
    /// The name of its type.
    type_name: syn::Ident,
    /// Whether it is what the level uses.
    pub selected: bool,
    /// The function, seen from the module of the variants.
    function: TokenStream,
    /// The kernel composed for it, where it is none of the algorithms as they are.
    composed: Option<Kernel>,
}

/// The variants of `kernel`, which is one of `kernels`, all at `isa`; none where its template asks
/// for none.
pub fn variants(isa: &Isa, kernel: &Kernel, kernels: &[Kernel]) -> Result<Vec<Variant>, Error> {
    let Some(varied) = &kernel.variants else {
        return Ok(Vec::new());
    };
    let wrong = |message: String| Error::Template {
        path: kernel.path.clone(),
        message: format!("varies {message} at {}", isa.name),
    };
    if let Some(unknown) = varied
        .keys()
        .find(|name| kernel.algorithms.iter().all(|one| one.name != **name))
    {
        return Err(wrong(format!("'{unknown}', which does not exist")));
    }
    let mut all = Vec::new();
    for algorithm in &kernel.algorithms {
        let is_selected = kernel.selected == algorithm.name;
        let Some(other) = varied.get(&algorithm.name) else {
            let (module, function) = (
                format_ident!("{}", kernel.name),
                format_ident!("{}", algorithm.name),
            );
            all.push(Variant {
                name: algorithm.name.clone(),
                type_name: type_name(&[&algorithm.name]),
                selected: is_selected,
                function: quote!(super::#module::#function),
                composed: None,
            });
            continue;
        };
        let Some(inner) = kernels.iter().find(|one| one.name == *other) else {
            return Err(wrong(format!(
                "'{}' by a kernel '{other}', which does not exist",
                algorithm.name
            )));
        };
        for choice in &inner.algorithms {
            let Some(composed) = compose(kernel, algorithm, other, choice) else {
                return Err(wrong(format!(
                    "'{}', which does not call super::{other}::selected",
                    algorithm.name
                )));
            };
            let module = format_ident!("{}", composed.name);
            all.push(Variant {
                name: format!("{}+{}", algorithm.name, choice.name),
                type_name: type_name(&[&algorithm.name, &choice.name]),
                selected: is_selected && inner.selected == choice.name,
                function: quote!(#module::selected),
                composed: Some(composed),
            });
        }
    }
    Ok(all)
}

/// Several names in snake case as the name of a type.
fn type_name(names: &[&str]) -> syn::Ident {
    let words = names.iter().flat_map(|name| name.split('_'));
    let name: String = words
        .map(|word| {
            let (first, rest) = word.split_at(word.len().min(1));
            first.to_uppercase() + rest
        })
        .collect();
    format_ident!("{name}")
}

/// `algorithm` of `kernel`, with the functions that it reaches, calling `choice` where it calls
/// `super::other::selected`; `None` where it never does.
fn compose(
    kernel: &Kernel,
    algorithm: &Algorithm,
    other: &str,
    choice: &Algorithm,
) -> Option<Kernel> {
    let mut call = Redirected {
        other,
        to: &choice.name,
        found: false,
    };
    let mut composed = kernel.clone();
    composed.name = format!("{}_{}", algorithm.name, choice.name);
    composed.doc = vec![format!(
        "`{}` on `{other}::{}`.",
        algorithm.name, choice.name
    )];
    composed.algorithms = vec![algorithm.clone()];
    composed.selected = algorithm.name.clone();
    let reached = reached(kernel, &algorithm.name);
    composed
        .items
        .retain(|item| !matches!(item, Item::Fn(f) if !reached.contains(&f.sig.ident.to_string())));
    for item in &mut composed.items {
        call.visit_item_mut(item);
    }
    call.found.then_some(composed)
}

/// The names of a function of `kernel` and of all that it calls, and more: every name that these use.
fn reached(kernel: &Kernel, function: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::from([function.to_owned()]);
    loop {
        let before = names.len();
        for item in &kernel.items {
            if let Item::Fn(function) = item
                && names.contains(&function.sig.ident.to_string())
            {
                add_names(quote!(#function), &mut names);
            }
        }
        if names.len() == before {
            return names;
        }
    }
}

fn add_names(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                names.insert(name.to_string());
            }
            TokenTree::Group(group) => add_names(group.stream(), names),
            _ => {}
        }
    }
}

/// Turns each path that ends with `other::selected` to another function there.
struct Redirected<'a> {
    other: &'a str,
    to: &'a str,
    found: bool,
}

impl VisitMut for Redirected<'_> {
    fn visit_path_mut(&mut self, path: &mut Path) {
        let mut last = path.segments.iter_mut().rev();
        if let (Some(function), Some(module)) = (last.next(), last.next())
            && function.ident == "selected"
            && module.ident == self.other
        {
            function.ident = format_ident!("{}", self.to);
            self.found = true;
        }
        syn::visit_mut::visit_path_mut(self, path);
    }
}

/// What is in the module of a kernel's variants at a level.
pub(crate) fn module(isa: &Isa, kernel: &Kernel, variants: &[Variant]) -> TokenStream {
    let composed = variants.iter().filter_map(|variant| {
        let composed = variant.composed.as_ref()?;
        let (name, doc) = (
            format_ident!("{}", composed.name),
            documentation(&composed.doc),
        );
        let items = kernel_items(isa, composed, &kernel.name);
        Some(quote! {
            #doc
            pub mod #name {
                #items
            }
        })
    });
    let (token, trait_name) = (
        format_ident!("{}", isa.type_name),
        type_name(&[&kernel.name]),
    );
    let types = variants.iter().map(|variant| {
        let (type_name, doc) = (&variant.type_name, format!(" `{}`.", variant.name));
        let name = format_ident!("{}", kernel.name);
        let signature = &kernel.algorithms[0].function.sig;
        let (inputs, output) = (&signature.inputs, &signature.output);
        let (function, arguments) = (
            &variant.function,
            argument_names(&kernel.algorithms[0].function),
        );
        let call = proven(isa, quote!(#function(#(#arguments),*)));
        quote! {
            #[doc = #doc]
            pub struct #type_name;

            impl crate::variants::#trait_name<crate::tokens::#token> for #type_name {
                #[inline(always)]
                fn #name(_: crate::tokens::#token, #inputs) #output {
                    #call
                }
            }
        }
    });
    let arguments = crate::emit::types(std::slice::from_ref(kernel));
    quote! {
        #![allow(dead_code, unused_imports, reason = "a variant may need a part of its kernel only")]
        use super::*;
        #arguments
        #(#composed)*
        #(#types)*
    }
}

/// The name of the module of a kernel's variants.
pub(crate) fn module_name(kernel: &Kernel) -> syn::Ident {
    format_ident!("{}_variants", kernel.name)
}

/// A kernel that has variants: the trait that they answer to and the macro that walks over them, given
/// the kernel at every level.
pub fn list(levels: &[(&Isa, &Kernel, Vec<Variant>)]) -> (TokenStream, TokenStream) {
    let Some((_, kernel, _)) = levels.iter().find(|(_, _, all)| !all.is_empty()) else {
        return Default::default();
    };
    let (trait_name, name) = (type_name(&[&kernel.name]), format_ident!("{}", kernel.name));
    let signature = &kernel.algorithms[0].function.sig;
    let (inputs, output) = (&signature.inputs, &signature.output);
    let arguments = argument_names(&kernel.algorithms[0].function);
    let about = format!(
        " A way to compute [`Kernels::{}`](crate::Kernels::{}) at the level of the token `I`.",
        kernel.name, kernel.name
    );
    let method = format!(
        " As [`Kernels::{}`](crate::Kernels::{}).",
        kernel.name, kernel.name
    );
    let types = quote! {
        #[doc = #about]
        pub trait #trait_name<I: Kernels>: 'static {
            #[doc = #method]
            fn #name(isa: I, #inputs) #output;
        }

        impl<I: Kernels> #trait_name<I> for Selected {
            #[inline(always)]
            fn #name(isa: I, #inputs) #output {
                isa.#name(#(#arguments),*)
            }
        }
    };
    let rows = levels.iter().map(|(isa, kernel, variants)| {
        let (module, token, cfg) = (
            format_ident!("{}", isa.name),
            format_ident!("{}", isa.type_name),
            cfg(isa),
        );
        let inner = module_name(kernel);
        let variants = variants.iter().map(|variant| {
            let (type_name, name, selected) = (&variant.type_name, &variant.name, variant.selected);
            quote!({ #type_name #name #selected })
        });
        quote!({ #module::#inner #token [#cfg] #(#variants)* })
    });
    let walk = format_ident!("for_each_{}", kernel.name);
    let about = format!(
        " Calls `$callback!` with the extra tokens in braces and then a row for every level, lowest\n \
         first: `{{ module::module Type [cfg] {{ Variant name selected }} … }}`, the variants of `{}`\n \
         being types in that module of [`levels`](crate::levels).",
        kernel.name
    );
    let about = about.split('\n');
    let walk = quote! {
        #(#[doc = #about])*
        #[doc(hidden)]
        #[macro_export]
        macro_rules! #walk {
            ($($callback:tt)::+ $(, $($extra:tt)*)?) => {
                $($callback)::+! { { $($($extra)*)? } #(#rows)* }
            };
        }
    };
    (types, walk)
}
