//! Tells whether the entities' own pages add anything to lists and facets. Some are looked at before all are
//! fetched: thousands of pages that fill no column are not worth their requests.

use std::collections::{BTreeMap, BTreeSet};

use quarry_crawl::StrategyReport;
use quarry_crawl::query::QueryGraph;
use quarry_dom::NodeId;
use quarry_extract::site::{SiteFit, learn_crawled_site};
use quarry_model::{Evidence, EvidenceRole, InputPage, ModelStore};

use super::{KnownPages, SiteStore, outcome};
use crate::HarvestError;
use crate::pages::ParsedPage;
use crate::read::read_known_pages;

/// Entity pages below which nothing can be told.
const MIN_PAGES: usize = 5;
/// Attributes that entity pages must have at all: with fewer, they were not understood.
const MIN_ATTRIBUTES: usize = 3;
/// Entities that a column must have values for.
const MIN_ENTITIES: usize = 3;
/// Lists that are read for each entity.
const LISTS_PER_ENTITY: usize = 2;

/// The file in the project's `models` that says that only some entities' own pages were fetched.
const SAMPLED: &str = "details-sampled.txt";

/// Keeps in the project whether only some entities' own pages were fetched, because they add nothing.
pub(super) fn keep_sampled(store: &mut dyn ModelStore, sampled: bool) -> Result<(), HarvestError> {
    match sampled {
        true => store.write_model(SAMPLED, "entities' own pages add nothing to lists\n")?,
        false => store.remove_model(SAMPLED)?,
    }
    Ok(())
}

/// Whether only some entities' own pages were fetched, because they add nothing.
pub(super) fn is_sampled(store: &dyn ModelStore) -> Result<bool, HarvestError> {
    Ok(store.read_model(SAMPLED)?.is_some())
}

/// What the entity pages that were looked at say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DetailGain {
    /// They add these columns to what lists and facets say.
    New(BTreeSet<String>),
    /// They add nothing.
    Nothing,
    /// Too few were looked at, or understood.
    Unknown,
}

/// What the entity pages that were looked at add to what lists and facets say.
pub(super) fn measure_detail_gain<S: SiteStore>(store: &S) -> Result<DetailGain, HarvestError> {
    let StrategyReport::Query(reports) = outcome::read_strategy_report(store)? else {
        return Ok(DetailGain::Unknown);
    };
    let mut worth = None;
    for (graph, report) in outcome::read_graphs(store)?.iter().zip(&reports) {
        match (worth.take(), worth_of(store, graph, &report.details)?) {
            (Some(DetailGain::New(mut all)), DetailGain::New(more)) => {
                all.extend(more);
                worth = Some(DetailGain::New(all));
            }
            (Some(DetailGain::Nothing) | None, own) => worth = Some(own),
            (Some(before), _) => worth = Some(before),
        }
    }
    Ok(worth.unwrap_or(DetailGain::Unknown))
}

fn worth_of<S: SiteStore>(
    store: &S,
    graph: &QueryGraph,
    details: &[String],
) -> Result<DetailGain, HarvestError> {
    let entities: BTreeSet<&str> = details.iter().map(String::as_str).collect();
    let own = parse(store, entities.iter().copied())?;
    if own.len() < MIN_PAGES {
        return Ok(DetailGain::Unknown);
    }
    let lists = parse(store, list_pages(graph, &entities).into_iter())?;
    let views: Vec<_> = own.iter().chain(&lists).map(ParsedPage::view).collect();
    let mut known = KnownPages::default();
    known.add(graph);
    let model = learn_crawled_site(&views, &|address| known.kind(address));
    drop(views);
    let site = outcome::site_of(graph);
    let read = |pages: &[ParsedPage]| {
        read_known_pages(&site, pages, &model, &known, &mut SiteFit::default())
    };
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut list_names: BTreeSet<String> = BTreeSet::new();
    for Evidence { entity, value, attribute, .. } in read(&lists) {
        list_names.insert(attribute);
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
    if columns.len() < MIN_ATTRIBUTES {
        return Ok(DetailGain::Unknown);
    }
    // What lists say too, but not in their records (how long the answer took), is said of no entity.
    let texts: Vec<String> =
        lists.iter().map(|page| masked(&page.document.folded_text(NodeId::ROOT))).collect();
    let is_furniture = |name: &str, column: &Column| {
        let says = |text: &&String| column.values.iter().any(|value| says(text, name, value));
        !list_names.contains(name) && 2 * texts.iter().filter(says).count() > texts.len()
    };
    let is_new = |(name, column): &(String, Column)| column.is_new() && !is_furniture(name, column);
    let new = columns.into_iter().filter(is_new);
    let new: BTreeSet<String> = new.map(|(name, _)| name).collect();
    Ok(if new.is_empty() { DetailGain::Nothing } else { DetailGain::New(new) })
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
    /// Whether most of its values are on no list. What is the same for all is boilerplate.
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

/// Whether a text has a name with a value behind it, but for the digits.
fn says(masked_text: &str, name: &str, value: &str) -> bool {
    let (name, value) = (masked(name), masked(value));
    let is_mark = |c: char| !c.is_alphanumeric();
    let value = value.trim_start_matches(is_mark);
    let mut places = masked_text.match_indices(&name).map(|(at, _)| at + name.len());
    !value.is_empty()
        && places.any(|end| masked_text[end..].trim_start_matches(is_mark).starts_with(value))
}

/// A folded text with one zero for all digits in a row.
fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in folded(text).chars() {
        match c {
            '0'..='9' if out.ends_with('0') => {}
            '0'..='9' => out.push('0'),
            c => out.push(c),
        }
    }
    out
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_in_digits_only_is_the_same_furniture() {
        let text = masked("Made by Acme · answered in 12.5 ms. Sort by Votes, Price");
        assert!(says(&text, "Acme", "answered in 3.75 ms"));
        assert!(!says(&text, "Votes", "3,751"));
        assert!(!says(&text, "Acme", "another thing"));
    }
}
