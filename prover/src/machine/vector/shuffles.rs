//! Elements moved about, joined and chosen.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::{first_source, immediate, lane, map};
use crate::machine::{Machine, Unmodelled, unmodelled};
use crate::term::{Shift, Table, Term, Wide, bit, concat, number, odd, zeros};

impl Machine {
    /// Elements of one vector within lines of 128 bits.
    pub(super) fn shuffles(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        match one.mnemonic() {
            Pshufb | Vpshufb => {
                let (a, places) = self.two(one)?;
                let value = in_lines(a, |i, line| {
                    let places = places.extract(128 * i, 128);
                    concat(places.lanes(8).map(|place| {
                        let chosen = element(line, 8, place.extract(0, 4));
                        place.sign().choose(zeros(8), chosen)
                    }))
                });
                self.set_vector_operand(one, value, 8)?;
            }
            Pshufd | Vpshufd | Pshuflw | Vpshuflw | Pshufhw | Vpshufhw | Vpermilpd | Vpermilps => {
                let order = immediate(one)?;
                let (lane, first) = match one.mnemonic() {
                    Pshufd | Vpshufd | Vpermilps => (32, 0),
                    Pshuflw | Vpshuflw => (16, 0),
                    Pshufhw | Vpshufhw => (16, 4),
                    _ => return Err(unmodelled(one)),
                };
                let value = in_lines(self.last(one, 1)?, |_, line| {
                    concat((0..128 / lane).map(|n: u32| {
                        let from = match n.checked_sub(first) {
                            Some(n @ 0..4) => first + u32::from(order >> (2 * n) & 3),
                            _ => n,
                        };
                        line.extract(from * lane, lane)
                    }))
                });
                self.set_vector_operand(one, value, lane)?;
            }
            Pslldq | Psrldq | Vpslldq | Vpsrldq => {
                let by = 8 * u32::from(immediate(one)?).min(16);
                let source = one.op_count() - 2;
                let left = matches!(one.mnemonic(), Pslldq | Vpslldq);
                let shift = if left { Shift::Left } else { Shift::Right };
                let value = in_lines(self.last(one, source)?, |_, line| line.shift_by(shift, by));
                self.set_vector_operand(one, value, 8)?;
            }
            Gf2p8affineqb | Vgf2p8affineqb => {
                let constant = immediate(one)?;
                let (a, matrix) = self.two(one)?;
                let value = map(64, a, matrix, |bytes, matrix| {
                    concat(
                        bytes
                            .lanes(8)
                            .map(|byte| {
                                concat((0..8).map(|i| {
                                    let row = matrix.extract(8 * (7 - i), 8) & byte;
                                    odd(row.bits().chain([bit(constant >> i & 1 == 1)]))
                                }))
                            })
                            .collect::<Vec<_>>(),
                    )
                });
                self.set_vector_operand(one, value, 8)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Elements taken from anywhere.
    pub(super) fn permutations(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        match one.mnemonic() {
            Vpermq | Vpermpd if one.op_kind(2) == OpKind::Immediate8 => {
                let order = u32::from(immediate(one)?);
                let a = self.last(one, 1)?;
                let value = concat((0..a.width() / 64).map(|n| {
                    let from = n / 4 * 4 + (order >> (2 * (n % 4)) & 3);
                    a.extract(from * 64, 64)
                }));
                self.set_vector_operand(one, value, 64)?;
            }
            Vpermb | Vpermw | Vpermd | Vpermq | Vpermps | Vpermpd => {
                let lane = lane(one);
                let (places, a) = self.two(one)?;
                let bits = (a.width() / lane).ilog2();
                let value = concat(
                    places
                        .lanes(lane)
                        .map(|place| element(a, lane, place.extract(0, bits)))
                        .collect::<Vec<_>>(),
                );
                self.set_vector_operand(one, value, lane)?;
            }
            // Into memory only the chosen lanes are written: how many bytes depends on the mask. That has no model.
            Vpcompressb | Vpcompressw | Vpcompressd | Vpcompressq
                if one.op0_kind() == OpKind::Register =>
            {
                let lane = lane(one);
                let a = self.last(one, 1)?;
                let (width, count) = (a.width(), a.width() / lane);
                let active = self.active(one, count);
                let register = one.op0_register();
                // From the last lane to the first: each that is chosen comes before those so far.
                let lanes: Vec<(Term, Term)> = a.lanes(lane).zip(active.bits()).collect();
                let chosen = lanes.iter().rev();
                let chosen = chosen.fold(zeros(width), |rest, &(value, is_chosen)| {
                    let longer = concat([value, rest.extract(0, width - lane)]);
                    is_chosen.choose(longer, rest)
                });
                let value = if one.zeroing_masking() {
                    chosen
                } else {
                    // The lanes behind those chosen stay as they were.
                    let chosen_count = active.count();
                    let own = self.last(one, 0)?;
                    let both = chosen.lanes(lane).zip(own.lanes(lane)).zip(0..);
                    let value = both.map(|((chosen, own), place)| {
                        let is_chosen = number(place, chosen_count.width()).below(chosen_count);
                        is_chosen.choose(chosen, own)
                    });
                    concat(value.collect::<Vec<_>>())
                };
                self.set_vector(register, value);
            }
            Vpermi2b | Vpermi2w | Vpermi2d | Vpermi2q | Vpermt2b | Vpermt2w | Vpermt2d
            | Vpermt2q => {
                let lane = lane(one);
                let own = self.last(one, 0)?;
                let (second, third) = (self.last(one, 1)?, self.last(one, 2)?);
                let (places, low) = match one.mnemonic() {
                    Vpermi2b | Vpermi2w | Vpermi2d | Vpermi2q => (own, second),
                    _ => (second, own),
                };
                let bits = (own.width() / lane).ilog2();
                let value = concat(
                    places
                        .lanes(lane)
                        .map(|place| {
                            let number = place.extract(0, bits);
                            place
                                .bit(bits)
                                .choose(element(third, lane, number), element(low, lane, number))
                        })
                        .collect::<Vec<_>>(),
                );
                self.set_vector_operand(one, value, lane)?;
            }
            Vshufi64x2 | Vshuff64x2 | Vshufi32x4 | Vshuff32x4 => {
                let order = u32::from(immediate(one)?);
                let (a, b) = self.two(one)?;
                let count = a.width() / 128;
                let bits = count.ilog2();
                let value = concat((0..count).map(|n| {
                    let from = if n < count / 2 { a } else { b };
                    from.extract(128 * (order >> (bits * n) & (count - 1)), 128)
                }));
                let lane = if matches!(one.mnemonic(), Vshufi64x2 | Vshuff64x2) {
                    64
                } else {
                    32
                };
                self.set_vector_operand(one, value, lane)?;
            }
            Vperm2i128 | Vperm2f128 => {
                let order = immediate(one)?;
                let (a, b) = self.two(one)?;
                let value = concat([0, 4].map(|shift| {
                    let from = if order >> (shift + 1) & 1 == 0 { a } else { b };
                    match order >> (shift + 3) & 1 {
                        1 => zeros(128),
                        _ => from.extract(128 * u32::from(order >> shift & 1), 128),
                    }
                }));
                self.set_vector_operand(one, value, 64)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Elements of two vectors side by side, or by constant places.
    pub(super) fn joins(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        match one.mnemonic() {
            Punpcklbw | Punpcklwd | Punpckldq | Punpcklqdq | Punpckhbw | Punpckhwd | Punpckhdq
            | Punpckhqdq | Vpunpcklbw | Vpunpcklwd | Vpunpckldq | Vpunpcklqdq | Vpunpckhbw
            | Vpunpckhwd | Vpunpckhdq | Vpunpckhqdq | Movlhps | Vmovlhps | Unpcklpd | Vunpcklpd
            | Unpckhpd | Vunpckhpd => {
                let lane = match one.mnemonic() {
                    Punpcklbw | Vpunpcklbw | Punpckhbw | Vpunpckhbw => 8,
                    Punpcklwd | Vpunpcklwd | Punpckhwd | Vpunpckhwd => 16,
                    Punpckldq | Vpunpckldq | Punpckhdq | Vpunpckhdq => 32,
                    _ => 64,
                };
                let high = matches!(
                    one.mnemonic(),
                    Punpckhbw
                        | Punpckhwd
                        | Punpckhdq
                        | Punpckhqdq
                        | Vpunpckhbw
                        | Vpunpckhwd
                        | Vpunpckhdq
                        | Vpunpckhqdq
                        | Unpckhpd
                        | Vunpckhpd
                );
                let (a, b) = self.two(one)?;
                let value = in_lines(a, |i, line| {
                    let other = b.extract(128 * i, 128);
                    let half = |line: Term| line.extract(if high { 64 } else { 0 }, 64);
                    let pairs = half(line).lanes(lane).zip(half(other).lanes(lane));
                    concat(pairs.flat_map(|(a, b)| [a, b]))
                });
                self.set_vector_operand(one, value, lane)?;
            }
            Shufps | Vshufps | Shufpd | Vshufpd => {
                let order = u32::from(immediate(one)?);
                let (a, b) = self.two(one)?;
                let doubles = matches!(one.mnemonic(), Shufpd | Vshufpd);
                let value = in_lines(a, |i, line| {
                    let other = b.extract(128 * i, 128);
                    match doubles {
                        true => concat([
                            line.extract(64 * (order >> (2 * i) & 1), 64),
                            other.extract(64 * (order >> (2 * i + 1) & 1), 64),
                        ]),
                        false => concat((0..4).map(|n| {
                            let from = if n < 2 { line } else { other };
                            from.extract(32 * (order >> (2 * n) & 3), 32)
                        })),
                    }
                });
                self.set_vector_operand(one, value, if doubles { 64 } else { 32 })?;
            }
            Palignr | Vpalignr => {
                let by = u32::from(immediate(one)?).min(32);
                let (a, b) = self.two(one)?;
                let value = in_lines(a, |i, line| {
                    let both = concat([b.extract(128 * i, 128), line]);
                    both.shift_by(Shift::Right, 8 * by).extract(0, 128)
                });
                self.set_vector_operand(one, value, 8)?;
            }
            Valignq | Valignd => {
                let lane = if one.mnemonic() == Valignq { 64 } else { 32 };
                let (a, b) = self.two(one)?;
                let by = u32::from(immediate(one)?) % (a.width() / lane);
                let low = b.extract(by * lane, b.width() - by * lane);
                let value = match by {
                    0 => b,
                    by => concat([low, a.extract(0, by * lane)]),
                };
                self.set_vector_operand(one, value, lane)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Elements of one or the other of two vectors.
    pub(super) fn blends(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        match one.mnemonic() {
            Pblendw | Vpblendw | Vpblendd | Blendps | Vblendps | Blendpd | Vblendpd => {
                let (lane, period) = match one.mnemonic() {
                    Pblendw | Vpblendw => (16, 8),
                    Blendpd | Vblendpd => (64, 8),
                    _ => (32, 8),
                };
                let order = immediate(one)?;
                let (a, b) = self.two(one)?;
                let lanes = a.lanes(lane).zip(b.lanes(lane)).enumerate();
                let value = concat(lanes.map(|(i, (a, b))| match order >> (i % period) & 1 {
                    1 => b,
                    _ => a,
                }));
                self.set_vector_operand(one, value, lane)?;
            }
            Blendvpd | Blendvps | Pblendvb | Vblendvpd | Vblendvps | Vpblendvb => {
                let lane = lane(one);
                let (a, b) = self.two(one)?;
                // Before AVX the signs were always those of xmm0.
                let signs = match first_source(one) {
                    0 => self.vector[0].extract(0, 128),
                    _ => self.last(one, 3)?,
                };
                let lanes = a.lanes(lane).zip(b.lanes(lane)).zip(signs.lanes(lane));
                let value = concat(
                    lanes
                        .map(|((a, b), sign)| sign.sign().choose(b, a))
                        .collect::<Vec<_>>(),
                );
                self.set_vector_operand(one, value, lane)?;
            }
            Vpblendmb | Vpblendmw | Vpblendmd | Vpblendmq => {
                let lane = lane(one);
                let (a, b) = self.two(one)?;
                let bits = self.active(one, a.width() / lane);
                let a = if one.zeroing_masking() {
                    zeros(a.width())
                } else {
                    a
                };
                let lanes = a.lanes(lane).zip(b.lanes(lane)).zip(bits.bits());
                let value = concat(
                    lanes
                        .map(|((a, b), bit)| bit.choose(b, a))
                        .collect::<Vec<_>>(),
                );
                let register = one.op0_register();
                self.set_vector(register, value);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// A function of each line of 128 bits and its number.
fn in_lines(a: Term, function: impl Fn(u32, Term) -> Term) -> Term {
    concat(
        a.lanes(128)
            .enumerate()
            .map(|(i, line)| function(i as u32, line))
            .collect::<Vec<_>>(),
    )
}

/// The element of a vector at a place; the place has as many bits as it takes to number them.
fn element(a: Term, lane: u32, place: Term) -> Term {
    if let Some(place) = place.number() {
        return a.extract(place as u32 * lane, lane);
    }
    let elements: Vec<Term> = a.lanes(lane).collect();
    let constants: Option<Vec<Wide>> = elements.iter().map(|one| one.value()).collect();
    if let Some(constants) = constants {
        return Table::new(constants, lane).lookup(place);
    }
    // From the highest bit of the place on.
    fn chosen(elements: &[Term], place: Term) -> Term {
        let [one] = elements else {
            let (low, high) = elements.split_at(elements.len() / 2);
            let top = place.width() - 1;
            let rest = |part: &[Term]| match top {
                0 => part[0],
                _ => chosen(part, place.extract(0, top)),
            };
            return place.bit(top).choose(rest(high), rest(low));
        };
        *one
    }
    debug_assert_eq!(elements.len(), 1 << place.width());
    chosen(&elements, place)
}
