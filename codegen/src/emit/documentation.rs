//! Doc comments of generated items.

use proc_macro2::TokenStream;
use quote::quote;

/// Doc attributes of these lines.
pub(crate) fn documentation(lines: &[String]) -> TokenStream {
    lines
        .iter()
        .map(|line| {
            let line = if line.is_empty() {
                String::new()
            } else {
                format!(" {line}")
            };
            quote!(#[doc = #line])
        })
        .collect()
}
