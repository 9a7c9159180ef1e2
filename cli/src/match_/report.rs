//! What a match came to, in sentences and as JSON.

use std::collections::BTreeMap;

use crate::tournament::statistics::{OPENING_PLIES, Pairs, Tally};
use crate::tournament::strength::strength;
use crate::tournament::{
    Contest, Contestant, Control, Decision, Finished, Forfeit, Kind, Seat, SeatBook, Sprt,
};
use serde::Serialize;

use crate::json;
use outflank::text::counted;

/// A match so far.
pub(super) struct Standing<'a> {
    pub(super) contest: Contest<'a>,
    pub(super) tally: Tally,
    pub(super) test: Option<Sprt>,
}

/// The line that tells of a game that was lost before its end.
pub(super) fn forfeit(game: &Finished) -> Option<String> {
    let Forfeit { by, fault } = game.forfeit.as_ref()?;
    let (pair, colour) = (
        game.pair + 1,
        if game.black == *by { "black" } else { "white" },
    );
    Some(format!(
        "pair {pair}: {by:?}, {colour}, loses {}: {fault}",
        fault.kind
    ))
}

impl Standing<'_> {
    /// What the test says, where there is one and it says something.
    pub(super) fn decision(&self) -> Option<Decision> {
        self.test?.decision(&self.tally.pairs)
    }

    /// For the bar.
    pub(super) fn in_short(&self) -> String {
        let [wins, draws, losses] = self.tally.games;
        let mut told = format!("A +{wins} ={draws} -{losses}");
        if let Some(strength) = strength(&self.tally.pairs) {
            let (middle, ends) = (elo(strength.elo, 0), interval(strength.interval, 0));
            told += &format!(", {middle} Elo ({ends})");
        }
        if let Some(test) = &self.test {
            let (lower, upper) = test.bounds();
            let ratio = test.ratio(&self.tally.pairs);
            told += &format!(", LLR {ratio:.2} ({lower:.2} to {upper:.2})");
        }
        told
    }

    /// In sentences.
    pub(super) fn text(&self) -> String {
        let [a, b] = self.contest.contestants;
        let [own, other] = self.contest.books;
        let mut lines = vec![
            introduction(Seat::A, a, own),
            introduction(Seat::B, b, other),
        ];
        lines.push(self.games());
        let different = self.tally.different();
        lines.push(format!(
            "{} after {OPENING_PLIES} moves",
            counted(different, "different game", "different games")
        ));
        let pairs = &self.tally.pairs;
        lines.push(outcomes(pairs));
        lines.push(match strength(pairs) {
            None => "Elo cannot be told: it takes both games of an opening".to_owned(),
            Some(strength) => format!(
                "Elo of A less that of B: {} (95 %: {}), A is stronger with a probability of {}",
                elo(strength.elo, 1),
                interval(strength.interval, 1),
                percent(strength.superiority)
            ),
        });
        lines.extend(self.test.as_ref().map(|test| tested(test, pairs)));
        lines.extend(Seat::ALL.map(|seat| self.conduct(seat)));
        lines.join("\n")
    }

    fn games(&self) -> String {
        let [wins, draws, losses] = self.tally.games;
        let all = wins + draws + losses;
        let games = counted(all, "game", "games");
        let mut told = format!("{games}: A won {wins}, drew {draws}, lost {losses}");
        if let Some(share) = self.tally.share() {
            told += &format!(": {:.1} %", 100.0 * share);
        }
        let discs = &self.tally.discs;
        if let (Some(mean), Some(error)) = (discs.mean(), discs.error()) {
            told += &format!(", {mean:+.2} discs a game (standard error {error:.2})");
        }
        told
    }

    /// What an engine did wrong.
    fn conduct(&self, seat: Seat) -> String {
        let forfeits = &self.tally.forfeits[seat as usize];
        let all: u64 = forfeits.values().sum();
        let kinds = forfeits
            .iter()
            .map(|(kind, count)| format!("{count} {kind}"));
        let mut told = match all {
            0 => format!("{seat:?} forfeited no game"),
            all => {
                let kinds: Vec<_> = kinds.collect();
                let games = counted(all, "game", "games");
                format!("{seat:?} forfeited {games}: {}", kinds.join(", "))
            }
        };
        if matches!(
            self.contest.control,
            Control::Move(_) | Control::Game { .. }
        ) {
            let over = self.tally.overstep_ms[seat as usize];
            told += &format!("; {over:.1} ms over its time at most");
        }
        told
    }

    /// As JSON.
    pub(super) fn json(&self, interrupted: bool) -> String {
        let tally = &self.tally;
        let [wins, draws, losses] = tally.games;
        let strength = strength(&tally.pairs);
        let finite = |number: f64| number.is_finite().then_some(number);
        json::text(&Summary {
            a: self.side(Seat::A),
            b: self.side(Seat::B),
            games: wins + draws + losses,
            wins,
            draws,
            losses,
            share: tally.share(),
            discs: tally.discs.mean(),
            discs_error: tally.discs.error(),
            different: tally.different(),
            pairs: tally.pairs.iter().sum(),
            pentanomial: tally.pairs,
            elo: strength.and_then(|one| finite(one.elo)),
            elo_low: strength.and_then(|one| finite(one.interval.0)),
            elo_high: strength.and_then(|one| finite(one.interval.1)),
            superiority: strength.map(|one| one.superiority),
            sprt: self.test.as_ref().map(|test| Test::of(test, &tally.pairs)),
            interrupted,
        })
    }

    fn side(&self, seat: Seat) -> Engine<'_> {
        let contestant = self.contest.contestants[seat as usize];
        let forfeits = &self.tally.forfeits[seat as usize];
        Engine {
            command: &contestant.command,
            name: &contestant.name,
            protocol: contestant.protocol.name(),
            book: self.contest.books[seat as usize].map(|book| book.path.display().to_string()),
            forfeits,
            overstep_ms: self.tally.overstep_ms[seat as usize],
        }
    }
}

/// Who plays.
fn introduction(seat: Seat, contestant: &Contestant, book: Option<&SeatBook>) -> String {
    let book = match book {
        Some(book) => format!(", by the book {}", book.path.display()),
        None => String::new(),
    };
    let Contestant {
        command,
        protocol,
        name,
        ..
    } = contestant;
    match name.as_str() {
        "" => format!("{seat:?}: {command} ({protocol}){book}"),
        name => format!("{seat:?}: {command} ({name}, {protocol}){book}"),
    }
}

/// A difference in Elo with so many digits after the point.
fn elo(elo: f64, digits: usize) -> String {
    match elo.is_finite() {
        true => format!("{elo:+.digits$}"),
        false if elo > 0.0 => "+infinite".to_owned(),
        false => "-infinite".to_owned(),
    }
}

/// An interval of differences in Elo. An end that is infinite is left out.
fn interval((low, high): (f64, f64), digits: usize) -> String {
    let [from, to] = [low, high].map(|end| elo(end, digits));
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{from} to {to}"),
        (true, false) => format!("{from} or more"),
        (false, true) => format!("{to} or less"),
        (false, false) => "any".to_owned(),
    }
}

/// A probability in percent, never rounded up to certainty.
fn percent(probability: f64) -> String {
    match probability {
        0.999.. => "more than 99.9 %".to_owned(),
        ..0.001 => "less than 0.1 %".to_owned(),
        _ => format!("{:.1} %", 100.0 * probability),
    }
}

/// How the pairs ended.
fn outcomes(pairs: &Pairs) -> String {
    let all: u64 = pairs.iter().sum();
    let points = ["0", "1/2", "1", "1 1/2", "2"];
    let counts = points.iter().zip(pairs);
    let counts = counts.map(|(points, count)| format!("{count} with {points}"));
    let counts: Vec<_> = counts.collect();
    let all = counted(all, "pair", "pairs");
    format!("{all}, by A's points: {}", counts.join(", "))
}

/// What a test says.
fn tested(test: &Sprt, pairs: &Pairs) -> String {
    let ((elo0, elo1), (lower, upper)) = (test.claims(), test.bounds());
    let (alpha, beta) = test.risks();
    let verdict = match test.decision(pairs) {
        None => "nothing decided".to_owned(),
        Some(Decision::H0) => format!("{elo0} accepted"),
        Some(Decision::H1) => format!("{elo1} accepted"),
    };
    format!(
        "SPRT of {elo0} against {elo1} Elo (risks {alpha} and {beta}): LLR {:.2}, \
         bounds {lower:.2} and {upper:.2}: {verdict}",
        test.ratio(pairs)
    )
}

#[derive(Serialize)]
struct Summary<'a> {
    a: Engine<'a>,
    b: Engine<'a>,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    share: Option<f64>,
    discs: Option<f64>,
    discs_error: Option<f64>,
    /// Games that differ after [`OPENING_PLIES`] moves, up to symmetry.
    different: usize,
    pairs: u64,
    pentanomial: Pairs,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    superiority: Option<f64>,
    sprt: Option<Test>,
    interrupted: bool,
}

#[derive(Serialize)]
struct Engine<'a> {
    command: &'a str,
    name: &'a str,
    protocol: &'static str,
    book: Option<String>,
    /// By kind.
    forfeits: &'a BTreeMap<Kind, u64>,
    overstep_ms: f64,
}

#[derive(Serialize)]
struct Test {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    lower: f64,
    upper: f64,
    accepted: Option<f64>,
}

impl Test {
    fn of(test: &Sprt, pairs: &Pairs) -> Test {
        let ((elo0, elo1), (alpha, beta), (lower, upper)) =
            (test.claims(), test.risks(), test.bounds());
        Test {
            elo0,
            elo1,
            alpha,
            beta,
            llr: test.ratio(pairs),
            lower,
            upper,
            accepted: test.decision(pairs).map(|decision| match decision {
                Decision::H0 => elo0,
                Decision::H1 => elo1,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No small sample is certain, and every sample has a bound.
    #[test]
    fn few_games_are_told_honestly() {
        for (pairs, told) in [
            // 9 to 1, and 20 to 0.
            ([0, 0, 1, 0, 4], "+381.7 (95 %: +59.0 to +658.8), 99.4 %"),
            (
                [0, 0, 0, 0, 10],
                "+infinite (95 %: +254.0 or more), more than 99.9 %",
            ),
            (
                [10, 0, 0, 0, 0],
                "-infinite (95 %: -254.0 or less), less than 0.1 %",
            ),
            ([0, 0, 0, 0, 1], "+infinite (95 %: -177.5 or more), 86.3 %"),
            ([0, 0, 9, 0, 0], "+0.0 (95 %: -46.1 to +46.1), 50.0 %"),
        ] {
            let found = strength(&pairs).expect("there are pairs");
            let text = format!(
                "{} (95 %: {}), {}",
                elo(found.elo, 1),
                interval(found.interval, 1),
                percent(found.superiority)
            );
            assert_eq!(text, told, "{pairs:?}");
        }
    }
}
