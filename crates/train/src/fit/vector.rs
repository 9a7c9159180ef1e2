//! Loops over long vectors, compiled for the CPU's instruction set at run time (pulp).
//!
//! Sums have a fixed number of lanes, added up in a fixed order without fused operations, so every CPU gives the
//! same result.

use pulp::Arch;

/// Lanes of a sum.
const LANES: usize = 16;

/// Sums `term` over the elements of equally long vectors.
pub(super) fn sums<const VECTORS: usize, const SUMS: usize>(
    vectors: [&[f32]; VECTORS],
    term: impl Fn([f32; VECTORS]) -> [f64; SUMS],
) -> [f64; SUMS] {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            let mut sums = [[0.0; LANES]; SUMS];
            let split = vectors.map(|vector| vector.as_chunks::<LANES>());
            for index in 0..split[0].0.len() {
                let chunk = split.map(|(chunks, _)| &chunks[index]);
                for lane in 0..LANES {
                    let terms = term(chunk.map(|chunk| chunk[lane]));
                    for (sum, term) in sums.iter_mut().zip(terms) {
                        sum[lane] += term;
                    }
                }
            }
            for lane in 0..split[0].1.len() {
                let terms = term(split.map(|(_, rest)| rest[lane]));
                for (sum, term) in sums.iter_mut().zip(terms) {
                    sum[lane] += term;
                }
            }
            sums.map(|lanes| lanes.iter().sum())
        },
    )
}

/// x · y.
pub(super) fn dot(x: &[f32], y: &[f32]) -> f64 {
    sums([x, y], |[x, y]| [f64::from(x) * f64::from(y)])[0]
}

/// y := y + a x.
pub(super) fn add(y: &mut [f32], a: f32, x: &[f32]) {
    change(y, x, |y, x| y + a * x);
}

/// y := change(y, x), element by element.
pub(super) fn change(y: &mut [f32], x: &[f32], change: impl Fn(f32, f32) -> f32) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (y, &x) in y.iter_mut().zip(x) {
                *y = change(*y, x);
            }
        },
    );
}
