//! Logic and arithmetic in lanes.

use iced_x86::{Instruction, OpKind, Register};

use super::{Name, VectorResult, each, first_source, immediate, map};
use crate::machine::{Machine, Modelled, unmodelled};
use crate::term::{Shift, Term, Wide, and_all, concat, constant, number, total, xor_all, zeros};

impl Machine {
    pub(super) fn logic(&self, insn: &Instruction, name: Name) -> VectorResult {
        let function: fn(Term, Term) -> Term = match name.whole {
            "pand" | "pandd" | "pandq" | "andps" | "andpd" => |a, b| a & b,
            "por" | "pord" | "porq" | "orps" | "orpd" => |a, b| a | b,
            "pxor" | "pxord" | "pxorq" | "xorps" | "xorpd" => |a, b| a ^ b,
            "pandn" | "pandnd" | "pandnq" | "andnps" | "andnpd" => |a, b| !a & b,
            "pternlogd" | "pternlogq" => {
                let [a, b, c] = [0, 1, 2].map(|n| self.source(insn, n));
                return Ok(Some((name.lane, ternary(immediate(insn)?, a?, b?, c?))));
            }
            _ => return Ok(None),
        };
        let (a, b) = self.sources(insn)?;
        Ok(Some((name.lane, function(a, b))))
    }

    pub(super) fn sums(&self, insn: &Instruction, name: Name) -> VectorResult {
        let lane = name.lane;
        let function: fn(Term, Term) -> Term = match name.stem {
            "padd" => |a, b| a + b,
            "psub" => |a, b| a - b,
            "pmins" => Term::signed_min,
            "pmaxs" => Term::signed_max,
            "pminu" => Term::unsigned_min,
            "pmaxu" => Term::unsigned_max,
            "phadd" => {
                let pairs = |a: Term| {
                    each(2 * lane, a, |pair| {
                        pair.extract(0, lane) + pair.extract(lane, lane)
                    })
                };
                return self.linewise(insn, lane, |a, b| concat([pairs(a), pairs(b)]));
            }
            _ if name.whole == "psadbw" => {
                let distance = |(a, b): (Term, Term)| match b.is_zero() {
                    true => a.resize(16),
                    false => a.below(b).choose(b - a, a - b).resize(16),
                };
                return self.lanewise(insn, 64, |a, b| {
                    total(a.lanes(8).zip(b.lanes(8)).map(distance)).resize(64)
                });
            }
            "pabs" => return self.each_lane(insn, lane, |a| a.sign().choose(-a, a)),
            "plzcnt" => return self.each_lane(insn, lane, Term::leading_zeros),
            "popcnt" => return self.each_lane(insn, lane, Term::count),
            _ => return Ok(None),
        };
        self.lanewise(insn, lane, function)
    }

    pub(super) fn products(&self, insn: &Instruction, name: Name) -> VectorResult {
        let extend = match name.whole {
            "pmuldq" | "pmulhw" => Term::extend,
            _ => Term::resize,
        };
        let words = |a, b| sum_of_products(a, b, 16, Term::extend);
        let bytes = |a, b| sum_of_products(a, b, 8, Term::resize);
        match name.whole {
            "pmullw" | "pmulld" | "pmullq" => self.lanewise(insn, name.lane, |a, b| a * b),
            "pmuludq" | "pmuldq" => {
                let wide = |a: Term| extend(a.extract(0, 32), 64);
                self.lanewise(insn, 64, |a, b| wide(a) * wide(b))
            }
            "pmulhw" | "pmulhuw" => self.lanewise(insn, 16, |a, b| {
                (extend(a, 32) * extend(b, 32)).extract(16, 16)
            }),
            "pmaddwd" => self.lanewise(insn, 32, words),
            "pmaddubsw" => self.lanewise(insn, 16, |a, b| bytes(a, b).saturated_signed(16)),
            "pdpwssd" | "pdpbusd" => {
                let (a, b) = (self.source(insn, 1)?, self.source(insn, 2)?);
                let products = match name.whole {
                    "pdpwssd" => map(32, a, b, words),
                    _ => map(32, a, b, bytes),
                };
                let sums = map(32, self.source(insn, 0)?, products, |a, b| a + b);
                Ok(Some((32, sums)))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn lane_shifts(&self, insn: &Instruction, name: Name) -> VectorResult {
        let shift = match name.stem {
            "psll" | "psllv" => Shift::Left,
            "psrl" | "psrlv" => Shift::Right,
            "psra" | "psrav" => Shift::SignedRight,
            _ => return Ok(None),
        };
        let lane = name.lane;
        if name.stem.ends_with('v') {
            return self.lanewise(insn, lane, |a, by| a.shift(shift, by));
        }
        // Before AVX an immediate is the second of two operands.
        let last = insn.op_count() - 1;
        let shifted = match insn.op_kind(last) {
            OpKind::Immediate8 => each(lane, self.source(insn, last - 1)?, |a| {
                a.shift_by(shift, insn.immediate8().into())
            }),
            _ => {
                let first = first_source(insn);
                // The distance is all of the lower 64 bits, not only those that a lane needs.
                let by = self.vector_operand(insn, first + 1, 128)?.extract(0, 64);
                each(lane, self.source(insn, first)?, |a| a.shift(shift, by))
            }
        };
        Ok(Some((lane, shifted)))
    }

    pub(super) fn rotations(&self, insn: &Instruction, name: Name) -> VectorResult {
        let is_left = match name.stem {
            "prol" | "prolv" => true,
            "pror" | "prorv" => false,
            _ => return Ok(None),
        };
        let lane = name.lane;
        let a = self.source(insn, 1)?;
        let by = match insn.op_kind(2) {
            OpKind::Immediate8 => each(lane, a, |_| number(insn.immediate8().into(), lane)),
            _ => self.source(insn, 2)?,
        };
        let rotated = map(lane, a, by, |a, by| {
            let modulo = |by: Term| by.extract(0, lane.ilog2()).resize(lane);
            let by = modulo(by);
            let back = modulo(number(lane.into(), lane) - by);
            let (left, right) = if is_left { (by, back) } else { (back, by) };
            a.shift(Shift::Left, left) | a.shift(Shift::Right, right)
        });
        Ok(Some((lane, rotated)))
    }

    /// Conversions between lanes of different widths.
    pub(super) fn conversions(&self, insn: &Instruction, name: Name) -> VectorResult {
        match name.whole {
            "packsswb" => return self.pack(insn, 16, Term::saturated_signed),
            "packssdw" => return self.pack(insn, 32, Term::saturated_signed),
            "packuswb" => return self.pack(insn, 16, Term::saturated_unsigned),
            "packusdw" => return self.pack(insn, 32, Term::saturated_unsigned),
            _ => (),
        }
        let Some((conversion, from, to)) = name.conversion() else {
            return Ok(None);
        };
        let convert: fn(Term, u32) -> Term = match conversion {
            "pmov" | "pmovzx" => Term::resize,
            "pmovsx" => Term::extend,
            _ => return Ok(None),
        };
        if from < to {
            let width = Machine::operand_width(insn, 0) / to * from;
            let source = self.vector_operand(insn, 1, width)?;
            return Ok(Some((to, each(from, source, |lane| convert(lane, to)))));
        }
        if insn.has_op_mask() {
            return Err(unmodelled(insn));
        }
        // Into memory, or into the lowest part of a register.
        let source = self.register(insn.op1_register());
        let value = each(from, source, |lane| convert(lane, to));
        let value = match insn.op0_kind() {
            OpKind::Register => value.resize(value.width().max(128)),
            _ => value,
        };
        Ok(Some((to, value)))
    }

    /// Packs lanes into lanes of half the width, within lines of 128 bits.
    fn pack(&self, insn: &Instruction, from: u32, convert: fn(Term, u32) -> Term) -> VectorResult {
        let narrow = |line| each(from, line, |lane| convert(lane, from / 2));
        self.linewise(insn, from / 2, |a, b| concat([narrow(a), narrow(b)]))
    }

    /// Gathers elements of 32 bits at offsets in lanes of 32 bits.
    pub(super) fn gather(&mut self, insn: &Instruction, name: Name) -> Modelled<bool> {
        if name.whole != "pgatherdd" {
            return Ok(false);
        }
        let width = Machine::operand_width(insn, 0);
        let kept = self.source(insn, 0)?;
        // AVX-512 selects by a mask register, AVX2 by the signs of a third operand.
        let active: Vec<Term> = match insn.op_mask() {
            Register::None => self.source(insn, 2)?.lanes(32).map(Term::sign).collect(),
            _ => self.active(insn, width / 32).bits().collect(),
        };
        let base = self.register(insn.memory_base());
        let base = base.plus(insn.memory_displacement64() as i64);
        let offsets = self.vector[insn.memory_index().number()].extract(0, width);
        let scale = Wide::new(insn.memory_index_scale().into());
        let mut lanes = Vec::new();
        for ((offset, kept), active) in offsets.lanes(32).zip(kept.lanes(32)).zip(active) {
            let address = base + offset.extend(64).times(scale);
            lanes.push(match active.is_zero() {
                true => kept,
                false => active.choose(self.load_at(insn, address, 4)?, kept),
            });
        }
        self.set_vector(insn.op0_register(), concat(lanes));
        match insn.op_mask() {
            Register::None => self.set_vector(insn.op_register(2), zeros(width)),
            mask => self.mask[mask.number()] = zeros(64),
        }
        Ok(true)
    }
}

/// Sums the products of neighbouring lanes in 32 bits: `extend` widens the first factor, the second is signed.
fn sum_of_products(a: Term, b: Term, lane: u32, extend: fn(Term, u32) -> Term) -> Term {
    let pairs = a.lanes(lane).zip(b.lanes(lane));
    total(pairs.map(|(a, b)| extend(a, 32) * b.extend(32)))
}

/// Function of three bits at every position, given by its truth table.
fn ternary(table: u8, a: Term, b: Term, c: Term) -> Term {
    // Exclusive or of products (Reed-Muller form): a function of fewer operands has no product with the others.
    let mut factors: [u8; 8] = std::array::from_fn(|i| table >> i & 1);
    for step in [1, 2, 4] {
        for i in (0..8).filter(|i| i & step != 0) {
            factors[i] ^= factors[i ^ step];
        }
    }
    let ones = constant(Wide::ones(a.width()), a.width());
    let products = (0..8).filter(|&i| factors[i] == 1).map(|i: usize| {
        let operands = [(4, a), (2, b), (1, c)].into_iter();
        let factors = operands.filter(|&(mask, _)| i & mask != 0);
        and_all(factors.map(|(_, term)| term).chain([ones]))
    });
    xor_all(products.chain([zeros(a.width())]))
}
