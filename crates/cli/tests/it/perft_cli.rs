//! `outflank perft`: the counts, at every level, and the limits.

use crate::common::program::cli;
use outflank_testing::command::run;

const LEAVES: [u64; 9] = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288];
/// Depth 9 is the first with a pass, so the two ways of counting differ.
const DEPTH_9_WITHOUT_PASS_PLIES: u64 = 3_005_320;

fn leaves(arguments: &[&str]) -> Vec<u64> {
    let run = run(cli("perft").args(arguments), b"").expect(0);
    let rows = run.stdout.lines().skip(2).enumerate();
    rows.map(|(index, row)| {
        let mut words = row.split_whitespace();
        assert_eq!(words.next(), Some(&*(index + 1).to_string()), "{row}");
        words.next().expect("the leaves").parse().expect("a number")
    })
    .collect()
}

#[test]
fn the_counts_are_right_at_every_level() {
    for isa in outflank::Isa::available() {
        assert_eq!(leaves(&["9", "--isa", isa.name()]), LEAVES, "{isa}");
        let counts = leaves(&["9", "--no-pass-ply", "--isa", isa.name()]);
        assert_eq!(counts[..8], LEAVES[..8], "{isa}");
        assert_eq!(counts[8], DEPTH_9_WITHOUT_PASS_PLIES, "{isa}");
    }
}

#[test]
fn other_depths_and_levels_are_refused() {
    for arguments in [
        &["0"][..],
        &["17"],
        &["-1"],
        &["x"],
        &[],
        &["3", "--isa", "v9"],
    ] {
        let run = run(cli("perft").args(arguments), b"").expect(2);
        assert_eq!(run.stdout, "");
        assert!(!run.stderr.is_empty());
    }
}
