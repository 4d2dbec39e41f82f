//! Compares a page as it was sent with the same page as its scripts left it: which texts and links they added.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Attr, Document, Tag};
use quarry_model::{STATE_PREFIX, StepKind};
use url::Url;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::document;

/// A page with less text than this, in bytes, and with scripts looks empty.
const LITTLE_TEXT: usize = 300;
/// A page with less text than this looks empty if it has an element that waits to be filled, or a note that asks for scripts.
const SOME_TEXT: usize = 1_500;

/// Groups of choices that are sampled: boxes that mark rows stand beside those that narrow a list.
const SAMPLED_GROUPS: usize = 3;
/// Texts that a choice may replace although it takes nothing away: a count, a clock.
const MAX_REPLACED_TEXTS: usize = 2;
/// Share of a page's links that the same list in another size need not have: its pager, its switches.
const MAX_OTHER_LINKS: f64 = 0.2;

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
    /// The choices in the middle of the largest groups: what they do shows what choices do.
    pub(super) sampled_choices: Vec<String>,
    /// Addresses that scripts wanted to lead the page to.
    pub(super) leads: Vec<String>,
    /// Whether it has scripts that run; data in script elements does not.
    pub(super) runs_scripts: bool,
    /// Little text, an element that waits to be filled, a note that asks for scripts.
    pub(super) looks_empty: bool,
}

impl PageSketch {
    pub(super) fn of(url: &str, content: &[u8]) -> Self {
        let document = document(content);
        let (texts, bytes) = texts(&document);
        let (links, states, sampled_choices) = links(&document, url);
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
            sampled_choices,
            leads: leads(&document),
        }
    }

    /// Whether both show the same texts and links.
    pub(super) fn shows_the_same(&self, other: &Self) -> bool {
        self.texts == other.texts && self.links == other.links
    }

    /// Whether this page has all that the other one shows, and maybe more: what was opened or made longer, not narrowed.
    pub(super) fn keeps_all_of(&self, other: &Self) -> bool {
        other.links.is_subset(&self.links)
            && other.texts.difference(&self.texts).count() <= MAX_REPLACED_TEXTS
    }

    /// The only address that scripts want to lead this page to, and not the other, if nothing else tells the two apart.
    pub(super) fn leads_away_from(&self, other: &Self) -> Option<&str> {
        let mut leads = self.leads.iter().filter(|lead| !other.leads.contains(lead));
        let lead = leads.next().filter(|_| leads.next().is_none())?;
        // The choice that was taken back is a plain link.
        let changed = self.texts.symmetric_difference(&other.texts).count();
        (changed <= MAX_REPLACED_TEXTS).then_some(lead.as_str())
    }

    /// Whether this page lists all that the other one does: the same list, or a longer part of it. Both as they were sent.
    pub(super) fn shows_all_of(&self, other: &Self) -> bool {
        let missing = other.links.difference(&self.links).count();
        !other.links.is_empty() && missing as f64 <= MAX_OTHER_LINKS * other.links.len() as f64
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
/// marked that scripts wanted to lead the page to, and they count as links. What can be chosen is no text either: options, and
/// the links that are written for them.
fn texts(document: &Document) -> (BTreeSet<u64>, usize) {
    let (mut texts, mut bytes) = (BTreeSet::new(), 0);
    for node in document.all().filter(|&node| document.is_text(node)) {
        let text = document.text(node).trim();
        let link = document.parent(node).and_then(|above| document.known_attr(above, Attr::HREF));
        let is_choice = link.is_some_and(|link| link.contains(STATE_PREFIX))
            || document.ancestors(node).take(2).any(|above| document.is(above, Tag::OPTION));
        if text.is_empty() || link == Some(text) || !is_shown(document, node) {
            continue;
        }
        bytes += text.len();
        if !is_choice {
            texts.insert(xxh3_64(text.as_bytes()));
        }
    }
    (texts, bytes)
}

/// Hashes of the addresses of links, and of states of the page; and some of its choices.
fn links(document: &Document, url: &str) -> (BTreeSet<u64>, BTreeSet<u64>, Vec<String>) {
    let (mut links, mut states) = (BTreeSet::new(), BTreeSet::new());
    let mut choices: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let Ok(base) = Url::parse(url) else { return (links, states, Vec::new()) };
    for node in document.elements(Tag::A) {
        let Some(mut to) = document.known_attr(node, Attr::HREF).and_then(|to| base.join(to).ok())
        else {
            continue;
        };
        to.set_fragment(None);
        let hash = xxh3_64(to.as_str().as_bytes());
        if let Some(group) = choice_group(&to) {
            states.insert(hash);
            choices.entry(group).or_default().push(to.to_string());
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
    let mut groups: Vec<Vec<String>> = choices.into_values().collect();
    groups.sort_by_key(|choices| std::cmp::Reverse(choices.len()));
    groups.truncate(SAMPLED_GROUPS);
    let middle = |choices: &mut Vec<String>| choices.swap_remove(choices.len() / 2);
    (links, states, groups.iter_mut().map(middle).collect())
}

/// The group of choices that an address makes one of, if it does.
fn choice_group(to: &Url) -> Option<String> {
    let mut names =
        to.query_pairs().filter_map(|(name, _)| Some(name.strip_prefix(STATE_PREFIX)?.to_owned()));
    names.find(|name| ["check.", "select."].iter().any(|kind| name.starts_with(kind)))
}

/// Addresses that scripts wanted to lead the page to: links whose text is their address.
fn leads(document: &Document) -> Vec<String> {
    let is_lead = |&node: &quarry_dom::NodeId| {
        let text = document.first_child(node).filter(|&child| document.is_text(child));
        text.is_some_and(|text| Some(document.text(text)) == document.known_attr(node, Attr::HREF))
    };
    let leads = document.elements(Tag::A).filter(is_lead);
    leads.filter_map(|node| document.known_attr(node, Attr::HREF)).map(str::to_owned).collect()
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
    fn what_can_be_chosen_is_no_text_and_a_choice_of_each_group_is_sampled() {
        let choices: String =
            ["check.fam", "select.plo", "select.plo", "select.plo", "select.gost"]
                .iter()
                .enumerate()
                .map(|(n, name)| format!("<a href='/list?quarry.{name}={n}'>Choice {n}</a>"))
                .collect();
        let plain = PageSketch::of("http://h/list", b"<p>text");
        let html = format!("<p>text</p><select><option>Choice 1<option>Choice 2</select>{choices}");
        let page = PageSketch::of("http://h/list", html.as_bytes());
        assert_eq!(page.texts, plain.texts);
        let expect = ["select.plo=2", "check.fam=0", "select.gost=4"];
        assert_eq!(page.sampled_choices, expect.map(|own| format!("http://h/list?quarry.{own}")));
    }

    #[test]
    fn a_choice_that_opens_or_lengthens_takes_nothing_away() {
        let page = |body: &str| PageSketch::of("http://h/list", body.as_bytes());
        let list = "<p>1 of 9</p><li><a href=/a>a</a><li><a href=/b>b</a><li><a href=/c>c</a>";
        let before = page(list);
        assert!(page(&format!("{list}<p>panel</p>")).keeps_all_of(&before));
        let longer = list.replace("1 of 9", "1 of 3");
        assert!(page(&format!("{longer}<li><a href=/d>d</a>")).keeps_all_of(&before));
        assert!(!page("<p>1 of 3</p><li><a href=/a>a</a>").keeps_all_of(&before));
        assert!(!page("<p>1 of 9</p><li><a href=/d>d</a>").keeps_all_of(&before));
        let led = page(&format!("{list}<a href='http://h/list?n=50'>http://h/list?n=50</a>"));
        assert_eq!(led.leads_away_from(&before), Some("http://h/list?n=50"));
        assert!(page(&format!("{list}<li><a href=/d>d</a>")).shows_all_of(&before));
        assert!(!page("<li><a href=/a>a</a><li><a href=/d>d</a>").shows_all_of(&before));
        assert!(!page(list).shows_all_of(&page("")), "a page without links tells nothing");
    }

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
