//! Parses `Retry-After` (RFC 9110 §10.2.3): seconds or a date.

use std::time::{Duration, SystemTime};

use quarry_model::{Response, Timestamp};

/// The wait that a response asks for, if it does.
pub(crate) fn retry_after(response: &Response, now: Timestamp) -> Option<Duration> {
    let value = response.headers.get("retry-after")?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    let millis = date.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_millis();
    Some(Timestamp(i64::try_from(millis).ok()?).since(now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_model::Headers;

    #[track_caller]
    fn check(value: &str, expect: Option<u64>) {
        let headers = Headers(vec![("Retry-After".to_owned(), value.to_owned())]);
        let response = Response { headers, ..Response::default() };
        // Sun, 06 Nov 1994 08:49:37 GMT, RFC 9110's example.
        let wait = retry_after(&response, Timestamp(784_111_777_000));
        assert_eq!(wait, expect.map(Duration::from_secs));
    }

    #[test]
    fn seconds_and_dates() {
        check("120", Some(120));
        check(" 0 ", Some(0));
        check("99999999999999999999999", Some(u64::MAX));
        check("Sun, 06 Nov 1994 08:50:37 GMT", Some(60));
        check("Sunday, 06-Nov-94 08:50:37 GMT", Some(60));
        check("Sun Nov  6 08:50:37 1994", Some(60));
        check("Sun, 06 Nov 1994 08:00:00 GMT", Some(0));
        check("soon", None);
        check("-5", None);
        check("", None);
    }
}
