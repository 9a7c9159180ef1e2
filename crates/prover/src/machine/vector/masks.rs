//! Mask registers, and comparisons of vectors into masks, flags or general registers.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::{VectorResult, each, first_source, immediate, lane};
use crate::machine::{Flags, Machine, Unmodelled, unmodelled};
use crate::term::{Shift, Term, Wide, bit, concat, constant, zeros};

impl Machine {
    /// Moves of mask registers and logic on them.
    pub(super) fn masks(&mut self, insn: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let width = lane(insn);
        let source =
            |machine: &Machine, n| machine.mask[insn.op_register(n).number()].extract(0, width);
        let function: fn(Term, Term) -> Term = match insn.mnemonic() {
            Kandb | Kandw | Kandd | Kandq => |a, b| a & b,
            Korb | Korw | Kord | Korq => |a, b| a | b,
            Kxorb | Kxorw | Kxord | Kxorq => |a, b| a ^ b,
            Kxnorb | Kxnorw | Kxnord | Kxnorq => |a, b| !(a ^ b),
            Kandnb | Kandnw | Kandnd | Kandnq => |a, b| !a & b,
            Knotb | Knotw | Knotd | Knotq => {
                self.set_mask(insn, !source(self, 1));
                return Ok(true);
            }
            Kortestb | Kortestw | Kortestd | Kortestq => {
                let either = source(self, 0) | source(self, 1);
                let ones = constant(Wide::ones(width), width);
                self.flags = Flags::of_test(either.equals(ones), either.equals(zeros(width)));
                return Ok(true);
            }
            Kmovb | Kmovw | Kmovd | Kmovq => {
                let value = match insn.op1_kind() {
                    OpKind::Register => self.register(insn.op1_register()).extract(0, width),
                    _ => self.load(insn, 0, width / 8)?,
                };
                match insn.op0_kind() {
                    OpKind::Register if insn.op0_register().is_k() => self.set_mask(insn, value),
                    OpKind::Register => {
                        self.set(insn, 0, value.resize(Machine::operand_width(insn, 0)))?;
                    }
                    _ => self.store(insn, value)?,
                }
                return Ok(true);
            }
            _ => return Ok(false),
        };
        self.set_mask(insn, function(source(self, 1), source(self, 2)));
        Ok(true)
    }

    /// Comparisons of lanes, and of whole vectors into flags.
    pub(super) fn comparisons(&mut self, insn: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let are_disjoint = |a: Term, b: Term| (a & b).equals(zeros(a.width()));
        match insn.mnemonic() {
            Vptestmb | Vptestmw | Vptestmd | Vptestmq => {
                self.compare(insn, |a, b| !are_disjoint(a, b))
            }
            Vptestnmb | Vptestnmw | Vptestnmd | Vptestnmq => self.compare(insn, are_disjoint),
            Vpcmpb | Vpcmpw | Vpcmpd | Vpcmpq => self.compare_by(insn, Term::signed_below),
            Vpcmpub | Vpcmpuw | Vpcmpud | Vpcmpuq => self.compare_by(insn, Term::below),
            Pcmpeqb | Pcmpeqw | Pcmpeqd | Pcmpeqq | Vpcmpeqb | Vpcmpeqw | Vpcmpeqd | Vpcmpeqq => {
                self.compare(insn, Term::equals)
            }
            Pcmpgtb | Pcmpgtw | Pcmpgtd | Pcmpgtq | Vpcmpgtb | Vpcmpgtw | Vpcmpgtd | Vpcmpgtq => {
                self.compare(insn, |a, b| b.signed_below(a))
            }
            Vpshufbitqmb => {
                let width = Machine::operand_width(insn, 1);
                let words = self.vector_operand(insn, 1, width)?.lanes(64);
                let indices = self.vector_operand(insn, 2, width)?.lanes(64);
                let bits = words.zip(indices).flat_map(|(word, indices)| {
                    let index = |byte: Term| byte.extract(0, 6).resize(64);
                    let bit = move |byte| word.shift(Shift::Right, index(byte)).bit(0);
                    indices.lanes(8).map(bit)
                });
                let value = concat(bits) & self.active(insn, width / 8);
                self.set_mask(insn, value);
                Ok(true)
            }
            Ptest | Vptest => {
                let (a, b) = (self.source(insn, 0)?, self.source(insn, 1)?);
                self.flags = Flags::of_test(are_disjoint(!a, b), are_disjoint(a, b));
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Signs of lanes as an integer or a mask.
    pub(super) fn signs(&mut self, insn: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let lane = match insn.mnemonic() {
            Pmovmskb | Vpmovmskb | Movmskpd | Vmovmskpd | Movmskps | Vmovmskps => lane(insn),
            Vpmovb2m => 8,
            Vpmovw2m => 16,
            Vpmovd2m => 32,
            Vpmovq2m => 64,
            _ => return Ok(false),
        };
        let signs = each(lane, self.register(insn.op1_register()), Term::sign);
        match insn.op0_register().is_k() {
            true => self.set_mask(insn, signs),
            false => self.set(insn, 0, signs.resize(Machine::operand_width(insn, 0)))?,
        }
        Ok(true)
    }

    /// Lanes of ones and zeros, by the bits of a mask register.
    pub(super) fn mask_to_lanes(&self, insn: &Instruction) -> VectorResult {
        use Mnemonic::*;
        if !matches!(insn.mnemonic(), Vpmovm2b | Vpmovm2w | Vpmovm2d | Vpmovm2q) {
            return Ok(None);
        }
        let lane = lane(insn);
        let count = Machine::operand_width(insn, 0) / lane;
        let mask = self.register(insn.op1_register()).extract(0, count);
        Ok(Some((lane, each(1, mask, |bit| bit.extend(lane)))))
    }

    fn set_mask(&mut self, insn: &Instruction, value: Term) {
        self.mask[insn.op0_register().number()] = value.resize(64);
    }

    /// Compares lanes by the predicate that the immediate selects.
    fn compare_by(
        &mut self,
        insn: &Instruction,
        less: fn(Term, Term) -> Term,
    ) -> Result<bool, Unmodelled> {
        let predicate = immediate(insn)? & 7;
        self.compare(insn, |a, b| match predicate {
            0 => a.equals(b),
            1 => less(a, b),
            2 => !less(b, a),
            3 => bit(false),
            4 => !a.equals(b),
            5 => !less(a, b),
            6 => less(b, a),
            _ => bit(true),
        })
    }

    /// Compares lanes: the answers become bits of a mask register, or lanes of ones and zeros.
    fn compare(
        &mut self,
        insn: &Instruction,
        test: impl Fn(Term, Term) -> Term,
    ) -> Result<bool, Unmodelled> {
        let (lane, first) = (lane(insn), first_source(insn));
        if insn.op_kind(first) != OpKind::Register {
            return Err(unmodelled(insn));
        }
        let width = Machine::operand_width(insn, first);
        let a = self.vector_operand(insn, first, width)?.lanes(lane);
        let b = self.vector_operand(insn, first + 1, width)?.lanes(lane);
        let answers = a.zip(b).map(|(a, b)| test(a, b));
        if insn.op0_register().is_k() {
            let value = concat(answers) & self.active(insn, width / lane);
            self.set_mask(insn, value);
        } else {
            let lanes = concat(answers.map(|answer| answer.extend(lane)));
            self.set_vector_operand(insn, lanes, lane)?;
        }
        Ok(true)
    }
}
