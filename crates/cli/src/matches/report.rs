//! Report of a match in sentences and as JSON.

use outflank_support::text::plural;
use outflank_tournament::{
    EloEstimate, EngineId, Forfeit, GameResult, Match, MatchTally, OPENING_PLIES, PairCounts, Sprt,
    SprtState,
};
use serde::Serialize;

use crate::json::{object, to_line};

/// Match with its results so far.
pub(super) struct MatchStatus<'a> {
    pub(super) settings: Match<'a>,
    pub(super) tally: MatchTally,
    pub(super) test: Option<Sprt>,
}

/// Line about a forfeit.
pub(super) fn forfeit(game: &GameResult) -> Option<String> {
    let Forfeit { by, fault } = game.forfeit.as_ref()?;
    let colour = if game.black == *by { "black" } else { "white" };
    let (pair, kind) = (game.pair + 1, fault.kind);
    Some(format!(
        "pair {pair}: {by:?}, {colour}, loses {kind}: {fault}"
    ))
}

impl MatchStatus<'_> {
    /// Returns `true` if there is a test, and it has decided.
    pub(super) fn is_decided(&self) -> bool {
        self.test().is_some_and(|test| test.accepted.is_some())
    }

    fn test(&self) -> Option<SprtState> {
        Some(self.test?.state(&self.tally.pairs))
    }

    /// Short line for the progress bar.
    pub(super) fn summary(&self) -> String {
        let [wins, draws, losses] = self.tally.games;
        let mut text = format!("A +{wins} ={draws} -{losses}");
        if let Some(estimate) = EloEstimate::new(&self.tally.pairs) {
            let interval = interval(estimate.interval, 0);
            text += &format!(", {} Elo ({interval})", elo(estimate.elo, 0));
        }
        if let Some(test) = self.test() {
            let SprtState { lower, upper, .. } = test;
            text += &format!(", LLR {:.2} ({lower:.2} to {upper:.2})", test.llr);
        }
        text
    }

    pub(super) fn text(&self) -> String {
        let mut lines = EngineId::ALL.map(|id| self.engine_line(id)).to_vec();
        lines.push(self.score_line());
        let distinct = self.tally.distinct_games();
        let distinct = plural(distinct, "different game", "different games");
        lines.push(format!("{distinct} after {OPENING_PLIES} moves"));
        lines.push(outcomes(&self.tally.pairs));
        lines.push(match EloEstimate::new(&self.tally.pairs) {
            None => "Elo cannot be told: it takes both games of an opening".to_owned(),
            Some(estimate) => format!(
                "Elo of A less that of B: {} (95 %: {}), A is stronger with a probability of {}",
                elo(estimate.elo, 1),
                interval(estimate.interval, 1),
                percent(estimate.superiority)
            ),
        });
        lines.extend(self.test().as_ref().map(verdict));
        lines.extend(EngineId::ALL.map(|id| self.forfeit_line(id)));
        lines.join("\n")
    }

    /// Line about an engine before the match.
    fn engine_line(&self, id: EngineId) -> String {
        let engine = self.settings.engines[id as usize];
        let name = match engine.name.as_str() {
            "" => String::new(),
            name => format!("{name}, "),
        };
        let book = self.settings.books[id as usize];
        let book = book.map_or(String::new(), |book| format!(", by the book {}", book.name));
        format!(
            "{id:?}: {} ({name}{}){book}",
            engine.command, engine.protocol
        )
    }

    fn score_line(&self) -> String {
        let [wins, draws, losses] = self.tally.games;
        let games = plural(wins + draws + losses, "game", "games");
        let mut text = format!("{games}: A won {wins}, drew {draws}, lost {losses}");
        if let Some(share) = self.tally.share() {
            text += &format!(": {:.1} %", 100.0 * share);
        }
        let discs = &self.tally.discs;
        if let (Some(mean), Some(error)) = (discs.mean(), discs.error()) {
            text += &format!(", {mean:+.2} discs a game (standard error {error:.2})");
        }
        text
    }

    /// Line about the forfeits of an engine, and its largest excess of time.
    fn forfeit_line(&self, id: EngineId) -> String {
        let forfeits = &self.tally.forfeits[id as usize];
        let mut text = match forfeits.values().sum::<u64>() {
            0 => format!("{id:?} forfeited no game"),
            all => {
                let kinds = forfeits.iter();
                let kinds = kinds.map(|(kind, count)| format!("{count} {kind}"));
                let kinds = kinds.collect::<Vec<_>>().join(", ");
                format!("{id:?} forfeited {}: {kinds}", plural(all, "game", "games"))
            }
        };
        if self.settings.limits.limit.is_timed() {
            let overstep = self.tally.overstep_ms[id as usize];
            text += &format!("; {overstep:.1} ms over its time at most");
        }
        text
    }

    pub(super) fn json(&self, interrupted: bool) -> String {
        let tally = &self.tally;
        let [wins, draws, losses] = tally.games;
        let estimate = EloEstimate::new(&tally.pairs);
        // Infinite numbers are written as null.
        to_line(&object! {
            a: self.engine(EngineId::A),
            b: self.engine(EngineId::B),
            games: wins + draws + losses,
            wins,
            draws,
            losses,
            share: tally.share(),
            discs: tally.discs.mean(),
            discs_error: tally.discs.error(),
            different: tally.distinct_games(),
            pairs: tally.pairs.iter().sum::<u64>(),
            pentanomial: tally.pairs,
            elo: estimate.map(|estimate| estimate.elo),
            elo_low: estimate.map(|estimate| estimate.interval.0),
            elo_high: estimate.map(|estimate| estimate.interval.1),
            superiority: estimate.map(|estimate| estimate.superiority),
            sprt: self.test(),
            interrupted,
        })
    }

    fn engine(&self, id: EngineId) -> impl Serialize {
        let engine = self.settings.engines[id as usize];
        object! {
            command: &engine.command,
            name: &engine.name,
            protocol: engine.protocol.name(),
            book: self.settings.books[id as usize].map(|book| &book.name),
            forfeits: &self.tally.forfeits[id as usize],
            overstep_ms: self.tally.overstep_ms[id as usize],
        }
    }
}

/// Difference in Elo with `digits` digits after the point.
fn elo(elo: f64, digits: usize) -> String {
    match elo {
        f64::INFINITY => "+infinite".to_owned(),
        f64::NEG_INFINITY => "-infinite".to_owned(),
        _ => format!("{elo:+.digits$}"),
    }
}

/// Interval of differences in Elo. An infinite end is left out.
fn interval((low, high): (f64, f64), digits: usize) -> String {
    let [from, to] = [low, high].map(|end| elo(end, digits));
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{from} to {to}"),
        (true, false) => format!("{from} or more"),
        (false, true) => format!("{to} or less"),
        (false, false) => "any".to_owned(),
    }
}

/// Probability in percent, never rounded to certainty.
fn percent(probability: f64) -> String {
    match probability {
        0.999.. => "more than 99.9 %".to_owned(),
        ..0.001 => "less than 0.1 %".to_owned(),
        _ => format!("{:.1} %", 100.0 * probability),
    }
}

/// Line about the outcomes of pairs.
fn outcomes(pairs: &PairCounts) -> String {
    let counts = ["0", "1/2", "1", "1 1/2", "2"].iter().zip(pairs);
    let counts = counts.map(|(points, count)| format!("{count} with {points}"));
    let counts = counts.collect::<Vec<_>>().join(", ");
    let all = plural(pairs.iter().sum::<u64>(), "pair", "pairs");
    format!("{all}, by A's points: {counts}")
}

/// Line about the test.
fn verdict(state: &SprtState) -> String {
    let Sprt { elo0, elo1, .. } = state.test;
    let verdict = match state.accepted {
        None => "nothing decided".to_owned(),
        Some(elo) => format!("{elo} accepted"),
    };
    format!(
        "SPRT of {elo0} against {elo1} Elo (risks {} and {}): LLR {:.2}, \
         bounds {:.2} and {:.2}: {verdict}",
        state.test.alpha, state.test.beta, state.llr, state.lower, state.upper
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_samples_are_neither_certain_nor_unbounded() {
        for (pairs, expected) in [
            // 9 to 1, and 20 to 0.
            ([0, 0, 1, 0, 4], "+381.7, +59.0 to +658.8, 99.4 %"),
            (
                [0, 0, 0, 0, 10],
                "+infinite, +254.0 or more, more than 99.9 %",
            ),
            (
                [10, 0, 0, 0, 0],
                "-infinite, -254.0 or less, less than 0.1 %",
            ),
            ([0, 0, 0, 0, 1], "+infinite, -177.5 or more, 86.3 %"),
            ([0, 0, 9, 0, 0], "+0.0, -46.1 to +46.1, 50.0 %"),
        ] {
            let found = EloEstimate::new(&pairs).expect("there are pairs");
            let (elo, interval) = (elo(found.elo, 1), interval(found.interval, 1));
            let text = format!("{elo}, {interval}, {}", percent(found.superiority));
            assert_eq!(text, expected, "{pairs:?}");
        }
    }
}
