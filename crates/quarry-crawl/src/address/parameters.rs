//! Parameters that identify the visitor, not the page: campaign, click and session ids. They are
//! removed from addresses.

use std::borrow::Cow;

/// Beginnings of parameter names that campaigns use.
const TRACKING_PREFIXES: [&str; 8] =
    ["utm_", "pk_", "piwik_", "mtm_", "matomo_", "hsa_", "__hs", "aspsessionid"];

/// Parameter names that advertisers, mail senders and session handling use, in lower case.
const TRACKING_NAMES: [&str; 40] = [
    "_ga",
    "_gac",
    "_gl",
    "_hsenc",
    "_hsmi",
    "_openstat",
    "awinaffid",
    "cfid",
    "cftoken",
    "dclid",
    "epik",
    "fb_action_ids",
    "fb_ref",
    "fb_source",
    "fbclid",
    "gad_source",
    "gbraid",
    "gclid",
    "gclsrc",
    "hsctatracking",
    "igshid",
    "jsessionid",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "msclkid",
    "oly_anon_id",
    "oly_enc_id",
    "oscsid",
    "phpsessid",
    "rb_clickid",
    "s_kwcid",
    "sessid",
    "srsltid",
    "ttclid",
    "twclid",
    "vero_id",
    "wbraid",
    "yclid",
    "zenid",
];

/// Parameter names that hold a session id only where the value looks like one.
const SESSION_NAMES: [&str; 6] = ["sess", "session", "session_id", "sessionid", "sid", "xtsid"];

/// Least length of a value that looks like a session id: 16 hexadecimal digits are 64 bits.
const SESSION_ID_LENGTH: usize = 16;

/// Longest name in the lists above.
const LONGEST_NAME: usize = 24;

/// Whether a `name=value` of a query is part of what is asked.
pub(super) fn keep_parameter(parameter: &str) -> bool {
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    if name.is_empty() || name.len() > LONGEST_NAME {
        return !starts_with_tracking(name);
    }
    let mut buffer = [0_u8; LONGEST_NAME];
    let lower = &mut buffer[..name.len()];
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    let lower = std::str::from_utf8(lower).unwrap_or(name);
    if SESSION_NAMES.contains(&lower) {
        return !looks_like_session_id(value);
    }
    !starts_with_tracking(lower) && TRACKING_NAMES.binary_search(&lower).is_err()
}

fn starts_with_tracking(name: &str) -> bool {
    if !matches!(name.as_bytes().first(), Some(b'u' | b'p' | b'm' | b'h' | b'_' | b'a' | b'U')) {
        return false;
    }
    TRACKING_PREFIXES.iter().any(|prefix| {
        name.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
    })
}

/// Long, of letters and digits only (with hyphens: of hexadecimal digits), and with both: no word
/// and no number that somebody would write.
fn looks_like_session_id(value: &str) -> bool {
    value.len() >= SESSION_ID_LENGTH
        && (value.bytes().all(|b| b.is_ascii_alphanumeric())
            || value.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-'))
        && value.bytes().any(|b| b.is_ascii_digit())
        && value.bytes().any(|b| b.is_ascii_alphabetic())
}

/// A path segment without its `;jsessionid=…` (Java servlets write it there).
pub(super) fn without_session(segment: &str) -> Cow<'_, str> {
    if !segment.contains(';') {
        return Cow::Borrowed(segment);
    }
    let mut parts = segment.split(';');
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let name = part.split_once('=').map_or(part, |(name, _)| name).to_ascii_lowercase();
        let session = matches!(name.as_str(), "jsessionid" | "phpsessid" | "sessionid")
            || (SESSION_NAMES.contains(&name.as_str()) && !keep_parameter(part));
        if !session {
            kept.push(';');
            kept.push_str(part);
        }
    }
    Cow::Owned(kept)
}

/// A whole segment that is a session id: ASP.NET's `(S(lit3py55t21z5v55vlm25s55))`.
pub(super) fn is_session_segment(segment: &str) -> bool {
    segment.starts_with("(S(") && segment.ends_with("))") && segment.len() >= SESSION_ID_LENGTH + 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_fits() {
        assert!(TRACKING_NAMES.is_sorted());
        assert!(TRACKING_NAMES.iter().all(|name| name.len() <= LONGEST_NAME));
    }

    #[test]
    fn session_ids_are_long_and_mixed() {
        assert!(looks_like_session_id("4f2a9c0b7d1e4f2a9c0b7d1e4f2a9c0b"));
        assert!(!looks_like_session_id("42"));
        assert!(!looks_like_session_id("1234567890123456"));
        assert!(!looks_like_session_id("internationalization"));
    }
}
