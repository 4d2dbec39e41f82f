//! What is worth asking next? A strategy looks at pages and proposes requests.
//!
//! 1. Whoever reads a page, on whatever thread, takes the strategy's [`Sight`] of it.
//! 2. The engine shows pages to the strategy one by one: it remembers, and proposes.
//! 3. When nothing is left to ask, the strategy may propose more.
//!
//! A strategy's memory is what it has seen. After a restart the archived pages are shown to it
//! again, in their order, and it knows what it knew.

mod all;
mod index;
mod look;
mod place;
mod probe;
mod progress;
mod query;

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
pub use index::{CollectionAccount, EntryAccount, IndexAccount, IndexSettings};
pub(crate) use look::Look;
pub(crate) use probe::Probe;
pub use probe::{ProbeAccount, ProbeSettings};
pub use progress::{IndexProgress, ProbeProgress, QueryProgress, StrategyProgress};
pub(crate) use query::QueryCrawl;
pub use query::{AttributeAccount, QueryAccount, QuerySettings, Saved};

/// The strategies to choose from.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum StrategyKind {
    /// Every link of every page, breadth first: the baseline.
    #[default]
    All,
    /// So many links of the seeds, and no further: to see what kind of site it is.
    Look(usize),
    /// Asks the site's search form for words and keeps the answers.
    Probe(ProbeSettings),
    /// Asks for the queries that determine every value which the site shows through its facets.
    Query(QuerySettings),
    /// Walks from category entry pages through index pages to the pages about one thing each.
    Index(IndexSettings),
}

/// What came of a strategy, in its own terms.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Account {
    /// Nothing but pages.
    #[default]
    All,
    /// For each host what its search form was asked.
    Probe(Vec<ProbeAccount>),
    /// For each seed what its queries gave.
    Query(Vec<QueryAccount>),
    /// For each host what its indexes led to.
    Index(Vec<IndexAccount>),
}

/// A strategy at work.
#[derive(Debug)]
pub(crate) enum Strategy {
    All(All),
    Look(Look),
    Probe(Probe),
    Query(QueryCrawl),
    Index(IndexCrawl),
}

/// What a strategy wants to know of a page beside its links.
#[derive(Debug, Default)]
pub(crate) enum Sight {
    #[default]
    Nothing,
    Probe(Box<probe::Sight>),
    Query(Arc<query::Sight>),
    Index(Arc<index::Sight>),
}

/// A page that was just read.
pub(crate) struct Looked<'a> {
    pub(crate) document: &'a Document,
    pub(crate) address: &'a Address,
    /// Length in bytes.
    pub(crate) size: usize,
    /// Whether an address may be asked.
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
    /// What else was seen on it.
    pub(crate) sight: &'a Sight,
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
    /// Takes in what the strategy wants to know of a page.
    pub(crate) fn look(&self, page: &Looked<'_>) -> Sight {
        match self {
            Self::All | Self::Look(_) => Sight::Nothing,
            Self::Probe(_) => Sight::Probe(Box::new(probe::Sight::of(page))),
            Self::Query(_) => Sight::Query(Arc::new(query::Sight::of(page))),
            Self::Index(_) => Sight::Index(Arc::new(index::Sight::of(page))),
        }
    }

    /// Whether a page with an error status says something, too.
    pub(crate) fn looks_at_errors(&self) -> bool {
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
            StrategyKind::Look(most) => Self::Look(Look::new(*most)),
            StrategyKind::Probe(settings) => Self::Probe(Probe::new(settings.clone())),
            StrategyKind::Query(settings) => Self::Query(QueryCrawl::new(settings.clone())),
            StrategyKind::Index(settings) => Self::Index(IndexCrawl::new(settings.clone())),
        }
    }

    /// Looks at a page and proposes, in order.
    pub(crate) fn observe<'a>(
        &mut self,
        page: &PageView<'a>,
        propose: &mut dyn FnMut(Proposal<'a>),
    ) {
        match self {
            Self::All(all) => all.observe(page, propose),
            Self::Look(look) => look.observe(page, propose),
            Self::Probe(probe) => probe.observe(page),
            Self::Query(query) => query.observe(page, &mut |proposal| propose(proposal)),
            Self::Index(index) => index.observe(page, &mut |proposal| propose(proposal)),
        }
    }

    /// Proposes what else is worth asking, now that nothing is left. The engine calls again until
    /// a proposal is new or there is none.
    pub(crate) fn idle(&mut self, propose: &mut dyn FnMut(Proposal<'static>)) {
        match self {
            Self::All(_) | Self::Look(_) => {}
            Self::Probe(probe) => probe.idle(propose),
            Self::Query(query) => query.idle(propose),
            Self::Index(index) => index.idle(propose),
        }
    }

    /// What came of it.
    pub(crate) fn account(&self) -> Account {
        match self {
            Self::All(_) | Self::Look(_) => Account::All,
            Self::Probe(probe) => Account::Probe(probe.account()),
            Self::Query(query) => Account::Query(query.account()),
            Self::Index(index) => Account::Index(index.account()),
        }
    }

    /// How far it is.
    pub(crate) fn progress(&self) -> StrategyProgress {
        match self {
            Self::All(_) | Self::Look(_) => StrategyProgress::All,
            Self::Probe(probe) => StrategyProgress::Probe(probe.progress()),
            Self::Query(query) => StrategyProgress::Query(query.progress()),
            Self::Index(index) => StrategyProgress::Index(index.progress()),
        }
    }

    /// The query graphs, one for each seed.
    pub(crate) fn graphs(&self) -> Vec<&QueryGraph> {
        match self {
            Self::All(_) | Self::Look(_) | Self::Probe(_) | Self::Index(_) => Vec::new(),
            Self::Query(query) => query.graphs().collect(),
        }
    }
}
