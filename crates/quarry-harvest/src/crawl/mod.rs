//! Crawls a site into a project: decides on a strategy where none is named, goes on where an earlier session ended, and
//! begins another round where the last one is over.

pub mod coverage;
pub mod data;
pub mod decide;
mod detail_gain;
mod driver;
mod known_pages;
mod look_around;
pub mod outcome;
mod presets;
mod query_lines;
mod refusals;
mod render;
mod root_lists;
mod scripted_search;
mod sites;

use std::time::Duration;

use quarry_crawl::{
    Address, Budget, CrawlSettings, Engine, IndexSettings, KeptTime, Politeness, ProbeSettings,
    QuerySettings, Scope, Spent, Stop, StrategyKind,
};
use quarry_model::{
    CrawlStore, Fetcher, Issue, IssueKind, ModelStore, PageStore, PortError, Request, TableStore,
    Timestamp, Used,
};
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;

use crate::HarvestError;
use crate::observer::{Observer, StopSignal, TimeLimit, Work};
use crate::text::thousands;
use detail_gain::DetailGain;
use driver::Terms;
use render::SiteRendering;
pub(crate) use render::path;

pub use coverage::{Coverage, CoverageSource, read_coverage};
pub use data::{DataSource, DetailSource, read_data};
pub use driver::now;
pub use known_pages::KnownPages;
pub use outcome::{CrawlOutcome, read_graphs, read_strategy_report};
pub use query_lines::{QueryLine, query_lines};
pub use refusals::{RefusalCount, RefusalReport, read_refusals};
pub use render::{RenderMode, RenderSettings};
pub use sites::{SiteCrawl, crawl_sites, crawled_pages};

/// How to crawl. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StrategyName {
    /// Look at the site and decide.
    Auto,
    /// By queries: every value that facets show, with few requests.
    Query,
    /// Ask the site's search form for words.
    Probe,
    /// From categories through their index pages to the product pages.
    Index,
    /// Every page, breadth first.
    All,
}

impl StrategyName {
    /// The stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Query => "query",
            Self::Probe => "probe",
            Self::Index => "index",
            Self::All => "all",
        }
    }
}

/// When a crawl begins again from its seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RecrawlPolicy {
    /// It only goes on.
    #[default]
    Never,
    /// If nothing is left to ask.
    IfOver,
    /// If nothing is left to ask and tables were made of it.
    IfHarvested,
}

/// How a job ended, when it could run at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobOutcome {
    /// Everything was done.
    Done,
    /// Everything was done, but some pages failed or the table is not as expected.
    WithFailures,
    /// It was broken off; the same job goes on.
    Interrupted,
}

/// What a crawl is to do.
#[derive(Debug, Clone)]
pub struct CrawlJob {
    /// Where it begins, how far it goes, how politely. Its strategy is replaced by the one that is chosen; its sitemaps and the
    /// probe for missing pages are left out where queries are asked: who asks queries wants neither.
    pub settings: CrawlSettings,
    /// How to crawl. Default: decide by looking.
    pub strategy: StrategyName,
    /// How queries are asked.
    pub query: QuerySettings,
    /// How categories are walked.
    pub index: IndexSettings,
    /// How a search form is probed.
    pub probe: ProbeSettings,
    /// When to begin again.
    pub again: RecrawlPolicy,
    /// Work that a crash may undo, at most. Default 1 s.
    pub commit_every: Duration,
    /// The settings as JSON, kept with the session.
    pub record: String,
    /// Whether the scripts of pages are run. Default: nobody can.
    pub render: RenderSettings,
}

impl CrawlJob {
    /// A job with the program's defaults for a harvest: at most 10,000 pages, 10 GB and a day; every entity's own page is
    /// fetched, and a search form is asked for up to 1,000 further words as long as they lead to new pages.
    #[must_use]
    pub fn new(seeds: Vec<String>) -> Self {
        let day = Duration::from_secs(24 * 3_600);
        let budget = Budget {
            pages: Some(10_000),
            requests: Some(10_000 * REQUESTS_PER_PAGE),
            bytes: Some(10 << 30),
            time: Some(day),
            kept: KeptTime::default(),
        };
        let settings = CrawlSettings {
            scope: Scope { depth: Some(50), ..Scope::default() },
            budget,
            politeness: Politeness { max_in_flight: 16, ..Politeness::default() },
            sitemaps: true,
            user_agent: concat!("quarry/", env!("CARGO_PKG_VERSION")).to_owned(),
            ..CrawlSettings::new(seeds)
        };
        Self {
            settings,
            strategy: StrategyName::Auto,
            query: QuerySettings { every_detail: true, ..QuerySettings::default() },
            index: IndexSettings::default(),
            probe: ProbeSettings { sweep: SWEEP, details: true, ..ProbeSettings::default() },
            again: RecrawlPolicy::IfHarvested,
            commit_every: Duration::from_secs(1),
            record: "{}".to_owned(),
            render: RenderSettings::default(),
        }
    }

    /// Whether the settings can be used: found before anything is written.
    pub fn check(&self) -> Result<(), HarvestError> {
        let plan = Plan::Named(self.strategy);
        let settings = self.engine_settings(&plan, Details::All, Spent::default());
        Engine::new(settings).map(drop).map_err(Into::into)
    }

    fn engine_settings(&self, plan: &Plan, details: Details, spent: Spent) -> CrawlSettings {
        let mut settings = CrawlSettings { spent, ..self.settings.clone() };
        settings.guessed_seeds = matches!(plan, Plan::Guess(_));
        if let Plan::LookAt(keys) | Plan::Guess(keys) = plan {
            let queries: Vec<Request> =
                keys.iter().filter_map(|key| Request::of_query(key)).collect();
            // What is asked with a body needs a seed that is known: the job's own.
            if queries.len() < keys.len() {
                let is_address = |key: &&String| Request::of_query(key).is_none();
                settings.seeds = keys.iter().filter(is_address).cloned().collect();
            }
            settings.queries = queries;
        }
        if !matches!(plan, Plan::Named(StrategyName::All | StrategyName::Auto)) {
            settings.sitemaps &= matches!(plan, Plan::Sitemaps);
            settings.sitemap_pages = false;
            settings.probe_missing = false;
        }
        settings.strategy = self.strategy_kind(plan, details);
        settings
    }

    fn strategy_kind(&self, plan: &Plan, details: Details) -> StrategyKind {
        let every_detail = self.query.every_detail && details == Details::All;
        let own = QuerySettings { every_detail, ..self.query.clone() };
        let query = |roots: &[String], look: bool| {
            StrategyKind::Query(QuerySettings { roots: roots.to_vec(), look, ..own.clone() })
        };
        // Further pages without links to them are no seeds: the roots are named.
        let seeds = || -> Vec<String> {
            let seeds = self.settings.seeds.iter();
            seeds.filter_map(|seed| Some(Address::normalise(seed).ok()?.into_string())).collect()
        };
        match plan {
            Plan::Look(links) => StrategyKind::SeedLinks(*links),
            Plan::LookAt(_) | Plan::Guess(_) | Plan::Sitemaps => StrategyKind::SeedLinks(0),
            Plan::Queries(roots) => StrategyKind::Query(QuerySettings {
                roots: roots.clone(),
                plain_lists: true,
                ..own.clone()
            }),
            Plan::LookForFacets => query(&seeds(), true),
            Plan::Named(StrategyName::Query) => query(&seeds(), false),
            Plan::Named(StrategyName::Auto | StrategyName::All) => StrategyKind::All,
            Plan::Named(StrategyName::Index) => StrategyKind::Index(self.index.clone()),
            Plan::Named(StrategyName::Probe) => StrategyKind::Probe(self.probe.clone()),
        }
    }

    /// When the time budget ends, of which so much is spent.
    #[must_use]
    pub fn end_of_time(&self, spent: Duration) -> Option<Timestamp> {
        self.settings.budget.time.map(|most| now().plus(most.saturating_sub(spent)))
    }

    /// Keeps time for the tables, which are made of as many sites together once all are crawled.
    pub fn keep_time_for_tables(&mut self, sites: usize) {
        let many = u32::try_from(sites).unwrap_or(u32::MAX);
        self.settings.budget.kept =
            KeptTime { page: TABLES_OF_A_PAGE * many, megabyte: TABLES_OF_A_MEGABYTE * many };
    }

    /// Time that is kept for the tables of what a crawl has brought.
    #[must_use]
    pub fn kept_for_tables(&self, used: &Used) -> Duration {
        self.settings.budget.kept.of(used.pages, used.bytes)
    }

    fn is_used_up(&self, used: &Used) -> bool {
        let budget = &self.settings.budget;
        budget.pages.is_some_and(|most| used.pages >= most)
            || budget.requests.is_some_and(|most| used.requests >= most)
            || budget.bytes.is_some_and(|most| used.bytes >= most)
            || budget.crawl_time(used.pages, used.bytes).is_some_and(|most| used.time >= most)
    }
}

/// Requests that a crawl may send for each page of its limit: redirects, robots.txt, sitemaps and repeated attempts count.
pub const REQUESTS_PER_PAGE: u64 = 10;

/// Time for the tables of one page and of each megabyte, about twice what they take on two cores (`bench/pipeline.py`, `docs/algorithms/detail.md`).
const TABLES_OF_A_PAGE: Duration = Duration::from_millis(1);
const TABLES_OF_A_MEGABYTE: Duration = Duration::from_millis(150);

/// How long a crawl whose time is over may take to write down what it has found out: much more than the largest graph of queries took.
const WRAP_UP: Duration = Duration::from_secs(60);

/// Reasons why something could not be had that are shown at the end of a crawl; `quarry report` shows all.
const SHOWN_REFUSALS: usize = 5;

/// Columns that are named as the reason why entities' own pages are fetched.
const NAMED_COLUMNS: usize = 4;

/// Words that a site without lists is asked for beyond those that show what it answers, as long as they lead to something new.
pub const SWEEP: usize = 1_000;

/// Whose own pages a crawl by queries requests, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Details {
    /// A few entities'.
    Some,
    /// Every entity's, if the job wants them.
    All,
}

/// What one crawl does, by the settings or by what was seen.
#[derive(Debug, Clone)]
enum Plan {
    /// A strategy, from the seeds on.
    Named(StrategyName),
    /// Queries, from these lists on.
    Queries(Vec<String>),
    /// A look at so many links of the seeds.
    Look(usize),
    /// A look at these addresses.
    LookAt(Vec<String>),
    /// A look at these addresses, which nothing is known to link to.
    Guess(Vec<String>),
    /// A look at what narrows the lists of the seeds.
    LookForFacets,
    /// The sitemaps, without the pages that they name.
    Sitemaps,
}

/// Everything that a harvest keeps of a site.
pub trait SiteStore: CrawlStore + ModelStore + TableStore {}

impl<S: CrawlStore + ModelStore + TableStore> SiteStore for S {}

/// Crawls until nothing is left to ask, a budget is used up, or it is told to stop.
pub fn crawl<S: SiteStore, F: Fetcher>(
    job: &CrawlJob,
    store: &mut S,
    fetcher: &F,
    stop: &StopSignal,
    observer: &mut dyn Observer,
) -> Result<Stop, HarvestError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|source| HarvestError::Runtime { source })?;
    if let Some(released) = store.recovered() {
        let released = thousands(released);
        observer.line(&format!("going on after a crash: {released} addresses are asked again"));
    }
    let product = job.settings.user_agent.split('/').next().unwrap_or_default();
    let obey_robots = job.settings.politeness.obey_robots;
    let rendering = SiteRendering::new(&job.render, product, obey_robots);
    let time = stop.work_until(now().plus(WRAP_UP), Work::Crawl);
    let mut session = Session { job, store, fetcher, rendering, stop, time, observer, runtime };
    let ended = run_round(&mut session);
    // A name that takes minutes to resolve is not waited for.
    session.runtime.shutdown_background();
    ended
}

/// Crawls one round, or what is left of it.
fn run_round<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
) -> Result<Stop, HarvestError> {
    let job = session.job;
    let pages = session.begin_round()?;
    let spent = session.store.used()?.time;
    if let Some(end) = job.end_of_time(spent) {
        session.time.move_to(end);
    }
    let stop = match job.strategy {
        StrategyName::Auto => decide::run(session)?,
        strategy => session.run(&Plan::Named(strategy))?,
    };
    let stop = coverage::complete(session, stop)?;
    let stop = if stop == Stop::Finished { data::finish(session)? } else { stop };
    session.tell_renderings()?;
    let run = session.store.report()?;
    let refused = refusals::complete(session.store, &run)?;
    refused.lines().take(SHOWN_REFUSALS).for_each(|line| session.observer.line(&line));
    // Queued addresses of hosts that are left alone are tried once more, but not for ever.
    let is_whole = session.store.report()?.queued == 0;
    if stop == Stop::Finished && (is_whole || session.store.used()?.pages == pages) {
        session.store.end_round(is_whole, now())?;
    }
    Ok(stop)
}

/// A job at work.
struct Session<'a, S, F> {
    job: &'a CrawlJob,
    store: &'a mut S,
    fetcher: &'a F,
    rendering: SiteRendering,
    stop: &'a StopSignal,
    /// Until when it may work.
    time: TimeLimit,
    observer: &'a mut dyn Observer,
    runtime: Runtime,
}

impl<S: SiteStore, F: Fetcher> Session<'_, S, F> {
    /// Begins another round if the last one is over, or has used up its budget. Says how many pages the round has so far.
    fn begin_round(&mut self) -> Result<u64, HarvestError> {
        let used = self.store.used()?;
        let round = self.store.round();
        let is_over = round.is_over || self.job.is_used_up(&used);
        let begins = match self.job.again {
            RecrawlPolicy::Never => false,
            RecrawlPolicy::IfOver => is_over,
            RecrawlPolicy::IfHarvested => is_over && round.is_harvested,
        };
        if !begins {
            return Ok(used.pages);
        }
        self.store.begin_round(now())?;
        let number = self.store.round().number;
        self.observer.line(&format!("round {number}: asking again for what may have changed"));
        Ok(0)
    }

    /// Says how much was rendered; pages that needed it and were not are counted as trouble.
    fn tell_renderings(&mut self) -> Result<(), HarvestError> {
        let notes = self.rendering.notes();
        if notes.rendered > 0 {
            let rendered = thousands(notes.rendered);
            let saved = match notes.saved {
                0 => String::new(),
                saved => format!("; asking for their data saved {}", thousands(saved)),
            };
            self.observer
                .line(&format!("scripts were run for {rendered} pages and states of pages{saved}"));
        }
        let unfilled = self.rendering.count_unfilled();
        self.rendering.take_lines().iter().for_each(|line| self.observer.line(line));
        if unfilled > 0 {
            let (kind, url) = (IssueKind::NotRendered, self.job.settings.seeds[0].clone());
            let detail = format!("{unfilled} pages need scripts and were read without");
            self.store.note_issue(&Issue { kind, url, detail }, now())?;
        }
        Ok(())
    }

    /// Crawls by this plan, and keeps what the strategy found out.
    ///
    /// Where every entity's own page is wanted, some are looked at first: the others are requested if
    /// those say something that lists do not.
    fn run(&mut self, plan: &Plan) -> Result<Stop, HarvestError> {
        let by_queries = matches!(plan, Plan::Queries(_) | Plan::Named(StrategyName::Query));
        if !by_queries || !self.job.query.every_detail {
            return self.run_with(plan, Details::All);
        }
        let stop = self.run_with(plan, Details::Some)?;
        if stop != Stop::Finished {
            return Ok(stop);
        }
        let detail_gain = detail_gain::measure_detail_gain(self.store)?;
        detail_gain::keep_sampled(self.store, detail_gain == DetailGain::Nothing)?;
        match detail_gain {
            DetailGain::Nothing => {
                self.observer.line(
                    "the detail pages that were sampled add nothing that lists lack: the others are not fetched",
                );
                return Ok(stop);
            }
            DetailGain::New(columns) => {
                let columns =
                    columns.into_iter().take(NAMED_COLUMNS).collect::<Vec<_>>().join(", ");
                self.observer
                    .line(&format!("the entities' own pages add {columns}; requesting all"));
            }
            DetailGain::Unknown => {}
        }
        self.run_with(plan, Details::All)
    }

    fn run_with(&mut self, plan: &Plan, details: Details) -> Result<Stop, HarvestError> {
        let (stop, engine) = self.fetch(plan, details)?;
        // Half a round knows less than the one before.
        if self.store.round().number == 1 || stop == Stop::Finished {
            outcome::keep(self.store, &engine)?;
            PageStore::commit(self.store).map_err(PortError::new)?;
        }
        Ok(stop)
    }

    /// Crawls by this plan for the sake of the pages.
    fn fetch(&mut self, plan: &Plan, details: Details) -> Result<(Stop, Engine), HarvestError> {
        let Self { job, store, fetcher, rendering, stop, time: limit, observer, runtime } = self;
        let Used { pages, requests, bytes, time } = store.used()?;
        let spent = Spent { pages, requests, bytes, time };
        let mut engine = Engine::new(job.engine_settings(plan, details, spent))?;
        store.begin_run(&job.record, now())?;
        engine.start(*store, now()).map_err(PortError::new)?;
        // What another strategy has fetched is shown to this one.
        let only_fetches = matches!(plan, Plan::LookAt(_) | Plan::Guess(_) | Plan::Sitemaps);
        if !only_fetches && (engine.remembers() || store.read_model(outcome::FILE)?.is_some()) {
            driver::recall(&mut engine, *store, stop)?;
        }
        let terms = Terms {
            commit_every: job.commit_every,
            limit: job.settings.budget.pages.unwrap_or(u64::MAX),
        };
        let drive =
            driver::drive(&mut engine, *store, (*fetcher, rendering), terms, stop, *observer);
        let ended = match runtime.block_on(drive)? {
            // Told to stop before it knew what there is to ask: it has not come to an end.
            Stop::Finished if stop.is_stopped() => Stop::Interrupted,
            ended => ended,
        };
        if ended != Stop::Finished {
            // It has ended in time; what it knows is written down.
            limit.move_to(now().plus(WRAP_UP));
        }
        refusals::keep(*store, &engine)?;
        store.end_run(now())?;
        Ok((ended, engine))
    }
}
