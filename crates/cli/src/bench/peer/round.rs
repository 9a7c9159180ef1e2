//! Times of the rounds.

use outflank::StopHandle;
use outflank_checker::bench::Samples;
use serde::Serialize;

use super::PeerError;
use super::program::Program;

/// Times of a round.
#[derive(Serialize)]
pub(super) struct Round {
    round: usize,
    pub(super) ours_s: f64,
    pub(super) peer_s: f64,
    /// `ours_s / peer_s`.
    pub(super) ratio: f64,
}

impl Round {
    /// Runs both programs; returns `None` if `stop` ended a run. Each program is first in every second round, so that
    /// warm caches help both. If `peer_time` is given, the peer's time is read from its output, after this text.
    pub(super) fn run(
        number: usize,
        programs: [&Program; 2],
        peer_time: Option<&str>,
        stop: &StopHandle,
    ) -> Result<Option<Round>, PeerError> {
        let mut times = [0.0; 2];
        for index in [number % 2, (number + 1) % 2] {
            let Some((wall, output)) = programs[index].run(stop)? else {
                return Ok(None);
            };
            times[index] = match peer_time {
                Some(text) if index == 1 => {
                    time_after(&output, text).ok_or_else(|| PeerError::NoTime {
                        program: programs[index].name(),
                        text: text.to_owned(),
                        output,
                    })?
                }
                _ => wall.as_secs_f64(),
            };
        }
        let [ours_s, peer_s] = times;
        Ok(Some(Round {
            round: number,
            ours_s,
            peer_s,
            ratio: ours_s / peer_s,
        }))
    }

    pub(super) fn text(&self) -> String {
        format!(
            "round {}: outflank {:.3} s, peer {:.3} s, ratio {:.3}",
            self.round, self.ours_s, self.peer_s, self.ratio
        )
    }
}

/// Median, minimum and maximum over the rounds.
#[derive(Serialize)]
pub(super) struct Range {
    median: f64,
    min: f64,
    max: f64,
}

impl Range {
    pub(super) fn of(rounds: &[Round], figure: impl Fn(&Round) -> f64) -> Range {
        let figures = Samples::new(rounds.iter().map(figure));
        Range {
            median: figures.median(),
            min: figures.min(),
            max: figures.quantile(1.0),
        }
    }

    pub(super) fn text(&self, unit: &str) -> String {
        let Range { median, min, max } = self;
        format!("{median:.3}{unit} ({min:.3} to {max:.3})")
    }
}

/// Time in seconds after the last `text` in `output`.
fn time_after(output: &str, text: &str) -> Option<f64> {
    let (_, after) = output.rsplit_once(text)?;
    let after = after.trim_start_matches(|c: char| c.is_whitespace() || c == ':' || c == '=');
    let end = after.find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.'));
    let clock = after[..end.unwrap_or(after.len())].trim_end_matches(['.', ':']);
    clock.split(':').try_fold(0.0, |sum, part| {
        let part: f64 = part.parse().ok()?;
        Some(60.0 * sum + part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_follow_the_last_text() {
        for (output, text, time) in [
            (
                "a: 12 nodes in  0:05.543 (22 nodes/s).",
                "nodes in",
                Some(5.543),
            ),
            ("time: 3.5\ntime: 4.25 s", "time", Some(4.25)),
            ("total=1:02:03.", "total", Some(3723.0)),
            ("time: none", "time", None),
            ("no such text", "time", None),
        ] {
            assert_eq!(time_after(output, text), time, "{output}");
        }
    }
}
