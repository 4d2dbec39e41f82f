//! How long does an answer hold without asking again? Freshness by RFC 9111 §4.2, for a cache of one reader, and only where the
//! server says so: no heuristics. What is said twice, or wrongly, does not hold.

use std::time::{Duration, SystemTime};

use quarry_model::{Headers, Timestamp};

/// The longest that is believed. A server that says ten years means "unless I tell you": a harvest is told by asking.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Until when an answer with these fields, asked for `at`, holds; `None` where it must be asked again each time.
///
/// The age that it came with counts, and so does the time that it took to come: that is why `at` is the moment of the request
/// (§4.2.3, `corrected_initial_age`).
#[must_use]
pub fn fresh_until(headers: &Headers, at: Timestamp) -> Option<Timestamp> {
    let directives = directives(headers);
    let says = |name: &str| directives.iter().any(|(own, _)| own == name);
    // Pragma speaks for those who do not know Cache-Control (§5.4).
    let old = directives.is_empty() && headers.all("pragma").any(|value| has(value, "no-cache"));
    if says("no-store") || says("no-cache") || old {
        return None;
    }
    // What it depends on cannot be known (§4.1).
    if headers.all("vary").any(|value| has(value, "*")) {
        return None;
    }
    let lifetime = match said_once(&directives, "max-age") {
        Said::Once(value) => seconds(value)?,
        Said::Often => return None,
        Said::Never => expires(headers)?,
    };
    let age = match headers.get("age") {
        Some(value) => seconds(value)?,
        None => Duration::ZERO,
    };
    let left = lifetime.min(LONGEST).checked_sub(age).filter(|left| !left.is_zero())?;
    Some(at.plus(left))
}

/// Directives of Cache-Control: names in lower case, values without quotes.
fn directives(headers: &Headers) -> Vec<(String, String)> {
    let all = headers.all("cache-control").flat_map(|value| value.split(','));
    all.map(|directive| directive.split_once('=').unwrap_or((directive, "")))
        .map(|(name, value)| {
            (name.trim().to_ascii_lowercase(), value.trim().trim_matches('"').to_owned())
        })
        .filter(|(name, _)| !name.is_empty())
        .collect()
}

fn has(value: &str, word: &str) -> bool {
    value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word))
}

enum Said<'a> {
    Never,
    Once(&'a str),
    Often,
}

fn said_once<'a>(directives: &'a [(String, String)], name: &str) -> Said<'a> {
    let mut values = directives.iter().filter(|(own, _)| own == name).map(|(_, value)| value);
    match (values.next(), values.next()) {
        (None, _) => Said::Never,
        (Some(value), None) => Said::Once(value),
        (Some(_), Some(_)) => Said::Often,
    }
}

/// A number of seconds; one that is too large is very large (§1.2.2).
fn seconds(text: &str) -> Option<Duration> {
    let text = text.trim();
    let number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    number.then(|| Duration::from_secs(text.parse().unwrap_or(u64::from(u32::MAX))))
}

/// From `Date` to `Expires` (§5.3). Without a date there is nothing to count from.
fn expires(headers: &Headers) -> Option<Duration> {
    let date = |name: &str| -> Option<SystemTime> {
        let mut values = headers.all(name);
        let value = values.next()?;
        // Said twice: not to be relied on.
        if values.next().is_some() { None } else { httpdate::parse_http_date(value).ok() }
    };
    date("expires")?.duration_since(date("date")?).ok()
}
