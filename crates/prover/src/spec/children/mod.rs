//! The kernel `children`: the boards after the moves of a board, with replies and keys.
//!
//! The loop over the moves has at most sixteen rounds, so the code is executed to its end. Variables replace the moves that
//! are left, then the flipped discs, the boards, the replies and the keys. So the claims about one child are equal for all
//! children, and only one of them is proved.

mod keys;
mod moves;

use outflank_kernels::KeyedChildren;

use self::keys::{cost, key_is_above, matched_counts, none, score};
use self::moves::{cuts, left, left_from, lemmas, listed, move_bit};
use super::moves::{beside, flipped, legal_moves};
use super::{Obligation, Specification, is_disjoint, name, opponent, or_all, player, specified};
use crate::machine::Machine;
use crate::stages::{AnswerPart, StagedClaim, Stages};
use crate::term::{Term, and_all, bit, number, substitute, variable, zeros};

pub(super) static SPECIFICATIONS: &[Specification] = &[specified("children", 1, children)];

/// Address of the list.
const LIST: u64 = 0x5100_0000_0000;

/// Maximum number of children.
const CAPACITY: usize = KeyedChildren::CAPACITY;

/// Addresses of the fields of child `k`: the mover's discs, the other side's discs, the replies, the key.
fn fields(k: usize) -> [u64; 4] {
    let field = |i: usize, bytes: usize| LIST + (CAPACITY * 8 * i + bytes * k) as u64;
    [field(0, 8), field(1, 8), field(2, 8), field(3, 4)]
}

/// Address of the number of written lanes.
const WRITTEN: u64 = LIST + (CAPACITY * 28) as u64;

/// Address of the number of children.
const LENGTH: u64 = WRITTEN + 8;

/// Contents of a field of child `k` before the call.
fn before(field: usize, k: usize) -> Term {
    variable(&format!("before{field}_{k}"), 64)
}

/// Condition that two boards have no common square.
fn are_disjoint(one: Term, other: Term) -> Term {
    (one & other).equals(zeros(64))
}

/// Implication of a claim by a condition.
fn implies(condition: Term, claim: Term) -> Term {
    !condition | claim
}

/// Condition that a key is at most another, as signed numbers.
fn at_most(one: Term, other: Term) -> Term {
    !other.signed_below(one)
}

/// Obligation for every board and every set of empty squares as moves.
fn children(_: usize) -> Obligation {
    let (legal, favoured) = (left(0), variable("favoured", 64));
    let arguments = vec![player(), opponent(), legal, favoured, number(LIST, 64)];
    let mut obligation = Obligation::every_board(arguments, zeros(8), 8);
    for k in 0..CAPACITY {
        let boards = (0..3).map(|field| (fields(k)[field], before(field, k)));
        let lowest = number(i32::MIN as u32 as u64, 32);
        obligation
            .memory
            .extend(boards.chain([(fields(k)[3], lowest)]));
    }
    obligation.memory.push((WRITTEN, zeros(64)));
    obligation.memory.push((LENGTH, zeros(64)));
    let on_empty = (legal & (player() | opponent())).equals(zeros(64));
    let parts = |parts: &[(usize, Term)]| -> Vec<AnswerPart> {
        let of_child = |k: usize| {
            let part = move |&(field, change): &(usize, Term)| AnswerPart {
                address: fields(k)[field],
                change,
            };
            parts.iter().map(part).collect::<Vec<_>>()
        };
        (0..CAPACITY).flat_map(of_child).collect()
    };
    let none = zeros(64);
    obligation.stages = Some(Stages {
        cuts: cuts(),
        groups: vec![
            parts(&[(0, opponent())]),
            parts(&[(0, none), (1, none)]),
            parts(&[(2, none)]),
            parts(&[(3, zeros(32))]),
        ],
        claims: Box::new(|machine, cuts| End { machine, cuts }.claims()),
    });
    obligation.lemmas = lemmas();
    obligation.lemmas.push(key_is_above());
    obligation.assuming([is_disjoint(), on_empty])
}

/// State at the end of a path.
struct End<'a> {
    machine: &'a Machine,
    cuts: &'a [(Term, Term)],
}

impl End<'_> {
    /// Loads a part of the list.
    fn load(&self, address: u64, bits: u32) -> Term {
        let loaded = self.machine.memory.load(number(address, 64), bits / 8);
        loaded.expect("the list is memory")
    }

    /// Term that a variable replaces; other terms are returned as they are.
    fn definition(&self, value: Term) -> Term {
        let cut = self.cuts.iter().find(|&&(_, variable)| variable == value);
        cut.map_or(value, |&(term, _)| term)
    }

    /// Returns `true` if the code has written child `k`.
    fn is_written(&self, k: usize) -> bool {
        self.load(fields(k)[0], 64) != before(0, k)
    }

    /// Claims about the discs that the move of child `k` flips, square by square.
    fn flips(&self, k: usize) -> Vec<StagedClaim> {
        let next = self.definition(self.load(fields(k)[0], 64));
        let flips = self.definition(next ^ opponent());
        let of_square = |square: usize| {
            let square_bit = number(1 << square, 64);
            let expected = flipped(square, player(), opponent());
            let replaced = [
                (left(k).trailing_zeros(), number(square as u64, 64)),
                (move_bit(k), square_bit),
                (left(k), left_from(square, variable("rest", 64))),
            ];
            let is_empty = !(player() | opponent()).bit(square as u32);
            let are_opponents = (expected & !opponent()).equals(zeros(64));
            let are_right = substitute(&replaced, &[flips])[0].equals(expected);
            StagedClaim {
                name: format!("flips of child {k} on {}", name(square)),
                general: implies(is_disjoint() & is_empty, are_right & are_opponents),
                claim: implies(move_bit(k).equals(square_bit), flips.equals(expected)),
            }
        };
        (0..64).map(of_square).collect()
    }

    /// Claims about the boards, the replies and the key of child `k`, as functions of the flipped discs.
    fn rating(&self, k: usize) -> Vec<StagedClaim> {
        let [next, passive, replies] = [0, 1, 2].map(|i| self.load(fields(k)[i], 64));
        let key = self.definition(self.load(fields(k)[3], 32));
        let flips = self.definition(next) ^ opponent();
        let square = left(k).trailing_zeros();
        let is_next = next.equals(opponent() ^ flips);
        let is_passive = passive.equals(player() | flips | move_bit(k));
        let is_move = and_all([
            !move_bit(k).equals(zeros(64)),
            square.below(number(64, 64)),
            are_disjoint(move_bit(k), player() | opponent()),
            (flips & !opponent()).equals(zeros(64)),
            is_disjoint(),
            is_next,
            is_passive,
        ]);
        let moves = legal_moves(next, passive);
        let is_favoured = !are_disjoint(move_bit(k), variable("favoured", 64));
        let least = none().extract(4, 28);
        let beside = beside(passive) & !(next | passive);
        let expected = score(
            [next, passive, beside],
            cost(replies, key),
            square,
            is_favoured,
        );
        let score = implies(is_move, key.extract(4, 28).equals(expected));
        let variables = [
            (flips, variable("flips", 64)),
            (next, variable("next", 64)),
            (passive, variable("passive", 64)),
            (replies, variable("replies", 64)),
            (square, variable("square", 64)),
            (listed(k), variable("square", 64).extract(0, 8)),
            (move_bit(k), variable("bit", 64)),
            (left(k), variable("rest", 64)),
        ];
        let general = |term: Term| substitute(&variables, &[term])[0];
        let (are_equal, counts) = matched_counts(general(key), general(beside));
        let defined = |board: Term, is_right: Term| {
            substitute(&[(board, self.definition(board))], &[is_right])[0]
        };
        let no_move = [
            (square, number(64, 64)),
            (listed(k), number(255, 8)),
            (left(k), zeros(64)),
            (move_bit(k), zeros(64)),
        ];
        let is_low = at_most(key, none());
        let index = key.extract(0, 4).equals(number(k as u64, 4));
        let has_moves = self.definition(replies).equals(moves);
        // Each general claim has the same variables for all children.
        let claims = [
            ("boards", defined(next, is_next)),
            ("boards", defined(passive, is_passive)),
            ("replies", implies(is_move, has_moves)),
            ("range", least.signed_below(expected)),
            ("index", implies(is_move, index)),
        ];
        let claims = claims.map(|(what, claim)| (what, general(claim), claim));
        let of_key = [
            ("neighbours", implies(general(is_move), are_equal), score),
            ("score", substitute(&counts, &[general(score)])[0], score),
            (
                "missing move",
                substitute(&no_move, &[is_low])[0],
                implies(left(k).equals(zeros(64)), is_low),
            ),
        ];
        let claims = claims.into_iter().chain(of_key);
        let named = claims.map(|(what, general, claim)| StagedClaim {
            name: format!("{what} of child {k}"),
            general,
            claim,
        });
        named.collect()
    }

    /// Claims about the number of children and the greatest key.
    fn list(&self) -> Vec<StagedClaim> {
        let is_none = |k: usize| left(k).equals(zeros(64));
        let count = |k: usize| variable(&format!("count{k}"), 7);
        let none_after = (0..CAPACITY).map(|k| implies(is_none(k), is_none(k + 1)));
        let counts = (0..CAPACITY).map(|k| {
            let one_more = count(k).equals(count(k + 1).plus(1));
            let in_range = !number(64, 7).below(count(k + 1));
            in_range & is_none(k).choose(count(k).equals(zeros(7)), one_more)
        });
        let keys: Vec<Term> = (0..CAPACITY).map(|k| self.load(fields(k)[3], 32)).collect();
        let written = (0..CAPACITY).filter(|&k| self.is_written(k));
        let ranges = written.map(|k| {
            let is_low = at_most(keys[k], none());
            is_low.equals(is_none(k))
        });
        let known = [(left(0).count().extract(0, 7), count(0))];
        let path = substitute(self.cuts, &self.machine.path);
        let for_keys = and_all(none_after.chain(ranges).chain(substitute(&known, &path)));
        let for_counts = for_keys & and_all(counts);

        let capacity = number(CAPACITY as u64, 64);
        let length = self.load(LENGTH, 64);
        let best = self.machine.general[0].extract(0, 32);
        let of_all = |best: Term| {
            let are_less = keys.iter().map(|&key| at_most(key, best));
            let is_one = or_all(keys.iter().map(|key| key.equals(best)));
            are_less.chain([is_one]).collect::<Vec<_>>()
        };
        let is_greatest = |best: Term| {
            let children = || (0..CAPACITY).map(|k| (!is_none(k), keys[k]));
            let bounds = children().map(|(is_child, key)| implies(is_child, at_most(key, best)));
            let is_one = or_all(children().map(|(is_child, key)| is_child & key.equals(best)));
            is_none(0).choose(at_most(best, none()), and_all(bounds) & is_one)
        };
        let open = (0..CAPACITY).filter(|&k| !self.is_written(k));
        let no_more = open.map(|k| is_none(k) & at_most(keys[k], none()));
        let any = variable("best", 32);
        let claims = [
            (
                "number of children",
                for_counts,
                length.equals(left(0).count().unsigned_min(capacity)),
            ),
            (
                "missing children",
                for_counts,
                and_all(no_more.chain([bit(true)])),
            ),
        ];
        let claims = claims.map(|(name, given, claim)| {
            (name, implies(given, substitute(&known, &[claim])[0]), claim)
        });
        let of_best = of_all(best)
            .into_iter()
            .map(|claim| ("greatest key", claim, claim));
        let among_children = (
            "greatest key of children",
            implies(for_keys & and_all(of_all(any)), is_greatest(any)),
            is_greatest(best),
        );
        let all = claims.into_iter().chain(of_best).chain([among_children]);
        let named = all.map(|(name, general, claim)| StagedClaim {
            name: name.into(),
            general,
            claim,
        });
        named.collect()
    }

    /// All claims: about each child that is written, and about the list.
    fn claims(&self) -> Vec<StagedClaim> {
        let written = (0..CAPACITY).filter(|&k| self.is_written(k));
        let of_children = written.flat_map(|k| [self.flips(k), self.rating(k)].concat());
        of_children.chain(self.list()).collect()
    }
}
