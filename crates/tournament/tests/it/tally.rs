//! Counts of the games of a match.

use std::collections::BTreeMap;

use outflank_tournament::EngineId::{A, B};
use outflank_tournament::{EngineFault, FaultKind, Forfeit, GameResult, MatchTally};

#[test]
fn pairs_are_counted_in_any_order_of_games() {
    let crash = Forfeit {
        by: A,
        fault: EngineFault {
            kind: FaultKind::Crash,
            message: "ended".into(),
        },
    };
    let mut tally = MatchTally::default();
    for (pair, black, score, forfeit) in [
        (1, B, 0, None),
        (0, A, 10, None),
        (2, B, -64, Some(crash)),
        (1, A, 6, None),
        (0, B, -4, None),
        (2, A, 2, None),
        (3, A, 2, None),
    ] {
        tally.add(&GameResult {
            pair,
            black,
            opening: String::new(),
            score,
            forfeit,
            overstep_ms: [0.0, 1.5],
            ggf: String::new(),
        });
    }
    assert_eq!((tally.games, tally.pairs), ([4, 1, 2], [0, 0, 2, 1, 0]));
    // The complete pairs without forfeits have 3 discs each.
    assert_eq!(tally.discs.mean(), Some(3.0));
    assert_eq!(tally.discs.error(), Some(0.0));
    let forfeits = [BTreeMap::from([(FaultKind::Crash, 1)]), BTreeMap::new()];
    assert_eq!(tally.forfeits, forfeits);
    assert_eq!(tally.overstep_ms, [0.0, 1.5]);
    assert_eq!(tally.share(), Some(4.5 / 7.0));
}
