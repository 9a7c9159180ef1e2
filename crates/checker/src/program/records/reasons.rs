//! Reasons why algorithms win, from the manuals of the vendors and from measurements. Winners come from records.

/// Returns the reason for the winners of a kernel. A new kernel needs none.
pub(super) fn reason(kernel: &str) -> Option<&'static str> {
    REASONS
        .iter()
        .find(|(kernels, _)| kernels.contains(&kernel))
        .map(|&(_, reason)| reason)
}

/// Kernels with a reason that holds for all of them.
const REASONS: &[(&[&str], &str)] = &[
    (
        &["board_hash"],
        "The `crc32` instruction hashes eight bytes in three cycles; the table needs a dependent load for each byte.",
    ),
    (
        &["canonical", "symmetries", "transpose"],
        "GFNI exchanges rows and columns by one multiplication of bit matrices. Without it, three swaps of blocks follow\n\
         one another.",
    ),
    (
        &["children"],
        "Lanes share the instructions of four or eight boards. AVX-512 counts the ones of all lanes at once. Zen 4 splits\n\
         512-bit operations, so eight lanes save less there than on a CPU with full width.",
    ),
    (
        &["clear"],
        "Memory is the limit, and other programs share it, so these times vary much. Streaming stores do not read a line\n\
         before they overwrite it.",
    ),
    (
        &["edge_stability"],
        "`movemask` collects a column by one instruction. `pext` takes 18 cycles and more on AMD before Zen 3, where it is\n\
         microcoded.",
    ),
    (
        &["eval_sum"],
        "AMD's CPUs split a gather into single loads, and plain loads need no vector of indices. The microcode against Downfall\n\
         slows down gathers on Intel's CPUs from Skylake to Tiger Lake.",
    ),
    (
        &[
            "feature_pass",
            "feature_pass_corner",
            "feature_update",
            "feature_update_corner",
        ],
        "256-bit registers need half of the instructions of 128-bit ones. Zen 4 splits 512-bit operations and gains little\n\
         by them.",
    ),
    (
        &["feature_set", "feature_set_corner"],
        "`half_rows` shares table look-ups among features. `pext_lines` needs three `pext` for each feature. AMD's CPUs before\n\
         Zen 3 have `pext` only in microcode.",
    ),
    (
        &["flip"],
        "Rays of four directions fill a 256-bit register, and AVX-512 counts the leading zeros of each lane. Below v3, two or\n\
         four registers stand for one of 256 bits. `pext_pdep` waits for tables, and AMD's CPUs before Zen 3 have `pext` and\n\
         `pdep` only in microcode.",
    ),
    (
        &["full_lines", "solid_discs", "stability"],
        "`full_lines` by doubled steps in four lanes (`prefix`) needs 256-bit registers. With 128-bit registers it is slower than\n\
         in 64-bit words (`fold`).",
    ),
    (
        &["last_flip_count"],
        "Comparisons of bytes gather three lines at once; AVX-512 tests them by one instruction. `lzcnt` needs no table. The\n\
         speed in a search also depends on the caches and on the branches around the call.",
    ),
    (
        &["last_move_score"],
        "The forms of AVX-512 avoid tables and branches. The time depends on how well the branches are predicted.",
    ),
    (
        &["mobility"],
        "Four directions and their reverses fill 256-bit registers. Eight directions in 512 bits need rotations, and Zen 4\n\
         splits 512-bit operations.",
    ),
    (
        &["neighbour_sort"],
        "One byte shuffle replaces the branches and loads of the table.",
    ),
    (
        &["network_pair", "network_value"],
        "VNNI multiplies four bytes per lane by weights and adds the products in one instruction; without it this takes three.\n\
         The independent sums of the two boards of `network_pair` overlap.",
    ),
    (
        &["ordered_empties"],
        "`bit_shuffle` puts 64 bits into the order of the ranks by one instruction of AVX-512 BITALG.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::kernel;

    #[test]
    fn reasons_are_of_kernels_each_once() {
        let mut names: Vec<&str> = REASONS
            .iter()
            .flat_map(|(names, _)| *names)
            .copied()
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.iter().all(|name| kernel(name).is_some()), "{names:?}");
    }
}
