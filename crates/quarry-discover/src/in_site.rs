//! The in-site filter: does a site publish specifications of the category? A small crawl brought pages; those with a
//! specification are of the category if they print an id that known sites print, if they have the same names of attributes
//! as such a page of the site, or if their names of attributes and the words of their titles are those of known sites rather
//! than of other sites with specifications.
//!
//! The paper discards sites without specification pages and leaves the category to classifiers that were trained for it.
//! Here ids label the first sites, and what these have in common labels the sites that print no known id.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::spec::{IdKind, ProductId, normal_name};
use serde::{Deserialize, Serialize};

use crate::page::ProductPage;

/// Pages of the category that a relevant site has at least.
pub const MIN_PAGES: usize = 2;
/// Other sites with specifications that must be known before words alone decide.
const MIN_OTHER_SITES: u32 = 3;
/// Sites of the category that must be known, too.
const MIN_RELEVANT_SITES: u32 = 3;
/// Pages that must be the same.
const COPIED_PAGES: usize = 3;

/// What the in-site filter decides by. The numbers were set by hand; `discover_eval --vary` says what each is worth
/// (docs/algorithms/discover.md, "What depends on numbers set by hand").
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InSiteConfig {
    /// What a single term may add to the log-odds: terms of a page are not independent. Default 1.5.
    pub max_term: f64,
    /// Sites of either kind that are assumed beside those that were seen, with `base_share` of the terms each. Default 2.
    pub smoothing: f64,
    /// Share of other sites that have a name of attributes that was not seen on any. Default 0.1.
    pub base_share: f64,
    /// Other sites with which terms of the category count half. Default 10.
    pub few_others: f64,
    /// Log-odds above which a page is of the category. Default 1.
    pub min_score: f64,
    /// Log-odds below which a page is of another category, whatever ids it prints. Default −2.
    pub contradiction: f64,
    /// Share of the names of attributes that two pages of a site have in common if they are of one category. Below it are
    /// pages of other categories, which share brand, price and the like. Default 0.7.
    pub alike_share: f64,
    /// Share of the product pages that are the same on a copy of a known site. Default 0.8.
    pub copied_share: f64,
}

impl Default for InSiteConfig {
    fn default() -> Self {
        Self {
            max_term: 1.5,
            smoothing: 2.0,
            base_share: 0.1,
            few_others: 10.0,
            min_score: 1.0,
            contradiction: -2.0,
            alike_share: 0.7,
            copied_share: 0.8,
        }
    }
}

/// Which terms sites of the category have, and which other sites with specifications: counts of sites.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Vocabulary {
    relevant: BTreeMap<String, u32>,
    relevant_sites: u32,
    other: BTreeMap<String, u32>,
    other_sites: u32,
}

impl Vocabulary {
    /// Counts the terms of a site.
    pub fn add<'a>(&mut self, is_relevant: bool, pages: impl Iterator<Item = &'a ProductPage>) {
        let terms: BTreeSet<&String> = pages.flat_map(|page| &page.terms).collect();
        let (counts, sites) = self.side(is_relevant);
        *sites += 1;
        for term in terms {
            *counts.entry(term.clone()).or_default() += 1;
        }
    }

    /// Takes a site's terms away again.
    pub fn remove<'a>(&mut self, is_relevant: bool, pages: impl Iterator<Item = &'a ProductPage>) {
        let terms: BTreeSet<&String> = pages.flat_map(|page| &page.terms).collect();
        let (counts, sites) = self.side(is_relevant);
        *sites = sites.saturating_sub(1);
        for term in terms {
            if let Some(count) = counts.get_mut(term) {
                *count = count.saturating_sub(1);
            }
        }
        counts.retain(|_, count| *count > 0);
    }

    fn side(&mut self, is_relevant: bool) -> (&mut BTreeMap<String, u32>, &mut u32) {
        match is_relevant {
            true => (&mut self.relevant, &mut self.relevant_sites),
            false => (&mut self.other, &mut self.other_sites),
        }
    }

    /// Whether enough sites are known for words alone to decide.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.relevant_sites >= MIN_RELEVANT_SITES && self.other_sites >= MIN_OTHER_SITES
    }

    /// The log-odds that a page is of the category, by the names of its attributes and by its words: a naive Bayes
    /// classifier over counts of sites.
    ///
    /// Names that no site of the category has are evidence against it; unknown words of titles (brands, models) say
    /// nothing. What only sites of the category have counts the less the fewer others are known: with three others, brand and
    /// price may look like the category's own.
    #[must_use]
    pub fn score(&self, page: &ProductPage, config: &InSiteConfig) -> PageScore {
        let InSiteConfig { max_term, smoothing, base_share, few_others, .. } = *config;
        let trust = f64::from(self.other_sites) / (f64::from(self.other_sites) + few_others);
        let part = |term: &String| {
            let relevant = self.relevant.get(term).copied().unwrap_or(0);
            let other = self.other.get(term).copied().unwrap_or(0);
            if relevant + other < 2 && !(relevant == 0 && term.starts_with("name ")) {
                return 0.0;
            }
            let share = |count: u32, sites: u32| {
                (f64::from(count) + smoothing * base_share) / (f64::from(sites) + smoothing)
            };
            let odds = share(relevant, self.relevant_sites)
                / share(other, self.other_sites).max(base_share);
            let odds = odds.ln().clamp(-max_term, max_term);
            if odds > 0.0 { odds * trust } else { odds }
        };
        let is_name = |term: &&String| term.starts_with("name ");
        PageScore {
            names: page.terms.iter().filter(is_name).map(part).sum(),
            words: page.terms.iter().filter(|term| !is_name(term)).map(part).sum(),
        }
    }
}

/// Log-odds that a page is of the category.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageScore {
    /// By the names of its attributes.
    pub names: f64,
    /// By the words of its title and of the way to it.
    pub words: f64,
}

impl PageScore {
    fn total(self) -> f64 {
        self.names + self.words
    }

    /// Words say what a page is about, and reviews are about products, too; names say whether it has their specification.
    fn is_of_category(self, config: &InSiteConfig) -> bool {
        self.names > 0.0 && self.total() > config.min_score
    }
}

/// An id in the form in which ids of sites are compared.
#[must_use]
pub fn comparable(id: &ProductId) -> (IdKind, String) {
    (id.kind, normal_name(&id.id))
}

/// Whether one id of this kind says which product a page is about. Names of models are used by several makers.
fn is_telling(kind: IdKind) -> bool {
    matches!(kind, IdKind::Gtin | IdKind::Isbn | IdKind::Mpn)
}

/// Whether two pages of one site have mostly the same names of attributes: products of one category do.
fn is_alike(one: &ProductPage, other: &ProductPage, config: &InSiteConfig) -> bool {
    let names = |page: &ProductPage| -> BTreeSet<String> {
        page.terms.iter().filter(|term| term.starts_with("name ")).cloned().collect()
    };
    let (one, other) = (names(one), names(other));
    let shared = one.intersection(&other).count();
    shared as f64 >= config.alike_share * one.union(&other).count().max(1) as f64
}

/// What is known of the category.
#[derive(Debug, Clone, Copy)]
pub struct CategoryFacts<'a> {
    /// The ids that known sites print, comparable.
    pub ids: &'a BTreeSet<(IdKind, String)>,
    /// The terms of known sites and of others.
    pub vocabulary: &'a Vocabulary,
    /// The product pages of known sites, for finding copies.
    pub fingerprints: &'a BTreeMap<String, BTreeSet<u64>>,
    /// What decides.
    pub config: InSiteConfig,
}

/// What the filter says of a site.
#[derive(Debug, Clone, PartialEq)]
pub struct InSiteVerdict {
    /// Whether the site is relevant.
    pub is_relevant: bool,
    /// Its product pages of the category, by their places in the list.
    pub matching: Vec<usize>,
    /// Its pages that print an id of a known site.
    pub with_known_id: usize,
    /// The known site that it is a copy of.
    pub copy_of: Option<String>,
    /// Whether too few sites are known to decide by words: it is to be judged again later.
    pub is_undecided: bool,
}

/// Judges a site by its product pages.
#[must_use]
pub fn judge(products: &[ProductPage], facts: &CategoryFacts<'_>) -> InSiteVerdict {
    let (by_words, config) = (facts.vocabulary.is_ready(), &facts.config);
    let has_known_id = |page: &ProductPage| {
        let mut ids = page.ids.iter().filter(|id| is_telling(id.kind));
        ids.any(|id| facts.ids.contains(&comparable(id)))
            && (!by_words || facts.vocabulary.score(page, config).total() > config.contradiction)
    };
    let known: Vec<bool> = products.iter().map(has_known_id).collect();
    let of_category = |at: usize| {
        let page = &products[at];
        let mut anchors = (0..products.len()).filter(|&other| known[other]);
        known[at]
            || anchors.any(|anchor| is_alike(&products[anchor], page, config))
            || (by_words && facts.vocabulary.score(page, config).is_of_category(config))
    };
    let matching: Vec<usize> = (0..products.len()).filter(|&at| of_category(at)).collect();
    let own: BTreeSet<u64> = products.iter().map(|page| page.fingerprint).collect();
    let shared = |prints: &BTreeSet<u64>| own.intersection(prints).count();
    let copy_of = facts.fingerprints.iter().find(|(_, prints)| {
        let count = shared(prints);
        count >= COPIED_PAGES && count as f64 >= config.copied_share * own.len() as f64
    });
    let copy_of = copy_of.map(|(site, _)| site.clone());
    let enough = matching.len() >= MIN_PAGES;
    InSiteVerdict {
        is_relevant: enough && copy_of.is_none(),
        with_known_id: known.iter().filter(|known| **known).count(),
        is_undecided: !enough && !by_words && products.len() >= MIN_PAGES,
        matching,
        copy_of,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(site: &str, number: u64, terms: &[&str], id: Option<&str>) -> ProductPage {
        let ids = id.map(|id| ProductId { kind: IdKind::Mpn, id: id.to_owned() });
        ProductPage {
            url: format!("http://{site}/p/{number}"),
            ids: ids.into_iter().collect(),
            terms: terms.iter().map(|term| (*term).to_owned()).collect(),
            fingerprint: number,
        }
    }

    const TV: &[&str] = &["name brand", "name screensize", "name panel", "word television"];
    const SHOE: &[&str] = &["name brand", "name size", "name material", "word boot"];

    fn pages(site: &str, terms: &[&str], from: u64) -> Vec<ProductPage> {
        (from..from + 4).map(|number| product(site, number, terms, None)).collect()
    }

    #[test]
    fn ids_decide_first_and_words_once_other_sites_are_known() {
        let ids = [(IdKind::Mpn, "ab100".to_owned())].into();
        let mut vocabulary = Vocabulary::default();
        vocabulary.add(true, pages("seed", TV, 0).iter());
        let prints = BTreeMap::new();
        let check = |vocabulary: &Vocabulary, products: &[ProductPage], relevant, undecided| {
            let facts = CategoryFacts {
                ids: &ids,
                vocabulary,
                fingerprints: &prints,
                config: InSiteConfig::default(),
            };
            let verdict = judge(products, &facts);
            assert_eq!((verdict.is_relevant, verdict.is_undecided), (relevant, undecided));
        };
        let with_ids =
            [product("a", 10, SHOE, Some("AB-100")), product("a", 11, SHOE, Some("ab 100"))];
        check(&vocabulary, &with_ids, true, false);
        let mut one_id = pages("d", TV, 40);
        one_id.push(product("d", 44, TV, Some("AB-100")));
        check(&vocabulary, &one_id, true, false);
        let mut two_categories = pages("e", SHOE, 50);
        two_categories.push(product("e", 54, TV, Some("AB-100")));
        check(&vocabulary, &two_categories, false, true);
        check(&vocabulary, &pages("b", TV, 20), false, true);
        check(&vocabulary, &[], false, false);
        for site in 0..3 {
            vocabulary.add(false, pages("other", SHOE, 100 * site).iter());
        }
        for site in 6..9 {
            vocabulary.add(true, pages("further", TV, 100 * site).iter());
        }
        check(&vocabulary, &pages("b", TV, 20), true, false);
        check(&vocabulary, &pages("c", SHOE, 30), false, false);
        // A review is about a television, but has none of its attributes.
        let review = ["name verdict", "name tester", "word television", "word panel", "word tv"];
        check(&vocabulary, &pages("review", &review, 60), false, false);
        for site in 0..3 {
            vocabulary.remove(false, pages("other", SHOE, 100 * site).iter());
        }
        assert!(!vocabulary.is_ready());
    }

    #[test]
    fn copies_of_known_sites_are_named() {
        let ids = [(IdKind::Mpn, "x1".to_owned())].into();
        let vocabulary = Vocabulary::default();
        let prints = [("seed".to_owned(), (0..9).collect())].into();
        let facts = CategoryFacts {
            ids: &ids,
            vocabulary: &vocabulary,
            fingerprints: &prints,
            config: InSiteConfig::default(),
        };
        let copy: Vec<_> = (0..5).map(|at| product("copy", at, TV, Some("X1"))).collect();
        let verdict = judge(&copy, &facts);
        assert_eq!(verdict.copy_of.as_deref(), Some("seed"));
        assert!(!verdict.is_relevant);
        let other: Vec<_> = (5..30).map(|at| product("other", at, TV, Some("X1"))).collect();
        assert_eq!(judge(&other, &facts).copy_of, None);
    }
}
