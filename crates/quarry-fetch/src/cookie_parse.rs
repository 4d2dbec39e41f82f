//! Parses `Set-Cookie` fields: RFC 6265 §5.1.1 (dates) and §5.2 (fields).

use quarry_model::Timestamp;

/// A cookie as a server wrote it. Borrowed from the field.
#[derive(Debug, PartialEq, Eq, Default)]
pub(crate) struct SetCookie<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
    /// `Some("")` never: an empty attribute counts as missing.
    pub(crate) domain: Option<&'a str>,
    pub(crate) path: Option<&'a str>,
    pub(crate) expires: Option<Timestamp>,
    pub(crate) secure: bool,
}

/// Reads a field; `None` where there is no cookie in it. `Max-Age` goes before `Expires`.
pub(crate) fn parse(field: &str, now: Timestamp) -> Option<SetCookie<'_>> {
    let mut parts = field.split(';');
    let (name, value) = parts.next()?.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || field.bytes().any(|b| b < 0x20 && b != b'\t' || b == 0x7f) {
        return None;
    }
    let mut cookie = SetCookie { name, value, ..SetCookie::default() };
    let mut max_age = None;
    for part in parts {
        let (attribute, value) = part.split_once('=').unwrap_or((part, ""));
        let (attribute, value) = (attribute.trim(), value.trim());
        let is = |name: &str| attribute.eq_ignore_ascii_case(name);
        if is("domain") {
            let domain = value.strip_prefix('.').unwrap_or(value);
            cookie.domain = (!domain.is_empty()).then_some(domain);
        } else if is("path") {
            cookie.path = value.starts_with('/').then_some(value);
        } else if is("expires") {
            cookie.expires = date(value).or(cookie.expires);
        } else if is("max-age") {
            max_age = age(value, now).or(max_age);
        } else if is("secure") {
            cookie.secure = true;
        }
    }
    cookie.expires = max_age.or(cookie.expires);
    Some(cookie)
}

fn age(value: &str, now: Timestamp) -> Option<Timestamp> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    if value.starts_with('-') {
        return Some(Timestamp(i64::MIN));
    }
    let seconds: i64 = digits.parse().unwrap_or(i64::MAX);
    match seconds {
        0 => Some(Timestamp(i64::MIN)),
        _ => Some(Timestamp(now.0.saturating_add(seconds.saturating_mul(1_000)))),
    }
}

/// A date in any of the shapes that servers write, by the standard's forgiving algorithm.
fn date(text: &str) -> Option<Timestamp> {
    let (mut time, mut day, mut month, mut year) = (None, None, None, None);
    let is_delimiter = |c: char| matches!(c, '\t' | ' '..='/' | ';'..='@' | '['..='`' | '{'..='~');
    for token in text.split(is_delimiter).filter(|t| !t.is_empty()) {
        if time.is_none()
            && let Some(found) = clock(token)
        {
            time = Some(found);
        } else if day.is_none()
            && let Some(found) = number(token, 1, 2)
        {
            day = Some(found);
        } else if month.is_none()
            && let Some(found) = month_of(token)
        {
            month = Some(found);
        } else if year.is_none()
            && let Some(found) = number(token, 2, 4)
        {
            year = Some(found);
        }
    }
    let ((hour, minute, second), day, month) = (time?, day?, month?);
    let year = match year? {
        y @ 70..=99 => y + 1900,
        y @ 0..=69 => y + 2000,
        y => y,
    };
    if !(1..=31).contains(&day) || year < 1601 || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = hour * 3_600 + minute * 60 + second;
    Some(Timestamp(Timestamp::from_date(year, month, day).0 + seconds * 1_000))
}

/// The leading digits of a token, where there are `least` to `most` of them.
fn number(token: &str, least: usize, most: usize) -> Option<i64> {
    let digits = token.bytes().take_while(u8::is_ascii_digit).count();
    (least..=most).contains(&digits).then(|| token[..digits].parse().ok()).flatten()
}

fn clock(token: &str) -> Option<(i64, i64, i64)> {
    let mut fields = token.splitn(3, ':');
    let (hour, minute, second) = (fields.next()?, fields.next()?, fields.next()?);
    let whole = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    if !whole(hour) || !whole(minute) {
        return None;
    }
    Some((number(hour, 1, 2)?, number(minute, 1, 2)?, number(second, 1, 2)?))
}

fn month_of(token: &str) -> Option<i64> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let start = token.get(..3)?.to_ascii_lowercase();
    MONTHS.iter().position(|m| *m == start).map(|i| i as i64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_dates_as_servers_write_them() {
        fn check(text: &str, expect: Option<&str>) {
            let found = date(text).map(|t| t.to_string());
            assert_eq!(found.as_deref(), expect, "{text}");
        }
        let some = Some("1994-11-06T08:49:37.000Z");
        check("Sun, 06 Nov 1994 08:49:37 GMT", some);
        check("Sunday, 06-Nov-94 08:49:37 GMT", some);
        check("Sun Nov  6 08:49:37 1994", some);
        check("06 november 1994 8:49:37", some);
        check("Wed, 01-Jan-2031 00:00:00 GMT", Some("2031-01-01T00:00:00.000Z"));
        check("Thu, 29 Feb 2024 23:59:59 GMT", Some("2024-02-29T23:59:59.000Z"));
        check("Sun, 06 Nov 1994", None);
        check("tomorrow", None);
        check("", None);
        check("Sun, 32 Nov 1994 08:49:37 GMT", None);
        check("Sun, 06 Nov 1994 28:49:37 GMT", None);
    }

    #[test]
    fn reads_fields() {
        let now = Timestamp(1_000_000);
        let cookie = parse("a=b=c; Path=/x; domain=.H.test; SECURE; HttpOnly; Max-Age=5", now);
        let expect = SetCookie {
            name: "a",
            value: "b=c",
            domain: Some("H.test"),
            path: Some("/x"),
            expires: Some(Timestamp(1_005_000)),
            secure: true,
        };
        assert_eq!(cookie, Some(expect));
        assert_eq!(parse("no cookie", now), None);
        assert_eq!(parse("=x", now), None);
        assert_eq!(parse("a=b\u{1}", now), None);
        let dead = parse("a=; max-age=0; expires=Sun, 06 Nov 2094 08:49:37 GMT", now).unwrap();
        assert_eq!(dead.expires, Some(Timestamp(i64::MIN)));
        assert_eq!(parse("a=b; max-age=x; path=rel", now).unwrap().expires, None);
    }

    proptest::proptest! {
        #[test]
        fn never_panics(field in ".{0,80}") {
            let _ = parse(&field, Timestamp(0));
        }

        #[test]
        fn dates_survive_a_round_trip(seconds in -11_000_000_000_i64..200_000_000_000) {
            let time = Timestamp(seconds * 1_000);
            let (year, month, day, hour, minute, second, _) = time.civil();
            proptest::prop_assume!((1601..=9999).contains(&year));
            const MONTHS: [&str; 12] = [
                "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
            ];
            let month = MONTHS[month as usize - 1];
            let text = format!("{day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02}");
            proptest::prop_assert_eq!(date(&text), Some(time));
        }
    }
}
