//! Amounts as users write them: sizes such as `2GB` and times such as `90s`, in flags, files and the
//! environment alike.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A number of bytes: `512`, `64KB`, `2GB` (powers of 1,024).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Bytes(pub(crate) u64);

/// A span of time: `1.5` (seconds), `250ms`, `90s`, `5m`, `2h`, `1d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span(pub(crate) Duration);

const BYTE_UNITS: [(&str, u64); 4] =
    [("TB", 1 << 40), ("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)];
const TIME_UNITS: [(&str, f64); 5] =
    [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3_600.0), ("d", 86_400.0)];

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let upper = text.trim().to_ascii_uppercase();
        let (digits, factor) = BYTE_UNITS
            .iter()
            .find_map(|(unit, factor)| {
                let short = &unit[..1];
                upper.strip_suffix(unit).or_else(|| upper.strip_suffix(short)).map(|d| (d, *factor))
            })
            .unwrap_or((upper.strip_suffix('B').unwrap_or(&upper), 1));
        let number: f64 = digits.trim().parse().map_err(|_| expected_bytes(text))?;
        if !(0.0..1e18).contains(&(number * factor as f64)) {
            return Err(expected_bytes(text));
        }
        Ok(Self((number * factor as f64) as u64))
    }
}

fn expected_bytes(text: &str) -> String {
    format!("'{text}' is not a size; write a number of bytes, or 64KB, 10MB, 2GB")
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let lower = text.trim().to_ascii_lowercase();
        let split = lower.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(lower.len());
        let (digits, unit) = lower.split_at(split);
        let factor = match unit {
            "" => Some(1.0),
            unit => TIME_UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor),
        };
        let number: Option<f64> = digits.trim().parse().ok();
        match (number, factor) {
            (Some(number), Some(factor)) if (0.0..1e10).contains(&(number * factor)) => {
                Ok(Self(Duration::from_secs_f64(number * factor)))
            }
            _ => Err(format!("'{text}' is not a time; write seconds, or 250ms, 90s, 5m, 2h, 1d")),
        }
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match BYTE_UNITS
            .iter()
            .find(|(_, factor)| self.0 >= *factor && self.0.is_multiple_of(*factor))
        {
            Some((unit, factor)) => write!(f, "{}{unit}", self.0 / factor),
            None => write!(f, "{}", self.0),
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs_f64();
        let whole = |factor: f64| seconds >= factor && (seconds / factor).fract() == 0.0;
        match TIME_UNITS.iter().rev().find(|(_, factor)| whole(*factor)) {
            Some((unit, factor)) => write!(f, "{}{unit}", seconds / factor),
            None => write!(f, "{seconds}s"),
        }
    }
}

macro_rules! as_text_or_number {
    ($type:ty) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[derive(Deserialize)]
                #[serde(untagged)]
                enum Written {
                    Whole(u64),
                    Number(f64),
                    Text(String),
                }
                let text = match Written::deserialize(deserializer)? {
                    Written::Whole(number) => number.to_string(),
                    Written::Number(number) => number.to_string(),
                    Written::Text(text) => text,
                };
                text.parse().map_err(de::Error::custom)
            }
        }
    };
}
as_text_or_number!(Bytes);
as_text_or_number!(Span);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes, shown) in [
            ("512", 512, "512"),
            ("64KB", 65_536, "64KB"),
            ("64k", 65_536, "64KB"),
            ("1.5 MB", 1_572_864, "1536KB"),
            ("2gb", 2 << 30, "2GB"),
            ("100B", 100, "100"),
        ] {
            let parsed: Bytes = text.parse().unwrap();
            assert_eq!(parsed, Bytes(bytes), "{text}");
            assert_eq!(parsed.to_string(), shown);
            assert_eq!(shown.parse::<Bytes>().unwrap(), parsed, "what is shown can be read back");
        }
        for bad in ["", "much", "-1", "1XB", "1e30"] {
            assert!(bad.parse::<Bytes>().is_err(), "{bad}");
        }
    }

    #[test]
    fn times() {
        for (text, millis, shown) in [
            ("1.5", 1_500, "1500ms"),
            ("0", 0, "0s"),
            ("250ms", 250, "250ms"),
            ("90s", 90_000, "90s"),
            ("5m", 300_000, "5m"),
            ("2h", 7_200_000, "2h"),
            ("1d", 86_400_000, "1d"),
        ] {
            let parsed: Span = text.parse().unwrap();
            assert_eq!(parsed.0, Duration::from_millis(millis), "{text}");
            assert_eq!(parsed.to_string(), shown);
            assert_eq!(shown.parse::<Span>().unwrap(), parsed, "what is shown can be read back");
        }
        for bad in ["", "soon", "-1", "5 parsecs"] {
            assert!(bad.parse::<Span>().is_err(), "{bad}");
        }
    }
}
