//! A date without a time, as tables hold it.

use std::fmt;

use quarry_model::Timestamp;

const MILLIS: i64 = 86_400_000;

/// A day of the calendar, counted from 1970-01-01. Prints as ISO 8601.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub i32);

impl Day {
    /// The day that a text of the form `2026-11-15` names; `None` for any other text.
    ///
    /// ```
    /// use quarry_store::table::Day;
    /// assert_eq!(Day::parse("1970-02-01"), Some(Day(31)));
    /// assert_eq!(Day::parse("1970-02"), None);
    /// assert_eq!(Day::parse("2023-02-29"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_form = |(at, byte): (usize, u8)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        };
        if text.len() != 10 || !text.bytes().enumerate().all(is_form) {
            return None;
        }
        let number = |from: usize, to: usize| text[from..to].parse::<i64>().ok();
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let days = Timestamp::from_date(year, month, day).0 / MILLIS;
        let parsed = Self(i32::try_from(days).ok()?);
        // A day that does not exist, such as 30 February, counts on into the next month.
        (parsed.to_string() == text).then_some(parsed)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day, ..) = Timestamp(i64::from(self.0) * MILLIS).civil();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_is_read_as_it_is_printed() {
        for n in (-719_528..2_932_896).step_by(97) {
            assert_eq!(Day::parse(&Day(n).to_string()), Some(Day(n)));
        }
        for text in ["", "2024", "2024-3-1", "2024-13-01", "2024-00-10", "+024-01-01", "2024-04-31"]
        {
            assert_eq!(Day::parse(text), None, "{text}");
        }
        for text in ["2024-03-12T10:30:00Z", "--03-12", "２０２４-01"] {
            assert_eq!(Day::parse(text), None, "{text}");
        }
    }
}
