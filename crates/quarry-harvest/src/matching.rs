//! Attributes of a site by agreement with known records, or by a model that was learned so: the lines of `quarry match`.

use std::path::PathBuf;

use quarry_dom::Document;
use quarry_extract::attribute::model::Reader;
use quarry_extract::attribute::{
    AttributeModel, Field, MatchConfig, SeedDb, SeedRecordId, SiteMatch, match_site,
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

/// A site is called by the last part of its input, or by all of it where several end alike.
#[must_use]
pub fn site_names(inputs: &[PathBuf]) -> Vec<String> {
    let last = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| path.display().to_string())
    };
    let names: Vec<String> = inputs.iter().map(last).collect();
    let single = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    let name = |(path, name): (&PathBuf, &String)| {
        if single(name) { name.clone() } else { path.display().to_string() }
    };
    inputs.iter().zip(&names).map(name).collect()
}

/// How a site was matched, in a line or two: pages, entities in common, attributes placed.
#[must_use]
pub fn progress_lines(site: &str, pages: usize, found: &SiteMatch, seeds: &SeedDb) -> Vec<String> {
    let linked = found.records.iter().flatten().count();
    let placed = found.model.attributes.len();
    let of = seeds.attributes().len();
    let each = found.placed.iter().map(|placed| {
        let name = &seeds.attributes()[placed.attribute.index()];
        let (support, pages, confidence) = (placed.support, placed.pages, placed.confidence);
        format!("{name} {support} of {pages} pages agree ({confidence:.2})")
    });
    let each = each.collect::<Vec<_>>().join(", ");
    let mut lines = vec![format!(
        "{site}: {pages} pages, {linked} of entities in the seed, {placed} of {of} attributes placed: {each}"
    )];
    if linked == 0 && pages > 0 {
        let rest = match placed {
            0 => "and its values do not look like the seed's",
            _ => "positions rest on what values and labels look like",
        };
        lines.push(format!("{site}: no entity in common with the seed; {rest}"));
    }
    lines
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
    let seed_record = |mut record: SeedRecordId| -> Option<u32> {
        while record.index() >= in_seed {
            record = seeds.records()[record.index()].same_as?;
        }
        Some(record.0)
    };
    let line = |field: &Field| MatchLine {
        site: site.to_owned(),
        page: pages[field.page].id.clone(),
        attribute: seeds.attributes()[field.attribute.index()].clone(),
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
