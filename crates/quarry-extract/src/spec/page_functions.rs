//! Tells links to functions of a page from values. The text of a value that is a link (`Drama`) leads to one address wherever it is
//! printed; `Read reviews` has the same text on many pages, and an address of its own on each: it says nothing of the page's subject.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Attr, Document, NodeId, Tag};

use super::find::{Spec, SpecPair};
use crate::page::hash;

/// Pages that show a text, at least: on fewer, things of the same name may be meant.
const MIN_TEXT_PAGES: usize = 5;
/// Different addresses by pages, at least, for a text that leads to a function of each page.
const OWN_ADDRESSES: f64 = 0.9;
/// The share of a name's values that are such texts, from which on all its links are.
const MOSTLY: f64 = 0.5;
/// The share of pages that have a link of this text, from which on it belongs to the template, and how many of these have to lead to
/// one address each: else all addresses change from page to page, and prove nothing.
const TEMPLATE_PAGES: f64 = 0.8;
const STABLE: f64 = 0.5;
/// Elements from the node of a value up to the link around it, at most.
const MAX_LEVELS: usize = 3;

/// The texts and addresses of the links that are values of one name.
#[derive(Default)]
struct NameLinks<'d> {
    /// Values, linked or not.
    values: usize,
    /// For each text without a number the addresses, one a page.
    addresses: BTreeMap<&'d str, Vec<&'d str>>,
}

impl NameLinks<'_> {
    /// The texts that lead to a function of their page; all of them, if most values are such.
    fn functions(&self) -> BTreeSet<String> {
        let of_name = common_words(self.addresses.values().flatten());
        let is_function = |(text, addresses): &(&&str, &Vec<&str>)| {
            let different: BTreeSet<&&str> = addresses.iter().collect();
            // `/jobs?in=boston&from=17`: what the addresses of one text have in common repeats the text.
            let of_text = common_words(addresses.iter());
            let is_news = |word: &String| of_text.contains(word) && !of_name.contains(word);
            addresses.len() >= MIN_TEXT_PAGES
                && different.len() as f64 >= OWN_ADDRESSES * addresses.len() as f64
                && !words(text).any(|word| is_news(&word))
        };
        let mut texts: BTreeSet<String> = BTreeSet::new();
        let mut values = 0;
        for (text, addresses) in self.addresses.iter().filter(is_function) {
            texts.insert((*text).to_owned());
            values += addresses.len();
        }
        if values > 0 && values as f64 >= MOSTLY * self.values as f64 {
            texts.extend(self.addresses.keys().map(|text| (*text).to_owned()));
        }
        texts
    }
}

/// For each name that has some, the values that are links to a function of their page.
pub(super) fn learn(
    documents: &[&Document],
    found: &[Vec<Spec>],
) -> BTreeMap<String, BTreeSet<String>> {
    if documents.len() < MIN_TEXT_PAGES || !addresses_are_stable(documents) {
        return BTreeMap::new();
    }
    let mut names: BTreeMap<&str, NameLinks<'_>> = BTreeMap::new();
    for (document, specs) in documents.iter().zip(found) {
        for pair in specs.iter().flat_map(|spec| &spec.pairs) {
            let own = names.entry(&pair.name).or_default();
            own.values += 1;
            if let Some(address) = address(document, pair) {
                own.addresses.entry(&pair.value).or_default().push(address);
            }
        }
    }
    let functions = names.into_iter().map(|(name, own)| (name.to_owned(), own.functions()));
    functions.filter(|(_, texts)| !texts.is_empty()).collect()
}

/// Where a value leads that is the whole text of a link and has no number: numbers say something (`12 reviews`) wherever they lead.
fn address<'d>(document: &'d Document, pair: &SpecPair) -> Option<&'d str> {
    if pair.attribute.is_some() || pair.value.chars().any(char::is_numeric) {
        return None;
    }
    let node = pair.value_node;
    let mut around = std::iter::once(node).chain(document.ancestors(node)).take(MAX_LEVELS + 1);
    let inside = || {
        let nodes = (node.0..document.subtree_end(node).0).map(NodeId);
        nodes.into_iter().find(|&node| document.is(node, Tag::A))
    };
    let link = around.find(|&node| document.is(node, Tag::A)).or_else(inside)?;
    let is_whole = document.folded_text(link).trim() == pair.value;
    document.known_attr(link, Attr::HREF).filter(|_| is_whole)
}

/// Whether most links that all pages have lead to one address each.
fn addresses_are_stable(documents: &[&Document]) -> bool {
    // For each text, pages and hashes of addresses.
    let mut links: BTreeMap<u64, (usize, BTreeSet<u64>)> = BTreeMap::new();
    for document in documents {
        let mut of_page: BTreeMap<u64, u64> = BTreeMap::new();
        for link in document.elements(Tag::A) {
            if let Some(address) = document.known_attr(link, Attr::HREF) {
                let text = hash::of(document.folded_text(link).trim());
                of_page.entry(text).or_insert_with(|| hash::of(address));
            }
        }
        for (text, address) in of_page {
            let known = links.entry(text).or_default();
            known.0 += 1;
            known.1.insert(address);
        }
    }
    let is_template =
        |own: &&(usize, BTreeSet<u64>)| own.0 as f64 >= TEMPLATE_PAGES * documents.len() as f64;
    let template: Vec<_> = links.values().filter(is_template).collect();
    let stable = template.iter().filter(|(_, addresses)| addresses.len() == 1).count();
    stable as f64 >= STABLE * template.len() as f64
}

/// The words that all these addresses have.
fn common_words<'a>(mut addresses: impl Iterator<Item = &'a &'a str>) -> BTreeSet<String> {
    let Some(first) = addresses.next() else { return BTreeSet::new() };
    let mut common: BTreeSet<String> = words(first).collect();
    for address in addresses {
        let own: BTreeSet<String> = words(address).collect();
        common.retain(|word| own.contains(word));
    }
    common
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::find::SpecMethod;

    /// The pairs of six pages with these rows, in which `N` is the number of the page, that are functions.
    fn functions(rows: &str, menu: &str) -> Vec<String> {
        let page = |number: usize| {
            let html = format!("<a href=\"{menu}\">Home</a><dl>{rows}</dl>");
            Document::from_html(&html.replace('N', &number.to_string()))
        };
        let documents: Vec<Document> = (1..7).map(page).collect();
        let specs = |document: &Document| {
            let parts: Vec<NodeId> = document
                .all()
                .filter(|&node| matches!(document.tag_name(node), "dt" | "dd"))
                .collect();
            let pair = |both: &[NodeId]| SpecPair {
                name: document.folded_text(both[0]).into_owned(),
                value: document.folded_text(both[1]).into_owned(),
                name_node: both[0],
                value_node: both[1],
                attribute: None,
                section: None,
                item: 0,
            };
            let pairs = parts.chunks_exact(2).map(pair).collect();
            vec![Spec { node: NodeId::ROOT, score: 1.0, method: SpecMethod::Rows, pairs }]
        };
        let found: Vec<Vec<Spec>> = documents.iter().map(specs).collect();
        let all: Vec<&Document> = documents.iter().collect();
        let functions = learn(&all, &found).into_iter();
        functions
            .flat_map(|(name, texts)| texts.into_iter().map(move |text| format!("{name}: {text}")))
            .collect()
    }

    #[test]
    fn one_text_with_an_address_of_its_own_on_each_page_is_no_value() {
        let rows = "<dt>Rating<dd><a href=/reviews/N>Read reviews</a><dt>Genre<dd><a href=/genre/drama>Drama</a>\
                    <dt>Votes<dd><a href=/votes/N>12 votes</a><dt>Writer<dd>Anonymous\
                    <dt>Cast<dd><a href=/p/1>Ann Poe</a><dt>Cast<dd><a href=/p/2>Bo Lee</a><dt>Cast<dd><a href=/cast/N>Full credits</a>";
        assert_eq!(functions(rows, "/"), ["Cast: Full credits", "Rating: Read reviews"]);
        // Where every address has a part of its page, addresses prove nothing.
        assert_eq!(functions(rows, "/?from=N"), Vec::<String>::new());
    }

    #[test]
    fn what_addresses_repeat_of_the_text_is_a_value() {
        let rows = "<dt>Town<dd><a href=/jobs?in=boston&from=N>Boston</a><dt>Town<dd><a href=/jobs?in=austin&from=N>Austin</a>";
        assert_eq!(functions(rows, "/"), Vec::<String>::new());
    }
}
