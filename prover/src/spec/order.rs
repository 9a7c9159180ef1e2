//! Words that are only compared with each other and chosen from: what is so for the order that they are in is so for
//! the words.
//!
//! In place of each word comes its rank, a number of a few bits. Ranks have an order of their own for every
//! order that words can have, 0 and the highest word included, so what holds for all ranks holds for all words.
//! It need not be so the other way round: words may be related, as the images of a board are.

use std::collections::HashMap;

use crate::term::{Node, Term, Wide, all, concat, constant, odd, variable, zeros};

/// The bits of a word.
const WORD: u32 = 64;

/// Terms of words as terms of ranks.
pub(super) struct Order<'a> {
    words: &'a [Term],
    /// The bits of a rank: for all words, none and the highest.
    width: u32,
    known: HashMap<Term, Option<Term>>,
}

impl Order<'_> {
    /// The order of these words.
    pub(super) fn of(words: &[Term]) -> Order<'_> {
        Order {
            words,
            width: (words.len() + 2).next_power_of_two().ilog2(),
            known: HashMap::new(),
        }
    }

    /// Conditions by ranks; `None` where something else is done with words than to compare and choose.
    pub(super) fn conditions(&mut self, conditions: &[Term]) -> Option<Vec<Term>> {
        conditions.iter().map(|&one| self.ranked(one)).collect()
    }

    /// A condition, or words side by side.
    fn ranked(&mut self, term: Term) -> Option<Term> {
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        let ranked = match term.width() {
            1 => self.condition(term),
            WORD => self.word(term),
            width if width % WORD == 0 => {
                let ranks: Option<Vec<Term>> =
                    term.lanes(WORD).map(|one| self.ranked(one)).collect();
                ranks.map(concat)
            }
            _ => None,
        };
        self.known.insert(term, ranked);
        ranked
    }

    fn word(&mut self, term: Term) -> Option<Term> {
        if let Some(place) = self.words.iter().position(|&word| word == term) {
            return Some(variable(&format!("rank{place}"), self.width));
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
            Node::And(terms) => Some(all(self.conditions(terms)?)),
            Node::Xor(terms) => Some(odd(self.conditions(terms)?)),
            &Node::If(condition, one, other) => self.chosen(condition, one, other),
            &Node::Equal(one, other) => {
                let (one, other) = self.pair(one, other)?;
                Some(one.equals(other))
            }
            &Node::Below(one, other) => {
                let (one, other) = self.pair(one, other)?;
                Some(one.below(other))
            }
            _ => None,
        }
    }

    /// What is compared: words, or what is left of two of them without the highest bits, which are the same.
    fn pair(&mut self, one: Term, other: Term) -> Option<(Term, Term)> {
        let width = one.width();
        if width.is_multiple_of(WORD) {
            return Some((self.ranked(one)?, self.ranked(other)?));
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
        Some((self.ranked(one)?, self.ranked(other)?))
    }
}
