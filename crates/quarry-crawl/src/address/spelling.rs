//! Normal percent-encoding (RFC 3986 §6.2.2), and a quick check for addresses that are normal already,
//! as most links are.

use std::net::Ipv4Addr;

use super::{Address, MAX_LENGTH, keep_parameter};

/// RFC 3986's unreserved characters: the ones that percent-encoding never changes.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn hex_value(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|value| value as u8)
}

/// Appends `part` with its percent-encodings in one spelling: unreserved characters decoded, the
/// others in upper case, a `%` that encodes nothing as `%25`.
pub(crate) fn push_normal(out: &mut String, part: &str) {
    if !part.contains('%') {
        out.push_str(part);
        return;
    }
    let mut rest = part;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let bytes = rest.as_bytes();
        let high = bytes.get(at + 1).copied().and_then(hex_value);
        let low = bytes.get(at + 2).copied().and_then(hex_value);
        if let (Some(high), Some(low)) = (high, low) {
            let byte = high << 4 | low;
            if is_unreserved(byte) {
                out.push(char::from(byte));
            } else {
                const HEX: &[u8; 16] = b"0123456789ABCDEF";
                out.push('%');
                out.push(char::from(HEX[usize::from(high)]));
                out.push(char::from(HEX[usize::from(low)]));
            }
            rest = &rest[at + 3..];
        } else {
            out.push_str("%25");
            rest = &rest[at + 1..];
        }
    }
    out.push_str(rest);
}

/// The address, if a look at its bytes shows that normalising would change nothing. It may miss
/// normal addresses (odd hosts, rare characters), never the other way round.
pub(super) fn already_normal(text: &str) -> Option<Address> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let (own_port, rest) = match text.strip_prefix("https://") {
        Some(rest) => ("443", rest),
        None => ("80", text.strip_prefix("http://")?),
    };
    let slash = rest.find('/')?;
    if !normal_authority(&rest[..slash], own_port) {
        return None;
    }
    let host_end = text.len() - rest.len() + slash;
    let bytes = text.as_bytes();
    let mut at = host_end;
    while at < bytes.len() && bytes[at] != b'?' {
        match CLASS[usize::from(bytes[at])] {
            PLAIN => at += 1,
            // `//`, `/.` and `/(`: empty segments, dot segments, ASP.NET sessions.
            SLASH if matches!(bytes.get(at + 1), Some(b'/' | b'.' | b'(')) => return None,
            SLASH => at += 1,
            PERCENT if normal_encoding(&bytes[at..]) => at += 3,
            _ => return None,
        }
    }
    let path_end = at;
    if at < bytes.len() {
        at += 1;
        let query_start = at;
        while at < bytes.len() {
            match CLASS[usize::from(bytes[at])] {
                PLAIN | SLASH | IN_QUERY => at += 1,
                PERCENT if normal_encoding(&bytes[at..]) => at += 3,
                _ => return None,
            }
        }
        let mut parameters = text[query_start..].split('&');
        if !parameters.all(|parameter| !parameter.is_empty() && keep_parameter(parameter)) {
            return None;
        }
    }
    Address::of_parts(text.to_owned(), host_end, path_end).ok()
}

/// Bytes that stand as they are, in path and query.
const PLAIN: u8 = 1;
/// Bytes that stand as they are in a query (a `;` in a path may begin a session id).
const IN_QUERY: u8 = 2;
const SLASH: u8 = 3;
const PERCENT: u8 = 4;

const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => PLAIN,
            b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'(' | b')' | b'*' => PLAIN,
            b'+' | b',' | b'=' | b':' | b'@' => PLAIN,
            b';' | b'?' | b'[' | b']' => IN_QUERY,
            b'/' => SLASH,
            b'%' => PERCENT,
            _ => 0,
        };
        byte += 1;
    }
    class
};

/// Whether the three bytes at the start are an encoding in the one spelling.
fn normal_encoding(bytes: &[u8]) -> bool {
    let upper = |byte: u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte);
    match bytes {
        [b'%', high, low, ..] if upper(*high) && upper(*low) => {
            let value = |byte| hex_value(byte).unwrap_or(0);
            !is_unreserved(value(*high) << 4 | value(*low))
        }
        _ => false,
    }
}

fn normal_authority(authority: &str, own_port: &str) -> bool {
    let (name, port) = match authority.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (authority, None),
    };
    let normal_port = port.is_none_or(|port| {
        port.parse::<u16>().is_ok_and(|number| number > 0)
            && !port.starts_with(['0', '+'])
            && port != own_port
    });
    let mut last = "";
    let normal_labels = name.split('.').all(|label| {
        last = label;
        !label.is_empty()
            && !label.starts_with("xn--")
            && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    });
    // A last label that begins with a digit makes it a number, in one of many spellings.
    let number = last.as_bytes().first().is_some_and(u8::is_ascii_digit);
    normal_port && normal_labels && (!number || name.parse::<Ipv4Addr>().is_ok())
}
