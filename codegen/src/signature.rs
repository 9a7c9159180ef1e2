//! Signatures of kernels and references: where the value of each parameter comes from.
//!
//! The parameters that a function may have are the rows of `parameters!` in the checker's
//! `input/parameters.rs`, and the buffers of `OUTPUTS`. The checker compiles the same rows, so a new
//! parameter is one row there.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, FnArg, Ident, Item, ItemFn, Pat, ReturnType, Token, Type, braced};

/// Buffers that a kernel writes into: parameter, type, and variant of the registry's `OutputKind`.
const OUTPUTS: [(&str, &str, &str); 3] = [
    ("memory", "& mut [Block]", "Fills"),
    ("after", "& mut Features", "Writes"),
    ("children", "& mut KeyedChildren", "Lists"),
];

/// Section of the table that holds a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Section {
    /// Part of a case, kept by recorded traces.
    Recorded,
    /// Computed from a case.
    Derived,
    /// One value for all cases.
    Shared,
    /// A value for each geometry, passed by reference.
    ByGeometry,
}

impl Section {
    /// Mark of an argument. It tells the checker's macros where an input or a trace holds the value.
    fn mark(self) -> &'static str {
        match self {
            Section::Recorded | Section::Derived => "value",
            Section::Shared => "shared",
            Section::ByGeometry => "by_geometry",
        }
    }
}

/// The parameters that kernels and references may have.
#[derive(Debug, Default)]
pub struct Parameters(Vec<Parameter>);

#[derive(Debug)]
struct Parameter {
    name: String,
    /// Type in a kernel's signature, as tokens separated by spaces.
    ty: String,
    section: Section,
}

/// Arguments and result of a kernel or reference.
pub(crate) struct Signature<'a> {
    /// Variant of the registry's `OutputKind`.
    pub(crate) kind: &'static str,
    /// Mark and name of each argument.
    pub(crate) arguments: Vec<(&'static str, Ident)>,
    pub(crate) types: Vec<&'a Type>,
    pub(crate) output: &'a ReturnType,
}

impl Parameters {
    /// Reads the table from the text of a Rust file that calls `parameters!`.
    pub fn parse(text: &str) -> syn::Result<Parameters> {
        let file = syn::parse_file(text)?;
        let table = file.items.iter().find_map(|item| match item {
            Item::Macro(item) if item.mac.path.is_ident("parameters") => Some(&item.mac),
            _ => None,
        });
        let missing = || syn::Error::new(proc_macro2::Span::call_site(), "no call of parameters!");
        table.ok_or_else(missing)?.parse_body()
    }

    /// Returns the signature of `function`, or the reason why a kernel cannot have it.
    pub(crate) fn signature<'a>(&self, function: &'a ItemFn) -> Result<Signature<'a>, String> {
        let mut signature = Signature {
            kind: "Returns",
            arguments: Vec::new(),
            types: Vec::new(),
            output: &function.sig.output,
        };
        for input in &function.sig.inputs {
            let Some((name, ty, mark, kind)) = self.argument(input) else {
                return Err(self.unknown(input));
            };
            signature.kind = kind.unwrap_or(signature.kind);
            signature.arguments.push((mark, name));
            signature.types.push(ty);
        }
        if matches!(signature.output, ReturnType::Default) && signature.kind == "Returns" {
            return Err("neither returns nor writes anything".into());
        }
        Ok(signature)
    }

    /// Returns name, type, mark and output kind of a known parameter.
    fn argument<'a>(
        &self,
        input: &'a FnArg,
    ) -> Option<(Ident, &'a Type, &'static str, Option<&'static str>)> {
        let (name, ty) = named(input)?;
        let text = quote!(#ty).to_string();
        let is_this = |known: &str, known_ty: &str| name == known && text == known_ty;
        if let Some(known) = self.0.iter().find(|known| is_this(&known.name, &known.ty)) {
            return Some((name.clone(), ty, known.section.mark(), None));
        }
        let output = OUTPUTS.iter().find(|output| is_this(output.0, output.1))?;
        Some((name.clone(), ty, "output", Some(output.2)))
    }

    fn unknown(&self, input: &FnArg) -> String {
        let inputs = self.0.iter().map(|known| (&*known.name, &*known.ty));
        let outputs = OUTPUTS.iter().map(|&(name, ty, _)| (name, ty));
        let all = inputs
            .chain(outputs)
            .map(|(name, ty)| format!("{name}: {ty}"));
        let shown = quote!(#input);
        format!(
            "takes `{shown}`; possible: {}",
            all.collect::<Vec<_>>().join(", ")
        )
    }

    /// Returns `true` if a recorded trace keeps every parameter of `function`.
    pub(crate) fn are_recorded(&self, function: &ItemFn) -> bool {
        let is_recorded = |name: &Ident| {
            let known = self.0.iter().find(|known| name == &known.name);
            known.is_some_and(|known| known.section == Section::Recorded)
        };
        argument_names(function).into_iter().all(is_recorded)
    }
}

impl Signature<'_> {
    /// Returns `true` if a parameter depends on a geometry.
    pub(crate) fn has_geometry(&self) -> bool {
        let is_of_geometry =
            |(mark, name): &(&str, Ident)| *mark == "by_geometry" || name == "after";
        self.arguments.iter().any(is_of_geometry)
    }

    /// The arguments as `mark name, mark name`.
    pub(crate) fn marked_arguments(&self) -> TokenStream {
        let pairs = self.arguments.iter().map(|(mark, name)| {
            let mark = quote::format_ident!("{mark}");
            quote!(#mark #name)
        });
        quote!(#(#pairs),*)
    }
}

/// The names of a function's parameters.
pub(crate) fn argument_names(function: &ItemFn) -> Vec<&Ident> {
    let inputs = function.sig.inputs.iter();
    inputs.filter_map(|input| Some(named(input)?.0)).collect()
}

fn named(input: &FnArg) -> Option<(&Ident, &Type)> {
    match input {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) => Some((&name.ident, &*typed.ty)),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

/// `name: Type` or `name: Type = value`.
struct Row {
    name: Ident,
    ty: Type,
}

impl Parse for Row {
    fn parse(input: ParseStream) -> syn::Result<Row> {
        input.call(Attribute::parse_outer)?;
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        if input.parse::<Option<Token![=]>>()?.is_some() {
            input.parse::<syn::Expr>()?;
        }
        Ok(Row { name, ty })
    }
}

impl Parse for Parameters {
    /// Parses `case; section { rows } …`.
    fn parse(input: ParseStream) -> syn::Result<Parameters> {
        input.parse::<Ident>()?;
        input.parse::<Token![;]>()?;
        let mut parameters = Vec::new();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            let section = match name.to_string().as_str() {
                "recorded" => Section::Recorded,
                "derived" => Section::Derived,
                "shared" => Section::Shared,
                "by_geometry" => Section::ByGeometry,
                _ => return Err(syn::Error::new(name.span(), "unknown section")),
            };
            let rows;
            braced!(rows in input);
            let rows = Punctuated::<Row, Token![,]>::parse_terminated(&rows)?;
            parameters.extend(rows.into_iter().map(|row| {
                let ty = row.ty.to_token_stream().to_string();
                Parameter {
                    name: row.name.to_string(),
                    ty: match section {
                        Section::ByGeometry => format!("& {ty}"),
                        _ => ty.replace("& 'static ", "& "),
                    },
                    section,
                }
            }));
        }
        Ok(Parameters(parameters))
    }
}
