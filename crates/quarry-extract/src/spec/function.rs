//! Values that are functions of the page, not facts about its subject. Two kinds of evidence, both from the pages of the site:
//! what is left of a link without the words of the page's title is the same on most pages (`Find dealers for a 2011 …`, `Watch the
//! trailer of …`), or a link has one text everywhere and on every page another address of the site (`Read reviews`), or never
//! stands but at the end of several values (`Add sites`).
//! A text that is no link, such as the full name of the page's subject, is a value.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Document, NodeId, Tag};
use serde::{Deserialize, Serialize};

use super::find::{Spec, SpecPair};

/// Pages that must agree.
const MIN_PAGES: usize = 3;
/// The share of a name's pages that have one and the same sentence around their subject, at least.
const SAME_SENTENCE: f64 = 0.6;
/// The share of titles that have a word, from which on it belongs to the site, not to the subject.
const SITE_WORD: f64 = 0.5;
/// The share of a name's pages that have the link, at least. Values that recur are on fewer.
const LINK_PAGES: f64 = 0.5;
/// Addresses of a link by its pages, at least.
const NEW_ADDRESS: f64 = 0.8;
/// Pages on which a link ends several values, at least, if it does so wherever it stands.
const MIN_LAST: usize = 5;
/// The share of other links that change their address with the page, from which on addresses say nothing: the site marks each
/// with the page that it stands on.
const MARKED: f64 = 0.3;

/// The functions that stand where values do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Functions {
    /// Words that most titles have.
    site_words: BTreeSet<String>,
    /// By name: sentences around the subject of the page, without the words of its title.
    sentences: BTreeMap<String, BTreeSet<String>>,
    /// By name: texts of links.
    links: BTreeMap<String, BTreeSet<String>>,
    /// Names half of whose values are functions.
    names: BTreeSet<String>,
}

/// The words of a page's title and main headings that are its own.
pub(super) struct SubjectWords(BTreeSet<String>);

/// A link text below one name.
#[derive(Default)]
struct Link<'d> {
    pages: usize,
    /// Pages on which it ends several values.
    last: usize,
    addresses: BTreeSet<&'d str>,
}

impl Functions {
    pub(super) fn learn(documents: &[&Document], found: &[Vec<Spec>]) -> Self {
        let titles: Vec<BTreeSet<String>> =
            documents.iter().map(|document| title_words(document)).collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for word in titles.iter().flatten() {
            *counts.entry(word).or_default() += 1;
        }
        let is_common = |count: usize| count as f64 >= SITE_WORD * documents.len() as f64;
        let site_words = counts.iter().filter(|(_, count)| is_common(**count));
        let site_words: BTreeSet<String> = site_words.map(|(word, _)| (*word).to_owned()).collect();
        let mut pages: BTreeMap<&str, usize> = BTreeMap::new();
        let mut sentences: BTreeMap<(&str, String), (usize, BTreeSet<&str>)> = BTreeMap::new();
        let mut links: BTreeMap<(&str, &str), Link<'_>> = BTreeMap::new();
        for ((document, specs), words) in documents.iter().zip(found).zip(titles) {
            let words = SubjectWords(words.difference(&site_words).cloned().collect());
            let mut names: BTreeSet<&str> = BTreeSet::new();
            let mut own: BTreeSet<(&str, String)> = BTreeSet::new();
            let mut own_links: BTreeSet<(&str, &str)> = BTreeSet::new();
            let pairs = || specs.iter().flat_map(|spec| &spec.pairs);
            let last: BTreeMap<&str, &SpecPair> =
                pairs().map(|pair| (pair.name.as_str(), pair)).collect();
            for pair in pairs() {
                names.insert(&pair.name);
                let Some(address) = address(document, pair) else { continue };
                if let Some(sentence) = words.around(&pair.value)
                    && own.insert((&pair.name, sentence.clone()))
                {
                    let seen = sentences.entry((&pair.name, sentence)).or_default();
                    seen.0 += 1;
                    seen.1.insert(&pair.value);
                }
                if own_links.insert((&pair.name, &pair.value)) {
                    let link = links.entry((&pair.name, &pair.value)).or_default();
                    link.pages += 1;
                    let is_last = pair.item > 1 && std::ptr::eq(last[pair.name.as_str()], pair);
                    link.last += usize::from(is_last);
                    link.addresses.insert(address);
                }
            }
            for name in names {
                *pages.entry(name).or_default() += 1;
            }
        }
        let mut functions = Self { site_words, ..Self::default() };
        for ((name, sentence), (count, values)) in sentences {
            let is_most = count as f64 >= SAME_SENTENCE * pages[name] as f64;
            if count >= MIN_PAGES && is_most && values.len() > 1 {
                functions.sentences.entry(name.to_owned()).or_default().insert(sentence);
            }
        }
        let is_most = |name: &str, link: &Link<'_>| {
            link.pages >= MIN_PAGES && link.pages as f64 >= LINK_PAGES * pages[name] as f64
        };
        let recurring = links.iter().filter(|(_, link)| link.pages > 1);
        let others = recurring.filter(|((name, _), link)| !is_most(name, link));
        let others: Vec<bool> = others.map(|(_, link)| link.is_new_everywhere()).collect();
        let marked = others.iter().filter(|is_new| **is_new).count();
        let is_marked = marked as f64 > MARKED * others.len() as f64;
        for ((name, text), link) in &links {
            let is_new = !is_marked && link.is_new_everywhere();
            if is_most(name, link) && (is_new || link.is_always_last()) {
                functions.links.entry((*name).to_owned()).or_default().insert((*text).to_owned());
            }
        }
        functions.names = functions.names(documents, found);
        functions
    }

    /// Names over functions: what else stands there is one, too.
    fn names(&self, documents: &[&Document], found: &[Vec<Spec>]) -> BTreeSet<String> {
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (document, specs) in documents.iter().zip(found) {
            let subject = self.subject(document);
            for pair in specs.iter().flat_map(|spec| &spec.pairs) {
                let count = counts.entry(&pair.name).or_default();
                count.0 += usize::from(self.has(document, &subject, pair));
                count.1 += 1;
            }
        }
        let is_most = |&(_, (functions, all)): &(&str, (usize, usize))| 2 * functions >= all;
        counts.into_iter().filter(is_most).map(|(name, _)| name.to_owned()).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sentences.is_empty() && self.links.is_empty()
    }

    /// The words of a page's subject.
    pub(super) fn subject(&self, document: &Document) -> SubjectWords {
        SubjectWords(title_words(document).difference(&self.site_words).cloned().collect())
    }

    pub(super) fn has(&self, document: &Document, subject: &SubjectWords, pair: &SpecPair) -> bool {
        let is_sentence = |sentences: &BTreeSet<String>| {
            subject.around(&pair.value).is_some_and(|sentence| sentences.contains(&sentence))
        };
        let is_text = |texts: &BTreeSet<String>| texts.contains(&pair.value);
        if self.names.contains(&pair.name) {
            return true;
        }
        (self.sentences.get(&pair.name).is_some_and(is_sentence)
            || self.links.get(&pair.name).is_some_and(is_text))
            && address(document, pair).is_some()
    }
}

impl Link<'_> {
    /// Whether it never stands alone or before another value: what further values could be added by, or where more are.
    fn is_always_last(&self) -> bool {
        self.pages >= MIN_LAST && self.last == self.pages
    }

    /// Whether it leads to another page of the same host wherever it stands.
    fn is_new_everywhere(&self) -> bool {
        let hosts: BTreeSet<&str> = self.addresses.iter().map(|address| host(address)).collect();
        hosts.len() == 1 && self.addresses.len() as f64 >= NEW_ADDRESS * self.pages as f64
    }
}

impl SubjectWords {
    /// What stands around words of the subject in a text that has other words, too.
    fn around(&self, text: &str) -> Option<String> {
        let folded = text.to_lowercase();
        let (own, others): (Vec<&str>, Vec<&str>) =
            words(&folded).partition(|word| self.0.contains(*word));
        let says_more = others.iter().any(|word| word.chars().any(char::is_alphabetic));
        (!own.is_empty() && says_more).then(|| others.join(" "))
    }
}

/// The words of the title and the main headings.
fn title_words(document: &Document) -> BTreeSet<String> {
    let headings = [Tag::TITLE, Tag::H1].into_iter().flat_map(|tag| document.elements(tag));
    headings
        .flat_map(|node| {
            let text = document.folded_text(node).to_lowercase();
            words(&text).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect()
}

/// The words of a text without the marks around them. Addresses stay in one piece.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|char: char| !char.is_alphanumeric()))
        .filter(|word| !word.is_empty())
}

/// The address of a value that is a link.
fn address<'d>(document: &'d Document, pair: &SpecPair) -> Option<&'d str> {
    let node = pair.value_node;
    let is_link = |node: &NodeId| document.is(*node, Tag::A);
    let inside = (node.0..document.subtree_end(node).0).map(NodeId);
    let around = document.ancestors(node);
    let link = inside.into_iter().find(is_link).or_else(|| around.into_iter().find(is_link))?;
    let address = document.attr(link, "href")?.trim();
    let leads =
        !address.is_empty() && !address.starts_with('#') && !address.starts_with("javascript:");
    leads.then_some(address)
}

fn host(address: &str) -> &str {
    let Some((_, rest)) = address.split_once("//") else { return "" };
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}
