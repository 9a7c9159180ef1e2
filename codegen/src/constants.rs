//! The file `generated/geometry.rs`: the geometries as constants of the kernels.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::emit::documentation::documentation;
use crate::geometry::{FEATURES, Geometry};

/// A module for each geometry, with its constants.
pub(crate) fn file(geometries: &[Geometry]) -> TokenStream {
    let names = geometries
        .iter()
        .map(|geometry| format_ident!("{}", geometry.name));
    let (names, count) = (
        names.collect::<Vec<_>>(),
        Literal::usize_unsuffixed(geometries.len()),
    );
    let modules = geometries.iter().enumerate().map(|(index, geometry)| {
        let name = format_ident!("{}", geometry.name);
        let (doc, text) = (documentation(&geometry.doc), &geometry.name);
        let path = format!("../../geometries/{text}.txt");
        let (class_offsets, length) = geometry.layout();
        let rows = geometry.classes.iter().zip(&class_offsets);
        let classes = rows.map(|(class, offset)| {
            let (name, digits) = (&class.name, Literal::usize_unsuffixed(class.digits()));
            let offset = Literal::u32_unsuffixed(*offset);
            quote!(Class { name: #name, digits: #digits, offset: #offset })
        });
        let index = Literal::usize_unsuffixed(index);
        let count = Literal::usize_unsuffixed(geometry.features().count());
        let squares = geometry.features().map(|feature| {
            let squares = feature.iter().map(|&square| Literal::u8_unsuffixed(square));
            quote!(&[#(#squares),*])
        });
        let highest = |feature: &[u8]| 3_u32.pow(feature.len() as u32) - 1;
        let all_empty = padded(geometry.features().map(|feature| highest(feature) / 2));
        let highest = padded(geometry.features().map(highest));
        let offsets = padded(
            geometry
                .classes
                .iter()
                .zip(&class_offsets)
                .flat_map(|(class, &offset)| class.features.iter().map(move |_| offset)),
        );
        let (class_count, length) = (
            Literal::usize_unsuffixed(geometry.classes.len()),
            Literal::u32_unsuffixed(length),
        );
        quote! {
            #doc
            pub mod #name {
                use crate::geometry::{Class, FEATURES, Features, powers};
                #[cfg(feature = "std")]
                use crate::geometry::Geometry;

                /// Index in [`ALL`](super::ALL).
                pub const INDEX: usize = #index;
                /// The geometry as read from the file at run time, for the references.
                #[cfg(feature = "std")]
                pub static GEOMETRY: std::sync::LazyLock<Geometry> =
                    std::sync::LazyLock::new(|| Geometry::read(#text, include_str!(#path)));
                /// The number of features.
                pub const COUNT: usize = #count;
                /// The squares of each feature, the first the most significant digit.
                pub const SQUARES: [&[u8]; COUNT] = [#(#squares),*];
                /// The highest value of each feature: the opponent has all its squares.
                pub const HIGHEST: Features = Features([#(#highest),*]);
                /// The value of each feature on an empty board, all digits 1.
                pub const ALL_EMPTY: Features = Features([#(#all_empty),*]);
                /// Place value of each square in each feature. Index 64 stands for no square and is all 0.
                pub static POWERS: [Features; 65] = powers(&SQUARES);
                /// The classes.
                pub const CLASSES: [Class; #class_count] = [#(#classes),*];
                /// Index of each feature's first weight in an array of weights.
                pub const OFFSETS: [u32; FEATURES] = [#(#offsets),*];
                /// Length of an array of weights. Any `u16` added to any of the offsets is below it.
                pub const LENGTH: usize = #length;
            }
        }
    });
    quote! {
        /// The number of geometries.
        pub const GEOMETRIES: usize = #count;

        /// All geometries, the default one first.
        #[cfg(feature = "std")]
        pub static ALL: [&std::sync::LazyLock<crate::geometry::Geometry>; GEOMETRIES] =
            [#(&#names::GEOMETRY),*];

        /// Calls `$callback!` with the extra tokens in braces and then the module of each geometry, the default one
        /// first.
        #[macro_export]
        macro_rules! for_each_geometry {
            ($($callback:tt)::+ $(, $($extra:tt)*)?) => {
                $($callback)::+! { { $($($extra)*)? } #(#names)* }
            };
        }

        #(#modules)*
    }
}

/// Literals of a value for each feature, with zeros for unused ones.
fn padded(values: impl Iterator<Item = u32>) -> Vec<Literal> {
    let all = values.chain(std::iter::repeat(0)).take(FEATURES);
    all.map(Literal::u32_unsuffixed).collect()
}
