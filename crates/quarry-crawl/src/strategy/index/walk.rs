//! The walk through one site's indexes: what was requested, what the pages turned out to be, and which
//! lists are still being read.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::links::PageKind;
use quarry_model::Request;

use super::IndexSettings;
use super::batch::{FetchedPage, RequestBatch};
use super::collection::{Collections, LinkPosition, Role, Verdict};
use super::entry::EntrySearch;
use super::facts::Link;
use super::judge::{Samples, Template};
use super::report::EntryReport;
use crate::strategy::Proposal;

/// What a request is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Task {
    /// A page on the way from the home page to the category.
    TowardCategory { score: f64, steps: u32 },
    /// The site's search for the category.
    CategorySearch,
    /// A target page, whose links may name its category.
    TargetPage,
    /// The site's search for nonsense: its results are baseline noise.
    NonsenseSearch,
    /// The page where the walk begins.
    Root,
    /// The site's search for a word, where nothing can be browsed.
    WordSearch,
    /// A link of a collection.
    Member(usize),
    /// A further page of a list.
    Next(usize),
}

impl Task {
    /// Whether the page is read only to find the entry page.
    fn is_for_entry(self) -> bool {
        matches!(
            self,
            Self::TowardCategory { .. }
                | Self::CategorySearch
                | Self::TargetPage
                | Self::NonsenseSearch
        )
    }
}

/// A list whose pages are being read.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) via: Option<usize>,
    pub(super) next: Option<Request>,
    pub(super) depth: u32,
    pub(super) claimed: Option<u64>,
    /// Addresses that its pages have shown.
    pub(super) shown: BTreeSet<String>,
    /// Pages in a row that brought nothing new.
    pub(super) pages_without_news: u32,
}

/// What was fetched.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) pages: usize,
    pub(super) targets: usize,
    pub(super) indexes: usize,
    /// Pages that are neither target nor index nor hub, or list only what was known.
    pub(super) useless: usize,
}

/// One site.
#[derive(Debug)]
pub(super) struct Walk {
    pub(super) category: Option<String>,
    pub(super) entries: Vec<EntryReport>,
    pub(super) entry: Option<String>,
    pub(super) counts: Counts,
    pub(super) collections: Collections,
    pub(super) end: Option<String>,
    pub(super) batch: RequestBatch<Task>,
    pub(super) home_pages: Vec<FetchedPage>,
    pub(super) search: Option<EntrySearch>,
    /// Candidates for the entry page that were requested.
    pub(super) entries_tried: usize,
    /// Pages that were opened in search of the entry page.
    pub(super) opened: BTreeMap<String, FetchedPage>,
    /// Addresses that lead out of the category.
    pub(super) outside: BTreeSet<String>,
    pub(super) samples: Samples,
    /// What requested pages turned out to be, by address.
    pub(super) roles: BTreeMap<String, Role>,
    /// Addresses in records of lists.
    pub(super) record_links: BTreeSet<String>,
    /// Addresses in any collection.
    pub(super) known_links: BTreeSet<String>,
    pub(super) lists: Vec<List>,
    /// The template of a target page of each collection.
    pub(super) templates: BTreeMap<usize, Template>,
    /// The template of the site's targets.
    pub(super) main_template: Option<Template>,
    /// Kinds of addresses that only targets have.
    pub(super) target_kinds: BTreeSet<String>,
    pub(super) words_asked: bool,
    /// What the site's search lists for nonsense.
    pub(super) baseline: BTreeSet<String>,
}

impl Walk {
    pub(super) fn new(settings: &IndexSettings) -> Self {
        let search = settings.category.as_deref();
        Self {
            category: settings.category.clone(),
            entries: Vec::new(),
            entry: None,
            counts: Counts::default(),
            collections: Collections::default(),
            end: None,
            batch: RequestBatch::default(),
            home_pages: Vec::new(),
            search: search.map(|name| EntrySearch::new(name, &settings.words)),
            entries_tried: 0,
            opened: BTreeMap::new(),
            outside: BTreeSet::new(),
            samples: Samples::default(),
            roles: BTreeMap::new(),
            record_links: BTreeSet::new(),
            known_links: BTreeSet::new(),
            lists: Vec::new(),
            templates: BTreeMap::new(),
            main_template: None,
            target_kinds: BTreeSet::new(),
            words_asked: false,
            baseline: BTreeSet::new(),
        }
    }

    /// Begins at a seed.
    pub(super) fn begin(&mut self, key: &str, page: FetchedPage, settings: &IndexSettings) {
        self.batch.know(key);
        self.counts.pages += 1;
        self.end = None;
        match &mut self.search {
            Some(search) => search.read_toward_category(&page, 1.0, 0),
            None if self.category.is_none() => self.read_root(&page, settings),
            None => {}
        }
        self.home_pages.push(page);
    }

    pub(super) fn put(&mut self, key: String, page: FetchedPage) {
        self.batch.put(key, page);
    }

    /// A page has come: goes on if the batch is complete.
    pub(super) fn arrived(
        &mut self,
        settings: &IndexSettings,
        propose: &mut dyn FnMut(Proposal<'static>),
    ) {
        if self.batch.is_complete() {
            self.idle(settings, propose);
        }
    }

    /// Nothing more will come: reads the batch and sends the next one.
    pub(super) fn idle(
        &mut self,
        settings: &IndexSettings,
        propose: &mut dyn FnMut(Proposal<'static>),
    ) {
        while self.end.is_none() {
            self.read(settings);
            self.plan(settings);
            if self.batch.send(propose) || self.batch.is_empty() {
                return;
            }
        }
    }

    /// Reads the pages of the batch.
    fn read(&mut self, settings: &IndexSettings) {
        let answers = self.batch.collect();
        for (asked, page) in &answers {
            let Some(page) = page else { continue };
            if !self.opened.contains_key(&asked.address) {
                self.counts.pages += 1;
            }
            let via = match asked.task {
                Task::Member(at) => Some(at),
                _ => None,
            };
            if !asked.task.is_for_entry() {
                self.samples.keep(&asked.address, page, via);
            }
        }
        let pages: Vec<&FetchedPage> =
            answers.iter().filter_map(|(_, page)| page.as_ref()).collect();
        let mut kinds = self.samples.kinds(&pages).into_iter();
        for (asked, page) in &answers {
            match page {
                Some(page) => {
                    let kind = kinds.next().unwrap_or(PageKind::Other);
                    self.take(&asked.address, asked.task, page, kind, settings);
                }
                None => self.miss(&asked.address, asked.task),
            }
        }
        self.reconsider(settings);
        self.judge(settings);
    }

    fn miss(&mut self, address: &str, task: Task) {
        match task {
            Task::Next(list) => self.lists[list].next = None,
            _ => {
                self.roles.insert(address.to_owned(), Role::Missing);
            }
        }
    }

    fn take(
        &mut self,
        address: &str,
        task: Task,
        page: &FetchedPage,
        kind: PageKind,
        settings: &IndexSettings,
    ) {
        match (task, &mut self.search) {
            (Task::TowardCategory { score, steps }, Some(search)) => {
                search.read_toward_category(page, score, steps);
            }
            (Task::CategorySearch, Some(search)) => search.read_category_search(address, page),
            (Task::TargetPage, Some(search)) => search.read_target_page(page),
            (Task::NonsenseSearch, Some(search)) => search.read_nonsense_search(address, page),
            (Task::TowardCategory { .. }, None)
            | (Task::CategorySearch | Task::TargetPage | Task::NonsenseSearch, None) => {}
            (Task::Root, _) => self.read_root(page, settings),
            (Task::WordSearch, _) => {
                if self.differs_from_baseline(page) {
                    self.read_root(page, settings);
                }
            }
            (Task::Next(list), _) => {
                self.counts.indexes += 1;
                self.read_index_page(page, list, settings);
            }
            (Task::Member(at), _) => {
                let role = self.read_member(page, at, kind, settings);
                self.roles.insert(address.to_owned(), role);
            }
        }
        if task.is_for_entry() {
            self.opened.insert(address.to_owned(), page.clone());
        }
    }

    /// Whether results of the site's search depend on what was searched for.
    fn differs_from_baseline(&self, page: &FetchedPage) -> bool {
        self.category.is_none() || differs_from_baseline(&record_addresses(page), &self.baseline)
    }

    /// Reads the page where the walk begins: a home page, an entry page, results of the site's search.
    pub(super) fn read_root(&mut self, page: &FetchedPage, settings: &IndexSettings) {
        self.samples.keep(&page.address, page, None);
        self.add_collections(page, None, false);
        let list = self.add_list(None, page);
        self.continue_list(page, list, 1, settings);
    }

    /// Reads a page that a collection links to.
    pub(super) fn read_member(
        &mut self,
        page: &FetchedPage,
        via: usize,
        kind: PageKind,
        settings: &IndexSettings,
    ) -> Role {
        match kind {
            PageKind::Entity => {
                self.counts.targets += 1;
                let home =
                    self.home_pages.first().map_or(&[][..], |home| &home.facts.map.signature);
                let template = Template::of(&page.facts, home);
                let known = self.templates.entry(via).or_insert(template);
                known.has_price |= page.facts.has_price;
                self.add_related_targets(page);
                Role::Target
            }
            PageKind::List => {
                self.counts.indexes += 1;
                let list = self.add_list(Some(via), page);
                let fresh = self.read_index_page(page, list, settings);
                let collection = &mut self.collections.list[via];
                let redundant = !fresh && collection.position == LinkPosition::BesideList;
                self.counts.useless += usize::from(redundant);
                collection.pages_without_news =
                    if fresh { 0 } else { collection.pages_without_news + 1 };
                Role::Index { fresh }
            }
            PageKind::Other => {
                let before = self.known_links.len();
                self.add_collections(page, Some(via), false);
                let list = self.add_list(Some(via), page);
                self.continue_list(page, list, 1, settings);
                let leads_on = self.known_links.len() > before;
                self.counts.useless += usize::from(!leads_on);
                if leads_on { Role::Hub } else { Role::Leaf }
            }
        }
    }

    pub(super) fn add_list(&mut self, via: Option<usize>, page: &FetchedPage) -> usize {
        self.lists.push(List { via, depth: page.depth, ..List::default() });
        self.lists.len() - 1
    }

    /// Reads a page of a list. True if it showed new records.
    fn read_index_page(
        &mut self,
        page: &FetchedPage,
        list: usize,
        settings: &IndexSettings,
    ) -> bool {
        let fresh = self.add_collections(page, self.lists[list].via, true);
        self.continue_list(page, list, fresh, settings);
        fresh > 0
    }

    /// Decides whether the next page of a list is read.
    fn continue_list(
        &mut self,
        page: &FetchedPage,
        list: usize,
        fresh: usize,
        settings: &IndexSettings,
    ) {
        let known = self.record_links.len() as u64;
        let list = &mut self.lists[list];
        list.claimed = page.facts.map.total.or(list.claimed);
        let before = list.shown.len();
        let records = page.facts.collections.iter().filter(|links| links.in_list);
        let records = records.flat_map(|links| &links.links).map(|link| link.address.clone());
        list.shown.extend(records);
        list.pages_without_news = if fresh > 0 { 0 } else { list.pages_without_news + 1 };
        let more = list.claimed.is_some_and(|claimed| claimed > known);
        let exhausted = list.pages_without_news >= settings.max_pages_without_new && !more;
        list.next = page.facts.next.clone().filter(|_| list.shown.len() > before && !exhausted);
        if list.next.is_none() {
            list.shown = BTreeSet::new();
        }
    }

    /// Adds the links of a page to their collections. Returns how many links in records are new and
    /// may lead to targets.
    fn add_collections(&mut self, page: &FetchedPage, via: Option<usize>, is_list: bool) -> usize {
        let level = via.map_or(0, |via| self.collections.list[via].level + 1);
        let beside =
            via.is_some_and(|via| self.collections.list[via].position == LinkPosition::BesideList);
        let mut fresh = 0;
        // Records first.
        for links in &page.facts.collections {
            // A list of known records links to nothing but parts of itself.
            if beside && is_list && !links.in_list && fresh == 0 {
                continue;
            }
            // The link of a single record is no repetition, but its path is that of targets elsewhere.
            let alone = is_list && fresh == 0 && self.collections.leads_to_targets(&links.key);
            let place = match links.in_list || alone {
                true => LinkPosition::InRecords,
                false if is_list || links.facet >= 0.5 => LinkPosition::BesideList,
                false => LinkPosition::Navigation,
            };
            // Pages before the entry page show some products of the category, too.
            let outside = |link: &&Link| self.outside.contains(&link.address);
            let inside =
                links.in_list && links.links.iter().filter(outside).count() * 2 < links.links.len();
            let mut at = None;
            for link in &links.links {
                if !inside && self.outside.contains(&link.address) {
                    continue;
                }
                let at =
                    *at.get_or_insert_with(|| self.collections.at(&links.key, place, via, level));
                self.known_links.insert(link.address.clone());
                if place == LinkPosition::InRecords
                    && self.record_links.insert(link.address.clone())
                {
                    let verdict = self.collections.list[at].verdict;
                    let may_be = self.main_template.is_none()
                        || verdict == Verdict::Targets
                        || self.target_kinds.contains(&links.key.address);
                    fresh += usize::from(may_be);
                }
                self.collections.list[at].add(link);
            }
        }
        fresh
    }

    /// Without a category, targets that target pages link to are wanted, too.
    fn add_related_targets(&mut self, page: &FetchedPage) {
        if self.category.is_some() {
            return;
        }
        for links in &page.facts.collections {
            if self.target_kinds.contains(&links.key.address) {
                let at = self.collections.at(&links.key, LinkPosition::InRecords, None, 0);
                for link in &links.links {
                    self.known_links.insert(link.address.clone());
                    self.collections.list[at].add(link);
                }
            }
        }
    }
}

/// Addresses in the records of a page.
pub(super) fn record_addresses(page: &FetchedPage) -> BTreeSet<String> {
    let lists = page.facts.collections.iter().filter(|links| links.in_list);
    lists.flat_map(|links| &links.links).map(|link| link.address.clone()).collect()
}

/// Whether most results of a search are not results of the nonsense search.
pub(super) fn differs_from_baseline(
    listed: &BTreeSet<String>,
    baseline: &BTreeSet<String>,
) -> bool {
    listed.difference(baseline).count() * 2 > listed.len()
}
