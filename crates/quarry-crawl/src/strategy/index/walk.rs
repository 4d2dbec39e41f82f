//! How far is the walk through one site? What was asked, what the pages that came turned out to be, and
//! which lists are still being read.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::links::PageKind;
use quarry_model::Request;

use super::IndexSettings;
use super::account::EntryAccount;
use super::collection::{Collections, Place, Role, Verdict};
use super::desk::{Desk, Page};
use super::entry::EntrySearch;
use super::judge::{Samples, Template};
use super::sight::Link;
use crate::strategy::Proposal;

/// What a request is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Task {
    /// A page on the way from the home page to the category.
    Way { score: f64, steps: u32 },
    /// The site's search for the category.
    Answer,
    /// A target page that may say where it belongs.
    Back,
    /// The site's search for what cannot be there.
    Nonsense,
    /// The page where the walk begins.
    Root,
    /// The site's search for a word, where nothing can be browsed.
    Word,
    /// A link of a collection.
    Member(usize),
    /// A further page of a list.
    Next(usize),
}

impl Task {
    /// Whether the page is looked at to find the entry page only.
    fn is_for_entry(self) -> bool {
        matches!(self, Self::Way { .. } | Self::Answer | Self::Back | Self::Nonsense)
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
    pub(super) barren: u32,
}

/// What was fetched.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) pages: usize,
    pub(super) targets: usize,
    pub(super) indexes: usize,
    /// Pages that led to nothing: neither target nor index nor hub, or a list of what was known.
    pub(super) useless: usize,
}

/// One site.
#[derive(Debug)]
pub(super) struct Walk {
    pub(super) category: Option<String>,
    pub(super) entries: Vec<EntryAccount>,
    pub(super) entry: Option<String>,
    pub(super) counts: Counts,
    pub(super) collections: Collections,
    pub(super) end: Option<String>,
    pub(super) desk: Desk<Task>,
    pub(super) homes: Vec<Page>,
    pub(super) search: Option<EntrySearch>,
    pub(super) tried: usize,
    /// Pages that were opened in search of the entry page.
    pub(super) opened: BTreeMap<String, Page>,
    /// Addresses that lead out of the category.
    pub(super) outside: BTreeSet<String>,
    pub(super) samples: Samples,
    pub(super) seen: BTreeMap<String, Role>,
    /// Addresses in records of lists.
    pub(super) records: BTreeSet<String>,
    /// Addresses in any collection.
    pub(super) met: BTreeSet<String>,
    pub(super) lists: Vec<List>,
    /// The template of a target page of each collection.
    pub(super) templates: BTreeMap<usize, Template>,
    /// The template of the site's targets.
    pub(super) main: Option<Template>,
    /// Kinds of addresses that only targets have.
    pub(super) target_kinds: BTreeSet<String>,
    pub(super) words_asked: bool,
    /// What the site's search lists whatever it is asked.
    pub(super) anyway: BTreeSet<String>,
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
            desk: Desk::default(),
            homes: Vec::new(),
            search: search.map(|name| EntrySearch::new(name, &settings.words)),
            tried: 0,
            opened: BTreeMap::new(),
            outside: BTreeSet::new(),
            samples: Samples::default(),
            seen: BTreeMap::new(),
            records: BTreeSet::new(),
            met: BTreeSet::new(),
            lists: Vec::new(),
            templates: BTreeMap::new(),
            main: None,
            target_kinds: BTreeSet::new(),
            words_asked: false,
            anyway: BTreeSet::new(),
        }
    }

    /// Begins at a seed.
    pub(super) fn begin(&mut self, key: &str, page: Page, settings: &IndexSettings) {
        self.desk.know(key);
        self.counts.pages += 1;
        self.end = None;
        match &mut self.search {
            Some(search) => search.way(&page, 1.0, 0),
            None if self.category.is_none() => self.root(&page, settings),
            None => {}
        }
        self.homes.push(page);
    }

    pub(super) fn put(&mut self, key: String, page: Page) {
        self.desk.put(key, page);
    }

    /// Something has come: goes on if the wave is complete.
    pub(super) fn arrived(
        &mut self,
        settings: &IndexSettings,
        propose: &mut dyn FnMut(Proposal<'static>),
    ) {
        if self.desk.is_complete() {
            self.idle(settings, propose);
        }
    }

    /// Nothing more will come: reads the wave and sends the next one.
    pub(super) fn idle(
        &mut self,
        settings: &IndexSettings,
        propose: &mut dyn FnMut(Proposal<'static>),
    ) {
        while self.end.is_none() {
            self.read(settings);
            self.plan(settings);
            if self.desk.send(propose) || self.desk.is_idle() {
                return;
            }
        }
    }

    /// Reads the wave.
    fn read(&mut self, settings: &IndexSettings) {
        let wave = self.desk.collect();
        for (asked, page) in &wave {
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
        let pages: Vec<&Page> = wave.iter().filter_map(|(_, page)| page.as_ref()).collect();
        let mut kinds = self.samples.kinds(&pages).into_iter();
        for (asked, page) in &wave {
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
                self.seen.insert(address.to_owned(), Role::Missing);
            }
        }
    }

    fn take(
        &mut self,
        address: &str,
        task: Task,
        page: &Page,
        kind: PageKind,
        settings: &IndexSettings,
    ) {
        match (task, &mut self.search) {
            (Task::Way { score, steps }, Some(search)) => search.way(page, score, steps),
            (Task::Answer, Some(search)) => search.answered(address, page),
            (Task::Back, Some(search)) => search.back(page),
            (Task::Nonsense, Some(search)) => search.nonsense(address, page),
            (Task::Way { .. } | Task::Answer | Task::Back | Task::Nonsense, None) => {}
            (Task::Root, _) => self.root(page, settings),
            (Task::Word, _) => {
                if self.tells(page) {
                    self.root(page, settings);
                }
            }
            (Task::Next(list), _) => {
                self.counts.indexes += 1;
                self.index(page, list, settings);
            }
            (Task::Member(at), _) => {
                let role = self.member(page, at, kind, settings);
                self.seen.insert(address.to_owned(), role);
            }
        }
        if task.is_for_entry() {
            self.opened.insert(address.to_owned(), page.clone());
        }
    }

    /// Whether an answer of the site's search says anything of the category.
    fn tells(&self, page: &Page) -> bool {
        self.category.is_none() || tells(&records(page), &self.anyway)
    }

    /// Takes the page where the walk begins: a home page, an entry page, an answer of the site's search.
    pub(super) fn root(&mut self, page: &Page, settings: &IndexSettings) {
        self.samples.keep(&page.address, page, None);
        self.register(page, None, false);
        let list = self.open(None, page);
        self.turn(page, list, 1, settings);
    }

    /// Takes a page that a collection has led to.
    pub(super) fn member(
        &mut self,
        page: &Page,
        via: usize,
        kind: PageKind,
        settings: &IndexSettings,
    ) -> Role {
        match kind {
            PageKind::Entity => {
                self.counts.targets += 1;
                let home = self.homes.first().map_or(&[][..], |home| &home.sight.map.signature);
                let template = Template::of(&page.sight, home);
                let known = self.templates.entry(via).or_insert(template);
                known.sells |= page.sight.sells;
                self.meet_targets(page);
                Role::Target
            }
            PageKind::List => {
                self.counts.indexes += 1;
                let list = self.open(Some(via), page);
                let fresh = self.index(page, list, settings);
                let collection = &mut self.collections.list[via];
                let redundant = !fresh && collection.place == Place::Beside;
                self.counts.useless += usize::from(redundant);
                collection.barren = if fresh { 0 } else { collection.barren + 1 };
                Role::Index { fresh }
            }
            PageKind::Other => {
                let before = self.met.len();
                self.register(page, Some(via), false);
                let list = self.open(Some(via), page);
                self.turn(page, list, 1, settings);
                let leads_on = self.met.len() > before;
                self.counts.useless += usize::from(!leads_on);
                if leads_on { Role::Hub } else { Role::Leaf }
            }
        }
    }

    pub(super) fn open(&mut self, via: Option<usize>, page: &Page) -> usize {
        self.lists.push(List { via, depth: page.depth, ..List::default() });
        self.lists.len() - 1
    }

    /// Takes a page of a list. True if it brought something new.
    fn index(&mut self, page: &Page, list: usize, settings: &IndexSettings) -> bool {
        let fresh = self.register(page, self.lists[list].via, true);
        self.turn(page, list, fresh, settings);
        fresh > 0
    }

    /// Whether a list is read on.
    fn turn(&mut self, page: &Page, list: usize, fresh: usize, settings: &IndexSettings) {
        let known = self.records.len() as u64;
        let list = &mut self.lists[list];
        list.claimed = page.sight.map.total.or(list.claimed);
        let before = list.shown.len();
        let records = page.sight.collections.iter().filter(|links| links.in_list);
        let records = records.flat_map(|links| &links.links).map(|link| link.address.clone());
        list.shown.extend(records);
        list.barren = if fresh > 0 { 0 } else { list.barren + 1 };
        let more = list.claimed.is_some_and(|claimed| claimed > known);
        let worn = list.barren >= settings.barren && !more;
        list.next = page.sight.next.clone().filter(|_| list.shown.len() > before && !worn);
        if list.next.is_none() {
            list.shown = BTreeSet::new();
        }
    }

    /// Notes the collections of a page. Returns how many of its records are new and may be targets.
    fn register(&mut self, page: &Page, via: Option<usize>, is_list: bool) -> usize {
        let level = via.map_or(0, |via| self.collections.list[via].level + 1);
        let beside = via.is_some_and(|via| self.collections.list[via].place == Place::Beside);
        let mut fresh = 0;
        // Records first.
        for links in &page.sight.collections {
            // A part of a list that is known already offers nothing but parts of itself.
            if beside && is_list && !links.in_list && fresh == 0 {
                continue;
            }
            // A list of one record is no repetition; its link stands where targets stand elsewhere.
            let alone = is_list && fresh == 0 && self.collections.leads_to_targets(&links.key);
            let place = match links.in_list || alone {
                true => Place::Records,
                false if is_list || links.facet >= 0.5 => Place::Beside,
                false => Place::Ways,
            };
            // Pages before the entry page show some products, too; a list that has others is inside.
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
                self.met.insert(link.address.clone());
                if place == Place::Records && self.records.insert(link.address.clone()) {
                    let verdict = self.collections.list[at].verdict;
                    let may_be = self.main.is_none()
                        || verdict == Verdict::Targets
                        || self.target_kinds.contains(&links.key.address);
                    fresh += usize::from(may_be);
                }
                self.collections.list[at].add(link);
            }
        }
        fresh
    }

    /// Targets lead to related ones. Without a category they are wanted, too.
    fn meet_targets(&mut self, page: &Page) {
        if self.category.is_some() {
            return;
        }
        for links in &page.sight.collections {
            if self.target_kinds.contains(&links.key.address) {
                let at = self.collections.at(&links.key, Place::Records, None, 0);
                for link in &links.links {
                    self.met.insert(link.address.clone());
                    self.collections.list[at].add(link);
                }
            }
        }
    }
}

/// Addresses in the records of a page.
pub(super) fn records(page: &Page) -> BTreeSet<String> {
    let lists = page.sight.collections.iter().filter(|links| links.in_list);
    lists.flat_map(|links| &links.links).map(|link| link.address.clone()).collect()
}

/// Whether most of what a search lists is not listed whatever it is asked.
pub(super) fn tells(listed: &BTreeSet<String>, anyway: &BTreeSet<String>) -> bool {
    listed.difference(anyway).count() * 2 > listed.len()
}
