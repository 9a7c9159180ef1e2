//! The registry's rows: what a kernel takes and gives, from its signature; and the checker's list of
//! kernels.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{FnArg, Item, ItemFn, Pat, ReturnType};

use super::cfg;
use crate::Error;
use crate::geometry;
use crate::levels::Isa;
use crate::template::{Algorithm, Kernel};

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
    ("other", "& Features"),
    ("after", "& mut Features"),
    ("weights", "& Weights"),
    ("network", "& Network"),
    ("empties", "u32"),
    ("moves", "u32"),
    ("other_moves", "u32"),
    ("legal", "u64"),
    ("favoured", "u64"),
    ("children", "& mut Children"),
];

/// Those that a recorded trace keeps; the others follow from them.
pub(super) const RECORDED: &[&str] = &["square", "player", "opponent", "alpha", "squares"];

/// Parameters that a kernel has because it knows the features of a geometry.
const OF_A_GEOMETRY: &[&str] = &["features", "other", "after"];

/// Where a kernel's answer goes: the variant of the registry's `Kind`.
fn kind(function: &ItemFn) -> &'static str {
    let takes = |parameter: &str| {
        argument_names(function)
            .iter()
            .any(|name| name == parameter)
    };
    if takes("memory") {
        "Fills"
    } else if takes("after") {
        "Writes"
    } else if takes("children") {
        "Lists"
    } else {
        "Returns"
    }
}

/// The geometry of the features that a kernel takes or writes; the default one where its template names
/// none.
fn geometry(kernel: &Kernel) -> Option<&str> {
    let names = argument_names(&kernel.algorithms[0].function);
    let known = |name: &syn::Ident| OF_A_GEOMETRY.iter().any(|one| name == one);
    let default = names.iter().any(known).then_some(geometry::DEFAULT);
    kernel.geometry.as_deref().or(default)
}

/// The macro `for_each_algorithm!`, with a row for each algorithm at each level.
pub(super) fn algorithms(levels: &[(&'static Isa, Vec<Kernel>)]) -> String {
    let mut rows = String::new();
    for (isa, kernels) in levels {
        let features =
            (!isa.features().is_empty()).then(|| format!("{:?}", isa.features().join(",")));
        rows += &format!(
            "            {{ {} {} [{}] [{}]\n",
            isa.name,
            isa.type_name,
            cfg(isa).to_string().replace(" ()", "()"),
            features.unwrap_or_default()
        );
        for kernel in kernels {
            for algorithm in &kernel.algorithms {
                rows += &format!("                {}\n", row(kernel, algorithm));
            }
        }
        rows += "            }\n";
    }
    format!(
        r#"/// Calls `$callback!` with the extra tokens in braces and then, for every level, lowest first,
/// `{{ module Type [cfg] [features] ROWS }}`, the features absent where there are none. A row is an algorithm:
/// `{{ kernel algorithm selected Kind fn(TYPES) -> TYPE, (parameters), [geometry], [bound instructions] }}`,
/// the geometry and the shape (see `registry::Shape`) absent where there is none.
///
/// The functions are `levels::module::kernel::algorithm`. So code can be compiled around each of them, with
/// the features of its level, into which it inlines as it does into a search.
#[macro_export]
macro_rules! for_each_algorithm {{
    ($($callback:tt)::+ $(, $($extra:tt)*)?) => {{
        $($callback)::+! {{
            {{ $($($extra)*)? }}
{rows}        }}
    }};
}}
"#
    )
}

/// The row of an algorithm.
fn row(kernel: &Kernel, algorithm: &Algorithm) -> String {
    // Only what a macro is given: no reader of it needs to know whether there are spaces.
    let tidy = |tokens: TokenStream| {
        let text = tokens.to_string();
        let pairs = [
            ("& ", "&"),
            (" ;", ";"),
            (" ,", ","),
            ("fn (", "fn("),
            ("( ", "("),
            (" )", ")"),
        ];
        pairs
            .iter()
            .fold(text, |text, (from, to)| text.replace(from, to))
    };
    let function = &kernel.algorithms[0].function;
    let arguments = function.sig.inputs.iter().filter_map(argument);
    let types = arguments.map(|(_, ty)| ty);
    let output = &function.sig.output;
    let signature = tidy(quote!(fn(#(#types),*) #output));
    let names: Vec<String> = argument_names(function)
        .iter()
        .map(ToString::to_string)
        .collect();
    let shape = algorithm.shape.iter().flat_map(|shape| {
        let instructions = shape.instructions.iter().map(|one| format!("{one:?}"));
        std::iter::once(shape.bound.to_string()).chain(instructions)
    });
    format!(
        "{{ {} {} {} {} {signature}, ({}), [{}], [{}] }}",
        kernel.name,
        algorithm.name,
        kernel.selected == algorithm.name,
        kind(function),
        names.join(", "),
        geometry(kernel).unwrap_or_default(),
        shape.collect::<Vec<_>>().join(" ")
    )
}

pub(crate) fn argument_names(function: &ItemFn) -> Vec<syn::Ident> {
    function
        .sig
        .inputs
        .iter()
        .filter_map(|input| Some(argument(input)?.0))
        .collect()
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

/// The checker's list of kernels, with the references that templates bring along. `references` is the text
/// of the checker's `reference.rs`.
pub(super) fn kernels(kernels: &[Kernel], references: &str) -> Result<TokenStream, Error> {
    let known = syn::parse_file(references).map_err(|error| Error::References {
        path: "reference.rs".into(),
        line: error.span().start().line,
        message: error.to_string(),
    })?;
    let rows = kernels
        .iter()
        .map(|kernel| kernel_row(kernel, &known))
        .collect::<Result<Vec<_>, _>>()?;
    let own = kernels.iter().filter_map(|kernel| {
        let (name, function) = (format_ident!("{}", kernel.name), kernel.reference.as_ref()?);
        let about = format!(" The reference of `{}`.", kernel.name);
        Some(quote! {
            #[doc = #about]
            pub(super) mod #name {
                #[allow(unused_imports)]
                use outflank_kernels::{Block, Children, Features, Network, Weights, geometry};
                #[allow(unused_imports)]
                use crate::reference;
                #function
            }
        })
    });
    Ok(quote! {
        use crate::registry::Kernel;

        /// The references that templates bring along.
        mod references {
            #(#own)*
        }

        /// Every kernel with its reference.
        pub(crate) static KERNELS: &[Kernel] = &[#(#rows),*];
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
    if matches!(function.sig.output, ReturnType::Default) && kind(function) == "Returns" {
        return Err(wrong("neither returns nor writes anything".into()));
    }
    let (name, ident) = (&kernel.name, format_ident!("{}", kernel.name));
    let listed = references.items.iter().find_map(|item| match item {
        Item::Fn(function) if function.sig.ident == ident => Some(function),
        _ => None,
    });
    let (path, reference) = match (&kernel.reference, listed) {
        (Some(own), None) => (quote!(references::#ident::reference), own),
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
        argument_names(reference),
    );
    let geometry = geometry(kernel).map(|name| format_ident!("{name}"));
    let geometry = geometry.iter();
    let doc = kernel.doc.join("\n");
    Ok(quote! {
        Kernel {
            name: #name,
            doc: #doc,
            reference: |input| crate::trace::run!(#kind [#path], input, [#(#geometry)*], (#(#names),*)),
        }
    })
}

/// Whether an input has all that the function takes; what it lacks, if not.
fn check_parameters(function: &ItemFn) -> Result<(), String> {
    for input in &function.sig.inputs {
        let known = argument(input).is_some_and(|(name, ty)| {
            let ty = quote!(#ty).to_string();
            PARAMETERS
                .iter()
                .any(|&known| known == (name.to_string().as_str(), ty.as_str()))
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
