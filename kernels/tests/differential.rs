//! Every algorithm of every kernel at every level that this CPU has, against the reference.

use outflank_kernels::cases::Cases;
use outflank_kernels::input::{Case, Input};
use outflank_kernels::registry::{Entry, entries, kernels};
use outflank_kernels::{Level, reference};

/// The entries that can run here, of one kernel or (`""`) of all.
fn runnable(kernel: &str) -> impl Iterator<Item = &'static Entry> {
    entries()
        .filter(|entry| Level::available().contains(&entry.level))
        .filter(move |entry| kernel.is_empty() || entry.kernel == kernel)
}

/// Compares every entry of `kernel` with the reference on every case; a failure shows all that is
/// needed to see it again. Returns how many comparisons were made.
fn compare(kernel: &str, cases: impl Iterator<Item = Case>) -> usize {
    let entries: Vec<_> = runnable(kernel).collect();
    let mut compared = 0;
    for case in cases {
        let input = Input::new(case);
        for kernel in kernels()
            .iter()
            .filter(|one| kernel.is_empty() || one.name == kernel)
        {
            let expected = (kernel.reference)(&input);
            for entry in entries.iter().filter(|entry| entry.kernel == kernel.name) {
                let got = entry.answer(&input).expect("only runnable entries");
                compared += 1;
                assert_eq!(
                    got, expected,
                    "{} by {} at {} (left) and the reference (right) differ on\n{case:?}",
                    entry.kernel, entry.algorithm, entry.level
                );
            }
        }
    }
    compared
}

const EMPTY: Case = Case::new(0, 0, 0);

#[test]
fn all_algorithms_agree_with_their_reference() {
    let seed = 2;
    let cases = 60_000;
    let compared = compare("", Cases::new(seed).take(cases));
    let pairs = runnable("").count();
    println!("{pairs} algorithms, {compared} comparisons, seed {seed}");
    assert_eq!(compared, pairs * cases);
}

/// Every line of eight through every square, with every way that the mover can hold it.
#[test]
fn last_flip_count_is_right_on_every_line() {
    let directions: [(i32, i32); 4] = [(1, 0), (1, 1), (0, 1), (-1, 1)];
    let mut cases = Vec::new();
    for square in 0..64 {
        for (dx, dy) in directions {
            let on_line = |&other: &i32| {
                let (x, y) = (other % 8 - square % 8, other / 8 - square / 8);
                other != square && x * dy == y * dx
            };
            let line: Vec<i32> = (0..64).filter(on_line).collect();
            for held in 0..1_u32 << line.len() {
                let player = (0..line.len())
                    .filter(|&i| held >> i & 1 == 1)
                    .fold(0, |discs, i| discs | 1_u64 << line[i]);
                for alpha in [-64, -1, 0, 63] {
                    cases.push(Case {
                        square: square as usize,
                        player,
                        alpha,
                        ..EMPTY
                    });
                }
            }
        }
    }
    compare("last_flip_count", cases.iter().copied());
    compare("last_move_score", cases.into_iter());
}

/// The lazy cut-offs depend on `alpha`: random boards with every one.
#[test]
fn last_move_score_is_right_for_every_alpha() {
    let boards = Cases::new(3).take(500);
    let cases = boards.flat_map(|case| (-64..64).map(move |alpha| Case { alpha, ..case }));
    compare("last_move_score", cases);
}

/// All 3^8 states of an edge, on each edge.
#[test]
fn edge_stability_is_right_on_every_edge() {
    let edges: [[usize; 8]; 4] = [
        std::array::from_fn(|i| i),
        std::array::from_fn(|i| 56 + i),
        std::array::from_fn(|i| 8 * i),
        std::array::from_fn(|i| 8 * i + 7),
    ];
    let mut cases = Vec::new();
    for state in 0..3_usize.pow(8) {
        for edge in edges {
            let mut case = EMPTY;
            let mut digits = state;
            for square in edge {
                match digits % 3 {
                    1 => case.player |= 1 << square,
                    2 => case.opponent |= 1 << square,
                    _ => {}
                }
                digits /= 3;
            }
            cases.push(case);
        }
    }
    compare("edge_stability", cases.iter().copied());
    compare("stability", cases.into_iter());
}

/// Every way that four squares can share quadrants, in every order.
#[test]
fn parity_sort_is_right_for_every_sharing() {
    let corner_of = |quadrant: usize| 4 * (quadrant % 2) + 32 * (quadrant / 2);
    let cases = (0..256).map(|quadrants| {
        let place = |i: usize| (corner_of(quadrants >> (2 * i) & 3) + 9 * i) as u8;
        let squares = [0, 1, 2, 3].map(place);
        Case {
            squares: u32::from_le_bytes(squares),
            ..EMPTY
        }
    });
    compare("parity_sort", cases);
}

/// A reference that is wrong would make everything agree on nonsense: these answers are known.
#[test]
fn the_references_know_the_rules() {
    let (player, opponent) = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36);
    assert_eq!(
        reference::mobility(player, opponent),
        1 << 19 | 1 << 26 | 1 << 37 | 1 << 44
    );
    assert_eq!(reference::flip(37, player, opponent), 1 << 36);
    assert_eq!(reference::flip(0, player, opponent), 0);
    // A1 turns a row of six; without a disc at the row's other end, none.
    assert_eq!(reference::flip(0, 1 << 7, 0x7E), 0x7E);
    assert_eq!(reference::flip(0, 1 << 56, 0x7E), 0);
    // The check value of CRC32C: the bytes "12345678" with the usual inversions give 0x6087809A.
    let bytes = u64::from_le_bytes(*b"12345678");
    let inverted = !(reference::board_hash(bytes ^ 0xFFFF_FFFF, 0) >> 32) as u32;
    assert_eq!(inverted, 0x6087_809A);
    // A corner, and the run of discs from it, are stable; a lone edge disc is not.
    assert_eq!(reference::edge_line_stability(0b0000_0111, 0), 0b0000_0111);
    assert_eq!(reference::edge_line_stability(0b0000_1000, 0), 0);
    assert_eq!(
        reference::edge_line_stability(0b0101_0101, 0b1010_1010),
        0b0101_0101
    );
    assert_eq!(reference::stability(!0, 0), !0);
    assert_eq!(reference::solid_discs(!1, 0).count_ones(), 42);
}

/// What the registry says of itself: every kernel has one selected algorithm at every level, names
/// are not repeated, and a level that the CPU lacks is an error.
#[test]
fn the_registry_is_whole() {
    for &level in Level::ALL {
        let here: Vec<_> = entries().filter(|entry| entry.level == level).collect();
        if here.is_empty() {
            assert!(level.token().is_err(), "{level} has a token but no kernels");
            continue;
        }
        for kernel in kernels() {
            let algorithms: Vec<_> = here
                .iter()
                .filter(|entry| entry.kernel == kernel.name)
                .collect();
            let selected = algorithms.iter().filter(|entry| entry.selected).count();
            assert_eq!(selected, 1, "{} at {level}", kernel.name);
            for entry in &algorithms {
                let same = algorithms
                    .iter()
                    .filter(|other| other.algorithm == entry.algorithm);
                assert_eq!(same.count(), 1, "{} {}", kernel.name, entry.algorithm);
                assert_eq!(entry.kernel().name, kernel.name);
                if level.token().is_err() {
                    assert!(entry.answer(&Input::new(EMPTY)).is_err());
                }
            }
        }
    }
}
