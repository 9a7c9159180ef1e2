//! Terms as text for solvers: SMT-LIB 2.6, theory QF_BV or QF_UFBV.

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::rc::Rc;

use super::{Node, Shift, Table, Term, Wide};

/// A text that asks whether terms can all be 1.
#[derive(Default)]
pub struct Script {
    text: String,
    names: FxHashMap<Term, String>,
    tables: FxHashMap<Rc<Table>, String>,
    functions: HashSet<Rc<str>>,
    variables: BTreeMap<Rc<str>, u32>,
}

impl Script {
    /// Whether these terms, of one bit each, can all be 1: declarations, definitions and assertions,
    /// without the commands that ask. Names depend on nothing but the terms: the same terms give the
    /// same text.
    pub fn new(terms: &[Term]) -> Script {
        let mut script = Script::default();
        for &term in terms {
            let name = script.name(term);
            writeln!(script.text, "(assert (= {name} #b1))").expect("a String takes all");
        }
        script
    }

    /// The declarations, definitions and assertions.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The variables and their widths.
    pub fn variables(&self) -> &BTreeMap<Rc<str>, u32> {
        &self.variables
    }

    /// Whether the theory needs functions of which only the name is known.
    pub fn logic(&self) -> &'static str {
        match self.functions.is_empty() {
            true => "QF_BV",
            false => "QF_UFBV",
        }
    }

    /// What a term is called in the text; writes its definition, if it is new.
    fn name(&mut self, term: Term) -> String {
        super::operands_first(
            term,
            self,
            |own, term| own.names.contains_key(&term),
            |own, term, node| {
                let name = own.define(term, node);
                own.names.insert(term, name);
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
                    .expect("a String takes all");
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
        .expect("a String takes all");
        name
    }

    /// A node whose operands have names.
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
                .expect("a String takes all");
            }
            return format!("({function} {})", self.listed(arguments));
        }
        let of = |term: &Term| self.names[term].as_str();
        let truth = |test: String| format!("(ite {test} #b1 #b0)");
        match node {
            Node::Constant(_) | Node::Variable(_) | Node::Lookup(..) | Node::Apply(..) => {
                unreachable!("written above")
            }
            Node::Concat(parts) => {
                let parts: Vec<&str> = parts.iter().rev().map(of).collect();
                format!("(concat {})", parts.join(" "))
            }
            Node::Extract(term, lo) => {
                format!("((_ extract {} {lo}) {})", lo + width - 1, of(term))
            }
            Node::And(terms) => format!("(bvand {})", self.listed(terms)),
            Node::Xor(terms) => match terms[0].value() == Some(Wide::ones(width)) {
                true if terms.len() == 2 => format!("(bvnot {})", of(&terms[1])),
                true => format!("(bvnot (bvxor {}))", self.listed(&terms[1..])),
                false => format!("(bvxor {})", self.listed(terms)),
            },
            Node::Sum(terms, start) => {
                let mut parts: Vec<String> = Vec::new();
                for (term, factor) in terms {
                    parts.push(match *factor {
                        Wide::ONE => of(term).to_owned(),
                        factor => format!("(bvmul {} {})", literal(factor, width), of(term)),
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
            Node::Product(a, b) => format!("(bvmul {} {})", of(a), of(b)),
            Node::If(condition, one, other) => {
                format!("(ite (= {} #b1) {} {})", of(condition), of(one), of(other))
            }
            Node::Equal(a, b) => truth(format!("(= {} {})", of(a), of(b))),
            Node::Below(a, b) => truth(format!("(bvult {} {})", of(a), of(b))),
            Node::SignedBelow(a, b) => truth(format!("(bvslt {} {})", of(a), of(b))),
            Node::Shift(shift, term, by) => {
                let shift = match shift {
                    Shift::Left => "bvshl",
                    Shift::Right => "bvlshr",
                    Shift::SignedRight => "bvashr",
                };
                format!("({shift} {} {})", of(term), of(by))
            }
            Node::Extend(term) => {
                format!("((_ sign_extend {}) {})", width - term.width(), of(term))
            }
            Node::Count(bits) => counted(&bits.iter().map(of).collect::<Vec<_>>(), width),
            Node::LeadingZeros(term) => first_set(of(term), width, (0..width).rev()),
            Node::TrailingZeros(term) => first_set(of(term), width, 0..width),
        }
    }

    fn listed(&self, terms: &[Term]) -> String {
        let names: Vec<&str> = terms.iter().map(|term| self.names[term].as_str()).collect();
        names.join(" ")
    }

    /// The function that a table is, defined by choices from the highest bit of the index on.
    fn table(&mut self, table: &Rc<Table>) -> String {
        if let Some(name) = self.tables.get(table) {
            return name.clone();
        }
        let name = format!("table{}", self.tables.len());
        let (index, width) = (table.index_width(), table.width());
        let value = chosen(table.entries(), index, width);
        writeln!(
            self.text,
            "(define-fun {name} ((i {})) {} {value})",
            sort(index),
            sort(width)
        )
        .expect("a String takes all");
        self.tables.insert(table.clone(), name.clone());
        name
    }
}

/// An entry of a table by the lowest `bits` bits of the index `i`.
fn chosen(entries: &[Wide], bits: u32, width: u32) -> String {
    if entries.iter().all(|entry| *entry == entries[0]) {
        return literal(entries[0], width);
    }
    let half = 1 << (bits - 1);
    if entries.len() <= half {
        return chosen(entries, bits - 1, width);
    }
    let (low, high) = entries.split_at(half);
    let bit = bits - 1;
    format!(
        "(ite (= ((_ extract {bit} {bit}) i) #b1) {} {})",
        chosen(high, bit, width),
        chosen(low, bit, width)
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

/// The number of bits that are set, in `width` bits: of pairs, pairs of pairs, and so on.
fn counted(bits: &[&str], width: u32) -> String {
    let [one] = bits else {
        let (low, high) = bits.split_at(bits.len() / 2);
        return format!("(bvadd {} {})", counted(low, width), counted(high, width));
    };
    match width {
        1 => (*one).to_owned(),
        _ => format!("((_ zero_extend {}) {one})", width - 1),
    }
}

/// The place of the first bit set in an order of places, counted from 0; the width if none is set.
fn first_set(term: &str, width: u32, places: impl DoubleEndedIterator<Item = u32>) -> String {
    let places: Vec<u32> = places.collect();
    let none = literal(Wide::new(width.into()), width);
    places
        .iter()
        .enumerate()
        .rev()
        .fold(none, |rest, (i, place)| {
            let found = literal(Wide::new(i as u64), width);
            format!("(ite (= ((_ extract {place} {place}) {term}) #b1) {found} {rest})")
        })
}
