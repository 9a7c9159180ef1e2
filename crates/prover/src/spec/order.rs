//! Abstraction of words that are only compared with each other and selected.
//!
//! Each word is replaced by its rank, a number of a few bits. Ranks can have every order that words can have, 0 and the
//! highest word included. So a claim about all ranks holds for all words. The converse is not true: words may be
//! related, like the images of a board.

use rustc_hash::FxHashMap;

use crate::term::{Node, Term, Wide, and_all, concat, constant, variable, xor_all, zeros};

/// Width of a word in bits.
const WORD: u32 = 64;

/// Translation of terms over words to terms over ranks.
pub(super) struct Ranking<'a> {
    words: &'a [Term],
    /// Width of a rank in bits, enough for all words, 0 and the highest word.
    width: u32,
    known: FxHashMap<Term, Option<Term>>,
}

impl Ranking<'_> {
    /// Translation with one rank for each of these words.
    pub(super) fn new(words: &[Term]) -> Ranking<'_> {
        Ranking {
            words,
            width: (words.len() + 2).next_power_of_two().ilog2(),
            known: FxHashMap::default(),
        }
    }

    /// Translates conditions; `None` if they do more with words than compare and select.
    pub(super) fn conditions(&mut self, conditions: &[Term]) -> Option<Vec<Term>> {
        conditions
            .iter()
            .map(|&condition| self.ranked(condition))
            .collect()
    }

    /// Translates a condition, or a concatenation of words.
    fn ranked(&mut self, term: Term) -> Option<Term> {
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        let ranked = match term.width() {
            1 => self.condition(term),
            WORD => self.word(term),
            width if width % WORD == 0 => {
                let ranks: Option<Vec<Term>> =
                    term.lanes(WORD).map(|word| self.ranked(word)).collect();
                ranks.map(concat)
            }
            _ => None,
        };
        self.known.insert(term, ranked);
        ranked
    }

    fn word(&mut self, term: Term) -> Option<Term> {
        if let Some(index) = self.words.iter().position(|&word| word == term) {
            return Some(variable(&format!("rank{index}"), self.width));
        }
        match &*term.node() {
            Node::Constant(value) if value.is_zero() => Some(zeros(self.width)),
            Node::Constant(value) if *value == Wide::ones(WORD) => {
                Some(constant(Wide::ones(self.width), self.width))
            }
            &Node::If(condition, one, other) => self.chosen(condition, one, other),
            _ => None,
        }
    }

    fn chosen(&mut self, condition: Term, one: Term, other: Term) -> Option<Term> {
        let condition = self.ranked(condition)?;
        Some(condition.choose(self.ranked(one)?, self.ranked(other)?))
    }

    fn condition(&mut self, term: Term) -> Option<Term> {
        match &*term.node() {
            Node::Constant(_) => Some(term),
            Node::And(terms) => Some(and_all(self.conditions(terms)?)),
            Node::Xor(terms) => Some(xor_all(self.conditions(terms)?)),
            &Node::If(condition, one, other) => self.chosen(condition, one, other),
            &Node::Equal(one, other) => self.compared(one, other, Term::equals),
            &Node::Below(one, other) => self.compared(one, other, Term::below),
            _ => None,
        }
    }

    /// Translates a comparison of words, or of the low bits of two words whose high bits are the same terms.
    fn compared(
        &mut self,
        one: Term,
        other: Term,
        compare: fn(Term, Term) -> Term,
    ) -> Option<Term> {
        let width = one.width();
        if width.is_multiple_of(WORD) {
            return Some(compare(self.ranked(one)?, self.ranked(other)?));
        }
        let rest = WORD.checked_sub(width)?;
        let of = |low: Term| {
            let words = self.words.iter().copied();
            words.filter(move |word| word.extract(0, width) == low)
        };
        let top = |word: Term| word.extract(width, rest);
        let (one, other) = of(one)
            .flat_map(|one| of(other).map(move |other| (one, other)))
            .find(|&(one, other)| top(one) == top(other))?;
        Some(compare(self.ranked(one)?, self.ranked(other)?))
    }
}
