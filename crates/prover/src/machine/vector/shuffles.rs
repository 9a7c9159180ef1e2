//! Instructions that move, join and select elements.

use iced_x86::{Instruction, OpKind};

use super::{Name, VectorResult, each, first_source, immediate, map};
use crate::machine::{Machine, Modelled};
use crate::term::{Shift, Table, Term, Wide, bit, concat, number, xor_all, zeros};

impl Machine {
    /// Elements of one vector moved within lines of 128 bits.
    pub(super) fn shuffles(&self, insn: &Instruction, name: Name) -> VectorResult {
        match name.whole {
            "pshufb" => self.linewise(insn, 8, |line, indices| {
                each(8, indices, |index| {
                    let byte = element(line, 8, index.extract(0, 4));
                    index.sign().choose(zeros(8), byte)
                })
            }),
            "pshufd" | "pshuflw" | "pshufhw" | "permilps" => {
                let (lane, order) = (name.lane, immediate(insn)?);
                let first = if name.whole == "pshufhw" { 4 } else { 0 };
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
            "pslldq" | "psrldq" => {
                let by = 8 * u32::from(immediate(insn)?).min(16);
                let shift = match name.whole {
                    "pslldq" => Shift::Left,
                    _ => Shift::Right,
                };
                let a = self.source(insn, insn.op_count() - 2)?;
                Ok(Some((8, each(128, a, |line| line.shift_by(shift, by)))))
            }
            "gf2p8affineqb" => {
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
    pub(super) fn permutations(&self, insn: &Instruction, name: Name) -> VectorResult {
        if let Some((line, lane)) = name.part("shuf") {
            let order = u32::from(immediate(insn)?);
            let (a, b) = self.sources(insn)?;
            let count = a.width() / line;
            let bits = count.ilog2();
            let value = concat((0..count).map(|n| {
                let from = if n < count / 2 { a } else { b };
                from.extract(line * (order >> (bits * n) & (count - 1)), line)
            }));
            return Ok(Some((lane, value)));
        }
        let lane = name.lane;
        let permuted = match name.stem {
            "perm" if insn.op_kind(2) == OpKind::Immediate8 => {
                let order = u32::from(immediate(insn)?);
                let a = self.source(insn, 1)?;
                concat((0..a.width() / 64).map(|n| {
                    let from = n / 4 * 4 + (order >> (2 * (n % 4)) & 3);
                    a.extract(from * 64, 64)
                }))
            }
            "perm" => {
                let (indices, a) = self.sources(insn)?;
                let bits = (a.width() / lane).ilog2();
                each(lane, indices, |index| {
                    element(a, lane, index.extract(0, bits))
                })
            }
            "permi2" | "permt2" => {
                let [first, second, third] = [0, 1, 2].map(|n| self.source(insn, n));
                let (first, second, high) = (first?, second?, third?);
                let (indices, low) = match name.stem {
                    "permi2" => (first, second),
                    _ => (second, first),
                };
                let bits = (low.width() / lane).ilog2();
                each(lane, indices, |index| {
                    let within = index.extract(0, bits);
                    let (high, low) = (element(high, lane, within), element(low, lane, within));
                    index.bit(bits).choose(high, low)
                })
            }
            _ if matches!(name.whole, "perm2i128" | "perm2f128") => {
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
    pub(super) fn compress(&mut self, insn: &Instruction, name: Name) -> Modelled<bool> {
        if name.stem != "pcompress" || insn.op0_kind() != OpKind::Register {
            return Ok(false);
        }
        let lane = name.lane;
        let a = self.source(insn, 1)?;
        let width = a.width();
        let active = self.active(insn, width / lane);
        let mut value = compressed(a, active, lane);
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
    pub(super) fn joins(&self, insn: &Instruction, name: Name) -> VectorResult {
        let unpack = |lane, lo| {
            let half = |line: Term| line.extract(lo, 64).lanes(lane);
            self.linewise(insn, lane, |a, b| {
                concat(half(a).zip(half(b)).flat_map(|(a, b)| [a, b]))
            })
        };
        let lane = name.lane;
        match name.whole {
            "punpcklbw" => unpack(8, 0),
            "punpcklwd" => unpack(16, 0),
            "punpckldq" => unpack(32, 0),
            "punpcklqdq" | "movlhps" | "unpcklpd" => unpack(64, 0),
            "punpckhbw" => unpack(8, 64),
            "punpckhwd" => unpack(16, 64),
            "punpckhdq" => unpack(32, 64),
            "punpckhqdq" | "unpckhpd" => unpack(64, 64),
            "shufps" | "shufpd" => {
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
            "palignr" => {
                let by = 8 * u32::from(immediate(insn)?).min(32);
                let shifted = |a, b| concat([b, a]).shift_by(Shift::Right, by);
                self.linewise(insn, 8, |a, b| shifted(a, b).extract(0, 128))
            }
            "alignq" | "alignd" => {
                let (a, b) = self.sources(insn)?;
                let count = (a.width() / lane) as usize;
                let lanes = [b, a].into_iter().flat_map(|vector| vector.lanes(lane));
                let by = usize::from(immediate(insn)?) % count;
                Ok(Some((lane, concat(lanes.skip(by).take(count)))))
            }
            _ => Ok(None),
        }
    }

    /// Elements of either of two vectors.
    pub(super) fn blends(&self, insn: &Instruction, name: Name) -> VectorResult {
        let lane = name.lane;
        let (a, b) = match name.whole {
            "pblendw" | "pblendd" | "blendps" | "blendpd" | "blendvps" | "blendvpd"
            | "pblendvb" => self.sources(insn)?,
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
    pub(super) fn mask_blends(&mut self, insn: &Instruction, name: Name) -> Modelled<bool> {
        if name.stem != "pblendm" {
            return Ok(false);
        }
        let lane = name.lane;
        let (a, b) = self.sources(insn)?;
        let a = match insn.zeroing_masking() {
            true => zeros(a.width()),
            false => a,
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

/// Lanes whose bit in `selected` is set, moved to the lowest positions; zeros follow them.
pub(crate) fn compressed(lanes: Term, selected: Term, lane: u32) -> Term {
    let width = lanes.width();
    // From the last lane to the first: each selected lane is put in front of the list.
    let lanes: Vec<(Term, Term)> = lanes.lanes(lane).zip(selected.bits()).collect();
    let lanes = lanes.into_iter().rev();
    lanes.fold(zeros(width), |rest, (value, is_selected)| {
        let longer = concat([value, rest.extract(0, width - lane)]);
        is_selected.choose(longer, rest)
    })
}
