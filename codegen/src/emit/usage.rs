//! Items that the selected algorithms of a level use. All others are compiled only with the feature
//! `all-algorithms` of outflank-kernels.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Item, UseTree};

use crate::levels::Isa;
use crate::template::Kernel;

/// Kernel and name of each used item, at a level or shared by all levels.
#[derive(Default)]
pub(super) struct Usage(BTreeSet<(String, String)>);

impl Usage {
    /// Finds the items that the selected algorithms of one level use, directly or not.
    ///
    /// Any occurrence of a name counts as a use. So some unused items are kept, but no used item is lost.
    pub(super) fn of_level(kernels: &[Kernel]) -> Usage {
        let mut usage = Usage::default();
        let selected = kernels
            .iter()
            .map(|kernel| (kernel, kernel.selected.clone()));
        let mut pending: Vec<(&Kernel, String)> = selected.collect();
        while let Some((kernel, name)) = pending.pop() {
            if !usage.0.insert((kernel.name.clone(), name.clone())) {
                continue;
            }
            let items = kernel.items.iter().chain(&kernel.shared);
            for item in items.filter(|item| item_names(item).contains(&name)) {
                pending.extend(names_in(item.to_token_stream(), kernel, kernels));
            }
        }
        usage
    }

    /// Unites the usages of all levels.
    pub(super) fn of_levels(levels: &[(&'static Isa, Vec<Kernel>)]) -> Usage {
        let usages = levels.iter().map(|(_, kernels)| Usage::of_level(kernels).0);
        Usage(usages.flatten().collect())
    }

    /// Returns the attribute that compiles `item` only with the feature `all-algorithms`; `None` for a used
    /// item.
    pub(super) fn attribute(&self, kernel: &Kernel, item: &Item) -> Option<TokenStream> {
        let is_used = |name| self.0.contains(&(kernel.name.clone(), name));
        let is_kept = item_names(item).into_iter().any(is_used);
        (!is_kept).then(|| quote!(#[cfg(feature = "all-algorithms")]))
    }
}

/// The names by which an item is used.
fn item_names(item: &Item) -> Vec<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Use(item) => return imported(&item.tree),
        Item::Impl(item) => return idents(item.self_ty.to_token_stream()),
        item => return idents(item.to_token_stream()),
    };
    vec![name.to_string()]
}

/// The names that an import brings into scope.
fn imported(tree: &UseTree) -> Vec<String> {
    match tree {
        UseTree::Path(path) => imported(&path.tree),
        UseTree::Group(group) => group.items.iter().flat_map(imported).collect(),
        UseTree::Rename(rename) => vec![rename.rename.to_string()],
        other => idents(other.to_token_stream()),
    }
}

fn idents(tokens: TokenStream) -> Vec<String> {
    let names = tokens.into_iter().flat_map(|token| match token {
        TokenTree::Ident(name) => vec![name.to_string()],
        TokenTree::Group(group) => idents(group.stream()),
        _ => Vec::new(),
    });
    names.collect()
}

/// The names in `tokens`, each with the kernel whose item it may be: `kernel` itself, or the one named
/// just before it (`super::flip::selected`, `super::flip::{RAYS, INNER}`).
fn names_in<'a>(
    tokens: TokenStream,
    kernel: &'a Kernel,
    kernels: &'a [Kernel],
) -> Vec<(&'a Kernel, String)> {
    let mut names = Vec::new();
    let mut path: Option<&Kernel> = None;
    for token in tokens {
        match token {
            TokenTree::Ident(name) => {
                let name = name.to_string();
                let of = path.unwrap_or(kernel);
                path = kernels.iter().find(|other| other.name == name);
                let name = match name.as_str() {
                    "selected" => of.selected.clone(),
                    _ => name,
                };
                names.push((of, name));
            }
            TokenTree::Group(group) => {
                for of in [Some(kernel), path].into_iter().flatten() {
                    names.extend(names_in(group.stream(), of, kernels));
                }
                path = None;
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => {}
            _ => path = None,
        }
    }
    names
}
