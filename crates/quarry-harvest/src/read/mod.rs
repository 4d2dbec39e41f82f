//! Reads all pages of a site with its model: the values of its entities, and how well pages fit.

mod data;
pub(crate) mod samples;
mod values;

use quarry_extract::model::SiteModel;
use quarry_extract::site::{PageData, SiteFit, SiteReader};
use quarry_model::{Evidence, EvidenceStore};
use rayon::prelude::*;
use url::Url;

use crate::HarvestError;
use crate::crawl::KnownPages;
use crate::observer::Observer;
use crate::pages::{ParsedPage, SitePages};
use crate::text::thousands;
use samples::SamplePage;
use values::Slots;

pub(crate) use data::{RecordKeys, data_entities, read_data};
pub(crate) use values::facets;

/// What some pages say, and how well they fit the model.
pub fn read_pages(
    site: &str,
    pages: &[ParsedPage],
    model: &SiteModel,
    fit: &mut SiteFit,
) -> Vec<Evidence> {
    read_known_pages(site, pages, model, &KnownPages::default(), fit)
}

/// The same, with what a crawl has found out about the pages.
pub(crate) fn read_known_pages(
    site: &str,
    pages: &[ParsedPage],
    model: &SiteModel,
    known: &KnownPages,
    fit: &mut SiteFit,
) -> Vec<Evidence> {
    read_sampling(site, pages, model, known, fit, &mut Vec::new())
}

/// The same; pages are offered as samples.
fn read_sampling(
    site: &str,
    pages: &[ParsedPage],
    model: &SiteModel,
    known: &KnownPages,
    fit: &mut SiteFit,
    samples: &mut Vec<SamplePage>,
) -> Vec<Evidence> {
    let kinds = |address: &Url| known.kind(address);
    let (slots, reader) = (Slots::of(model), SiteReader::new(model).knowing(&kinds));
    let read: Vec<(PageData, Vec<Evidence>)> =
        pages.par_iter().map(|page| values::read_values(site, page, &reader, &slots)).collect();
    let mut all = Vec::new();
    for (page, (data, found)) in pages.iter().zip(read) {
        samples::offer(samples, page, &data);
        fit.add(&data, &model.usual);
        if !known.adds_nothing(page.known_address()) {
            all.extend(found);
        }
    }
    all
}

/// Reads all pages of a site. What they say goes into the store of evidence.
pub(crate) fn read_site(
    site: &SitePages<'_>,
    model: &SiteModel,
    samples: &mut Vec<SamplePage>,
    evidence: &mut dyn EvidenceStore,
    observer: &mut dyn Observer,
) -> Result<SiteFit, HarvestError> {
    let (mut fit, mut values) = (SiteFit::default(), 0_u64);
    let keys = RecordKeys::of(site)?;
    site.each(&mut |pages| {
        let mut all = read_sampling(&site.name, &pages, model, &site.known, &mut fit, samples);
        keys.join(&mut all);
        for mut found in all {
            values += 1;
            if !site.identity.is_empty() {
                found.entity = site.identity.canonical(&found.entity).into_owned();
            }
            evidence.add(found)?;
        }
        observer.status(&format!(
            "reading {}: {} of {} pages, {} values",
            site.name,
            thousands(fit.pages as u64),
            thousands(site.count() as u64),
            thousands(values)
        ));
        Ok(())
    })?;
    Ok(fit)
}
