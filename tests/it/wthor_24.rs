//! Positions of tournament games at 24 empties. The database has their theoretical scores, which other programs
//! computed.
//!
//! Each position takes seconds: `cargo test --release --test it wthor_24:: -- --ignored`.

use outflank::{Engine, Limits};
use outflank_random::SplitMix64;

const GAMES: usize = 12;

#[test]
#[ignore = "takes minutes"]
fn positions_at_24_empties_have_their_theoretical_scores() {
    let Some(databases) = outflank_testing::data::wthor() else {
        return;
    };
    let mut rng = SplitMix64::new(24);
    let mut solver = Engine::builder().hash_mib(256).build().expect("an engine");
    let mut solved = 0;
    while solved < GAMES {
        let database = &databases[rng.index(databases.len())];
        let game = &database.games[rng.index(database.games.len())];
        let positions = game.positions().expect("the moves are legal");
        // Games may end earlier.
        let index = 60 - usize::from(database.theoretical_empties);
        let Some(&(board, side)) = positions.get(index) else {
            continue;
        };
        let expected = side.black_score(game.theoretical_score());
        let solution = solver.search(board, &Limits::EXACT).expect("a result");
        assert_eq!(solution.score, expected, "{board} X; of {}", database.year);
        solved += 1;
    }
}
