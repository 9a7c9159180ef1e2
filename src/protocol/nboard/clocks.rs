//! Clocks of a game in GGF.

use crate::notation::GameRecord;
use crate::protocol::clock::Clock;

/// Clocks of black and white: properties `TB` and `TW`, or else `TI` for both.
pub(super) fn clocks(record: &GameRecord) -> [Option<Clock>; 2] {
    ["TB", "TW"].map(|name| {
        let time = record.property(name).or_else(|| record.property("TI"));
        time.and_then(Clock::ggf)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::ggf;
    use std::time::Duration;

    #[test]
    fn each_side_has_its_own_clock() {
        let clock = |seconds| Some(Clock::new(Duration::from_secs(seconds), Duration::ZERO));
        for (times, expected) in [
            ("TB[00:01]TW[05:00]", [clock(1), clock(300)]),
            ("TI[15:00]", [clock(900); 2]),
            ("TI[15:00]TW[00:07]", [clock(900), clock(7)]),
            ("TW[00:07]TB[2]TI[15:00]", [clock(120), clock(7)]),
            ("TB[00:01]", [clock(1), None]),
            ("TI[15:00]TB[?]", [None, clock(900)]),
            ("", [None; 2]),
        ] {
            let game = format!("(;GM[Othello]PB[a]PW[b]{times}TY[8]B[F5]W[F6];)");
            let read = ggf::read(game.as_bytes()).next();
            let record = read.expect("a game").expect("it can be read").record;
            assert_eq!(clocks(&record), expected, "{times}");
        }
    }
}
