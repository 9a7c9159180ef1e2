//! Mask registers, and comparisons of vectors into masks, flags or general registers.

use iced_x86::{Instruction, OpKind};

use super::{Name, VectorResult, each, first_source, immediate};
use crate::machine::{Flags, Machine, Modelled, unmodelled};
use crate::term::{Shift, Term, Wide, bit, concat, constant, zeros};

impl Machine {
    /// Moves of mask registers and logic on them.
    pub(super) fn masks(&mut self, insn: &Instruction, name: Name) -> Modelled<bool> {
        let width = name.lane;
        let source =
            |machine: &Machine, n| machine.mask[insn.op_register(n).number()].extract(0, width);
        let function: fn(Term, Term) -> Term = match name.stem {
            "kand" => |a, b| a & b,
            "kor" => |a, b| a | b,
            "kxor" => |a, b| a ^ b,
            "kxnor" => |a, b| !(a ^ b),
            "kandn" => |a, b| !a & b,
            "knot" => {
                self.set_mask(insn, !source(self, 1));
                return Ok(true);
            }
            "kortest" => {
                let either = source(self, 0) | source(self, 1);
                let ones = constant(Wide::ones(width), width);
                self.flags = Flags::of_test(either.equals(ones), either.equals(zeros(width)));
                return Ok(true);
            }
            "kmov" => {
                let value = match insn.op1_kind() {
                    OpKind::Register => self.register(insn.op1_register()).extract(0, width),
                    _ => self.load(insn, width / 8)?,
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
    pub(super) fn comparisons(&mut self, insn: &Instruction, name: Name) -> Modelled<bool> {
        let are_disjoint = |a: Term, b: Term| (a & b).equals(zeros(a.width()));
        match name.stem {
            "ptestm" => self.compare(insn, name, |a, b| !are_disjoint(a, b)),
            "ptestnm" => self.compare(insn, name, are_disjoint),
            "pcmp" => self.compare_by(insn, name, Term::signed_below),
            "pcmpu" => self.compare_by(insn, name, Term::below),
            "pcmpeq" => self.compare(insn, name, Term::equals),
            "pcmpgt" => self.compare(insn, name, |a, b| b.signed_below(a)),
            "pshufbitqm" => {
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
            "ptest" => {
                let (a, b) = (self.source(insn, 0)?, self.source(insn, 1)?);
                self.flags = Flags::of_test(are_disjoint(!a, b), are_disjoint(a, b));
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Signs of lanes as an integer or a mask.
    pub(super) fn signs(&mut self, insn: &Instruction, name: Name) -> Modelled<bool> {
        let lane = match name.whole {
            "pmovmskb" | "movmskpd" | "movmskps" => name.lane,
            "pmovb2m" => 8,
            "pmovw2m" => 16,
            "pmovd2m" => 32,
            "pmovq2m" => 64,
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
    pub(super) fn mask_to_lanes(&self, insn: &Instruction, name: Name) -> VectorResult {
        if name.stem != "pmovm2" {
            return Ok(None);
        }
        let lane = name.lane;
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
        name: Name,
        less: fn(Term, Term) -> Term,
    ) -> Modelled<bool> {
        let predicate = immediate(insn)? & 7;
        self.compare(insn, name, |a, b| match predicate {
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
        name: Name,
        test: impl Fn(Term, Term) -> Term,
    ) -> Modelled<bool> {
        let (lane, first) = (name.lane, first_source(insn));
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
