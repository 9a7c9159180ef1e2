//! Instruction-set levels as data: the only list of levels.
//!
//! A row names the target features of a level. Everything else is made from it: detection and token
//! (`kernels/src/tokens/mod.rs`), the `target_feature` attributes of the kernels, the dispatch, and the
//! functions that other crates compile for each level (`stamp!` in `kernels/src/stamp.rs`).

/// An instruction-set level.
#[derive(Debug)]
pub struct Isa {
    /// Name on the command line, of the generated module and of the vector layer.
    pub name: &'static str,
    /// Name of the token's type and of the variant of `Isa`.
    pub type_name: &'static str,
    /// Required CPU features, for documentation.
    pub doc: &'static str,
    /// The only architecture that can have the level; `None` for all.
    pub arch: Option<&'static str>,
    /// The level below. This level has all algorithms of that level. It also selects the same ones, unless a
    /// template selects others.
    pub extends: Option<&'static str>,
    /// Target features beyond those of the level below. Features that the compiler implies from others are listed,
    /// too, because detection asks the CPU for each.
    pub adds: &'static [&'static str],
    /// Instructions that some CPUs of this level have only in microcode. An algorithm that uses one is checked
    /// and measured here but cannot be selected.
    pub slow: &'static [&'static str],
}

/// All levels, each after the one that it extends. Within an architecture slower levels come first:
/// detection takes the last one that the CPU has.
pub const LEVELS: &[Isa] = &[
    Isa {
        name: "portable",
        type_name: "Portable",
        doc: "64-bit integer code, any target.",
        arch: None,
        extends: None,
        adds: &[],
        slow: &[],
    },
    Isa {
        name: "v2",
        type_name: "V2",
        doc: "x86-64 with SSE4.2, SSSE3 and POPCNT.",
        arch: Some("x86_64"),
        extends: Some("portable"),
        adds: &["sse3", "ssse3", "sse4.1", "sse4.2", "popcnt"],
        slow: &[],
    },
    Isa {
        name: "v3",
        type_name: "V3",
        doc: "x86-64 with AVX2, BMI1, BMI2, FMA and LZCNT.",
        arch: Some("x86_64"),
        extends: Some("v2"),
        adds: &["avx", "avx2", "bmi1", "bmi2", "fma", "lzcnt"],
        // AMD before Zen 3 is at this level.
        slow: &["pext", "pdep", "gather"],
    },
    Isa {
        name: "adl",
        type_name: "Adl",
        doc: "x86-64 with all of v3, GFNI and AVX-VNNI.",
        arch: Some("x86_64"),
        extends: Some("v3"),
        adds: &["gfni", "avxvnni"],
        slow: &[],
    },
    Isa {
        name: "v4",
        type_name: "V4",
        doc: "x86-64 with AVX-512 F, BW, CD, DQ and VL.",
        arch: Some("x86_64"),
        extends: Some("v3"),
        adds: &[
            "f16c", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl",
        ],
        slow: &[],
    },
    Isa {
        name: "icl",
        type_name: "Icl",
        doc: "x86-64 with all of v4, VBMI, VBMI2, BITALG, VPOPCNTDQ, VNNI and GFNI.",
        arch: Some("x86_64"),
        extends: Some("v4"),
        adds: &[
            "avx512vbmi",
            "avx512vbmi2",
            "avx512bitalg",
            "avx512vpopcntdq",
            "avx512vnni",
            "gfni",
        ],
        slow: &[],
    },
    Isa {
        name: "neon",
        type_name: "Neon",
        doc: "AArch64 with Advanced SIMD and CRC32.",
        arch: Some("aarch64"),
        extends: Some("portable"),
        adds: &["neon", "crc"],
        slow: &[],
    },
    Isa {
        name: "simd128",
        type_name: "Simd128",
        doc: "WebAssembly built with simd128.",
        arch: Some("wasm32"),
        extends: Some("portable"),
        adds: &["simd128"],
        slow: &[],
    },
];

impl Isa {
    /// Returns the level of this name.
    pub fn named(name: &str) -> Option<&'static Isa> {
        LEVELS.iter().find(|isa| isa.name == name)
    }

    /// Iterates over this level, the one that it extends, and so on down.
    pub fn chain(&self) -> impl Iterator<Item = &Isa> {
        std::iter::successors(Some(self), |isa| isa.extends.and_then(Isa::named))
    }

    /// Target features of the level's kernels, which its token proves.
    pub fn features(&self) -> Vec<&'static str> {
        let mut chain: Vec<_> = self.chain().collect();
        chain.reverse();
        chain.iter().flat_map(|isa| isa.adds).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::process::Command;

    use super::*;

    /// Returns the target features that the compiler enables for `target` when `features` are switched on.
    fn enabled(target: &str, features: &[&str]) -> BTreeSet<String> {
        let switched: String = features.iter().map(|one| format!("+{one},")).collect();
        let output = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()))
            .args(["--print", "cfg", "--target", target])
            .arg(format!("-Ctarget-feature={switched}"))
            .output()
            .expect("rustc runs");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let cfg = String::from_utf8(output.stdout).expect("rustc prints text");
        let names = cfg.lines().filter_map(|line| {
            let name = line.strip_prefix("target_feature=\"")?;
            name.strip_suffix('"').map(str::to_owned)
        });
        names.collect()
    }

    fn target(isa: &Isa) -> Option<&'static str> {
        Some(match isa.arch? {
            "x86_64" => "x86_64-unknown-linux-gnu",
            "aarch64" => "aarch64-unknown-linux-gnu",
            "wasm32" => "wasm32-unknown-unknown",
            other => panic!("name a target of {other} here"),
        })
    }

    /// A token proves only the features in its level's row, but the compiler may also use features that these
    /// imply. So the row must name the implied features, too.
    #[test]
    fn rows_name_all_features_that_the_compiler_may_use() {
        for isa in LEVELS {
            let Some(target) = target(isa) else {
                assert!(isa.features().is_empty(), "{}", isa.name);
                continue;
            };
            let features = isa.features();
            let named = features.iter().map(|&name| name.to_owned());
            let known: BTreeSet<String> = named.chain(enabled(target, &[])).collect();
            let used = enabled(target, &features);
            let unnamed: Vec<_> = used.difference(&known).collect();
            assert!(unnamed.is_empty(), "{}: {unnamed:?}", isa.name);
            for name in features {
                assert!(used.contains(name), "{}: no feature {name}", isa.name);
            }
        }
    }

    #[test]
    fn every_level_comes_after_the_one_it_extends() {
        for (i, isa) in LEVELS.iter().enumerate() {
            if let Some(base) = isa.extends {
                let mut earlier = LEVELS[..i].iter();
                assert!(earlier.any(|one| one.name == base), "{}", isa.name);
            }
        }
    }
}
