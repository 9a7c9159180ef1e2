//! Date and time, without a crate of calendars that would take seconds to build.

use std::time::{SystemTime, UNIX_EPOCH};

/// Current time in UTC, such as `2026-11-26T18:00:00Z`.
pub(super) fn utc_now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date_and_time(since.map_or(0, |time| time.as_secs()))
}

/// Formats a number of seconds since 1970, in the Gregorian calendar.
fn date_and_time(seconds: u64) -> String {
    /// Days of 400 years.
    const ERA: u64 = 146_097;
    /// Days from the 1st of March 0000, when a year of this calculation begins, to 1970.
    const EPOCH: u64 = 719_468;
    let days = seconds / 86_400 + EPOCH;
    let of_era = days % ERA;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Five months from March on have 153 days.
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12 + 1;
    let year = days / ERA * 400 + year_of_era + u64::from(month <= 2);
    let (hours, minutes) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!(
        "{year}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{:02}Z",
        seconds % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_leap_days() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_798_761_599, "2026-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(date_and_time(seconds), expected);
        }
    }
}
