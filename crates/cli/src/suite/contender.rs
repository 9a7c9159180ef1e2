//! Contenders of a suite: searches of this program, and other engines.

use std::time::Duration;

use outflank::notation::obf::Problem;
use outflank::search::Strength;
use outflank::test_suite::Verdict;
use outflank::{Engine, Limits, Selectivity, StopHandle};
use outflank_support::text::plural;
use outflank_tournament::{Answer, EngineSession, GameLimits, MatchEngine};

use super::{Interrupted, Reply, SuiteAnswer};
use crate::error::CommandError;

/// Searches of this program, or another engine.
pub(super) enum Contender {
    Own(OwnSearch),
    Other {
        engine: MatchEngine,
        limits: GameLimits,
    },
}

/// Limits of a search of this program.
#[derive(Clone, Copy)]
pub(super) struct OwnSearch {
    pub(super) strength: Strength,
    pub(super) nodes: Option<u64>,
    pub(super) time: Option<Duration>,
}

impl Contender {
    /// Starts another engine, and ends it when it has begun a game.
    pub(super) fn start(
        command: &str,
        limits: GameLimits,
        stop: &StopHandle,
    ) -> Result<Contender, CommandError> {
        let engine = MatchEngine::new(command, None, &limits, stop)?;
        Ok(Contender::Other { engine, limits })
    }

    /// Name in reports.
    pub(super) fn name(&self) -> String {
        match self {
            Contender::Own(own) => own.name(),
            Contender::Other { engine, .. } if engine.name.is_empty() => engine.command.clone(),
            Contender::Other { engine, .. } => format!("{} ({})", engine.name, engine.command),
        }
    }

    /// Examinees that work at the same time: `engines`, or `jobs` sessions of another engine.
    pub(super) fn examinees<'a>(
        &'a self,
        engines: &'a mut [Engine],
        jobs: usize,
        stop: &StopHandle,
    ) -> Vec<Examinee<'a>> {
        match self {
            Contender::Own(search) => {
                let engines = engines.iter_mut();
                engines
                    .map(|engine| Examinee::Own(engine, *search))
                    .collect()
            }
            Contender::Other { engine, limits } => {
                let session = || EngineSession::new(engine, *limits, stop);
                (0..jobs).map(|_| Examinee::Other(session())).collect()
            }
        }
    }
}

impl OwnSearch {
    fn name(&self) -> String {
        let mut name = match self.strength {
            Strength::Level(level) => format!("level {level}"),
            Strength::Depth(depth, Selectivity::Full) => format!("depth {depth}"),
            Strength::Depth(depth, selectivity) => format!("depth {depth}@{selectivity}"),
        };
        if let Some(nodes) = self.nodes {
            name += &format!(", {}", plural(nodes, "node", "nodes"));
        }
        if let Some(time) = self.time {
            name += &format!(", {} s", time.as_secs_f64());
        }
        name
    }
}

/// Search or engine that answers positions, one after another.
pub(super) enum Examinee<'a> {
    Own(&'a mut Engine, OwnSearch),
    Other(EngineSession<'a>),
}

impl Examinee<'_> {
    /// Answers a position. The error ends the test.
    pub(super) fn answer(&mut self, problem: &Problem) -> Result<Reply, CommandError> {
        let judge = |ply, score| {
            let verdict = Verdict::of(problem, ply, score);
            verdict.expect("all legal moves have scores")
        };
        match self {
            Examinee::Own(engine, search) => {
                // The answer must not depend on earlier positions.
                engine.clear();
                let limits = search.strength.limits(problem.board.empty_count());
                let limits = Limits {
                    // A search of depth 0 has no move.
                    depth: limits.depth.max(1),
                    nodes: search.nodes,
                    time: search.time,
                    ..limits
                };
                let result = engine.search(problem.board, &limits);
                let result = result.expect("the reader takes no square held twice");
                if engine.stop_handle().is_stopped() {
                    return Err(Interrupted.into());
                }
                let ply = *result.line.first().expect("there is a legal move");
                let score = Some(result.score.into());
                Ok(Ok(SuiteAnswer {
                    ply,
                    verdict: judge(ply, score),
                    score,
                    depth: Some((result.depth, result.selectivity)),
                    nodes: Some(result.nodes),
                    time: result.time,
                }))
            }
            Examinee::Other(session) => {
                let answer = session.ask(problem.board, problem.side)?;
                Ok(answer.map(
                    |Answer {
                         ply,
                         eval,
                         nodes,
                         time,
                         ..
                     }| SuiteAnswer {
                        ply,
                        verdict: judge(ply, eval),
                        score: eval,
                        depth: None,
                        nodes,
                        time,
                    },
                ))
            }
        }
    }
}
