//! Detects the media type of a body, after the WHATWG MIME Sniffing standard: magic bytes first, then
//! the type that the server declared if the bytes allow it, then the look of the text.

use memchr::memmem;

/// How far the content is looked at (the standard's "resource header" has 1445 bytes).
const LOOK: usize = 1445;

/// Bytes that give a binary format away: §6.1 to §6.5 of the standard, and what crawls meet.
const MAGIC: &[(usize, &[u8], &str)] = &[
    (0, b"%PDF-", "application/pdf"),
    (0, b"%!PS-Adobe-", "application/postscript"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (0, b"\x00\x00\x01\x00", "image/x-icon"),
    (0, b"\x00\x00\x02\x00", "image/x-icon"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"8BPS", "image/vnd.adobe.photoshop"),
    (4, b"ftypavif", "image/avif"),
    (4, b"ftypheic", "image/heic"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1a\x45\xdf\xa3", "video/webm"),
    (0, b"OggS\x00", "application/ogg"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"MThd\x00\x00\x00\x06", "audio/midi"),
    (0, b"\x1f\x8b\x08", "application/gzip"),
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"PK\x05\x06", "application/zip"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"BZh", "application/x-bzip2"),
    (0, b"\xfd7zXZ\x00", "application/x-xz"),
    (0, b"\x28\xb5\x2f\xfd", "application/zstd"),
    (0, b"wOFF", "font/woff"),
    (0, b"wOF2", "font/woff2"),
    (0, b"\x00\x01\x00\x00", "font/ttf"),
    (0, b"OTTO", "font/otf"),
    (0, b"\x00asm", "application/wasm"),
    (0, b"\x7fELF", "application/octet-stream"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (257, b"ustar", "application/x-tar"),
];

/// Formats inside a RIFF container.
const RIFF: &[(&[u8], &str)] =
    &[(b"WEBPVP", "image/webp"), (b"WAVE", "audio/wav"), (b"AVI ", "video/avi")];

/// Tags that begin a page (§7.1, plus `main`, `header` and the like of pages without a head).
const HTML_TAGS: &[&str] = &[
    "!doctype html",
    "html",
    "head",
    "script",
    "iframe",
    "h1",
    "div",
    "font",
    "table",
    "a",
    "style",
    "title",
    "b",
    "body",
    "br",
    "p",
    "meta",
    "link",
    "base",
    "main",
    "header",
    "nav",
    "section",
    "article",
    "ul",
    "form",
    "center",
    "frameset",
    "noscript",
    "span",
];

/// Kinds that a server may well name, and that text may be, but that nothing in the text shows.
const TEXT_KINDS: &[(&str, &str)] = &[
    ("text/html", "text/html"),
    ("text/plain", "text/plain"),
    ("text/css", "text/css"),
    ("text/csv", "text/csv"),
    ("text/markdown", "text/markdown"),
    ("text/calendar", "text/calendar"),
    ("text/javascript", "text/javascript"),
    ("application/javascript", "text/javascript"),
    ("application/x-javascript", "text/javascript"),
    ("application/ecmascript", "text/javascript"),
    ("application/json", "application/json"),
    ("text/json", "application/json"),
    ("application/ld+json", "application/ld+json"),
    ("application/x-ndjson", "application/x-ndjson"),
];

/// The kind of `content`, found by looking at it, with the server's word (`declared`, a
/// `Content-Type` value) where looking does not settle it.
///
/// ```
/// use quarry_content::detect_mime;
///
/// assert_eq!(detect_mime(b"\n<HTML lang=en>", Some("application/octet-stream")), "text/html");
/// assert_eq!(detect_mime(b"%PDF-1.7", Some("text/html")), "application/pdf");
/// assert_eq!(detect_mime(b"{\"a\": 1}", None), "application/json");
/// ```
#[must_use]
pub fn detect_mime(content: &[u8], declared: Option<&str>) -> &'static str {
    if let Some(kind) = magic(content) {
        return kind;
    }
    let declared = declared.map(essence);
    let declared = declared.as_deref();
    let head = &content[..content.len().min(LOOK)];
    let head = as_text(head).or_else(|| declared_page(head, declared));
    let Some(head) = head else { return "application/octet-stream" };
    let text = head.trim_ascii_start();
    let named = declared.and_then(|d| TEXT_KINDS.iter().find(|(name, _)| *name == d)).map(|k| k.1);
    match named {
        Some("text/html") if starts_with_ignore_case(text, b"<?xml") => feed_or_html(text),
        // The server's word for plain text holds (§5): a page may show source code.
        Some(kind) => kind,
        None if declared.is_some_and(is_xml) => xml_kind(text, declared),
        None if starts_with_ignore_case(text, b"<?xml") => xml_kind(text, declared),
        None if looks_like_html(text) => "text/html",
        None if root_element(text).is_some_and(|root| root == b"svg") => "image/svg+xml",
        None if looks_like_json(text) => "application/json",
        None => "text/plain",
    }
}

fn magic(content: &[u8]) -> Option<&'static str> {
    if content.starts_with(b"RIFF") {
        let format = content.get(8..)?;
        return RIFF.iter().find(|(mark, _)| format.starts_with(mark)).map(|(_, kind)| *kind);
    }
    if content.starts_with(b"BM") && content.get(6..10) == Some(&[0, 0, 0, 0]) {
        return Some("image/bmp");
    }
    let at = |offset: usize| content.get(offset..).unwrap_or_default();
    MAGIC.iter().find(|(offset, mark, _)| at(*offset).starts_with(mark)).map(|(_, _, kind)| *kind)
}

/// `text/html` of `Text/HTML; charset=utf-8`.
fn essence(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or("").trim().to_ascii_lowercase()
}

fn is_xml(essence: &str) -> bool {
    essence.ends_with("+xml") || essence == "text/xml" || essence == "application/xml"
}

/// The beginning of a text in something like ASCII, without its byte order mark; `None` if it has
/// bytes that no text has (§3, "binary data byte").
fn as_text(head: &[u8]) -> Option<Vec<u8>> {
    if let Some(rest) = head.strip_prefix(b"\xef\xbb\xbf") {
        return Some(rest.to_vec());
    }
    if head.starts_with(b"\xfe\xff") || head.starts_with(b"\xff\xfe") {
        return Some(head[2..].iter().copied().filter(|byte| *byte != 0).collect());
    }
    (!head.iter().any(is_binary)).then(|| head.to_vec())
}

/// What a server calls a page is one, if only a few stray bytes in it are of no text: browsers show it, too.
fn declared_page(head: &[u8], declared: Option<&str>) -> Option<Vec<u8>> {
    let is_page = matches!(declared, Some("text/html" | "application/xhtml+xml"));
    let binary = head.iter().filter(|byte| is_binary(byte)).count();
    (is_page && binary * MIN_TEXT_PER_BINARY <= head.len()).then(|| head.to_vec())
}

/// Bytes of text for each byte that no text has, for a page to be one all the same.
const MIN_TEXT_PER_BINARY: usize = 20;

/// Bytes that no text has (§3, "binary data byte").
fn is_binary(byte: &u8) -> bool {
    matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)
}

fn starts_with_ignore_case(text: &[u8], prefix: &[u8]) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

fn looks_like_html(text: &[u8]) -> bool {
    let text = skip_comments(text);
    let Some(rest) = text.strip_prefix(b"<") else { return false };
    HTML_TAGS.iter().any(|tag| {
        starts_with_ignore_case(rest, tag.as_bytes())
            && rest.get(tag.len()).is_none_or(|next| {
                matches!(next, b' ' | b'>' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'/')
            })
    })
}

/// Comments, processing instructions and blanks before the first tag are passed over; a lone
/// comment is taken as HTML by the standard, and as no evidence here.
fn skip_comments(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        let end = match text {
            [b'<', b'!', b'-', b'-', ..] => memmem::find(text, b"-->").map(|at| at + 3),
            [b'<', b'?', ..] => memmem::find(text, b"?>").map(|at| at + 2),
            _ => return text,
        };
        match end {
            Some(end) => text = &text[end..],
            None => return text,
        }
    }
}

/// The local name of the first element, in lower case.
fn root_element(text: &[u8]) -> Option<Vec<u8>> {
    let mut text = skip_comments(text);
    if starts_with_ignore_case(text, b"<!doctype") {
        let end = memchr::memchr(b'>', text)?;
        text = skip_comments(&text[end + 1..]);
    }
    let rest = text.strip_prefix(b"<")?;
    let end = rest.iter().position(|b| matches!(b, b' ' | b'>' | b'/' | b'\t' | b'\n' | b'\r'));
    let name = &rest[..end?];
    let local = name.rsplit(|byte| *byte == b':').next().unwrap_or(name);
    Some(local.to_ascii_lowercase())
}

fn xml_kind(text: &[u8], declared: Option<&str>) -> &'static str {
    match root_element(text).as_deref() {
        Some(b"html") => "application/xhtml+xml",
        Some(b"rss" | b"rdf") => "application/rss+xml",
        Some(b"feed") => "application/atom+xml",
        Some(b"svg") => "image/svg+xml",
        _ if declared == Some("application/xhtml+xml") => "application/xhtml+xml",
        _ => "application/xml",
    }
}

/// Declared as HTML, but with an XML declaration (§8.1, "distinguish feed or HTML").
fn feed_or_html(text: &[u8]) -> &'static str {
    match xml_kind(text, None) {
        kind @ ("application/rss+xml" | "application/atom+xml") => kind,
        _ => "text/html",
    }
}

fn looks_like_json(text: &[u8]) -> bool {
    let Some((open, rest)) = text.split_first() else { return false };
    let Some(next) = rest.trim_ascii_start().first() else { return false };
    match open {
        b'{' => matches!(next, b'"' | b'}'),
        b'[' => matches!(next, b'"' | b'{' | b'[' | b']' | b'-' | b't' | b'f' | b'n' | b'0'..=b'9'),
        _ => false,
    }
}
