//! The recorded trace, and malformed ones.

use super::*;
use crate::record::write;
use crate::registry::kernels;
use crate::trace::LENGTH;
use crate::{reference, trace};

#[test]
fn every_kernel_has_a_full_trace_of_valid_cases() {
    for kernel in kernels() {
        let cases = recorded(kernel.name);
        assert_eq!(cases.len(), LENGTH, "{}", kernel.name);
        for case in cases {
            assert_eq!(case.broken_invariant(), None, "{case:?}");
        }
    }
}

/// The samples look like calls of a search: most moves flip discs, boards have one empty square where required,
/// and neighbouring samples are similar.
#[test]
fn cases_look_like_those_of_a_search() {
    let flips = recorded("flip");
    let is_legal = |case: &&Case| reference::flip(case.square, case.player, case.opponent) != 0;
    let legal = flips.iter().filter(is_legal).count();
    assert!(legal > LENGTH / 2, "{legal} of {LENGTH} flips flip discs");
    let are_alike = |pair: &&[Case]| {
        let [a, b] = [0, 1].map(|i: usize| pair[i].player | pair[i].opponent);
        (a ^ b).count_ones() <= 8
    };
    let alike = flips.windows(2).filter(are_alike).count();
    assert!(
        alike > LENGTH * 3 / 4,
        "{alike} of {LENGTH} boards are like the one before"
    );
    assert!(flips.iter().any(|case| case.square != flips[0].square));

    let last = recorded("last_move_score");
    for case in &last {
        assert_eq!(case.player | case.opponent, !(1 << case.square), "{case:?}");
    }
    assert!(last.iter().any(|case| case.alpha < 0) && last.iter().any(|case| case.alpha > 0));
    assert_eq!(recorded("no such kernel"), flips);
    assert_ne!(
        recorded("last_flip_count"),
        flips,
        "it is called inside last_move_score"
    );
    assert!(trace::Trace::new(&[], 0).is_none());
}

fn sample() -> Vec<Samples> {
    let samples = |kernel: &str, fields, cases| Samples {
        kernel: kernel.into(),
        fields,
        cases,
    };
    let mut sorted = Case::new(1, 0, 0);
    (sorted.square, sorted.squares) = (0, 0x3F00_0807);
    let mut last = Case::new(5, 0xF0F, !0xF2F);
    last.alpha = -7;
    vec![
        samples(
            "flip",
            SQUARE | BOARD,
            vec![Case::new(63, 1, 1 << 62), Case::new(4, !0 << 5, 15)],
        ),
        samples("neighbour_sort", SQUARES, vec![sorted]),
        samples("last_move_score", SQUARE | PLAYER | ALPHA, vec![last]),
    ]
}

#[test]
fn written_traces_read_back() {
    assert_eq!(read(&write(&sample())), Ok(sample()));
    assert_eq!(read(&write(&[])), Ok(Vec::new()));
}

#[test]
fn malformed_traces_are_refused() {
    let good = write(&sample());
    for end in 8..good.len() {
        let error = read(&good[..end]).unwrap_err();
        assert!(
            error.contains(&format!("ends after {end} bytes")),
            "{error}"
        );
    }
    let error = read(&good[..7]).unwrap_err();
    assert!(error.contains("does not begin with OUTFLANK"), "{error}");
    let error = read(&[&good[..], &[0]].concat()).unwrap_err();
    assert!(error.contains("1 bytes after its last sample"), "{error}");

    let header = 10 + (1 + 4 + 3) + (1 + 14 + 3) + (1 + 15 + 3);
    let flip = header + 14;
    let squares = flip + 14;
    let last = squares + 4;
    // Position of a changed byte, the byte, and the error.
    let in_header = [
        (0, b'o', "does not begin with OUTFLANK"),
        (8, 9, "version 9; possible: 1"),
        (11, 0xFF, "kernel 0 of the recorded trace has a name"),
        (15, 0, "kernel 0 of the recorded trace has parameters"),
        (15, 32, "kernel 0 of the recorded trace has parameters"),
    ];
    // Position of a changed byte, the byte, and the index, kernel and mistake of the sample.
    let in_samples = [
        (header, 64, 0, "flip", "a square over 63"),
        (header, 0, 0, "flip", "a disc on"),
        (flip + 1, 243, 1, "flip", "a digit"),
        (flip + 13, 81, 1, "flip", "a digit"),
        (flip + 1, 242, 1, "flip", "no empty square"),
        (squares, 8, 0, "neighbour_sort", "four squares"),
        (squares, 64, 0, "neighbour_sort", "four squares"),
        (last, 1, 0, "last_move_score", "a disc on"),
        (last + 9, 64, 0, "last_move_score", "an alpha"),
    ];
    let in_samples = in_samples.map(|(at, byte, index, kernel, mistake)| {
        let sample = format!("sample {index} of {kernel}");
        (
            at,
            byte,
            format!("{sample} in the recorded trace has {mistake}"),
        )
    });
    let in_header = in_header.map(|(at, byte, message)| (at, byte, message.to_owned()));
    for (at, byte, message) in in_header.into_iter().chain(in_samples) {
        let mut bad = good.clone();
        bad[at] = byte;
        let error = read(&bad).expect_err(&message);
        assert!(error.contains(&message), "{error}, not {message}");
    }
}
