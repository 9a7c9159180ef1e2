//! What positions are worth.

use std::collections::HashSet;
use std::sync::Arc;

use outflank_kernels::Isa;
use outflank_random::SplitMix;

use super::path::{Path, Picked};
use super::{Above, Collection, Openings, Origin, Plan, SelfPlay, Shares};
use crate::record::{Record, Source};
use outflank::Side;
use outflank::board::Board;
use outflank::eval::{DISC, Evaluation};
use outflank::game::step;
use outflank::openings::openings;
use outflank::search::{
    Engine, EngineError, Limits, Midgame, SearchError, SearchResult, Selectivity,
};

/// Which games a plan has, by their numbers: what all threads share.
pub(super) enum Games<'a> {
    /// Those that were read, in this order.
    Read(&'a Collection, Vec<u32>),
    /// Those that begin with these openings.
    SelfPlay(&'a SelfPlay, Vec<Board>),
    /// Those that go on from these, in this order, with so many empty squares.
    GoneOn(&'a SelfPlay, &'a Collection, Vec<u32>, &'a Shares),
}

impl<'a> Games<'a> {
    /// Those of a plan: in a random order, so that the first of them are of all kinds.
    pub(super) fn new(plan: &'a Plan) -> Games<'a> {
        let mut random = SplitMix::new(plan.seed);
        let mut order = |games: &Collection| {
            let places = (0..games.len() as u32).collect();
            shuffled(places, &mut random)
        };
        match &plan.origin {
            Origin::Read(games) => Games::Read(games, order(games)),
            Origin::SelfPlay(Openings::Games(games, empties), play) => {
                Games::GoneOn(play, games, order(games), empties)
            }
            Origin::SelfPlay(Openings::Plies(plies), play) => {
                Games::SelfPlay(play, shuffled(openings(*plies), &mut random))
            }
        }
    }
}

/// `items` in a random order.
fn shuffled<T>(mut items: Vec<T>, random: &mut SplitMix) -> Vec<T> {
    random.shuffle(&mut items);
    items
}

/// The item that is the turn of `number`, over and over.
fn in_turn<T: Copy>(items: &[T], number: u64) -> T {
    items[(number % items.len() as u64) as usize]
}

/// Makes the records of one game after another.
pub(super) struct Labeller<'a> {
    plan: &'a Plan,
    games: &'a Games<'a>,
    solver: Engine,
    searcher: Option<Midgame>,
}

impl<'a> Labeller<'a> {
    /// With tables of `hash_mib` MiB.
    pub(super) fn new(
        plan: &'a Plan,
        games: &'a Games<'a>,
        isa: Isa,
        hash_mib: usize,
    ) -> Result<Labeller<'a>, EngineError> {
        let evaluation = plan.evaluation.as_ref().map(|named| &named.evaluation);
        let searcher = |one: &Arc<Evaluation>| Midgame::new(isa, hash_mib, one.clone());
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

    /// Adds the records of game `number` to `records`.
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
        // Which of equal lines is found depends on what was solved before.
        self.solver.clear();
        for Picked { board, side } in picked {
            if board.empty_count() <= self.plan.exact {
                let solution = self.solver.solve(board)?;
                add(board, solution.score * DISC, Source::Exact);
                if let Some(least) = self.plan.line {
                    for (board, score) in on_line(board, &solution, least) {
                        add(board, score * DISC, Source::Exact);
                    }
                }
                continue;
            }
            match self.plan.above {
                Above::Search { depth, selectivity } => {
                    let empties = board.empty_count();
                    let source = match selectivity {
                        Selectivity::Full if empties <= depth => Source::Exact,
                        _ => Source::Search {
                            depth: depth.min(empties) as u8,
                        },
                    };
                    add(board, self.searched(board, depth, selectivity)?, source);
                }
                Above::Game => {
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

    fn path(&mut self, number: u64, random: &mut SplitMix) -> Result<Path, SearchError> {
        match self.games {
            Games::Read(games, order) => Ok(games.path(in_turn(order, number))),
            Games::SelfPlay(play, openings) => {
                let opening = (in_turn(openings, number), Side::Black);
                self.played(play, opening, random)
            }
            Games::GoneOn(play, games, order, empties) => {
                let game = games.path(in_turn(order, number));
                // A game that was broken off before goes on from there.
                let Some(opening) = game.at(empties.draw(random)).or(game.last()) else {
                    return Ok(game);
                };
                let mut path = self.played(play, opening, random)?;
                // A continuation of a held-out game is held out, too.
                path.game = game.game;
                Ok(path)
            }
        }
    }

    /// What the program plays from `opening`.
    fn played(
        &mut self,
        play: &SelfPlay,
        opening: (Board, Side),
        random: &mut SplitMix,
    ) -> Result<Path, SearchError> {
        let searcher = self.searcher.as_mut().expect("the plan was checked");
        let least = match self.plan.above {
            Above::Game => self.plan.empties.least().min(self.plan.exact),
            Above::Search { .. } => self.plan.empties.least(),
        };
        play.play(opening, least, searcher, random)
    }

    /// What `board` is worth to its mover by a search, in 1/128 disc.
    fn searched(
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

    /// What black gets from the position of the game where solving begins, or at its end before that;
    /// `None` if the game was broken off before.
    fn result(&mut self, path: &Path) -> Result<Option<i32>, SearchError> {
        let (score, side) = match (path.at(self.plan.exact), path.last()) {
            (Some((board, side)), _) => (self.solver.solve(board)?.score, side),
            (None, Some((board, side))) if board.is_game_over() => (board.final_score(), side),
            _ => return Ok(None),
        };
        Ok(Some(side.black_score(score)))
    }
}

/// The positions after `board` on the best line of its solve, with their scores, as long as they have
/// at least `least` empty squares and a move.
fn on_line(board: Board, solution: &SearchResult, least: u32) -> Vec<(Board, i32)> {
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
