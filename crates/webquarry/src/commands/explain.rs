//! `quarry explain`: what an address is to the project: which query and which page of it, which
//! entity, or which link that was left alone, and why. From the archive alone.

mod entity;
mod links;
mod place;
mod show;

use anyhow::{Context, Result, bail};
use quarry_crawl::Address;
use quarry_crawl::query::QueryGraph;
use quarry_dom::{Document, Limits};
use quarry_extract::links::{LinkMap, read_links};
use quarry_harvest::Ending;
use quarry_harvest::crawl::read_graphs;
use quarry_model::{PageRow, PageStore};
use quarry_store::{Project, StoreSettings};
use serde::Serialize;
use url::Url;

use crate::args::ExplainArgs;
use crate::printer::Printer;

/// Everything that is known of an address.
#[derive(Debug, Default, Serialize)]
struct Explanation {
    url: String,
    /// query, entity, link, page or unknown
    kind: &'static str,
    /// In a sentence that begins with the address.
    what: String,
    fetched: Option<FetchedPage>,
    query: Option<place::QueryPlace>,
    /// What became of the links of a list.
    links: Vec<links::Fate>,
    /// What is known of an entity.
    values: Vec<entity::Value>,
    /// Lists that show an entity, the narrowest first.
    lists: Vec<entity::List>,
    /// The page that offers a link which was not followed.
    offered_on: Option<String>,
}

/// When and how a page was fetched.
#[derive(Debug, Serialize)]
struct FetchedPage {
    at: String,
    status: u16,
    /// The page that led there.
    via: Option<String>,
}

/// A page of the archive, read.
struct Page {
    row: PageRow,
    address: Url,
    document: Document,
    map: LinkMap,
}

pub(crate) fn run(args: &ExplainArgs, printer: &mut Printer) -> Result<Ending> {
    let project = Project::open_read_only(&args.project, &StoreSettings::default())?;
    let graphs = read_graphs(&project)?;
    let key = key_of(&args.url)?;
    let page = find(&project, &key)?;
    let mut found = Explanation { url: key.clone(), ..Explanation::default() };
    if let Some(page) = &page {
        let PageRow { fetch_time, fetch_status, via, .. } = &page.row;
        let (at, status, via) = (fetch_time.to_string(), *fetch_status, via.clone());
        found.fetched = Some(FetchedPage { at, status, via });
    }
    let known = graphs.iter().any(|graph| {
        page.as_ref().is_some_and(|page| query(&mut found, graph, page))
            || entity::explain(&mut found, graph, page.as_ref())
    });
    if !known {
        match &page {
            Some(page) => other(&mut found, page, &graphs),
            None => links::explain_unasked(&mut found, &project, &graphs)?,
        }
    }
    if found.kind == "unknown" && graphs.is_empty() {
        let folder = args.project.display();
        bail!(
            "{folder} holds no page {key} and no query graph; `quarry export -p {folder} --table pages` \
             lists its pages, `quarry crawl URL -p DIR --strategy query` finds out about queries"
        );
    }
    if args.json {
        printer.json(&found)?;
    } else {
        show::show(&found, printer)?;
    }
    Ok(Ending::Done)
}

/// The request that an address or the key of a POST (`POST address body`) stands for.
fn key_of(text: &str) -> Result<String> {
    if text.starts_with("POST ") {
        return Ok(text.to_owned());
    }
    let address = Address::normalise(text)
        .with_context(|| format!("'{text}' is not a web address; write it with https://"))?;
    Ok(address.into_string())
}

fn find(project: &Project, key: &str) -> Result<Option<Page>> {
    let Some(row) = PageStore::find(project, key)? else { return Ok(None) };
    let exchange = project.read(&row)?;
    let kind = exchange.response.headers.get("content-type").map(str::to_owned);
    let content = exchange.response.content();
    Page::read(row, kind.as_deref(), content).map(Some)
}

impl Page {
    fn read(row: PageRow, kind: Option<&str>, content: &[u8]) -> Result<Self> {
        let address =
            Url::parse(&row.url).with_context(|| format!("the archive says {}", row.url))?;
        let document = Document::parse(content, kind, &Limits::default());
        let map = read_links(&document, &address);
        Ok(Self { row, address, document, map })
    }
}

/// The page as a page of a query. False if it is none.
fn query(found: &mut Explanation, graph: &QueryGraph, page: &Page) -> bool {
    let Some(place) = place::locate(graph, page) else { return false };
    found.kind = "query";
    found.what = place.sentence();
    found.links = links::fates(graph, &place, page);
    found.query = Some(place);
    true
}

/// A page that is neither a list of a query nor an entity.
fn other(found: &mut Explanation, page: &Page, graphs: &[QueryGraph]) {
    found.kind = "page";
    let entities = page.map.entities.len();
    let why = match graphs {
        [] => "the project was not crawled by queries",
        _ if entities > 1 => "none of the queries led there, or it brought nothing new",
        _ => "it has no list of entities",
    };
    let list = match entities {
        0 | 1 => "a page".to_owned(),
        many => format!("a page that lists {many} things"),
    };
    found.what = format!("is {list} and of no query: {why}");
}
