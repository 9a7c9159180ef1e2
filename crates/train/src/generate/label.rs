//! Labels of positions.

use std::collections::HashSet;
use std::sync::Arc;

use outflank_kernels::Isa;
use outflank_random::SplitMix64;

use super::path::Path;
use super::{Collection, EmptiesDistribution, Openings, Origin, Plan, SelfPlay, UnsolvedLabel};
use crate::record::{Record, Source};
use crate::search::FixedDepthSearcher;
use outflank::Side;
use outflank::board::Board;
use outflank::eval::{DISC, Evaluation};
use outflank::game::step;
use outflank::openings::openings;
use outflank::search::{
    Engine, EngineError, Limits, SearchError, SearchResult, Selectivity, StopHandle,
};

/// Source of the games of a plan, shared by all threads.
pub(super) enum Games<'a> {
    /// Collected games in this order.
    Read(&'a Collection, Vec<u32>),
    /// Self-play from these openings.
    SelfPlay(&'a SelfPlay, Vec<Board>),
    /// Self-play from positions of collected games in this order, with drawn numbers of empty squares.
    Continued(
        &'a SelfPlay,
        &'a Collection,
        Vec<u32>,
        &'a EmptiesDistribution,
    ),
}

impl<'a> Games<'a> {
    /// Shuffles the games of a plan, so that any prefix is a fair sample.
    pub(super) fn new(plan: &'a Plan) -> Games<'a> {
        let mut random = SplitMix64::new(plan.seed);
        let mut order =
            |games: &Collection| shuffled((0..games.len() as u32).collect(), &mut random);
        match &plan.origin {
            Origin::Read(games) => Games::Read(games, order(games)),
            Origin::SelfPlay(Openings::Games(games, empties), play) => {
                Games::Continued(play, games, order(games), empties)
            }
            Origin::SelfPlay(Openings::Plies(plies), play) => {
                Games::SelfPlay(play, shuffled(openings(*plies), &mut random))
            }
        }
    }
}

fn shuffled<T>(mut items: Vec<T>, random: &mut SplitMix64) -> Vec<T> {
    random.shuffle(&mut items);
    items
}

/// Item `number` of the list, which repeats endlessly.
fn in_turn<T: Copy>(items: &[T], number: u64) -> T {
    items[(number % items.len() as u64) as usize]
}

/// State of a thread that labels one game after another.
pub(super) struct Labeller<'a> {
    plan: &'a Plan,
    games: &'a Games<'a>,
    solver: Engine,
    searcher: Option<FixedDepthSearcher>,
}

impl<'a> Labeller<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        games: &'a Games<'a>,
        isa: Isa,
    ) -> Result<Labeller<'a>, EngineError> {
        let hash_mib = plan.hash_mib();
        let evaluation = plan.evaluation.as_ref().map(|named| &named.evaluation);
        let searcher = |weights: &Arc<Evaluation>| {
            FixedDepthSearcher::new(isa, hash_mib, weights.clone(), StopHandle::default())
        };
        let solver = Engine::builder().isa(isa).hash_mib(hash_mib);
        let solver = match evaluation {
            Some(evaluation) => solver.evaluation(evaluation.clone()),
            None => solver,
        };
        Ok(Labeller {
            plan,
            games,
            solver: solver.build()?,
            searcher: evaluation.map(searcher).transpose()?,
        })
    }

    /// Appends the records of game `number`.
    pub(super) fn game(
        &mut self,
        number: u64,
        records: &mut Vec<Record>,
    ) -> Result<(), SearchError> {
        let mut random = self.plan.random(number);
        let path = self.path(number, &mut random)?;
        let picked = path.pick(self.plan, &mut random);
        let (mut result, mut seen) = (None, HashSet::new());
        let mut add = |board: Board, value: i32, source: Source| {
            if seen.insert(board) {
                records.push(Record {
                    board,
                    value: value as i16,
                    source,
                    game: path.game,
                });
            }
        };
        // The table decides between equal lines, so it must not depend on earlier games.
        self.solver.clear();
        for (board, side) in picked {
            if board.empty_count() <= self.plan.exact {
                let solution = self.solver.solve(board)?;
                add(board, solution.score * DISC, Source::Exact);
                if let Some(least) = self.plan.line {
                    for (board, score) in positions_on_line(board, &solution, least) {
                        add(board, score * DISC, Source::Exact);
                    }
                }
                continue;
            }
            match self.plan.unsolved_label {
                UnsolvedLabel::Search { depth, selectivity } => {
                    let empties = board.empty_count();
                    let source = match selectivity {
                        Selectivity::Full if empties <= depth => Source::Exact,
                        _ => Source::Search {
                            depth: depth.min(empties) as u8,
                        },
                    };
                    add(board, self.search_value(board, depth, selectivity)?, source);
                }
                UnsolvedLabel::Game => {
                    if result.is_none() {
                        result = Some(self.result(&path)?);
                    }
                    if let Some(Some(black)) = result {
                        let score = side.black_score(black);
                        add(board, score * DISC, Source::Game);
                    }
                }
            }
        }
        Ok(())
    }

    fn path(&mut self, number: u64, random: &mut SplitMix64) -> Result<Path, SearchError> {
        match self.games {
            Games::Read(games, order) => Ok(games.path(in_turn(order, number))),
            Games::SelfPlay(play, openings) => {
                let opening = (in_turn(openings, number), Side::Black);
                self.play(play, opening, random)
            }
            Games::Continued(play, games, order, empties) => {
                let game = games.path(in_turn(order, number));
                // An unfinished game continues from its last position.
                let Some(opening) = game.at(empties.draw(random)).or(game.last()) else {
                    return Ok(game);
                };
                let mut path = self.play(play, opening, random)?;
                // A continuation is held out together with its game, by the same number.
                path.game = game.game;
                Ok(path)
            }
        }
    }

    fn play(
        &mut self,
        play: &SelfPlay,
        opening: (Board, Side),
        random: &mut SplitMix64,
    ) -> Result<Path, SearchError> {
        let searcher = self.searcher.as_mut().expect("the plan was checked");
        // The result of a game needs its position where solving begins.
        let least = match self.plan.unsolved_label {
            UnsolvedLabel::Game => self.plan.empties.least().min(self.plan.exact),
            UnsolvedLabel::Search { .. } => self.plan.empties.least(),
        };
        play.play(opening, least, searcher, random)
    }

    /// Search value of `board` from the mover's side, in 1/128 disc.
    fn search_value(
        &mut self,
        board: Board,
        depth: u32,
        selectivity: Selectivity,
    ) -> Result<i32, SearchError> {
        if selectivity == Selectivity::Full {
            let searcher = self.searcher.as_mut().expect("the plan was checked");
            return Ok(searcher.search(board, depth)?.value);
        }
        let limits = Limits::depth(depth, selectivity);
        Ok(self.solver.search(board, &limits)?.score * DISC)
    }

    /// Result of the game for Black: the exact score where solving begins, or the final score if the game ends before.
    /// Returns `None` for an unfinished game.
    fn result(&mut self, path: &Path) -> Result<Option<i32>, SearchError> {
        let (score, side) = match (path.at(self.plan.exact), path.last()) {
            (Some((board, side)), _) => (self.solver.solve(board)?.score, side),
            (None, Some((board, side))) if board.is_game_over() => (board.final_score(), side),
            _ => return Ok(None),
        };
        Ok(Some(side.black_score(score)))
    }
}

/// Positions on the principal variation of a solve, with their exact scores, down to `least` empty squares.
/// The line ends before a pass.
fn positions_on_line(board: Board, solution: &SearchResult, least: u32) -> Vec<(Board, i32)> {
    let moves = solution.line.iter().flatten();
    let positions = moves.scan((board, Side::Black), |position, &square| {
        *position = step(*position, square)?;
        Some(*position)
    });
    positions
        .take_while(|(board, _)| board.empty_count() >= least && board.mobility() != 0)
        .map(|(board, side)| (board, side.black_score(solution.score)))
        .collect()
}
