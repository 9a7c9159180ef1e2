//! Isolated squares, which move ordering prefers near the end of the game.

/// The squares of `empties` without an empty neighbour. A move on such a square leaves the opponent no reply beside it.
#[inline(always)]
pub(super) fn isolated_squares(empties: u64) -> u64 {
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    let beside = empties << 1 & NOT_A | (empties & NOT_A) >> 1;
    let row = empties | beside;
    empties & !(beside | row << 8 | row >> 8)
}

#[cfg(test)]
mod tests {
    use outflank_kernels::NEIGHBOURS;
    use outflank_random::SplitMix64;

    use super::*;

    #[test]
    fn isolated_squares_have_no_empty_neighbour() {
        let mut rng = SplitMix64::new(1);
        for _ in 0..10_000 {
            let empties = rng.bits() & rng.bits() & rng.bits();
            let expected = (0..64)
                .filter(|&square| empties >> square & 1 == 1 && NEIGHBOURS[square] & empties == 0);
            let expected = expected.fold(0, |bits, square| bits | 1 << square);
            assert_eq!(isolated_squares(empties), expected, "{empties:#x}");
        }
    }
}
