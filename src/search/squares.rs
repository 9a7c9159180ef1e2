//! Sets of squares that ordering and the last empties use.

/// The four corners.
pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The squares of the quadrants named by the bits of the index: bit 0 the north-west, 1 the
/// north-east, 2 the south-west, 3 the south-east.
const QUADRANTS: [u64; 16] = quadrants();

const fn quadrants() -> [u64; 16] {
    let mut all = [0; 16];
    let mut set = 0;
    while set < 16 {
        let mut square = 0;
        while square < 64 {
            if set >> (square >> 2 & 1 | square >> 4 & 2) & 1 == 1 {
                all[set] |= 1 << square;
            }
            square += 1;
        }
        set += 1;
    }
    all
}

/// The squares of the quadrants in which `empties` has an odd number of squares.
#[inline(always)]
pub(super) fn odd_quadrants(empties: u64) -> u64 {
    let odd = |i: usize| ((empties & QUADRANTS[1 << i]).count_ones() as usize & 1) << i;
    QUADRANTS[odd(0) | odd(1) | odd(2) | odd(3)]
}
