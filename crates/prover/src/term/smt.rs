//! Terms as SMT-LIB 2.6, in the logic QF_BV or QF_UFBV.

use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::{Node, Shift, Table, Term, Wide};

/// Script that asks if some terms of one bit each can all be 1.
#[derive(Default)]
pub struct Script {
    text: String,
    names: FxHashMap<Term, String>,
    tables: FxHashMap<Rc<Table>, String>,
    functions: FxHashSet<Rc<str>>,
    variables: BTreeSet<Rc<str>>,
}

impl Script {
    /// Script about these terms. The text depends only on their structure.
    pub fn new(terms: &[Term]) -> Script {
        let mut script = Script::default();
        for &term in terms {
            let name = script.name(term);
            script.text += &format!("(assert (= {name} #b1))\n");
        }
        // The least logic that has all operations.
        let logic = match script.functions.is_empty() {
            true => "QF_BV",
            false => "QF_UFBV",
        };
        script.text = format!("(set-logic {logic})\n{}(check-sat)\n", script.text);
        script
    }

    /// Text for the solver, which determines the answer.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Names of the variables, in sorted order.
    pub fn variables(&self) -> Vec<&str> {
        self.variables.iter().map(|name| &**name).collect()
    }

    /// Name of a term in the text; writes its definition first if it is new.
    fn name(&mut self, term: Term) -> String {
        for term in super::operands_first(term, |term| self.names.contains_key(&term)) {
            let name = self.define(term, &term.node());
            self.names.insert(term, name);
        }
        self.names[&term].clone()
    }

    fn define(&mut self, term: Term, node: &Node) -> String {
        let width = term.width();
        match node {
            Node::Constant(value) => literal(*value, width),
            Node::Variable(name) => {
                self.text += &format!("(declare-const {name} {})\n", sort(width));
                self.variables.insert(name.clone());
                name.to_string()
            }
            _ => {
                let name = format!("t{}", self.names.len());
                let value = self.expression(node, width);
                self.text += &format!("(define-fun {name} () {} {value})\n", sort(width));
                name
            }
        }
    }

    /// Expression of a node whose operands have names.
    fn expression(&mut self, node: &Node, width: u32) -> String {
        let call = |script: &Script, function: &str, operands: &[Term]| {
            format!("({function} {})", script.listed(operands))
        };
        let test = |script: &Script, function: &str, operands: [Term; 2]| {
            format!("(ite {} #b1 #b0)", call(script, function, &operands))
        };
        match node {
            Node::Constant(_) | Node::Variable(_) => unreachable!("they have names"),
            Node::Lookup(table, index) => {
                let function = self.table(table);
                call(self, &function, &[*index])
            }
            Node::Apply(function, arguments) => {
                if self.functions.insert(function.clone()) {
                    let sorts: Vec<String> =
                        arguments.iter().map(|term| sort(term.width())).collect();
                    let (sorts, sort) = (sorts.join(" "), sort(width));
                    self.text += &format!("(declare-fun {function} ({sorts}) {sort})\n");
                }
                call(self, function, arguments)
            }
            Node::Concat(parts) => {
                let parts: Vec<Term> = parts.iter().rev().copied().collect();
                call(self, "concat", &parts)
            }
            Node::Extract(term, lo) => call(
                self,
                &format!("(_ extract {} {lo})", lo + width - 1),
                &[*term],
            ),
            Node::And(terms) => call(self, "bvand", terms),
            Node::Xor(terms) => match terms[0].value() == Some(Wide::ones(width)) {
                true if terms.len() == 2 => call(self, "bvnot", &terms[1..]),
                true => format!("(bvnot {})", call(self, "bvxor", &terms[1..])),
                false => call(self, "bvxor", terms),
            },
            Node::Sum(terms, start) => {
                let product = |(term, factor): &(Term, Wide)| match *factor {
                    Wide::ONE => self.names[term].clone(),
                    factor => format!("(bvmul {} {})", literal(factor, width), self.names[term]),
                };
                let mut parts: Vec<String> = terms.iter().map(product).collect();
                if !start.is_zero() {
                    parts.push(literal(*start, width));
                }
                match &parts[..] {
                    [one] => one.clone(),
                    _ => format!("(bvadd {})", parts.join(" ")),
                }
            }
            &Node::Product(a, b) => call(self, "bvmul", &[a, b]),
            &Node::If(condition, one, other) => {
                let condition = &self.names[&condition];
                format!("(ite (= {condition} #b1) {})", self.listed(&[one, other]))
            }
            &Node::Equal(a, b) => test(self, "=", [a, b]),
            &Node::Below(a, b) => test(self, "bvult", [a, b]),
            &Node::SignedBelow(a, b) => test(self, "bvslt", [a, b]),
            &Node::Shift(Shift::Left, a, by) => call(self, "bvshl", &[a, by]),
            &Node::Shift(Shift::Right, a, by) => call(self, "bvlshr", &[a, by]),
            &Node::Shift(Shift::SignedRight, a, by) => call(self, "bvashr", &[a, by]),
            Node::Extend(term) => {
                let more = width - term.width();
                call(self, &format!("(_ sign_extend {more})"), &[*term])
            }
            Node::Count(bits) => {
                let bits: Vec<&str> = bits.iter().map(|bit| self.names[bit].as_str()).collect();
                bit_count(&bits, width)
            }
            Node::LeadingZeros(term) => first_set(&self.names[term], width, (0..width).rev()),
            Node::TrailingZeros(term) => first_set(&self.names[term], width, 0..width),
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
        let (index, entry) = (sort(index), sort(width));
        self.text += &format!("(define-fun {name} ((i {index})) {entry} {value})\n");
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
        0 => format!("#x{value:0>0$x}", width as usize / 4),
        _ => format!("#b{value:0>0$b}", width as usize),
    }
}

/// Expression for the number of set bits, in `width` bits, as a balanced tree of sums.
fn bit_count(bits: &[&str], width: u32) -> String {
    match bits {
        [one] if width == 1 => (*one).to_owned(),
        [one] => format!("((_ zero_extend {}) {one})", width - 1),
        _ => {
            let (low, high) = bits.split_at(bits.len() / 2);
            let [low, high] = [low, high].map(|half| bit_count(half, width));
            format!("(bvadd {low} {high})")
        }
    }
}

/// Expression for the rank of the first set bit in an order of bit indices; the width if no bit is set.
fn first_set(term: &str, width: u32, indices: impl Iterator<Item = u32>) -> String {
    let number = |i: u32| literal(Wide::new(i.into()), width);
    let indices: Vec<(u32, u32)> = (0..).zip(indices).collect();
    let choose = |rest, &(rank, index): &(u32, u32)| {
        let rank = number(rank);
        format!("(ite (= ((_ extract {index} {index}) {term}) #b1) {rank} {rest})")
    };
    indices.iter().rev().fold(number(width), choose)
}
