//! Points in time as values: pure crates get the time as an argument and never read a clock.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01T00:00:00Z. Prints as RFC 3339 in UTC.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The moment that lies `duration` later.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        let millis = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(millis))
    }

    /// How long after `earlier` this moment is; zero if it is not after it.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Midnight in UTC at the start of a day of the civil calendar. A day beyond the end of its month
    /// counts on into the next month.
    ///
    /// The day count from the civil calendar, as in Hinnant's "chrono-compatible low-level date
    /// algorithms", `days_from_civil`: years begin in March, so that a leap day is the last.
    ///
    /// ```
    /// use quarry_model::Timestamp;
    /// assert_eq!(Timestamp::from_date(2000, 2, 29).to_string(), "2000-02-29T00:00:00.000Z");
    /// assert_eq!(Timestamp::from_date(2023, 2, 29), Timestamp::from_date(2023, 3, 1));
    /// ```
    #[must_use]
    pub fn from_date(year: i64, month: i64, day: i64) -> Self {
        let year = if month <= 2 { year - 1 } else { year };
        let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        Self((era * 146_097 + day_of_era - 719_468) * 86_400_000)
    }

    /// Year, month, day, hour, minute, second, millisecond in UTC.
    ///
    /// The civil calendar from a day count, as in Hinnant's "chrono-compatible low-level date
    /// algorithms", `civil_from_days`.
    #[must_use]
    pub fn civil(self) -> (i64, u32, u32, u32, u32, u32, u32) {
        let days = self.0.div_euclid(86_400_000);
        let in_day = self.0.rem_euclid(86_400_000) as u32;
        let z = days + 719_468;
        let era = z.div_euclid(146_097);
        let day_of_era = z.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = (day_of_year - (153 * shifted_month + 2) / 5 + 1) as u32;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 } as u32;
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        let (hour, minute) = (in_day / 3_600_000, in_day / 60_000 % 60);
        (year, month, day, hour, minute, in_day / 1_000 % 60, in_day % 1_000)
    }

    /// `YYYYMMDDhhmmss`, the form that CDX indexes and WARC file names use.
    #[must_use]
    pub fn compact(self) -> String {
        let (year, month, day, hour, minute, second, _) = self.civil();
        format!("{year:04}{month:02}{day:02}{hour:02}{minute:02}{second:02}")
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day, hour, minute, second, millis) = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_rfc_3339() {
        assert_eq!(Timestamp(0).to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Timestamp(951_782_400_000).to_string(), "2000-02-29T00:00:00.000Z");
        assert_eq!(Timestamp(1_794_772_800_123).to_string(), "2026-11-15T20:00:00.123Z");
        assert_eq!(Timestamp(-1).to_string(), "1969-12-31T23:59:59.999Z");
        assert_eq!(Timestamp(1_794_772_800_123).compact(), "20261115200000");
    }

    #[test]
    fn since_never_goes_below_zero() {
        assert_eq!(Timestamp(5).since(Timestamp(9)), Duration::ZERO);
        assert_eq!(Timestamp(9).since(Timestamp(5)), Duration::from_millis(4));
    }
}
