//! What is asked next on one site? Samples of unknown collections, all of those that lead to targets and
//! indexes, the next pages of lists; at the end, what stands beside lists.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::links::PageKind;
use quarry_model::Request;

use super::IndexSettings;
use super::account::EntryAccount;
use super::collection::{Collections, Place, Role, Verdict};
use super::desk::{Desk, Page};
use super::entry::EntrySearch;
use super::judge::{Samples, Template};
use crate::strategy::Proposal;

/// Collections on the way from a root to a target at the most: departments, categories, subcategories
/// and the products themselves. Deeper nesting is rare (DEXTER §3.2.2 has two levels).
const LEVELS: u32 = 4;
/// Entry pages that are tried.
const ENTRIES: usize = 3;

/// Links of a collection beside lists that are followed at a time.
const BESIDE: usize = 4;
/// Collections on one path beside lists that may be useless before the others on it are left out.
const USELESS_PATHS: usize = 3;

/// What a request is for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Task {
    /// A page on the way from the home page to the category.
    Way { score: f64, steps: u32 },
    /// The site's search for the category.
    Answer,
    /// A target page that may say where it belongs.
    Back,
    /// The page where the walk begins.
    Root,
    /// A link of a collection.
    Member(usize),
    /// A further page of a list.
    Next(usize),
}

/// A list whose pages are being read.
#[derive(Debug, Default)]
struct List {
    via: Option<usize>,
    next: Option<Request>,
    depth: u32,
    claimed: Option<u64>,
    /// Addresses that its pages have shown.
    shown: BTreeSet<String>,
    /// Pages in a row that brought nothing new.
    barren: u32,
}

/// What was fetched.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) pages: usize,
    pub(super) targets: usize,
    pub(super) indexes: usize,
    /// Index pages that brought something new.
    fresh: usize,
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
    desk: Desk<Task>,
    homes: Vec<Page>,
    search: Option<EntrySearch>,
    tried: usize,
    /// Pages that were opened in search of the entry page.
    opened: BTreeMap<String, Page>,
    /// Addresses that lead out of the category.
    outside: BTreeSet<String>,
    samples: Samples,
    seen: BTreeMap<String, Role>,
    /// Addresses in records of lists.
    records: BTreeSet<String>,
    /// Addresses in any collection.
    met: BTreeSet<String>,
    lists: Vec<List>,
    /// The template of a target page of each collection.
    templates: BTreeMap<usize, Template>,
    /// The template of the site's targets.
    main: Option<Template>,
    /// Kinds of addresses that only targets have.
    target_kinds: BTreeSet<String>,
    words_asked: bool,
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
            let is_sample = match asked.task {
                Task::Root | Task::Next(_) => true,
                Task::Member(at) => self.collections.list[at].verdict != Verdict::Targets,
                Task::Way { .. } | Task::Answer | Task::Back => false,
            };
            if is_sample {
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

    /// Takes pages again that were taken for targets and turn out to be none, now that more of the
    /// site is known: the first category that is opened may list nothing but categories.
    fn reconsider(&mut self, settings: &IndexSettings) {
        for (asked, via, page, kind) in self.samples.again() {
            if kind != PageKind::Entity && self.seen.get(&asked) == Some(&Role::Target) {
                self.counts.targets -= 1;
                let role = self.member(&page, via, kind, settings);
                self.seen.insert(asked, role);
                self.templates.remove(&via);
            }
        }
        for at in 0..self.collections.list.len() {
            let collection = &self.collections.list[at];
            let roles = collection.roles(&self.seen);
            let targets = roles.iter().filter(|role| **role == Role::Target).count();
            let others = roles.iter().filter(|role| matches!(role, Role::Index { .. } | Role::Hub));
            if collection.verdict == Verdict::Targets && others.count() > targets {
                let kind = collection.key.address.clone();
                self.target_kinds.remove(&kind);
                self.main = None;
                for other in &mut self.collections.list {
                    if other.key.address == kind && other.verdict == Verdict::Targets {
                        other.verdict = Verdict::Unknown;
                    }
                }
            }
        }
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
            (Task::Way { .. } | Task::Answer | Task::Back, None) => {}
            (Task::Root, _) => self.root(page, settings),
            (Task::Next(list), _) => {
                self.counts.indexes += 1;
                self.index(page, list, settings);
            }
            (Task::Member(at), _) => {
                let role = self.member(page, at, kind, settings);
                self.seen.insert(address.to_owned(), role);
            }
        }
        if matches!(task, Task::Way { .. } | Task::Answer | Task::Back) {
            self.opened.insert(address.to_owned(), page.clone());
        }
    }

    /// Takes the page where the walk begins: a home page, an entry page, an answer of the site's search.
    fn root(&mut self, page: &Page, settings: &IndexSettings) {
        self.samples.keep(&page.address, page, None);
        self.register(page, None, false);
        let list = self.open(None, page);
        self.turn(page, list, 1, settings);
    }

    /// Takes a page that a collection has led to.
    fn member(
        &mut self,
        page: &Page,
        via: usize,
        kind: PageKind,
        settings: &IndexSettings,
    ) -> Role {
        match kind {
            PageKind::Entity => {
                self.counts.targets += 1;
                let template = Template::of(&page.sight);
                self.templates.entry(via).or_insert(template);
                self.meet_targets(page);
                Role::Target
            }
            PageKind::List => {
                self.counts.indexes += 1;
                let list = self.open(Some(via), page);
                let fresh = self.index(page, list, settings);
                let collection = &mut self.collections.list[via];
                collection.barren = if fresh { 0 } else { collection.barren + 1 };
                Role::Index { fresh }
            }
            PageKind::Other => {
                let before = self.met.len();
                self.register(page, Some(via), false);
                let list = self.open(Some(via), page);
                self.turn(page, list, 1, settings);
                if self.met.len() > before { Role::Hub } else { Role::Leaf }
            }
        }
    }

    fn open(&mut self, via: Option<usize>, page: &Page) -> usize {
        self.lists.push(List { via, depth: page.depth, ..List::default() });
        self.lists.len() - 1
    }

    /// Takes a page of a list. True if it brought something new.
    fn index(&mut self, page: &Page, list: usize, settings: &IndexSettings) -> bool {
        let fresh = self.register(page, self.lists[list].via, true);
        self.counts.fresh += usize::from(fresh > 0);
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
            let place = match links.in_list {
                true => Place::Records,
                false if is_list || links.facet >= 0.5 => Place::Beside,
                false => Place::Ways,
            };
            let mut at = None;
            for link in &links.links {
                if self.outside.contains(&link.address) {
                    continue;
                }
                let at =
                    *at.get_or_insert_with(|| self.collections.at(&links.key, place, via, level));
                self.met.insert(link.address.clone());
                if links.in_list && self.records.insert(link.address.clone()) {
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

    /// Says of collections what they lead to, as far as their members have told.
    fn judge(&mut self, settings: &IndexSettings) {
        for at in 0..self.collections.list.len() {
            let collection = &self.collections.list[at];
            if collection.verdict != Verdict::Unknown {
                continue;
            }
            if self.target_kinds.contains(&collection.key.address) {
                self.collections.list[at].verdict = Verdict::Targets;
                continue;
            }
            let roles = collection.roles(&self.seen);
            let count =
                |wanted: fn(&Role) -> bool| roles.iter().filter(|role| wanted(role)).count();
            let fresh = count(|role| matches!(role, Role::Index { fresh: true }));
            let indexes = count(|role| matches!(role, Role::Index { .. }));
            let targets = count(|role| *role == Role::Target);
            let hubs = count(|role| *role == Role::Hub);
            let looked = roles.len();
            let enough = looked >= settings.samples || looked == collection.links.len();
            if fresh > 0 || (indexes > 0 && collection.place != Place::Beside) {
                self.collections.lead_on(Some(at));
            } else if targets > 0 && enough {
                self.judge_targets(at);
            } else if enough && hubs == 0 {
                self.collections.list[at].verdict = Verdict::Nothing;
            }
        }
    }

    /// Members of a collection are about one thing each: are these the things that are wanted?
    fn judge_targets(&mut self, at: usize) {
        let Some(template) = self.templates.get(&at).cloned() else {
            // They were reached through another collection.
            self.collections.list[at].verdict = Verdict::Targets;
            return;
        };
        let wanted = match &self.main {
            None => true,
            Some(main) if main.made(&template) => true,
            // Prices tell products from articles.
            Some(main) => main.sells == template.sells || template.sells,
        };
        if !wanted {
            self.collections.list[at].verdict = Verdict::Nothing;
            return;
        }
        if self.main.as_ref().is_none_or(|main| template.sells && !main.sells) {
            self.main = Some(template);
        }
        let collection = &mut self.collections.list[at];
        collection.verdict = Verdict::Targets;
        let kind = collection.key.address.clone();
        let parent = collection.parent;
        self.collections.lead_on(parent);
        let leads_on = |verdict: Verdict| verdict == Verdict::Indexes;
        let shared =
            self.collections.list.iter().any(|c| c.key.address == kind && leads_on(c.verdict));
        let vague = kind.contains("//") && kind.ends_with('?');
        if self.category.is_none() && !shared && !vague {
            self.target_kinds.insert(kind);
        }
    }

    /// Fills the next wave, or ends the walk.
    fn plan(&mut self, settings: &IndexSettings) {
        if self.plan_entry(settings) {
            return;
        }
        self.plan_samples(settings, false);
        self.plan_members(settings);
        self.plan_lists();
        if self.desk.is_idle() {
            self.plan_samples(settings, true);
        }
        if self.desk.is_idle() && self.counts.targets == 0 && !self.words_asked {
            self.words_asked = true;
            self.plan_words(settings);
        }
        if self.desk.is_idle() {
            self.end = Some(match self.counts.targets {
                0 => "no collection of links leads to pages about one thing each".to_owned(),
                _ => "every collection that leads to targets was followed".to_owned(),
            });
        }
    }

    /// Looks for the entry page. True while that goes on.
    fn plan_entry(&mut self, settings: &IndexSettings) -> bool {
        let Some(home) = self.homes.first().cloned() else { return false };
        if let Some(search) = &mut self.search {
            search.plan(&mut self.desk, &home, settings);
            if !self.desk.is_idle() {
                return true;
            }
            self.entries = search.candidates();
            let answer = search.answer.take();
            if let Some(answer) = answer {
                let url = answer.clone();
                self.entries.truncate(ENTRIES);
                self.entries.push(EntryAccount { url, search: Some(1.0), ..Default::default() });
            }
            self.search = None;
            for (address, page) in &self.opened {
                self.desk.put_back(address, page.clone());
            }
        }
        // The next candidate, as long as none has led to targets.
        while self.category.is_some()
            && self.counts.targets == 0
            && self.lists.iter().all(|list| list.next.is_none())
            && self.tried < self.entries.len()
            && !self.is_promising(settings)
        {
            let entry = self.entries[self.tried].url.clone();
            self.tried += 1;
            self.leave_outside(&entry);
            self.entry = Some(entry.clone());
            if self.desk.ask(&Request::get(&entry), Task::Root, home.depth + 1) {
                return true;
            }
        }
        false
    }

    /// Whether some collection may still be sampled or followed.
    fn is_promising(&self, settings: &IndexSettings) -> bool {
        self.collections.list.iter().any(|collection| match collection.verdict {
            Verdict::Unknown => {
                collection.level < LEVELS
                    && collection.roles(&self.seen).len()
                        < settings.samples.min(collection.links.len())
            }
            Verdict::Targets | Verdict::Indexes => collection.followed < collection.links.len(),
            Verdict::Nothing => false,
        })
    }

    /// What the pages before the entry page link to is not the category, but what surrounds it.
    fn leave_outside(&mut self, entry: &str) {
        let pages = self.homes.iter().chain(self.opened.values());
        for page in pages.filter(|page| page.address != entry) {
            for links in page.sight.collections.iter().filter(|links| !links.in_list) {
                let outside = links.links.iter().filter(|link| !is_below(&link.address, entry));
                self.outside.extend(outside.map(|link| link.address.clone()));
            }
            self.outside.insert(page.address.clone());
        }
    }

    /// Asks for a few members of collections that nothing is known of.
    fn plan_samples(&mut self, settings: &IndexSettings, beside: bool) {
        let useful = self.counts.targets + self.counts.fresh;
        let allowed = settings.useless + self.counts.targets / 10;
        let mut left = allowed.saturating_sub(self.counts.pages.saturating_sub(useful));
        let mut order: Vec<usize> = (0..self.collections.list.len())
            .filter(|&at| {
                let collection = &self.collections.list[at];
                collection.verdict == Verdict::Unknown
                    && collection.level < LEVELS
                    && (collection.place == Place::Beside) == beside
            })
            .collect();
        let list = &self.collections.list;
        order.sort_by_key(|&at| (list[at].place, std::cmp::Reverse(list[at].links.len()), at));
        let mut useless: BTreeMap<String, usize> = BTreeMap::new();
        for collection in self.collections.list.iter().filter(|c| c.place == Place::Beside) {
            if collection.verdict == Verdict::Nothing {
                *useless.entry(collection.key.path.clone()).or_default() += 1;
            }
        }
        for at in order {
            let collection = &self.collections.list[at];
            if beside {
                // Those of this wave count as useless, until they have shown otherwise.
                let useless = useless.entry(collection.key.path.clone()).or_default();
                if *useless >= USELESS_PATHS {
                    continue;
                }
                *useless += 1;
            }
            let looked = collection.roles(&self.seen).len();
            let wanted = settings.samples.saturating_sub(looked);
            // One at a time beside lists: most of it is in the list already.
            let wanted = if beside { wanted.min(1) } else { wanted }.min(left);
            let middle = collection.links.len() / 2;
            let (head, tail) = collection.links.split_at(middle);
            let spread = tail.iter().zip(head.iter().map(Some).chain([None]));
            let spread = spread.flat_map(|(one, other)| [Some(one), other]).flatten();
            let unseen = spread.filter(|link| !self.desk.knows(&link.address));
            let chosen: Vec<String> = unseen.take(wanted).map(|l| l.address.clone()).collect();
            for address in chosen {
                let depth = collection.level + 1;
                left -= usize::from(self.desk.ask(&Request::get(address), Task::Member(at), depth));
            }
        }
    }

    /// Follows collections that lead to targets or indexes.
    fn plan_members(&mut self, settings: &IndexSettings) {
        for wanted in [Verdict::Targets, Verdict::Indexes] {
            for at in 0..self.collections.list.len() {
                let collection = &mut self.collections.list[at];
                let worn =
                    collection.place == Place::Beside && collection.barren >= settings.barren;
                if collection.verdict != wanted || worn {
                    continue;
                }
                // Few at a time where the rest may be redundant.
                let beside = collection.place == Place::Beside;
                let room = self.desk.room().min(if beside { BESIDE } else { usize::MAX });
                let until = self.desk.room() - room;
                while collection.followed < collection.links.len() && self.desk.room() > until {
                    let address = &collection.links[collection.followed].address;
                    collection.followed += 1;
                    let request = Request::get(address);
                    self.desk.ask(&request, Task::Member(at), collection.level + 1);
                }
            }
        }
    }

    /// Reads on in the list that says it is the longest: others may turn out to be parts of it.
    fn plan_lists(&mut self) {
        loop {
            let waiting = self.lists.iter().enumerate().filter(|(_, list)| list.next.is_some());
            let longest = waiting.max_by_key(|(at, list)| (list.claimed, std::cmp::Reverse(*at)));
            let Some((at, list)) = longest else { return };
            let depth = list.depth + 1;
            let Some(next) = self.lists[at].next.take() else { return };
            if self.desk.ask(&next, Task::Next(at), depth) {
                return;
            }
        }
    }

    /// Nothing can be browsed: the site's search is asked for the words.
    fn plan_words(&mut self, settings: &IndexSettings) {
        let home = self.homes.iter().find(|home| home.sight.search.is_some());
        let Some((home, form)) = home.and_then(|home| Some((home, home.sight.search.as_ref()?)))
        else {
            return;
        };
        for word in self.category.iter().chain(&settings.words) {
            self.desk.ask(&form.request(word, &[]), Task::Root, home.depth + 1);
        }
    }
}

/// Whether an address continues another: more of its path, or further parameters.
fn is_below(address: &str, above: &str) -> bool {
    let rest = |above: &str| address.strip_prefix(above).is_some_and(|rest| !rest.is_empty());
    rest(above.trim_end_matches('/')) && address != above
}
