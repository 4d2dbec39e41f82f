//! Reads the addresses of a sitemap: the sitemaps.org protocol (XML, index, plain text, gzip) and feeds
//! (RSS, Atom). Broken ones are read as far as possible, with a note of what was wrong.

use quarry_content::{Coding, decode};

/// Most bytes of a sitemap once decompressed (sitemaps.org: 50 MB).
pub const MAX_BYTES: usize = 50 << 20;

/// Most addresses of a sitemap (sitemaps.org: 50,000).
pub const MAX_ADDRESSES: usize = 50_000;

/// A `&` without a `;` within so many characters begins no reference; `&#x0010FFFF;` has 11.
const LONGEST_REFERENCE: usize = 16;

/// What a sitemap says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sitemap {
    /// Addresses of pages, as written.
    pub pages: Vec<String>,
    /// Addresses of further sitemaps, as written.
    pub sitemaps: Vec<String>,
    /// What could not be read, if something could not.
    pub problem: Option<String>,
}

/// Reads a sitemap. Never fails.
///
/// ```
/// let text = b"<urlset><url><loc>https://x.example/?a=1&amp;b=2</loc></url></urlset>";
/// let sitemap = quarry_crawl::sitemap::read(text);
/// assert_eq!(sitemap.pages, ["https://x.example/?a=1&b=2"]);
/// assert_eq!(sitemap.problem, None);
/// ```
#[must_use]
pub fn read(content: &[u8]) -> Sitemap {
    if content.starts_with(&[0x1f, 0x8b]) {
        let decoded = decode(&[Coding::Gzip], content, MAX_BYTES);
        let mut sitemap = read_text(&decoded.bytes);
        if decoded.truncated.is_some() || decoded.problem.is_some() {
            let problem = decoded.problem.unwrap_or_else(|| "it is larger than 50 MB".to_owned());
            sitemap.problem = Some(format!("cannot decompress all of it: {problem}"));
        }
        return sitemap;
    }
    let cut = content.len() > MAX_BYTES;
    let mut sitemap = read_text(&content[..content.len().min(MAX_BYTES)]);
    if cut {
        add_problem(&mut sitemap, "the file is larger than 50 MB");
    }
    sitemap
}

fn add_problem(sitemap: &mut Sitemap, problem: &str) {
    sitemap.problem.get_or_insert_with(|| problem.to_owned());
}

fn read_text(content: &[u8]) -> Sitemap {
    let text = String::from_utf8_lossy(content);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('<') { read_xml(text) } else { read_lines(text) }
}

/// One address per line.
fn read_lines(text: &str) -> Sitemap {
    let mut sitemap = Sitemap::default();
    for line in text.lines().map(str::trim) {
        if line.starts_with("http://") || line.starts_with("https://") {
            if sitemap.pages.len() >= MAX_ADDRESSES {
                add_problem(&mut sitemap, "it names more than 50,000 addresses");
                break;
            }
            sitemap.pages.push(line.to_owned());
        } else if !line.is_empty() {
            add_problem(&mut sitemap, "it has lines that are no addresses");
        }
    }
    sitemap
}

/// The elements that hold an address, each with what tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holder {
    /// `<url><loc>` of a sitemap.
    Url,
    /// `<sitemap><loc>` of an index.
    Sitemap,
    /// `<item><link>` of RSS.
    Item,
    /// `<entry><link href>` of Atom.
    Entry,
}

impl Holder {
    fn of(local: &str) -> Option<Self> {
        match local {
            "url" => Some(Self::Url),
            "sitemap" => Some(Self::Sitemap),
            "item" => Some(Self::Item),
            "entry" => Some(Self::Entry),
            _ => None,
        }
    }
}

/// Goes through the tags without asking that they fit together.
fn read_xml(text: &str) -> Sitemap {
    let mut sitemap = Sitemap::default();
    let mut holder: Option<(Holder, &str)> = None;
    let mut root: Option<&str> = None;
    let mut closed = false;
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        rest = &rest[open..];
        if let Some(after) = skip_markup(rest) {
            rest = after;
            continue;
        }
        let Some(end) = rest.find('>') else { break };
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        let (closing, tag) = match tag.strip_prefix('/') {
            Some(tag) => (true, tag),
            None => (false, tag),
        };
        let name = tag.split([' ', '\t', '\r', '\n', '/']).next().unwrap_or_default();
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        if closing {
            closed |= root == Some(name);
            if Holder::of(local).is_some() {
                holder = None;
            }
            continue;
        }
        root.get_or_insert(name);
        if let Some(found) = Holder::of(local) {
            holder = Some((found, prefix));
            continue;
        }
        let Some((kind, holder_prefix)) = holder else { continue };
        // `image:loc` and `video:player_loc` are addresses of something else.
        if prefix != holder_prefix {
            continue;
        }
        let address = match (kind, local) {
            (Holder::Url | Holder::Sitemap, "loc") | (Holder::Item, "link") => element_text(rest),
            (Holder::Entry, "link") => match attribute(tag, "rel").as_deref() {
                None | Some("alternate") => attribute(tag, "href"),
                Some(_) => None,
            },
            _ => None,
        };
        let Some(address) = address.filter(|address| !address.is_empty()) else { continue };
        if sitemap.pages.len() + sitemap.sitemaps.len() >= MAX_ADDRESSES {
            add_problem(&mut sitemap, "it names more than 50,000 addresses");
            return sitemap;
        }
        match kind {
            Holder::Sitemap => sitemap.sitemaps.push(address),
            Holder::Url | Holder::Item | Holder::Entry => sitemap.pages.push(address),
        }
    }
    let local = root.map(|name| name.split_once(':').map_or(name, |(_, local)| local));
    match local {
        Some("urlset" | "sitemapindex" | "rss" | "feed" | "RDF") if closed => {}
        Some("urlset" | "sitemapindex" | "rss" | "feed" | "RDF") => {
            add_problem(&mut sitemap, "it breaks off before its end");
        }
        Some(other) => add_problem(&mut sitemap, &format!("<{other}> is no sitemap")),
        None => add_problem(&mut sitemap, "it has no element"),
    }
    sitemap
}

/// What follows a comment, declaration, processing instruction or CDATA section at the start.
fn skip_markup(rest: &str) -> Option<&str> {
    for (open, close) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")] {
        if let Some(inside) = rest.strip_prefix(open) {
            return Some(inside.split_once(close).map_or("", |(_, after)| after));
        }
    }
    None
}

/// The text up to the next tag, decoded.
fn element_text(rest: &str) -> Option<String> {
    let trimmed = rest.trim_start();
    if let Some(inside) = trimmed.strip_prefix("<![CDATA[") {
        return inside.split_once("]]>").map(|(text, _)| text.trim().to_owned());
    }
    let (text, _) = rest.split_once('<')?;
    Some(decode_entities(text.trim()))
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let mut rest = tag;
    while let Some((before, after)) = rest.split_once('=') {
        let found = before.trim_end().rsplit(char::is_whitespace).next() == Some(name);
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, next) = after[1..].split_once(quote)?;
        if found {
            return Some(decode_entities(value.trim()));
        }
        rest = next;
    }
    None
}

fn decode_entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let reference = rest[1..].char_indices().take(LONGEST_REFERENCE).find(|(_, c)| *c == ';');
        let decoded = reference.and_then(|(end, _)| {
            let (name, after) = (&rest[1..=end], &rest[end + 2..]);
            let c = match name {
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                "apos" => '\'',
                _ => {
                    let number = name.strip_prefix('#')?;
                    let code = match number.strip_prefix(['x', 'X']) {
                        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                        None => number.parse().ok()?,
                    };
                    char::from_u32(code)?
                }
            };
            Some((c, after))
        });
        match decoded {
            Some((c, after)) => {
                out.push(c);
                rest = after;
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}
