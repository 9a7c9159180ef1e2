//! Name and microarchitecture of the CPU. In virtual machines the brand name often hides the microarchitecture.

use std::process::Command;

/// Brand name of the CPU.
pub(super) fn name() -> String {
    let name = match std::env::consts::OS {
        "linux" | "android" => std::fs::read_to_string("/proc/cpuinfo")
            .ok()
            .and_then(|text| brand(&text)),
        "macos" => Command::new("sysctl")
            .args(["-n", "machdep.cpu.brand_string"])
            .output()
            .ok()
            .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        _ => std::env::var("PROCESSOR_IDENTIFIER").ok(),
    };
    let name = name.filter(|name| !name.is_empty());
    name.unwrap_or_else(|| format!("unknown CPU ({})", std::env::consts::ARCH))
}

/// Brand name of the first core in the text of `/proc/cpuinfo`.
fn brand(cpuinfo: &str) -> Option<String> {
    let mut names = cpuinfo.lines().filter_map(|line| {
        let (key, value) = line.split_once(':')?;
        ["model name", "Processor"]
            .contains(&key.trim())
            .then_some(value)
    });
    names.next().map(|name| name.trim().to_owned())
}

/// Name, vendor, family and model of the core: `Zen 4 (AuthenticAMD family 25 model 17)`. Outside x86-64 it is the name
/// of the architecture.
pub(super) fn core() -> String {
    #[cfg(target_arch = "x86_64")]
    return x86::core();
    #[cfg(not(target_arch = "x86_64"))]
    std::env::consts::ARCH.to_owned()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::__cpuid;
    use std::ops::RangeInclusive;

    /// Vendor, family, models and name of cores.
    type Known = (
        &'static str,
        u32,
        &'static [RangeInclusive<u32>],
        &'static str,
    );

    const AMD: &str = "AuthenticAMD";
    const INTEL: &str = "GenuineIntel";

    /// Cores with AVX2, by the manuals of the vendors.
    const KNOWN: &[Known] = &[
        (AMD, 23, &[0..=0x2F], "Zen"),
        (AMD, 23, &[0x30..=0xAF], "Zen 2"),
        (AMD, 25, &[0..=0x0F, 0x20..=0x5F], "Zen 3"),
        (AMD, 25, &[0x10..=0x1F, 0x60..=0xAF], "Zen 4"),
        (AMD, 26, &[0..=0x4F, 0x60..=0x7F], "Zen 5"),
        (
            INTEL,
            6,
            &[0x3C..=0x3C, 0x3F..=0x3F, 0x45..=0x46],
            "Haswell",
        ),
        (
            INTEL,
            6,
            &[0x3D..=0x3D, 0x47..=0x47, 0x4F..=0x4F, 0x56..=0x56],
            "Broadwell",
        ),
        (
            INTEL,
            6,
            &[
                0x4E..=0x4E,
                0x55..=0x55,
                0x5E..=0x5E,
                0x8E..=0x8E,
                0x9E..=0x9E,
                0xA5..=0xA6,
            ],
            "Skylake",
        ),
        (
            INTEL,
            6,
            &[0x6A..=0x6A, 0x6C..=0x6C, 0x7D..=0x7E],
            "Ice Lake",
        ),
        (INTEL, 6, &[0x8C..=0x8D], "Tiger Lake"),
        (INTEL, 6, &[0xA7..=0xA7], "Rocket Lake"),
        (INTEL, 6, &[0x97..=0x97, 0x9A..=0x9A], "Alder Lake"),
        (
            INTEL,
            6,
            &[0xB7..=0xB7, 0xBA..=0xBA, 0xBF..=0xBF],
            "Raptor Lake",
        ),
        (INTEL, 6, &[0xAA..=0xAA, 0xAC..=0xAC], "Meteor Lake"),
        (INTEL, 6, &[0xBD..=0xBD], "Lunar Lake"),
        (INTEL, 6, &[0xB5..=0xB5, 0xC5..=0xC6], "Arrow Lake"),
        (INTEL, 6, &[0x8F..=0x8F], "Sapphire Rapids"),
        (INTEL, 6, &[0xCF..=0xCF], "Emerald Rapids"),
        (INTEL, 6, &[0xAD..=0xAE], "Granite Rapids"),
    ];

    pub(super) fn core() -> String {
        let leaf = __cpuid(0);
        let vendor = [leaf.ebx, leaf.edx, leaf.ecx]
            .map(u32::to_le_bytes)
            .concat();
        let version = __cpuid(1).eax;
        let base = version >> 8 & 0xF;
        let family = base + if base == 0xF { version >> 20 & 0xFF } else { 0 };
        let high = if base == 0x6 || base == 0xF {
            version >> 12 & 0xF0
        } else {
            0
        };
        named(
            &String::from_utf8_lossy(&vendor),
            family,
            high | version >> 4 & 0xF,
        )
    }

    fn named(vendor: &str, family: u32, model: u32) -> String {
        let numbers = format!("{vendor} family {family} model {model}");
        let known = KNOWN.iter().find(|(known, of, models, _)| {
            (*known, *of) == (vendor, family) && models.iter().any(|models| models.contains(&model))
        });
        match known {
            Some((.., name)) => format!("{name} ({numbers})"),
            None => numbers,
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn cores_are_named_by_vendor_family_and_model() {
            for (vendor, family, model, name) in [
                (AMD, 25, 17, "Zen 4 (AuthenticAMD family 25 model 17)"),
                (AMD, 25, 33, "Zen 3 (AuthenticAMD family 25 model 33)"),
                (
                    INTEL,
                    6,
                    0x8F,
                    "Sapphire Rapids (GenuineIntel family 6 model 143)",
                ),
                ("CentaurHauls", 7, 91, "CentaurHauls family 7 model 91"),
            ] {
                assert_eq!(named(vendor, family, model), name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_core_names_the_cpu() {
        let text = "processor\t: 0\nmodel name\t: AMD EPYC 9R14\nprocessor\t: 1\nmodel name\t: B\n";
        assert_eq!(brand(text).as_deref(), Some("AMD EPYC 9R14"));
        assert_eq!(brand("BogoMIPS\t: 50\n"), None);
    }
}
