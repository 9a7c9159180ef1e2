//! The flags, and the conditions made of them.

use iced_x86::{ConditionCode, Instruction};

use super::Unmodelled;
use crate::term::{Term, bit, odd, zeros};

/// Five flags, one bit each; `None` where nothing may depend on it.
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
    /// Those after an operation of logic.
    pub(super) fn of_logic(result: Term) -> Flags {
        Flags {
            carry: Some(bit(false)),
            overflow: Some(bit(false)),
            ..Flags::of_result(result)
        }
    }

    /// Those that follow from the result alone; the others undefined.
    pub(super) fn of_result(result: Term) -> Flags {
        Flags {
            carry: None,
            zero: Some(result.equals(zeros(result.width()))),
            sign: Some(result.sign()),
            overflow: None,
            parity: Some(!odd(result.extract(0, 8).bits())),
        }
    }

    /// Those after `a + b + carry`, with the result.
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

    /// Those after `a - b - carry`, with the result.
    pub(super) fn of_difference(a: Term, b: Term, carry: Term) -> (Term, Flags) {
        let width = a.width();
        let result = a - b - carry.resize(width);
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

    /// Whether the condition of an instruction holds.
    pub(super) fn condition(&self, one: &Instruction) -> Result<Term, Unmodelled> {
        self.holds(one.condition_code())
            .ok_or_else(|| Unmodelled::Flag(one.to_string()))
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
