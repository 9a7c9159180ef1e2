//! The vector layer over AVX2 with bit matrices and dot products of bytes, as desktops have them since Alder
//! Lake.

use core::arch::x86_64::*;

use crate::network::{HIDDEN, Matrix};

pub(crate) use super::gfni::transpose;
pub(crate) use super::v3::*;

/// Tests in which of two boards eight squares lie, a byte each. Bit `i` of the result is set if square `i` lies in
/// `first`, bit `8 + i` if it lies in `second`.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn squares_in(squares: u64, first: u64, second: u64) -> u64 {
    let squares = _mm_set1_epi64x(squares as i64);
    // A shuffle looks only at the lowest four bits of a square, and the table repeats after eight bytes.
    let bits = _mm_shuffle_epi8(_mm_set1_epi64x(0x8040_2010_0804_0201_u64 as i64), squares);
    let rows = _mm_and_si128(_mm_srli_epi16::<3>(squares), _mm_set1_epi8(7));
    let rows = _mm_or_si128(rows, _mm_set_epi64x(0x0808_0808_0808_0808, 0));
    let held = _mm_shuffle_epi8(_mm_set_epi64x(second as i64, first as i64), rows);
    let are_in = _mm_cmpeq_epi8(_mm_and_si128(held, bits), bits);
    _mm_movemask_epi8(are_in) as u64
}

/// Multiplies like [`I8x32::times`], with one instruction for eight hidden numbers. The instruction multiplies four
/// bytes by four weights of each hidden number and adds the products.
#[inline]
#[target_feature(enable = "avx2,avxvnni")]
pub(crate) fn times_by_dot_products(
    inputs: I8x32,
    matrix: &Matrix,
    bias: &[i32; HIDDEN],
) -> I16x16 {
    inputs.times_by(matrix, bias, |sum, bytes, weights| {
        _mm256_dpbusd_avx_epi32(sum, bytes, weights)
    })
}
