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
        "GFNI exchanges rows and columns by one multiplication of bit matrices. Without it, three swaps of blocks take\n\
         their turns.",
    ),
    (
        &["children"],
        "Lanes share the instructions of four or eight boards. AVX-512 counts the ones of all lanes at once. Zen 4 splits\n\
         512-bit operations, so eight lanes save less there than on a CPU with full width.",
    ),
    (
        &["clear"],
        "Memory is the limit. Streaming stores do not read a line before they overwrite it; their width matters little.",
    ),
    (
        &["edge_stability"],
        "`movemask` collects a column by one instruction. `pext` takes 18 cycles and more on AMD before Zen 3, where it is\n\
         microcoded.",
    ),
    (
        &["eval_sum"],
        "A gather is split into single loads on AMD, and plain loads need no index register. Fixes for Downfall slow down\n\
         gathers on Intel from Skylake to Tiger Lake.",
    ),
    (
        &[
            "feature_pass",
            "feature_pass_corner",
            "feature_update",
            "feature_update_corner",
        ],
        "256-bit registers halve the instructions of 128 bits. 512 bits are split on Zen 4 and gain nothing there.",
    ),
    (
        &["feature_set", "feature_set_corner"],
        "`half_rows` shares table look-ups among features. `pext_lines` needs three `pext` for each feature, which are\n\
         microcoded on AMD before Zen 3.",
    ),
    (
        &["flip"],
        "Rays of four directions fill a 256-bit register, and AVX-512 counts the leading zeros of each lane. `pext_pdep`\n\
         waits for tables, and is microcoded on AMD before Zen 3. Below v3 a 256-bit register is two or four others.",
    ),
    (
        &["full_lines", "solid_discs", "stability"],
        "Doubling steps in four lanes need 256-bit registers. Two halves of 128 bits cost more than words.",
    ),
    (
        &["last_flip_count"],
        "Comparisons of bytes gather three lines at once; AVX-512 has them as one test into a mask. `lzcnt` needs no table.\n\
         In a search, tables and the branches around the call decide as well.",
    ),
    (
        &["last_move_score"],
        "The forms of AVX-512 avoid tables and branches. The time depends on how well the branches are predicted.",
    ),
    (
        &["mobility"],
        "Four directions and their reverses fill 256-bit registers. Eight directions in 512 bits need rotations, and Zen 4\n\
         splits them.",
    ),
    (
        &["neighbour_sort"],
        "One byte shuffle replaces the branches and loads of the table.",
    ),
    (
        &["network_pair", "network_value"],
        "VNNI multiplies and adds four bytes per lane in one instruction. Without it, two multiplications and additions\n\
         do so. A pair shares the loads of the weights.",
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
