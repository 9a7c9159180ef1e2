//! Comparison of our tokens with those of the crate pulp, which has its own list of the same levels.

use std::collections::BTreeSet;
use std::fmt::Debug;

use crate::Isa;

/// Features of every CPU of the architecture, which the compiler always uses.
const BASELINE: [&str; 3] = ["fxsr", "sse", "sse2"];

/// Target features that one of pulp's tokens proves, from the names of its fields. A token prints as
/// `V2 { sse: Sse, sse2: Sse2, … }`.
fn proven(token: impl Debug) -> BTreeSet<String> {
    let printed = format!("{token:?}");
    let (_, fields) = printed.split_once('{').expect("it has fields");
    let names = fields.split(", ").map(|field| field.split_once(':'));
    let names = names.map(|field| {
        field
            .expect("a field has a name")
            .0
            .trim()
            .replace('_', ".")
    });
    let names: BTreeSet<String> = names.collect();
    assert!(names.contains("sse2"), "{printed}");
    names
}

/// Features of pulp's level of the same name: `None` if pulp lacks the level, `Some(None)` if the CPU lacks
/// it.
fn pulp_features(isa: Isa) -> Option<Option<BTreeSet<String>>> {
    match isa {
        Isa::V2 => Some(pulp::x86::V2::try_new().map(proven)),
        Isa::V3 => Some(pulp::x86::V3::try_new().map(proven)),
        Isa::V4 => Some(pulp::x86::V4::try_new().map(proven)),
        _ => None,
    }
}

/// Checks that both crates detect the level or neither does, and that both tokens prove the same features.
/// The one exception is F16C: AVX-512 F implies it for the compiler, and only our list names it.
fn token_proves_the_same_features_as_pulp(isa: Isa) {
    let ours: BTreeSet<String> = isa.features().iter().map(|&name| name.into()).collect();
    let Some(pulps) = pulp_features(isa) else {
        println!("{isa}: pulp has no such level");
        return;
    };
    assert_eq!(isa.token().is_ok(), pulps.is_some());
    let Some(mut pulps) = pulps else {
        println!("skipped: this CPU lacks {isa}");
        return;
    };
    pulps.retain(|name| !BASELINE.contains(&name.as_str()));
    if isa == Isa::V4 {
        pulps.insert("f16c".into());
    }
    assert_eq!(ours, pulps);
}

crate::level_tests!(on_any_cpu token_proves_the_same_features_as_pulp);
