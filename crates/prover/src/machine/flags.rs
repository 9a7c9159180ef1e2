//! Arithmetic flags, and the conditions of jumps that they form.

use std::ops::Index;

use iced_x86::{ConditionCode, Instruction};

use super::{Modelled, Unmodelled};
use crate::term::{Term, bit, xor_all, zeros};

/// Arithmetic flag.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the manuals' names")]
pub enum Flag {
    Carry,
    Zero,
    Sign,
    Overflow,
    Parity,
}
use Flag::{Carry, Overflow, Parity, Sign, Zero};

impl Flag {
    /// All flags.
    pub const ALL: [Flag; 5] = [Carry, Zero, Sign, Overflow, Parity];
}

/// All arithmetic flags, of one bit each; `None` where the manuals leave a flag undefined.
#[derive(Clone, Copy, Default)]
pub struct Flags([Option<Term>; 5]);

impl Index<Flag> for Flags {
    type Output = Option<Term>;

    fn index(&self, flag: Flag) -> &Option<Term> {
        &self.0[flag as usize]
    }
}

impl Flags {
    /// Flags from a function.
    pub fn from_fn(flag: impl FnMut(Flag) -> Option<Term>) -> Flags {
        Flags(Flag::ALL.map(flag))
    }

    /// Replaces one flag.
    pub(super) fn with(mut self, flag: Flag, value: Option<Term>) -> Flags {
        self.0[flag as usize] = value;
        self
    }

    /// Flags after a logical operation.
    pub(super) fn of_logic(result: Term) -> Flags {
        let cleared = Some(bit(false));
        Flags::of_result(result)
            .with(Carry, cleared)
            .with(Overflow, cleared)
    }

    /// Flags after an operation of BMI1 or BMI2 that sets the carry and leaves the parity undefined.
    pub(super) fn of_bit_operation(result: Term, carry: Term) -> Flags {
        Flags::of_logic(result)
            .with(Carry, Some(carry))
            .with(Parity, None)
    }

    /// Flags after a test of vectors or masks: all but carry and zero are cleared.
    pub(super) fn of_test(carry: Term, zero: Term) -> Flags {
        Flags::from_fn(|_| Some(bit(false)))
            .with(Carry, Some(carry))
            .with(Zero, Some(zero))
    }

    /// Flags that follow from the result alone; carry and overflow are undefined.
    pub(super) fn of_result(result: Term) -> Flags {
        Flags::default()
            .with(Zero, Some(result.equals(zeros(result.width()))))
            .with(Sign, Some(result.sign()))
            .with(Parity, Some(!xor_all(result.extract(0, 8).bits())))
    }

    /// The sum `a + b + carry`, and the flags after it.
    pub(super) fn of_sum(a: Term, b: Term, carry: Term) -> (Term, Flags) {
        let width = a.width();
        let result = a + b + carry.resize(width);
        let wide = a.resize(width + 1) + b.resize(width + 1) + carry.resize(width + 1);
        let overflow = !(a.sign() ^ b.sign()) & (a.sign() ^ result.sign());
        let flags = Flags::of_result(result)
            .with(Carry, Some(wide.sign()))
            .with(Overflow, Some(overflow));
        (result, flags)
    }

    /// The difference `a - b - carry`, and the flags after it.
    pub(super) fn of_difference(a: Term, b: Term, carry: Term) -> (Term, Flags) {
        let result = a - b - carry.resize(a.width());
        let borrows = a.below(b) | a.equals(b) & carry;
        let overflow = (a.sign() ^ b.sign()) & (a.sign() ^ result.sign());
        let flags = Flags::of_result(result)
            .with(Carry, Some(borrows))
            .with(Overflow, Some(overflow));
        match carry.is_zero() {
            true => (result, flags.with(Zero, Some(a.equals(b)))),
            false => (result, flags),
        }
    }

    /// The condition of a conditional instruction, as one bit.
    pub(super) fn condition(&self, insn: &Instruction) -> Modelled<Term> {
        self.holds(insn.condition_code())
            .ok_or_else(|| Unmodelled::Flag(insn.to_string()))
    }

    fn holds(&self, code: ConditionCode) -> Option<Term> {
        use ConditionCode::{a, ae, b, be, e, g, ge, l, le, ne, no, np, ns, o, p, s};
        let less = || Some(self[Sign]? ^ self[Overflow]?);
        let holds = match code {
            o | no => self[Overflow]?,
            b | ae => self[Carry]?,
            e | ne => self[Zero]?,
            be | a => self[Carry]? | self[Zero]?,
            s | ns => self[Sign]?,
            p | np => self[Parity]?,
            l | ge => less()?,
            le | g => less()? | self[Zero]?,
            ConditionCode::None => return None,
        };
        match code {
            no | ae | ne | a | ns | np | ge | g => Some(!holds),
            _ => Some(holds),
        }
    }
}
