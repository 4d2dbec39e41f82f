//! Tells whether a crawl by queries is complete: compares the entities that were reached with what the site itself names, its
//! sitemaps and the total that its list claims. Entities that only a sitemap names are fetched, and those that list pages link to
//! outside of their lists.

use std::collections::{BTreeSet, VecDeque};

use quarry_crawl::query::QueryGraph;
use quarry_crawl::robots::Rules;
use quarry_crawl::{Address, Stop, StrategyReport, sitemap};
use quarry_extract::links::UrlShape;
use quarry_model::{Fetcher, ModelStore, PortError};
use serde::{Deserialize, Serialize};
use url::Url;

use super::{Plan, Session, SiteStore, StrategyName, decide, outcome};
use crate::HarvestError;
use crate::text::thousands;

/// The file in the project's `models`.
const FILE: &str = "coverage.json";
/// Sitemaps that are read of a site: an index names at most 50,000, of which few lists need more.
const MAX_SITEMAPS: usize = 500;
/// Share of what a witness names that may be missing: sites count from caches, and change.
const TOLERANCE: f64 = 0.02;
/// Entities that may be missing of any number: one may have come and one gone meanwhile.
const IN_FLUX: f64 = 2.0;
/// Share of the known entities that a sitemap must name to be a list of this kind of entity.
const SAME_KIND: f64 = 0.5;

/// Someone who says how many entities there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageSource {
    /// Who.
    pub name: String,
    /// How many it names.
    pub named: u64,
    /// How many of these were reached.
    pub reached: u64,
}

impl CoverageSource {
    /// How many entities are missing; `None` where that may be chance.
    #[must_use]
    pub fn missing(&self) -> Option<u64> {
        let missing = self.named.saturating_sub(self.reached);
        let tolerated = (self.named as f64 * TOLERANCE).max(IN_FLUX);
        (missing as f64 > tolerated).then_some(missing)
    }

    /// What is missing, in a line.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        let missing = thousands(self.missing()?);
        let (name, named) = (&self.name, thousands(self.named));
        Some(format!("{missing} of {named} entities are missing: {name}"))
    }
}

/// What all witnesses say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// Those who name entities.
    pub witnesses: Vec<CoverageSource>,
}

impl Coverage {
    /// What is missing, by witness.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.witnesses.iter().filter_map(CoverageSource::line)
    }
}

/// What the last crawl has found out.
pub fn read_coverage(store: &dyn ModelStore) -> Result<Coverage, HarvestError> {
    let Some(text) = store.read_model(FILE)? else { return Ok(Coverage::default()) };
    serde_json::from_str(&text).map_err(|source| HarvestError::Damaged {
        place: store.model_place(FILE),
        remedy: "remove it, the next crawl writes it anew",
        source,
    })
}

/// Fetches entities that only sitemaps name, and keeps what the witnesses say.
pub(super) fn complete<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
    stop: Stop,
) -> Result<Stop, HarvestError> {
    let by_queries = match session.job.strategy {
        StrategyName::Query => true,
        StrategyName::Auto => decide::read(session.store)?
            .is_some_and(|choice| choice.strategy == StrategyName::Query),
        StrategyName::Probe | StrategyName::Index | StrategyName::All => false,
    };
    if !by_queries {
        return Ok(stop);
    }
    let StrategyReport::Query(reports) = outcome::read_strategy_report(session.store)? else {
        return Ok(stop);
    };
    let graphs = outcome::read_graphs(session.store)?;
    let mut stop = stop;
    let mut coverage = Coverage::default();
    for (graph, report) in graphs.iter().zip(&reports) {
        coverage.witnesses.extend(report.total.map(|total| CoverageSource {
            name: format!("the total that {} claims", report.root),
            named: total,
            reached: report.entities.max(reached_elsewhere(graph, &graphs)) as u64,
        }));
        // Where every page was fresh the sitemap is as good as it was.
        let is_fresh = session.store.used()?.requests == 0;
        let may_ask = session.job.settings.sitemaps && !is_fresh;
        if stop == Stop::Finished && !is_fresh && session.job.query.every_detail {
            stop = fetch_unlisted(session, &report.unlisted)?;
        }
        if stop != Stop::Finished || !may_ask || report.entities == 0 {
            continue;
        }
        let ended = session.run(&Plan::Sitemaps)?;
        let listed = listed_entities(session, graph)?;
        if ended != Stop::Finished || listed.is_empty() {
            stop = ended;
            continue;
        }
        let unknown: Vec<&String> =
            listed.iter().filter(|address| !knows(graph, address)).collect();
        if !unknown.is_empty() && session.job.query.every_detail {
            let found = format!(
                "the sitemap names {} entities that no list has shown; requesting them",
                thousands(unknown.len() as u64)
            );
            session.observer.line(&found);
            let unknown = unknown.iter().map(|&url| url.clone()).collect();
            stop = session.run(&Plan::LookAt(session.job.settings.allowed(unknown)?))?;
        }
        let mut reached = listed.len() - unknown.len();
        for address in &unknown {
            let is_there = session.store.archived_answer(address)?.is_some();
            reached += usize::from(is_there);
        }
        let (name, named) = ("named by the sitemap".to_owned(), listed.len() as u64);
        coverage.witnesses.push(CoverageSource { name, named, reached: reached as u64 });
    }
    let text =
        serde_json::to_string_pretty(&coverage).map_err(HarvestError::print("the coverage"))?;
    session.store.write_model(FILE, &text)?;
    Ok(stop)
}

/// Fetches entities that list pages link to outside of their lists, as far as nobody has.
fn fetch_unlisted<S: SiteStore, F: Fetcher>(
    session: &mut Session<'_, S, F>,
    unlisted: &[String],
) -> Result<Stop, HarvestError> {
    let mut unknown = Vec::new();
    for address in &session.job.settings.allowed(unlisted.to_vec())? {
        if session.store.archived_answer(address)?.is_none() {
            unknown.push(address.clone());
        }
    }
    if unknown.is_empty() {
        return Ok(Stop::Finished);
    }
    let found = format!(
        "{} more entities are linked to beside the lists; requesting them",
        thousands(unknown.len() as u64)
    );
    session.observer.line(&found);
    session.run(&Plan::LookAt(unknown))
}

/// How many entities another list reached that has nearly all of this one's: it is the same list, less narrowed.
fn reached_elsewhere(graph: &QueryGraph, all: &[QueryGraph]) -> usize {
    let own = graph.entities();
    let includes = |other: &&QueryGraph| {
        let shared = own.iter().filter(|address| knows(other, address)).count();
        shared > 0 && shared as f64 >= (1.0 - TOLERANCE) * own.len() as f64
    };
    let including = all.iter().filter(|other| other.entities().len() > own.len()).filter(includes);
    including.map(|other| other.entities().len()).max().unwrap_or(0)
}

fn knows(graph: &QueryGraph, address: &str) -> bool {
    graph.find_entity(&graph.identity.canonical(address)).is_some()
}

/// Addresses of the graph's kind of entities that the site's sitemaps name, as far as they were archived.
fn listed_entities<S: SiteStore, F: Fetcher>(
    session: &Session<'_, S, F>,
    graph: &QueryGraph,
) -> Result<BTreeSet<String>, HarvestError> {
    let urls: Vec<Url> =
        graph.entities().iter().filter_map(|address| Url::parse(address).ok()).collect();
    let Some(shape) = UrlShape::of(&urls) else { return Ok(BTreeSet::new()) };
    let site = outcome::site_of(graph);
    let mut listed = BTreeSet::new();
    let mut known = 0;
    for address in sitemap_pages(session.store, &site)? {
        let is_own = Url::parse(&address).is_ok_and(|url| shape.fits(&url));
        if is_own && Address::normalise(&address).is_ok_and(|own| own.host() == site) {
            known += usize::from(knows(graph, &address));
            listed.insert(address);
        }
    }
    // A sitemap of other things has addresses of such a shape only by chance.
    let is_of_kind = known as f64 >= SAME_KIND * urls.len() as f64;
    if is_of_kind { Ok(listed) } else { Ok(BTreeSet::new()) }
}

/// The addresses that the archived sitemaps of a site name, normalised.
fn sitemap_pages<S: SiteStore>(store: &S, site: &str) -> Result<Vec<String>, HarvestError> {
    let robots = store.archived_answer(&format!("{site}/robots.txt"))?;
    let named = robots.map(|exchange| {
        let rules = Rules::parse(exchange.response.content(), "quarry");
        rules.sitemaps().to_vec()
    });
    let mut open: VecDeque<String> = named.unwrap_or_default().into();
    if open.is_empty() {
        open.push_back(format!("{site}/sitemap.xml"));
    }
    let (mut seen, mut pages) = (BTreeSet::new(), Vec::new());
    while let Some(url) = open.pop_front() {
        let Ok(address) = Address::normalise(&url) else { continue };
        if seen.len() >= MAX_SITEMAPS || !seen.insert(address.as_str().to_owned()) {
            continue;
        }
        let archived = store.archived_answer(address.as_str()).map_err(PortError::new)?;
        let Some(exchange) = archived else { continue };
        let read = sitemap::read(exchange.response.content());
        let Ok(base) = Url::parse(address.as_str()) else { continue };
        let absolute = |text: &String| {
            let url = base.join(text.trim()).ok()?;
            Some(Address::normalise(url.as_str()).ok()?.into_string())
        };
        pages.extend(read.pages.iter().filter_map(absolute));
        open.extend(read.sitemaps.iter().filter_map(absolute));
    }
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_entities_may_be_missing() {
        let witness = |named, reached| CoverageSource {
            name: "named by the sitemap".to_owned(),
            named,
            reached,
        };
        assert_eq!(witness(10, 8).missing(), None);
        assert_eq!(witness(1_000, 985).missing(), None);
        assert_eq!(witness(1_000, 900).missing(), Some(100));
        let line = witness(1_600, 375).line().unwrap();
        assert_eq!(line, "1,225 of 1,600 entities are missing: named by the sitemap");
    }
}
