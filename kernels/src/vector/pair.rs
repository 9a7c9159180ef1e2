//! `U64x4` for the levels with 128-bit registers. Each operation is two operations of `U64x2`, which the
//! including module defines.

macro_rules! four_lanes_in_two_registers {
    ($features:literal) => {
        /// Four 64-bit lanes in two registers.
        #[derive(Clone, Copy)]
        pub(crate) struct U64x4(U64x2, U64x2);

        with_features!(
            #[target_feature(enable = $features)]
            impl U64x4 {
                pub(crate) fn new([a, b, c, d]: [u64; 4]) -> Self {
                    Self(U64x2::new([a, b]), U64x2::new([c, d]))
                }

                pub(crate) fn splat(value: u64) -> Self {
                    Self(U64x2::splat(value), U64x2::splat(value))
                }

                pub(crate) fn and(self, other: Self) -> Self {
                    Self(self.0.and(other.0), self.1.and(other.1))
                }

                /// `self & !other`.
                pub(crate) fn and_not(self, other: Self) -> Self {
                    Self(self.0.and_not(other.0), self.1.and_not(other.1))
                }

                pub(crate) fn or(self, other: Self) -> Self {
                    Self(self.0.or(other.0), self.1.or(other.1))
                }

                pub(crate) fn add(self, other: Self) -> Self {
                    Self(self.0.add(other.0), self.1.add(other.1))
                }

                pub(crate) fn neg(self) -> Self {
                    Self(self.0.neg(), self.1.neg())
                }

                /// All ones in each lane that is zero.
                pub(crate) fn is_zero(self) -> Self {
                    Self(self.0.is_zero(), self.1.is_zero())
                }

                /// Shifts each lane left by its own count (0..=63).
                pub(crate) fn shl_each(self, [a, b, c, d]: [u64; 4]) -> Self {
                    Self(self.0.shl_each(a, b), self.1.shl_each(c, d))
                }

                /// Shifts each lane right by its own count (0..=63).
                pub(crate) fn shr_each(self, [a, b, c, d]: [u64; 4]) -> Self {
                    Self(self.0.shr_each(a, b), self.1.shr_each(c, d))
                }

                /// OR of all lanes.
                pub(crate) fn reduce_or(self) -> u64 {
                    let [low, high] = self.0.or(self.1).to_array();
                    low | high
                }

                /// AND of all lanes.
                pub(crate) fn reduce_and(self) -> u64 {
                    let [low, high] = self.0.and(self.1).to_array();
                    low & high
                }

                pub(crate) fn to_array(self) -> [u64; 4] {
                    let ([a, b], [c, d]) = (self.0.to_array(), self.1.to_array());
                    [a, b, c, d]
                }
            }
        );
    };
}
pub(super) use four_lanes_in_two_registers;
