//! Do the entities' own pages say anything that lists and facets do not? Some are looked at before all are
//! fetched: thousands of pages that fill no column are not worth their requests.

use std::collections::{BTreeMap, BTreeSet};

use quarry_crawl::StrategyReport;
use quarry_crawl::query::QueryGraph;
use quarry_extract::site::{SiteFit, learn_site};
use quarry_model::{Evidence, EvidenceRole, InputPage};

use super::{SiteStore, outcome};
use crate::HarvestError;
use crate::pages::ParsedPage;
use crate::read::read_pages;

/// Entity pages below which nothing can be told.
const MIN_PAGES: usize = 5;
/// Attributes that entity pages must have at all: with fewer, they were not understood.
const MIN_ATTRIBUTES: usize = 3;
/// Entities that a column must have values for.
const MIN_ENTITIES: usize = 3;
/// Lists that are read for each entity.
const LISTS_PER_ENTITY: usize = 2;

/// Whether the entity pages that were looked at add a column to what lists and facets say; true where
/// nothing can be told.
pub(super) fn details_add_columns<S: SiteStore>(store: &S) -> Result<bool, HarvestError> {
    let StrategyReport::Query(reports) = outcome::read_strategy_report(store)? else {
        return Ok(true);
    };
    for (graph, report) in outcome::read_graphs(store)?.iter().zip(&reports) {
        if add_columns(store, graph, &report.details)? {
            return Ok(true);
        }
    }
    Ok(reports.is_empty())
}

fn add_columns<S: SiteStore>(
    store: &S,
    graph: &QueryGraph,
    details: &[String],
) -> Result<bool, HarvestError> {
    let entities: BTreeSet<&str> = details.iter().map(String::as_str).collect();
    let own = parse(store, entities.iter().copied())?;
    if own.len() < MIN_PAGES {
        return Ok(true);
    }
    let lists = parse(store, list_pages(graph, &entities).into_iter())?;
    let views: Vec<_> = own.iter().chain(&lists).map(ParsedPage::view).collect();
    let model = learn_site(&views);
    drop(views);
    let site = outcome::site_of(graph);
    let read = |pages: &[ParsedPage]| read_pages(&site, pages, &model, &mut SiteFit::default());
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Evidence { entity, value, .. } in read(&lists) {
        let entity = graph.identity.canonical(&entity).into_owned();
        known.entry(entity).or_default().insert(folded(&value));
    }
    for row in graph.values().filter(|row| entities.contains(row.entity)) {
        known.entry(row.entity.to_owned()).or_default().insert(folded(row.value));
    }
    let mut columns: BTreeMap<String, Column> = BTreeMap::new();
    for Evidence { entity, attribute, value, role, .. } in read(&own) {
        let entity = graph.identity.canonical(&entity).into_owned();
        if role != EvidenceRole::Attribute || !entities.contains(entity.as_str()) {
            continue;
        }
        let value = folded(&value);
        let is_new = !known.get(&entity).is_some_and(|known| known.contains(&value));
        let column = columns.entry(attribute).or_default();
        column.entities.insert(entity.clone());
        column.values.insert(value);
        if is_new {
            column.new.insert(entity);
        }
    }
    let is_new = columns.values().any(Column::is_new);
    Ok(is_new || columns.len() < MIN_ATTRIBUTES)
}

/// What entity pages say of one attribute.
#[derive(Default)]
struct Column {
    entities: BTreeSet<String>,
    values: BTreeSet<String>,
    /// Entities whose value is on no list.
    new: BTreeSet<String>,
}

impl Column {
    /// Whether most of its values are on no list. What is the same for all is furniture.
    fn is_new(&self) -> bool {
        self.entities.len() >= MIN_ENTITIES
            && self.values.len() > 1
            && 2 * self.new.len() > self.entities.len()
    }
}

/// Lists that show these entities.
fn list_pages<'g>(graph: &'g QueryGraph, entities: &BTreeSet<&str>) -> BTreeSet<&'g str> {
    let mut pages = BTreeSet::new();
    let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
    for query in &graph.queries {
        for answer in &query.answers {
            let entity = graph.entity_address(answer.entity);
            let count = shown.entry(entity).or_default();
            if entities.contains(entity) && *count < LISTS_PER_ENTITY {
                *count += 1;
                pages.insert(graph.page_of(answer));
            }
        }
    }
    pages
}

fn parse<'a, S: SiteStore>(
    store: &S,
    addresses: impl Iterator<Item = &'a str>,
) -> Result<Vec<ParsedPage>, HarvestError> {
    let mut pages = Vec::new();
    for address in addresses {
        let Some(exchange) = store.archived_answer(address)? else { continue };
        let content_type = exchange.response.headers.get("content-type").map(str::to_owned);
        pages.push(ParsedPage::parse(InputPage {
            id: address.to_owned(),
            url: Some(exchange.request.url.clone()),
            content_type,
            bytes: exchange.response.content().to_vec(),
        }));
    }
    Ok(pages)
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}
