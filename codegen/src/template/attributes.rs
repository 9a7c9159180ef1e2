//! Attributes of a template that the generator reads.

use std::collections::{BTreeMap, BTreeSet};

use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Item, Meta, Token};

use super::Shape;
use crate::levels::{Isa, LEVELS};

/// Parses the `level = value` pairs of an attribute.
pub(super) fn by_level<T>(
    list: &syn::MetaList,
    value: impl Fn(ParseStream) -> syn::Result<T>,
) -> Result<BTreeMap<String, T>, String> {
    let pairs = |input: ParseStream| {
        let mut pairs = BTreeMap::new();
        while !input.is_empty() {
            let name: syn::Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            pairs.insert(name.to_string(), value(input)?);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(pairs)
    };
    let pairs = pairs.parse2(list.tokens.clone());
    let pairs = pairs.map_err(|error| error.to_string())?;
    match pairs.keys().find(|name| Isa::named(name).is_none()) {
        Some(unknown) => Err(format!("a level '{unknown}' does not exist")),
        None => Ok(pairs),
    }
}

/// Returns the shape that `#[shape(…)]` names for `isa`, or else for the nearest level below it.
pub(super) fn shape(attr: &Attribute, isa: &Isa) -> Result<Option<Shape>, String> {
    let list = attr.meta.require_list();
    let shapes = by_level(list.map_err(|error| error.to_string())?, |input| {
        let text: syn::LitStr = input.parse()?;
        let value = text.value();
        let mut words = value.split_whitespace();
        match words.next().map(str::parse) {
            Some(Ok(bound)) => Ok(Shape {
                bound,
                instructions: words.map(str::to_owned).collect(),
            }),
            _ => Err(syn::Error::new(
                text.span(),
                "a number of instructions is expected, and then names of instructions",
            )),
        }
    })?;
    Ok(isa.chain().find_map(|isa| shapes.get(isa.name)).cloned())
}

/// Returns the instruction in `#[algorithm(uses = "…")]`, if the attribute has one.
pub(super) fn uses(attr: &Attribute) -> Result<Option<&'static str>, String> {
    if matches!(attr.meta, Meta::Path(_)) {
        return Ok(None);
    }
    let pair: syn::MetaNameValue = attr.parse_args().map_err(|error| error.to_string())?;
    let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Str(name),
        ..
    }) = &pair.value
    else {
        return Err("a name in quotes is expected".into());
    };
    if !pair.path.is_ident("uses") {
        return Err("only `uses` is known".into());
    }
    let known = || LEVELS.iter().flat_map(|isa| isa.slow).copied();
    match known().find(|slow| *slow == name.value()) {
        Some(slow) => Ok(Some(slow)),
        None => {
            let possible = Vec::from_iter(BTreeSet::from_iter(known())).join(", ");
            let name = name.value();
            Err(format!(
                "no level calls '{name}' slow; possible: {possible}"
            ))
        }
    }
}

/// Returns the lines of doc comments.
pub(super) fn docs(attrs: &[Attribute]) -> Vec<String> {
    attrs
        .iter()
        .filter_map(|attr| match &attr.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(line),
                    ..
                }) => Some(line.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

pub(super) fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Const(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Static(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        Item::Use(item) => &mut item.attrs,
        _ => return None,
    })
}

/// Removes the attribute `name` and returns it; `None` if the item lacks it.
pub(super) fn taken(attrs: &mut Vec<Attribute>, name: &str) -> Option<Attribute> {
    let index = attrs.iter().position(|attr| attr.path().is_ident(name))?;
    Some(attrs.remove(index))
}
