//! What is asked next? Samples of unknown collections, all of those that lead to targets and indexes,
//! the next pages of lists; at the end, what stands beside lists.

use std::collections::BTreeMap;

use quarry_model::Request;

use super::IndexSettings;
use super::account::EntryAccount;
use super::collection::{Place, Verdict};
use super::walk::{Task, Walk};

/// Collections on the way from a root to a target at the most: departments, categories, subcategories
/// and the products themselves. Deeper nesting is rare (DEXTER §3.2.2 has two levels).
const LEVELS: u32 = 4;
/// Entry pages that are tried.
const ENTRIES: usize = 3;
/// Links of a collection beside lists that are followed at a time.
const BESIDE: usize = 4;
/// Collections on one path beside lists that may be useless before the others on it are left out.
const USELESS_PATHS: usize = 3;

impl Walk {
    /// Fills the next wave, or ends the walk.
    pub(super) fn plan(&mut self, settings: &IndexSettings) {
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
        let Some(home) = self.homes.first().cloned() else { return false };
        if let Some(search) = &mut self.search {
            search.plan(&mut self.desk, &home, settings);
            if !self.desk.is_idle() {
                return true;
            }
            self.entries = search.candidates();
            self.anyway = search.anyway();
            if let Some(url) = search.answer() {
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
        let allowed = settings.useless + self.counts.targets / 10;
        let mut left = allowed.saturating_sub(self.counts.useless);
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
            self.desk.ask(&form.request(word, &[]), Task::Word, home.depth + 1);
        }
    }
}

/// Whether an address continues another: more of its path, or further parameters.
fn is_below(address: &str, above: &str) -> bool {
    let rest = |above: &str| address.strip_prefix(above).is_some_and(|rest| !rest.is_empty());
    rest(above.trim_end_matches('/')) && address != above
}
