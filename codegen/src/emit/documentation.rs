//! Doc comments of generated items.

use proc_macro2::TokenStream;
use quote::quote;

/// Makes a doc attribute of each line.
pub(crate) fn documentation(lines: &[String]) -> TokenStream {
    let docs = lines.iter().map(|line| {
        let space = if line.is_empty() { "" } else { " " };
        let line = format!("{space}{line}");
        quote!(#[doc = #line])
    });
    docs.collect()
}
