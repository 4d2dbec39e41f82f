//! Links that several records of a list share (the category of each topic of a forum). Where one leads to a list of the same
//! records, these are entities, however much their own pages list: the list is no list of lists.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::links::UrlShape;
use quarry_model::Request;
use url::Url;

use super::explore::Exploration;
use super::facts::QueryFacts;
use super::hub::{Hub, MIN_LIST_ENTITIES};
use super::requests::{NEXT_PAGE, Task};

/// Shared links that are asked for, one for each place in a record: records have few places for links.
const MAX_SHARED: usize = 2;

/// Records that must share a link: a link that stands once is said of one record.
const MIN_SHARING: usize = 2;

impl Exploration {
    /// Requests what links lead to that several records of the root list share. False if there are none, or that was done.
    pub(super) fn try_shared_links(&mut self) -> bool {
        if std::mem::replace(&mut self.state.shared_links_tried, true) {
            return false;
        }
        let Some(page) = &self.state.root_page else { return false };
        for address in shared_links(&page.facts) {
            self.state.requests.send(&Request::get(&address), Task::SharedLink, NEXT_PAGE);
        }
        self.state.requests.any_outgoing()
    }

    /// Judges by the page behind a shared link whether the root list has entities.
    pub(super) fn read_shared_link(&mut self, facts: &QueryFacts) {
        let Some(page) = &self.state.root_page else { return };
        // The groups of a site seldom fill several pages, and are grouped again.
        let is_long = |facts: &QueryFacts| facts.is_paged() || facts.guessed_next.is_some();
        if (is_long(&page.facts) || is_long(facts)) && lists_same_kind(&page.facts, facts) {
            let note = "lists behind links of its records have the same entities: no list of lists";
            self.state.notes.push(note.to_owned());
            self.state.hub = Hub::default();
        }
    }
}

/// For each place in the records of a list the link that most of them share, those of most records first.
fn shared_links(facts: &QueryFacts) -> Vec<String> {
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
    let mut shared: Vec<(usize, &str)> = places
        .values()
        .filter(|addresses| addresses.len() > 1)
        .filter_map(|addresses| addresses.iter().map(|(address, n)| (*n, *address)).max())
        .filter(|(records, _)| *records >= MIN_SHARING)
        .collect();
    shared.sort_by_key(|&(records, address)| (std::cmp::Reverse(records), address));
    shared.truncate(MAX_SHARED);
    shared.into_iter().map(|(_, address)| address.to_owned()).collect()
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
