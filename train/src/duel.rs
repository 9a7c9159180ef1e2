//! Games between two evaluations that search equally deep: which of them plays better.
//!
//! Each opening is played twice, with sides changed, so that what an opening is worth cancels out. The
//! two games of a pair depend on each other, so the error is that of the mean over pairs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use outflank_kernels::Isa;

use outflank::board::Board;
use outflank::eval::Evaluation;
use outflank::search::{EngineError, Midgame, SearchError, StopHandle};

use crate::threads::in_order;

/// How a duel is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DuelSettings {
    /// Plies that every move is searched, 1 or more; the last `depth` squares are played perfectly.
    pub depth: u32,
    /// Threads, 1 or more. The result is the same for any number.
    pub threads: usize,
}

/// The two games from one opening: the first player's score in discs, when it moved first and when the
/// other one did.
pub type Pair = [i32; 2];

/// What the games say of the first player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// Games that it won, drew and lost.
    pub games: [usize; 3],
    /// Points for each game (a win is 1, a draw 1/2), 0 to 1.
    pub points: f64,
    /// Pairs with 0 to 4 half points for it.
    pub pairs: [u64; 5],
    /// Discs for each game.
    pub discs: f64,
    /// Standard error of the discs, from the differences between pairs.
    pub discs_error: f64,
}

/// The memory of a player's tables: as much as the caches have.
const HASH_MIB: usize = 2;

/// Plays every opening twice. `done` is told after each pair. Pairs come in the order of the openings;
/// where `stop` was used, those that were not finished are missing.
pub fn play(
    isa: Isa,
    players: &[Arc<Evaluation>; 2],
    openings: &[Board],
    settings: DuelSettings,
    stop: &StopHandle,
    done: impl Fn() + Sync,
) -> Result<Vec<Pair>, EngineError> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Pair)>, EngineError> {
        let player =
            |one: &Arc<Evaluation>| Midgame::with_stop(isa, HASH_MIB, one.clone(), stop.clone());
        let mut searchers = [player(&players[0])?, player(&players[1])?];
        let mut pairs = Vec::new();
        loop {
            let index = next.fetch_add(1, Relaxed);
            let Some(&opening) = openings.get(index) else {
                return Ok(pairs);
            };
            let mut pair = [0; 2];
            for (first, score) in pair.iter_mut().enumerate() {
                match game(&mut searchers, opening, first, settings.depth) {
                    Ok(found) => *score = found,
                    Err(_) => return Ok(pairs),
                }
            }
            pairs.push((index, pair));
            done();
        }
    };
    in_order(settings.threads, work)
}

/// Plays one game, in which player `first` (0 or 1) is to move; the score of player 0.
fn game(
    players: &mut [Midgame; 2],
    mut board: Board,
    first: usize,
    depth: u32,
) -> Result<i32, SearchError> {
    let mut mover = first;
    // The choice between equal moves must not depend on the games before.
    players.iter_mut().for_each(Midgame::clear);
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

/// What `pairs` say of the first player; `None` where there are none.
pub fn outcome(pairs: &[Pair]) -> Option<Outcome> {
    if pairs.is_empty() {
        return None;
    }
    let mut games = [0; 3];
    for score in pairs.iter().flatten() {
        games[(1 - score.signum()) as usize] += 1;
    }
    let of = |value: fn(i32) -> f64| {
        let means = pairs
            .iter()
            .map(|pair| (value(pair[0]) + value(pair[1])) / 2.0);
        mean_and_error(&means.collect::<Vec<f64>>())
    };
    let (points, _) = of(|score| f64::from(score.signum() + 1) / 2.0);
    let (discs, discs_error) = of(f64::from);
    let mut by_points = [0; 5];
    for [one, other] in pairs {
        by_points[(one.signum() + other.signum() + 2) as usize] += 1;
    }
    Some(Outcome {
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
    use outflank::eval::{Knot, Model, PACKED, Packing};
    use outflank_kernels::geometry::edax::CLASSES;

    /// Weights that count discs on the edges' corner patterns, `sign` times: good or bad play.
    fn player(sign: i16) -> Arc<Evaluation> {
        let mut weights = vec![0; PACKED];
        let class = CLASSES.iter().position(|class| class.name == "C9").unwrap();
        for (value, &place) in Packing::get().class(class).iter().enumerate() {
            // The corner is the first square, the most significant digit.
            weights[place as usize] = sign * (1 - (value / 3_usize.pow(8)) as i16) * 1000;
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
    fn who_wants_corners_wins() {
        let openings: Vec<Board> = Square::all_in(Board::START.mobility())
            .flat_map(|first| {
                let board = Board::START.play(first).unwrap();
                Square::all_in(board.mobility()).map(move |second| board.play(second).unwrap())
            })
            .collect();
        let stop = StopHandle::default();
        let players = [player(1), player(-1)];
        let pairs = [1, 3].map(|threads| {
            let settings = DuelSettings { depth: 2, threads };
            play(Isa::detect(), &players, &openings, settings, &stop, || ()).unwrap()
        });
        assert_eq!(pairs[0], pairs[1]);
        let outcome = outcome(&pairs[0]).unwrap();
        assert_eq!(outcome.games.iter().sum::<usize>(), 2 * openings.len());
        assert!(outcome.points > 0.9 && outcome.discs > 20.0, "{outcome:?}");
        // Against itself everything cancels out.
        let same = [players[0].clone(), players[0].clone()];
        let settings = DuelSettings {
            depth: 2,
            threads: 2,
        };
        let pairs = play(Isa::detect(), &same, &openings, settings, &stop, || ()).unwrap();
        assert!(pairs.iter().all(|[first, second]| *first == -second));
    }

    #[test]
    fn errors_are_those_of_pairs() {
        let outcome = outcome(&[[10, -10], [2, 0], [-4, 4], [0, 6]]).unwrap();
        assert_eq!(outcome.games, [4, 2, 2]);
        assert_eq!(outcome.points, 0.625);
        assert_eq!(outcome.pairs, [0, 0, 2, 2, 0]);
        assert_eq!(outcome.discs, 1.0);
        assert_eq!(super::outcome(&[]), None);
    }
}
