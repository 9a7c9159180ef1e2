//! A search with another way to score the last move: what each algorithm of `last_move_score` is worth in
//! whole solves (after the table "board_score_sse_1 benchmark" of Okuhara's Edax AVX).
//!
//! Only builds with the feature `compare-last-move` have this. Only the functions for the last empties
//! differ, so only they are stamped once per variant. The search then calls them through a pointer, the
//! same call for all variants; other builds call the selected one directly.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use outflank_kernels::variants::{LastMoveScore, Selected};
use outflank_kernels::{Isa, for_each_last_move_score, levels, tokens};

use super::recursion::{Recursion, last_4};
use super::thread::Search;
use crate::board::Board;

/// A way to score the last move at a level.
pub struct Variant {
    /// The algorithm of `last_move_score`; after a `+` that of `last_flip_count` which it is made
    /// with, where it can be made with several.
    pub name: &'static str,
    /// The level that all of the search is compiled for.
    pub isa: Isa,
    /// Whether this is what the level uses.
    pub selected: bool,
    last_4: Last4,
}

/// [`last_4`] of a level and a variant.
type Last4 = unsafe fn(&mut Search<'_>, Board, u32, i32) -> i32;

/// The variants at `isa`, also where the CPU lacks it; none at a level of another architecture.
pub fn variants(isa: Isa) -> &'static [Variant] {
    macro_rules! table {
        (
            {}
            $({
                $module:ident::$inner:ident $Name:ident [$($cfg:tt)*]
                $({ $Variant:ident $name:literal $selected:literal })*
            })*
        ) => {
            match isa {
                $(
                    #[cfg($($cfg)*)]
                    Isa::$Name => const {
                        &[$(Variant {
                            name: $name,
                            isa: Isa::$Name,
                            selected: $selected,
                            last_4: last_4_of::<tokens::$Name, levels::$module::$inner::$Variant>,
                        }),*]
                    },
                )*
                #[allow(unreachable_patterns, reason = "no other level on this architecture")]
                _ => &[],
            }
        };
    }
    for_each_last_move_score!(table)
}

/// [`last_4`] without a token, so that all levels and variants have one type.
///
/// # Safety
/// The CPU has the level of `I`.
unsafe fn last_4_of<I: Recursion, L: LastMoveScore<I>>(
    search: &mut Search<'_>,
    board: Board,
    empties: u32,
    alpha: i32,
) -> i32 {
    const { assert!(size_of::<I>() == 0, "a token is nothing but a proof") };
    // SAFETY: the token has no bytes that could be wrong, and the caller vouches for what it proves.
    let isa: I = unsafe { NonNull::dangling().read() };
    last_4::<I, L>(isa, search, board, empties, alpha)
}

/// The place of a variant in the list of its level, plus 1; 0 where searches use what is selected.
static CHOSEN: AtomicUsize = AtomicUsize::new(0);

/// From now on all searches of this process at the level of `variant` use it; at other levels they use a
/// variant at the same place of their list.
pub(super) fn choose(variant: &Variant) {
    let place = variants(variant.isa)
        .iter()
        .position(|one| one.name == variant.name);
    CHOSEN.store(place.map_or(0, |place| place + 1), Relaxed);
}

/// The score of a board with 4 empties against a null window, by the chosen variant.
#[inline(always)]
pub(super) fn last_4_empties<I: Recursion>(
    isa: I,
    search: &mut Search<'_>,
    board: Board,
    empties: u32,
    alpha: i32,
) -> i32 {
    let place = CHOSEN.load(Relaxed).wrapping_sub(1);
    match variants(I::ISA).get(place) {
        // SAFETY: the variant is of the level that `isa` proves.
        Some(variant) => unsafe { (variant.last_4)(search, board, empties, alpha) },
        None => last_4::<I, Selected>(isa, search, board, empties, alpha),
    }
}

#[cfg(test)]
mod tests {
    use outflank_checker::cases::Cases;

    use super::*;
    use crate::{Engine, Limits};

    /// Boards with few empties, from games and from nowhere, with passes among them.
    fn boards() -> impl Iterator<Item = Board> {
        let boards = Cases::new(4).map(|case| Board {
            player: case.player,
            opponent: case.opponent,
        });
        let few = |board: &Board| (5..=10).contains(&board.empty_count());
        boards.filter(few).take(150)
    }

    #[test]
    fn every_variant_finds_the_same_by_the_same_nodes() {
        let mut solver = Engine::builder()
            .isa(Isa::Portable)
            .hash_mib(1)
            .build()
            .unwrap();
        let mut solve = |variant: Option<&Variant>| {
            if let Some(variant) = variant {
                solver.set_variant(variant).unwrap();
            }
            let solutions = boards().map(|board| {
                solver.clear();
                let solution = solver.search(board, &Limits::EXACT).unwrap();
                (solution.score, solution.line, solution.nodes)
            });
            solutions.collect::<Vec<_>>()
        };
        let expected = solve(None);
        let nodes: u64 = expected.iter().map(|(_, _, nodes)| nodes).sum();
        assert!(nodes > 100_000, "only {nodes} nodes");
        for &isa in Isa::available() {
            for variant in variants(isa) {
                let got = solve(Some(variant));
                assert!(got == expected, "{isa} {}", variant.name);
            }
        }
    }

    #[test]
    fn every_level_uses_one_of_its_variants() {
        for &isa in Isa::ALL {
            let all = variants(isa);
            let selected = all.iter().filter(|variant| variant.selected).count();
            assert_eq!(selected, usize::from(!all.is_empty()), "{isa}");
            let named = |name| all.iter().filter(|variant| variant.name == name).count();
            for variant in all {
                assert_eq!((variant.isa, named(variant.name)), (isa, 1));
            }
            assert!(!all.is_empty() || isa.token().is_err(), "{isa}");
            for variant in all.iter().filter(|_| isa.token().is_err()) {
                let mut engine = Engine::builder().hash_mib(1).build().unwrap();
                assert!(engine.set_variant(variant).is_err(), "{isa}");
            }
        }
    }
}
