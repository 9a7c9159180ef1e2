//! Substitution of terms in terms.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Node, Term, and_all, apply, concat, xor_all};

/// Replaces subterms by others of the same width wherever they occur, and restores the normal form.
pub(crate) fn substitute(replacements: &[(Term, Term)], terms: &[Term]) -> Vec<Term> {
    let mut known: FxHashMap<Term, Term> = replacements.iter().copied().collect();
    for &term in terms {
        for term in super::operands_first(term, |term| known.contains_key(&term)) {
            let rebuilt = rebuild(term, &term.node(), &known);
            known.insert(term, rebuilt);
        }
    }
    terms.iter().map(|term| known[term]).collect()
}

/// Term of a node with its operands replaced as in `known`.
fn rebuild(term: Term, node: &Node, known: &FxHashMap<Term, Term>) -> Term {
    let replaced = |term: &Term| known[term];
    let mut changes = false;
    node.operands(|operand| changes |= replaced(&operand) != operand);
    if !changes {
        return term;
    }
    let width = term.width();
    let each = |terms: &[Term]| terms.iter().map(replaced).collect::<Vec<_>>();
    match node {
        Node::Constant(_) | Node::Variable(_) => term,
        Node::Concat(parts) => concat(each(parts)),
        Node::Extract(base, lo) => replaced(base).extract(*lo, width),
        Node::And(terms) => and_all(each(terms)),
        Node::Xor(terms) => xor_all(each(terms)),
        Node::Sum(terms, start) => {
            let terms = terms.iter().map(|(term, factor)| (replaced(term), *factor));
            Term::sum(terms, *start, width)
        }
        Node::Product(a, b) => replaced(a) * replaced(b),
        Node::If(condition, one, other) => {
            replaced(condition).choose(replaced(one), replaced(other))
        }
        Node::Equal(a, b) => replaced(a).equals(replaced(b)),
        Node::Below(a, b) => replaced(a).below(replaced(b)),
        Node::SignedBelow(a, b) => replaced(a).signed_below(replaced(b)),
        Node::Shift(shift, a, by) => replaced(a).shift(*shift, replaced(by)),
        Node::Extend(inner) => replaced(inner).extend(width),
        Node::Count(bits) => concat(each(bits)).count().resize(width),
        Node::LeadingZeros(inner) => replaced(inner).leading_zeros(),
        Node::TrailingZeros(inner) => replaced(inner).trailing_zeros(),
        Node::Lookup(table, index) => table.clone().lookup(replaced(index)),
        Node::Apply(function, arguments) => apply(function, &each(arguments), width),
    }
}

/// All subterms of `terms`, these included, each once.
pub(crate) fn subterms<'a>(terms: impl Iterator<Item = &'a Term>) -> Vec<Term> {
    let mut left: Vec<Term> = terms.copied().collect();
    let (mut subterms, mut known) = (Vec::new(), FxHashSet::default());
    while let Some(term) = left.pop() {
        if known.insert(term) {
            subterms.push(term);
            term.node().operands(|operand| left.push(operand));
        }
    }
    subterms
}
