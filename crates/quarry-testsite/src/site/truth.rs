//! What a harvest should find: the truth of entities, of attributes, of single pages and of the
//! record template.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::urls::Route;
use super::{Site, SiteRequest};
use crate::catalogue::{CatalogueAttributeId, CatalogueColumn, CatalogueEntityId};
use crate::format::SiteValue;
use crate::view::{Card, PageClass, Screen, Slot, Unit};

/// One entity: the form that `score crawl` reads, and more beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TruthLine {
    /// The path of the entity's page.
    pub url: String,
    /// As printed.
    pub title: String,
    /// Names of the attributes that are facets.
    pub facets: Vec<String>,
    /// Printed values: a text, or a list of them.
    pub attributes: BTreeMap<String, Values>,
    /// Names of the attributes that are on no entity page and in no record.
    pub hidden: Vec<String>,
    /// Name and value of every pair of the page's specification, in order.
    pub specs: Vec<(String, String)>,
    /// The number of the entity in the world that sites of a family share.
    pub base: u64,
}

/// One value, or several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Values {
    /// A single-valued attribute.
    One(String),
    /// An attribute that can have several.
    Several(Vec<String>),
}

impl Values {
    /// The values, however many there are.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Several(texts) => texts,
        }
    }
}

/// One attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributeTruth {
    /// As this site prints it.
    pub name: String,
    /// The name that sites of a family share.
    pub canonical: String,
    /// Offered as a facet.
    pub facet: bool,
    /// Shown in list records.
    pub list: bool,
    /// Shown in the specification.
    pub spec: bool,
    /// An entity can have several values.
    pub several: bool,
    /// text, number, price, date, phone, address or people.
    pub kind: String,
    /// How many different values there are.
    pub values: usize,
    /// How many (entity, value) pairs there are.
    pub pairs: usize,
}

/// What one page holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageTruth {
    /// Path and query.
    pub page: String,
    /// Its class.
    pub class: PageClass,
    /// The predicates of a list's query, by attribute name and value, sorted.
    pub query: Vec<(String, String)>,
    /// Paths of the entities in the answer, in order.
    pub entities: Vec<String>,
    /// The texts of each record in order, labels left out.
    pub records: Vec<Vec<String>>,
    /// The names of the texts, in step with `records`.
    pub slots: Vec<Vec<String>>,
    /// Paths of the promoted entities.
    pub promotions: Vec<String>,
    /// Facets as shown: attribute, value, address, count.
    pub facets: Vec<(String, String, String, Option<usize>)>,
    /// Where the next page is.
    pub next: Option<String>,
    /// Name and value of every specification pair.
    pub specs: Vec<(String, String)>,
}

/// The template of the records of a site, mined from all of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TemplateTruth {
    /// The slots in order of appearance.
    pub slots: Vec<SlotTruth>,
    /// Which slot follows which in some record; "" is the beginning and the end.
    pub edges: BTreeSet<(String, String)>,
}

/// One slot of a template.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SlotTruth {
    /// Its name.
    pub slot: String,
    /// The template text that names it.
    pub label: Option<String>,
    /// Share of the records that have it.
    pub support: f64,
    /// The same text in every record.
    pub constant: bool,
}

impl Site {
    /// The truth of the entities that are there at the start, in catalogue order.
    pub fn truth(&self) -> impl Iterator<Item = TruthLine> + '_ {
        self.truth_at(self.step(0))
    }

    /// The truth after so many changes; see [`Site::step`].
    pub fn truth_at(&self, step: u32) -> impl Iterator<Item = TruthLine> + '_ {
        let alive = self.catalogue.entities().filter(move |e| self.timeline.alive(*e, step));
        let patterns = self.pattern().map(|pattern| pattern.truth()).unwrap_or_default();
        alive.map(move |e| self.truth_of(e, step)).chain(patterns)
    }

    fn truth_of(&self, entity: CatalogueEntityId, step: u32) -> TruthLine {
        let shown = self.catalogue.attributes.iter().enumerate();
        let shown = shown.filter(|(_, a)| a.facet || a.list || a.spec);
        let mut attributes = BTreeMap::new();
        for (i, attribute) in shown.clone() {
            let id = CatalogueAttributeId(i as u16);
            let mut printed = self.catalogue.printed(id, entity);
            if let Some(SiteValue::Money(_)) = self.catalogue.value(id, entity) {
                printed = self
                    .price(entity, step)
                    .map(|cents| self.catalogue.format.money(cents))
                    .into_iter()
                    .collect();
            }
            if attribute.several && !printed.is_empty() {
                attributes.insert(attribute.name.clone(), Values::Several(printed));
            } else if let Some(text) = printed.pop() {
                attributes.insert(attribute.name.clone(), Values::One(text));
            }
        }
        let pairs = self.spec_pairs(entity, step);
        TruthLine {
            url: self.urls().entity(entity),
            title: self.catalogue.titles[entity.0 as usize].clone(),
            facets: self.catalogue.facets().map(|(_, a)| a.name.clone()).collect(),
            hidden: shown.filter(|(_, a)| a.hidden()).map(|(_, a)| a.name.clone()).collect(),
            attributes,
            specs: pairs.into_iter().map(|(name, _, value)| (name, value)).collect(),
            base: self.catalogue.bases[entity.0 as usize],
        }
    }

    /// The attributes that the site shows in some way.
    #[must_use]
    pub fn attributes(&self) -> Vec<AttributeTruth> {
        let shown = self.catalogue.attributes.iter().filter(|a| a.facet || a.list || a.spec);
        shown
            .map(|a| {
                let (kind, values, pairs) = match &a.column {
                    CatalogueColumn::Words { words, cells, .. } => {
                        let used = words.iter().filter(|w| !w.entities.is_empty()).count();
                        ("text", used, cells.len())
                    }
                    CatalogueColumn::Values(values) => {
                        let first = values.iter().flatten().next();
                        let distinct: BTreeSet<String> = values
                            .iter()
                            .flatten()
                            .map(|v| self.catalogue.format.print(v))
                            .collect();
                        let pairs = values.iter().flatten().map(|v| match v {
                            SiteValue::People(names) => names.len(),
                            _ => 1,
                        });
                        (first.map_or("text", kind), distinct.len(), pairs.sum())
                    }
                };
                AttributeTruth {
                    name: a.name.clone(),
                    canonical: a.canonical.to_owned(),
                    facet: a.facet,
                    list: a.list,
                    spec: a.spec,
                    several: a.several,
                    kind: kind.to_owned(),
                    values,
                    pairs,
                }
            })
            .collect()
    }

    /// What the page of a request holds.
    #[must_use]
    pub fn page_truth(&self, request: &SiteRequest) -> PageTruth {
        let step = self.step(request.count);
        let (route, params, _, posted) = self.read(request);
        let shown = self.show(&route, step, &params, posted);
        let mut truth = PageTruth {
            page: request.target.clone(),
            class: shown.class,
            query: Vec::new(),
            entities: Vec::new(),
            records: Vec::new(),
            slots: Vec::new(),
            promotions: Vec::new(),
            facets: Vec::new(),
            next: None,
            specs: Vec::new(),
        };
        if let Route::List(query) = &route {
            for p in &query.predicates {
                let name = self.catalogue.attribute(p.attribute).name.clone();
                truth.query.push((name, self.catalogue.word(*p).text.clone()));
            }
            truth.query.sort();
        }
        match shown.screen {
            Screen::List(view) => {
                for card in view.cards.iter().filter(|c| c.entity.is_some()) {
                    truth.entities.push(card.href.clone());
                    let (slots, texts) = cells(card).into_iter().unzip();
                    truth.slots.push(slots);
                    truth.records.push(texts);
                }
                truth.promotions = view.promotions.into_iter().map(|c| c.href).collect();
                truth.next = view.pager.and_then(|p| p.next);
                for group in view.facets {
                    for value in group.values {
                        let name = group.name.clone();
                        truth.facets.push((name, value.text, value.href, value.count));
                    }
                }
            }
            Screen::Entity(view) => {
                truth.entities.push(view.card.href);
                truth.specs = view.specs.into_iter().flat_map(|g| g.pairs).collect();
            }
            _ => {}
        }
        truth
    }

    /// The template of the records, from all entities of the start.
    #[must_use]
    pub fn template(&self) -> TemplateTruth {
        let mut slots: Vec<(SlotTruth, String)> = Vec::new();
        let mut edges = BTreeSet::new();
        let mut records = 0usize;
        for entity in self.catalogue.entities().filter(|e| self.there(*e)) {
            let card = self.card(entity, self.step(0), None);
            records += 1;
            let mut last = String::new();
            for unit in &card.units {
                for (name, text) in unit_cells(unit) {
                    edges.insert((std::mem::replace(&mut last, name.clone()), name.clone()));
                    match slots.iter_mut().find(|(s, _)| s.slot == name) {
                        Some((slot, first)) => {
                            slot.support += 1.0;
                            slot.constant &= *first == text;
                        }
                        None => slots.push((
                            SlotTruth {
                                slot: name,
                                label: unit.label.clone(),
                                support: 1.0,
                                constant: true,
                            },
                            text,
                        )),
                    }
                }
            }
            edges.insert((last, String::new()));
        }
        let slots = slots.into_iter().map(|(mut slot, _)| {
            slot.support /= records.max(1) as f64;
            slot
        });
        TemplateTruth { slots: slots.collect(), edges }
    }
}

fn kind(value: &SiteValue) -> &'static str {
    match value {
        SiteValue::Text(_) => "text",
        SiteValue::Number { .. } => "number",
        SiteValue::Money(_) => "price",
        SiteValue::Date { .. } => "date",
        SiteValue::Phone(_) => "phone",
        SiteValue::Address { .. } => "address",
        SiteValue::People(_) => "people",
    }
}

fn cells(card: &Card) -> Vec<(String, String)> {
    card.units.iter().flat_map(unit_cells).collect()
}

/// The data units of one text: several when values were joined.
fn unit_cells(unit: &Unit) -> Vec<(String, String)> {
    if unit.slot == Slot::Joined {
        let parts = unit.text.split(" | ").enumerate();
        return parts.map(|(i, t)| (format!("{} {}", unit.name, i + 1), t.to_owned())).collect();
    }
    vec![(unit.name.to_owned(), unit.text.clone())]
}
