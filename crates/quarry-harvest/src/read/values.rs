//! Turns what was read off pages into values of entities, each with its source and its place.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use quarry_crawl::Address;
use quarry_crawl::query::QueryGraph;
use quarry_dom::{Document, NodeId, XPaths};
use quarry_extract::links::names_action;
use quarry_extract::model::{LabelSource, SiteModel};
use quarry_extract::site::{EntityRecord, FieldSource, PageData, PageField, SiteReader};
use quarry_extract::spec::{IdKind, ProductId, Spec, SpecPair, product_id};
use quarry_extract::template::DataUnit;
use quarry_model::{Evidence, EvidenceRole, NameOrigin, ValueSource};
use quarry_value::ValueKind;
use url::Url;

use crate::crawl::outcome;
use crate::pages::ParsedPage;

/// How sure a value of a list is whose record fits the template.
const LISTED: f64 = 0.9;
/// How sure the main heading of a page is what the page is about.
const HEADED: f64 = 0.9;

/// What the addresses of records without a link have in them.
const RECORD: &str = "#record-";

/// How sure a page about an entity is of its kind, and a list that mentions it.
const KIND_OF_PAGE: f64 = 0.9;
const KIND_OF_RECORD: f64 = 0.5;
/// The same for facets: an address alone tells it.
const KIND_OF_ADDRESS: f64 = 0.1;

/// The facet values of a query graph. Entities that no page or list tells the kind of have the one that fits their address, or the
/// first one.
pub(crate) fn facets<'g>(
    graph: &'g QueryGraph,
    model: Option<&'g SiteModel>,
) -> impl Iterator<Item = Evidence> + use<'g> {
    let facets = outcome::values(graph).map(|row| Evidence {
        site: row.site,
        entity: row.entity,
        role: EvidenceRole::Attribute,
        attribute: row.attribute,
        naming: NameOrigin::Printed,
        slot: None,
        value: row.value,
        source: ValueSource::Facet,
        page: row.page,
        path: row.path,
        confidence: row.confidence,
    });
    facets.flat_map(move |own| {
        let kind = model.and_then(|model| {
            let known = Url::parse(&own.entity).ok().and_then(|address| model.kind_of(&address));
            known.or(model.kinds.first())
        });
        let kind = kind.map(|kind| Evidence {
            role: EvidenceRole::Kind,
            attribute: "kind".to_owned(),
            value: kind.name.clone(),
            confidence: KIND_OF_ADDRESS,
            ..own.clone()
        });
        kind.into_iter().chain([own])
    })
}

/// Reads a page: what it holds, and the values of its entities.
pub(super) fn read_values(
    site: &str,
    page: &ParsedPage,
    reader: &SiteReader<'_>,
    slots: &Slots,
) -> (PageData, Vec<Evidence>) {
    let ParsedPage { id, document, .. } = page;
    let data = reader.read(&page.view());
    let xpaths = document.xpaths();
    let context = PageContext { site, page: id, document, xpaths: &xpaths, slots };
    let mut found = Vec::new();
    for record in &data.records {
        context.record(record, &mut found);
    }
    if let Some(kind) = &data.entity_kind {
        found.push(context.kind(page.name(), kind, ValueSource::Page, NodeId::ROOT, KIND_OF_PAGE));
    }
    if let Some(title) = &data.title {
        let path = xpaths.xpath(title.node);
        let own = context.evidence(page.name(), &title.text, ValueSource::Spec, path, HEADED);
        found.push(Evidence { role: EvidenceRole::Title, ..own });
    }
    for spec in &data.specs {
        for pair in &spec.pairs {
            context.pair(page.name(), spec, pair, &mut found);
        }
    }
    for matched in &data.matched {
        let path = xpaths.xpath(matched.node);
        let (value, sure) = (&matched.value, matched.confidence);
        let own = context.evidence(page.name(), value, ValueSource::Match, path, sure);
        found.push(Evidence { attribute: matched.attribute.clone(), ..own });
    }
    let kind = data.entity_kind.as_deref().unwrap_or_default();
    found.extend(data.fields.iter().map(|field| context.field(page.name(), kind, field)));
    drop(xpaths);
    (data, found)
}

/// Where values are read.
struct PageContext<'a> {
    site: &'a str,
    page: &'a str,
    document: &'a Document,
    xpaths: &'a XPaths<'a>,
    slots: &'a Slots,
}

impl PageContext<'_> {
    /// A value of the page, as that of an attribute that the page names.
    fn evidence(
        &self,
        entity: &str,
        value: &str,
        source: ValueSource,
        path: String,
        confidence: f64,
    ) -> Evidence {
        Evidence {
            site: self.site.to_owned(),
            entity: entity.to_owned(),
            role: EvidenceRole::Attribute,
            attribute: "title".to_owned(),
            naming: NameOrigin::Printed,
            slot: None,
            value: value.to_owned(),
            source,
            page: self.page.to_owned(),
            path,
            confidence,
        }
    }

    /// What kind of entity something is.
    fn kind(
        &self,
        entity: &str,
        kind: &str,
        source: ValueSource,
        node: NodeId,
        confidence: f64,
    ) -> Evidence {
        let own = self.evidence(entity, kind, source, self.xpaths.xpath(node), confidence);
        Evidence { role: EvidenceRole::Kind, ..own }
    }

    /// The path of a node, or of one of its attributes.
    fn path(&self, node: NodeId, attribute: Option<&str>) -> String {
        let path = self.xpaths.xpath(node);
        match attribute {
            Some(attribute) => format!("{path}/@{attribute}"),
            None => path,
        }
    }

    fn pair(&self, entity: &str, spec: &Spec, pair: &SpecPair, found: &mut Vec<Evidence>) {
        let path = self.path(pair.place(self.document), pair.attribute);
        let own = self.evidence(entity, &pair.value, ValueSource::Spec, path, spec.score);
        let own = Evidence { attribute: pair.name.clone(), ..own };
        // Only numbers that the whole world agrees on tell entities apart.
        let is_key = |id: &ProductId| matches!(id.kind, IdKind::Gtin | IdKind::Isbn);
        let id = product_id(&pair.name, &pair.value).filter(is_key);
        found.extend(id.map(|_| Evidence { role: EvidenceRole::Key, ..own.clone() }));
        found.push(own);
    }

    /// A value at a slot of the page's template, or embedded in the page.
    fn field(&self, entity: &str, kind: &str, field: &PageField) -> Evidence {
        let PageField { name, value, node, attribute, pointer, source, confidence } = field;
        let mut path = self.path(*node, attribute.as_deref());
        if let Some(pointer) = pointer {
            path.push('#');
            path.push_str(pointer);
        }
        let (source, naming, slot) = match source {
            FieldSource::Printed => (ValueSource::Spec, NameOrigin::Printed, None),
            FieldSource::Page => (ValueSource::Page, NameOrigin::Guessed, Some("page")),
            FieldSource::Embedded => (ValueSource::Embedded, NameOrigin::Guessed, Some("embedded")),
        };
        let own = self.evidence(entity, value, source, path, *confidence);
        // Pages of different kinds have slots of their own.
        let slot = slot.map(|of| format!("{of} {kind}: {name}"));
        Evidence { attribute: name.clone(), naming, slot, ..own }
    }

    fn record(&self, record: &EntityRecord, found: &mut Vec<Evidence>) {
        let entity = &address_of(record);
        if let Some(kind) = &record.entity_kind {
            let sure = KIND_OF_RECORD;
            found.push(self.kind(entity, kind, ValueSource::List, record.node, sure));
        }
        if let Some(title) = &record.title {
            let path = self.xpaths.xpath(title.node);
            let own = self.evidence(entity, &title.text, ValueSource::List, path, LISTED);
            found.push(Evidence { role: EvidenceRole::Title, ..own });
        }
        for unit in &record.units {
            if self.slots.is_redundant(unit, record) {
                continue;
            }
            let (name, naming) = self.slots.name(unit);
            let path = self.path(unit.node, unit.attribute.as_deref());
            let sure = LISTED * record.fit;
            let value = without_label(&unit.text, name);
            let own = self.evidence(entity, value, ValueSource::List, path, sure);
            let slot = Some(unit.slot.clone());
            found.push(Evidence { attribute: name.to_owned(), naming, slot, ..own });
        }
    }
}

/// The address of a record's entity as the crawl writes it: without session ids and the like. A record without a link
/// is known by its contents.
fn address_of(record: &EntityRecord) -> Cow<'_, str> {
    let own = record.entity.as_str();
    match Address::normalise(own) {
        Ok(address) if !own.contains(RECORD) => Cow::Owned(address.into_string()),
        _ => Cow::Borrowed(own),
    }
}

/// What is known of the slots of a site.
pub(super) struct Slots {
    /// Slots without information of their own: copies of others, and what every record shows.
    redundant: BTreeSet<String>,
    /// The word that most classes begin with, such as `card` in `card price`.
    prefix: Option<String>,
}

impl Slots {
    pub(super) fn of(model: &SiteModel) -> Self {
        let mut redundant = BTreeSet::new();
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        let mut classes = 0;
        for template in &model.templates {
            for slot in &template.slots {
                if slot.copy_of.is_some() || (slot.constant && !slot.optional) {
                    redundant.insert(format!("{}.{}", template.template, slot.slot));
                }
                let class = slot.label.as_deref().filter(|_| is_guess(slot.label_source));
                if let Some((word, _)) = class.and_then(|class| class.split_once(' ')) {
                    *first.entry(word).or_default() += 1;
                }
                classes += usize::from(class.is_some());
            }
        }
        let most = first.into_iter().max_by_key(|&(_, slots)| slots);
        let prefix = most.filter(|&(_, slots)| slots >= 3 && 2 * slots > classes);
        Self { redundant, prefix: prefix.map(|(word, _)| word.to_owned()) }
    }

    /// Whether a unit is redundant, the entity's address, its title once more, or a button.
    fn is_redundant(&self, unit: &DataUnit, record: &EntityRecord) -> bool {
        let own = record.title.as_ref().is_some_and(|title| title.text == unit.text);
        let acts = unit.kind == ValueKind::Link && names_action(&unit.text);
        own || acts || is_link_to(unit, &record.entity) || self.redundant.contains(&unit.slot)
    }

    /// What a unit is called, and who called it so.
    fn name<'u>(&self, unit: &'u DataUnit) -> (&'u str, NameOrigin) {
        match (&unit.label, unit.attribute.as_deref()) {
            (Some(label), _) if is_guess(unit.label_source) => {
                let prefix = self.prefix.as_deref().unwrap_or_default();
                let short = label.strip_prefix(prefix).map(str::trim_start);
                (short.filter(|short| !short.is_empty()).unwrap_or(label), NameOrigin::Guessed)
            }
            (Some(label), _) => (label, NameOrigin::Printed),
            (None, Some("src")) => ("image", NameOrigin::Slot),
            (None, Some("href")) => ("link", NameOrigin::Slot),
            (None, Some(attribute)) => (attribute, NameOrigin::Slot),
            (None, None) => (unit.kind.as_str(), NameOrigin::Slot),
        }
    }
}

/// Whether a label was not printed for readers.
fn is_guess(source: Option<LabelSource>) -> bool {
    matches!(source, Some(LabelSource::Class | LabelSource::Property | LabelSource::Meaning))
}

/// A value whose text begins with its label and a colon, without these.
fn without_label<'t>(text: &'t str, label: &str) -> &'t str {
    let rest = text.get(..label.len()).filter(|start| start.eq_ignore_ascii_case(label));
    let rest = rest.and_then(|_| text[label.len()..].trim_start().strip_prefix(':'));
    rest.map(str::trim_start).filter(|rest| !rest.is_empty()).unwrap_or(text)
}

/// Whether a unit is the address of the record's entity, in whatever spelling.
fn is_link_to(unit: &DataUnit, entity: &str) -> bool {
    unit.attribute.as_deref() == Some("href")
        && (entity.ends_with(unit.text.trim_start_matches(['.', '/'])) || entity == unit.text)
}
