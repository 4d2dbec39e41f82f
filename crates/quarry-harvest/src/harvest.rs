//! The harvest of pages that are there: site by site learn and read, then all values together become tables and a report.

use quarry_assemble::{AssembleConfig, Assembly, assemble};
use quarry_crawl::Stop;
use quarry_extract::attribute::SeedDb;
use quarry_extract::model::SiteModel;
use quarry_extract::site::SiteFit;
use quarry_model::{EvidenceStore, ModelStore, PortError, TableStore};

use crate::assemble::{changes, names};
use crate::crawl::{CrawlOutcome, JobOutcome, outcome};
use crate::discover::read_discovered;
use crate::expect::{self, Expect};
use crate::learn::Learner;
use crate::learn::drift::Drift;
use crate::observer::{HarvestPhase, Observer};
use crate::pages::{self, PageInputs};
use crate::read::{data_entities, facets, read_data};
use crate::report::{self, ReportContent};
use crate::text::seconds;
use crate::times::Times;
use crate::{HarvestError, known, tables};

/// The file beside the models that says that the tables are of an interrupted crawl: the next harvest is not compared with them.
const UNFINISHED: &str = "unfinished.txt";

/// Entities below which a table without columns says nothing: two pages alike may be chance.
const MIN_TABLE: u64 = 3;

/// Where a harvest keeps what it learns, and its tables.
pub trait HarvestStore: ModelStore + TableStore {}

impl<S: ModelStore + TableStore> HarvestStore for S {}

/// What a harvest works on, and by what.
#[derive(Default)]
pub struct Harvest {
    /// The pages, by source.
    pub pages: Vec<PageInputs>,
    /// What came of the crawls that brought them.
    pub crawls: Vec<CrawlOutcome>,
    /// Known records; they grow site by site.
    pub seeds: Option<SeedDb>,
    /// Whether what earlier harvests have learned is forgotten.
    pub relearn: bool,
    /// What the table should be like.
    pub expect: Expect,
    /// How the table is assembled.
    pub assemble: AssembleConfig,
}

/// What came of a harvest; its tables are in the store.
#[derive(Debug, Clone)]
pub struct Harvested {
    /// Each site, what was read of it, and how well its pages fit.
    pub sites: Vec<(String, SiteFit)>,
    /// What the user should look at.
    pub warnings: Vec<String>,
    /// How it ended: as the worst of its crawls, or with failures where values are in doubt or not as expected.
    pub ending: JobOutcome,
}

impl Harvest {
    /// Learns, reads, assembles, and leaves tables and report in the store. `evidence` is empty; what is read goes through it.
    pub fn run(
        mut self,
        store: &mut dyn HarvestStore,
        evidence: &mut dyn EvidenceStore,
        observer: &mut dyn Observer,
    ) -> Result<Harvested, HarvestError> {
        let mut times = Times::start();
        let is_unfinished = self.crawls.iter().any(|crawl| crawl.stop == Stop::Interrupted);
        let has_baseline = store.read_model(UNFINISHED)?.is_none();
        if is_unfinished && has_baseline && store.first_entities(0)?.0 > 0 {
            observer.line(
                "interrupted: the tables stay those of the last harvest; the same command goes on",
            );
            let ending = JobOutcome::Interrupted;
            return Ok(Harvested { sites: Vec::new(), warnings: Vec::new(), ending });
        }
        let (mut fits, mut models) = (Vec::new(), Vec::new());
        let (mut samples, mut drifts) = (Vec::new(), Vec::new());
        let inputs = std::mem::take(&mut self.pages);
        let mut sites = pages::sites(&inputs);
        for site in &mut sites {
            let graphs = self.crawls.iter().flat_map(|crawl| &crawl.graphs);
            let own = graphs.filter(|graph| outcome::site_of(graph) == site.name);
            own.for_each(|graph| site.identity.extend(&graph.identity));
            for own in self.crawls.iter().flat_map(|crawl| &crawl.data) {
                if own.page.starts_with(&site.name) {
                    site.known.add_shown(&own.page);
                    site.data.push(own.clone());
                }
            }
            for (entity, is_sampled) in data_entities(site)? {
                if is_sampled {
                    site.known.add_sampled_entity(entity.clone());
                }
                site.known.add_entity(entity);
            }
            let chosen = || self.crawls.iter().filter(|crawl| crawl.is_by_queries());
            let sampled = chosen().filter(|crawl| crawl.details_are_sampled);
            sampled.flat_map(|crawl| &crawl.graphs).for_each(|graph| site.known.add_sampled(graph));
            let graphs = chosen().flat_map(CrawlOutcome::graphs_with_unlisted);
            for (graph, unlisted) in
                graphs.filter(|(graph, _)| outcome::site_of(graph) == site.name)
            {
                site.known.add(graph);
                site.known.add_unlisted(unlisted);
            }
        }
        for (number, site) in sites.iter().enumerate() {
            let learner = Learner {
                store: &*store,
                evidence: &mut *evidence,
                seeds: self.seeds.as_ref(),
                relearn: self.relearn,
                is_whole: self.crawls.iter().all(|crawl| crawl.stop == Stop::Finished),
                samples: &mut samples,
                times: &mut times,
                observer: &mut *observer,
            };
            let read = learner.learn_and_read(site)?;
            self.add_facets(evidence, Some(&read.model), |own| own == site.name)?;
            read_data(site, &read.model, evidence)?;
            // What this site taught labels the next.
            if number + 1 < sites.len() {
                let table = assemble(evidence, Some(&site.name), &self.assemble)?;
                known::add_table(self.seeds.get_or_insert_default(), &table, evidence)?;
            }
            fits.push((site.name.clone(), read.fit));
            models.push(read.model);
            drifts.extend(read.drift);
        }
        observer.phase(HarvestPhase::Assemble);
        self.add_facets(evidence, None, |own| !sites.iter().any(|site| site.name == own))?;
        let table = assemble(evidence, None, &self.assemble)?;
        tell_left_out(&table, observer);
        times.done("assembling");
        observer.phase(HarvestPhase::Write);
        let changed = tables::write(store, evidence, &table, has_baseline)?;
        names::keep(store, &table)?;
        // Which columns are one, and why: for whoever doubts it.
        store.write_model("columns.txt", &table.dump())?;
        expect::keep_fits(store, &fits)?;

        let mut warnings: Vec<String> = drifts.iter().flat_map(Drift::lines).collect();
        warnings.extend(changed);
        warnings.extend(report::warnings(&self.crawls, &fits));
        // A row or two of which nothing is known is the page that was begun with, not a table; nor are headings of pages that list
        // nothing.
        let entities = store.first_entities(0)?.0;
        let has_lists = self.crawls.is_empty() || fits.iter().any(|(_, fit)| fit.lists > 0);
        let is_empty =
            entities == 0 || (entities < MIN_TABLE || !has_lists) && store.columns()?.is_empty();
        if is_empty && !is_unfinished {
            warnings.push(report::why_empty(&self.crawls));
        }
        let unmet = expect::unmet(&self.expect, store)?;
        warnings.extend(unmet.iter().cloned());
        let discovered = read_discovered(store)?;
        let content = ReportContent {
            sites: &fits,
            models: &models,
            samples: &samples,
            warnings: &warnings,
            crawls: &self.crawls,
            discovered: discovered.as_ref(),
        };
        store.write_report(&report::html(store, &content)?)?;
        store.remove_model(changes::OLD_FILE)?;
        match is_unfinished {
            true => store.write_model(UNFINISHED, "the crawl was interrupted before its end\n")?,
            false => store.remove_model(UNFINISHED)?,
        }
        // Last of all: this commits. What a harvest that was broken off left is not what the next one compares with.
        store.note_harvest()?;
        times.done("tables and report");
        let parsing: f64 = inputs.iter().map(|input| input.parsing.seconds()).sum();
        observer.detail(&|| {
            format!("time: {}; parsing, on all threads, {}", times.line(), seconds(parsing))
        });
        let doubtful = is_empty || drifts.iter().any(Drift::is_doubtful) || !unmet.is_empty();
        let own = if doubtful { JobOutcome::WithFailures } else { JobOutcome::Done };
        let ending = self.crawls.iter().map(CrawlOutcome::ending).fold(own, JobOutcome::max);
        Ok(Harvested { sites: fits, warnings, ending })
    }

    /// Adds the facet values of some sites.
    fn add_facets(
        &self,
        evidence: &mut dyn EvidenceStore,
        model: Option<&SiteModel>,
        of: impl Fn(&str) -> bool,
    ) -> Result<(), PortError> {
        let graphs = self.crawls.iter().flat_map(|crawl| &crawl.graphs);
        let mut found = graphs.flat_map(|graph| facets(graph, model)).filter(|own| of(&own.site));
        found.try_for_each(|own| evidence.add(own))
    }
}

fn tell_left_out(table: &Assembly, observer: &dyn Observer) {
    if !table.left_out.is_empty() {
        let slots = table.left_out.len();
        observer.detail(&|| format!("left out {slots} slots whose values repeat the query"));
    }
}
