//! Finds the entry page of a category in three ways, each with a score, combined by their harmonic mean
//! (DEXTER §3.2.1).

use std::collections::{BTreeMap, BTreeSet};

use quarry_model::Request;

use super::IndexSettings;
use super::anchor::{Category, UNRELATED};
use super::batch::{FetchedPage, RequestBatch};
use super::report::EntryReport;
use super::walk::{Task, differs_from_baseline, record_addresses};
use crate::strategy::probe::nonsense;

/// Score of an anchor text that ends the search from the home page.
const NAMES_CATEGORY: f64 = 0.6;
/// Score of an anchor text that is the category's own name, not a product's.
const IS_CATEGORY: f64 = 0.9;
/// Score of a page that one of the ways has not found. Not 0, which would make the mean 0.
const NOT_FOUND_SCORE: f64 = 0.05;
/// Factor for links in records: they lead to products more often than to categories.
const IN_RECORD_FACTOR: f64 = 0.7;
/// Links from the home page to a category at the most.
const MAX_STEPS: u32 = 3;
/// Pages toward the category that are requested at a time.
const PAGES_AT_A_TIME: usize = 4;
/// Target pages whose links are read for the name of their category.
const MAX_TARGET_PAGES: usize = 3;
/// Candidates that are kept.
const MAX_CANDIDATES: usize = 10;

/// A page that may be requested on the way to the category.
#[derive(Debug, Clone)]
struct Candidate {
    score: f64,
    steps: u32,
    depth: u32,
    opened: bool,
    /// How well its own anchor names the category.
    own: f64,
    /// It stands in records: more likely a product than a category.
    in_list: bool,
    order: usize,
}

/// The search for an entry page.
#[derive(Debug)]
pub(super) struct EntrySearch {
    category: Category,
    name: String,
    /// Products of anchor scores along the best path from the home page.
    ways: BTreeMap<String, Candidate>,
    /// The best score of a single anchor so far.
    named: f64,
    opened: usize,
    searched: bool,
    /// Reciprocal rank among the results of the site's search.
    ranks: BTreeMap<String, f64>,
    /// The results page of the site's search, and what it lists.
    results: Option<(String, BTreeSet<String>)>,
    /// What the site's search lists for nonsense.
    baseline: BTreeSet<String>,
    /// Products that the search or the home page lists.
    listed: Vec<(String, u32)>,
    target_pages_requested: bool,
    /// For each target page the scores of its links.
    target_links: Vec<BTreeMap<String, f64>>,
}

impl EntrySearch {
    pub(super) fn new(name: &str, words: &[String]) -> Self {
        Self {
            category: Category::new(name, words),
            name: name.to_owned(),
            ways: BTreeMap::new(),
            named: 0.0,
            opened: 0,
            searched: false,
            ranks: BTreeMap::new(),
            results: None,
            baseline: BTreeSet::new(),
            listed: Vec::new(),
            target_pages_requested: false,
            target_links: Vec::new(),
        }
    }

    /// Reads a page toward the category: the home page has score 1 and no steps behind it.
    pub(super) fn read_toward_category(&mut self, page: &FetchedPage, score: f64, steps: u32) {
        for links in &page.facts.collections {
            for link in &links.links {
                let own = self.category.score(&link.text);
                let plain = own;
                let own = if links.in_list { own * IN_RECORD_FACTOR } else { own };
                self.named = self.named.max(own);
                let order = self.ways.len();
                let way = self.ways.entry(link.address.clone()).or_insert(Candidate {
                    score: 0.0,
                    steps: steps + 1,
                    depth: page.depth,
                    opened: false,
                    own: 0.0,
                    in_list: links.in_list,
                    order,
                });
                way.own = way.own.max(plain);
                way.in_list &= links.in_list;
                way.score = way.score.max(score * own);
            }
        }
        if steps == 0 {
            let listed = page.facts.collections.iter().filter(|links| links.in_list);
            let listed = listed.flat_map(|links| &links.links);
            self.listed.extend(listed.map(|link| (link.address.clone(), page.depth)));
        }
    }

    /// Reads the results of the site's search for the category. A search that redirects to another page
    /// names that page.
    pub(super) fn read_category_search(&mut self, asked: &str, page: &FetchedPage) {
        if page.address != asked {
            self.ranks.insert(page.address.clone(), 1.0);
            return;
        }
        self.results = Some((page.address.clone(), record_addresses(page)));
        let listed = page.facts.collections.iter().filter(|links| links.in_list);
        let listed: Vec<(String, u32)> = listed
            .flat_map(|links| &links.links)
            .map(|link| (link.address.clone(), page.depth))
            .collect();
        for (rank, (address, _)) in (1_u32..).zip(&listed) {
            self.ranks.insert(address.clone(), 1.0 / f64::from(rank));
        }
        if !listed.is_empty() {
            self.listed = listed;
        }
    }

    /// Records the results of a nonsense query; they are baseline noise.
    pub(super) fn read_nonsense_search(&mut self, asked: &str, page: &FetchedPage) {
        if page.address == asked {
            self.baseline = record_addresses(page);
        } else {
            self.ranks.remove(&page.address);
        }
    }

    /// What the site's search lists for nonsense, as far as that is known.
    pub(super) fn baseline(&self) -> BTreeSet<String> {
        self.baseline.clone()
    }

    /// The results page of the site's search, if its results depend on the category.
    pub(super) fn results_page(&self) -> Option<String> {
        let (address, listed) = self.results.as_ref()?;
        differs_from_baseline(listed, &self.baseline).then(|| address.clone())
    }

    /// Reads a target page: its links may name its category.
    pub(super) fn read_target_page(&mut self, page: &FetchedPage) {
        let mut scores = BTreeMap::new();
        for link in page.facts.links() {
            let own = self.category.score(&link.text);
            if own > UNRELATED {
                scores.insert(link.address.clone(), own);
            }
        }
        self.target_links.push(scores);
    }

    /// Requests what is needed next; nothing if all is known.
    pub(super) fn plan(
        &mut self,
        batch: &mut RequestBatch<Task>,
        home: &FetchedPage,
        settings: &IndexSettings,
    ) {
        if !self.searched {
            self.searched = true;
            if let Some(form) = &home.facts.search {
                batch.ask(&form.request(&self.name, &[]), Task::CategorySearch, home.depth + 1);
            }
        }
        if self.named < NAMES_CATEGORY && self.opened < settings.entry_pages {
            let mut next: Vec<(&String, &mut Candidate)> = self
                .ways
                .iter_mut()
                .filter(|(_, way)| !way.opened && way.steps < MAX_STEPS)
                .collect();
            next.sort_by(|(_, one), (_, other)| {
                let by_score = other.score.total_cmp(&one.score);
                by_score.then(one.in_list.cmp(&other.in_list)).then(one.order.cmp(&other.order))
            });
            let most = PAGES_AT_A_TIME.min(settings.entry_pages - self.opened);
            for (address, way) in next.into_iter().take(most) {
                way.opened = true;
                self.opened += 1;
                let task = Task::TowardCategory { score: way.score, steps: way.steps };
                batch.ask(&Request::get(address), task, way.depth + 1);
            }
        }
        if batch.is_empty() && !self.target_pages_requested {
            self.target_pages_requested = true;
            for (address, depth) in self.listed.iter().take(MAX_TARGET_PAGES) {
                batch.ask(&Request::get(address), Task::TargetPage, depth + 1);
            }
            // No link names the category: the search for it is compared with one for nonsense.
            if self.named < NAMES_CATEGORY
                && let Some(form) = &home.facts.search
            {
                batch.ask(&form.request(&nonsense(0), &[]), Task::NonsenseSearch, home.depth + 1);
            }
        }
    }

    /// The candidates, best first.
    pub(super) fn candidates(&self) -> Vec<EntryReport> {
        let backed = self.target_links.len().max(1) as f64;
        let mut back: BTreeMap<&String, f64> = BTreeMap::new();
        for scores in &self.target_links {
            for (address, score) in scores {
                *back.entry(address).or_default() += score / backed;
            }
        }
        // Only pages whose links name the category, or that the search redirects to; results may be
        // products.
        let led = self.ranks.keys().filter(|_| self.results.is_none());
        let listed = |address: &String| {
            self.ranks.get(address).is_some_and(|_| self.results.is_some())
                && self.ways.get(address).is_none_or(|way| way.in_list && way.own < IS_CATEGORY)
        };
        let mut names: Vec<&String> = self
            .ways
            .iter()
            .filter(|(_, way)| way.own > UNRELATED)
            .map(|(address, _)| address)
            .chain(back.keys().copied())
            .chain(led)
            .filter(|address| !listed(address))
            .collect();
        names.sort_unstable();
        names.dedup();
        let mut found: Vec<EntryReport> = names
            .into_iter()
            .map(|address| {
                let home = self.ways.get(address).map(|way| way.score);
                let targets = back.get(address).copied();
                let search = self.ranks.get(address).copied();
                let mut scores = vec![home];
                scores.extend((!self.target_links.is_empty()).then_some(targets));
                // A search that lists only products does not rate categories.
                let tells = self.ranks.keys().any(|ranked| !listed(ranked));
                scores.extend(tells.then_some(search));
                let sum: f64 = scores
                    .iter()
                    .map(|score| 1.0 / score.unwrap_or(0.0).max(NOT_FOUND_SCORE))
                    .sum();
                let score = scores.len() as f64 / sum;
                EntryReport { url: address.clone(), home, targets, search, score }
            })
            .collect();
        found.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.url.cmp(&other.url)));
        found.truncate(MAX_CANDIDATES);
        found
    }
}
