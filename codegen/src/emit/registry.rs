//! The registry's rows, and the checker's list of kernels with their references.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{Checker, cfg};
use crate::Error;
use crate::geometry;
use crate::levels::Isa;
use crate::signature::{Parameters, Signature};
use crate::template::{Algorithm, Kernel};

/// Makes the error of a template that is no kernel.
fn wrong(kernel: &Kernel) -> impl Fn(String) -> Error {
    let path = kernel.path.clone();
    move |message| Error::Template {
        path: path.clone(),
        message,
    }
}

/// Returns the geometry of the features that a kernel takes or writes: its template's, else the default.
fn geometry_of<'a>(kernel: &'a Kernel, signature: &Signature) -> Option<&'a str> {
    let default = signature.has_geometry().then_some(geometry::DEFAULT);
    kernel.geometry.as_deref().or(default)
}

/// Text of the macro `for_each_algorithm!`, in two versions. With the feature `all-algorithms` the macro has every
/// algorithm of every level, without the feature only the selected ones.
pub(super) fn algorithms(
    levels: &[(&'static Isa, Vec<Kernel>)],
    parameters: &Parameters,
) -> Result<String, Error> {
    let (mut all, mut selected) = (String::new(), String::new());
    for (isa, kernels) in levels {
        let features =
            (!isa.features().is_empty()).then(|| format!("{:?}", isa.features().join(",")));
        let level = format!(
            "            {{ {} {} [{}] [{}]\n",
            isa.name,
            isa.type_name,
            cfg(isa).to_string().replace(" ()", "()"),
            features.unwrap_or_default()
        );
        all += &level;
        selected += &level;
        for kernel in kernels {
            let function = &kernel.algorithms[0].function;
            let signature = parameters.signature(function).map_err(wrong(kernel))?;
            for algorithm in &kernel.algorithms {
                let row = format!("                {}\n", row(kernel, algorithm, &signature));
                all += &row;
                if kernel.selected == algorithm.name {
                    selected += &row;
                }
            }
        }
        all += "            }\n";
        selected += "            }\n";
    }
    let body = |rows| {
        format!(
            r#"#[macro_export]
macro_rules! for_each_algorithm {{
    ($($callback:tt)::+ $(, $($extra:tt)*)?) => {{
        $($callback)::+! {{
            {{ $($($extra)*)? }}
{rows}        }}
    }};
}}
"#
        )
    };
    let (all, selected) = (body(all), body(selected));
    Ok(format!(
        r#"/// Calls `$callback!` with the extra tokens in braces and then, for every level, lowest first,
/// `{{ module Type [cfg] [features] ROWS }}`. `features` is empty at a level that needs none. A row is an algorithm:
/// `{{ kernel algorithm selected Kind fn(TYPES) -> TYPE, (arguments), [geometry], [bound instructions] }}`.
/// Geometry and shape (see `registry::Shape`) may be empty. An argument is a mark and the parameter's name:
///
/// - `value`: a number of the input;
/// - `shared`: one reference for all inputs;
/// - `by_geometry`: a reference to the value of the row's geometry;
/// - `output`: the buffer that the kernel writes into.
///
/// The functions are `levels::module::kernel::algorithm`. A caller compiled around one of them with the
/// features of its level inlines it as a search does. Without the feature `all-algorithms` only the
/// selected algorithms have rows.
#[cfg(feature = "all-algorithms")]
{all}
/// Calls `$callback!` with a row for the selected algorithm of each kernel and level: see the macro of
/// the same name with the feature `all-algorithms`.
#[cfg(not(feature = "all-algorithms"))]
{selected}"#
    ))
}

/// The row of an algorithm.
fn row(kernel: &Kernel, algorithm: &Algorithm, signature: &Signature) -> String {
    // Tidies the spacing for readers; macros ignore it.
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
    let (types, output) = (&signature.types, &signature.output);
    let function = tidy(quote!(fn(#(#types),*) #output));
    let shape = algorithm.shape.iter().flat_map(|shape| {
        let instructions = shape.instructions.iter().map(|one| format!("{one:?}"));
        std::iter::once(shape.bound.to_string()).chain(instructions)
    });
    format!(
        "{{ {} {} {} {} {function}, ({}), [{}], [{}] }}",
        kernel.name,
        algorithm.name,
        kernel.selected == algorithm.name,
        signature.kind,
        tidy(signature.marked_arguments()),
        geometry_of(kernel, signature).unwrap_or_default(),
        shape.collect::<Vec<_>>().join(" ")
    )
}

/// The checker's list of kernels, with the references that come from templates.
pub(super) fn kernels(kernels: &[Kernel], checker: &Checker) -> Result<TokenStream, Error> {
    let modules = kernels
        .iter()
        .map(|kernel| kernel_module(kernel, checker))
        .collect::<Result<Vec<_>, _>>()?;
    let names = kernels
        .iter()
        .map(|kernel| format_ident!("{}", kernel.name));
    Ok(quote! {
        /// Every kernel.
        pub(crate) static KERNELS: &[&crate::registry::Kernel] = &[#(&#names::KERNEL),*];

        #(#modules)*
    })
}

/// The checker's module of a kernel: name, specification and reference.
fn kernel_module(kernel: &Kernel, checker: &Checker) -> Result<TokenStream, Error> {
    let wrong = wrong(kernel);
    let (name, ident) = (&kernel.name, format_ident!("{}", kernel.name));
    let (path, own, reference) = match (&kernel.reference, checker.references.get(name)) {
        (Some(own), None) => (quote!(reference), Some(own), own),
        (None, Some(listed)) => (quote!(crate::reference::#ident), None, listed),
        (own, _) => {
            let mistake = match own {
                Some(_) => "has a reference of its own and one",
                None => "has no reference: there is none of its name",
            };
            return Err(wrong(format!("{mistake} in {}", Checker::REFERENCES)));
        }
    };
    let own = own.map(|function| {
        quote! {
            #[allow(unused_imports)]
            use outflank_kernels::*;
            #[allow(unused_imports)]
            use crate::reference;
            #function
        }
    });
    let function = &kernel.algorithms[0].function;
    let signature = checker.parameters.signature(function).map_err(&wrong)?;
    let geometry = geometry_of(kernel, &signature).map(|name| format_ident!("{name}"));
    let geometry = geometry.as_slice();
    let (kind, arguments) = (
        format_ident!("{}", signature.kind),
        signature.marked_arguments(),
    );
    let (types, output) = (&signature.types, &signature.output);
    let of_reference = checker.parameters.signature(reference).map_err(&wrong)?;
    let reference_kind = format_ident!("{}", of_reference.kind);
    let reference_arguments = of_reference.marked_arguments();
    let (about, doc) = (format!(" The kernel `{name}`."), kernel.doc.join("\n"));
    Ok(quote! {
        #[doc = #about]
        pub(crate) mod #ident {
            #own

            pub(crate) static KERNEL: crate::registry::Kernel = crate::registry::Kernel {
                name: #name,
                doc: #doc,
                reference: |input| {
                    crate::calls::answer!(#reference_kind [#path], input, [#(#geometry)*], (#reference_arguments))
                },
                answer: crate::calls::entry_answer!(#kind fn(#(#types),*) #output, [#(#geometry)*], (#arguments)),
            };
        }
    })
}
