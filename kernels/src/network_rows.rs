//! Rows of a network, owned or borrowed from static data.

use alloc::boxed::Box;
use alloc::{vec, vec::Vec};
use core::fmt::{self, Debug, Formatter};
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use crate::geometry::corner::LENGTH;
use crate::network::{Row, WIDTH};

/// Rows of all classes: the index is the class's offset plus the feature's value. Borrowed rows are copied on the
/// first change.
pub struct Rows {
    /// The prover follows this pointer in machine code.
    pub(crate) pointer: NonNull<[Row; LENGTH]>,
    /// `true` if `pointer` is from a box that belongs to this value, `false` if it is from a static reference.
    is_owned: bool,
}

// SAFETY: `Rows` is a box or a static reference, and both are `Send` and `Sync` for rows of integers.
unsafe impl Send for Rows {}
// SAFETY: as above; only `&mut self` gives mutable access.
unsafe impl Sync for Rows {}

impl Rows {
    /// Size in bytes.
    pub const BYTES: usize = size_of::<[Row; LENGTH]>();

    /// Creates rows of zeros.
    pub fn zero() -> Rows {
        Rows::owned(vec![Row([0; WIDTH]); LENGTH])
    }

    /// Copies the rows from `bytes`; `None` if there are not [`BYTES`](Self::BYTES) bytes.
    pub fn copied(bytes: &[u8]) -> Option<Rows> {
        let (rows, _) = bytes.as_chunks();
        let row = |numbers: &[u8; WIDTH]| Row(numbers.map(|number| number as i8));
        (bytes.len() == Rows::BYTES).then(|| Rows::owned(rows.iter().map(row).collect()))
    }

    /// Borrows the rows in `bytes`; `None` if there are not [`BYTES`](Self::BYTES) bytes, or if their alignment is
    /// not that of a [`Row`].
    pub fn borrowed(bytes: &'static [u8]) -> Option<Rows> {
        let pointer = NonNull::from(bytes).cast::<[Row; LENGTH]>();
        (bytes.len() == Rows::BYTES && pointer.is_aligned()).then_some(Rows {
            pointer,
            is_owned: false,
        })
    }

    /// Returns the rows as bytes, which [`copied`](Self::copied) reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = self.iter().flat_map(|row| row.0);
        bytes.map(|number| number as u8).collect()
    }

    fn owned(rows: Vec<Row>) -> Rows {
        let rows: Box<[Row; LENGTH]> = rows.try_into().expect("one row for each index");
        Rows {
            pointer: NonNull::from(Box::leak(rows)),
            is_owned: true,
        }
    }
}

impl Deref for Rows {
    type Target = [Row; LENGTH];

    #[inline(always)]
    fn deref(&self) -> &[Row; LENGTH] {
        // SAFETY: the pointer is from a box that lives as long as `self`, or from static bytes, of which `borrowed`
        // has checked length and alignment. Any bytes are rows. They change by `&mut self` only.
        unsafe { self.pointer.as_ref() }
    }
}

impl DerefMut for Rows {
    fn deref_mut(&mut self) -> &mut [Row; LENGTH] {
        if !self.is_owned {
            *self = Rows::owned(self.to_vec());
        }
        // SAFETY: the pointer is from a box that belongs to `self`, which is borrowed mutably.
        unsafe { self.pointer.as_mut() }
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        if self.is_owned {
            // SAFETY: `owned` leaked the box to this value, and nothing uses it afterwards.
            drop(unsafe { Box::from_raw(self.pointer.as_ptr()) });
        }
    }
}

impl Clone for Rows {
    fn clone(&self) -> Rows {
        match self.is_owned {
            true => Rows::owned(self.to_vec()),
            false => Rows {
                pointer: self.pointer,
                is_owned: false,
            },
        }
    }
}

impl PartialEq for Rows {
    fn eq(&self, other: &Rows) -> bool {
        **self == **other
    }
}

impl Eq for Rows {}

impl Debug for Rows {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Rows");
        debug.field("is_owned", &self.is_owned);
        debug.finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes with the alignment of rows.
    #[repr(C, align(32))]
    struct Aligned([u8; Rows::BYTES + 1]);

    static BYTES: Aligned = Aligned([7; Rows::BYTES + 1]);

    /// A change of borrowed rows leaves the static bytes and other borrowers as they are.
    #[test]
    fn borrowed_rows_are_copied_when_they_change() {
        let bytes = &BYTES.0[..Rows::BYTES];
        let borrowed = Rows::borrowed(bytes).expect("aligned bytes");
        let mut changed = borrowed.clone();
        assert_eq!(changed.as_ptr().cast(), bytes.as_ptr());
        changed[LENGTH - 1].0[3] = -1;
        assert_ne!(changed, borrowed);
        assert_eq!(changed.clone(), changed);
        assert_eq!(borrowed[LENGTH - 1], Row([7; WIDTH]));
        assert_eq!(borrowed, Rows::copied(bytes).expect("as many bytes"));
        let again = Rows::copied(&changed.to_bytes());
        assert_eq!(again, Some(changed));
    }

    #[test]
    fn bytes_of_another_length_or_alignment_are_not_borrowed() {
        for range in [0..0, 0..Rows::BYTES - 1, 0..Rows::BYTES + 1] {
            assert_eq!(Rows::borrowed(&BYTES.0[range.clone()]), None);
            assert_eq!(Rows::copied(&BYTES.0[range]), None);
        }
        let shifted = &BYTES.0[1..];
        assert_eq!(Rows::borrowed(shifted), None);
        assert_eq!(
            Rows::copied(shifted).map(|rows| rows[0]),
            Some(Row([7; WIDTH]))
        );
    }
}
