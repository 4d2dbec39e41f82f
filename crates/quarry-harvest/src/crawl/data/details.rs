//! Asks for what the entities' own pages say beyond the list: by their own JSON where that says it, else by the pages themselves.

use quarry_crawl::{Address, Stop};
use quarry_extract::embedded::behind::{
    AddressForm, DetailTexts, JsonRecord, record, records_at, texts_missing_from_records,
};
use quarry_model::Fetcher;
use serde_json::Value;

use super::super::render::{ShownData, path};
use super::super::{Details, Plan, Session, SiteStore};
use super::{DataSource, DetailSource, answer, parsed};
use crate::HarvestError;
use crate::text::thousands;

/// Entities whose own pages are looked at before all are asked for.
const SAMPLE: usize = 3;
/// Share of what their pages say that the data must say for the pages to be left out: some values are written otherwise.
const MIN_COVERED_SHARE: f64 = 0.5;

/// An entity of the list: its address and its record.
type Entity = (String, JsonRecord);

/// Looks at some entities' pages, and asks for all that is missing.
pub(super) fn complete<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
    own: &mut DataSource,
) -> Result<Stop, HarvestError> {
    if own.source.address.is_none() {
        return Ok(Stop::Finished);
    }
    let entities = entities(session.store, own)?;
    if entities.len() < SAMPLE || !session.job.query.every_detail {
        return Ok(Stop::Finished);
    }
    let sample: Vec<&Entity> =
        (0..SAMPLE).map(|n| &entities[n * (entities.len() - 1) / (SAMPLE - 1)]).collect();
    let addresses: Vec<String> = sample.iter().map(|(address, _)| address.clone()).collect();
    let (stop, _) = session.fetch(&Plan::LookAt(addresses.clone()), Details::All)?;
    if stop != Stop::Finished {
        return Ok(stop);
    }
    let shown: Vec<ShownData> = session.rendering.known_data();
    if own.details.is_none() {
        own.details = find_details(&sample, &shown);
    }
    let mut details: Vec<Option<JsonRecord>> = Vec::new();
    for (_, own_record) in &sample {
        details.push(detail(session.store, own.details.as_ref(), own_record)?);
    }
    let mut pages = Vec::new();
    let mut are_rendered = false;
    for ((address, own_record), detail) in sample.iter().zip(&details) {
        let Some(page) = parsed(session.store, address)? else { continue };
        let exchange = session.store.archived_answer(address)?;
        are_rendered |= exchange.is_some_and(|exchange| exchange.response.rendering.is_some());
        let records = [Some(own_record), detail.as_ref()].into_iter().flatten().collect();
        pages.push((DetailTexts::of(&page.document), records));
    }
    if pages.len() < sample.len() {
        // Their pages cannot be had: the list is what there is.
        return Ok(Stop::Finished);
    }
    let by_list: Vec<(DetailTexts, Vec<&JsonRecord>)> = pages
        .iter()
        .map(|(texts, records): &(DetailTexts, Vec<&JsonRecord>)| {
            (texts.clone(), records[..1].to_vec())
        })
        .collect();
    let rest = (entities.len() - sample.len()) as u64;
    let missing =
        |counts: &[(usize, usize)]| counts.iter().filter(|(_, missing)| *missing > 0).count();
    let is_said = |counts: &[(usize, usize)]| {
        let (all, missing) = counts.iter().fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
        missing as f64 <= MIN_COVERED_SHARE * all as f64
    };
    if missing(&texts_missing_from_records(&by_list)) < sample.len() {
        own.details = None;
        own.are_sampled = true;
        session.observer.line(&format!(
            "the entities' own pages say nothing more: {} are not fetched",
            thousands(rest)
        ));
        session.rendering.note_saved(if are_rendered { rest } else { 0 });
        return Ok(Stop::Finished);
    }
    if let Some(details) =
        own.details.clone().filter(|_| is_said(&texts_missing_from_records(&pages)))
    {
        let urls = entities.iter().filter_map(|(_, record)| details.address.address(record));
        let urls: Vec<String> = urls.collect();
        own.are_sampled = true;
        let place = path(&details.address.prefix);
        session.observer.line(&format!(
            "the entities' own pages are made from JSON: asking {place} for {}",
            thousands(urls.len() as u64)
        ));
        let (stop, _) = session.fetch(&Plan::LookAt(urls), Details::All)?;
        session.rendering.note_saved(rest);
        return Ok(stop);
    }
    own.details = None;
    let all = entities.into_iter().map(|(address, _)| address).collect();
    session.run(&Plan::LookAt(all))
}

/// The entities of a list, each once.
pub(super) fn entities<S: SiteStore>(
    store: &S,
    own: &DataSource,
) -> Result<Vec<Entity>, HarvestError> {
    let mut found: Vec<Entity> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for url in &own.answers {
        let Some(json) = answer(store, url)? else { continue };
        for record in records_at(&json, &own.source.pointer) {
            let Some(entity) = own.entity(&record) else { continue };
            if seen.insert(entity.clone()) {
                found.push((entity, record));
            }
        }
    }
    Ok(found)
}

/// The answer about a single entity, if there is one.
fn detail<S: SiteStore>(
    store: &S,
    source: Option<&DetailSource>,
    own: &JsonRecord,
) -> Result<Option<JsonRecord>, HarvestError> {
    let Some(source) = source else { return Ok(None) };
    let Some(url) = source.address.address(own) else { return Ok(None) };
    let json: Option<Value> = answer(store, &url)?;
    let object = json.as_ref().and_then(|json| json.pointer(&source.pointer));
    Ok(object.and_then(|object| record(object, source.pointer.clone())))
}

/// Whether a page that was rendered has this address.
pub(super) fn is_same_page(address: &str, page: &str) -> bool {
    page == address || Address::normalise(page).is_ok_and(|page| page.as_str() == address)
}

/// The form of the addresses of answers that the pages of all these entities have asked for, each with a value of its own record.
fn find_details(sample: &[&Entity], shown: &[ShownData]) -> Option<DetailSource> {
    let of = |address: &str| shown.iter().find(|shown| is_same_page(address, &shown.page));
    let (address, own) = sample.first()?;
    for (url, pointer) in &of(address)?.objects {
        for field in &own.fields {
            for form in AddressForm::forms(own.place(field), &field.value, url) {
                let fits = |(address, record): &&&Entity| {
                    let wanted = form.address(record);
                    of(address).is_some_and(|shown| {
                        shown.objects.iter().any(|(url, _)| Some(url) == wanted.as_ref())
                    })
                };
                // Not one address for all.
                let addresses: std::collections::BTreeSet<Option<String>> =
                    sample.iter().map(|(_, record)| form.address(record)).collect();
                if addresses.len() == sample.len()
                    && sample.iter().filter(fits).count() == sample.len()
                {
                    return Some(DetailSource { address: form, pointer: pointer.clone() });
                }
            }
        }
    }
    None
}
