//! Explains an address from the archive alone: which query and which page of it, which entity, or which link that was
//! not followed, and why.

mod entity;
mod links;
mod query_place;

use quarry_crawl::query::QueryGraph;
use quarry_crawl::{Address, StrategyReport};
use quarry_dom::{Document, Limits};
use quarry_extract::links::{LinkMap, read_links};
use quarry_model::{CrawlStore, ModelStore, PageRow, PortError, TableReader};
use serde::Serialize;
use url::Url;

use crate::HarvestError;
use crate::crawl::{read_graphs, read_strategy_report};

pub use entity::{EntityList, ExplainedValue};
pub use links::LinkFate;
pub use query_place::{QueryPlace, query_name};

/// Everything that is known of an address.
#[derive(Debug, Default, Serialize)]
pub struct Explanation {
    /// The address, normalised, or the key of a POST.
    pub url: String,
    /// What it is.
    pub kind: AddressKind,
    /// In a sentence that begins with the address.
    pub what: String,
    /// When and how it was fetched, if it was.
    pub fetched: Option<FetchedPage>,
    /// Why an entity's own page was not fetched, if it was not.
    pub unasked: Option<String>,
    /// The query whose list it shows.
    pub query: Option<QueryPlace>,
    /// What was decided about the attributes of that query, or about all of them, each with its evidence.
    pub decisions: Vec<String>,
    /// What became of the links of a list.
    pub links: Vec<LinkFate>,
    /// What is known of an entity.
    pub values: Vec<ExplainedValue>,
    /// Lists that show an entity, the narrowest first.
    pub lists: Vec<EntityList>,
    /// The page that offers a link which was not followed.
    pub offered_on: Option<String>,
    /// Whether the crawl left a query graph at all.
    #[serde(skip)]
    pub has_graphs: bool,
}

/// What an address is to a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AddressKind {
    /// A page of a query's list.
    Query,
    /// An entity.
    Entity,
    /// A link that was not followed.
    Link,
    /// A page that is neither a list of a query nor an entity.
    Page,
    /// No page leads there.
    #[default]
    Unknown,
}

/// When and how a page was fetched.
#[derive(Debug, Serialize)]
pub struct FetchedPage {
    /// When, as RFC 3339.
    pub at: String,
    /// Its HTTP status.
    pub status: u16,
    /// The page that led there.
    pub via: Option<String>,
}

/// A page of the archive, parsed, with its links.
struct ArchivedPage {
    row: PageRow,
    address: Url,
    document: Document,
    map: LinkMap,
}

/// Explains an address, or the key of a POST request (`POST address body`).
pub fn explain_address<S>(store: &S, text: &str) -> Result<Explanation, HarvestError>
where
    S: CrawlStore + ModelStore + TableReader,
{
    let url = key_of(text)?;
    let graphs = read_graphs(store)?;
    let page = archived_page(store, &url)?;
    let has_graphs = !graphs.is_empty();
    let mut found = Explanation { url, has_graphs, ..Explanation::default() };
    if let Some(page) = &page {
        let PageRow { fetch_time, fetch_status, via, .. } = &page.row;
        let (at, status, via) = (fetch_time.to_string(), *fetch_status, via.clone());
        found.fetched = Some(FetchedPage { at, status, via });
    }
    let is_known = graphs.iter().any(|graph| {
        page.as_ref().is_some_and(|page| explain_list(&mut found, graph, page))
            || entity::explain(&mut found, graph, page.as_ref())
    });
    if let Some(place) = &found.query {
        found.decisions = decisions(&read_strategy_report(store)?, &place.query);
    }
    match &page {
        None if found.kind == AddressKind::Entity => {
            found.unasked = Some(links::why_unasked(store, &found.url)?);
        }
        _ if is_known => {}
        Some(page) => explain_other_page(&mut found, page),
        None => links::explain_unasked(&mut found, store, &graphs)?,
    }
    Ok(found)
}

/// What was decided about the attributes of a query; of the query for everything, about all.
fn decisions(report: &StrategyReport, query: &[String]) -> Vec<String> {
    let StrategyReport::Query(sites) = report else { return Vec::new() };
    let attributes: Vec<&str> =
        query.iter().filter_map(|pair| Some(pair.split_once('=')?.0)).collect();
    let is_about = |line: &&String| {
        let name = |attribute: &&str| {
            line.strip_prefix(attribute).is_some_and(|rest| rest.starts_with(": "))
        };
        attributes.is_empty() || attributes.iter().any(name)
    };
    sites.iter().flat_map(|site| &site.decisions).filter(is_about).cloned().collect()
}

/// The request that an address or the key of a POST stands for.
fn key_of(text: &str) -> Result<String, HarvestError> {
    if text.starts_with("POST ") {
        return Ok(text.to_owned());
    }
    let bad = |source| HarvestError::Address { text: text.to_owned(), source };
    Ok(Address::normalise(text).map_err(bad)?.into_string())
}

/// The newest archived page with this key. None where the archive has none, or one without an address that can be read.
fn archived_page<S: CrawlStore>(
    store: &S,
    key: &str,
) -> Result<Option<ArchivedPage>, HarvestError> {
    let Some(row) = store.find(key).map_err(PortError::new)? else { return Ok(None) };
    let Ok(address) = Url::parse(&row.url) else { return Ok(None) };
    let exchange = store.read(&row).map_err(PortError::new)?;
    let kind = exchange.response.headers.get("content-type");
    let document = Document::parse(exchange.response.content(), kind, &Limits::default());
    let map = read_links(&document, &address);
    Ok(Some(ArchivedPage { row, address, document, map }))
}

/// The page as a page of a query. False if it is none.
fn explain_list(found: &mut Explanation, graph: &QueryGraph, page: &ArchivedPage) -> bool {
    let Some(place) = query_place::locate(graph, page) else { return false };
    found.kind = AddressKind::Query;
    found.what = place.sentence();
    found.links = links::fates(graph, &place, page);
    found.query = Some(place);
    true
}

/// A page that is neither a list of a query nor an entity.
fn explain_other_page(found: &mut Explanation, page: &ArchivedPage) {
    found.kind = AddressKind::Page;
    let entities = page.map.entities.len();
    let why = match entities {
        _ if !found.has_graphs => "the project was not crawled by queries",
        0 | 1 => "it has no list of entities",
        _ => "none of the queries led there, or it brought nothing new",
    };
    let list = match entities {
        0 | 1 => "a page".to_owned(),
        many => format!("a page that lists {many} things"),
    };
    found.what = format!("is {list}; it belongs to no query: {why}");
}
