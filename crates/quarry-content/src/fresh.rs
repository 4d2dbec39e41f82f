//! How long a response may be used without asking again: freshness by RFC 9111 §4.2, for a private
//! cache, without heuristics. A directive that is given twice, or cannot be parsed, makes a response
//! stale.

use std::time::{Duration, SystemTime};

use quarry_model::{Headers, Timestamp};

/// The longest freshness that is used: a harvest should notice changes, even if a server allows ten
/// years.
const MAX_FRESHNESS: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Until when a response with these fields is fresh; `None` where it must be requested again each time.
///
/// `at` is the moment of the request, so that the time until the response came counts as age, beside its
/// `Age` field (§4.2.3, `corrected_initial_age`).
#[must_use]
pub fn fresh_until(headers: &Headers, at: Timestamp) -> Option<Timestamp> {
    let directives = directives(headers);
    let says = |name: &str| directives.iter().any(|(own, _)| own == name);
    // Pragma counts only without Cache-Control (§5.4).
    let old = directives.is_empty() && headers.all("pragma").any(|value| has(value, "no-cache"));
    if says("no-store") || says("no-cache") || old {
        return None;
    }
    // `*`: the response depends on more than the request (§4.1).
    if headers.all("vary").any(|value| has(value, "*")) {
        return None;
    }
    let lifetime = match directive(&directives, "max-age") {
        Directive::Once(value) => seconds(value)?,
        Directive::Repeated => return None,
        Directive::Missing => expires(headers)?,
    };
    let age = match headers.get("age") {
        Some(value) => seconds(value)?,
        None => Duration::ZERO,
    };
    let left = lifetime.min(MAX_FRESHNESS).checked_sub(age).filter(|left| !left.is_zero())?;
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

/// How often a directive is given.
enum Directive<'a> {
    Missing,
    Once(&'a str),
    Repeated,
}

fn directive<'a>(directives: &'a [(String, String)], name: &str) -> Directive<'a> {
    let mut values = directives.iter().filter(|(own, _)| own == name).map(|(_, value)| value);
    match (values.next(), values.next()) {
        (None, _) => Directive::Missing,
        (Some(value), None) => Directive::Once(value),
        (Some(_), Some(_)) => Directive::Repeated,
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
        // A repeated field is not relied on.
        if values.next().is_some() { None } else { httpdate::parse_http_date(value).ok() }
    };
    date("expires")?.duration_since(date("date")?).ok()
}
