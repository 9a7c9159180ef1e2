//! Arithmetic flags, and the conditions of jumps that they form.

use iced_x86::{ConditionCode, Instruction};

use super::Unmodelled;
use crate::term::{Term, bit, xor_all, zeros};

/// Five flags of one bit each; `None` where the manuals leave a flag undefined.
#[derive(Clone, Default)]
#[allow(missing_docs, reason = "the manuals' names")]
pub struct Flags {
    pub carry: Option<Term>,
    pub zero: Option<Term>,
    pub sign: Option<Term>,
    pub overflow: Option<Term>,
    pub parity: Option<Term>,
}

impl Flags {
    /// Flags after a logical operation.
    pub(super) fn of_logic(result: Term) -> Flags {
        Flags {
            carry: Some(bit(false)),
            overflow: Some(bit(false)),
            ..Flags::of_result(result)
        }
    }

    /// Flags after an operation of BMI1 or BMI2 that sets the carry and leaves the parity undefined.
    pub(super) fn of_bit_operation(result: Term, carry: Term) -> Flags {
        Flags {
            carry: Some(carry),
            parity: None,
            ..Flags::of_logic(result)
        }
    }

    /// Flags after a test of vectors or masks: all but carry and zero are cleared.
    pub(super) fn of_test(carry: Term, zero: Term) -> Flags {
        let cleared = Some(bit(false));
        Flags {
            carry: Some(carry),
            zero: Some(zero),
            sign: cleared,
            overflow: cleared,
            parity: cleared,
        }
    }

    /// Flags that follow from the result alone; carry and overflow are undefined.
    pub(super) fn of_result(result: Term) -> Flags {
        Flags {
            carry: None,
            zero: Some(result.equals(zeros(result.width()))),
            sign: Some(result.sign()),
            overflow: None,
            parity: Some(!xor_all(result.extract(0, 8).bits())),
        }
    }

    /// The sum `a + b + carry`, and the flags after it.
    pub(super) fn of_sum(a: Term, b: Term, carry: Term) -> (Term, Flags) {
        let width = a.width();
        let result = a + b + carry.resize(width);
        let wide = a.resize(width + 1) + b.resize(width + 1) + carry.resize(width + 1);
        let overflow = !(a.sign() ^ b.sign()) & (a.sign() ^ result.sign());
        let flags = Flags {
            carry: Some(wide.sign()),
            overflow: Some(overflow),
            ..Flags::of_result(result)
        };
        (result, flags)
    }

    /// The difference `a - b - carry`, and the flags after it.
    pub(super) fn of_difference(a: Term, b: Term, carry: Term) -> (Term, Flags) {
        let result = a - b - carry.resize(a.width());
        let borrows = a.below(b) | a.equals(b) & carry;
        let overflow = (a.sign() ^ b.sign()) & (a.sign() ^ result.sign());
        let mut flags = Flags {
            carry: Some(borrows),
            overflow: Some(overflow),
            ..Flags::of_result(result)
        };
        if carry.is_zero() {
            flags.zero = Some(a.equals(b));
        }
        (result, flags)
    }

    /// The condition of a conditional instruction, as one bit.
    pub(super) fn condition(&self, insn: &Instruction) -> Result<Term, Unmodelled> {
        self.holds(insn.condition_code())
            .ok_or_else(|| Unmodelled::Flag(insn.to_string()))
    }

    fn holds(&self, code: ConditionCode) -> Option<Term> {
        let less = || Some(self.sign? ^ self.overflow?);
        Some(match code {
            ConditionCode::o => self.overflow?,
            ConditionCode::no => !self.overflow?,
            ConditionCode::b => self.carry?,
            ConditionCode::ae => !self.carry?,
            ConditionCode::e => self.zero?,
            ConditionCode::ne => !self.zero?,
            ConditionCode::be => self.carry? | self.zero?,
            ConditionCode::a => !(self.carry? | self.zero?),
            ConditionCode::s => self.sign?,
            ConditionCode::ns => !self.sign?,
            ConditionCode::p => self.parity?,
            ConditionCode::np => !self.parity?,
            ConditionCode::l => less()?,
            ConditionCode::ge => !less()?,
            ConditionCode::le => less()? | self.zero?,
            ConditionCode::g => !(less()? | self.zero?),
            ConditionCode::None => return None,
        })
    }
}
