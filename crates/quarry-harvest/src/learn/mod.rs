//! Learns the model of a site from some of its pages, or remembers it. Where pages no longer fit, the site is learned anew, and
//! the values that are known already tell which model is right.

pub(crate) mod drift;
mod kept;

use quarry_dom::Document;
use quarry_extract::attribute::{AttributeModel, MatchConfig, SeedDb, match_site};
use quarry_extract::links::PageKind;
use quarry_extract::model::SiteModel;
use quarry_extract::site::{SiteFit, SitePage, SiteReader, learn_crawled_site, with_attributes};
use quarry_model::{Evidence, EvidenceStore};
use rayon::prelude::*;

use crate::HarvestError;
use crate::harvest::HarvestStore;
use crate::observer::{HarvestPhase, Observer};
use crate::pages::{ParsedPage, SitePages};
use crate::read::samples::SamplePage;
use crate::read::{read_known_pages, read_site};
use crate::times::Times;
use drift::{Drift, KnownValues};

pub use kept::{LearnedSite, read_learned};

/// Pages of a site that its model is learned from, evenly over all in the order of their names.
pub const LEARNED_FROM: usize = 300;

/// Learns a site from some of its pages, of which no crawl has told anything. Known records tell where their attributes stand.
#[must_use]
pub fn learn_pages(site: &str, taught: &[ParsedPage], seeds: Option<&SeedDb>) -> SiteModel {
    let pages = views(taught);
    let model = learn_crawled_site(&pages, &|_| None);
    let Some(seeds) = seeds else { return model };
    let attributes = match_pages(site, &pages, &model, seeds);
    with_attributes(model, attributes, &pages)
}

/// What was learned and read of a site.
pub(crate) struct SiteReading {
    pub(crate) model: SiteModel,
    pub(crate) fit: SiteFit,
    pub(crate) drift: Option<Drift>,
}

/// What learning goes by.
pub(crate) struct Learner<'a> {
    /// What was learned, and the tables of the last harvest.
    pub(crate) store: &'a dyn HarvestStore,
    /// Where what is read goes.
    pub(crate) evidence: &'a mut dyn EvidenceStore,
    /// Known records.
    pub(crate) seeds: Option<&'a SeedDb>,
    /// Whether what earlier harvests have learned is forgotten.
    pub(crate) relearn: bool,
    /// Whether all of the site was crawled.
    pub(crate) is_whole: bool,
    pub(crate) samples: &'a mut Vec<SamplePage>,
    pub(crate) times: &'a mut Times,
    pub(crate) observer: &'a mut dyn Observer,
}

impl Learner<'_> {
    /// Learns a site, or remembers what was learned, and reads it.
    pub(crate) fn learn_and_read(self, site: &SitePages<'_>) -> Result<SiteReading, HarvestError> {
        self.observer.phase(HarvestPhase::Learn);
        let kept = read_learned(self.store, &site.name)?;
        let kept = kept.filter(|kept| kept.whole && !self.relearn);
        let Some(LearnedSite { model: old, .. }) = kept else {
            let model = self.learn(site, &site.sample(LEARNED_FROM)?);
            self.keep(site, &model)?;
            self.times.done("learning");
            self.observer.phase(HarvestPhase::Read);
            let fit = read_site(site, &model, self.samples, self.evidence, self.observer)?;
            self.times.done("reading");
            return Ok(SiteReading { model, fit, drift: None });
        };
        let old = match &self.seeds {
            None => old,
            Some(_) => {
                // Pages are compared with those that were learned, not with themselves.
                let usual = old.usual;
                let model = self.with_seeds(site, &site.sample(LEARNED_FROM)?, old);
                SiteModel { usual, ..model }
            }
        };
        let mut shown = self.samples.clone();
        self.times.done("learning");
        self.observer.phase(HarvestPhase::Read);
        let fit = read_site(site, &old, &mut shown, self.evidence, self.observer)?;
        self.times.done("reading");
        let Some(share) = fit.drift(&old.usual) else {
            *self.samples = shown;
            return Ok(SiteReading { model: old, fit, drift: None });
        };
        self.observer.line(&format!("{}: pages no longer fit; learning them anew", site.name));
        let taught = site.sample(LEARNED_FROM)?;
        let new = self.learn(site, &taught);
        let read = |model: &SiteModel| -> Vec<Evidence> {
            read_known_pages(&site.name, &taught, model, &site.known, &mut SiteFit::default())
        };
        let (by_old, by_new) = (read(&old), read(&new));
        let known = KnownValues::read(self.store, by_old.iter().chain(&by_new))?;
        let mut drift = Drift {
            site: site.name.clone(),
            share,
            old: known.verify(&by_old),
            new: known.verify(&by_new),
            fit: (fit.mean().unwrap_or(0.0), 0.0),
        };
        if !drift.is_relearned() {
            *self.samples = shown;
            return Ok(SiteReading { model: old, fit, drift: Some(drift) });
        }
        self.keep(site, &new)?;
        self.evidence.forget_site(&site.name)?;
        let fit = read_site(site, &new, self.samples, self.evidence, self.observer)?;
        self.times.done("learning anew");
        drift.fit.1 = fit.mean().unwrap_or(0.0);
        Ok(SiteReading { model: new, fit, drift: Some(drift) })
    }

    fn learn(&self, site: &SitePages<'_>, taught: &[ParsedPage]) -> SiteModel {
        self.observer.status(&format!("learning {} from {} pages", site.name, taught.len()));
        let known = &site.known;
        let model = learn_crawled_site(&views(taught), &|address| known.kind(address));
        self.with_seeds(site, taught, model)
    }

    /// The model, with the places of the attributes of known records.
    fn with_seeds(
        &self,
        site: &SitePages<'_>,
        taught: &[ParsedPage],
        model: SiteModel,
    ) -> SiteModel {
        let Some(seeds) = self.seeds else { return model };
        let pages = views(taught);
        let attributes = match_pages(&site.name, &pages, &model, seeds);
        with_attributes(model, attributes, &pages)
    }

    fn keep(&self, site: &SitePages<'_>, model: &SiteModel) -> Result<(), HarvestError> {
        let (site, whole) = (site.name.clone(), self.is_whole);
        kept::keep(self.store, &LearnedSite { site, whole, model: model.clone() })
    }
}

fn views(pages: &[ParsedPage]) -> Vec<SitePage<'_>> {
    pages.iter().map(ParsedPage::view).collect()
}

/// Finds the attributes of known records on the entity pages of a site.
fn match_pages(
    site: &str,
    pages: &[SitePage<'_>],
    model: &SiteModel,
    seeds: &SeedDb,
) -> AttributeModel {
    let reader = SiteReader::new(model);
    let of_entity = |page: &&SitePage<'_>| reader.read(page).kind == PageKind::Entity;
    let pages: Vec<&SitePage<'_>> = pages.par_iter().filter(of_entity).collect();
    let documents: Vec<&Document> = pages.iter().map(|page| page.document).collect();
    match_site(site, &documents, seeds, &MatchConfig::default()).model
}
