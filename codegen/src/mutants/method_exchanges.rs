//! Methods that mutations exchange: methods of the vector layer with equal signatures, and some integer methods.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use quote::quote;
use syn::{ImplItem, Item};

use crate::{Error, file_error, syntax_error};

/// Replacements of each method.
pub(super) struct MethodExchanges(BTreeMap<String, BTreeSet<String>>);

/// Groups of integer methods with equal signatures.
const INTEGERS: &[&[&str]] = &[
    &["leading_zeros", "trailing_zeros", "count_ones"],
    &["rotate_left", "rotate_right"],
    &["swap_bytes", "reverse_bits"],
    &["min", "max"],
    &["wrapping_add", "wrapping_sub"],
];

impl MethodExchanges {
    /// Reads the vector layer at `folder` and groups the methods of a type by parameters and result.
    pub(super) fn read(folder: &Path) -> Result<MethodExchanges, Error> {
        let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut pending = vec![folder.to_owned()];
        while let Some(path) = pending.pop() {
            if path.is_dir() {
                for entry in std::fs::read_dir(&path).map_err(file_error(&path))? {
                    pending.push(entry.map_err(file_error(&path))?.path());
                }
                continue;
            }
            let text = std::fs::read_to_string(&path).map_err(file_error(&path))?;
            let file = syn::parse_file(&text).map_err(syntax_error(&path))?;
            for (signature, name) in file.items.iter().flat_map(methods) {
                groups.entry(signature).or_default().insert(name);
            }
        }
        let integers = INTEGERS
            .iter()
            .map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        Ok(MethodExchanges::new(groups.into_values().chain(integers)))
    }

    /// Allows any method of a group to replace any other of the same group.
    pub(super) fn new(groups: impl IntoIterator<Item = BTreeSet<String>>) -> MethodExchanges {
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for group in groups {
            for name in &group {
                let others = group.iter().filter(|other| *other != name).cloned();
                all.entry(name.clone()).or_default().extend(others);
            }
        }
        MethodExchanges(all)
    }

    /// Replacements of the method `name`.
    pub(super) fn replacements(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.get(name).into_iter().flatten().map(String::as_str)
    }
}

/// Methods of an impl block, bare or in `with_features!`, each as signature and name.
///
/// The signature is a text that is equal for methods that can be exchanged.
fn methods(item: &Item) -> Vec<(String, String)> {
    let block = match item {
        Item::Impl(block) => Some(block.clone()),
        Item::Macro(call) => call.mac.parse_body().ok(),
        _ => None,
    };
    let Some(block): Option<syn::ItemImpl> = block else {
        return Vec::new();
    };
    let self_type = &block.self_ty;
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
                    let parameter_type = &typed.ty;
                    quote!(#parameter_type)
                }
            });
            let (generics, output) = (&signature.generics, &signature.output);
            let key = quote!(#self_type #generics (#(#types),*) #output);
            (key.to_string(), signature.ident.to_string())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vector_methods_are_exchanged_by_signature() {
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
        let block = "#[target_feature(enable = \"avx2\")] impl A { fn not(self) -> Self {} }";
        write("two.rs", &format!("with_features!({block});"));
        let exchanges = MethodExchanges::read(folder.path()).unwrap();
        let replacements = |name: &str| exchanges.replacements(name).collect::<Vec<_>>();
        assert_eq!(replacements("or"), ["and"]);
        assert_eq!(replacements("neg"), ["not"]);
        assert_eq!(replacements("min"), ["max"]);
        for name in ["new", "of", "shl", "xor", "gone"] {
            assert!(replacements(name).is_empty(), "{name}");
        }
        write("three.rs", "impl A {\nfn }");
        let error = MethodExchanges::read(folder.path())
            .err()
            .unwrap()
            .to_string();
        assert!(error.contains("three.rs:2: "), "{error}");
    }
}
