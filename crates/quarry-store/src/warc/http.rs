//! Writes exchanges as HTTP/1.1 text, and parses such text.

use quarry_model::{Exchange, Headers, Method, Request, Validators};

use super::header::{parse_fields, push_line, to_text, write_field};

/// What a server said about a length that the body does not have.
const TRUE_LENGTH: &str = "X-Archive-Orig-Content-Length";

/// Appends the request: line, header fields, body.
pub(crate) fn write_request(exchange: &Exchange, out: &mut Vec<u8>) {
    out.extend_from_slice(exchange.request.method.as_str().as_bytes());
    out.push(b' ');
    push_line(out, request_target(&exchange.request.url));
    out.extend_from_slice(b" HTTP/1.1\r\n");
    for (name, value) in &exchange.sent.0 {
        write_field(out, name, value);
    }
    out.extend_from_slice(b"\r\n");
    if let Some(body) = &exchange.request.body {
        out.extend_from_slice(body.as_bytes());
    }
}

/// What stands in a request line: the address without scheme, host and fragment.
fn request_target(url: &str) -> &str {
    let rest = url.find("://").map_or(url, |at| &url[at + 3..]);
    let rest = rest.find('#').map_or(rest, |at| &rest[..at]);
    match rest.find(['/', '?']) {
        Some(at) if rest[at..].starts_with('/') => &rest[at..],
        _ => "/",
    }
}

/// Appends status line and header fields of the response, with the empty line after them.
///
/// An HTTP/2 response is written as HTTP/1.1 text, as every archive tool expects; the true version
/// stands in `WARC-Protocol`. `Content-Length` tells the length of the body that follows.
pub(crate) fn write_response_head(exchange: &Exchange, out: &mut Vec<u8>) {
    let response = &exchange.response;
    let version = if response.version == "HTTP/1.0" { "HTTP/1.0 " } else { "HTTP/1.1 " };
    out.extend_from_slice(version.as_bytes());
    push_number(out, u64::from(response.status));
    out.push(b' ');
    out.extend_from_slice(reason(response.status).as_bytes());
    out.extend_from_slice(b"\r\n");
    for (name, value) in &response.headers.0 {
        if name.eq_ignore_ascii_case("content-length")
            && value.parse() != Ok(response.body.len() as u64)
        {
            write_field(out, TRUE_LENGTH, value);
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b": ");
            push_number(out, response.body.len() as u64);
            out.extend_from_slice(b"\r\n");
        } else {
            write_field(out, name, value);
        }
    }
    out.extend_from_slice(b"\r\n");
}

pub(crate) fn push_number(out: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// An HTTP message in a record's block.
#[derive(Debug)]
pub(crate) struct HttpMessage<'a> {
    pub(crate) start: String,
    pub(crate) headers: Headers,
    pub(crate) body: &'a [u8],
}

/// Splits a block into start line, header fields and body. A block without an empty line is all
/// header.
pub(crate) fn parse_message(block: &[u8]) -> HttpMessage<'_> {
    let head_end = end_of_head(block).unwrap_or(block.len());
    let head = &block[..head_end];
    let line_end = memchr::memchr(b'\n', head).map_or(head.len(), |at| at + 1);
    HttpMessage {
        start: to_text(head[..line_end].trim_ascii()),
        headers: Headers(parse_fields(&head[line_end..])),
        body: &block[head_end..],
    }
}

/// Where the body begins: after the first empty line, whatever ends the lines.
fn end_of_head(block: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\n', block).find_map(|at| match &block[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

/// Status code and HTTP version of a status line.
pub(crate) fn parse_status(line: &str) -> Option<(u16, String)> {
    let mut words = line.split_ascii_whitespace();
    let version = words.next().filter(|word| word.starts_with("HTTP/"))?;
    let status = words.next()?.parse().ok()?;
    let version = if version == "HTTP/2" { "HTTP/2.0" } else { version };
    Some((status, version.to_owned()))
}

/// The response's own words about its length, where they differ from the body's.
pub(crate) fn restore_length(headers: &mut Headers) {
    while let Some(at) = headers.0.iter().position(|(name, _)| name == TRUE_LENGTH) {
        let (_, value) = headers.0.remove(at);
        if let Some((name, length)) = headers.0.get_mut(at)
            && name.eq_ignore_ascii_case("content-length")
        {
            *length = value;
        }
    }
}

/// The request that a request record tells of.
pub(crate) fn parse_request(url: &str, message: &HttpMessage<'_>) -> Request {
    let is_post = message.start.split_ascii_whitespace().next() == Some("POST");
    let field = |name| message.headers.get(name).map(str::to_owned);
    Request {
        method: if is_post { Method::Post } else { Method::Get },
        url: url.to_owned(),
        body: is_post.then(|| to_text(message.body)),
        unless: Validators {
            etag: field("if-none-match"),
            last_modified: field("if-modified-since"),
        },
    }
}

/// Undoes the chunked transfer coding that some writers leave in the archive (RFC 9112 §7.1).
/// `None` where the body is not chunked after all; a body that breaks off gives what there is.
pub(crate) fn dechunk(body: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body;
    loop {
        let Some(line_end) = memchr::memchr(b'\n', &rest[..rest.len().min(4096)]) else {
            return (!out.is_empty() && rest.is_empty()).then_some(out);
        };
        let line = rest[..line_end].trim_ascii();
        let size = line.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        let size =
            std::str::from_utf8(size).ok().filter(|s| !s.is_empty() && !s.starts_with('+'))?;
        let size = usize::from_str_radix(size, 16).ok()?;
        rest = &rest[line_end + 1..];
        if size == 0 {
            return Some(out);
        }
        if size >= rest.len() {
            out.extend_from_slice(rest);
            return Some(out);
        }
        out.extend_from_slice(&rest[..size]);
        rest = &rest[size..];
        rest = match rest {
            [b'\r', b'\n', tail @ ..] | [b'\n', tail @ ..] => tail,
            [] | [b'\r'] => return Some(out),
            _ => return None,
        };
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        410 => "Gone",
        429 => "Too Many Requests",
        451 => "Unavailable For Legal Reasons",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Status",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_targets() {
        fn check(url: &str, expect: &str) {
            assert_eq!(request_target(url), expect, "{url}");
        }
        check("http://a/b?c=d#e", "/b?c=d");
        check("http://a", "/");
        check("http://a/", "/");
        check("http://a:1?x=/y", "/");
        check("http://a#/b", "/");
    }

    #[test]
    fn dechunks() {
        fn check(body: &[u8], expect: Option<&[u8]>) {
            let expect = expect.map(<[u8]>::to_vec);
            assert_eq!(dechunk(body), expect, "{:?}", String::from_utf8_lossy(body));
        }
        check(b"3\r\nabc\r\n0\r\n\r\n", Some(b"abc"));
        check(
            b"3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n",
            Some(b"abc0123456789"),
        );
        check(b"0\r\n\r\n", Some(b""));
        check(b"ff\r\nbroken off", Some(b"broken off"));
        check(b"3\r\nabc\r\n", Some(b"abc"));
        check(b"<html>\nnot chunked", None);
        check(b"3\r\nabcd\r\n", None);
        check(b"ffffffffffffffff\r\nx", Some(b"x"));
        check(b"", None);
    }

    #[test]
    fn messages() {
        let message = parse_message(b"HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\nbody\n\n");
        assert_eq!(parse_status(&message.start), Some((200, "HTTP/1.1".to_owned())));
        assert_eq!(message.headers.get("a"), Some("b c"));
        assert_eq!(message.body, b"body\n\n");
        assert_eq!(parse_message(b"HTTP/1.0 200 OK\n\nx").body, b"x");
        assert_eq!(parse_message(b"HTTP/1.0 200").body, b"");
        assert_eq!(parse_status("<html> 200"), None);
    }
}
