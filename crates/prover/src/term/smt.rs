//! Terms as SMT-LIB 2.6, in the logic QF_BV or QF_UFBV.

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::rc::Rc;

use super::{Node, Shift, Table, Term, Wide};

/// Script that asserts that terms of one bit each are all 1.
#[derive(Default)]
pub struct Script {
    text: String,
    names: FxHashMap<Term, String>,
    tables: FxHashMap<Rc<Table>, String>,
    functions: HashSet<Rc<str>>,
    variables: BTreeMap<Rc<str>, u32>,
}

impl Script {
    /// Writes declarations, definitions and assertions, but no `set-logic` and `check-sat`.
    ///
    /// The text depends only on the structure of the terms.
    pub fn new(terms: &[Term]) -> Script {
        let mut script = Script::default();
        for &term in terms {
            let name = script.name(term);
            writeln!(script.text, "(assert (= {name} #b1))")
                .expect("writing to a string cannot fail");
        }
        script
    }

    /// Declarations, definitions and assertions.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Variables with their widths.
    pub fn variables(&self) -> &BTreeMap<Rc<str>, u32> {
        &self.variables
    }

    /// Name of the least logic that has all operations: with uninterpreted functions or without.
    pub fn logic(&self) -> &'static str {
        match self.functions.is_empty() {
            true => "QF_BV",
            false => "QF_UFBV",
        }
    }

    /// Name of a term in the text; writes its definition first if it is new.
    fn name(&mut self, term: Term) -> String {
        super::operands_first(
            term,
            self,
            |script, term| script.names.contains_key(&term),
            |script, term, node| {
                let name = script.define(term, node);
                script.names.insert(term, name);
            },
        );
        self.names[&term].clone()
    }

    fn define(&mut self, term: Term, node: &Node) -> String {
        let width = term.width();
        match node {
            Node::Constant(value) => return literal(*value, width),
            Node::Variable(name) => {
                writeln!(self.text, "(declare-const {name} (_ BitVec {width}))")
                    .expect("writing to a string cannot fail");
                self.variables.insert(name.clone(), width);
                return name.to_string();
            }
            _ => (),
        }
        let name = format!("t{}", self.names.len());
        let value = self.expression(node, width);
        writeln!(
            self.text,
            "(define-fun {name} () (_ BitVec {width}) {value})"
        )
        .expect("writing to a string cannot fail");
        name
    }

    /// Expression of a node whose operands have names.
    fn expression(&mut self, node: &Node, width: u32) -> String {
        if let Node::Lookup(table, index) = node {
            let function = self.table(table);
            return format!("({function} {})", self.names[index]);
        }
        if let Node::Apply(function, arguments) = node {
            if self.functions.insert(function.clone()) {
                let sorts: Vec<String> = arguments.iter().map(|term| sort(term.width())).collect();
                writeln!(
                    self.text,
                    "(declare-fun {function} ({}) {})",
                    sorts.join(" "),
                    sort(width)
                )
                .expect("writing to a string cannot fail");
            }
            return format!("({function} {})", self.listed(arguments));
        }
        let name_of = |term: &Term| self.names[term].as_str();
        let truth = |test: String| format!("(ite {test} #b1 #b0)");
        match node {
            Node::Constant(_) | Node::Variable(_) | Node::Lookup(..) | Node::Apply(..) => {
                unreachable!("written above")
            }
            Node::Concat(parts) => {
                let parts: Vec<&str> = parts.iter().rev().map(name_of).collect();
                format!("(concat {})", parts.join(" "))
            }
            Node::Extract(term, lo) => {
                format!("((_ extract {} {lo}) {})", lo + width - 1, name_of(term))
            }
            Node::And(terms) => format!("(bvand {})", self.listed(terms)),
            Node::Xor(terms) => match terms[0].value() == Some(Wide::ones(width)) {
                true if terms.len() == 2 => format!("(bvnot {})", name_of(&terms[1])),
                true => format!("(bvnot (bvxor {}))", self.listed(&terms[1..])),
                false => format!("(bvxor {})", self.listed(terms)),
            },
            Node::Sum(terms, start) => {
                let mut parts: Vec<String> = Vec::new();
                for (term, factor) in terms {
                    parts.push(match *factor {
                        Wide::ONE => name_of(term).to_owned(),
                        factor => format!("(bvmul {} {})", literal(factor, width), name_of(term)),
                    });
                }
                if !start.is_zero() {
                    parts.push(literal(*start, width));
                }
                match &parts[..] {
                    [one] => one.clone(),
                    _ => format!("(bvadd {})", parts.join(" ")),
                }
            }
            Node::Product(a, b) => format!("(bvmul {} {})", name_of(a), name_of(b)),
            Node::If(condition, one, other) => {
                format!(
                    "(ite (= {} #b1) {} {})",
                    name_of(condition),
                    name_of(one),
                    name_of(other)
                )
            }
            Node::Equal(a, b) => truth(format!("(= {} {})", name_of(a), name_of(b))),
            Node::Below(a, b) => truth(format!("(bvult {} {})", name_of(a), name_of(b))),
            Node::SignedBelow(a, b) => truth(format!("(bvslt {} {})", name_of(a), name_of(b))),
            Node::Shift(shift, term, by) => {
                let shift = match shift {
                    Shift::Left => "bvshl",
                    Shift::Right => "bvlshr",
                    Shift::SignedRight => "bvashr",
                };
                format!("({shift} {} {})", name_of(term), name_of(by))
            }
            Node::Extend(term) => {
                format!(
                    "((_ sign_extend {}) {})",
                    width - term.width(),
                    name_of(term)
                )
            }
            Node::Count(bits) => bit_count(&bits.iter().map(name_of).collect::<Vec<_>>(), width),
            Node::LeadingZeros(term) => first_set(name_of(term), width, (0..width).rev()),
            Node::TrailingZeros(term) => first_set(name_of(term), width, 0..width),
        }
    }

    fn listed(&self, terms: &[Term]) -> String {
        let names: Vec<&str> = terms.iter().map(|term| self.names[term].as_str()).collect();
        names.join(" ")
    }

    /// Name of a table's function, which selects by the bits of the index from the highest on.
    fn table(&mut self, table: &Rc<Table>) -> String {
        if let Some(name) = self.tables.get(table) {
            return name.clone();
        }
        let name = format!("table{}", self.tables.len());
        let (index, width) = (table.index_width(), table.width());
        let value = selection(table.entries(), index, width);
        writeln!(
            self.text,
            "(define-fun {name} ((i {})) {} {value})",
            sort(index),
            sort(width)
        )
        .expect("writing to a string cannot fail");
        self.tables.insert(table.clone(), name.clone());
        name
    }
}

/// Expression that selects an entry by the lowest `bits` bits of the index `i`.
fn selection(entries: &[Wide], bits: u32, width: u32) -> String {
    if entries.iter().all(|entry| *entry == entries[0]) {
        return literal(entries[0], width);
    }
    let half = 1 << (bits - 1);
    if entries.len() <= half {
        return selection(entries, bits - 1, width);
    }
    let (low, high) = entries.split_at(half);
    let bit = bits - 1;
    format!(
        "(ite (= ((_ extract {bit} {bit}) i) #b1) {} {})",
        selection(high, bit, width),
        selection(low, bit, width)
    )
}

fn sort(width: u32) -> String {
    format!("(_ BitVec {width})")
}

fn literal(value: Wide, width: u32) -> String {
    match width % 4 {
        0 => format!("#x{:0>1$}", format!("{value:x}"), width as usize / 4),
        _ => {
            let digit = |i: u32| if value.bit(i) { '1' } else { '0' };
            let digits: String = (0..width).rev().map(digit).collect();
            format!("#b{digits}")
        }
    }
}

/// Expression for the number of set bits, in `width` bits, as a balanced tree of sums.
fn bit_count(bits: &[&str], width: u32) -> String {
    let [one] = bits else {
        let (low, high) = bits.split_at(bits.len() / 2);
        return format!(
            "(bvadd {} {})",
            bit_count(low, width),
            bit_count(high, width)
        );
    };
    match width {
        1 => (*one).to_owned(),
        _ => format!("((_ zero_extend {}) {one})", width - 1),
    }
}

/// Expression for the rank of the first set bit in an order of bit indices; the width if no bit is set.
fn first_set(term: &str, width: u32, indices: impl DoubleEndedIterator<Item = u32>) -> String {
    let indices: Vec<u32> = indices.collect();
    let none = literal(Wide::new(width.into()), width);
    indices
        .iter()
        .enumerate()
        .rev()
        .fold(none, |rest, (i, index)| {
            let found = literal(Wide::new(i as u64), width);
            format!("(ite (= ((_ extract {index} {index}) {term}) #b1) {found} {rest})")
        })
}
