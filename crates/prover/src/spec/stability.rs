//! The kernel that finds stable discs.

use super::board::{bits_on_edges, is_full, stable_on_edges};
use super::{
    DIRECTIONS, Loop, Obligation, Proposal, Specification, board, is_disjoint, opponent, or_all,
    player, ray, specified,
};
use crate::term::{Term, and_all, bit, variable, zeros};

pub(super) static SPECIFICATIONS: &[Specification] = &[specified("stability", 1, stability)];

/// Condition that all squares of one board are squares of another.
fn is_subset(one: Term, other: Term) -> Term {
    (one & !other).equals(zeros(64))
}

/// The mover's discs off the border that a set of stable discs protects: on each of the four lines the disc lies
/// beside a disc of the set, or the line is full.
fn protected(stable: Term) -> Term {
    let taken = player() | opponent();
    board(|square| {
        let is_inside = |coordinate: usize| (1..7).contains(&coordinate);
        if !is_inside(square % 8) || !is_inside(square / 8) {
            return bit(false);
        }
        let is_safe = |&(across, down): &(i32, i32)| {
            let beside = [(across, down), (-across, -down)]
                .map(|direction| stable.bit(ray(square, direction)[0] as u32));
            or_all(beside) | is_full(square, (across, down), taken)
        };
        player().bit(square as u32) & and_all(DIRECTIONS[..4].iter().map(is_safe))
    })
}

/// Obligation that the answer is the least set that has the stable discs of the edges and those on four full lines,
/// and that protects no other disc.
///
/// The answer is contained in every such set, of which one without further properties is `closed`.
fn stability(_: usize) -> Obligation {
    let taken = player() | opponent();
    let is_solid = |square: usize| {
        let full = DIRECTIONS[..4]
            .iter()
            .map(|&line| is_full(square, line, taken));
        and_all(full.chain([player().bit(square as u32)]))
    };
    let edges = stable_on_edges();
    // A corner is stable on both of its edges or on none.
    let on_edges = board(|square| {
        let bits = bits_on_edges(&edges, square);
        bits.first().copied().unwrap_or(bit(false))
    });
    let corners = [0, 7, 56, 63].map(|corner| bits_on_edges(&edges, corner));
    let certain = on_edges | board(is_solid);
    let closed = variable("closed", 64);
    let arguments = vec![player(), opponent()];
    let mut obligation = Obligation::every_board(arguments, certain, 64).assuming([
        is_disjoint(),
        is_subset(certain, closed),
        is_subset(protected(closed), closed),
    ]);
    obligation.claims = Box::new(move |answer, _| {
        vec![
            is_subset(certain, answer),
            is_subset(protected(answer), answer),
            is_subset(answer, closed),
        ]
    });
    obligation.lemmas = corners.map(|bits| bits[0].equals(bits[1])).to_vec();
    // Neither the code nor the specification looks into the table of edges.
    obligation.free = edges.iter().flat_map(|edge| edge.bits()).collect();
    obligation.loops = Some(Box::new(move |cut: &Loop| {
        let words = cut.changes.iter().map(|change| change.head);
        let words: Vec<Term> = words.filter(|word| word.width() == 64).collect();
        let facts = words
            .iter()
            .flat_map(|&word| [is_subset(certain, word), is_subset(word, closed)]);
        Proposal {
            facts: facts.collect(),
            // Each round adds a disc and removes none.
            measures: words.iter().map(|&word| !word).collect(),
        }
    }));
    obligation
}
