//! Logic and arithmetic in lanes.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::{VectorResult, each, first_source, immediate, lane, map};
use crate::machine::{Machine, Unmodelled, unmodelled};
use crate::term::{Shift, Term, Wide, and_all, concat, constant, number, total, xor_all, zeros};

impl Machine {
    pub(super) fn logic(&self, insn: &Instruction) -> VectorResult {
        use Mnemonic::*;
        let function: fn(Term, Term) -> Term = match insn.mnemonic() {
            Pand | Vpand | Vpandd | Vpandq | Andps | Andpd | Vandps | Vandpd => |a, b| a & b,
            Por | Vpor | Vpord | Vporq | Orps | Orpd | Vorps | Vorpd => |a, b| a | b,
            Pxor | Vpxor | Vpxord | Vpxorq | Xorps | Xorpd | Vxorps | Vxorpd => |a, b| a ^ b,
            Pandn | Vpandn | Vpandnd | Vpandnq | Andnps | Andnpd | Vandnps | Vandnpd => {
                |a, b| !a & b
            }
            Vpternlogd | Vpternlogq => {
                let [a, b, c] = [0, 1, 2].map(|n| self.source(insn, n));
                return Ok(Some((lane(insn), ternary(immediate(insn)?, a?, b?, c?))));
            }
            _ => return Ok(None),
        };
        let (a, b) = self.sources(insn)?;
        Ok(Some((lane(insn), function(a, b))))
    }

    pub(super) fn sums(&self, insn: &Instruction) -> VectorResult {
        use Mnemonic::*;
        let lane = lane(insn);
        let function: fn(Term, Term) -> Term = match insn.mnemonic() {
            Paddb | Vpaddb | Paddw | Vpaddw | Paddd | Vpaddd | Paddq | Vpaddq => |a, b| a + b,
            Psubb | Vpsubb | Psubw | Vpsubw | Psubd | Vpsubd | Psubq | Vpsubq => |a, b| a - b,
            Pminsb | Vpminsb | Pminsw | Vpminsw | Pminsd | Vpminsd | Vpminsq => Term::signed_min,
            Pmaxsb | Vpmaxsb | Pmaxsw | Vpmaxsw | Pmaxsd | Vpmaxsd | Vpmaxsq => Term::signed_max,
            Pmaxub | Vpmaxub | Pmaxuw | Vpmaxuw | Pmaxud | Vpmaxud | Vpmaxuq => Term::unsigned_max,
            Pminub | Vpminub | Pminuw | Vpminuw | Pminud | Vpminud | Vpminuq => {
                |a, b| b.below(a).choose(b, a)
            }
            Phaddw | Vphaddw | Phaddd | Vphaddd => {
                let pairs = |a: Term| {
                    each(2 * lane, a, |pair| {
                        pair.extract(0, lane) + pair.extract(lane, lane)
                    })
                };
                let (a, b) = self.sources(insn)?;
                let sums = map(128, a, b, |a, b| concat([pairs(a), pairs(b)]));
                return Ok(Some((lane, sums)));
            }
            Psadbw | Vpsadbw => {
                let distance = |(a, b): (Term, Term)| match b.is_zero() {
                    true => a.resize(16),
                    false => a.below(b).choose(b - a, a - b).resize(16),
                };
                return self.lanewise(insn, 64, |a, b| {
                    total(a.lanes(8).zip(b.lanes(8)).map(distance)).resize(64)
                });
            }
            Pabsb | Pabsw | Pabsd | Vpabsb | Vpabsw | Vpabsd | Vpabsq => {
                return self.each_lane(insn, lane, |a| a.sign().choose(-a, a));
            }
            Vplzcntq | Vplzcntd => return self.each_lane(insn, lane, Term::leading_zeros),
            Vpopcntb | Vpopcntw | Vpopcntd | Vpopcntq => {
                return self.each_lane(insn, lane, Term::count);
            }
            _ => return Ok(None),
        };
        self.lanewise(insn, lane, function)
    }

    pub(super) fn products(&self, insn: &Instruction) -> VectorResult {
        use Mnemonic::*;
        let mnemonic = insn.mnemonic();
        let extend = match mnemonic {
            Pmuldq | Vpmuldq | Pmulhw | Vpmulhw => Term::extend,
            _ => Term::resize,
        };
        let words = |a, b| sum_of_products(a, b, 16, Term::extend);
        let bytes = |a, b| sum_of_products(a, b, 8, Term::resize);
        match mnemonic {
            Pmullw | Vpmullw | Pmulld | Vpmulld | Vpmullq => {
                self.lanewise(insn, lane(insn), |a, b| a * b)
            }
            Pmuludq | Vpmuludq | Pmuldq | Vpmuldq => {
                let wide = |a: Term| extend(a.extract(0, 32), 64);
                self.lanewise(insn, 64, |a, b| wide(a) * wide(b))
            }
            Pmulhw | Vpmulhw | Pmulhuw | Vpmulhuw => self.lanewise(insn, 16, |a, b| {
                (extend(a, 32) * extend(b, 32)).extract(16, 16)
            }),
            Pmaddwd | Vpmaddwd => self.lanewise(insn, 32, words),
            Pmaddubsw | Vpmaddubsw => {
                self.lanewise(insn, 16, |a, b| bytes(a, b).saturated_signed(16))
            }
            Vpdpwssd | Vpdpbusd => {
                let (a, b) = (self.source(insn, 1)?, self.source(insn, 2)?);
                let products = match mnemonic {
                    Vpdpwssd => map(32, a, b, words),
                    _ => map(32, a, b, bytes),
                };
                let sums = map(32, self.source(insn, 0)?, products, |a, b| a + b);
                Ok(Some((32, sums)))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn lane_shifts(&self, insn: &Instruction) -> VectorResult {
        use Mnemonic::*;
        let shift = match insn.mnemonic() {
            Psllw | Vpsllw | Vpsllvw | Pslld | Vpslld | Vpsllvd | Psllq | Vpsllq | Vpsllvq => {
                Shift::Left
            }
            Psrlw | Vpsrlw | Vpsrlvw | Psrld | Vpsrld | Vpsrlvd | Psrlq | Vpsrlq | Vpsrlvq => {
                Shift::Right
            }
            Psraw | Vpsraw | Vpsravw | Psrad | Vpsrad | Vpsravd | Vpsraq | Vpsravq => {
                Shift::SignedRight
            }
            _ => return Ok(None),
        };
        let lane = lane(insn);
        let has_own_distances = matches!(
            insn.mnemonic(),
            Vpsllvw | Vpsllvd | Vpsllvq | Vpsrlvw | Vpsrlvd | Vpsrlvq | Vpsravw | Vpsravd | Vpsravq
        );
        if has_own_distances {
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

    pub(super) fn rotations(&self, insn: &Instruction) -> VectorResult {
        use Mnemonic::*;
        let is_left = match insn.mnemonic() {
            Vprolvq | Vprolvd | Vprolq | Vprold => true,
            Vprorvq | Vprorvd | Vprorq | Vprord => false,
            _ => return Ok(None),
        };
        let lane = lane(insn);
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
    pub(super) fn conversions(&self, insn: &Instruction) -> VectorResult {
        use Mnemonic::*;
        let (from, to, convert): (u32, u32, fn(Term, u32) -> Term) = match insn.mnemonic() {
            Pmovzxbw | Vpmovzxbw => (8, 16, Term::resize),
            Pmovzxbd | Vpmovzxbd => (8, 32, Term::resize),
            Pmovzxbq | Vpmovzxbq => (8, 64, Term::resize),
            Pmovzxwd | Vpmovzxwd => (16, 32, Term::resize),
            Pmovzxwq | Vpmovzxwq => (16, 64, Term::resize),
            Pmovzxdq | Vpmovzxdq => (32, 64, Term::resize),
            Pmovsxbw | Vpmovsxbw => (8, 16, Term::extend),
            Pmovsxbd | Vpmovsxbd => (8, 32, Term::extend),
            Pmovsxbq | Vpmovsxbq => (8, 64, Term::extend),
            Pmovsxwd | Vpmovsxwd => (16, 32, Term::extend),
            Pmovsxwq | Vpmovsxwq => (16, 64, Term::extend),
            Pmovsxdq | Vpmovsxdq => (32, 64, Term::extend),
            Packsswb | Vpacksswb => return self.pack(insn, 16, Term::saturated_signed),
            Packssdw | Vpackssdw => return self.pack(insn, 32, Term::saturated_signed),
            Packuswb | Vpackuswb => return self.pack(insn, 16, Term::saturated_unsigned),
            Packusdw | Vpackusdw => return self.pack(insn, 32, Term::saturated_unsigned),
            Vpmovqw => (64, 16, Term::resize),
            Vpmovqd => (64, 32, Term::resize),
            Vpmovqb => (64, 8, Term::resize),
            Vpmovdw => (32, 16, Term::resize),
            Vpmovdb => (32, 8, Term::resize),
            Vpmovwb => (16, 8, Term::resize),
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
        let (a, b) = self.sources(insn)?;
        let narrow = |line| each(from, line, |lane| convert(lane, from / 2));
        let packed = map(128, a, b, |a, b| concat([narrow(a), narrow(b)]));
        Ok(Some((from / 2, packed)))
    }

    /// Gathers elements of 32 bits at offsets in lanes of 32 bits.
    pub(super) fn gather(&mut self, insn: &Instruction) -> Result<bool, Unmodelled> {
        if insn.mnemonic() != Mnemonic::Vpgatherdd {
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
