//! The tokens of the levels for which pulp has none that proves enough: its `Neon` does not prove
//! CRC32, its `Simd128` can be made by anyone in safe code, and it has none above `V4`.

macro_rules! token {
    ($Name:ident, $arch:literal, $about:literal, $has:expr) => {
        #[doc = $about]
        #[cfg(target_arch = $arch)]
        #[derive(Clone, Copy, Debug)]
        pub struct $Name(());

        #[cfg(target_arch = $arch)]
        impl $Name {
            /// The token, where the level can be used. The standard library asks the CPU once and
            /// remembers.
            pub fn try_new() -> Option<Self> {
                $has.then_some(Self(()))
            }
        }
    };
}

token!(
    Icl,
    "x86_64",
    "Proof that the CPU has the level icl.",
    pulp::x86::V4::is_available()
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512bitalg")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("gfni")
);

token!(
    Neon,
    "aarch64",
    "Proof that the CPU has the level neon.",
    std::arch::is_aarch64_feature_detected!("neon")
        && std::arch::is_aarch64_feature_detected!("crc")
);

// WebAssembly cannot ask, and an engine without the extension refuses the whole module. A build of this
// crate for wasm32 always contains functions of simd128, so it needs an engine with SIMD, whichever level
// is used; what the build was told says whether this one is to be.
token!(
    Simd128,
    "wasm32",
    "Proof that the module was built with simd128.",
    cfg!(target_feature = "simd128")
);
