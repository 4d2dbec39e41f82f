//! Reads the product pages of a site: specification, ids, and the words that tell the category.

use std::collections::BTreeSet;

use quarry_dom::{Document, Tag};
use quarry_extract::spec::{
    KnownPairs, ProductId, SpecConfig, SpecPage, normal_name, product_ids, read_specs,
};
use serde::{Deserialize, Serialize};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

/// A page with a specification, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProductPage {
    /// Its address.
    pub url: String,
    /// Its ids.
    pub ids: Vec<ProductId>,
    /// The names of its attributes and the words of its title and of the way to it (`name …`, `word …`).
    pub terms: BTreeSet<String>,
    /// A hash of path, title and specification: copies of a site have the same. Shops that sell one maker's products may
    /// have the same paths and titles, but not the same texts.
    pub fingerprint: u64,
}

/// A parsed page of a site.
#[derive(Debug, Clone, Copy)]
pub struct SiteDocument<'a> {
    /// Its address.
    pub url: &'a Url,
    /// The page.
    pub document: &'a Document,
}

/// Signs that prices are known by.
pub(crate) const CURRENCY_SIGNS: &[char] = &['$', '€', '£', '¥'];

/// Pages with fewer names are not product pages: a review has a rating and a date, too.
const MIN_NAMES: usize = 4;

/// The product pages among the pages of one site, in the order of their addresses. Pages that share their title with most
/// others, and specifications that several pages have word for word, are furniture of the site.
#[must_use]
pub fn read_product_pages(pages: &[SiteDocument<'_>]) -> Vec<ProductPage> {
    let inputs: Vec<SpecPage<'_>> = pages
        .iter()
        .map(|page| SpecPage { id: page.url.as_str(), document: page.document })
        .collect();
    let found = read_specs(&inputs, &KnownPairs::default(), &SpecConfig::default());
    let mut products = Vec::new();
    let mut seen: BTreeSet<Vec<(&str, &str)>> = BTreeSet::new();
    for (page, specs) in pages.iter().zip(&found) {
        let pairs: Vec<_> = specs.iter().flat_map(|spec| spec.pairs.iter().cloned()).collect();
        let names: BTreeSet<String> = pairs.iter().map(|pair| normal_name(&pair.name)).collect();
        if names.len() < MIN_NAMES {
            continue;
        }
        let texts = specs.iter().flat_map(|spec| &spec.pairs);
        if !seen.insert(texts.map(|pair| (pair.name.as_str(), pair.value.as_str())).collect()) {
            continue;
        }
        let title = title_of(page.document);
        let mut terms: BTreeSet<String> =
            names.into_iter().map(|name| format!("name {name}")).collect();
        let words = words_of(&title).into_iter().chain(trail_words(page));
        terms.extend(words.map(|word| format!("word {word}")));
        // Prices change between the day of the copy and today.
        let lasting = pairs.iter().filter(|pair| !pair.value.contains(CURRENCY_SIGNS));
        let specification: String =
            lasting.map(|pair| format!("{}={};", pair.name, pair.value)).collect();
        let path = page.url.path();
        let query = page.url.query().unwrap_or("");
        products.push(ProductPage {
            url: page.url.as_str().to_owned(),
            ids: product_ids(&pairs),
            terms,
            fingerprint: xxh3_64(format!("{path}?{query} {title} {specification}").as_bytes()),
        });
    }
    products.sort_by(|one, other| one.url.cmp(&other.url));
    products
}

fn title_of(document: &Document) -> String {
    let heading = document.elements(Tag::H1).next();
    match heading {
        Some(node) => document.folded_text(node).into_owned(),
        None => document.title().unwrap_or_default().into_owned(),
    }
}

/// Words without digits, in lower case and without a plural ending.
fn words_of(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|char: char| !char.is_alphanumeric());
    words
        .filter(|word| word.chars().count() > 1 && word.chars().all(char::is_alphabetic))
        .map(|word| word.trim_end_matches('s').to_owned())
        .collect()
}

/// The words of links to pages above this one: those whose path is a part of its own, and breadcrumbs, which stand before
/// the heading in a list or navigation of few links.
fn trail_words(page: &SiteDocument<'_>) -> Vec<String> {
    let document = page.document;
    let own = page.url.path();
    let above = |url: &Url| {
        let path = url.path();
        path.len() > 1 && path.len() < own.len() && own.starts_with(path) && url.query().is_none()
    };
    let crumbs = |node| {
        document.ancestors(node).take(4).any(|node| {
            let named = |text: &str| text.to_ascii_lowercase().contains("crumb");
            document.classes(node).any(named)
                || document.attr(node, "aria-label").is_some_and(named)
        })
    };
    let links = document.links(page.url);
    let trail = links.iter().filter(|link| above(&link.url) || crumbs(link.node));
    trail.flat_map(|link| words_of(&link.text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(number: usize) -> (Url, Document) {
        let html = format!(
            "<html><body><nav class='breadcrumbs'><a href='/'>Home</a><a href='/tvs'>Televisions</a></nav>\
             <h1>Norva {number} Television</h1><table>\
             <tr><th>Brand</th><td>Norva</td></tr><tr><th>Model</th><td>NV-{number}00</td></tr>\
             <tr><th>Screen size</th><td>{number} in</td></tr><tr><th>Panel</th><td>OLED</td></tr>\
             <tr><th>MPN</th><td>NV{number}00-EU</td></tr><tr><th>Weight</th><td>{number} kg</td></tr>\
             </table></body></html>"
        );
        let url = Url::parse(&format!("http://shop.example/tv/{number}")).unwrap();
        (url, Document::from_html(&html))
    }

    #[test]
    fn names_ids_and_words_of_product_pages() {
        let pages: Vec<(Url, Document)> = (40..52).map(document).collect();
        let about = Document::from_html("<h1>About us</h1><p>We have been here since 1974.</p>");
        let url = Url::parse("http://shop.example/about").unwrap();
        let mut inputs: Vec<SiteDocument<'_>> =
            pages.iter().map(|(url, document)| SiteDocument { url, document }).collect();
        inputs.push(SiteDocument { url: &url, document: &about });
        let products = read_product_pages(&inputs);
        assert_eq!(products.len(), 12);
        let terms = &products[0].terms;
        for term in ["name screensize", "name panel", "word television", "word norva"] {
            assert!(terms.contains(term), "{term} in {terms:?}");
        }
        let ids: Vec<&str> = products[0].ids.iter().map(|id| id.id.as_str()).collect();
        assert_eq!(ids, ["NV4000-EU", "NV-4000"]);
    }
}
