//! Strategies decide what to request next: they read pages and propose requests.
//!
//! 1. The reader of a page, on any thread, collects the strategy's [`PageFacts`].
//! 2. The engine shows pages to the strategy one by one; the strategy records them and proposes
//!    requests.
//! 3. When nothing is left to request, the strategy may propose more.
//!
//! A strategy keeps its state in memory only. After a restart the archived pages are shown to it
//! again, in their order, which restores the state.

mod all;
mod index;
mod path_key;
mod probe;
mod progress;
mod query;
mod seed_links;
mod text_sketch;

use std::borrow::Cow;
use std::sync::Arc;

use quarry_dom::Document;
use quarry_model::{Request, SkipReason};
use serde::{Deserialize, Serialize};

use crate::Address;
use crate::query::QueryGraph;
use crate::reader::FoundLink;

pub(crate) use all::All;
pub(crate) use index::IndexCrawl;
pub use index::{CollectionReport, EntryReport, IndexReport, IndexSettings};
pub(crate) use probe::Probe;
pub use probe::{ProbeReport, ProbeSettings};
pub use progress::{IndexProgress, ProbeProgress, QueryProgress, StrategyProgress};
pub(crate) use query::QueryCrawl;
pub use query::{
    AttributeReport, QueryReport, QuerySettings, SavedRequests, guessed_next_page,
    preset_parameters, values_of,
};
pub(crate) use seed_links::SeedLinks;

/// The strategies to choose from.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum StrategyKind {
    /// Every link of every page, breadth first: the baseline.
    #[default]
    All,
    /// This many links of the seeds, and no further: to see what kind of site it is.
    SeedLinks(usize),
    /// Sends words to the site's search form and keeps the results pages.
    Probe(ProbeSettings),
    /// Requests the queries that determine every value which the site shows through its facets.
    Query(QuerySettings),
    /// Walks from category entry pages through index pages to the pages about one thing each.
    Index(IndexSettings),
}

/// The report of a strategy.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StrategyReport {
    /// Nothing beside the counts of pages.
    #[default]
    All,
    /// One for each host.
    Probe(Vec<ProbeReport>),
    /// One for each seed.
    Query(Vec<QueryReport>),
    /// One for each host.
    Index(Vec<IndexReport>),
}

/// A strategy at work.
#[derive(Debug)]
pub(crate) enum Strategy {
    All(All),
    SeedLinks(SeedLinks),
    Probe(Probe),
    Query(QueryCrawl),
    Index(IndexCrawl),
}

/// What a strategy reads from a page beside its links.
#[derive(Debug, Default)]
pub(crate) enum PageFacts {
    #[default]
    Nothing,
    Probe(Box<probe::ProbeFacts>),
    Query(Arc<query::QueryFacts>),
    Index(Arc<index::IndexFacts>),
}

/// A page that was just parsed.
pub(crate) struct ParsedPage<'a> {
    pub(crate) document: &'a Document,
    pub(crate) address: &'a Address,
    /// Length in bytes.
    pub(crate) size: usize,
    /// Whether an address may be requested.
    pub(crate) judge: &'a dyn Fn(&Address) -> Result<(), SkipReason>,
}

/// What a strategy is shown of a page.
#[derive(Debug)]
pub(crate) struct PageView<'a> {
    /// What was asked; redirects may have led elsewhere.
    pub(crate) request: &'a Request,
    /// Where the page is.
    pub(crate) address: &'a Address,
    /// Links from a seed.
    pub(crate) depth: u32,
    /// Its links: normalised, each address once, within scope and rules.
    pub(crate) links: &'a [FoundLink],
    /// What the strategy's own reader found on it.
    pub(crate) facts: &'a PageFacts,
}

/// A request that a strategy wants to be sent.
#[derive(Debug, Clone)]
pub(crate) struct Proposal<'a> {
    /// Where to.
    pub(crate) address: Cow<'a, Address>,
    /// The body of a POST.
    pub(crate) body: Option<String>,
    /// Links from a seed.
    pub(crate) depth: u32,
    /// Lower is asked first.
    pub(crate) priority: i32,
    /// Nothing is known to link there: it may be refused or missing.
    pub(crate) is_guess: bool,
}

impl Proposal<'_> {
    /// As it is sent.
    pub(crate) fn request(&self) -> Request {
        match &self.body {
            Some(body) => Request::post(self.address.as_str(), body),
            None => Request::get(self.address.as_str()),
        }
    }
}

impl StrategyKind {
    /// Reads from a page what the strategy needs.
    pub(crate) fn read_facts(&self, page: &ParsedPage<'_>) -> PageFacts {
        match self {
            Self::All | Self::SeedLinks(_) => PageFacts::Nothing,
            Self::Probe(_) => PageFacts::Probe(Box::new(probe::ProbeFacts::of(page))),
            Self::Query(_) => PageFacts::Query(Arc::new(query::QueryFacts::of(page))),
            Self::Index(_) => PageFacts::Index(Arc::new(index::IndexFacts::of(page))),
        }
    }

    /// Whether pages with an error status are read, too.
    pub(crate) fn reads_error_pages(&self) -> bool {
        matches!(self, Self::Probe(_))
    }

    /// Whether the strategy remembers pages, so that it must be shown them again after a restart.
    pub(crate) fn remembers(&self) -> bool {
        matches!(self, Self::Probe(_) | Self::Query(_) | Self::Index(_))
    }
}

impl Strategy {
    /// The strategy at its start.
    pub(crate) fn new(kind: &StrategyKind) -> Self {
        match kind {
            StrategyKind::All => Self::All(All),
            StrategyKind::SeedLinks(most) => Self::SeedLinks(SeedLinks::new(*most)),
            StrategyKind::Probe(settings) => Self::Probe(Probe::new(settings.clone())),
            StrategyKind::Query(settings) => Self::Query(QueryCrawl::new(settings.clone())),
            StrategyKind::Index(settings) => Self::Index(IndexCrawl::new(settings.clone())),
        }
    }

    /// Records a page and proposes requests, in order.
    pub(crate) fn observe<'a>(
        &mut self,
        page: &PageView<'a>,
        propose: &mut dyn FnMut(Proposal<'a>),
    ) {
        match self {
            Self::All(all) => all.observe(page, propose),
            Self::SeedLinks(links) => links.observe(page, propose),
            Self::Probe(probe) => probe.observe(page),
            Self::Query(query) => query.observe(page, &mut |proposal| propose(proposal)),
            Self::Index(index) => index.observe(page, &mut |proposal| propose(proposal)),
        }
    }

    /// Proposes further requests, now that nothing is left. The engine calls again until a proposal is
    /// new or there is none.
    pub(crate) fn idle(&mut self, propose: &mut dyn FnMut(Proposal<'static>)) {
        match self {
            Self::All(_) | Self::SeedLinks(_) => {}
            Self::Probe(probe) => probe.idle(propose),
            Self::Query(query) => query.idle(propose),
            Self::Index(index) => index.idle(propose),
        }
    }

    /// Its report.
    pub(crate) fn report(&self) -> StrategyReport {
        match self {
            Self::All(_) | Self::SeedLinks(_) => StrategyReport::All,
            Self::Probe(probe) => StrategyReport::Probe(probe.report()),
            Self::Query(query) => StrategyReport::Query(query.report()),
            Self::Index(index) => StrategyReport::Index(index.report()),
        }
    }

    /// Its progress.
    pub(crate) fn progress(&self) -> StrategyProgress {
        match self {
            Self::All(_) | Self::SeedLinks(_) => StrategyProgress::All,
            Self::Probe(probe) => StrategyProgress::Probe(probe.progress()),
            Self::Query(query) => StrategyProgress::Query(query.progress()),
            Self::Index(index) => StrategyProgress::Index(index.progress()),
        }
    }

    /// The query graphs, one for each seed.
    pub(crate) fn graphs(&self) -> Vec<&QueryGraph> {
        match self {
            Self::All(_) | Self::SeedLinks(_) | Self::Probe(_) | Self::Index(_) => Vec::new(),
            Self::Query(query) => query.graphs().collect(),
        }
    }
}
