//! The signature of a page for clustering. Bags of features that say how it is built, not what it
//! says: its tags (THOR §3.1.2, "tag-tree signature"), and finer, the tag paths with the classes
//! that stand at their ends.

use quarry_dom::{Document, Kind, NodeId, Tag};
use serde::{Deserialize, Serialize};

/// Features with their counts, sorted by feature. A feature is a hash; equal things on different
/// pages have equal features.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Bag(Vec<(u64, u32)>);

impl Bag {
    /// Counts features.
    ///
    /// ```
    /// use quarry_extract::cluster::Bag;
    /// assert_eq!(Bag::count(vec![7, 3, 7]).entries(), [(3, 1), (7, 2)]);
    /// ```
    #[must_use]
    pub fn count(mut features: Vec<u64>) -> Self {
        features.sort_unstable();
        let mut entries: Vec<(u64, u32)> = Vec::new();
        for feature in features {
            match entries.last_mut() {
                Some((last, count)) if *last == feature => *count += 1,
                _ => entries.push((feature, 1)),
            }
        }
        Self(entries)
    }

    /// The features and their counts, by feature.
    #[must_use]
    pub fn entries(&self) -> &[(u64, u32)] {
        &self.0
    }
}

/// All that clustering and ranking need to know of a page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct PageSignature {
    /// How often each tag occurs (THOR §3.1.2).
    pub tags: Bag,
    /// How often each tag path occurs, and each class at a tag path.
    pub paths: Bag,
    /// Different words in the visible text (THOR §3.1.3).
    pub distinct_terms: u32,
    /// The most children that one node has (THOR §3.1.3).
    pub fan_out: u32,
    /// Length of the page in bytes (THOR §3.1.3).
    pub bytes: u64,
}

/// At most this many class tokens of an element are features.
const MOST_CLASSES: usize = 8;

impl PageSignature {
    /// Reads the signature of a page that was `bytes` long.
    ///
    /// ```
    /// use quarry_dom::Document;
    /// use quarry_extract::cluster::PageSignature;
    /// let html = "<ul><li>red shoe</li><li>blue shoe</li></ul>";
    /// let page = PageSignature::of(&Document::from_html(html), html.len());
    /// assert_eq!((page.distinct_terms, page.fan_out), (3, 2));
    /// ```
    #[must_use]
    pub fn of(document: &Document, bytes: usize) -> Self {
        let mut reader = Reader::default();
        for node in document.all() {
            match document.kind(node) {
                Kind::Element => reader.element(document, node),
                Kind::Text if !document.is_hidden(node) => reader.text(document.text(node)),
                _ => {}
            }
        }
        reader.terms.sort_unstable();
        reader.terms.dedup();
        Self {
            tags: Bag::count(reader.tags),
            paths: Bag::count(reader.paths),
            distinct_terms: u32::try_from(reader.terms.len()).unwrap_or(u32::MAX),
            fan_out: reader.fan_out,
            bytes: bytes as u64,
        }
    }
}

#[derive(Default)]
struct Reader {
    tags: Vec<u64>,
    paths: Vec<u64>,
    terms: Vec<u64>,
    fan_out: u32,
    /// The hash of the tag path of the open element at each depth.
    open: Vec<u64>,
    word: String,
}

impl Reader {
    fn element(&mut self, document: &Document, node: NodeId) {
        let name = hash(0, document.tag_name(node).as_bytes());
        self.tags.push(name);
        let fan_out = u32::try_from(document.fan_out(node)).unwrap_or(u32::MAX);
        self.fan_out = self.fan_out.max(fan_out);
        let depth = document.depth(node);
        self.open.truncate(depth);
        let parent = self.open.last().copied().unwrap_or_default();
        // Whatever is below an element that says nothing of the template keeps its parent's mark.
        let path =
            if parent == SILENT || is_silent(document, node) { SILENT } else { mix(parent, name) };
        self.open.resize(depth, parent);
        self.open.push(path);
        if path == SILENT {
            return;
        }
        self.paths.push(path);
        for class in document.classes(node).take(MOST_CLASSES) {
            // Numbers in class names are ids of the page's content.
            if !class.bytes().any(|b| b.is_ascii_digit()) {
                self.paths.push(hash(path, class.as_bytes()));
            }
        }
    }

    fn text(&mut self, text: &str) {
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
            self.word.clear();
            self.word.extend(word.chars().flat_map(char::to_lowercase));
            self.terms.push(hash(0, self.word.as_bytes()));
        }
    }
}

/// The mark of an element whose inside is not looked at.
const SILENT: u64 = u64::MAX;

/// Scripts, styles and drawings differ from page to page of one template.
fn is_silent(document: &Document, node: NodeId) -> bool {
    document.tag(node).is_some_and(|tag| {
        matches!(
            tag,
            Tag::HEAD
                | Tag::SCRIPT
                | Tag::STYLE
                | Tag::NOSCRIPT
                | Tag::TEMPLATE
                | Tag::SVG
                | Tag::MATH
                | Tag::BR
                | Tag::WBR
        )
    })
}

/// A hash that is the same on every machine (FNV-1a, then mixed).
pub(crate) fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let mut state = seed ^ 0xcbf2_9ce4_8422_2325;
    for byte in bytes {
        state = (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    mix(state, seed)
}

/// Mixes two numbers (the finalizer of splitmix64).
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.rotate_left(23) ^ b.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(html: &str) -> PageSignature {
        PageSignature::of(&Document::from_html(html), html.len())
    }

    #[test]
    fn structure_counts_and_content_does_not() {
        let check = |a: &str, b: &str, same: bool| {
            let (a, b) = (of(a), of(b));
            assert_eq!(a.paths == b.paths, same, "{a:?} {b:?}");
        };
        check("<p>one</p>", "<p>two</p>", true);
        check("<p>one</p>", "<p>two</p><p>three</p>", false);
        check("<p class=a>one</p>", "<p class=b>one</p>", false);
        check("<p class=post-17>one</p>", "<p class=post-18>one</p>", true);
        check("<p>one</p>", "<p>one</p><svg><g/></svg><script>x</script>", true);
        check("<div><p>one</p></div>", "<section><p>one</p></section>", false);
    }

    #[test]
    fn terms_are_counted_once_in_any_case() {
        assert_eq!(of("<p>Red red, RED</p><script>blue</script>").distinct_terms, 1);
        assert_eq!(of("").distinct_terms, 0);
    }
}
