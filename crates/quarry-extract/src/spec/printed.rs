//! Names that the pages of a site print before values, whatever the mark-up: a text that recurs from page to page,
//! closer to the text behind it than to the one before, in a style that has few different texts or on most pages, followed by
//! texts that vary.
//!
//! Rows (`row.rs`) know the usual mark-up of names and values; this knows none. It needs several pages of one template.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use quarry_dom::{Document, NodeId, PageIndex, Tag, fold_whitespace};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::find::{Spec, SpecMethod, SpecPair};
use super::runs;
use crate::page::hash;

/// Pages that must agree before texts outside rows are taken for names: fewer agree by chance.
const MIN_PAGES: usize = 10;
/// A name stands on at least so many pages, and on this share of them.
const MIN_NAME_PAGES: usize = 3;
const MIN_NAME_SHARE: f64 = 0.04;
/// Characters of a name and of a value, at most: longer ones are prose.
const MAX_NAME_CHARS: usize = 60;
const MAX_VALUE_CHARS: usize = 300;
/// The share of a name's pages that may show one and the same value: more, and it is boilerplate.
const SAME_VALUE: f64 = 0.97;
/// The share of a text's occurrences that must stand as a name does.
const AS_NAME: f64 = 0.7;
/// The style of names has at most this share of the variety of the style of values.
const NAME_VARIETY: f64 = 0.5;
/// Names stand once on a page; what records repeat is on average more often there.
const MAX_PER_PAGE: f64 = 1.5;
/// The mean share of pages that have the names of one style, at least. Texts that recur by chance, such as the teams in a table of
/// results, are in styles of texts that few pages have.
const MIN_STYLE_SHARE: f64 = 0.4;
/// The share of a name's occurrences behind which nothing but values stands, at least: rows of a table have further cells.
const CLEAN: f64 = 0.6;
/// The share of a style's texts that begin with a name, from which on those that recur are names.
const PREFIXED: f64 = 0.5;
/// Values of one name on one page, at most.
const MAX_VALUES: usize = 40;
/// Elements around a text that are looked at to see whether it is a heading.
const HEADING_DEPTH: usize = 3;
/// How sure such a pair is; there is no detector behind it.
const SCORE: f64 = 0.6;

/// The names that a site prints before values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PrintedNames {
    /// Names with elements of their own, each with the styles that they are printed in.
    names: BTreeMap<String, BTreeSet<u64>>,
    /// Names at the beginning of a text, before a colon.
    prefixes: BTreeSet<String>,
    /// Names inside of texts that have several.
    #[serde(default)]
    inner: BTreeSet<String>,
}

/// A shown text of a page.
struct Text {
    node: NodeId,
    text: String,
    style: u64,
    /// Whether it is a main heading of the page, or repeats one: what the page is about is no attribute of it.
    is_subject: bool,
    /// Whether it leads elsewhere.
    is_link: bool,
}

fn texts(document: &Document) -> Vec<Text> {
    let index = PageIndex::new(document);
    let headings: BTreeSet<String> = document
        .elements(Tag::H1)
        .map(|heading| document.folded_text(heading).trim().to_owned())
        .collect();
    let shown = index.leaves.iter().filter(|leaf| !leaf.image);
    let read = shown.map(|leaf| {
        let text = fold_whitespace(document.text(leaf.node)).trim().to_owned();
        Text {
            node: leaf.node,
            style: hash::then(index.path(leaf.element).0, index.style(leaf.element).0),
            is_subject: headings.contains(&text),
            is_link: document
                .ancestors(leaf.node)
                .take(HEADING_DEPTH)
                .any(|node| document.is(node, Tag::A)),
            text,
        }
    });
    read.collect()
}

/// What was seen of a text in one style, or of a beginning of texts.
#[derive(Default)]
struct Seen<'t> {
    occurrences: usize,
    links: usize,
    as_name: usize,
    pages: BTreeSet<usize>,
    values: HashMap<&'t str, usize>,
    value_styles: HashMap<u64, usize>,
    /// The styles of texts that begin so.
    styles: HashMap<u64, usize>,
}

impl Seen<'_> {
    fn varies(&self) -> bool {
        let most = self.values.values().copied().max().unwrap_or(0);
        let all: usize = self.values.values().sum();
        self.values.len() > 1 && most as f64 <= SAME_VALUE * all as f64
    }
}

impl Seen<'_> {
    /// Whether the text belongs to the template by itself, whatever else has its style: most pages have it, no link, before
    /// values that are mostly different.
    fn is_template(&self, pages: usize) -> bool {
        2 * self.pages.len() > pages
            && 2 * self.links < self.occurrences
            && 2 * self.values.len() > self.pages.len()
    }
}

/// How many texts a style has, and how many different ones.
#[derive(Default)]
struct StyleTexts<'t> {
    texts: usize,
    different: BTreeSet<&'t str>,
}

impl StyleTexts<'_> {
    fn variety(&self) -> f64 {
        self.different.len() as f64 / self.texts.max(1) as f64
    }
}

impl PrintedNames {
    /// Learns the names of pages of one template.
    pub(crate) fn learn(documents: &[&Document]) -> Self {
        if documents.len() < MIN_PAGES {
            return Self::default();
        }
        let pages: Vec<Vec<Text>> = documents.par_iter().map(|document| texts(document)).collect();
        let mut styles: HashMap<u64, StyleTexts<'_>> = HashMap::new();
        let mut seen: BTreeMap<(&str, u64), Seen<'_>> = BTreeMap::new();
        let mut begun: BTreeMap<&str, Seen<'_>> = BTreeMap::new();
        for (number, (page, document)) in pages.iter().zip(documents).enumerate() {
            for (at, text) in page.iter().enumerate() {
                let style = styles.entry(text.style).or_default();
                style.texts += 1;
                style.different.insert(&text.text);
                if let Some((name, value)) = beginning(&text.text) {
                    let own = begun.entry(name).or_default();
                    own.pages.insert(number);
                    *own.values.entry(value).or_default() += 1;
                    *own.styles.entry(text.style).or_default() += 1;
                }
                if !may_be_name(&text.text) {
                    continue;
                }
                let own = seen.entry((&text.text, text.style)).or_default();
                own.occurrences += 1;
                own.links += usize::from(text.is_link);
                let is_first = own.pages.insert(number);
                if let Some(value) =
                    page.get(at + 1).filter(|_| is_before_value(document, page, at))
                {
                    own.as_name += 1;
                    *own.value_styles.entry(value.style).or_default() += 1;
                    if is_first {
                        *own.values.entry(&value.text).or_default() += 1;
                    }
                }
            }
        }
        let least = (MIN_NAME_SHARE * pages.len() as f64).max(MIN_NAME_PAGES as f64);
        let recurs = |own: &Seen<'_>| own.pages.len() as f64 >= least;
        let mut names: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
        for (&(text, style), own) in &seen {
            let is_name = recurs(own)
                && own.as_name as f64 >= AS_NAME * own.occurrences as f64
                && own.occurrences as f64 <= MAX_PER_PAGE * own.pages.len() as f64
                && own.varies()
                && (ends_as_name(text)
                    || is_name_style(style, own, &styles)
                    || own.is_template(pages.len()));
            if is_name {
                names.entry(text.to_owned()).or_default().insert(style);
            }
        }
        let pages_of =
            |text: &str, style: u64| seen.get(&(text, style)).map_or(0, |own| own.pages.len());
        keep_common_styles(&mut names, pages_of, pages.len());
        begun.retain(|_, own| {
            let all: usize = own.values.values().sum();
            recurs(own) && own.varies() && all as f64 <= MAX_PER_PAGE * own.pages.len() as f64
        });
        let prefixes = prefixes(&begun, &styles, pages.len());
        let shown = pages.iter().flatten().map(|text| text.text.as_str());
        let inner = runs::inner_names(shown, least.ceil() as usize);
        let mut learned = Self { names, prefixes, inner };
        let unclean = learned.unclean(&pages, documents);
        learned.names.retain(|name, _| !unclean.contains(name));
        learned
    }

    /// Adds what no specification has yet, and parts values that hold further names.
    pub(crate) fn complete(&self, document: &Document, specs: &mut Vec<Spec>) {
        specs.extend(self.read(document, specs));
        runs::part(specs, &self.inner);
    }

    fn is_name(&self, text: &Text) -> bool {
        self.names.get(&text.text).is_some_and(|styles| styles.contains(&text.style))
    }

    /// Names behind which other texts than values stand: the cells of a row of a table.
    fn unclean(&self, pages: &[Vec<Text>], documents: &[&Document]) -> BTreeSet<String> {
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (page, document) in pages.iter().zip(documents) {
            for (at, text) in page.iter().enumerate() {
                if self.is_name(text) && is_before_value(document, page, at) {
                    let count = counts.entry(&text.text).or_default();
                    count.0 += usize::from(self.values(document, page, at).1);
                    count.1 += 1;
                }
            }
        }
        let is_unclean =
            |&(_, (clean, all)): &(&str, (usize, usize))| (clean as f64) < CLEAN * all as f64;
        counts.into_iter().filter(is_unclean).map(|(name, _)| name.to_owned()).collect()
    }

    /// The values behind a name, and whether nothing else stands between them and the next name, or the end of the element
    /// around name and value.
    fn values<'p>(&self, document: &Document, page: &'p [Text], at: usize) -> (&'p [Text], bool) {
        let first = &page[at + 1];
        let around = document.common_ancestor(page[at].node, first.node);
        let behind = &page[at + 1..page.len().min(at + 1 + MAX_VALUES)];
        let is_inside = |text: &&Text| document.contains(around, text.node) && !self.is_name(text);
        let inside = behind.iter().take_while(is_inside).count();
        let alike = behind.iter().take_while(|text| text.style == first.style).count().min(inside);
        // Behind a colon a note may follow, no longer than the values; the cells of a row are more.
        let rest = inside - alike;
        (&behind[..alike], rest == 0 || ends_as_name(&page[at].text) && rest <= alike)
    }

    /// The names and values of a page that no specification has yet.
    fn read(&self, document: &Document, known: &[Spec]) -> Option<Spec> {
        if self.names.is_empty() && self.prefixes.is_empty() {
            return None;
        }
        let page = texts(document);
        let taken = Taken::of(document, known);
        let mut pairs: Vec<SpecPair> = Vec::new();
        for (at, text) in page.iter().enumerate() {
            if taken.has(document, text) {
                continue;
            }
            if let Some((name, value)) = beginning(&text.text)
                && self.prefixes.contains(name)
            {
                pairs.push(pair(name, value, text.node, text.node, 0));
                continue;
            }
            if !self.is_name(text) || !is_before_value(document, &page, at) {
                continue;
            }
            let values = self.values(document, &page, at).0.iter();
            let values: Vec<&Text> = values.filter(|value| !taken.has(document, value)).collect();
            let several = values.len() > 1;
            for (number, value) in (1..).zip(&values) {
                let item = if several { number } else { 0 };
                pairs.push(pair(&text.text, &value.text, text.node, value.node, item));
            }
        }
        let node = pairs
            .iter()
            .map(|pair| pair.name_node)
            .reduce(|a, b| document.common_ancestor(a, b))?;
        Some(Spec { node, score: SCORE, method: SpecMethod::Agreement, pairs })
    }
}

/// The beginnings of texts that are names: most pages have them, or many texts of their style begin with a name. Headlines, some of
/// which begin with a word and a colon, do not.
fn prefixes(
    begun: &BTreeMap<&str, Seen<'_>>,
    styles: &HashMap<u64, StyleTexts<'_>>,
    pages: usize,
) -> BTreeSet<String> {
    let mut with_name: HashMap<u64, usize> = HashMap::new();
    for (&style, count) in begun.values().flat_map(|own| &own.styles) {
        *with_name.entry(style).or_default() += count;
    }
    let share = |style: &u64| with_name[style] as f64 / styles[style].texts.max(1) as f64;
    let is_name = |own: &Seen<'_>| {
        let all: usize = own.styles.values().sum();
        let among_names = own.styles.iter().filter(|(style, _)| share(style) >= PREFIXED);
        let among_names: usize = among_names.map(|(_, count)| count).sum();
        2 * own.pages.len() > pages || 2 * among_names > all
    };
    begun.iter().filter(|(_, own)| is_name(own)).map(|(name, _)| (*name).to_owned()).collect()
}

/// Leaves out names in styles whose names are on few pages.
fn keep_common_styles(
    names: &mut BTreeMap<String, BTreeSet<u64>>,
    pages_of: impl Fn(&str, u64) -> usize,
    pages: usize,
) {
    // Weighted by pages: the sum of squares by the sum.
    let mut shares: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for (name, styles) in &*names {
        for &style in styles {
            let share = pages_of(name, style) as f64 / pages as f64;
            let (squares, sum) = shares.entry(style).or_default();
            (*squares, *sum) = (*squares + share * share, *sum + share);
        }
    }
    let is_common = |style: &u64| {
        shares.get(style).is_some_and(|(squares, sum)| *squares >= MIN_STYLE_SHARE * sum)
    };
    names.retain(|_, styles| {
        styles.retain(is_common);
        !styles.is_empty()
    });
}

/// What the specifications that were found already hold.
struct Taken {
    nodes: Vec<NodeId>,
    names: BTreeSet<String>,
}

impl Taken {
    fn of(document: &Document, known: &[Spec]) -> Self {
        let pairs = || known.iter().flat_map(|spec| &spec.pairs);
        let mut nodes: Vec<NodeId> =
            pairs().flat_map(|pair| [pair.name_node, pair.value_node]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        // Outer nodes only, so that the last one that begins before a text is the one that may hold it.
        let mut outer: Vec<NodeId> = Vec::new();
        for node in nodes {
            if !outer.last().is_some_and(|&last| document.contains(last, node)) {
                outer.push(node);
            }
        }
        let names = pairs().map(|pair| name_key(&pair.name)).collect();
        Self { nodes: outer, names }
    }

    fn has(&self, document: &Document, text: &Text) -> bool {
        let next = self.nodes.partition_point(|&node| node <= text.node);
        let holds = |node: NodeId| node == text.node || document.contains(node, text.node);
        next.checked_sub(1).is_some_and(|last| holds(self.nodes[last]))
            || self.names.contains(&name_key(&text.text))
    }
}

fn name_key(name: &str) -> String {
    without_colon(name).to_lowercase()
}

fn pair(name: &str, value: &str, name_node: NodeId, value_node: NodeId, item: usize) -> SpecPair {
    SpecPair {
        name: without_colon(name).to_owned(),
        value: value.trim_start_matches([':', '：', '=']).trim().to_owned(),
        name_node,
        value_node,
        attribute: None,
        section: None,
        item,
    }
}

fn without_colon(name: &str) -> &str {
    name.trim().trim_end_matches([':', '：']).trim_end()
}

fn ends_as_name(text: &str) -> bool {
    text.ends_with([':', '：'])
}

fn may_be_name(text: &str) -> bool {
    text.chars().nth(MAX_NAME_CHARS).is_none() && text.chars().any(char::is_alphabetic)
}

/// A name and a value in one text, parted by a colon.
fn beginning(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once([':', '：'])?;
    let value = value.trim();
    let is_value = value.chars().any(char::is_alphanumeric)
        && value.chars().nth(MAX_VALUE_CHARS).is_none()
        && !value.starts_with("//");
    let is_name = may_be_name(name) && name.starts_with(char::is_alphabetic);
    (is_value && is_name).then_some((name, value))
}

/// Whether a text stands before another as a name does: in another style, and no closer to the text before it.
fn is_before_value(document: &Document, page: &[Text], at: usize) -> bool {
    let Some(value) = page.get(at + 1) else { return false };
    // A sentence that goes on behind a link begins with a mark.
    let goes_on = value.text.starts_with(['.', ',', ';', ')', '?', '!']);
    if goes_on || value.text.chars().nth(MAX_VALUE_CHARS).is_some() || ends_as_name(&value.text) {
        return false;
    }
    let name = &page[at];
    let is_running_text = || !ends_as_name(&name.text) && is_one_line(document, name, value);
    if value.style == name.style && !ends_as_name(&name.text)
        || is_running_text()
        || value.is_subject
        || is_in_heading(document, value.node)
    {
        return false;
    }
    let depth = |other: NodeId| document.depth(document.common_ancestor(name.node, other));
    at.checked_sub(1).is_none_or(|before| depth(value.node) >= depth(page[before].node))
}

/// Whether a text and the element behind it stand in one line of one element: `by <a>Name</a>`.
fn is_one_line(document: &Document, name: &Text, value: &Text) -> bool {
    let holds = |parent: NodeId| document.contains(parent, value.node);
    let mut between = (name.node.0..value.node.0).map(NodeId);
    document.parent(name.node).is_some_and(holds) && !between.any(|node| document.is(node, Tag::BR))
}

/// Whether a text is a heading: it names what follows, and is no value of what stands before it.
fn is_in_heading(document: &Document, node: NodeId) -> bool {
    let is_heading = |&node: &NodeId| document.tag(node).and_then(Tag::heading_level).is_some();
    document.ancestors(node).take(HEADING_DEPTH).any(|node| is_heading(&node))
}

/// Whether the style of a text has few different texts beside the styles of what follows it.
fn is_name_style(style: u64, own: &Seen<'_>, styles: &HashMap<u64, StyleTexts<'_>>) -> bool {
    let all: usize = own.value_styles.values().sum();
    let variety = |style: u64| styles.get(&style).map_or(0.0, StyleTexts::variety);
    let mut of_values: Vec<(u64, usize)> = own.value_styles.iter().map(|(s, n)| (*s, *n)).collect();
    of_values.sort_unstable();
    let values: f64 = of_values.iter().map(|&(style, n)| variety(style) * n as f64).sum();
    variety(style) <= NAME_VARIETY * values / all.max(1) as f64
}
