//! Follows lists whose records only lead to other lists: categories, shelves, letters of an index.

use quarry_crawl::Stop;
use quarry_extract::embedded::behind::{JsonRecord, RecordSource};
use quarry_model::Fetcher;

use super::super::{Details, Plan, Session, SiteStore};
use super::{DataSource, details, keep};
use crate::HarvestError;

/// Pages of an index that are looked at before all are asked for.
const SAMPLE: usize = 2;
/// Pages of an index that are rendered, at most.
const MAX_LISTS: usize = 200;

/// Looks where records lead that say nothing but their name. If the pages there list records of another kind, all are fetched,
/// and the index is no source of entities. Says whether there was such an index.
pub(super) fn follow<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
    sources: &mut Vec<DataSource>,
) -> Result<bool, HarvestError> {
    for at in 0..sources.len() {
        let entities = details::entities(session.store, &sources[at])?;
        let is_index = !entities.is_empty()
            && entities.len() <= MAX_LISTS
            && sources[at].source.address.is_some()
            && entities.iter().all(|(_, record)| says_nothing(&sources[at].source, record));
        if !is_index {
            continue;
        }
        let addresses: Vec<String> = entities.into_iter().map(|(address, _)| address).collect();
        let sample = addresses.iter().take(SAMPLE).cloned().collect();
        let (stop, _) = session.fetch(&Plan::LookAt(sample), Details::All)?;
        if stop != Stop::Finished {
            return Ok(false);
        }
        let shown = session.rendering.known_data();
        let own = &sources[at].source;
        let lists_others = |address: &String| {
            shown.iter().any(|shown| {
                let lists = shown.records.as_ref().is_some_and(|(other, _)| {
                    other.address.is_some() && other.address != own.address
                });
                details::is_same_page(address, &shown.page) && lists
            })
        };
        if !addresses.iter().take(SAMPLE).all(lists_others) {
            continue;
        }
        let (stop, _) = session.fetch(&Plan::LookAt(addresses), Details::All)?;
        if stop != Stop::Finished {
            // The index is needed to go on.
            return Ok(false);
        }
        sources.remove(at);
        keep(session.store, sources)?;
        return Ok(true);
    }
    Ok(false)
}

/// Whether a record has a name, an address and numbers, and nothing else to say.
fn says_nothing(source: &RecordSource, record: &JsonRecord) -> bool {
    let address = source.address.as_ref().map(|form| form.field.as_str());
    record.fields.iter().all(|field| {
        let place = record.place(field);
        [Some(source.key.as_str()), Some(source.title.as_str()), address].contains(&Some(place))
            || field.value.parse::<f64>().is_ok()
    })
}
