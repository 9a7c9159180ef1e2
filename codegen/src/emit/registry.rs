//! The registry's rows: what a kernel takes and gives, from its signature.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{FnArg, Item, ItemFn, Pat, ReturnType};

use crate::Error;
use crate::levels::Isa;
use crate::template::{Algorithm, Kernel};

/// The parameters that a kernel or its reference may have, with their types.
pub(super) const PARAMETERS: &[(&str, &str)] = &[
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

/// Those that a recorded trace keeps; the others follow from them.
pub(super) const RECORDED: &[&str] = &["square", "player", "opponent", "alpha", "squares"];

/// Those of which there is one for each geometry: an input has them under the parameter's name with
/// the geometry's suffix.
pub(super) const OF_A_GEOMETRY: &[&str] = &["features", "moved"];

/// Where a kernel's answer goes: the word for it in the registry's rows.
pub(super) fn kind(function: &ItemFn) -> &'static str {
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
pub(super) fn registry_entry(level: &Isa, kernel: &Kernel, algorithm: &Algorithm) -> TokenStream {
    let module = format_ident!("{}", kernel.name);
    let function = format_ident!("{}", algorithm.name);
    let type_name = format_ident!("{}", level.type_name);
    let selected = kernel.selected == algorithm.name;
    let shape = algorithm.shape.iter().map(|shape| {
        let (bound, instructions) = (shape.bound, &shape.instructions);
        quote!(#bound #(#instructions)*)
    });
    let features = (!level.features().is_empty()).then(|| level.features().join(","));
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

pub(crate) fn argument_names(function: &ItemFn) -> Vec<syn::Ident> {
    function
        .sig
        .inputs
        .iter()
        .filter_map(|input| Some(argument(input)?.0))
        .collect()
}

/// The arguments of a kernel's algorithm or reference, by the names that an input has them under.
pub(super) fn input_names(kernel: &Kernel, function: &ItemFn) -> Vec<syn::Ident> {
    let suffixed = |name: syn::Ident| match OF_A_GEOMETRY.iter().any(|one| name == one) {
        true => format_ident!("{name}{}", kernel.suffix),
        false => name,
    };
    argument_names(function).into_iter().map(suffixed).collect()
}

pub(super) fn argument(input: &FnArg) -> Option<(syn::Ident, &syn::Type)> {
    match input {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) => Some((name.ident.clone(), &*typed.ty)),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

/// The row of a kernel: its name, its specification, its reference.
pub(super) fn kernel_row(kernel: &Kernel, references: &syn::File) -> Result<TokenStream, Error> {
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
pub(super) fn check_parameters(function: &ItemFn) -> Result<(), String> {
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
