//! What a level's token proves, against pulp's: its tokens are made by another list of the same levels.

use std::collections::BTreeSet;
use std::fmt::Debug;

use crate::Isa;

/// What every CPU of the architecture has: the compiler uses it unasked.
const BASELINE: [&str; 3] = ["fxsr", "sse", "sse2"];

/// The target features that one of pulp's tokens proves, by the names of its fields: it is printed as
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

/// The features of pulp's level of the same name, and whether the CPU has it, where pulp has one.
fn pulps(isa: Isa) -> Option<Option<BTreeSet<String>>> {
    match isa {
        Isa::V2 => Some(pulp::x86::V2::try_new().map(proven)),
        Isa::V3 => Some(pulp::x86::V3::try_new().map(proven)),
        Isa::V4 => Some(pulp::x86::V4::try_new().map(proven)),
        _ => None,
    }
}

/// Both find the level or neither does, and pulp's token proves what ours does. The one exception is what
/// the compiler implies by AVX-512 F: ours asks for it.
fn token_proves_what_pulps_does(isa: Isa) {
    let ours: BTreeSet<String> = isa.features().iter().map(|&name| name.into()).collect();
    let Some(pulps) = pulps(isa) else {
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

// As `level_tests!(on_any_cpu …)` does from outside of the crate.
for_each_level!(crate::__level_tests, token_proves_what_pulps_does true);
