//! Compares a page as it was sent with the same page as its scripts left it: which texts and links they added.

use std::collections::BTreeSet;

use quarry_dom::{Attr, Document, Tag};
use quarry_model::{STATE_PREFIX, StepKind};
use url::Url;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::document;

/// A page with less text than this, in bytes, and with scripts looks empty.
const LITTLE_TEXT: usize = 300;
/// A page with less text than this looks empty if it has an element that waits to be filled, or a note that asks for scripts.
const SOME_TEXT: usize = 1_500;

/// What a page consists of, as far as it tells templates apart and shows what scripts add.
#[derive(Debug, Clone)]
pub(super) struct PageSketch {
    /// Hashes of the paths of its elements.
    pub(super) paths: BTreeSet<u64>,
    /// The beginning of its address: pages without content are told apart by it.
    pub(super) place: String,
    /// Hashes of its texts.
    pub(super) texts: BTreeSet<u64>,
    /// Hashes of the addresses that it links to.
    pub(super) links: BTreeSet<u64>,
    /// Hashes of addresses of states, by choices, and of fields to type into.
    pub(super) states: BTreeSet<u64>,
    /// The address of the choice in the middle of all: what it does shows what choices do.
    pub(super) a_choice: Option<String>,
    /// Whether it has scripts that run; data in script elements does not.
    pub(super) runs_scripts: bool,
    /// Little text, an element that waits to be filled, a note that asks for scripts.
    pub(super) looks_empty: bool,
}

impl PageSketch {
    pub(super) fn of(url: &str, content: &[u8]) -> Self {
        let document = document(content);
        let (texts, bytes) = texts(&document);
        let (links, states, a_choice) = links(&document, url);
        let waits =
            bytes < SOME_TEXT && (has_empty_element(&document) || asks_for_scripts(&document));
        Self {
            runs_scripts: runs_scripts(&document),
            paths: paths(&document),
            place: place(url),
            looks_empty: bytes < LITTLE_TEXT || waits,
            texts,
            links,
            states,
            a_choice,
        }
    }

    /// Whether both show the same texts and links.
    pub(super) fn shows_the_same(&self, other: &Self) -> bool {
        self.texts == other.texts && self.links == other.links
    }
}

/// Whether a page has scripts at all, by its bytes.
pub(super) fn has_scripts(content: &[u8]) -> bool {
    content.windows(7).any(|window| window.eq_ignore_ascii_case(b"<script"))
}

fn is_shown(document: &Document, node: quarry_dom::NodeId) -> bool {
    let hidden = [Tag::SCRIPT, Tag::STYLE, Tag::NOSCRIPT, Tag::TEMPLATE, Tag::HEAD];
    !document.ancestors(node).any(|above| hidden.iter().any(|&tag| document.is(above, tag)))
}

/// Hashes of the shown texts, and their length. The address of a link that stands as its text is no text: so are places
/// marked that scripts wanted to lead the page to, and they count as links.
fn texts(document: &Document) -> (BTreeSet<u64>, usize) {
    let (mut texts, mut bytes) = (BTreeSet::new(), 0);
    for node in document.all().filter(|&node| document.is_text(node)) {
        let text = document.text(node).trim();
        let link = document.parent(node).and_then(|above| document.known_attr(above, Attr::HREF));
        if text.is_empty() || link == Some(text) || !is_shown(document, node) {
            continue;
        }
        bytes += text.len();
        texts.insert(xxh3_64(text.as_bytes()));
    }
    (texts, bytes)
}

/// Hashes of the addresses of links, and of states of the page; and the choice in the middle.
fn links(document: &Document, url: &str) -> (BTreeSet<u64>, BTreeSet<u64>, Option<String>) {
    let (mut links, mut states, mut choices) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    let Ok(base) = Url::parse(url) else { return (links, states, None) };
    for node in document.elements(Tag::A) {
        let Some(mut to) = document.known_attr(node, Attr::HREF).and_then(|to| base.join(to).ok())
        else {
            continue;
        };
        to.set_fragment(None);
        let hash = xxh3_64(to.as_str().as_bytes());
        let is_choice = to.query().is_some_and(|query| {
            ["check.", "select."]
                .iter()
                .any(|kind| query.contains(&format!("{STATE_PREFIX}{kind}")))
        });
        if is_choice {
            states.insert(hash);
            choices.push(to.to_string());
        } else if (!to.as_str().contains(STATE_PREFIX) || is_view(&to)) && to != base {
            links.insert(hash);
        }
    }
    for node in document.elements(Tag::INPUT) {
        let name = document.known_attr(node, Attr::NAME).unwrap_or_default();
        if name.starts_with(STATE_PREFIX) {
            states.insert(xxh3_64(name.as_bytes()));
        }
    }
    let middle = choices.len() / 2;
    (links, states, choices.into_iter().nth(middle))
}

/// Whether an address is that of another view of a page, as scripts tell them apart behind the `#`.
fn is_view(to: &Url) -> bool {
    let go = format!("{STATE_PREFIX}{}.", StepKind::Go.as_str());
    to.query_pairs().any(|(name, _)| name.starts_with(&go))
}

/// Hashes of the paths of elements, by names of elements and classes.
fn paths(document: &Document) -> BTreeSet<u64> {
    let mut hashes = vec![0; document.len()];
    let mut paths = BTreeSet::new();
    for node in document.all().filter(|&node| document.is_element(node)) {
        let above = document.parent(node).map_or(0, |parent| hashes[parent.index()]);
        let class = document.classes(node).next().unwrap_or_default();
        let name = xxh3_64_with_seed(document.tag_name(node).as_bytes(), above);
        let hash = xxh3_64_with_seed(class.as_bytes(), name);
        hashes[node.index()] = hash;
        paths.insert(hash);
    }
    paths
}

/// Host, number of path segments and the first of them.
fn place(url: &str) -> String {
    let Ok(url) = Url::parse(url) else { return String::new() };
    let segments: Vec<&str> =
        url.path_segments().map(|s| s.filter(|s| !s.is_empty()).collect()).unwrap_or_default();
    let first = if segments.len() > 1 { segments[0] } else { "" };
    let host = url.host_str().unwrap_or_default();
    format!("{host} {} {first}", segments.len())
}

/// An element with an id and nothing in it, which scripts may fill.
fn has_empty_element(document: &Document) -> bool {
    let containers = [Tag::DIV, Tag::MAIN, Tag::SECTION, Tag::UL, Tag::TBODY];
    containers
        .iter()
        .flat_map(|&tag| document.elements(tag))
        .any(|node| document.id(node).is_some() && document.first_child(node).is_none())
}

/// Whether a script element holds or names code.
fn runs_scripts(document: &Document) -> bool {
    document.elements(Tag::SCRIPT).any(|node| {
        let kind = document.known_attr(node, Attr::TYPE).unwrap_or_default().to_ascii_lowercase();
        kind.is_empty()
            || kind.contains("javascript")
            || kind.contains("ecmascript")
            || kind == "module"
    })
}

/// A note for those without scripts that speaks of them.
fn asks_for_scripts(document: &Document) -> bool {
    document.elements(Tag::NOSCRIPT).any(|node| {
        let texts = document.subtree(node).filter(|&inner| document.is_text(inner));
        texts.into_iter().any(|text| document.text(text).to_ascii_lowercase().contains("script"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_that_leads_to_a_linked_address_shows_the_same() {
        let page = |lead: &str| {
            let html = format!("<p>text</p><a href=/list?maker=a>a</a>{lead}");
            PageSketch::of("http://h/list", html.as_bytes())
        };
        let lead = |to: &str| {
            page(&format!("<a href='http://h/list?maker={to}'>http://h/list?maker={to}</a>"))
        };
        assert!(lead("a").shows_the_same(&page("")));
        assert!(!lead("b").shows_the_same(&page("")), "an address that only a script knows");
    }

    #[test]
    fn empty_pages_are_seen() {
        let long = "<p>words of a page that says a lot</p>".repeat(60);
        for (html, is_empty) in [
            ("<div id=root></div><script src=a.js></script>".to_owned(), true),
            (format!("{long}<div id=root></div><script></script>"), false),
            (format!("<p>{}</p><noscript>Enable JavaScript</noscript>", "x".repeat(600)), true),
            (format!("<p>{}</p>", "x".repeat(600)), false),
        ] {
            let sketch = PageSketch::of("http://h/", html.as_bytes());
            assert_eq!(sketch.looks_empty, is_empty, "{html:.60}");
        }
    }
}
