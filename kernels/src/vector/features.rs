//! Type for all 48 features of a board in an array of registers, generic over the type of register.

macro_rules! features_in_registers {
    (
        $(#[$doc:meta])+
        $Name:ident: [$Register:ty; $count:literal] [$($features:literal)?]
        zero $zero:expr, add $add:path, sub $sub:path
    ) => {
        $(#[$doc])+
        #[derive(Clone, Copy)]
        pub(crate) struct $Name([$Register; $count]);

        const _: () = {
            assert!(size_of::<$Name>() == size_of::<crate::Features>());
            assert!(align_of::<$Name>() <= align_of::<crate::Features>());
        };

        impl $Name {
            #[inline]
            $(#[target_feature(enable = $features)])?
            pub(crate) fn load(features: &crate::Features) -> Self {
                // SAFETY: both types have the same size, and this one asks for no stricter alignment
                // (asserted above). Every bit pattern is valid for both.
                unsafe { *core::ptr::from_ref(features).cast() }
            }

            #[inline]
            $(#[target_feature(enable = $features)])?
            pub(crate) fn store(self, features: &mut crate::Features) {
                // SAFETY: as for `load`; the borrow is exclusive.
                unsafe { *core::ptr::from_mut(features).cast() = self }
            }

            #[inline]
            $(#[target_feature(enable = $features)])?
            pub(crate) fn zero() -> Self {
                Self([$zero; $count])
            }

            #[inline]
            $(#[target_feature(enable = $features)])?
            pub(crate) fn add(mut self, other: Self) -> Self {
                for (mine, other) in self.0.iter_mut().zip(other.0) {
                    *mine = $add(*mine, other);
                }
                self
            }

            #[inline]
            $(#[target_feature(enable = $features)])?
            pub(crate) fn sub(mut self, other: Self) -> Self {
                for (mine, other) in self.0.iter_mut().zip(other.0) {
                    *mine = $sub(*mine, other);
                }
                self
            }
        }
    };
}
pub(super) use features_in_registers;
