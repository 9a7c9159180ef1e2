//! What a row of the list of levels says, against what the compiler makes of it.

use std::collections::BTreeSet;
use std::process::Command;

use outflank_codegen::levels::{Isa, LEVELS};

/// The target features that the compiler enables for `target` with these switched on.
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

fn target(level: &Isa) -> Option<&'static str> {
    Some(match level.arch? {
        "x86_64" => "x86_64-unknown-linux-gnu",
        "aarch64" => "aarch64-unknown-linux-gnu",
        "wasm32" => "wasm32-unknown-unknown",
        other => panic!("name a target of {other} here"),
    })
}

/// A token is made where the CPU has every feature of its level's row. Functions with these features may
/// use what they imply for the compiler, too: the row has to name it, or nobody asks the CPU.
#[test]
fn a_row_names_all_that_the_compiler_may_use() {
    for level in LEVELS {
        let Some(target) = target(level) else {
            assert!(level.features().is_empty(), "{}", level.name);
            continue;
        };
        let features = level.features();
        let named = features.iter().map(|&name| name.to_owned());
        let known: BTreeSet<String> = named.chain(enabled(target, &[])).collect();
        let used = enabled(target, &features);
        let unnamed: Vec<_> = used.difference(&known).collect();
        assert!(unnamed.is_empty(), "{}: {unnamed:?}", level.name);
        for name in features {
            assert!(used.contains(name), "{}: no feature {name}", level.name);
        }
    }
}

#[test]
fn every_level_comes_after_the_one_it_extends() {
    for (i, level) in LEVELS.iter().enumerate() {
        if let Some(base) = level.extends {
            let mut earlier = LEVELS[..i].iter();
            assert!(earlier.any(|one| one.name == base), "{}", level.name);
        }
    }
}
