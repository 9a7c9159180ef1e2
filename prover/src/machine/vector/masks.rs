//! Mask registers, and what compares vectors into them, into flags or into general registers.

use iced_x86::{Instruction, Mnemonic, OpKind};

use super::{first_source, immediate, lane};
use crate::machine::{Flags, Machine, Unmodelled, unmodelled};
use crate::term::{Shift, Term, Wide, bit, concat, constant, zeros};

impl Machine {
    /// Logic on mask registers.
    pub(super) fn masks(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        match one.mnemonic() {
            Kmovb | Kmovw | Kmovd | Kmovq => {
                let width = lane(one);
                let value = match one.op1_kind() {
                    OpKind::Register => self.register(one.op1_register()).extract(0, width),
                    _ => self.load(one, 0, width / 8)?,
                };
                match one.op0_kind() {
                    OpKind::Register if one.op0_register().is_k() => self.set_mask(one, value),
                    OpKind::Register => {
                        let own = Machine::operand_width(one, 0);
                        self.set(one, 0, value.resize(own))?;
                    }
                    _ => self.store(one, value)?,
                }
            }
            Kandb | Kandw | Kandd | Kandq | Korb | Korw | Kord | Korq | Kxorb | Kxorw | Kxord
            | Kxorq | Kxnorb | Kxnorw | Kxnord | Kxnorq | Kandnb | Kandnw | Kandnd | Kandnq => {
                let width = lane(one);
                let of = |n| self.mask[one.op_register(n).number()].extract(0, width);
                let (a, b) = (of(1), of(2));
                let result = match one.mnemonic() {
                    Kandb | Kandw | Kandd | Kandq => a & b,
                    Korb | Korw | Kord | Korq => a | b,
                    Kxorb | Kxorw | Kxord | Kxorq => a ^ b,
                    Kandnb | Kandnw | Kandnd | Kandnq => !a & b,
                    _ => !(a ^ b),
                };
                self.set_mask(one, result);
            }
            Knotb | Knotw | Knotd | Knotq => {
                let width = lane(one);
                let a = self.mask[one.op1_register().number()].extract(0, width);
                self.set_mask(one, !a);
            }
            Kortestb | Kortestw | Kortestd | Kortestq => {
                let width = lane(one);
                let of = |n| self.mask[one.op_register(n).number()].extract(0, width);
                let either = of(0) | of(1);
                self.flags = Flags {
                    carry: Some(either.equals(constant(Wide::ones(width), width))),
                    zero: Some(either.equals(zeros(width))),
                    sign: Some(bit(false)),
                    overflow: Some(bit(false)),
                    parity: Some(bit(false)),
                };
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Comparisons of lanes, and of whole vectors into flags.
    pub(super) fn comparisons(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        match one.mnemonic() {
            Vptestmb | Vptestmw | Vptestmd | Vptestmq | Vptestnmb | Vptestnmw | Vptestnmd
            | Vptestnmq => {
                let lane = lane(one);
                let none = matches!(
                    one.mnemonic(),
                    Vptestnmb | Vptestnmw | Vptestnmd | Vptestnmq
                );
                self.compare(one, lane, |a, b| {
                    let is_none = (a & b).equals(zeros(lane));
                    if none { is_none } else { !is_none }
                })?;
            }
            Vpcmpb | Vpcmpw | Vpcmpd | Vpcmpq | Vpcmpub | Vpcmpuw | Vpcmpud | Vpcmpuq => {
                let lane = lane(one);
                let signed = matches!(one.mnemonic(), Vpcmpb | Vpcmpw | Vpcmpd | Vpcmpq);
                let less = |a: Term, b: Term| {
                    if signed {
                        a.signed_below(b)
                    } else {
                        a.below(b)
                    }
                };
                let predicate = immediate(one)? & 7;
                self.compare(one, lane, |a, b| match predicate {
                    0 => a.equals(b),
                    1 => less(a, b),
                    2 => !less(b, a),
                    3 => bit(false),
                    4 => !a.equals(b),
                    5 => !less(a, b),
                    6 => less(b, a),
                    _ => bit(true),
                })?;
            }
            Pcmpeqb | Pcmpeqw | Pcmpeqd | Pcmpeqq | Vpcmpeqb | Vpcmpeqw | Vpcmpeqd | Vpcmpeqq
            | Pcmpgtb | Pcmpgtw | Pcmpgtd | Pcmpgtq | Vpcmpgtb | Vpcmpgtw | Vpcmpgtd | Vpcmpgtq => {
                let is_equal = matches!(
                    one.mnemonic(),
                    Pcmpeqb
                        | Pcmpeqw
                        | Pcmpeqd
                        | Pcmpeqq
                        | Vpcmpeqb
                        | Vpcmpeqw
                        | Vpcmpeqd
                        | Vpcmpeqq
                );
                self.compare(one, lane(one), |a, b| match is_equal {
                    true => a.equals(b),
                    false => b.signed_below(a),
                })?;
            }
            Vpshufbitqmb => {
                let width = one.op1_register().size() as u32 * 8;
                let (words, places) = (
                    self.vector_operand(one, 1, width)?,
                    self.vector_operand(one, 2, width)?,
                );
                let chosen = words.lanes(64).zip(places.lanes(64));
                let chosen = chosen.flat_map(|(word, places)| {
                    let place = |byte: Term| byte.extract(0, 6).resize(64);
                    places
                        .lanes(8)
                        .map(move |byte| word.shift(Shift::Right, place(byte)).bit(0))
                        .collect::<Vec<_>>()
                });
                let chosen = concat(chosen.collect::<Vec<_>>());
                let active = self.active(one, width / 8);
                self.set_mask(one, chosen & active);
            }
            Ptest | Vptest => {
                let width = Machine::operand_width(one, 0);
                let (a, b) = (
                    self.vector_operand(one, 0, width)?,
                    self.vector_operand(one, 1, width)?,
                );
                self.flags = Flags {
                    carry: Some((!a & b).equals(zeros(width))),
                    zero: Some((a & b).equals(zeros(width))),
                    sign: Some(bit(false)),
                    overflow: Some(bit(false)),
                    parity: Some(bit(false)),
                };
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The signs of lanes as a number or a mask, and a mask as lanes.
    pub(super) fn signs(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        match one.mnemonic() {
            Pmovmskb | Vpmovmskb | Movmskpd | Vmovmskpd | Movmskps | Vmovmskps => {
                let lane = match one.mnemonic() {
                    Pmovmskb | Vpmovmskb => 8,
                    Movmskps | Vmovmskps => 32,
                    _ => 64,
                };
                let source = self.register(one.op1_register());
                let signs = concat(source.lanes(lane).map(Term::sign).collect::<Vec<_>>());
                let width = Machine::operand_width(one, 0);
                self.set(one, 0, signs.resize(width))?;
            }
            Vpmovb2m | Vpmovw2m | Vpmovd2m | Vpmovq2m => {
                let lane = match one.mnemonic() {
                    Vpmovb2m => 8,
                    Vpmovw2m => 16,
                    Vpmovd2m => 32,
                    _ => 64,
                };
                let source = self.register(one.op1_register());
                let signs = concat(source.lanes(lane).map(Term::sign).collect::<Vec<_>>());
                self.set_mask(one, signs);
            }
            Vpmovm2b | Vpmovm2w | Vpmovm2d | Vpmovm2q => {
                let lane = lane(one);
                let count = Machine::operand_width(one, 0) / lane;
                let mask = self.mask[one.op1_register().number()].extract(0, count);
                let value = concat(mask.bits().map(|bit| bit.extend(lane)).collect::<Vec<_>>());
                self.set_vector_operand(one, value, lane)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn set_mask(&mut self, one: &Instruction, value: Term) {
        self.mask[one.op0_register().number()] = value.resize(64);
    }

    /// Compares lanes: the answers become bits of a mask register, or lanes of ones and zeros.
    fn compare(
        &mut self,
        one: &Instruction,
        lane: u32,
        test: impl Fn(Term, Term) -> Term,
    ) -> Result<(), Unmodelled> {
        let into_mask = one.op0_register().is_k();
        let first = first_source(one);
        let width = match one.op_kind(first) {
            OpKind::Register => one.op_register(first).size() as u32 * 8,
            _ => return Err(unmodelled(one)),
        };
        let (a, b) = (
            self.vector_operand(one, first, width)?,
            self.vector_operand(one, first + 1, width)?,
        );
        let answers = a.lanes(lane).zip(b.lanes(lane)).map(|(a, b)| test(a, b));
        let answers: Vec<Term> = answers.collect();
        if into_mask {
            let active = self.active(one, answers.len() as u32);
            let value = concat(answers) & active;
            self.set_mask(one, value);
            return Ok(());
        }
        let value = concat(
            answers
                .into_iter()
                .map(|answer| answer.extend(lane))
                .collect::<Vec<_>>(),
        );
        self.set_vector_operand(one, value, lane)
    }
}
