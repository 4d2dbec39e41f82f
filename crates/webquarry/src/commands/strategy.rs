//! What came of the crawl's strategy? Kept in the project, shown by `crawl` and `report`.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use quarry_crawl::query::{QueryGraph, QueryNode, hidden_share};
use quarry_crawl::{Account, Engine, IndexAccount, ProbeAccount, QueryAccount};
use quarry_dom::{Document, Limits, NodeId};
use quarry_model::{PageStore, QueryRow, ValueRow, ValueSource};
use quarry_store::Project;

use crate::printer::{Printer, shorten, thousands};

/// Attributes and short queries that are shown.
const SHOWN: usize = 12;

/// The file in the project's `models`.
pub(super) const FILE: &str = "strategy.json";

/// The query graphs, beside it.
const GRAPHS: &str = "queries.json";

/// Keeps in the project what the strategy found out.
pub(crate) fn keep(project: &mut Project, engine: &Engine) -> Result<()> {
    let mut account = engine.account();
    if account == Account::All {
        return Ok(());
    }
    if let Account::Query(sites) = &mut account {
        for (site, graph) in sites.iter_mut().zip(engine.query_graphs()) {
            site.hidden = hidden_share(graph, &texts(project, &site.details)?);
        }
    }
    let text = serde_json::to_string_pretty(&account).context("cannot print the account")?;
    project.write_model(FILE, &text)?;
    let graphs = engine.query_graphs();
    if graphs.is_empty() {
        return Ok(());
    }
    let text = serde_json::to_string(&graphs).context("cannot print the query graph")?;
    project.write_model(GRAPHS, &text)?;
    project.replace_values(ValueSource::Facet, graphs.iter().flat_map(|graph| values(graph)))?;
    project.replace_queries(graphs.iter().flat_map(|graph| queries(graph)))?;
    Ok(())
}

/// The texts of archived pages, by address.
fn texts(project: &Project, addresses: &[String]) -> Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for address in addresses {
        let Some(row) = project.find(address)? else { continue };
        let response = project.read(&row)?.response;
        let content_type = response.headers.get("content-type");
        let document = Document::parse(response.content(), content_type, &Limits::default());
        texts.insert(address.clone(), document.folded_text(NodeId::ROOT).into_owned());
    }
    Ok(texts)
}

/// Rows of the table of values.
pub(super) fn values(graph: &QueryGraph) -> impl Iterator<Item = ValueRow> {
    let site = site_of(graph);
    graph.values().map(move |row| ValueRow {
        site: site.clone(),
        entity: row.entity.to_owned(),
        attribute: row.attribute.to_owned(),
        value: row.value.to_owned(),
        source: ValueSource::Facet,
        page: row.page.to_owned(),
        path: row.path.to_owned(),
        confidence: row.confidence,
    })
}

/// Rows of the table of queries, the broadest first: the order does not depend on which answer came first.
fn queries(graph: &QueryGraph) -> Vec<QueryRow> {
    let site = site_of(graph);
    let row = |query: &QueryNode| {
        let parents = graph.parents(query).into_iter();
        let mut parents: Vec<Vec<String>> =
            parents.map(|parent| graph.name(&graph.queries[parent as usize])).collect();
        parents.sort_unstable();
        QueryRow {
            site: site.clone(),
            query: graph.name(query),
            url: query.request.clone(),
            entities: query.answers.len() as u64,
            claimed: query.claimed(),
            parents,
            state: query.state.as_str().to_owned(),
        }
    };
    let counted = graph.queries.iter().filter(|query| QueryGraph::counts(query));
    let mut rows: Vec<QueryRow> = counted.map(row).collect();
    let order = |row: &QueryRow| (row.query.len(), row.query.clone(), row.url.clone());
    rows.sort_by_cached_key(order);
    rows
}

fn site_of(graph: &QueryGraph) -> String {
    let root = graph.queries.first().map_or("", |query| query.request.as_str());
    let url = root.split(' ').find(|part| part.contains("://")).unwrap_or(root);
    match url.split_once("://") {
        Some((scheme, rest)) => {
            format!("{scheme}://{}", rest.split(['/', '?']).next().unwrap_or_default())
        }
        None => url.to_owned(),
    }
}

/// The account of the last run.
pub(crate) fn read(project: &Project) -> Result<Account> {
    let Some(text) = project.read_model(FILE)? else { return Ok(Account::All) };
    serde_json::from_str(&text).with_context(|| {
        let path = project.model_path(FILE);
        format!("{} is damaged; remove it, the next crawl writes it anew", path.display())
    })
}

/// The query graphs of the last crawl by queries, one for each seed; none if there was no such crawl.
pub(crate) fn read_graphs(project: &Project) -> Result<Vec<QueryGraph>> {
    let Some(text) = project.read_model(GRAPHS)? else { return Ok(Vec::new()) };
    let graphs: Vec<QueryGraph> = serde_json::from_str(&text).with_context(|| {
        let path = project.model_path(GRAPHS);
        format!("{} is damaged; remove it, the next crawl writes it anew", path.display())
    })?;
    Ok(graphs.into_iter().map(QueryGraph::indexed).collect())
}

/// Shows it as a short table.
pub(crate) fn show(printer: &mut Printer, account: &Account) -> Result<()> {
    match account {
        Account::All => Ok(()),
        Account::Probe(sites) => sites.iter().try_for_each(|site| show_probe(printer, site)),
        Account::Query(sites) => sites.iter().try_for_each(|site| show_query(printer, site)),
        Account::Index(sites) => sites.iter().try_for_each(|site| show_index(printer, site)),
    }
}

fn show_index(printer: &mut Printer, site: &IndexAccount) -> Result<()> {
    let number = |n: usize| thousands(n as u64);
    let mut rows = vec![("walked", site.host.clone())];
    if let Some(category) = &site.category {
        let entry = site.entry.as_deref().unwrap_or("no entry page found");
        rows.push(("category", format!("{category}: {entry}")));
    }
    rows.push((
        "pages",
        format!(
            "{}: {} targets ({:.0} %), {} indexes",
            number(site.pages),
            number(site.targets),
            site.precision * 100.0,
            number(site.indexes)
        ),
    ));
    if let Some(end) = &site.end {
        rows.push(("over because", end.clone()));
    }
    printer.line("")?;
    printer.table(&[], &[], rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]))?;
    let followed = |leads_to: &str| matches!(leads_to, "targets" | "indexes");
    let rows: Vec<Vec<String>> = site
        .collections
        .iter()
        .filter(|collection| followed(&collection.leads_to))
        .map(|collection| {
            let (leads_to, example) = (collection.leads_to.clone(), &collection.example);
            vec![leads_to, number(collection.links), shorten(example, 80)]
        })
        .take(SHOWN)
        .collect();
    if !rows.is_empty() {
        printer.line("")?;
        printer.table(&["links to", "links", "for example"], &[1], rows)?;
    }
    Ok(())
}

fn show_probe(printer: &mut Printer, site: &ProbeAccount) -> Result<()> {
    let number = |n: usize| thousands(n as u64);
    let mut rows = vec![("probed", site.host.clone())];
    if let Some(form) = &site.form {
        rows.push(("search form", form.clone()));
        let queries = site.listed + site.seen + site.nonsense;
        rows.push((
            "queries",
            format!(
                "{}: {} listed words, {} seen on its pages, {} nonsense",
                number(queries),
                number(site.listed),
                number(site.seen),
                number(site.nonsense)
            ),
        ));
        let classes: Vec<String> = site.classes.iter().map(|&pages| number(pages)).collect();
        let text = match classes.as_slice() {
            [] => "none".to_owned(),
            classes => format!(
                "{} in {} classes of pages ({})",
                number(site.answers),
                classes.len(),
                classes.join(", ")
            ),
        };
        rows.push(("answers", text));
        if site.found > 0 {
            rows.push(("led to", format!("{} pages", number(site.found))));
        }
    }
    if let Some(end) = &site.end {
        rows.push(("over because", end.clone()));
    }
    printer.line("")?;
    printer.table(&[], &[], rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]))?;
    Ok(())
}

fn show_query(printer: &mut Printer, site: &QueryAccount) -> Result<()> {
    let number = |n: usize| thousands(n as u64);
    let total = match site.total {
        Some(total) => format!(" of {} that the site names", thousands(total)),
        None => String::new(),
    };
    let per_request = site.triples as f64 / (site.requests.max(1)) as f64;
    let mut rows = vec![
        ("queried", site.root.clone()),
        ("entities", format!("{}{total}", number(site.entities))),
        (
            "values",
            format!("{} of {} attributes", number(site.triples), number(site.attributes.len())),
        ),
        (
            "queries",
            format!(
                "{} asked, {} of them complete by the site's own count",
                number(site.queries),
                number(site.complete)
            ),
        ),
        ("requests", format!("{}, {per_request:.1} values each", thousands(site.requests))),
        (
            "saved",
            format!(
                "{} combinations of facets, {} other views of the same lists, {} queries met again",
                thousands(site.saved.combinations),
                thousands(site.saved.views),
                thousands(site.saved.equivalent)
            ),
        ),
    ];
    if let Some(hidden) = site.hidden {
        let pages = number(site.details.len());
        let share = (hidden * 100.0).round();
        rows.push((
            "hidden",
            format!("{share} % of the values are on no entity page ({pages} looked at)"),
        ));
    }
    if !site.short.is_empty() {
        let missing: u64 = site.short.iter().map(|(_, missing)| missing).sum();
        rows.push((
            "cut off",
            format!(
                "{} queries lack {} entities: their lists end before that",
                number(site.short.len()),
                thousands(missing)
            ),
        ));
    }
    if !site.rejected.is_empty() {
        let names: Vec<String> = site.rejected.iter().map(|name| shorten(name, 20)).collect();
        rows.push(("no attributes", shorten(&names.join(", "), 160)));
    }
    if let Some(end) = &site.end {
        rows.push(("over because", end.clone()));
    }
    printer.line("")?;
    printer.table(&[], &[], rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]))?;
    if !site.attributes.is_empty() {
        printer.line("")?;
        let rows = site.attributes.iter().take(SHOWN).map(|attribute| {
            vec![shorten(&attribute.name, 40), number(attribute.values), number(attribute.pairs)]
        });
        printer.table(&["attribute", "values", "pairs"], &[1, 2], rows)?;
        if site.attributes.len() > SHOWN {
            printer.line(format!("… {} more attributes", site.attributes.len() - SHOWN))?;
        }
    }
    Ok(())
}
