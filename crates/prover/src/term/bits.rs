//! Concatenation, extraction, shifts, and bitwise logic.

use super::{Node, Shift, Term, Wide, constant, intern, number};

/// Concatenates parts, the lowest first.
pub fn concat(parts: impl IntoIterator<Item = Term>) -> Term {
    let mut merged: Vec<Term> = Vec::new();
    for part in parts {
        match &*part.node() {
            Node::Concat(inner) => inner
                .iter()
                .for_each(|&inner_part| append(&mut merged, inner_part)),
            _ => append(&mut merged, part),
        }
    }
    match merged[..] {
        [one] => one,
        // A zero extension of a sum that does not overflow is a sum.
        [low, high] if high.is_zero() => {
            let width = low.width() + high.width();
            low.widened(width)
                .unwrap_or_else(|| intern(Node::Concat(merged.into()), width))
        }
        _ => {
            let width = merged.iter().map(|part| part.width()).sum();
            intern(Node::Concat(merged.into()), width)
        }
    }
}

/// Appends a part that is no [`Node::Concat`]; neighbouring bits of one term are joined again.
fn append(parts: &mut Vec<Term>, part: Term) {
    let Some(&last) = parts.last() else {
        return parts.push(part);
    };
    let width = last.width() + part.width();
    if let (Some(low), Some(high)) = (last.value(), part.value()) {
        let both = low | high.shifted_left(last.width());
        *parts.last_mut().expect("there is one") = constant(both, width);
        return;
    }
    let ((base, lo), (other, hi)) = (last.origin(), part.origin());
    if base == other && lo + last.width() == hi {
        parts.pop();
        let joined = base.extract(lo, width);
        // The whole base may be a concatenation.
        match &*joined.node() {
            Node::Concat(inner) => parts.extend(inner.iter()),
            _ => parts.push(joined),
        }
        return;
    }
    // The halves of a product, and a number with copies of its sign.
    let joined = match *part.node() {
        Node::Extract(base, lo)
            if lo == last.width() && matches!(*base.node(), Node::Product(..)) =>
        {
            (base.extract(0, lo) == last).then(|| base.extract(0, width))
        }
        Node::Extend(sign) if sign.width() == 1 && sign == last.sign() => Some(last.extend(width)),
        _ => None,
    };
    let Some(joined) = joined else {
        return parts.push(part);
    };
    parts.pop();
    match &*joined.node() {
        Node::Concat(inner) => parts.extend(inner.iter()),
        _ => parts.push(joined),
    }
}

/// Number of bits that hold the upper bound of a term, if it is known.
fn needed(term: Term) -> Option<u32> {
    super::upper_bound(term).map(|highest| 64 - highest.leading_zeros())
}

/// Zero bits.
pub fn zeros(width: u32) -> Term {
    number(0, width)
}

/// Bitwise and of one or more terms.
pub fn and_all(terms: impl IntoIterator<Item = Term>) -> Term {
    and_terms(terms.into_iter().collect())
}

fn and_terms(terms: Vec<Term>) -> Term {
    let width = terms[0].width();
    let (mut mask, mut operands) = (Wide::ones(width), Vec::new());
    let mut left = terms;
    while let Some(term) = left.pop() {
        debug_assert_eq!(term.width(), width);
        match &*term.node() {
            Node::Constant(value) => mask = mask & *value,
            Node::And(inner) => left.extend(inner.iter()),
            _ => operands.push(term),
        }
    }
    operands.sort_unstable();
    operands.dedup();
    if mask.is_zero() || operands.is_empty() {
        return constant(mask, width);
    }
    if let Some(parts) = in_parts(&operands, Some(mask), width) {
        return concat(parts.map(|(lo, width)| {
            let here = operands.iter().map(|term| term.extract(lo, width));
            and_terms(
                here.chain([constant(mask.shifted_right(lo), width)])
                    .collect(),
            )
        }));
    }
    debug_assert_eq!(mask, Wide::ones(width), "else there are parts");
    if let [one] = operands[..] {
        return one;
    }
    if operands
        .iter()
        .any(|operand| operands.binary_search(&!*operand).is_ok())
    {
        return zeros(width);
    }
    intern(Node::And(operands.into()), width)
}

/// Bitwise exclusive or of one or more terms.
pub fn xor_all(terms: impl IntoIterator<Item = Term>) -> Term {
    xor_terms(terms.into_iter().collect())
}

fn xor_terms(terms: Vec<Term>) -> Term {
    let width = terms[0].width();
    let (mut change, mut operands) = (Wide::ZERO, Vec::new());
    let mut left = terms;
    while let Some(term) = left.pop() {
        debug_assert_eq!(term.width(), width);
        match &*term.node() {
            Node::Constant(value) => change = change ^ *value,
            Node::Xor(inner) => left.extend(inner.iter()),
            _ => operands.push(term),
        }
    }
    operands.sort_unstable();
    let mut single: Vec<Term> = Vec::with_capacity(operands.len());
    for term in operands {
        if single.last() == Some(&term) {
            single.pop();
        } else {
            single.push(term);
        }
    }
    if single.is_empty() {
        return constant(change, width);
    }
    if let Some(parts) = in_parts(&single, None, width) {
        return concat(parts.map(|(lo, width)| {
            let here = single.iter().map(|term| term.extract(lo, width));
            xor_terms(
                here.chain([constant(change.shifted_right(lo), width)])
                    .collect(),
            )
        }));
    }
    if change.is_zero() && single.len() == 1 {
        return single[0];
    }
    if !change.is_zero() {
        single.insert(0, constant(change, width));
    }
    intern(Node::Xor(single.into()), width)
}

/// Ranges (first bit, width) into which terms must be split; `None` if there is nothing to split.
///
/// The cuts are those between the parts of concatenations, and the edges of a mask.
pub(super) fn in_parts(
    terms: &[Term],
    mask: Option<Wide>,
    width: u32,
) -> Option<impl Iterator<Item = (u32, u32)> + use<>> {
    let mut cuts = Vec::new();
    for term in terms {
        if let Node::Concat(parts) = &*term.node() {
            let ends = parts.iter().scan(0, |end, part| {
                *end += part.width();
                Some(*end)
            });
            cuts.extend(ends);
        }
    }
    if let Some(mask) = mask {
        cuts.extend((1..width).filter(|&i| mask.bit(i) != mask.bit(i - 1)));
    }
    cuts.retain(|&cut| cut < width);
    if cuts.is_empty() {
        return None;
    }
    cuts.push(width);
    cuts.sort_unstable();
    cuts.dedup();
    let mut lo = 0;
    Some(cuts.into_iter().map(move |end| {
        let part = (lo, end - lo);
        lo = end;
        part
    }))
}

impl Term {
    /// Term from which the bits were extracted, and the first bit: itself and 0 for other terms.
    fn origin(self) -> (Term, u32) {
        match *self.node() {
            Node::Extract(base, lo) => (base, lo),
            _ => (self, 0),
        }
    }

    /// Extracts the `width` bits from `lo` on.
    pub fn extract(self, lo: u32, width: u32) -> Term {
        debug_assert!(lo + width <= self.width());
        if width == self.width() {
            return self;
        }
        let key = (self, lo, width);
        if let Some(known) = super::ARENA.with_borrow(|arena| arena.extracted.get(&key).copied()) {
            return known;
        }
        let found = self.find_extract(lo, width);
        super::ARENA.with_borrow_mut(|arena| arena.extracted.insert(key, found));
        found
    }

    fn find_extract(self, lo: u32, width: u32) -> Term {
        match &*self.node() {
            Node::Constant(value) => constant(value.shifted_right(lo), width),
            Node::Concat(parts) => {
                let mut start = 0;
                let mut kept = Vec::new();
                for &part in parts {
                    let end = start + part.width();
                    let (from, to) = (lo.max(start), (lo + width).min(end));
                    if from < to {
                        kept.push(part.extract(from - start, to - from));
                    }
                    start = end;
                }
                concat(kept)
            }
            &Node::Extract(base, first) => base.extract(first + lo, width),
            Node::And(terms) => and_all(terms.iter().map(|term| term.extract(lo, width))),
            Node::Xor(terms) => xor_all(terms.iter().map(|term| term.extract(lo, width))),
            &Node::If(condition, one, other) => {
                condition.choose(one.extract(lo, width), other.extract(lo, width))
            }
            &Node::Extend(inner) => {
                let inner_width = inner.width();
                match (lo < inner_width, lo + width <= inner_width) {
                    (_, true) => inner.extract(lo, width),
                    (true, _) => inner.extract(lo, inner_width - lo).extend(width),
                    (false, _) => inner.extract(inner_width - 1, 1).extend(width),
                }
            }
            // The low bits of a sum depend on the low bits of its operands only.
            Node::Sum(terms, start) if lo == 0 => {
                let terms = terms
                    .iter()
                    .map(|&(term, factor)| (term.extract(0, width), factor));
                super::arithmetic::sum(terms, *start, width)
            }
            Node::Sum(..)
                if super::upper_bound(self)
                    .is_some_and(|highest| highest.checked_shr(lo) == Some(0)) =>
            {
                zeros(width)
            }
            Node::Sum(..)
                if needed(self)
                    .is_some_and(|needed_bits| lo < needed_bits && needed_bits < self.width()) =>
            {
                let needed_bits = needed(self).expect("the guard has checked it");
                let kept = width.min(needed_bits - lo);
                self.extract(0, needed_bits).extract(lo, kept).resize(width)
            }
            Node::Sum(terms, start) => {
                super::arithmetic::high_part(terms, *start, self.width(), lo, width)
                    .unwrap_or_else(|| intern(Node::Extract(self, lo), width))
            }
            &Node::Product(a, b) if lo == 0 => a.extract(0, width) * b.extract(0, width),
            Node::Lookup(table, index) => table.part(lo, width).lookup(*index),
            _ => intern(Node::Extract(self, lo), width),
        }
    }

    /// Bit `i`, 0 the lowest.
    pub fn bit(self, i: u32) -> Term {
        self.extract(i, 1)
    }

    /// All bits, the lowest first.
    pub fn bits(self) -> impl Iterator<Item = Term> {
        (0..self.width()).map(move |i| self.bit(i))
    }

    /// Parts of `width` bits, the lowest first.
    pub fn lanes(self, width: u32) -> impl Iterator<Item = Term> {
        (0..self.width() / width).map(move |i| self.extract(i * width, width))
    }

    /// Zero extension or truncation to `width` bits.
    pub fn resize(self, width: u32) -> Term {
        match width.checked_sub(self.width()) {
            Some(0) => self,
            Some(more) => concat([self, zeros(more)]),
            None => self.extract(0, width),
        }
    }

    /// The highest bit, the sign of a signed number.
    pub fn sign(self) -> Term {
        self.bit(self.width() - 1)
    }

    /// Sign extension to `width` bits, at least the present width.
    pub fn extend(self, width: u32) -> Term {
        let from = self.width();
        if from == width {
            return self;
        }
        match &*self.node() {
            Node::Constant(value) => constant(value.extended(from, width), width),
            &Node::Extend(inner) => inner.extend(width),
            Node::Concat(parts) if parts.last().expect("has parts").is_zero() => self.resize(width),
            Node::Sum(..)
                if super::upper_bound(self).is_some_and(|highest| highest >> (from - 1) == 0) =>
            {
                self.resize(width)
            }
            _ => self
                .widened_signed(width)
                .unwrap_or_else(|| intern(Node::Extend(self), width)),
        }
    }

    /// Shifts by a constant distance.
    pub fn shift_by(self, shift: Shift, by: u32) -> Term {
        let width = self.width();
        let by = by.min(width);
        if by == 0 {
            return self;
        }
        let kept = |lo| (by < width).then(|| self.extract(lo, width - by));
        match shift {
            Shift::Left => concat([zeros(by)].into_iter().chain(kept(0))),
            Shift::Right => concat(kept(by).into_iter().chain([zeros(by)])),
            Shift::SignedRight => {
                let by = by.min(width - 1);
                self.extract(by, width - by).extend(width)
            }
        }
    }

    /// Shifts by a term of any width.
    pub fn shift(self, shift: Shift, by: Term) -> Term {
        let width = self.width();
        if let Some(by) = by.value() {
            let by = by.to_u64().map_or(width, |by| by.min(width.into()) as u32);
            return self.shift_by(shift, by);
        }
        if self.is_zero() {
            return self;
        }
        let by = if by.width() > width {
            let high = by.extract(width, by.width() - width);
            let is_far = !high.equals(zeros(high.width()));
            is_far.choose(constant(Wide::ones(width), width), by.extract(0, width))
        } else {
            by.resize(width)
        };
        if let Some(by) = by.number() {
            return self.shift_by(shift, by.min(width.into()) as u32);
        }
        intern(Node::Shift(shift, self, by), width)
    }
}
