//! Decides what the walk requests next: samples of unknown collections, all links of collections that
//! lead to targets and indexes, the next pages of lists; at the end, links beside lists.

use std::collections::BTreeMap;

use quarry_model::Request;

use super::IndexSettings;
use super::collection::{LinkPosition, Verdict};
use super::report::EntryReport;
use super::walk::{Task, Walk};

/// Collections on the way from a root to a target at the most: departments, categories, subcategories
/// and the products themselves. Deeper nesting is rare (DEXTER §3.2.2 has two levels).
const MAX_LEVELS: u32 = 4;
/// Candidates for the entry page that are requested before the results of the site's search.
const MAX_ENTRIES: usize = 3;
/// Links of a collection beside lists that are followed at a time: most lead to parts of known lists.
const LINKS_BESIDE_LIST: usize = 4;
/// Useless collections on one path beside lists after which the others on it are left out.
const MAX_USELESS_COLLECTIONS: usize = 3;

impl Walk {
    /// Fills the next batch, or ends the walk.
    pub(super) fn plan(&mut self, settings: &IndexSettings) {
        if self.plan_entry(settings) {
            return;
        }
        self.plan_samples(settings, false);
        self.plan_members(settings);
        self.plan_lists();
        if self.batch.is_empty() {
            self.plan_samples(settings, true);
        }
        if self.batch.is_empty() && self.counts.targets == 0 && !self.words_asked {
            self.words_asked = true;
            self.plan_word_searches(settings);
        }
        if self.batch.is_empty() {
            self.end = Some(match self.counts.targets {
                0 => self.category.as_ref().map_or_else(
                    || "no collection of links leads to pages about one thing each".to_owned(),
                    |name| {
                        format!("no products of {name} were found; try another name or examples")
                    },
                ),
                _ => "every collection that leads to targets was followed".to_owned(),
            });
        }
    }

    /// Looks for the entry page. True while that goes on.
    fn plan_entry(&mut self, settings: &IndexSettings) -> bool {
        let Some(home) = self.home_pages.first().cloned() else { return false };
        if let Some(search) = &mut self.search {
            search.plan(&mut self.batch, &home, settings);
            if !self.batch.is_empty() {
                return true;
            }
            self.entries = search.candidates();
            self.baseline = search.baseline();
            if let Some(url) = search.results_page() {
                self.entries.truncate(MAX_ENTRIES);
                self.entries.push(EntryReport { url, search: Some(1.0), ..Default::default() });
            }
            self.search = None;
            for (address, page) in &self.opened {
                self.batch.put_back(address, page.clone());
            }
        }
        // The next candidate, as long as none has led to targets.
        while self.category.is_some()
            && self.counts.targets == 0
            && self.lists.iter().all(|list| list.next.is_none())
            && self.entries_tried < self.entries.len()
            && !self.is_promising(settings)
        {
            let entry = self.entries[self.entries_tried].url.clone();
            self.entries_tried += 1;
            self.leave_outside(&entry);
            self.entry = Some(entry.clone());
            if self.batch.ask(&Request::get(&entry), Task::Root, home.depth + 1) {
                return true;
            }
        }
        false
    }

    /// Whether some collection may still be sampled or followed.
    fn is_promising(&self, settings: &IndexSettings) -> bool {
        self.collections.list.iter().any(|collection| match collection.verdict {
            Verdict::Unknown => {
                collection.level < MAX_LEVELS
                    && collection.roles(&self.roles).len()
                        < settings.samples.min(collection.links.len())
            }
            Verdict::Targets | Verdict::Indexes => collection.followed < collection.links.len(),
            Verdict::Nothing => false,
        })
    }

    /// Remembers the links of the pages before the entry page: they lead out of the category.
    fn leave_outside(&mut self, entry: &str) {
        let pages = self.home_pages.iter().chain(self.opened.values());
        for page in pages.filter(|page| page.address != entry) {
            for links in page.facts.collections.iter().filter(|links| !links.in_list) {
                let outside = links.links.iter().filter(|link| !is_below(&link.address, entry));
                self.outside.extend(outside.map(|link| link.address.clone()));
            }
            self.outside.insert(page.address.clone());
        }
    }

    /// Requests a few links of collections of which nothing is known.
    fn plan_samples(&mut self, settings: &IndexSettings, beside: bool) {
        let allowed = settings.useless + self.counts.targets / 10;
        let mut left = allowed.saturating_sub(self.counts.useless);
        let mut order: Vec<usize> = (0..self.collections.list.len())
            .filter(|&at| {
                let collection = &self.collections.list[at];
                collection.verdict == Verdict::Unknown
                    && collection.level < MAX_LEVELS
                    && (collection.position == LinkPosition::BesideList) == beside
            })
            .collect();
        let list = &self.collections.list;
        order.sort_by_key(|&at| (list[at].position, std::cmp::Reverse(list[at].links.len()), at));
        let mut useless: BTreeMap<String, usize> = BTreeMap::new();
        for collection in
            self.collections.list.iter().filter(|c| c.position == LinkPosition::BesideList)
        {
            if collection.verdict == Verdict::Nothing {
                *useless.entry(collection.key.path.clone()).or_default() += 1;
            }
        }
        for at in order {
            let collection = &self.collections.list[at];
            if beside {
                // Those of this batch count as useless, until their pages show otherwise.
                let useless = useless.entry(collection.key.path.clone()).or_default();
                if *useless >= MAX_USELESS_COLLECTIONS {
                    continue;
                }
                *useless += 1;
            }
            let looked = collection.roles(&self.roles).len();
            let wanted = settings.samples.saturating_sub(looked);
            // One at a time beside lists: most lead to records that are known.
            let wanted = if beside { wanted.min(1) } else { wanted }.min(left);
            let middle = collection.links.len() / 2;
            let (head, tail) = collection.links.split_at(middle);
            let spread = tail.iter().zip(head.iter().map(Some).chain([None]));
            let spread = spread.flat_map(|(one, other)| [Some(one), other]).flatten();
            let unseen = spread.filter(|link| !self.batch.knows(&link.address));
            let chosen: Vec<String> = unseen.take(wanted).map(|l| l.address.clone()).collect();
            for address in chosen {
                let depth = collection.level + 1;
                left -=
                    usize::from(self.batch.ask(&Request::get(address), Task::Member(at), depth));
            }
        }
    }

    /// Follows collections that lead to targets or indexes.
    fn plan_members(&mut self, settings: &IndexSettings) {
        for wanted in [Verdict::Targets, Verdict::Indexes] {
            for at in 0..self.collections.list.len() {
                let collection = &mut self.collections.list[at];
                let exhausted = collection.position == LinkPosition::BesideList
                    && collection.pages_without_news >= settings.max_pages_without_new;
                if collection.verdict != wanted || exhausted {
                    continue;
                }
                let beside = collection.position == LinkPosition::BesideList;
                let room =
                    self.batch.room().min(if beside { LINKS_BESIDE_LIST } else { usize::MAX });
                let until = self.batch.room() - room;
                while collection.followed < collection.links.len() && self.batch.room() > until {
                    let address = &collection.links[collection.followed].address;
                    collection.followed += 1;
                    let request = Request::get(address);
                    self.batch.ask(&request, Task::Member(at), collection.level + 1);
                }
            }
        }
    }

    /// Requests the next page of the list that claims most records: others may be parts of it.
    fn plan_lists(&mut self) {
        loop {
            let waiting = self.lists.iter().enumerate().filter(|(_, list)| list.next.is_some());
            let longest = waiting.max_by_key(|(at, list)| (list.claimed, std::cmp::Reverse(*at)));
            let Some((at, list)) = longest else { return };
            let depth = list.depth + 1;
            let Some(next) = self.lists[at].next.take() else { return };
            if self.batch.ask(&next, Task::Next(at), depth) {
                return;
            }
        }
    }

    /// Searches for the category and the example words, where nothing can be browsed.
    fn plan_word_searches(&mut self, settings: &IndexSettings) {
        let home = self.home_pages.iter().find(|home| home.facts.search.is_some());
        let Some((home, form)) = home.and_then(|home| Some((home, home.facts.search.as_ref()?)))
        else {
            return;
        };
        for word in self.category.iter().chain(&settings.words) {
            self.batch.ask(&form.request(word, &[]), Task::WordSearch, home.depth + 1);
        }
    }
}

/// Whether an address continues another: more of its path, or further parameters.
fn is_below(address: &str, above: &str) -> bool {
    let rest = |above: &str| address.strip_prefix(above).is_some_and(|rest| !rest.is_empty());
    rest(above.trim_end_matches('/')) && address != above
}
