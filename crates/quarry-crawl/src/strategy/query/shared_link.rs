//! Links that several records of a list share (the category of each topic of a forum). Where one leads to a list of the same
//! records, these are entities, however much their own pages list: the list is no list of lists.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::links::UrlShape;
use quarry_model::Request;
use url::Url;

use super::explore::Exploration;
use super::facts::QueryFacts;
use super::hub::{Hub, MIN_LIST_ENTITIES};
use super::requests::{FetchedPage, NEXT_PAGE, Task};

/// Shared links that are asked for, one for each place in a record: records have few places for links.
const MAX_SHARED: usize = 2;

/// Records of a list that goes on whose own pages are asked for: a topic may have a single author.
const MAX_RECORD_PAGES: usize = 3;

/// Records that must share a link: a link that stands once is said of one record.
const MIN_SHARING: usize = 2;

impl Exploration {
    /// Requests what links lead to that several records of the root list share. False if there are none, or that was done.
    pub(super) fn try_shared_links(&mut self) -> bool {
        if std::mem::replace(&mut self.state.shared_links_tried, true) {
            return false;
        }
        let Some(page) = &self.state.root_page else { return false };
        if is_long(&page.facts) && links_back(&page.facts, &page.name) {
            self.records_are_entities("its records link back to it, as to the list of their value");
            return false;
        }
        let shared = shared_links(&page.facts);
        if is_long(&page.facts) {
            for entity in page.facts.entities.iter().take(MAX_RECORD_PAGES) {
                let request = Request::get(&entity.address);
                self.state.requests.send(&request, Task::RecordPage, NEXT_PAGE);
            }
        }
        for address in shared {
            self.state.requests.send(&Request::get(&address), Task::SharedLink, NEXT_PAGE);
        }
        self.state.requests.any_outgoing()
    }

    /// Judges by the page behind a shared link whether the root list has entities.
    pub(super) fn read_shared_link(&mut self, facts: &QueryFacts) {
        let Some(page) = &self.state.root_page else { return };
        if (is_long(&page.facts) || is_long(facts)) && lists_same_kind(&page.facts, facts) {
            self.records_are_entities("lists behind links of its records have the same entities");
        }
    }

    /// Judges by a record's own page whether the root list has entities: people who have written to one topic have written to
    /// others, and the list says so; what a category holds, others seldom do. Either way the page is of use.
    pub(super) fn read_record_page(&mut self, key: &str, page: &FetchedPage) {
        let Some(root) = &self.state.root_page else { return };
        let own: BTreeSet<&str> =
            root.facts.entities.iter().map(|entity| entity.address.as_str()).collect();
        let listed = page.facts.entities.iter().map(|entity| entity.address.clone());
        let listed: BTreeSet<String> =
            listed.filter(|address| !own.contains(address.as_str())).collect();
        let evidence = if lists_shared_values(&root.facts, &listed) {
            Some("its records' own pages list what several records share")
        } else if listed.len() > 1 && self.state.lists.of_records.contains(&listed) {
            Some("its records' own pages list the same things")
        } else {
            None
        };
        self.state.lists.of_records.insert(listed);
        if let Some(evidence) = evidence {
            self.records_are_entities(evidence);
        }
        self.state.kept.read.remove(key);
        self.state.kept.reusable.insert(key.to_owned(), page.clone());
    }

    fn records_are_entities(&mut self, evidence: &str) {
        self.state.notes.push(format!("{evidence}: no list of lists"));
        self.state.hub = Hub::default();
    }
}

/// Whether a list goes on. The groups of a site seldom fill several pages, and are grouped again.
fn is_long(facts: &QueryFacts) -> bool {
    facts.is_paged() || facts.guessed_next.is_some()
}

/// Whether most records of the list at `address` link to it at one place: they say of what value it is the list.
fn links_back(facts: &QueryFacts, address: &str) -> bool {
    let entities: BTreeSet<&str> =
        facts.entities.iter().map(|entity| entity.path.as_str()).collect();
    let mut places: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
    let mut record = 0;
    for link in &facts.links {
        if entities.contains(link.path.as_str()) {
            record += 1;
        } else if link.address == address {
            places.entry(link.path_key).or_default().insert(record);
        }
    }
    let most = places.values().map(BTreeSet::len).max().unwrap_or(0);
    most >= MIN_SHARING && 2 * most > entities.len()
}

/// For each place in the records of a list the link that most of them share, those of most records first.
fn shared_links(facts: &QueryFacts) -> Vec<String> {
    let places = places_in_records(facts);
    let mut shared: Vec<(usize, &str)> = places
        .values()
        .filter_map(|addresses| addresses.iter().map(|(address, n)| (*n, *address)).max())
        .collect();
    shared.sort_by_key(|&(records, address)| (std::cmp::Reverse(records), address));
    shared.truncate(MAX_SHARED);
    shared.into_iter().map(|(_, address)| address.to_owned()).collect()
}

/// Whether most of what a page lists are addresses that records of `list` link to at a place where several share some.
fn lists_shared_values(list: &QueryFacts, listed: &BTreeSet<String>) -> bool {
    let shapes: Vec<UrlShape> = places_in_records(list)
        .values()
        .filter_map(|addresses| {
            let urls: Vec<Url> =
                addresses.keys().filter_map(|address| Url::parse(address).ok()).collect();
            UrlShape::of(&urls)
        })
        .collect();
    let is_value = |address: &&String| {
        Url::parse(address).is_ok_and(|url| shapes.iter().any(|shape| shape.fits(&url)))
    };
    2 * listed.iter().filter(is_value).count() > listed.len()
}

/// The links at each place in the records of a list where several differ and some are shared, with the number of records.
fn places_in_records(facts: &QueryFacts) -> BTreeMap<u64, BTreeMap<&str, usize>> {
    let entities: BTreeSet<&str> =
        facts.entities.iter().map(|entity| entity.address.as_str()).collect();
    let offers = facts.groups.iter().filter(|group| group.is_of_records);
    let offered: BTreeSet<&str> =
        offers.flat_map(|group| &group.offers).map(|offer| offer.request.url.as_str()).collect();
    let mut places: BTreeMap<u64, BTreeMap<&str, usize>> = BTreeMap::new();
    for link in &facts.links {
        let address = link.address.as_str();
        if offered.contains(address) && !entities.contains(address) {
            *places.entry(link.path_key).or_default().entry(address).or_default() += 1;
        }
    }
    places.retain(|_, addresses| {
        addresses.len() > 1 && addresses.values().any(|records| *records >= MIN_SHARING)
    });
    places
}

/// Whether a page lists entities of another list, and mostly such with addresses like theirs.
fn lists_same_kind(list: &QueryFacts, page: &QueryFacts) -> bool {
    let urls: Vec<Url> =
        list.entities.iter().filter_map(|entity| Url::parse(&entity.address).ok()).collect();
    let Some(shape) = UrlShape::of(&urls) else { return false };
    let fits = |address: &str| Url::parse(address).is_ok_and(|url| shape.fits(&url));
    let own: BTreeSet<&str> = list.entities.iter().map(|entity| entity.address.as_str()).collect();
    let is_own = page.entities.iter().any(|entity| own.contains(entity.address.as_str()));
    let alike = page.entities.iter().filter(|entity| fits(&entity.address)).count();
    is_own && alike >= MIN_LIST_ENTITIES && 2 * alike > page.entities.len()
}
