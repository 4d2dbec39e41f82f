//! Turns the records of JSON answers behind a site's pages into values of entities.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::embedded::behind::{JsonRecord, record, records_at};
use quarry_extract::model::SiteModel;
use quarry_model::{Evidence, EvidenceRole, EvidenceStore, NameOrigin, ValueSource};
use serde_json::Value;
use url::Url;

use crate::HarvestError;
use crate::crawl::{DataSource, path};
use crate::pages::SitePages;

/// How sure a value of such a record is: the page shows some of them, and the rest stands beside them.
const CONFIDENCE_OF_JSON: f64 = 0.9;
/// How sure the kind of an entity is that an address or the page with its list tells.
const KIND: f64 = 0.3;

/// The entities of lists whose records have no pages of their own, by what tells the records apart.
#[derive(Debug, Clone, Default)]
pub(crate) struct RecordKeys {
    entities: BTreeMap<String, String>,
    /// The pages that show them.
    pages: BTreeSet<String>,
}

impl RecordKeys {
    /// The keys of the records behind a site's pages.
    pub(crate) fn of(site: &SitePages<'_>) -> Result<Self, HarvestError> {
        let (mut keys, mut pages) = (BTreeMap::new(), BTreeSet::new());
        for own in site.data.iter().filter(|own| own.source.address.is_none()) {
            pages.insert(path(&own.page).to_owned());
            each_record(site, own, &mut |_, record| {
                let key = record.value(&own.source.key);
                if let (Some(key), Some(entity)) = (key, own.entity(&record)) {
                    keys.insert(key.to_owned(), entity);
                }
                Ok(())
            })?;
        }
        Ok(Self { entities: keys, pages })
    }

    /// Records of lists on pages that have no link are those of the data that say the same. What a page that is made from data
    /// shows beside them are parts of the page.
    pub(crate) fn join(&self, found: &mut Vec<Evidence>) {
        if self.entities.is_empty() {
            return;
        }
        let mut joined: BTreeMap<String, &String> = BTreeMap::new();
        for own in found.iter().filter(|own| own.entity.contains("#record-")) {
            if let Some(entity) = self.entities.get(own.value.trim()) {
                joined.insert(own.entity.clone(), entity);
            }
        }
        found.retain(|own| {
            !own.entity.contains("#record-")
                || joined.contains_key(&own.entity)
                || !self.pages.contains(path(&own.page))
        });
        for own in found {
            if let Some(entity) = joined.get(&own.entity) {
                own.entity = (*entity).clone();
            }
        }
    }
}

/// The addresses of entities with pages of their own that the data behind a site's pages names, and whether these pages were
/// only looked at to see that they add nothing.
pub(crate) fn data_entities(site: &SitePages<'_>) -> Result<Vec<(String, bool)>, HarvestError> {
    let mut found = Vec::new();
    for own in site.data.iter().filter(|own| own.source.address.is_some()) {
        each_record(site, own, &mut |_, record| {
            found.extend(own.entity(&record).map(|entity| (entity, own.are_sampled)));
            Ok(())
        })?;
    }
    Ok(found)
}

/// Calls `visit` with every record of the lists, and the address of the answer that has it.
fn each_record(
    site: &SitePages<'_>,
    own: &DataSource,
    visit: &mut dyn FnMut(&str, JsonRecord) -> Result<(), HarvestError>,
) -> Result<(), HarvestError> {
    for url in &own.answers {
        let Some(json) = site.json(url)? else { continue };
        for record in records_at(&json, &own.source.pointer) {
            visit(url, record)?;
        }
    }
    Ok(())
}

/// Adds what the data behind a site's pages says.
pub(crate) fn read_data(
    site: &SitePages<'_>,
    model: &SiteModel,
    evidence: &mut dyn EvidenceStore,
) -> Result<u64, HarvestError> {
    let mut records = 0;
    for own in &site.data {
        each_record(site, own, &mut |url, list_record| {
            let Some(entity) = own.entity(&list_record) else { return Ok(()) };
            records += 1;
            let context =
                Context { site: &site.name, entity: &entity, url, title: &own.source.title };
            let called = list_record.value(&own.source.title);
            context.add(&list_record, called, evidence)?;
            let known = Url::parse(&entity).ok().and_then(|address| model.kind_of(&address));
            if let Some(kind) = known.or(model.kinds.first()) {
                let own = context.evidence(&kind.name, list_record.pointer.clone());
                evidence.add(Evidence { role: EvidenceRole::Kind, confidence: KIND, ..own })?;
            }
            let Some(details) = &own.details else { return Ok(()) };
            let Some(url) = details.address.address(&list_record) else { return Ok(()) };
            let json: Option<Value> = site.json(&url)?;
            let object = json.as_ref().and_then(|json| json.pointer(&details.pointer));
            let Some(detail) = object.and_then(|object| record(object, details.pointer.clone()))
            else {
                return Ok(());
            };
            let context = Context { url: &url, ..context };
            context.add(&detail, called, evidence)
        })?;
    }
    Ok(records)
}

struct Context<'a> {
    site: &'a str,
    entity: &'a str,
    url: &'a str,
    /// The field with the title.
    title: &'a str,
}

impl Context<'_> {
    fn evidence(&self, value: &str, pointer: String) -> Evidence {
        Evidence {
            site: self.site.to_owned(),
            entity: self.entity.to_owned(),
            role: EvidenceRole::Attribute,
            attribute: "title".to_owned(),
            naming: NameOrigin::Printed,
            slot: None,
            value: value.to_owned(),
            source: ValueSource::Embedded,
            page: self.url.to_owned(),
            path: format!("#{pointer}"),
            confidence: CONFIDENCE_OF_JSON,
        }
    }

    /// Adds the fields of a record of an entity that is called so.
    fn add(
        &self,
        own: &JsonRecord,
        called: Option<&str>,
        evidence: &mut dyn EvidenceStore,
    ) -> Result<(), HarvestError> {
        for field in &own.fields {
            let pointer = field.pointer.clone().unwrap_or_default();
            let value = self.evidence(&field.value, pointer);
            if own.place(field) == self.title && called == Some(&field.value) {
                evidence.add(Evidence { role: EvidenceRole::Title, ..value })?;
                continue;
            }
            if called == Some(&field.value) {
                continue;
            }
            let slot = Some(format!("embedded data: {}", field.name));
            // A place in a row is no name.
            let is_number = field.name.bytes().all(|byte| byte.is_ascii_digit());
            let naming = if is_number { NameOrigin::Slot } else { NameOrigin::Printed };
            evidence.add(Evidence { attribute: field.name.clone(), naming, slot, ..value })?;
        }
        Ok(())
    }
}
