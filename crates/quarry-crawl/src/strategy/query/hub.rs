//! What if the seed lists lists? The front page of a shop lists categories, which look like entities
//! until one of them is opened.

use std::collections::BTreeSet;

use quarry_extract::links::UrlShape;
use quarry_model::Request;
use url::Url;

use super::QuerySettings;
use super::entity::EntityLinks;
use super::explore::{Exploration, Page, Task};
use super::sight::{Group, Offer, Sight};
use crate::query::{Names, common_addresses};

/// What the lists of such a seed are called: the page does not say.
const NAME: &str = "category";

/// A page that lists lists.
#[derive(Debug, Clone, Default)]
pub(super) struct Hub {
    /// What the seed lists.
    listed: Vec<Offer>,
    /// Places of their links.
    places: BTreeSet<u64>,
    /// Tried as lists; their addresses have this shape.
    shape: Option<UrlShape>,
    /// What their addresses have in common, and may be the list that they all narrow.
    whole: Vec<Request>,
}

impl Hub {
    /// What a seed lists, in case these are lists.
    pub(super) fn of(seed: &Sight) -> Self {
        let places = seed.entities.iter().map(|entity| entity.place).collect();
        Self { listed: seed.listed.clone(), places, shape: None, whole: wholes(seed.listed.iter()) }
    }

    /// What a further page lists: one list alone is no repetition, but stands where those of the seed
    /// stood.
    fn listed_on(&self, sight: &Sight) -> Vec<Offer> {
        let Some(shape) = &self.shape else { return Vec::new() };
        let fits = |url: &str| Url::parse(url).is_ok_and(|url| shape.fits(&url));
        let placed = sight.links.iter().filter(|link| self.places.contains(&link.place));
        placed
            .filter(|link| !link.text.is_empty() && fits(&link.address))
            .map(|link| Offer {
                value: link.text.clone(),
                request: Request::get(&link.address),
                count: None,
            })
            .collect()
    }

    /// Whether all links of a group lead to such lists: subcategories.
    pub(super) fn leads_on(&self, group: &Group) -> bool {
        let Some(shape) = &self.shape else { return false };
        let fits = |offer: &Offer| Url::parse(&offer.request.url).is_ok_and(|url| shape.fits(&url));
        !group.offers.is_empty() && group.offers.iter().all(fits)
    }

    /// What a page lists, if that is such lists again.
    pub(super) fn below(&self, sight: &Sight) -> Option<Group> {
        let group = group(sight.listed.clone());
        self.leads_on(&group).then_some(group)
    }

    /// Subcategories are categories.
    pub(super) fn named(&self, group: Group) -> Group {
        if self.leads_on(&group) { Group { attribute: NAME.to_owned(), ..group } } else { group }
    }
}

impl Exploration {
    /// Takes what the seed lists as values of one attribute. False if that was done, or it lists
    /// nothing. The list that they narrow is better, if there is one: a front page seldom shows all.
    pub(super) fn try_hub(&mut self, settings: &QuerySettings) -> bool {
        while let Some(whole) = self.hub.whole.pop() {
            match self.tried(&whole) {
                // It was asked for in the belief that it narrows something.
                Some(page) if self.take_whole(&page, settings) => return true,
                Some(_) => {}
                None if self.ask(&whole, Task::Whole, -1) => return true,
                None => {}
            }
        }
        let listed = std::mem::take(&mut self.hub.listed);
        if listed.len() < 2 {
            return false;
        }
        let urls: Vec<Url> =
            listed.iter().filter_map(|offer| Url::parse(&offer.request.url).ok()).collect();
        self.hub.shape = UrlShape::of(&urls);
        // They are no entities then.
        let root = &mut self.graph.queries[0];
        root.answers.clear();
        root.total = None;
        self.graph.entities = Names::default();
        self.forget_members();
        self.entity = EntityLinks::beside(self.hub.shape.clone());
        self.offer_hub(listed, settings);
        if let Some(next) = self.rest.take() {
            self.ask(&next, Task::Hub, -1);
        }
        true
    }

    /// Looks at the page of a supposed entity. If most of them list what nobody has seen, they are lists, and the list
    /// that they all narrow is asked for: the departments of a shop list categories.
    pub(super) fn doubt_entities(&mut self, key: &str, page: &Page, settings: &QuerySettings) {
        self.details_seen += 1;
        let known = |address: &str| self.graph.entities.find(address).is_some();
        let sight = &*page.sight;
        let is_new = sight.entities.iter().any(|entity| !known(&entity.address));
        if !is_new || !narrows(sight, settings) {
            return;
        }
        self.tried.insert(key.to_owned(), page.clone());
        self.details_listing += 1;
        let most = 2 * self.details_listing > self.details_seen;
        if most && self.details_listing >= MIN_LIST && !std::mem::replace(&mut self.doubted, true) {
            let entities = self.graph.entities.texts().iter();
            let entities: Vec<Url> = entities.filter_map(|url| Url::parse(url).ok()).collect();
            if let Some(whole) = common_addresses(&entities).pop() {
                self.ask(&Request::get(whole.as_str()), Task::Whole, -1);
            }
        }
    }

    /// Takes what may be the list that those of the seed narrow: everything begins there, if it is.
    pub(super) fn take_whole(&mut self, page: &Page, settings: &QuerySettings) -> bool {
        let sight = &*page.sight;
        let listed: BTreeSet<&str> =
            self.hub.listed.iter().map(|offer| offer.request.url.as_str()).collect();
        let new = sight.entities.iter().filter(|entity| !listed.contains(entity.address.as_str()));
        let is_list = new.count() >= MIN_LIST && narrows(sight, settings);
        if is_list {
            self.begin_again(page, settings);
        }
        is_list
    }

    /// Takes a further page of the list of lists.
    pub(super) fn take_hub(&mut self, sight: &Sight, settings: &QuerySettings) {
        self.offer_hub(self.hub.listed_on(sight), settings);
        if let Some(next) = &sight.next {
            self.ask(next, Task::Hub, -1);
        }
    }

    fn offer_hub(&mut self, offers: Vec<Offer>, settings: &QuerySettings) {
        self.offer_root(&[group(offers)], settings);
    }
}

/// Whether something on a page looks as if it narrowed its list.
fn narrows(sight: &Sight, settings: &QuerySettings) -> bool {
    let facet = |group: &Group| group.score >= settings.facet_score && group.offers.len() > 1;
    sight.groups.iter().any(facet)
}

/// A list has at least so many entities.
const MIN_LIST: usize = 3;

/// What the addresses of offers have in common; the longest last.
fn wholes<'o>(offers: impl Iterator<Item = &'o Offer>) -> Vec<Request> {
    let urls: Vec<Url> = offers.filter_map(|offer| Url::parse(&offer.request.url).ok()).collect();
    common_addresses(&urls).iter().map(|url| Request::get(url.as_str())).collect()
}

fn group(offers: Vec<Offer>) -> Group {
    Group {
        attribute: NAME.to_owned(),
        key: None,
        is_named: false,
        is_form: false,
        score: 1.0,
        offers,
        more: Vec::new(),
    }
}
