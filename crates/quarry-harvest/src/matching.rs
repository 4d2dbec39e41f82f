//! Attributes of a site by agreement with known records, or by a model that was learned so: the lines of `quarry match`.

use quarry_dom::Document;
use quarry_extract::attribute::model::Reader;
use quarry_extract::attribute::{
    AttributeModel, Field, MatchConfig, SeedDb, SiteMatch, match_site,
};
use serde::Serialize;

use crate::pages::ParsedPage;

/// A value that was found on a page.
#[derive(Debug, Clone, Serialize)]
pub struct MatchLine {
    /// The site.
    pub site: String,
    /// The page.
    pub page: String,
    /// The attribute, by its name in the seed.
    pub attribute: String,
    /// Its value on the page.
    pub value: String,
    /// XPath of the node that has it.
    pub path: String,
    /// From 0 to 1, to three digits.
    pub confidence: f64,
    /// Number of the record in the seed, from 0; none where the page's entity is new.
    pub seed_record: Option<u32>,
}

/// Confidence as it is printed: three digits.
#[must_use]
pub fn rounded_confidence(confidence: f64) -> f64 {
    (confidence * 1000.0).round() / 1000.0
}

/// Matches the pages of a site with known records. The first `in_seed` records are the user's; those after them were
/// added by sites that were matched before.
#[must_use]
pub fn match_pages(
    site: &str,
    pages: &[ParsedPage],
    seeds: &SeedDb,
    in_seed: usize,
    config: &MatchConfig,
) -> (SiteMatch, Vec<MatchLine>) {
    let documents: Vec<&Document> = pages.iter().map(|page| &page.document).collect();
    let found = match_site(site, &documents, seeds, config);
    // Records that a site added are entities of the seed only where they were resolved to one.
    let seed_record = |record: u32| -> Option<u32> {
        let mut at = record;
        while at as usize >= in_seed {
            at = seeds.records()[at as usize].same_as?;
        }
        Some(at)
    };
    let line = |field: &Field| MatchLine {
        site: site.to_owned(),
        page: pages[field.page].id.clone(),
        attribute: seeds.attributes()[field.attribute as usize].clone(),
        value: field.value.clone(),
        path: documents[field.page].xpath(field.node),
        confidence: rounded_confidence(field.confidence),
        seed_record: found.records[field.page].and_then(seed_record),
    };
    let lines = found.fields.iter().map(line).collect();
    (found, lines)
}

/// Reads the pages of a site with a model that was learned before.
#[must_use]
pub fn read_with_model(site: &str, pages: &[ParsedPage], model: &AttributeModel) -> Vec<MatchLine> {
    let reader = Reader::new(model);
    let lines = pages.iter().flat_map(|page| {
        reader.read(&page.document).into_iter().map(|found| MatchLine {
            site: site.to_owned(),
            page: page.id.clone(),
            attribute: model.attributes[found.rule].attribute.clone(),
            value: found.value,
            path: page.document.xpath(found.node),
            confidence: rounded_confidence(found.confidence),
            seed_record: None,
        })
    });
    lines.collect()
}
