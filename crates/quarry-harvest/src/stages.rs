//! The intermediates of a harvest, one stage at a time: what the verbs of single stages print and scorers see.
//!
//! Learning a site (`quarry_extract::site::learn_site`) uses the same functions on a sample of its pages.

use std::borrow::Cow;

use quarry_dom::Document;
use quarry_extract::cluster::{ClusterConfig, Clustering, PageSignature, cluster_pages};
use quarry_extract::find::{self, PageInput, PageRecords, RecordsConfig};
use quarry_extract::links::{LinkMap, PageKind, SeenPage, page_kinds, read_site_links};
use quarry_extract::model::SiteModel;
use quarry_extract::spec::{self, KnownPairs, Spec, SpecConfig, SpecPage};
use quarry_extract::template::{TemplateConfig, learn};
use rayon::prelude::*;
use url::Url;

use crate::pages::ParsedPage;

/// Which pages are of one kind, and which kind holds answers.
#[must_use]
pub fn cluster(pages: &[ParsedPage]) -> Clustering {
    let signature = |page: &ParsedPage| PageSignature::of(&page.document, page.size);
    let signatures: Vec<PageSignature> = pages.par_iter().map(signature).collect();
    cluster_pages(&signatures, &ClusterConfig::default())
}

/// Pages as regions and records are looked for on them.
#[must_use]
pub fn record_inputs(pages: &[ParsedPage]) -> Vec<PageInput<'_>> {
    let input = |page| {
        let ParsedPage { id, document, .. }: &ParsedPage = page;
        PageInput { id, document, cluster: None }
    };
    pages.iter().map(input).collect()
}

/// The answer regions of each page, and their records.
#[must_use]
pub fn find_records(pages: &[ParsedPage]) -> Vec<PageRecords> {
    find::find_records(&record_inputs(pages), &RecordsConfig::default())
}

/// The templates of these records.
#[must_use]
pub fn learn_templates(pages: &[ParsedPage], found: &[PageRecords]) -> SiteModel {
    let documents: Vec<&Document> = pages.iter().map(|page| &page.document).collect();
    learn(&documents, found, &TemplateConfig::default())
}

/// What each page leads to, and whether it is a list, about one entity, or neither.
#[must_use]
pub fn read_links(pages: &[ParsedPage]) -> Vec<(PageKind, LinkMap)> {
    let addresses: Vec<Cow<'_, Url>> = pages.iter().map(ParsedPage::likely_address).collect();
    let inputs: Vec<(&Document, &Url)> =
        pages.iter().zip(&addresses).map(|(page, address)| (&page.document, &**address)).collect();
    let maps = read_site_links(&inputs);
    let seen = maps.iter().zip(pages).map(|(map, page)| {
        let address = (!page.is_file).then_some(&page.address);
        SeenPage { address, map }
    });
    let kinds = page_kinds(&seen.collect::<Vec<_>>());
    kinds.into_iter().zip(maps).collect()
}

/// Pages as specifications are looked for on them.
#[must_use]
pub fn spec_inputs(pages: &[ParsedPage]) -> Vec<SpecPage<'_>> {
    pages.iter().map(|page| SpecPage { id: &page.id, document: &page.document }).collect()
}

/// The specifications of each page.
#[must_use]
pub fn read_specs(pages: &[ParsedPage], known: &KnownPairs) -> Vec<Vec<Spec>> {
    spec::read_specs(&spec_inputs(pages), known, &SpecConfig::default())
}
