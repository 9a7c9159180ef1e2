//! `map` of arrays that inlines in every build.
//!
//! The `map` of the standard library is not `#[inline]`. A crate that is compiled in several code generation units may
//! call it for every vector, and then a kernel takes up to sixty times as long.

/// `map` under another name.
pub(crate) trait Each<T> {
    /// An array of the same length.
    type Array<U>;

    /// Returns the values of `f` for the elements, first to last.
    fn each<U>(self, f: impl FnMut(T) -> U) -> Self::Array<U>;
}

macro_rules! each {
    ($N:literal: $($element:ident)*) => {
        impl<T> Each<T> for [T; $N] {
            type Array<U> = [U; $N];

            #[inline(always)]
            fn each<U>(self, mut f: impl FnMut(T) -> U) -> [U; $N] {
                let [$($element),*] = self;
                [$(f($element)),*]
            }
        }
    };
}

each!(2: a b);
each!(4: a b c d);
