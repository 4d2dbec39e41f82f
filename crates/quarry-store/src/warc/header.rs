//! Parses the header of a record: the named fields of WARC 1.1 §5, leniently read.

/// The named fields of a WARC record, in their order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WarcHeaders(pub Vec<(String, String)>);

impl WarcHeaders {
    /// The first value of the field `name`, in any case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    /// `WARC-Target-URI`, without the angle brackets that Wget puts around it.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        self.get("WARC-Target-URI").map(strip_brackets)
    }

    /// The id in a field such as `WARC-Record-ID`, without angle brackets.
    #[must_use]
    pub fn id(&self, name: &str) -> Option<&str> {
        self.get(name).map(strip_brackets)
    }

    pub(crate) fn content_length(&self) -> Option<u64> {
        self.get("Content-Length")?.parse().ok()
    }
}

fn strip_brackets(value: &str) -> &str {
    value.strip_prefix('<').and_then(|v| v.strip_suffix('>')).unwrap_or(value)
}

/// Reads `name: value` lines up to the empty one that ends them. A line that begins with a blank
/// goes on with the value before; a line without a colon is passed over. Also reads HTTP header
/// fields and `application/warc-fields`.
pub(crate) fn parse_fields(text: &[u8]) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            break;
        }
        if matches!(line[0], b' ' | b'\t') {
            if let Some((_, value)) = fields.last_mut() {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(&to_text(line.trim_ascii()));
            }
            continue;
        }
        if let Some(colon) = memchr::memchr(b':', line) {
            let name = to_text(line[..colon].trim_ascii());
            fields.push((name, to_text(line[colon + 1..].trim_ascii())));
        }
    }
    fields
}

/// UTF-8, or else Latin-1.
pub(crate) fn to_text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

/// Appends `name: value`, with what would end the line early made a blank.
pub(crate) fn write_field(out: &mut Vec<u8>, name: &str, value: &str) {
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b": ");
    push_line(out, value);
    out.extend_from_slice(b"\r\n");
}

pub(crate) fn push_line(out: &mut Vec<u8>, text: &str) {
    let start = out.len();
    out.extend_from_slice(text.as_bytes());
    if memchr::memchr3(b'\r', b'\n', 0, text.as_bytes()).is_some() {
        for byte in &mut out[start..] {
            if matches!(byte, b'\r' | b'\n' | 0) {
                *byte = b' ';
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_fields() {
        fn check(text: &[u8], expect: &[(&str, &str)]) {
            let expect: Vec<(String, String)> =
                expect.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
            assert_eq!(parse_fields(text), expect, "{:?}", String::from_utf8_lossy(text));
        }
        check(b"", &[]);
        check(b"A: 1\r\nb:2\r\n\r\nC: 3", &[("A", "1"), ("b", "2")]);
        check(b"A: 1\n  more\n\tyet\nB : x\n", &[("A", "1 more yet"), ("B", "x")]);
        check(b" lost\r\nno colon\r\nA:\r\n", &[("A", "")]);
        check(b"A: caf\xe9\r\nB: caf\xc3\xa9", &[("A", "caf\u{e9}"), ("B", "caf\u{e9}")]);
    }

    #[test]
    fn brackets_are_stripped() {
        let headers = WarcHeaders(vec![("warc-target-uri".to_owned(), "<http://a/>".to_owned())]);
        assert_eq!(headers.target(), Some("http://a/"));
    }
}
