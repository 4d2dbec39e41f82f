//! Adds what was read on a site to the seed. Its records, each with its page and the record of the
//! same entity, and what it calls the attributes.

use std::collections::BTreeMap;

use super::result::SiteMatch;
use super::seed::{SeedAttributeId, SeedDb};

/// Values that are less likely right do not teach the next site.
const LEAST_CONFIDENCE: f64 = 0.85;

impl SiteMatch {
    /// Adds the site's records to the seed. `pages` are the ids of the pages, in the order of the input.
    pub fn grow(&self, site: &str, pages: &[&str], seeds: &mut SeedDb) {
        let mut records: BTreeMap<usize, Vec<(SeedAttributeId, String)>> = BTreeMap::new();
        for field in self.fields.iter().filter(|field| field.confidence >= LEAST_CONFIDENCE) {
            let values = records.entry(field.page).or_default();
            values.push((field.attribute, field.value.clone()));
        }
        for (page, values) in records {
            let record = seeds.add(site, Some(pages[page].to_owned()), values);
            seeds.set_same(record, self.records[page]);
        }
        for placed in self.placed.iter().filter(|placed| placed.confidence >= LEAST_CONFIDENCE) {
            if let Some(label) = &placed.label {
                seeds.add_label(placed.attribute, &label.to_lowercase());
            }
        }
    }
}
