//! Choices on lists that are made from data: whether one says something of the records that no field says.

use std::collections::BTreeSet;

use quarry_extract::embedded::behind::{ShownPage, records_at};
use quarry_extract::links::read_links;

use super::super::SiteStore;
use super::{DataSource, Known, answer, parsed};
use crate::HarvestError;
use crate::pages::ParsedPage;

/// Share of the values of a facet that stand in one field of the records for the facet to say nothing more.
const MIN_COVERED_SHARE: f64 = 0.8;

/// A choice of each group of choices that no field of the records says: list and choice.
pub(super) fn untested_choices<S: SiteStore>(
    store: &S,
    sources: &[DataSource],
    known: &Known,
) -> Result<Vec<(String, String)>, HarvestError> {
    let mut found = Vec::new();
    for own in sources {
        let Some(page) = parsed(store, &own.page)? else { continue };
        let map = read_links(&page.document, &page.address);
        for group in map.facets() {
            let values: Vec<String> =
                group.links.iter().map(|link| link.value.to_lowercase()).collect();
            let said = |field: &BTreeSet<String>| {
                values.iter().filter(|value| field.contains(*value)).count() as f64
                    >= MIN_COVERED_SHARE * values.len() as f64
            };
            let middle = group.links.get(group.links.len() / 2);
            if let Some(middle) = middle.filter(|_| !known.fields.iter().any(said)) {
                found.push((own.page.clone(), middle.href.clone()));
            }
        }
    }
    Ok(found)
}

/// Whether a list shows fewer of the records after a choice: a facet that says something of them. A choice that leaves them all
/// is a view. What cannot be had says nothing.
pub(super) fn narrows<S: SiteStore>(
    store: &S,
    sources: &[DataSource],
    (list, choice): &(String, String),
) -> Result<bool, HarvestError> {
    let (Some(before), Some(after)) = (parsed(store, list)?, parsed(store, choice)?) else {
        return Ok(false);
    };
    let shown = |page: &ParsedPage| ShownPage::of(&page.document, &page.address);
    let (before, after) = (shown(&before), shown(&after));
    let (mut all, mut left) = (0, 0);
    for own in sources.iter().filter(|own| own.page == *list) {
        for url in &own.answers {
            let Some(json) = answer(store, url)? else { continue };
            for record in records_at(&json, &own.source.pointer) {
                let Some(key) = record.value(&own.source.key) else { continue };
                all += usize::from(before.shows(key));
                left += usize::from(after.shows(key));
            }
        }
    }
    Ok((left as f64) < MIN_COVERED_SHARE * all as f64)
}
