//! Concatenation, extraction, shifts, and bitwise logic.

use super::{
    Node, Shift, Term, Wide, constant, intern, number, positioned, remembered, shift_distance,
};

/// Concatenates parts, the lowest first.
pub fn concat(parts: impl IntoIterator<Item = Term>) -> Term {
    let mut merged: Vec<Term> = Vec::new();
    for part in parts {
        match &*part.node() {
            Node::Concat(inner) => inner.iter().for_each(|&part| append(&mut merged, part)),
            _ => append(&mut merged, part),
        }
    }
    let width = merged.iter().map(|part| part.width()).sum();
    match merged[..] {
        [one] => return one,
        // A zero extension of a sum that does not overflow is a sum.
        [low, high] if high.is_zero() => {
            if let Some(sum) = low.widened(width) {
                return sum;
            }
        }
        _ => (),
    }
    intern(Node::Concat(merged.into()), width)
}

/// Appends a part that is no [`Node::Concat`], joined with the last one if possible.
fn append(parts: &mut Vec<Term>, part: Term) {
    let Some(joined) = parts.last().and_then(|&last| joined(last, part)) else {
        return parts.push(part);
    };
    parts.pop();
    // A whole term from which both parts were extracted may be a concatenation.
    match &*joined.node() {
        Node::Concat(inner) => parts.extend(inner.iter()),
        _ => parts.push(joined),
    }
}

/// Joins two neighbouring parts into one; `None` if no rule joins them.
fn joined(low: Term, high: Term) -> Option<Term> {
    let width = low.width() + high.width();
    if let (Some(low_value), Some(high_value)) = (low.value(), high.value()) {
        let both = low_value | high_value.shifted_left(low.width());
        return Some(constant(both, width));
    }
    // Neighbouring bits of one term.
    let ((base, lo), (other, hi)) = (low.origin(), high.origin());
    if base == other && lo + low.width() == hi {
        return Some(base.extract(lo, width));
    }
    match *high.node() {
        // The halves of a product: the low bits of a product are a product themselves.
        Node::Extract(base, lo)
            if lo == low.width() && matches!(*base.node(), Node::Product(..)) =>
        {
            (base.extract(0, lo) == low).then(|| base.extract(0, width))
        }
        // A number with copies of its sign.
        Node::Extend(sign) if sign.width() == 1 && sign == low.sign() => Some(low.extend(width)),
        _ => None,
    }
}

/// Zero bits.
pub fn zeros(width: u32) -> Term {
    number(0, width)
}

/// Bitwise and of one or more terms.
pub fn and_all(terms: impl IntoIterator<Item = Term>) -> Term {
    let is_and = |node: &Node| match node {
        Node::And(inner) => Some(inner.to_vec()),
        _ => None,
    };
    let (constants, mut operands, width) = flattened(terms, is_and);
    let mask = constants.fold(Wide::ones(width), |mask, value| mask & value);
    operands.dedup();
    if mask.is_zero() || operands.is_empty() {
        return constant(mask, width);
    }
    if let Some(ranges) = split_ranges(&operands, mask, width) {
        return range_by_range(ranges, &operands, mask, and_all);
    }
    debug_assert_eq!(mask, Wide::ones(width), "else there are ranges");
    if let [one] = operands[..] {
        return one;
    }
    let is_excluded = |operand: &Term| operands.binary_search(&!*operand).is_ok();
    match operands.iter().any(is_excluded) {
        true => zeros(width),
        false => intern(Node::And(operands.into()), width),
    }
}

/// Bitwise exclusive or of one or more terms.
pub fn xor_all(terms: impl IntoIterator<Item = Term>) -> Term {
    let is_xor = |node: &Node| match node {
        Node::Xor(inner) => Some(inner.to_vec()),
        _ => None,
    };
    let (constants, operands, width) = flattened(terms, is_xor);
    let change = constants.fold(Wide::ZERO, |change, value| change ^ value);
    // Equal terms cancel in pairs.
    let runs = operands.chunk_by(Term::eq).filter(|run| run.len() % 2 == 1);
    let mut single: Vec<Term> = runs.map(|run| run[0]).collect();
    if single.is_empty() {
        return constant(change, width);
    }
    if let Some(ranges) = split_ranges(&single, Wide::ZERO, width) {
        return range_by_range(ranges, &single, change, xor_all);
    }
    if change.is_zero() && single.len() == 1 {
        return single[0];
    }
    if !change.is_zero() {
        single.insert(0, constant(change, width));
    }
    intern(Node::Xor(single.into()), width)
}

/// Operands of a bitwise operation: the constants, the other terms in sorted order, and the width.
///
/// `inner` returns the operands of a term that is the same operation.
fn flattened(
    terms: impl IntoIterator<Item = Term>,
    inner: impl Fn(&Node) -> Option<Vec<Term>>,
) -> (impl Iterator<Item = Wide>, Vec<Term>, u32) {
    let mut left: Vec<Term> = terms.into_iter().collect();
    let width = left[0].width();
    let (mut constants, mut operands) = (Vec::new(), Vec::new());
    while let Some(term) = left.pop() {
        debug_assert_eq!(term.width(), width);
        match (term.value(), inner(&term.node())) {
            (Some(value), _) => constants.push(value),
            (_, Some(inner)) => left.extend(inner),
            _ => operands.push(term),
        }
    }
    operands.sort_unstable();
    (constants.into_iter(), operands, width)
}

/// Applies a bitwise operation to each range (first bit, width) of its operands and of a constant.
fn range_by_range(
    ranges: Vec<(u32, u32)>,
    operands: &[Term],
    number: Wide,
    operation: fn(Vec<Term>) -> Term,
) -> Term {
    concat(ranges.into_iter().map(|(lo, width)| {
        let here = operands.iter().map(|term| term.extract(lo, width));
        let number = constant(number.shifted_right(lo), width);
        operation(here.chain([number]).collect())
    }))
}

/// Ranges (first bit, width) into which terms must be split; `None` if there is nothing to split.
///
/// The cuts are those between the parts of concatenations, and the edges of a mask.
pub(super) fn split_ranges(terms: &[Term], mask: Wide, width: u32) -> Option<Vec<(u32, u32)>> {
    let edges = (1..width).filter(|&i| mask.bit(i) != mask.bit(i - 1));
    let mut cuts: Vec<u32> = edges.chain([0]).collect();
    for term in terms {
        if let Node::Concat(parts) = &*term.node() {
            cuts.extend(positioned(parts).map(|(lo, _)| lo));
        }
    }
    cuts.sort_unstable();
    cuts.dedup();
    let ends = cuts[1..].iter().copied().chain([width]);
    let ranges = cuts.iter().zip(ends).map(|(&lo, end)| (lo, end - lo));
    (cuts.len() > 1).then(|| ranges.collect())
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
        let find = || self.find_extract(lo, width);
        remembered(|arena| &mut arena.extracted, key, find)
    }

    fn find_extract(self, lo: u32, width: u32) -> Term {
        match &*self.node() {
            Node::Constant(value) => constant(value.shifted_right(lo), width),
            Node::Concat(parts) => concat(positioned(parts).filter_map(|(start, part)| {
                let (from, to) = (lo.max(start), (lo + width).min(start + part.width()));
                (from < to).then(|| part.extract(from - start, to - from))
            })),
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
            Node::Sum(terms, start) => self.extract_from_sum(terms, *start, lo, width),
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
            return self.shift_by(shift, shift_distance(by, width));
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
        if let Some(by) = by.value() {
            return self.shift_by(shift, shift_distance(by, width));
        }
        intern(Node::Shift(shift, self, by), width)
    }
}
