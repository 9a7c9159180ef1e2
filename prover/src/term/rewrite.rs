//! Terms with others in place of some of their parts.

use rustc_hash::FxHashMap;

use super::{Node, Term, all, apply, concat, odd};

/// Puts terms in the place of others, wherever these are parts of something.
pub struct Rewriter {
    known: FxHashMap<Term, Term>,
}

impl Rewriter {
    /// With these exchanges; each from a term to one of the same width.
    pub fn new(exchanged: impl IntoIterator<Item = (Term, Term)>) -> Rewriter {
        Rewriter {
            known: exchanged.into_iter().collect(),
        }
    }

    /// The term after the exchanges, in normal form.
    pub fn rewritten(&mut self, term: Term) -> Term {
        super::operands_first(
            term,
            self,
            |own, term| own.known.contains_key(&term),
            |own, term, node| {
                let after = own.of_node(term, node);
                own.known.insert(term, after);
            },
        );
        self.known[&term]
    }

    /// A term of this node, whose operands were rewritten.
    fn of_node(&self, term: Term, node: &Node) -> Term {
        let of = |term: &Term| self.known[term];
        let mut changes = false;
        node.operands(|operand| changes |= of(&operand) != operand);
        if !changes {
            return term;
        }
        let width = term.width();
        let each = |terms: &[Term]| terms.iter().map(of).collect::<Vec<_>>();
        match node {
            Node::Constant(_) | Node::Variable(_) => term,
            Node::Concat(parts) => concat(each(parts)),
            Node::Extract(base, lo) => of(base).extract(*lo, width),
            Node::And(terms) => all(each(terms)),
            Node::Xor(terms) => odd(each(terms)),
            Node::Sum(terms, start) => {
                let terms = terms.iter().map(|(term, factor)| (of(term), *factor));
                super::arithmetic::sum(terms.collect::<Vec<_>>(), *start, width)
            }
            Node::Product(a, b) => of(a) * of(b),
            Node::If(condition, one, other) => of(condition).choose(of(one), of(other)),
            Node::Equal(a, b) => of(a).equals(of(b)),
            Node::Below(a, b) => of(a).below(of(b)),
            Node::SignedBelow(a, b) => of(a).signed_below(of(b)),
            Node::Shift(shift, a, by) => of(a).shift(*shift, of(by)),
            Node::Extend(inner) => of(inner).extend(width),
            Node::Count(bits) => concat(each(bits)).count().resize(width),
            Node::LeadingZeros(inner) => of(inner).leading_zeros(),
            Node::TrailingZeros(inner) => of(inner).trailing_zeros(),
            Node::Lookup(table, index) => table.clone().lookup(of(index)),
            Node::Apply(function, arguments) => apply(function, &each(arguments), width),
        }
    }
}
