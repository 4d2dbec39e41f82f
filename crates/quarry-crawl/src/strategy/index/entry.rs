//! Which page is the entry to a category? Three ways to find out, each with a score of its own, combined
//! by their harmonic mean (DEXTER §3.2.1).

use std::collections::{BTreeMap, BTreeSet};

use quarry_model::Request;

use super::IndexSettings;
use super::account::EntryAccount;
use super::anchor::{Category, UNKNOWN};
use super::desk::{Desk, Page};
use super::walk::{Task, records, tells};
use crate::strategy::probe::nonsense;

/// A text that names the category this well ends the search from the home page.
const NAMED: f64 = 0.6;
/// A text that names the category this well is no product's.
const SAME: f64 = 0.9;
/// What counts for a page that one of the ways has not found. Not 0: the mean would forget what the
/// other ways say.
const UNFOUND: f64 = 0.05;
/// A link in a record leads to a product more often than to a category.
const RECORD: f64 = 0.7;
/// Links from the home page to a category at the most.
const STEPS: u32 = 3;
/// Pages of the way that are opened at a time.
const OPENED: usize = 4;
/// Target pages that are asked where they belong.
const BACKLINKS: usize = 3;
/// Candidates that are kept.
const CANDIDATES: usize = 10;

/// A page that may be opened on the way to the category.
#[derive(Debug, Clone)]
struct Way {
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
    ways: BTreeMap<String, Way>,
    /// The best score of a single anchor so far.
    named: f64,
    opened: usize,
    searched: bool,
    /// By the rank among what the site's search lists.
    ranks: BTreeMap<String, f64>,
    /// The answer of the site's search, and what it lists.
    answer: Option<(String, BTreeSet<String>)>,
    /// What the site's search lists for nonsense.
    anyway: BTreeSet<String>,
    /// Products that the search or the home page lists.
    listed: Vec<(String, u32)>,
    asked_back: bool,
    /// For each target page the scores of its links.
    back: Vec<BTreeMap<String, f64>>,
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
            answer: None,
            anyway: BTreeSet::new(),
            listed: Vec::new(),
            asked_back: false,
            back: Vec::new(),
        }
    }

    /// Takes a page on the way: the home page has score 1 and no steps behind it.
    pub(super) fn way(&mut self, page: &Page, score: f64, steps: u32) {
        for links in &page.sight.collections {
            for link in &links.links {
                let own = self.category.score(&link.text);
                let plain = own;
                let own = if links.in_list { own * RECORD } else { own };
                self.named = self.named.max(own);
                let order = self.ways.len();
                let way = self.ways.entry(link.address.clone()).or_insert(Way {
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
            let listed = page.sight.collections.iter().filter(|links| links.in_list);
            let listed = listed.flat_map(|links| &links.links);
            self.listed.extend(listed.map(|link| (link.address.clone(), page.depth)));
        }
    }

    /// Takes the answer of the site's search. A search that leads straight to another page names it.
    pub(super) fn answered(&mut self, asked: &str, page: &Page) {
        if page.address != asked {
            self.ranks.insert(page.address.clone(), 1.0);
            return;
        }
        self.answer = Some((page.address.clone(), records(page)));
        let listed = page.sight.collections.iter().filter(|links| links.in_list);
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

    /// Takes the answer to a question that has none: what the search says anyway says nothing.
    pub(super) fn nonsense(&mut self, asked: &str, page: &Page) {
        if page.address == asked {
            self.anyway = records(page);
        } else {
            self.ranks.remove(&page.address);
        }
    }

    /// What the site's search lists whatever it is asked, as far as that is known.
    pub(super) fn anyway(&self) -> BTreeSet<String> {
        self.anyway.clone()
    }

    /// The answer of the site's search, if it lists anything because of the category.
    pub(super) fn answer(&self) -> Option<String> {
        let (address, listed) = self.answer.as_ref()?;
        tells(listed, &self.anyway).then(|| address.clone())
    }

    /// Takes a target page: its links say where it belongs.
    pub(super) fn back(&mut self, page: &Page) {
        let mut scores = BTreeMap::new();
        for link in page.sight.links() {
            let own = self.category.score(&link.text);
            if own > UNKNOWN {
                scores.insert(link.address.clone(), own);
            }
        }
        self.back.push(scores);
    }

    /// Asks for what is needed next; nothing if all is known.
    pub(super) fn plan(&mut self, desk: &mut Desk<Task>, home: &Page, settings: &IndexSettings) {
        if !self.searched {
            self.searched = true;
            if let Some(form) = &home.sight.search {
                desk.ask(&form.request(&self.name, &[]), Task::Answer, home.depth + 1);
            }
        }
        if self.named < NAMED && self.opened < settings.entry_pages {
            let mut next: Vec<(&String, &mut Way)> =
                self.ways.iter_mut().filter(|(_, way)| !way.opened && way.steps < STEPS).collect();
            next.sort_by(|(_, one), (_, other)| {
                let by_score = other.score.total_cmp(&one.score);
                by_score.then(one.in_list.cmp(&other.in_list)).then(one.order.cmp(&other.order))
            });
            let most = OPENED.min(settings.entry_pages - self.opened);
            for (address, way) in next.into_iter().take(most) {
                way.opened = true;
                self.opened += 1;
                let task = Task::Way { score: way.score, steps: way.steps };
                desk.ask(&Request::get(address), task, way.depth + 1);
            }
        }
        if desk.is_idle() && !self.asked_back {
            self.asked_back = true;
            for (address, depth) in self.listed.iter().take(BACKLINKS) {
                desk.ask(&Request::get(address), Task::Back, depth + 1);
            }
            // No link names the category: is what the search lists an answer?
            if self.named < NAMED
                && let Some(form) = &home.sight.search
            {
                desk.ask(&form.request(&nonsense(0), &[]), Task::Nonsense, home.depth + 1);
            }
        }
    }

    /// The candidates, best first.
    pub(super) fn candidates(&self) -> Vec<EntryAccount> {
        let backed = self.back.len().max(1) as f64;
        let mut back: BTreeMap<&String, f64> = BTreeMap::new();
        for scores in &self.back {
            for (address, score) in scores {
                *back.entry(address).or_default() += score / backed;
            }
        }
        // Only pages that something has called by the category's name, or that the search has led
        // straight to; a search lists products, too.
        let led = self.ranks.keys().filter(|_| self.answer.is_none());
        let listed = |address: &String| {
            self.ranks.get(address).is_some_and(|_| self.answer.is_some())
                && self.ways.get(address).is_none_or(|way| way.in_list && way.own < SAME)
        };
        let mut names: Vec<&String> = self
            .ways
            .iter()
            .filter(|(_, way)| way.own > UNKNOWN)
            .map(|(address, _)| address)
            .chain(back.keys().copied())
            .chain(led)
            .filter(|address| !listed(address))
            .collect();
        names.sort_unstable();
        names.dedup();
        let mut found: Vec<EntryAccount> = names
            .into_iter()
            .map(|address| {
                let home = self.ways.get(address).map(|way| way.score);
                let targets = back.get(address).copied();
                let search = self.ranks.get(address).copied();
                let mut scores = vec![home];
                scores.extend((!self.back.is_empty()).then_some(targets));
                // A search that lists only products says nothing of categories.
                let tells = self.ranks.keys().any(|ranked| !listed(ranked));
                scores.extend(tells.then_some(search));
                let sum: f64 =
                    scores.iter().map(|score| 1.0 / score.unwrap_or(0.0).max(UNFOUND)).sum();
                let score = scores.len() as f64 / sum;
                EntryAccount { url: address.clone(), home, targets, search, score }
            })
            .collect();
        found.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.url.cmp(&other.url)));
        found.truncate(CANDIDATES);
        found
    }
}
