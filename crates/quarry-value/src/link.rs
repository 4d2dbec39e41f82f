//! Recognises web addresses.

/// Whether the whole text is a web address: with a scheme, `www.`, two slashes, a path, or `host.tld/path`.
/// Not a name with a point (Node.js), nor a choice (and/or).
pub(super) fn is_link(text: &str) -> bool {
    if text.len() < 4 || text.bytes().any(|b| b.is_ascii_whitespace() || b < b' ') {
        return false;
    }
    let starts = |prefix: &str| {
        text.as_bytes()
            .get(..prefix.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(prefix.as_bytes()))
    };
    if ["http://", "https://", "ftp://", "mailto:", "tel:", "www.", "javascript:"]
        .iter()
        .any(|p| starts(p))
    {
        return true;
    }
    if let Some(path) = text.strip_prefix('/') {
        let path = path.strip_prefix('/').unwrap_or(path);
        let plain = path
            .bytes()
            .next()
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'~'));
        return plain && path.bytes().any(|b| matches!(b, b'/' | b'.' | b'?' | b'='));
    }
    let Some((host, _)) = text.split_once('/') else { return false };
    let Some((name, domain)) = host.rsplit_once('.') else { return false };
    let letters = (2..=6).contains(&domain.len()) && domain.bytes().all(|b| b.is_ascii_lowercase());
    let labels = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.'));
    letters && labels && name.len() >= 2 && name.bytes().any(|b| b.is_ascii_alphabetic())
}
