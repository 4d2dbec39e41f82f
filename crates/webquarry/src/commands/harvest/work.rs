//! How do pages become a table? Site by site: learn or remember, read, notice drift; then all values together.

use std::path::PathBuf;

use anyhow::Result;
use quarry_assemble::{AssembleConfig, Snapshot, assemble};
use quarry_crawl::Stop;
use quarry_dom::Document;
use quarry_extract::attribute::{AttributeModel, MatchConfig, SeedDb, match_site};
use quarry_extract::links::PageKind;
use quarry_extract::model::SiteModel;
use quarry_extract::site::{SiteFit, SitePage, learn_site, read_page, with_attributes};
use quarry_store::Project;
use rayon::prelude::*;

use super::crawls::{self, Crawl};
use super::drift::{self, Drift, Known};
use super::gather::{self, Repeated, Seen};
use super::learned::{self, Learned};
use super::pages::{self, Page, Site, Source};
use super::report::{self, Told};
use super::samples::Sample;
use super::times::Times;
use super::{changes, known, names, summary, tables, volatile};
use crate::commands::{Ending, check};
use crate::printer::{Printer, seconds, thousands};
use crate::screen::Screen;

/// Pages of a site that its model is learned from, evenly over all.
const LEARNED_FROM: usize = 300;

/// Pages to harvest, and where the tables go.
pub(super) struct Harvest {
    pub(super) project: Project,
    pub(super) folder: PathBuf,
    pub(super) sources: Vec<Source>,
    pub(super) crawls: Vec<Crawl>,
    /// Known records; they grow site by site.
    pub(super) seeds: Option<SeedDb>,
    /// Whether what earlier harvests have learned is forgotten.
    pub(super) relearn: bool,
    pub(super) times: Times,
}

/// What was read of a site.
struct Harvested {
    model: SiteModel,
    fit: SiteFit,
    drift: Option<Drift>,
    seen: Vec<Seen>,
}

impl Harvest {
    pub(super) fn run(mut self, screen: &mut Screen, printer: &mut Printer) -> Result<Ending> {
        let before = changes::last(&self.project)?;
        let graphs = self.crawls.iter().flat_map(|crawl| &crawl.graphs);
        let mut seen: Vec<Seen> = gather::facets(graphs).collect();
        let (mut fits, mut models) = (Vec::new(), Vec::new());
        let (mut samples, mut drifts) = (Vec::new(), Vec::new());
        let sources = std::mem::take(&mut self.sources);
        let sites = pages::sites(&sources);
        for (number, site) in sites.iter().enumerate() {
            let done = self.site(site, before.as_ref(), &mut samples, screen)?;
            // What this site taught labels the next.
            if number + 1 < sites.len() {
                self.teach(&site.name, &seen, &done.seen);
            }
            seen.extend(done.seen);
            fits.push((site.name.clone(), done.fit));
            models.push(done.model);
            drifts.extend(done.drift);
        }
        let sightings: Vec<_> = seen.iter().map(Seen::sighting).collect();
        let table = assemble(&sightings, &AssembleConfig::default());
        self.times.done("assembling");
        let now = table.snapshot();
        let mut changed = changes::since(before.as_ref(), &now);
        if let Some(before) = &before {
            changed.warnings.extend(drift::columns(before, &now));
        }
        tables::write(&mut self.project, &self.folder, &table, &changed)?;
        self.project.note_harvest()?;
        names::keep(&self.project, &table)?;
        // Which columns are one, and why: for whoever doubts it.
        self.project.write_model("columns.txt", &table.dump())?;
        check::keep_fits(&self.project, &fits)?;

        let mut warnings: Vec<String> = drifts.iter().flat_map(Drift::lines).collect();
        warnings.extend(changed.warnings);
        warnings.extend(summary::warnings(&self.crawls, &fits));
        let unmet = check::unmet(&self.project, &self.folder, &now)?;
        warnings.extend(unmet.iter().cloned());
        let told = Told {
            sites: &fits,
            models: &models,
            samples: &samples,
            warnings: &warnings,
            crawls: &self.crawls,
        };
        report::write(&self.project, &self.folder, &told)?;
        // Last of all: what a harvest that was broken off left is not what the next one compares with.
        changes::keep(&self.project, &now)?;
        self.times.done("tables and report");
        summary::show(printer, &self.project, &self.folder, told.sites)?;
        let parsing: f64 = sources.iter().map(|source| source.parsing.seconds()).sum();
        screen.detail(1, || {
            format!("time: {}; parsing, on all threads, {}", self.times.line(), seconds(parsing))
        });
        for warning in &warnings {
            screen.say(warning);
        }
        let doubtful = drifts.iter().any(Drift::is_doubtful) || !unmet.is_empty();
        let own = if doubtful { Ending::WithFailures } else { Ending::Done };
        Ok(crawls::ending(&self.crawls).max(own))
    }

    /// Learns a site, or remembers what was learned, and reads it. Where pages no longer fit, it is learned anew, and what is
    /// known already tells which model is right.
    fn site(
        &mut self,
        site: &Site<'_>,
        before: Option<&Snapshot>,
        samples: &mut Vec<Sample>,
        screen: &mut Screen,
    ) -> Result<Harvested> {
        let kept = learned::read(&self.project, &site.name)?;
        let kept = kept.filter(|kept| kept.whole && !self.relearn);
        let Some(Learned { model: old, .. }) = kept else {
            let model = self.learn(site, &site.sample(LEARNED_FROM)?, screen)?;
            self.times.done("learning");
            let (fit, seen) = read(site, &model, samples, screen)?;
            self.times.done("reading");
            return Ok(Harvested { model, fit, drift: None, seen });
        };
        let old = match &self.seeds {
            None => old,
            Some(_) => self.with_seeds(site, &site.sample(LEARNED_FROM)?, old),
        };
        let mut shown = samples.clone();
        self.times.done("learning");
        let (fit, seen) = read(site, &old, &mut shown, screen)?;
        self.times.done("reading");
        let Some(share) = fit.drift(&old.usual) else {
            *samples = shown;
            return Ok(Harvested { model: old, fit, drift: None, seen });
        };
        screen.say(&format!("{}: pages no longer fit; learning them anew", site.name));
        let taught = site.sample(LEARNED_FROM)?;
        let new = self.learn_model(site, &taught, screen);
        let none = Snapshot::default();
        let known = Known::of(before.unwrap_or(&none));
        let confirms = |model: &SiteModel| {
            known.verify(&gather::values(&site.name, &taught, model, &mut SiteFit::default()))
        };
        let mut drift = Drift {
            site: site.name.clone(),
            share,
            old: confirms(&old),
            new: confirms(&new),
            fit: (fit.mean().unwrap_or(0.0), 0.0),
        };
        if !drift.is_relearned() {
            *samples = shown;
            return Ok(Harvested { model: old, fit, drift: Some(drift), seen });
        }
        self.keep(site, &new)?;
        let (fit, seen) = read(site, &new, samples, screen)?;
        self.times.done("learning anew");
        drift.fit.1 = fit.mean().unwrap_or(0.0);
        Ok(Harvested { model: new, fit, drift: Some(drift), seen })
    }

    fn learn(&self, site: &Site<'_>, taught: &[Page], screen: &mut Screen) -> Result<SiteModel> {
        let model = self.learn_model(site, taught, screen);
        self.keep(site, &model)?;
        Ok(model)
    }

    fn learn_model(&self, site: &Site<'_>, taught: &[Page], screen: &Screen) -> SiteModel {
        screen.note(&format!("learning {} from {} pages", site.name, taught.len()));
        let model = learn_site(&views(taught));
        self.with_seeds(site, taught, model)
    }

    /// The model, with the places of the attributes of known records.
    fn with_seeds(&self, site: &Site<'_>, taught: &[Page], model: SiteModel) -> SiteModel {
        let Some(seeds) = &self.seeds else { return model };
        let pages = views(taught);
        let attributes = match_pages(&site.name, &pages, &model, seeds);
        with_attributes(model, attributes, &pages)
    }

    fn keep(&self, site: &Site<'_>, model: &SiteModel) -> Result<()> {
        let whole = self.crawls.iter().all(|crawl| crawl.stop == Stop::Finished);
        let learned = Learned { site: site.name.clone(), whole, model: model.clone() };
        learned::keep(&self.project, &learned)
    }

    /// Adds a site's own table to the known records.
    fn teach(&mut self, site: &str, facets: &[Seen], seen: &[Seen]) {
        let own = facets.iter().filter(|seen| seen.is_facet_of(site)).chain(seen);
        let sightings: Vec<_> = own.map(Seen::sighting).collect();
        let table = assemble(&sightings, &AssembleConfig::default());
        known::add_table(self.seeds.get_or_insert_default(), &table);
    }
}

fn views(pages: &[Page]) -> Vec<SitePage<'_>> {
    let view = |page| {
        let Page { id, address, document, .. }: &Page = page;
        SitePage { id, address, document }
    };
    pages.iter().map(view).collect()
}

/// Finds the attributes of known records on the entity pages of a site.
fn match_pages(
    site: &str,
    pages: &[SitePage<'_>],
    model: &SiteModel,
    seeds: &SeedDb,
) -> AttributeModel {
    let of_entity = |page: &&SitePage<'_>| read_page(page, model).kind == PageKind::Entity;
    let pages: Vec<&SitePage<'_>> = pages.par_iter().filter(of_entity).collect();
    let documents: Vec<&Document> = pages.iter().map(|page| page.document).collect();
    match_site(site, &documents, seeds, &MatchConfig::default()).model
}

/// Reads all pages of a site.
fn read(
    site: &Site<'_>,
    model: &SiteModel,
    samples: &mut Vec<Sample>,
    screen: &mut Screen,
) -> Result<(SiteFit, Vec<Seen>)> {
    let (mut fit, mut seen) = (SiteFit::default(), Vec::new());
    let mut repeated = Repeated::default();
    site.each(&mut |pages| {
        let said = gather::gather(&site.name, &pages, model, &mut fit, samples);
        seen.extend(said.into_iter().filter(|said| !repeated.is_enough(said)));
        screen.note(&format!(
            "reading {}: {} of {} pages, {} values",
            site.name,
            thousands(fit.pages as u64),
            thousands(site.ids.len() as u64),
            thousands(seen.len() as u64)
        ));
        Ok(())
    })?;
    let left_out = volatile::leave_out(&mut seen);
    if !left_out.is_empty() {
        let slots = left_out.len();
        screen.detail(1, || {
            format!("{}: {slots} slots tell of the query, not of entities", site.name)
        });
    }
    Ok((fit, seen))
}
