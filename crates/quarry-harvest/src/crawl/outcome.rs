//! Keeps what came of a crawl's strategy in the project: its report, its query graphs, and the tables of facet values and queries.

use std::collections::BTreeMap;

use quarry_crawl::query::{QueryGraph, QueryNode, hidden_share};
use quarry_crawl::{Address, Engine, Stop, StrategyReport};
use quarry_dom::{Document, Limits, NodeId};
use quarry_model::{
    IssueKind, ModelStore, PortError, QueryRow, RunReport, TableReader, ValueRow, ValueSource,
};

use super::coverage::{self, Coverage};
use super::decide::{self, StrategyChoice};
use super::{
    DataSource, JobOutcome, RefusalReport, SiteStore, StrategyName, detail_gain, read_data,
    read_refusals,
};
use crate::HarvestError;

/// The file in the project's `models`.
pub(super) const FILE: &str = "strategy.json";

/// Where version 0.1 kept the query graphs, beside it.
const GRAPHS: &str = "queries.json";

/// What came of a crawl, as its project tells.
#[derive(Debug, Clone)]
pub struct CrawlOutcome {
    /// Why it ended.
    pub stop: Stop,
    /// Its counts.
    pub run: RunReport,
    /// What the strategy found out.
    pub report: StrategyReport,
    /// The strategy that was decided on, if nobody named one.
    pub choice: Option<StrategyChoice>,
    /// The query graphs, one for each seed, if it was a crawl by queries.
    pub graphs: Vec<QueryGraph>,
    /// What the site names, and how much of it was reached.
    pub coverage: Coverage,
    /// What could not be had.
    pub refusals: RefusalReport,
    /// Only some entities' own pages were fetched: these add nothing to what lists say.
    pub details_are_sampled: bool,
    /// The data behind its pages.
    pub data: Vec<DataSource>,
}

impl CrawlOutcome {
    /// The crawl that a project has kept, as far as it came; it ended for this reason.
    pub fn of<S: SiteStore>(store: &S, stop: Stop) -> Result<Self, HarvestError> {
        Ok(Self {
            stop,
            run: store.report()?,
            report: read_strategy_report(store)?,
            choice: decide::read(store)?,
            graphs: read_graphs(store)?,
            coverage: coverage::read_coverage(store)?,
            refusals: read_refusals(store)?,
            details_are_sampled: detail_gain::is_sampled(store)?,
            data: read_data(store)?,
        })
    }

    /// The query graphs, each with the entities that its lists link to and do not show.
    pub(crate) fn graphs_with_unlisted(&self) -> impl Iterator<Item = (&QueryGraph, &[String])> {
        let reports = match &self.report {
            StrategyReport::Query(reports) => reports.as_slice(),
            _ => &[],
        };
        self.graphs.iter().enumerate().map(|(at, graph)| {
            (graph, reports.get(at).map_or(&[][..], |report| &report.unlisted[..]))
        })
    }

    /// Whether queries were what the site was crawled by in the end.
    #[must_use]
    pub fn is_by_queries(&self) -> bool {
        matches!(self.report, StrategyReport::Query(_))
            && self.choice.as_ref().is_none_or(|choice| choice.strategy == StrategyName::Query)
    }

    /// Whether most pages say that their links are not to be followed: what they lead to is missing.
    fn is_left_alone(&self) -> bool {
        let nofollow = self.refusals.counts.iter().filter(|count| count.reason == "nofollow");
        let nofollow: u64 = nofollow.map(|count| count.count).sum();
        nofollow > 0 && 2 * nofollow >= self.run.pages
    }

    /// How the crawl ended.
    #[must_use]
    pub fn ending(&self) -> JobOutcome {
        let is_short = self.coverage.lines().next().is_some() || self.is_left_alone();
        let own = if is_short { JobOutcome::WithFailures } else { JobOutcome::Done };
        ending(self.stop, &self.run).max(own)
    }
}

/// How a crawl ended that stopped for this reason.
#[must_use]
pub fn ending(stop: Stop, counts: &RunReport) -> JobOutcome {
    match stop {
        Stop::Interrupted => JobOutcome::Interrupted,
        Stop::Finished | Stop::Budget(_) if counts.failed > 0 => JobOutcome::WithFailures,
        // Only a host that is left alone keeps addresses from being asked.
        Stop::Finished if counts.queued > 0 => JobOutcome::WithFailures,
        Stop::Finished | Stop::Budget(_)
            if counts.issues.contains_key(IssueKind::NotRendered.as_str()) =>
        {
            JobOutcome::WithFailures
        }
        Stop::Finished | Stop::Budget(_) => JobOutcome::Done,
    }
}

/// Keeps in the project what the strategy found out.
pub(super) fn keep<S: SiteStore>(store: &mut S, engine: &Engine) -> Result<(), HarvestError> {
    let mut report = engine.report();
    if report == StrategyReport::All {
        return Ok(());
    }
    if let StrategyReport::Query(sites) = &mut report {
        for (site, graph) in sites.iter_mut().zip(engine.query_graphs()) {
            site.hidden = hidden_share(graph, &texts(store, &site.details)?);
        }
    }
    let text = serde_json::to_string_pretty(&report)
        .map_err(HarvestError::print("the report of the strategy"))?;
    store.write_model(FILE, &text)?;
    let graphs = engine.query_graphs();
    if graphs.is_empty() {
        return Ok(());
    }
    let texts = graphs.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
    store.replace_query_graphs(&texts.map_err(HarvestError::print("the query graph"))?)?;
    store.remove_model(GRAPHS)?;
    let mut rows = graphs.iter().flat_map(|graph| values(graph));
    store.replace_values(ValueSource::Facet, &mut rows)?;
    let mut rows = graphs.iter().flat_map(|graph| queries(graph));
    Ok(store.replace_queries(&mut rows)?)
}

/// The texts of archived pages, by address.
fn texts<S: SiteStore>(
    store: &S,
    addresses: &[String],
) -> Result<BTreeMap<String, String>, HarvestError> {
    let mut texts = BTreeMap::new();
    for address in addresses {
        let Some(row) = store.find(address).map_err(PortError::new)? else { continue };
        let response = store.read(&row).map_err(PortError::new)?.response;
        let content_type = response.headers.get("content-type");
        let document = Document::parse(response.content(), content_type, &Limits::default());
        texts.insert(address.clone(), document.folded_text(NodeId::ROOT).into_owned());
    }
    Ok(texts)
}

/// Rows of the table of values.
pub(crate) fn values(graph: &QueryGraph) -> impl Iterator<Item = ValueRow> {
    let site = site_of(graph);
    graph.values().map(move |row| ValueRow {
        site: site.clone(),
        entity: row.entity.to_owned(),
        entity_kind: String::new(),
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
            parents.map(|parent| graph.name(&graph[parent])).collect();
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
    let counted = graph.queries.iter().filter(|query| query.is_answered());
    let mut rows: Vec<QueryRow> = counted.map(row).collect();
    let order = |row: &QueryRow| (row.query.len(), row.query.clone(), row.url.clone());
    rows.sort_by_cached_key(order);
    rows
}

/// The site whose queries these are.
pub(crate) fn site_of(graph: &QueryGraph) -> String {
    let root = graph.queries.first().map_or("", |query| query.request.as_str());
    let url = root.split(' ').find(|part| part.contains("://")).unwrap_or(root);
    Address::normalise(url).map_or_else(|_| url.to_owned(), |address| address.host().to_owned())
}

/// What the strategy of the last crawl found out.
pub fn read_strategy_report(store: &dyn ModelStore) -> Result<StrategyReport, HarvestError> {
    let Some(text) = store.read_model(FILE)? else { return Ok(StrategyReport::All) };
    serde_json::from_str(&text).map_err(|source| damaged(store, FILE, source))
}

/// The query graphs of the last crawl by queries, one for each seed; none if there was no such crawl.
pub fn read_graphs<S: ModelStore + TableReader + ?Sized>(
    store: &S,
) -> Result<Vec<QueryGraph>, HarvestError> {
    let kept = store.query_graphs()?;
    let graphs: Result<Vec<QueryGraph>, serde_json::Error> = match store.read_model(GRAPHS)? {
        Some(old) if kept.is_empty() => serde_json::from_str(&old),
        _ => kept.iter().map(|text| serde_json::from_str(text)).collect(),
    };
    let remedy = "remove it, the next crawl writes it anew";
    let place = store.model_place(GRAPHS);
    let graphs = graphs.map_err(|source| HarvestError::Damaged { place, remedy, source })?;
    Ok(graphs.into_iter().map(QueryGraph::indexed).collect())
}

fn damaged(store: &dyn ModelStore, file: &str, source: serde_json::Error) -> HarvestError {
    let remedy = "remove it, the next crawl writes it anew";
    HarvestError::Damaged { place: store.model_place(file), remedy, source }
}
