//! Seeds that list lists: the front page of a shop lists categories, whose links look like entities
//! until one of them is opened.

use std::collections::BTreeSet;

use quarry_extract::links::UrlShape;
use quarry_model::Request;
use url::Url;

use super::QuerySettings;
use super::facts::{OfferedValue, QueryFacts, ValueGroup};
use crate::query::common_addresses;

/// Name of the attribute whose values are the lists of a hub; the page does not give one.
const CATEGORY: &str = "category";

/// Entities that a page must show to be taken for a list: two alike may be chance.
pub(super) const MIN_LIST_ENTITIES: usize = 3;

/// A page that lists lists.
#[derive(Debug, Clone, Default)]
pub(super) struct Hub {
    /// What the seed lists.
    listed: Vec<OfferedValue>,
    /// Path keys of their links.
    path_keys: BTreeSet<u64>,
    /// The shape of their addresses, once they are taken for lists.
    shape: Option<UrlShape>,
    /// Addresses that theirs have in common, the longest last: each may be a list that they all
    /// narrow.
    common_lists: Vec<Request>,
}

impl Hub {
    /// What a seed lists, in case these are lists.
    pub(super) fn of(seed: &QueryFacts) -> Self {
        let common = common_addresses(&urls(&seed.listed));
        Self {
            listed: seed.listed.clone(),
            path_keys: seed.entities.iter().map(|entity| entity.path_key).collect(),
            shape: None,
            common_lists: common.iter().map(|url| Request::get(url.as_str())).collect(),
        }
    }

    /// Adds what a further page of the seed's list shows.
    pub(super) fn add_page(&mut self, facts: &QueryFacts) {
        if !self.listed.is_empty() {
            self.listed.extend(facts.listed.iter().cloned());
        }
    }

    /// The next list to try that all lists of the hub may narrow.
    pub(super) fn next_common_list(&mut self) -> Option<Request> {
        self.common_lists.pop()
    }

    /// Takes what the seed lists for lists. `None` if that was done, or there are not several.
    pub(super) fn begin(&mut self) -> Option<(Vec<OfferedValue>, Option<UrlShape>)> {
        let listed = std::mem::take(&mut self.listed);
        if listed.len() < 2 {
            return None;
        }
        self.shape = UrlShape::of(&urls(&listed));
        Some((listed, self.shape.clone()))
    }

    /// What a further page of the hub lists: links like those of the seed, even a single one.
    pub(super) fn listed_on(&self, facts: &QueryFacts) -> Vec<OfferedValue> {
        let similar = facts.links.iter().filter(|link| self.path_keys.contains(&link.path_key));
        similar
            .filter(|link| !link.text.is_empty() && self.is_category(&link.address))
            .map(|link| OfferedValue {
                value: link.text.clone(),
                request: Request::get(&link.address),
                count: None,
            })
            .collect()
    }

    fn is_category(&self, url: &str) -> bool {
        let shape = self.shape.as_ref();
        shape.is_some_and(|shape| Url::parse(url).is_ok_and(|url| shape.fits(&url)))
    }

    /// Whether all links of a group lead to lists like those of the hub: subcategories.
    pub(super) fn leads_to_categories(&self, group: &ValueGroup) -> bool {
        let mut offers = group.offers.iter();
        !group.offers.is_empty() && offers.all(|offer| self.is_category(&offer.request.url))
    }

    /// What a page lists, if these are lists like those of the hub.
    pub(super) fn subcategories(&self, facts: &QueryFacts) -> Option<ValueGroup> {
        let group = category_group(facts.listed.clone());
        self.leads_to_categories(&group).then_some(group)
    }

    /// The group, named as categories if it leads to subcategories.
    pub(super) fn named(&self, group: ValueGroup) -> ValueGroup {
        match self.leads_to_categories(&group) {
            true => ValueGroup { attribute: CATEGORY.to_owned(), ..group },
            false => group,
        }
    }

    /// Whether a page is a list with facets and entities that the seed does not list.
    pub(super) fn is_common_list(&self, facts: &QueryFacts, settings: &QuerySettings) -> bool {
        let listed: BTreeSet<&str> =
            self.listed.iter().map(|offer| offer.request.url.as_str()).collect();
        let new = facts.entities.iter().filter(|entity| !listed.contains(entity.address.as_str()));
        new.count() >= MIN_LIST_ENTITIES && offers_facets(facts, settings)
    }
}

/// Whether a group of links on a page looks like a facet.
pub(super) fn offers_facets(facts: &QueryFacts, settings: &QuerySettings) -> bool {
    let is_facet =
        |group: &ValueGroup| group.score >= settings.facet_score && group.offers.len() > 1;
    facts.groups.iter().any(is_facet)
}

fn urls(offers: &[OfferedValue]) -> Vec<Url> {
    offers.iter().filter_map(|offer| Url::parse(&offer.request.url).ok()).collect()
}

/// Lists of a hub as the values of one attribute.
pub(super) fn category_group(offers: Vec<OfferedValue>) -> ValueGroup {
    ValueGroup {
        attribute: CATEGORY.to_owned(),
        parameter: None,
        is_named: false,
        is_form: false,
        is_of_records: false,
        score: 1.0,
        offers,
        more: Vec::new(),
    }
}
