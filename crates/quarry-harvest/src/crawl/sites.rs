//! Crawls several sites side by side, each as politely as alone.

use quarry_crawl::{BudgetKind, Stop};
use quarry_model::Fetcher;

use super::{CrawlJob, CrawlOutcome, SiteStore, crawl};
use crate::HarvestError;
use crate::observer::{Observer, StopSignal};
use crate::pages::PageInputs;

/// A site to crawl, and what it needs.
pub struct SiteCrawl<S, F> {
    /// What it is called where several are crawled.
    pub name: String,
    /// What is to be done.
    pub job: CrawlJob,
    /// Where the crawl is kept.
    pub store: S,
    /// Who answers its requests.
    pub fetcher: F,
}

impl<S: SiteStore, F: Fetcher> SiteCrawl<S, F> {
    /// Crawls it.
    pub fn run(
        &mut self,
        stop: &StopSignal,
        observer: &mut dyn Observer,
    ) -> Result<CrawlOutcome, HarvestError> {
        let stop = crawl(&self.job, &mut self.store, &self.fetcher, stop, observer)?;
        CrawlOutcome::of(&self.store, stop)
    }
}

/// Sites that are crawled at the same time.
const SIDE_BY_SIDE: usize = 32;

/// Crawls several sites at the same time. The outcomes come in the order of the sites.
pub fn crawl_sites<S: SiteStore + Send, F: Fetcher>(
    sites: &mut [SiteCrawl<S, F>],
    stop: &StopSignal,
    observer: &mut dyn Observer,
) -> Result<Vec<CrawlOutcome>, HarvestError> {
    if let [site] = sites {
        return Ok(vec![site.run(stop, observer)?]);
    }
    let mut outcomes = Vec::new();
    for group in sites.chunks_mut(SIDE_BY_SIDE) {
        outcomes.extend(crawl_group(group, stop, observer)?);
    }
    Ok(outcomes)
}

/// The pages that crawls have brought, each opened by its place among them. A site without any is named with what it refused;
/// without any page at all that is the error, unless the crawl was interrupted.
pub fn crawled_pages<E: From<HarvestError>>(
    crawls: &[CrawlOutcome],
    observer: &dyn Observer,
    open: impl Fn(usize) -> Result<PageInputs, E>,
) -> Result<Vec<PageInputs>, E> {
    let (mut pages, mut reasons) = (Vec::new(), Vec::new());
    for (at, crawl) in crawls.iter().enumerate() {
        match (open(at), crawl.refusals.lines().collect::<Vec<String>>()) {
            (Ok(found), _) => pages.push(found),
            (Err(_), _) if crawl.stop == Stop::Interrupted => {
                observer.line("interrupted before the first page came; the same command goes on");
            }
            (Err(_), _) if crawl.stop == Stop::Budget(BudgetKind::Time) => {
                reasons
                    .push("--max-time was over before the first one was read; give it more".into());
            }
            // What is wrong with the store is for the user to see.
            (Err(error), refused) if refused.is_empty() => return Err(error),
            (Err(_), refused) => reasons.push(refused.join("; ")),
        }
    }
    if pages.is_empty() && !reasons.is_empty() {
        return Err(HarvestError::NoPages { reason: reasons.join("; ") }.into());
    }
    reasons.iter().for_each(|reason| observer.line(&format!("no page could be fetched: {reason}")));
    Ok(pages)
}

fn crawl_group<S: SiteStore + Send, F: Fetcher>(
    sites: &mut [SiteCrawl<S, F>],
    stop: &StopSignal,
    observer: &mut dyn Observer,
) -> Result<Vec<CrawlOutcome>, HarvestError> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = sites
            .iter_mut()
            .map(|site| {
                let mut own = observer.beside(&site.name);
                scope.spawn(move || {
                    let outcome = site.run(stop, &mut *own);
                    own.finish();
                    outcome
                })
            })
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<CrawlOutcome, _>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    })
}
