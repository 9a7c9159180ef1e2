//! Instructions that move, join and select elements.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::{VectorResult, each, first_source, immediate, lane, map};
use crate::machine::{Machine, Unmodelled};
use crate::term::{Shift, Table, Term, Wide, bit, concat, number, xor_all, zeros};

impl Machine {
    /// Elements of one vector moved within lines of 128 bits.
    pub(super) fn shuffles(&self, insn: &Instruction) -> VectorResult {
        use Mnemonic::*;
        match insn.mnemonic() {
            Pshufb | Vpshufb => {
                let (a, indices) = self.sources(insn)?;
                let shuffled = map(128, a, indices, |line, indices| {
                    each(8, indices, |index| {
                        let byte = element(line, 8, index.extract(0, 4));
                        index.sign().choose(zeros(8), byte)
                    })
                });
                Ok(Some((8, shuffled)))
            }
            Pshufd | Vpshufd | Pshuflw | Vpshuflw | Pshufhw | Vpshufhw | Vpermilps => {
                let (lane, order) = (lane(insn), immediate(insn)?);
                let first = match insn.mnemonic() {
                    Pshufhw | Vpshufhw => 4,
                    _ => 0,
                };
                let shuffled = each(128, self.source(insn, 1)?, |line| {
                    concat((0..128 / lane).map(|n: u32| {
                        let from = match n.checked_sub(first) {
                            Some(n @ 0..4) => first + u32::from(order >> (2 * n) & 3),
                            _ => n,
                        };
                        line.extract(from * lane, lane)
                    }))
                });
                Ok(Some((lane, shuffled)))
            }
            Pslldq | Psrldq | Vpslldq | Vpsrldq => {
                let by = 8 * u32::from(immediate(insn)?).min(16);
                let shift = match insn.mnemonic() {
                    Pslldq | Vpslldq => Shift::Left,
                    _ => Shift::Right,
                };
                let a = self.source(insn, insn.op_count() - 2)?;
                Ok(Some((8, each(128, a, |line| line.shift_by(shift, by)))))
            }
            Gf2p8affineqb | Vgf2p8affineqb => {
                let constant = immediate(insn)?;
                let product = |byte: Term, matrix: Term| {
                    concat((0..8).map(|i| {
                        let row = matrix.extract(8 * (7 - i), 8) & byte;
                        xor_all(row.bits().chain([bit(constant >> i & 1 == 1)]))
                    }))
                };
                let (a, matrices) = self.sources(insn)?;
                let products = map(64, a, matrices, |bytes, matrix| {
                    each(8, bytes, |byte| product(byte, matrix))
                });
                Ok(Some((8, products)))
            }
            _ => Ok(None),
        }
    }

    /// Elements taken from anywhere in a vector, or in two.
    pub(super) fn permutations(&self, insn: &Instruction) -> VectorResult {
        use Mnemonic::*;
        let lane = lane(insn);
        let permuted = match insn.mnemonic() {
            Vpermq | Vpermpd if insn.op_kind(2) == OpKind::Immediate8 => {
                let order = u32::from(immediate(insn)?);
                let a = self.source(insn, 1)?;
                concat((0..a.width() / 64).map(|n| {
                    let from = n / 4 * 4 + (order >> (2 * (n % 4)) & 3);
                    a.extract(from * 64, 64)
                }))
            }
            Vpermb | Vpermw | Vpermd | Vpermq | Vpermps | Vpermpd => {
                let (indices, a) = self.sources(insn)?;
                let bits = (a.width() / lane).ilog2();
                each(lane, indices, |index| {
                    element(a, lane, index.extract(0, bits))
                })
            }
            Vpermi2b | Vpermi2w | Vpermi2d | Vpermi2q | Vpermt2b | Vpermt2w | Vpermt2d
            | Vpermt2q => {
                let [first, second, third] = [0, 1, 2].map(|n| self.source(insn, n));
                let (first, second, high) = (first?, second?, third?);
                let (indices, low) = match insn.mnemonic() {
                    Vpermi2b | Vpermi2w | Vpermi2d | Vpermi2q => (first, second),
                    _ => (second, first),
                };
                let bits = (low.width() / lane).ilog2();
                each(lane, indices, |index| {
                    let within = index.extract(0, bits);
                    let (high, low) = (element(high, lane, within), element(low, lane, within));
                    index.bit(bits).choose(high, low)
                })
            }
            Vshufi64x2 | Vshuff64x2 | Vshufi32x4 | Vshuff32x4 => {
                let order = u32::from(immediate(insn)?);
                let (a, b) = self.sources(insn)?;
                let count = a.width() / 128;
                let bits = count.ilog2();
                let value = concat((0..count).map(|n| {
                    let from = if n < count / 2 { a } else { b };
                    from.extract(128 * (order >> (bits * n) & (count - 1)), 128)
                }));
                let is_64 = matches!(insn.mnemonic(), Vshufi64x2 | Vshuff64x2);
                return Ok(Some((if is_64 { 64 } else { 32 }, value)));
            }
            Vperm2i128 | Vperm2f128 => {
                let order = immediate(insn)?;
                let (a, b) = self.sources(insn)?;
                concat([0, 4].map(|shift| {
                    let from = if order >> (shift + 1) & 1 == 0 { a } else { b };
                    match order >> (shift + 3) & 1 {
                        1 => zeros(128),
                        _ => from.extract(128 * u32::from(order >> shift & 1), 128),
                    }
                }))
            }
            _ => return Ok(None),
        };
        Ok(Some((lane, permuted)))
    }

    /// Selected lanes, moved to the lowest positions.
    ///
    /// The form that writes to memory has no model: the number of bytes written depends on the mask.
    pub(super) fn compress(&mut self, insn: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let is_compression = matches!(
            insn.mnemonic(),
            Vpcompressb | Vpcompressw | Vpcompressd | Vpcompressq
        );
        if !is_compression || insn.op0_kind() != OpKind::Register {
            return Ok(false);
        }
        let lane = lane(insn);
        let a = self.source(insn, 1)?;
        let width = a.width();
        let active = self.active(insn, width / lane);
        // From the last lane to the first: each selected lane is put in front of the list.
        let lanes: Vec<(Term, Term)> = a.lanes(lane).zip(active.bits()).collect();
        let lanes = lanes.into_iter().rev();
        let mut value = lanes.fold(zeros(width), |rest, (value, is_selected)| {
            let longer = concat([value, rest.extract(0, width - lane)]);
            is_selected.choose(longer, rest)
        });
        if !insn.zeroing_masking() {
            // The lanes behind the selected ones keep their values.
            let count = active.count();
            let kept = self.source(insn, 0)?;
            let lanes = value.lanes(lane).zip(kept.lanes(lane)).zip(0..);
            value = concat(lanes.map(|((selected, kept), index)| {
                let is_selected = number(index, count.width()).below(count);
                is_selected.choose(selected, kept)
            }));
        }
        self.set_vector(insn.op0_register(), value);
        Ok(true)
    }

    /// Elements of two vectors side by side, or selected by an immediate.
    pub(super) fn joins(&self, insn: &Instruction) -> VectorResult {
        use Mnemonic::*;
        let unpack = |lane, lo| {
            let (a, b) = self.sources(insn)?;
            let joined = map(128, a, b, |a, b| {
                let half = |line: Term| line.extract(lo, 64).lanes(lane);
                concat(half(a).zip(half(b)).flat_map(|(a, b)| [a, b]))
            });
            Ok(Some((lane, joined)))
        };
        let lane = lane(insn);
        match insn.mnemonic() {
            Punpcklbw | Vpunpcklbw => unpack(8, 0),
            Punpcklwd | Vpunpcklwd => unpack(16, 0),
            Punpckldq | Vpunpckldq => unpack(32, 0),
            Punpcklqdq | Vpunpcklqdq | Movlhps | Vmovlhps | Unpcklpd | Vunpcklpd => unpack(64, 0),
            Punpckhbw | Vpunpckhbw => unpack(8, 64),
            Punpckhwd | Vpunpckhwd => unpack(16, 64),
            Punpckhdq | Vpunpckhdq => unpack(32, 64),
            Punpckhqdq | Vpunpckhqdq | Unpckhpd | Vunpckhpd => unpack(64, 64),
            Shufps | Vshufps | Shufpd | Vshufpd => {
                let order = u32::from(immediate(insn)?);
                let (a, b) = self.sources(insn)?;
                let lines = a.lanes(128).zip(b.lanes(128)).enumerate();
                let joined = concat(lines.map(|(i, (a, b))| match lane {
                    64 => concat([
                        a.extract(64 * (order >> (2 * i) & 1), 64),
                        b.extract(64 * (order >> (2 * i + 1) & 1), 64),
                    ]),
                    _ => concat((0..4).map(|n| {
                        let from = if n < 2 { a } else { b };
                        from.extract(32 * (order >> (2 * n) & 3), 32)
                    })),
                }));
                Ok(Some((lane, joined)))
            }
            Palignr | Vpalignr => {
                let by = u32::from(immediate(insn)?).min(32);
                let (a, b) = self.sources(insn)?;
                let joined = map(128, a, b, |a, b| {
                    concat([b, a])
                        .shift_by(Shift::Right, 8 * by)
                        .extract(0, 128)
                });
                Ok(Some((8, joined)))
            }
            Valignq | Valignd => {
                let (a, b) = self.sources(insn)?;
                let by = u32::from(immediate(insn)?) % (a.width() / lane);
                let joined = concat(
                    [b, a]
                        .into_iter()
                        .flat_map(|vector| vector.lanes(lane))
                        .skip(by as usize)
                        .take((a.width() / lane) as usize),
                );
                Ok(Some((lane, joined)))
            }
            _ => Ok(None),
        }
    }

    /// Elements of either of two vectors.
    pub(super) fn blends(&self, insn: &Instruction) -> VectorResult {
        use Mnemonic::*;
        let lane = lane(insn);
        let (a, b) = match insn.mnemonic() {
            Pblendw | Vpblendw | Vpblendd | Blendps | Vblendps | Blendpd | Vblendpd | Blendvpd
            | Blendvps | Pblendvb | Vblendvpd | Vblendvps | Vpblendvb => self.sources(insn)?,
            _ => return Ok(None),
        };
        let selectors: Vec<Term> = match insn.op_kind(insn.op_count() - 1) {
            OpKind::Immediate8 => {
                let bits = (0..8).map(|i| bit(insn.immediate8() >> i & 1 == 1));
                bits.cycle().take((a.width() / lane) as usize).collect()
            }
            // Before AVX the signs were always those of xmm0.
            _ if first_source(insn) == 0 => {
                let signs = self.vector[0].extract(0, 128).lanes(lane);
                signs.map(Term::sign).collect()
            }
            _ => self.source(insn, 3)?.lanes(lane).map(Term::sign).collect(),
        };
        Ok(Some((lane, blend(selectors, lane, a, b))))
    }

    /// Elements of either of two vectors, by a mask that selects nothing else.
    pub(super) fn mask_blends(&mut self, insn: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        if !matches!(
            insn.mnemonic(),
            Vpblendmb | Vpblendmw | Vpblendmd | Vpblendmq
        ) {
            return Ok(false);
        }
        let lane = lane(insn);
        let (a, b) = self.sources(insn)?;
        let a = if insn.zeroing_masking() {
            zeros(a.width())
        } else {
            a
        };
        let mask = self.active(insn, a.width() / lane);
        self.set_vector(insn.op0_register(), blend(mask.bits(), lane, a, b));
        Ok(true)
    }
}

/// Lanes of `b` where their bit is set, else of `a`.
fn blend(bits: impl IntoIterator<Item = Term>, lane: u32, a: Term, b: Term) -> Term {
    let lanes = a.lanes(lane).zip(b.lanes(lane)).zip(bits);
    concat(lanes.map(|((a, b), bit)| bit.choose(b, a)))
}

/// Element of a vector at an index; the index has as many bits as it takes to number all elements.
fn element(a: Term, lane: u32, index: Term) -> Term {
    if let Some(index) = index.number() {
        return a.extract(index as u32 * lane, lane);
    }
    let elements: Vec<Term> = a.lanes(lane).collect();
    let constants: Option<Vec<Wide>> = elements.iter().map(|element| element.value()).collect();
    if let Some(constants) = constants {
        return Table::new(constants, lane).lookup(index);
    }
    debug_assert_eq!(elements.len(), 1 << index.width());
    select(&elements, index)
}

/// Selects an element by an index, from its highest bit on.
fn select(elements: &[Term], index: Term) -> Term {
    let (low, high) = elements.split_at(elements.len() / 2);
    let top = index.width() - 1;
    let rest = |half: &[Term]| match top {
        0 => half[0],
        _ => select(half, index.extract(0, top)),
    };
    index.bit(top).choose(rest(high), rest(low))
}
