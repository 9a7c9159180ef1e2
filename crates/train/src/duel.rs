//! Games between two evaluations at equal depth.
//!
//! Each opening is played twice with sides changed, which cancels out its value. The two games depend on each other,
//! so the standard error is over pairs.

use std::sync::Arc;

use outflank_kernels::Isa;

use outflank::board::Board;
use outflank::eval::Evaluation;
use outflank::search::{EngineError, SearchError, StopHandle};

use crate::parallel;
use crate::search::{CACHED_MIB, FixedDepthSearcher};

/// Settings of a duel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DuelSettings {
    /// Search depth in plies, 1 or more. With `depth` or fewer empty squares play is perfect.
    pub depth: u32,
    /// Number of threads, 1 or more, without influence on the result.
    pub threads: usize,
}

/// Scores of the first player in the two games of an opening, in discs. In the first game it moves first.
pub type Pair = [i32; 2];

/// Result of a duel from the first player's side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DuelOutcome {
    /// Wins, draws and losses.
    pub games: [usize; 3],
    /// Mean points per game, 0 to 1. A draw is half a point.
    pub points: f64,
    /// Numbers of pairs with 0 to 4 half points.
    pub pairs: [u64; 5],
    /// Mean discs per game.
    pub discs: f64,
    /// Standard error of `discs`, over pairs.
    pub discs_error: f64,
}

/// Plays every opening twice and returns the pairs in the order of the openings.
///
/// `done` is called after each pair. Once `stop` is used, unfinished pairs are missing.
pub fn play(
    isa: Isa,
    players: &[Arc<Evaluation>; 2],
    openings: &[Board],
    settings: DuelSettings,
    stop: &StopHandle,
    done: impl Fn() + Sync,
) -> Result<Vec<Pair>, EngineError> {
    let player = |weights: &Arc<Evaluation>| {
        FixedDepthSearcher::new(isa, CACHED_MIB, weights.clone(), stop.clone())
    };
    let new_searchers = || Ok([player(&players[0])?, player(&players[1])?]);
    let play_pair = |searchers: &mut [FixedDepthSearcher; 2], &opening: &Board| {
        let mut pair = [0; 2];
        for (first, score) in pair.iter_mut().enumerate() {
            *score = game(searchers, opening, first, settings.depth).ok()?;
        }
        done();
        Some(pair)
    };
    parallel::map_with_state(settings.threads, openings, new_searchers, play_pair)
}

/// Plays a game in which player `first` (0 or 1) moves first. Returns the score of player 0.
fn game(
    players: &mut [FixedDepthSearcher; 2],
    mut board: Board,
    first: usize,
    depth: u32,
) -> Result<i32, SearchError> {
    let mut mover = first;
    // The choice between equal moves must not depend on earlier games.
    players.iter_mut().for_each(FixedDepthSearcher::clear);
    while !board.is_game_over() {
        let best = players[mover].search(board, depth)?.best;
        board = match best {
            Some(square) => board.play(square).expect("a search finds legal moves"),
            None => board.pass(),
        };
        mover ^= 1;
    }
    let score = board.final_score();
    Ok(if mover == 0 { score } else { -score })
}

/// Summarises pairs. Returns `None` for no pairs.
pub fn outcome(pairs: &[Pair]) -> Option<DuelOutcome> {
    if pairs.is_empty() {
        return None;
    }
    let mut games = [0; 3];
    for score in pairs.iter().flatten() {
        games[(1 - score.signum()) as usize] += 1;
    }
    let mean_of = |value: fn(i32) -> f64| {
        let means = pairs
            .iter()
            .map(|pair| (value(pair[0]) + value(pair[1])) / 2.0);
        mean_and_error(&means.collect::<Vec<f64>>())
    };
    let (points, _) = mean_of(|score| f64::from(score.signum() + 1) / 2.0);
    let (discs, discs_error) = mean_of(f64::from);
    let mut by_points = [0; 5];
    for [first, second] in pairs {
        by_points[(first.signum() + second.signum() + 2) as usize] += 1;
    }
    Some(DuelOutcome {
        games,
        points,
        pairs: by_points,
        discs,
        discs_error,
    })
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::Square;
    use outflank::eval::{KNOT_WEIGHTS, Knot, Model, WeightLayout};
    use outflank_kernels::geometry::edax::CLASSES;

    /// Evaluation that counts the corner discs of the 3×3 corner patterns, multiplied by `sign`.
    fn player(sign: i16) -> Arc<Evaluation> {
        let mut weights = vec![0; KNOT_WEIGHTS];
        let class = CLASSES.iter().position(|class| class.name == "C9").unwrap();
        for (value, &index) in WeightLayout::get().class(class).iter().enumerate() {
            // The corner is the most significant digit.
            weights[index as usize] = sign * (1 - (value / 3_usize.pow(8)) as i16) * 1000;
        }
        let knots = vec![Knot {
            empties: 30,
            weights,
        }];
        Arc::new(Evaluation::new(
            Model::linear(knots, [0; 61], String::new()).unwrap(),
        ))
    }

    #[test]
    fn player_that_values_corners_wins() {
        let replies = |board: Board| {
            let moves = Square::all_in(board.mobility());
            moves.map(move |square| board.play(square).unwrap())
        };
        let openings: Vec<Board> = replies(Board::START).flat_map(replies).collect();
        let play = |players, threads| {
            let settings = DuelSettings { depth: 2, threads };
            let (isa, stop) = (Isa::detect(), StopHandle::default());
            play(isa, players, &openings, settings, &stop, || ()).unwrap()
        };
        let players = [player(1), player(-1)];
        let pairs = [1, 3].map(|threads| play(&players, threads));
        assert_eq!(pairs[0], pairs[1]);
        let outcome = outcome(&pairs[0]).unwrap();
        assert_eq!(outcome.games.iter().sum::<usize>(), 2 * openings.len());
        assert!(outcome.points > 0.9 && outcome.discs > 20.0, "{outcome:?}");
        // Two equal players have opposite scores.
        let same = [players[0].clone(), players[0].clone()];
        let pairs = play(&same, 2);
        assert!(pairs.iter().all(|[first, second]| *first == -second));
    }

    #[test]
    fn outcome_counts_games_and_pairs() {
        let outcome = outcome(&[[10, -10], [2, 0], [-4, 4], [0, 6]]).unwrap();
        assert_eq!(outcome.games, [4, 2, 2]);
        assert_eq!(outcome.points, 0.625);
        assert_eq!(outcome.pairs, [0, 0, 2, 2, 0]);
        assert_eq!(outcome.discs, 1.0);
        assert_eq!(super::outcome(&[]), None);
    }
}
