//! Positions of tournament games at 24 empties against the theoretical scores of the database, which
//! other programs computed. Each takes seconds: `cargo test --release --test it wthor_24:: -- --ignored`.

use outflank::Side;
use outflank::{Engine, Isa, Limits};
use outflank_testing::rng::Rng;

const GAMES: usize = 12;

#[test]
#[ignore = "takes minutes"]
fn positions_at_24_empties_have_their_theoretical_scores() {
    let Some(databases) = outflank_testing::data::wthor() else {
        return;
    };
    let mut rng = Rng::new(24);
    let mut solver = Engine::builder()
        .isa(Isa::detect())
        .hash_mib(256)
        .build()
        .expect("the level is available");
    let mut solved = 0;
    while solved < GAMES {
        let database = &databases[rng.below(databases.len())];
        let game = &database.games[rng.below(database.games.len())];
        let positions = game.positions().expect("the moves are legal");
        // A game that ended earlier has none.
        let at = 60 - usize::from(database.theoretical_empties);
        let Some(&(board, side)) = positions.get(at) else {
            continue;
        };
        let expected = match side {
            Side::Black => game.theoretical_score(),
            Side::White => -game.theoretical_score(),
        };
        let solution = solver
            .search(board, &Limits::EXACT)
            .expect("nobody stops it");
        assert_eq!(solution.score, expected, "{board} X; of {}", database.year);
        solved += 1;
    }
}
