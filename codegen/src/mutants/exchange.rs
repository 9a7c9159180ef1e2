//! Methods that can be taken for each other: those of the vector layer with the same signature, and
//! some of the integers'.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use quote::quote;
use syn::{ImplItem, Item};

use crate::Error;

/// What each method can be exchanged for.
pub(super) struct Exchanges(BTreeMap<String, BTreeSet<String>>);

/// Methods of integers that have the same signature.
const INTEGERS: &[&[&str]] = &[
    &["leading_zeros", "trailing_zeros", "count_ones"],
    &["rotate_left", "rotate_right"],
    &["swap_bytes", "reverse_bits"],
    &["min", "max"],
    &["wrapping_add", "wrapping_sub"],
];

impl Exchanges {
    /// Reads the vector layer: methods of one type with the same parameters and the same result.
    pub(super) fn read(folder: &Path) -> Result<Exchanges, Error> {
        let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut left = vec![folder.to_owned()];
        while let Some(path) = left.pop() {
            let unreadable = |source| Error::File {
                path: path.clone(),
                source,
            };
            if path.is_dir() {
                for entry in std::fs::read_dir(&path).map_err(unreadable)? {
                    left.push(entry.map_err(unreadable)?.path());
                }
                continue;
            }
            let text = std::fs::read_to_string(&path).map_err(unreadable)?;
            let file = syn::parse_file(&text).map_err(|error| Error::Layer {
                path: path.clone(),
                line: error.span().start().line,
                message: error.to_string(),
            })?;
            for (signature, name) in file.items.iter().flat_map(methods) {
                groups.entry(signature).or_default().insert(name);
            }
        }
        let integers = INTEGERS
            .iter()
            .map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        Ok(Exchanges::new(groups.into_values().chain(integers)))
    }

    /// Any method of a group for any other of it.
    pub(super) fn new(groups: impl IntoIterator<Item = BTreeSet<String>>) -> Exchanges {
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for group in groups {
            for name in &group {
                let others = group.iter().filter(|other| *other != name).cloned();
                all.entry(name.clone()).or_default().extend(others);
            }
        }
        Exchanges(all)
    }

    /// The methods that `name` can be exchanged for.
    pub(super) fn of(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.get(name).into_iter().flatten().map(String::as_str)
    }
}

/// The methods of an impl block: a text that is the same for those that can be exchanged, and the
/// name.
fn methods(item: &Item) -> Vec<(String, String)> {
    let Item::Impl(block) = item else {
        return Vec::new();
    };
    let of = &block.self_ty;
    let functions = block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(&function.sig),
        _ => None,
    });
    functions
        .filter(|signature| signature.receiver().is_some())
        .map(|signature| {
            let types = signature.inputs.iter().map(|input| match input {
                syn::FnArg::Receiver(receiver) => quote!(#receiver),
                syn::FnArg::Typed(typed) => {
                    let of = &typed.ty;
                    quote!(#of)
                }
            });
            let (generics, output) = (&signature.generics, &signature.output);
            let key = quote!(#of #generics (#(#types),*) #output);
            (key.to_string(), signature.ident.to_string())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_the_vector_layer_are_exchanged_by_signature() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write(
            "one.rs",
            "impl A {
                fn new(lanes: [u64; 4]) -> Self {}
                fn or(self, other: Self) -> Self {}
                fn and(self, mask: Self) -> Self {}
                fn shl<const N: u32>(self) -> Self {}
                fn neg(self) -> Self {}
                fn of(value: u64) -> Self {}
            }
            impl B { fn xor(self, other: Self) -> Self {} }",
        );
        write("two.rs", "impl A { fn not(self) -> Self {} }");
        let exchanges = Exchanges::read(folder.path()).unwrap();
        let of = |name: &str| exchanges.of(name).collect::<Vec<_>>();
        assert_eq!(of("or"), ["and"]);
        assert_eq!(of("neg"), ["not"]);
        assert_eq!(of("min"), ["max"]);
        for alone in ["new", "of", "shl", "xor", "gone"] {
            assert!(of(alone).is_empty(), "{alone}");
        }
        write("three.rs", "impl A {\nfn }");
        let error = Exchanges::read(folder.path()).err().unwrap().to_string();
        assert!(error.contains("three.rs:2: "), "{error}");
    }
}
