//! Sets of squares that ordering and the last empties use.

/// The four corners.
pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Those of `empties` that have none of the others beside them: whoever plays there leaves the opponent no reply beside
/// it.
#[inline(always)]
pub(super) fn alone(empties: u64) -> u64 {
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    let beside = empties << 1 & NOT_A | (empties & NOT_A) >> 1;
    let row = empties | beside;
    empties & !(beside | row << 8 | row >> 8)
}

#[cfg(test)]
mod tests {
    use outflank_kernels::NEIGHBOURS;
    use outflank_testing::rng::Rng;

    use super::*;

    #[test]
    fn squares_alone_have_no_empty_neighbour() {
        let mut rng = Rng::new(1);
        for _ in 0..10_000 {
            let empties = rng.bits() & rng.bits() & rng.bits();
            for (square, neighbours) in NEIGHBOURS.iter().enumerate() {
                let is_alone = empties >> square & 1 == 1 && neighbours & empties == 0;
                assert_eq!(alone(empties) >> square & 1 == 1, is_alone, "{empties:#x}");
            }
        }
    }
}
