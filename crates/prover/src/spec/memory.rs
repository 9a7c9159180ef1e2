//! The kernel that fills memory.

use super::{Loop, Obligation, Proposal, Specification, specified};
use crate::machine::{Location, Target};
use crate::spec::AnswerLocation;
use crate::term::{Term, concat, number, variable, zeros};

pub(super) static SPECIFICATIONS: &[Specification] = &[specified("clear", 1, clear)];

/// Address of the pattern.
const PATTERN: u64 = 0x5100_0000_0000;

/// Binary logarithm of the size of a block in bytes, which is also its alignment.
const BLOCK_LOG2: u32 = 5;

/// Obligation that every word of the memory has its word of the pattern, and that nothing else is written.
///
/// Address and number of blocks are unknown, within the limits of a Rust slice.
fn clear(_: usize) -> Obligation {
    let pattern = variable("pattern", 256);
    let blocks = variable("blocks", 63 - BLOCK_LOG2);
    // Fewer than 2^63 bytes in the lower half of the addresses.
    let target = Target {
        start: concat([
            zeros(BLOCK_LOG2),
            variable("start", 63 - BLOCK_LOG2),
            zeros(1),
        ]),
        length: concat([zeros(BLOCK_LOG2), blocks, zeros(1)]),
        observed: concat([zeros(3), variable("word", 61)]),
        value: variable("old", 64),
    };
    let words: Vec<Term> = pattern.lanes(64).collect();
    let index = target.observed.extract(3, BLOCK_LOG2 - 3);
    let expected = (1..).zip(&words[1..]).fold(words[0], |chosen, (i, &word)| {
        index.equals(number(i, index.width())).choose(word, chosen)
    });
    let arguments = vec![target.start, blocks.resize(64), number(PATTERN, 64)];
    let mut obligation = Obligation::equal("any memory".into(), arguments, expected, 64);
    obligation.memory = vec![(PATTERN, pattern)];
    obligation.answer = AnswerLocation::Target;
    obligation.target = Some(target);
    obligation.claims = Box::new(move |answer, _| {
        let is_inside = target.observed.below(target.length);
        vec![!is_inside | answer.equals(expected)]
    });
    obligation.loops = Some(Box::new(move |cut| propose(cut, &target, expected)));
    obligation
}

/// Proposes that pointers and counters run up or down without an overflow, and that a part of the memory is filled.
fn propose(cut: &Loop, target: &Target, expected: Term) -> Proposal {
    let mut proposal = Proposal::default();
    let value = |is_target: bool| {
        let mut changes = cut.changes.iter();
        changes.find(|change| (change.location == Location::Target) == is_target)
    };
    let observed = value(true);
    let is_filled = observed.map(|observed| observed.head.equals(expected));
    if let (Some(observed), Some(is_filled)) = (observed, is_filled) {
        proposal
            .facts
            .push(is_filled | observed.head.equals(observed.entry));
    }
    for change in &cut.changes {
        if change.location == Location::Target || change.head.width() != 64 {
            continue;
        }
        let (now, first) = (change.head, change.entry);
        let offset = now - target.start;
        proposal.facts.extend([
            !now.equals(zeros(64)),
            !now.below(first),
            !first.below(now),
            offset.below(target.length),
        ]);
        if let Some(is_filled) = is_filled {
            // From where the pointer started to where it is now.
            let is_behind = (target.observed - (first - target.start)).below(now - first);
            proposal.facts.push(!is_behind | is_filled);
        }
        proposal
            .measures
            .extend([now, -now, target.length - offset]);
    }
    proposal
}
