//! `outflank perft`: leaf counts at every level.

use crate::common::program::run_cli;

const LEAVES: [u64; 9] = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288];
/// Leaves at depth 9, the first depth with a pass, if passes are not counted as plies.
const DEPTH_9_WITHOUT_PASS_PLIES: u64 = 3_005_320;

fn leaves(options: &str) -> Vec<u64> {
    let run = run_cli(&format!("perft 9 {options}")).expect(0);
    let rows = run.stdout.lines().skip(2).enumerate();
    rows.map(|(index, row)| {
        let mut words = row.split_whitespace();
        assert_eq!(words.next(), Some(&*(index + 1).to_string()), "{row}");
        words.next().expect("the leaves").parse().expect("a number")
    })
    .collect()
}

#[test]
fn leaf_counts_are_right_at_every_level() {
    for isa in outflank::Isa::available() {
        assert_eq!(leaves(&format!("--isa {isa}")), LEAVES, "{isa}");
        let counts = leaves(&format!("--no-pass-ply --isa {isa}"));
        assert_eq!(counts[..8], LEAVES[..8], "{isa}");
        assert_eq!(counts[8], DEPTH_9_WITHOUT_PASS_PLIES, "{isa}");
    }
}
